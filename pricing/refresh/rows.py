"""What all tables share when they are rebuilt: source rows, reasons to drop one, reading and writing."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

EXPECTED = frozenset({"suspect", "may_not_ship", "peak_not_sustained", "not_an_average", "duplicate_key"})
ROUNDING = 1e-4  # source prices carry 4 to 6 decimals


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of a source file. `number` is its line; the header is line 1."""

    file: str
    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        """The cell of a column, without surrounding blanks; "" when the file has no such column."""
        return self.cells.get(column, "").strip()

    def value(self, column: str) -> float | None:
        """The cell as a finite number; None when it is empty or none."""
        try:
            number = float(self[column])
        except ValueError:
            return None
        return number if math.isfinite(number) else None

    @property
    def name(self) -> str:
        """How the row is named in reports and with --accept: "gpu_prices.csv:17"."""
        return f"{self.file}:{self.number}"


@dataclass(frozen=True, slots=True)
class Drop:
    """A row that does not go into the table, with a reason code. What is not EXPECTED was refused as implausible."""

    row: SourceRow
    reason: str
    detail: str = ""

    @property
    def refused(self) -> bool:
        """Whether somebody should look at it, as against a row that is left out by rule."""
        return self.reason not in EXPECTED


@dataclass(slots=True)
class Cleaned:
    """One rebuilt table: its rows, and what was dropped on the way."""

    table: str
    columns: Sequence[str]
    rows: list[dict[str, str]] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)

    def sifted(
        self,
        source: Iterable[SourceRow],
        fault: Callable[[SourceRow], Drop | None],
        key: tuple[str, ...],
        twin: str,
    ) -> Iterator[SourceRow]:
        """The rows without a fault, the first of each `key` (columns); the others are dropped with the reason.

        `twin` ends the sentence "row 7 ..." about the row that came first.
        """
        first: dict[tuple[str, ...], int] = {}
        for row in source:
            drop, name = fault(row), tuple(row[column] for column in key)
            if drop is None and name in first:
                drop = Drop(row, "duplicate_key", f"row {first[name]} {twin}")
            if drop is None:
                first[name] = row.number
                yield row
            else:
                self.drops.append(drop)


def read_source(folder: Path, file: str) -> list[SourceRow]:
    """The rows of one source file. Raises OSError."""
    with (folder / file).open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, restval="")
        return [SourceRow(file, reader.line_num, row) for row in reader]


def write_tables(tables: Iterable[Cleaned], folder: Path) -> None:
    """Write every table beside its old version, then put all in place."""
    written = []
    for table in tables:
        path = folder / table.table
        beside = path.with_suffix(".new")
        with beside.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, table.columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(table.rows)
        written.append((beside, path))
    for beside, path in written:
        beside.replace(path)


def as_of(day: str, precision: str = "day") -> str:
    """A date as precise as it is known: "2026-07-20", "2026-07" or "2026"."""
    return day[: {"year": 4, "month": 7}.get(precision, 10)]


def period(known: str) -> tuple[date, date]:
    """The first and the last day that an `as_of` may mean. Raises ValueError when it is no date."""
    parts = [int(part) for part in known.split("-")]
    if len(parts) == 1:
        return date(parts[0], 1, 1), date(parts[0], 12, 31)
    if len(parts) == 2:
        later = date(parts[0] + parts[1] // 12, parts[1] % 12 + 1, 1)
        return date(parts[0], parts[1], 1), later - timedelta(days=1)
    return date(*parts), date(*parts)


def days_apart(one: str, other: str) -> int:
    """The fewest days that can lie between two `as_of`; 0 when their periods overlap."""
    (one_first, one_last), (other_first, other_last) = period(one), period(other)
    return max(0, (other_first - one_last).days, (one_first - other_last).days)


def origin_fault(row: SourceRow, source: str, day: str) -> Drop | None:
    """The fault that every table refuses: no source, no date, or a date that is none."""
    if not source:
        return Drop(row, "missing_source")
    if not day:
        return Drop(row, "missing_date")
    try:
        period(day)
    except (ValueError, TypeError):
        return Drop(row, "bad_date", day)
    return None


def number_fault(row: SourceRow, columns: Iterable[str], high: float = math.inf) -> Drop | None:
    """The first of `columns` that is no number above 0 and at most `high`."""
    for column in columns:
        value = row.value(column)
        if value is None:
            return Drop(row, "not_a_number", f"{column} is {row[column]!r}")
        if value <= 0:
            return Drop(row, "not_positive", f"{column} is {row[column]}")
        if value > high:
            return Drop(row, "outside_bounds", f"{column} is {row[column]}")
    return None


def percent_fault(row: SourceRow, columns: Iterable[str]) -> Drop | None:
    """The first of `columns` that is no number from 0 to 100."""
    for column in columns:
        value = row.value(column)
        if value is None:
            return Drop(row, "not_a_number", f"{column} is {row[column]!r}")
        if not 0 <= value <= 100:
            return Drop(row, "outside_bounds", f"{column} is {row[column]}")
    return None
