"""Where every line of the ledgers stands: one row a line and one column a case, on all sheets alike.

Scenarios come first, then five columns of text, then the other cases, then what the inputs were at export. A formula
only reads cells of its own column, so the formula of a row is the same in every column. Where two scenarios compute a
line in different ways (a spot run is interrupted, a contract is paid in terms), each way has a row of its own, filled
in its columns only, and the row of the line takes the one that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from desktop_app.budget.ledger import Group, Line
from desktop_app.foundation.expression import Expression
from report_templates.excel.cases import CASE_KEYS, Case
from report_templates.excel.cells import column_letters, quoted_sheet

GridSheet = Literal["inputs", "prices", "power", "compute", "memory", "cost"]
TextColumn = Literal["origin", "how", "as_of", "changed", "key"]
RowKind = Literal["band", "entry", "line", "variant", "case"]
TEXTS: tuple[TextColumn, ...] = ("origin", "how", "as_of", "changed", "key")
HEADER_ROW = 4  # title, note, a gap, and then the header
_FIRST_COLUMN = 5  # E; left of it stand the margin, the kind, the item and the unit
_SHEETS: dict[Group, GridSheet] = {
    "job": "inputs",
    "model": "inputs",
    "cluster": "inputs",
    "memory": "memory",
    "speed": "compute",
    "run": "compute",
    "price": "prices",
    "power": "power",
    "cost": "cost",
    "energy": "power",
    "carbon": "power",
    "driver": "compute",
    "range": "compute",
}
_CALCULATED: tuple[GridSheet, ...] = ("compute", "cost")  # what is given there stands on Inputs


@dataclass(frozen=True, slots=True)
class Planned:
    """One row of a grid sheet. `number` counts the variants of a line."""

    kind: RowKind
    key: str
    row: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Variant:
    """One way in which a line is computed, and the columns that compute it so."""

    expression: Expression
    cases: tuple[int, ...]


class Grid:
    """The plan, made before anything is written, because formulas read rows of other sheets."""

    def __init__(self, cases: Sequence[Case], entries: Sequence[str], title_of: Callable[[str], str]) -> None:
        """`entries` are the rows of Inputs that no formula reads; `title_of` gives the title of a sheet."""
        self.cases = tuple(cases)
        self.scenarios = sum(case.kind == "scenario" for case in cases)
        self.plans: dict[GridSheet, tuple[Planned, ...]] = {}
        self._title_of = title_of
        self._places: dict[str, tuple[GridSheet, int]] = {}
        self._lines = {key: self._line_of(key) for key in _merged([case.budget.ledger.lines for case in cases])}
        self._variants = {key: self._variants_of(key) for key in self._lines}
        for sheet in (*_CALCULATED, "inputs", "prices", "power", "memory"):
            self._plan(sheet, entries if sheet == "inputs" else ())

    # ---- columns

    def column(self, case: int) -> str:
        """The letters of the column of a case."""
        beyond = len(TEXTS) if case >= self.scenarios else 0
        return column_letters(_FIRST_COLUMN + case + beyond)

    def text_column(self, name: TextColumn) -> str:
        """The letters of one of the columns of text."""
        return column_letters(_FIRST_COLUMN + self.scenarios + TEXTS.index(name))

    def exported_column(self, case: int) -> str:
        """The letters of the column that keeps what a scenario's input was at export."""
        return column_letters(_FIRST_COLUMN + len(self.cases) + len(TEXTS) + 1 + case)

    # ---- rows

    def line(self, key: str) -> Line:
        """The line of a row, as the first column that has it says it."""
        return self._lines[key]

    def variants(self, key: str) -> tuple[Variant, ...]:
        """The ways in which a line is computed; one or none in most rows."""
        return self._variants.get(key, ())

    def row(self, key: str) -> int:
        """The row of a line, a choice or a case factor."""
        return self._places[key][1]

    def sheet(self, key: str) -> GridSheet:
        """The sheet that a row stands on."""
        return self._places[key][0]

    def title(self, key: str) -> str:
        """The title of that sheet."""
        return self._title_of(self.sheet(key))

    def address(self, key: str, case: int) -> str:
        """The address of a cell on its own sheet."""
        return f"{self.column(case)}{self.row(key)}"

    def cell(self, sheet: str, key: str, case: int, fixed: bool = False) -> str:
        """The address of a cell as a formula on the sheet called `sheet` writes it."""
        address, title = self.address(key, case), self.title(key)
        address = f"${address}" if fixed else address
        return address if title == sheet else f"{quoted_sheet(title)}!{address}"

    def __contains__(self, key: object) -> bool:
        """Whether there is such a row."""
        return key in self._places

    # ---- the plan

    def _plan(self, sheet: GridSheet, entries: Sequence[str]) -> None:
        rows: list[Planned] = []

        def add(kind: RowKind, key: str, number: int = 0) -> None:
            rows.append(Planned(kind, key, HEADER_ROW + 1 + len(rows), number))

        if entries:
            add("band", "choices")
            for key in entries:
                add("entry", key)
        group = ""
        for key, line in self._lines.items():
            if self._sheet_of(line) != sheet:
                continue
            if line.group != group:
                group = line.group
                add("band", group)
            if len(self._variants[key]) > 1:
                for number in range(len(self._variants[key])):
                    add("variant", key, number)
            add("line", key)
        if entries:
            add("band", "cases")
            for key in CASE_KEYS:
                add("case", key)
        self.plans[sheet] = tuple(rows)
        self._places.update((row.key, (sheet, row.row)) for row in rows if row.kind not in ("band", "variant"))

    def _sheet_of(self, line: Line) -> GridSheet:
        sheet = _SHEETS[line.group]
        return "inputs" if sheet in _CALCULATED and self._is_given(line.key) else sheet

    def _is_given(self, key: str) -> bool:
        """Whether any column has the line without a formula."""
        return any(case.has(key) and case.budget.ledger[key].expression is None for case in self.cases)

    def _line_of(self, key: str) -> Line:
        return next(case.budget.ledger[key] for case in self.cases if key in case.budget.ledger)

    def _variants_of(self, key: str) -> tuple[Variant, ...]:
        found: list[tuple[Expression, list[int]]] = []
        for index, case in enumerate(self.cases):
            expression = case.budget.ledger[key].expression if case.has(key) else None
            if expression is None:
                continue
            known = next((cases for other, cases in found if other is expression or other == expression), None)
            if known is None:
                found.append((expression, [index]))
            else:
                known.append(index)
        return tuple(Variant(expression, tuple(cases)) for expression, cases in found)


def _merged(ledgers: Iterable[Sequence[Line]]) -> list[str]:
    """The keys of all ledgers in one order that keeps the order of each: a new key goes behind the one before it."""
    keys: list[str] = []
    known: set[str] = set()
    for lines in ledgers:
        before = -1
        if known.issuperset(line.key for line in lines):
            continue
        for line in lines:
            if line.key in known:
                before = keys.index(line.key)
            else:
                before += 1
                keys.insert(before, line.key)
                known.add(line.key)
    return keys
