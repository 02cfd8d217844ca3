"""What was changed in a workbook: every input cell that is another one now, and what stands in the way of taking it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final, get_args

from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import choices
from desktop_app.budget.typed_choices import typed_value
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.problems import Problem, UserError, shown
from desktop_app.foundation.records import meta_of
from desktop_app.foundation.wording import LANGUAGES, words_of
from report_templates.excel.entries import EXPERT_SIZES, MFU, SIZES, START, TODAY
from report_templates.returned.cells import address, is_formula
from report_templates.returned.structure import Found, GridFound, label_of, same
from report_templates.settings_shown import empty_words

NOT_STATED: Final = object()
"""What is asked for by a cell that says nothing."""

CHOICE_OF: Mapping[str, str] = {MFU: "mfu"}
"""Rows whose key is not that of their choice."""

Shown = float | int | str | None


@dataclass(frozen=True, slots=True)
class InputChange:
    """One cell that is another one than at export. `scenario` counts from 0; None is "not stated".

    `problem` says why it is not taken; None where it is.
    """

    scenario: int
    key: str
    old: Shown
    new: Shown
    place: str  # "Inputs!E50"
    unit: str
    problem: Problem | None = None
    label: str | Problem = ""

    @property
    def taken(self) -> bool:
        """Whether the scenario has it."""
        return self.problem is None


@dataclass(frozen=True, slots=True)
class Asked:
    """A change and the value that its choice is to have, or NOT_STATED."""

    change: InputChange
    choice: str
    value: Any


def changes_of(found: Found, number: int, budget: Budget | None) -> tuple[list[Asked], list[InputChange]]:
    """What is asked for one scenario, and what cannot be. `budget` is that of the scenario as it was exported."""
    exported = found.contents.scenarios[number]
    asked: list[Asked] = []
    refused: list[InputChange] = []
    for key in (*exported.values, *exported.computed):
        grid, row = found.places[key]
        change = _change(found, grid, row, number, key, budget)
        if change is None:
            continue
        result = _judged(found, grid, row, number, change, budget)
        if isinstance(result, Asked):
            asked.append(result)
        elif result is not None:
            refused.append(result)
    refused += _typed_over(found, number, budget)
    return asked, refused


def unchanged(found: Found, number: int, key: str, budget: Budget | None, problem: Problem) -> Iterator[InputChange]:
    """A cell that holds what it held, with why that does not count; nothing where the scenario has no such cell."""
    old = found.contents.scenarios[number].values.get(key)
    if old is not None and not _is_empty(key, old):
        grid, row = found.places[key]
        place = f"{grid.sheet.title}!{address(row, grid.columns[number])}"
        yield InputChange(number, key, old, old, place, _unit(key, budget), problem, label_of(key))


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


def changes_beside(found: Found) -> Iterator[InputChange]:
    """Open cells outside the grid that are others now: the program has no input for them."""
    for sheet in found.cells.sheets:
        cells = found.contents.beside.get(sheet.title, {})
        rows = {sheet.text(row, 2): row for row in range(len(sheet.rows))}
        for name, old in cells.items():
            letters, _, label = name.partition("|")
            row = rows.get(label)
            column = _column(letters)
            if row is None or column is None or same(sheet.value(row, column), old):
                continue
            problem = Problem("", "problem.returned_beside")
            place = f"{sheet.title}!{address(row, column)}"
            yield InputChange(0, name, old, _shown(sheet.value(row, column)), place, "", problem, label)


def is_optional(choice: str) -> bool:
    """Whether a choice may be left unstated."""
    return type(None) in get_args(choices()[choice][1].annotation)


# ---- one cell


def _change(
    found: Found, grid: GridFound, row: int, number: int, key: str, budget: Budget | None
) -> InputChange | None:
    """The change of a cell; None where it holds what it held."""
    exported, column = found.contents.scenarios[number], grid.columns[number]
    cell, value = grid.sheet.cell(row, column), grid.sheet.value(row, column)
    old = exported.values.get(key, exported.computed.get(key))
    assert old is not None, "the key is one of the two"
    if is_formula(cell):
        if key in exported.follows or key in exported.computed:
            return None
        value = found.cells.result(grid.sheet.title, row, column)
    elif same(value, old):
        return None
    old_is_empty, new_is_empty = _is_empty(key, old), _is_empty(key, value)
    if (old_is_empty and new_is_empty and not is_formula(cell)) or (is_formula(cell) and same(value, old)):
        return None
    place = f"{grid.sheet.title}!{address(row, column)}"
    new = None if new_is_empty else _shown(value)
    return InputChange(number, key, None if old_is_empty else old, new, place, _unit(key, budget), None, label_of(key))


def _judged(
    found: Found, grid: GridFound, row: int, number: int, change: InputChange, budget: Budget | None
) -> Asked | InputChange | None:
    """What a change asks for, or the change with what stands in its way; None where it says the same in other words."""
    key, column = change.key, grid.columns[number]
    cell, value = grid.sheet.cell(row, column), grid.sheet.value(row, column)
    if is_formula(cell):
        value = found.cells.result(grid.sheet.title, row, column)
        if value is None:
            return replace(change, problem=Problem("", "problem.returned_formula"))
    choice = CHOICE_OF.get(key, key)
    if choice != TODAY and choice not in choices():
        return replace(change, problem=_no_choice(key, budget))
    if _is_empty(key, value):
        if choice == TODAY or not is_optional(choice):
            return replace(change, problem=Problem("", "problem.returned_empty"))
        return Asked(change, choice, NOT_STATED)
    if change.unit == "percent" and isinstance(value, float | int) and "%" in _number_format(cell):
        values: dict[str, str | float | Problem] = {"value": float(value), "percent": f"{plain(value * 100)}"}
        return replace(change, problem=Problem("", "problem.returned_percent", values))
    try:
        wanted = _value(choice, value)
    except UserError as error:
        return replace(change, problem=error.problems[0])
    if change.old is not None and same(wanted, change.old):
        return None
    return Asked(change, choice, wanted)


def _value(choice: str, value: Any) -> Any:
    """The value of a cell as its choice takes it. Raises UserError for a kind that the choice has no use for."""
    if choice in (TODAY, START):
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else _text(value)
    kinds = get_args(choices()[choice][1].annotation) or (choices()[choice][1].annotation,)
    is_number = bool not in kinds and (int in kinds or float in kinds)
    if isinstance(value, str):
        return typed_value(choice, value.strip())
    if not is_number:
        return value if isinstance(value, bool) else typed_value(choice, _text(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UserError(Problem(choice, "problem.not_a_number", {"text": _text(value), "name": choice}))
    return int(value) if int in kinds and float(value).is_integer() else value


def _no_choice(key: str, budget: Budget | None) -> Problem:
    """Why a row that is no choice cannot be taken, with the choice it follows from where there is one."""
    field = "model" if key in SIZES or key in EXPERT_SIZES else ""
    if budget is not None and key in budget.ledger:
        field = budget.ledger[key].field
    if field in choices():
        return Problem("", "problem.returned_follows", {"name": Problem("", f"field.{field}")})
    return Problem("", "problem.returned_no_choice")


def _typed_over(found: Found, number: int, budget: Budget | None) -> Iterator[InputChange]:
    """Cells in the column of a scenario that were calculated, predicted or empty, and hold something else now."""
    exported = found.contents.scenarios[number]
    known = _known_keys(found, budget)
    for grid in found.grids:
        for key, row in grid.rows:
            line = key.split("/")[0]
            if key in exported.values or key in exported.computed or line not in known:
                continue
            cell = grid.sheet.cell(row, grid.columns[number])
            value = None if cell is None else cell.value
            old = exported.engine.get(key)
            if is_formula(cell) or value in (None, "") or (old is not None and same(value, old)):
                continue
            place = f"{grid.sheet.title}!{address(row, grid.columns[number])}"
            problem = Problem("", "problem.returned_calculated")
            yield InputChange(number, key, old, _shown(value), place, _unit(line, budget), problem, label_of(line))


def _known_keys(found: Found, budget: Budget | None) -> set[str]:
    """Keys of rows that we wrote: others are remarks that somebody put below."""
    known: set[str] = set() if budget is None else {line.key for line in budget.ledger}
    for scenario in found.contents.scenarios:
        known.update(scenario.values, scenario.computed, scenario.engine)
    return known


# ---- values


def _is_empty(key: str, value: Any) -> bool:
    """Whether a cell says nothing, or in the words of either language that nothing is stated."""
    if value is None:
        return True
    return isinstance(value, str) and " ".join(value.split()).casefold() in _empty_words(key)


@lru_cache(maxsize=512)
def _empty_words(key: str) -> frozenset[str]:
    told = {""}
    for language in LANGUAGES:
        words = words_of(language)
        told |= {words("state.not_known"), words("line.not_priced"), words("state.never_finishes")}
        told.add(empty_words(key, words))
    return frozenset(text.casefold() for text in told)


def _shown(value: Any) -> Shown:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, int | float):
        return value
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        value = value.date() if value.time() == datetime.min.time() else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return shown(value.isoformat(" ") if isinstance(value, datetime) else value, 200)


def _unit(key: str, budget: Budget | None) -> str:
    choice = CHOICE_OF.get(key, key)
    if choice in choices():
        return meta_of(choices()[choice][1]).unit
    return budget.ledger[key].unit if budget is not None and key in budget.ledger else ""


def _number_format(cell: Any) -> str:
    try:
        return str(cell.number_format)
    except (IndexError, KeyError, AttributeError):  # a style that the file does not have
        return ""


def _column(letters: str) -> int | None:
    from openpyxl.utils import column_index_from_string

    try:
        return column_index_from_string(letters) - 1
    except ValueError:
        return None
