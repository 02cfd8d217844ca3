"""Cells that are no inputs and were changed all the same: they are told, for nothing of them can be taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from desktop_app.budget.budget import Budget
from desktop_app.foundation.problems import Problem
from report_templates.excel.cells import column_number
from report_templates.returned.cell_values import told_value
from report_templates.returned.cells import address, is_formula
from report_templates.returned.records import CALCULATED, InputChange, unit_of
from report_templates.returned.structure import Found, label_of, same

_LABELS = 2  # index of the column that names the rows of a sheet outside the grid


def typed_over(found: Found, number: int, budget: Budget | None) -> Iterator[InputChange]:
    """Cells in the column of a scenario that were calculated, predicted or empty, and hold something else now."""
    exported = found.contents.scenarios[number]
    known = _known_keys(found, budget)
    for grid in found.grids:
        for key, row in grid.rows:
            line = key.split("/")[0]
            if key in exported.values or key in exported.computed or line not in known:
                continue
            cell = grid.sheet.cell(row, grid.columns[number])
            value, old = None if cell is None else cell.value, exported.engine.get(key)
            if is_formula(cell) or value in (None, "") or (old is not None and same(value, old)):
                continue
            yield InputChange(
                scenario=number,
                key=key,
                label=label_of(line),
                unit=unit_of(line, budget),
                old=old,
                new=told_value(value),
                place=f"{grid.sheet.title}!{address(row, grid.columns[number])}",
                problem=Problem("", CALCULATED),
            )


def typed_over_elsewhere(found: Found, changes: Sequence[InputChange]) -> Iterator[Problem]:
    """Sheets on which more cells hold no formula any more than `changes` tell one by one."""
    told = Counter(change.place.rpartition("!")[0] for change in changes if _lost_formula(found, change))
    new = _new_formulas(found)
    for sheet in found.cells.sheets:
        written = found.contents.formulas.get(sheet.title, 0)
        there = sum(is_formula(cell) for row in sheet.rows for cell in row)
        lost = written - (there - new[sheet.title]) - told[sheet.title]
        if lost > 0:
            yield Problem("", "problem.returned_typed_over", {"sheet": sheet.title, "count": lost}, "warning")


def changes_beside(found: Found) -> Iterator[InputChange]:
    """Open cells outside the grid that are others now: the program has no input for them."""
    for sheet in found.cells.sheets:
        cells = found.contents.beside.get(sheet.title, {})
        rows = {sheet.text(row, _LABELS): row for row in range(len(sheet.rows))} if cells else {}
        for name, old in cells.items():
            letters, _, label = name.partition("|")
            row, column = rows.get(label), _column(letters)
            if row is not None and column is not None and not same(sheet.value(row, column), old):
                place, new = f"{sheet.title}!{address(row, column)}", told_value(sheet.value(row, column))
                problem = Problem("", "problem.returned_beside")
                yield InputChange(0, name, label, "", old, new, place, problem)


def _known_keys(found: Found, budget: Budget | None) -> set[str]:
    """Keys of rows that we wrote: others are remarks that somebody put below."""
    known: set[str] = set() if budget is None else {line.key for line in budget.ledger}
    for scenario in found.contents.scenarios:
        known.update(scenario.values, scenario.computed, scenario.engine)
    return known


def _lost_formula(found: Found, change: InputChange) -> bool:
    """Whether the cell of a change had a formula when it was written."""
    exported = found.contents.scenarios[change.scenario]
    return change.key in exported.follows or change.key not in {**exported.values, **exported.engine}


def _new_formulas(found: Found) -> Counter[str]:
    """How many inputs of each sheet hold a formula that somebody typed."""
    return Counter(
        grid.sheet.title
        for number, exported in enumerate(found.contents.scenarios)
        for key, (grid, row) in found.places.items()
        if key in exported.values and key not in exported.follows
        if is_formula(grid.sheet.cell(row, grid.columns[number]))
    )


def _column(letters: str) -> int | None:
    try:
        return column_number(letters) - 1
    except ValueError:  # a forged text names a column that no sheet has
        return None
