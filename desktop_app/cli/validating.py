"""`validate`: every table of a folder that we can answer, and one summary of it."""

from __future__ import annotations

import csv
import importlib
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.files import name_text, replace_file
from desktop_app.foundation.problems import user_error

# Which file is answered by which modules; each has `rows(folder) -> list[ValidationRow]`.
_TABLES = {
    "throughput.csv": ("desktop_app.estimation.validation.throughput",),
    "runs.csv": ("desktop_app.estimation.validation.runs", "desktop_app.budget.run_footprints"),
    "params.csv": ("desktop_app.estimation.validation.params",),
    "memory.csv": ("desktop_app.estimation.validation.memory",),
    "memory_published.csv": ("desktop_app.estimation.validation.memory_published",),
    "cases.csv": ("desktop_app.budget.cases",),
    "published_footprints.csv": ("desktop_app.budget.footprints",),
}
_CLASSES = ("pretrain-dense", "pretrain-moe", "finetune", "metered", "arithmetic")
_REASONS = 4  # of a table, in the summary
_COLUMNS = (
    "table", "id", "source_group", "quantity", "published", "predicted", "low", "high", "ratio", "status", "note",
)  # fmt: skip
_HEADINGS = ("table", "quantity", "rows", "answered", "median error", "p90 error", "inside p10-p90")


def tables_in(folder: Path) -> list[Path]:
    """The known tables that stand in `folder`. Raises UserError when it is no folder, closed to us, or without any."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 (names alone)
    except (FileNotFoundError, NotADirectoryError):
        raise user_error("", "problem.not_a_folder", file=name_text(folder)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise user_error("", "problem.not_read", file=name_text(folder), reason=reason) from None
    found = [folder / file for file in _TABLES if file in names]
    if not found:
        raise user_error("", "problem.no_tables", folder=name_text(folder), names=", ".join(_TABLES))
    return found


def validate_tables(tables: Iterable[Path]) -> list[ValidationRow]:
    """The rows of the tables. Raises UserError for one that cannot be read."""
    found: list[ValidationRow] = []
    for table in tables:
        for module in _TABLES[table.name]:
            rows: Callable[[Path], list[ValidationRow]] = importlib.import_module(module).rows
            found.extend(rows(table.parent))
    return found


def write_rows(rows: Iterable[ValidationRow], target: Path) -> None:
    """One CSV row per case and quantity, whole or not at all."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    writer.writerows(["" if getattr(row, name) is None else getattr(row, name) for name in _COLUMNS] for row in rows)
    replace_file(target, lambda path: _write(path, text.getvalue()))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def summary_text(rows: list[ValidationRow], tables: list[Path]) -> str:
    """One line per quantity and class of rows, why others have no answer, then one line per source group."""
    if not rows:
        return f"no rows to validate in {', '.join(table.name for table in tables)}"
    by_quantity = _grouped(rows, lambda row: (row.table, f"{row.quantity}{_class(row)}"))
    by_source = _grouped(rows, lambda row: (f"{row.table}: {row.source_group}", row.quantity))
    lines = [_line(_HEADINGS), *(_line(_summary(*names, members)) for names, members in by_quantity.items())]
    lines += _tolerance_lines(rows)
    lines += _reason_lines(rows)
    lines += ["", "by source group", *(_line(_summary(*names, members)) for names, members in by_source.items())]
    return "\n".join(lines)


def _tolerance_lines(rows: list[ValidationRow]) -> list[str]:
    """How many answers meet the tolerance that their table gives them; [] where none is given."""
    words = [row.note.split(" ")[0] for row in rows if row.status == "ok"]
    inside, outside = words.count("inside"), words.count("outside")
    return ["", f"within the stated tolerance: {inside} of {inside + outside}"] if inside + outside else []


def _reason_lines(rows: list[ValidationRow]) -> list[str]:
    """The commonest reasons of each table why rows have no answer; [] where all have one."""
    reasons: dict[str, Counter[str]] = {}
    for row in rows:
        if row.status != "ok":
            reasons.setdefault(row.table, Counter())[_reason(row)] += 1
    if not reasons:
        return []
    lines = ["", "rows without an answer, by reason (--out ROWS.csv writes every row with its own)"]
    for table, found in reasons.items():
        lines.append(f"{table}: {found.total()}")
        lines += [f"{count:6}  {reason}" for reason, count in found.most_common(_REASONS)]
        others = found.total() - sum(count for _, count in found.most_common(_REASONS))
        lines += [f"{others:6}  other reasons"] if others else []
    return lines


def _reason(row: ValidationRow) -> str:
    """The note of a row without its class and without the figures that differ from row to row."""
    note = row.note.removeprefix(row.note.split(" ")[0] if _class(row) else "").lstrip(" ;,:")
    return re.sub(r"(?<![\w.-])\d[\d,.]*(?![\w-])", "N", note) or row.status


def _grouped(
    rows: list[ValidationRow], key: Callable[[ValidationRow], tuple[str, str]]
) -> dict[tuple[str, str], list[ValidationRow]]:
    groups: dict[tuple[str, str], list[ValidationRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _class(row: ValidationRow) -> str:
    word = row.note.split(" ")[0].rstrip(";,.:")
    return f" {word}" if word in _CLASSES else ""


def _summary(table: str, quantity: str, rows: list[ValidationRow]) -> tuple[str, ...]:
    answered = [row for row in rows if row.status == "ok"]
    counts = (table, quantity, str(len(rows)), str(len(answered)))
    if quantity == "fits":
        return (*counts, "-", "-", _verdicts(answered))
    errors = sorted(abs(row.ratio - 1) for row in answered if row.ratio is not None)
    if not errors:
        return (*counts, "-", "-", "-")
    return (
        *counts,
        f"{median(errors):.2%}",
        f"{errors[min(len(errors) - 1, int(0.9 * len(errors)))]:.2%}",
        _inside(answered),
    )


def _inside(rows: list[ValidationRow]) -> str:
    """How many published figures lie between P10 and P90."""
    known = [(row.low, row.published, row.high) for row in rows]
    ranged = [(low, at, high) for low, at, high in known if low is not None and at is not None and high is not None]
    inside = sum(low <= at <= high for low, at, high in ranged)
    return f"{inside / len(ranged):.0%} of {len(ranged)}" if ranged else "-"


def _verdicts(rows: list[ValidationRow]) -> str:
    """Verdicts on memory are right, wrong or undecided; an error in percent would say nothing."""
    pairs = [(row.predicted, row.published) for row in rows]
    tight = sum(said == 0.5 for said, _ in pairs)
    return f"{pairs.count((1, 0))} false yes, {pairs.count((0, 1))} false no, {tight} tight"


def _line(cells: tuple[str, ...]) -> str:
    widths = (44, 40, 6, 9, 13, 10, 16)
    first = "  ".join(cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True))
    rest = "  ".join(cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True))
    return f"{first}{rest}"
