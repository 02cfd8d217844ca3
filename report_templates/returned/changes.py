"""What was changed in the inputs of one scenario, and what stands in the way of taking it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import choices
from desktop_app.foundation.problems import Problem, UserError
from report_templates.excel.embedded import Exported, ExportedScenario
from report_templates.excel.entries import EXPERT_SIZES, SIZES, TODAY
from report_templates.returned.cell_values import choice_value, is_empty, told_value
from report_templates.returned.cells import address, is_formula
from report_templates.returned.records import CHOICE_OF, NOT_STATED, Asked, InputChange, unit_of
from report_templates.returned.structure import Found, label_of, same

_REFERENCE = re.compile(r"[A-Z]\$?[0-9]")  # our own formulas read other cells; one without is what somebody typed


@dataclass(frozen=True, slots=True)
class ScenarioCells:
    """The column of one scenario on all sheets. `budget` is that of the scenario as it was exported, where known."""

    found: Found
    number: int
    budget: Budget | None

    @property
    def exported(self) -> ExportedScenario:
        """What was written."""
        return self.found.contents.scenarios[self.number]

    def changes(self) -> tuple[list[Asked], list[InputChange]]:
        """What the inputs ask for, and what cannot be."""
        asked: list[Asked] = []
        refused: list[InputChange] = []
        for key, old in (*self.exported.values.items(), *self.exported.computed.items()):
            result = self._judged(key, old)
            if isinstance(result, Asked):
                asked.append(result)
            elif result is not None:
                refused.append(result)
        return asked, refused

    def unchanged(self, key: str, problem: Problem) -> Iterator[InputChange]:
        """A cell that holds what it held, with why that does not count; nothing where the scenario has no such cell."""
        old = self.exported.values.get(key)
        if old is not None and not is_empty(key, old):
            yield replace(self._change(key, old, old), problem=problem)

    def _judged(self, key: str, old: Exported) -> Asked | InputChange | None:
        """What a cell asks for, or the change with what stands in its way; None where it says what it said."""
        cell, value = self._cell(key)
        if is_formula(cell):
            ours = key in self.exported.follows or key in self.exported.computed
            if ours and _REFERENCE.search(str(cell.value)):
                return None
            value = self._result(key)
            if value is None:
                return replace(self._change(key, old, cell.value), problem=Problem("", "problem.returned_formula"))
        if same(value, old) or (is_empty(key, value) and is_empty(key, old)):
            return None
        change = self._change(key, old, value)
        try:
            wanted = self._wanted(change, cell, value)
        except UserError as error:
            return replace(change, problem=error.problems[0])
        return None if wanted is not NOT_STATED and same(wanted, old) else Asked(change, _choice(key), wanted)

    def _wanted(self, change: InputChange, cell: Any, value: Any) -> Any:
        """The value for the choice of a row. Raises UserError where the row has none, or it cannot be that."""
        choice = _choice(change.key)
        if choice != TODAY and choice not in choices():
            raise UserError(self._no_choice(change.key))
        if is_empty(change.key, value):
            if choice == TODAY or not _may_be_unstated(choice):
                raise UserError(Problem("", "problem.returned_empty"))
            return NOT_STATED
        return choice_value(choice, value, _number_format(cell), change.unit)

    def _no_choice(self, key: str) -> Problem:
        """Why a row that is no choice cannot be taken, with the choice it follows from where there is one."""
        field = "model" if key in SIZES or key in EXPERT_SIZES else ""
        if self.budget is not None and key in self.budget.ledger:
            field = self.budget.ledger[key].field
        if field in choices():
            return Problem("", "problem.returned_follows", {"name": Problem("", f"field.{field}")})
        return Problem("", "problem.returned_no_choice")

    def _change(self, key: str, old: Exported, new: Any) -> InputChange:
        grid, row = self.found.places[key]
        return InputChange(
            scenario=self.number,
            key=key,
            label=label_of(key),
            unit=unit_of(key, self.budget),
            old=None if is_empty(key, old) else old,
            new=None if is_empty(key, new) else told_value(new),
            place=f"{grid.sheet.title}!{address(row, grid.columns[self.number])}",
        )

    def _cell(self, key: str) -> tuple[Any, Any]:
        grid, row = self.found.places[key]
        cell = grid.sheet.cell(row, grid.columns[self.number])
        return cell, None if cell is None else cell.value

    def _result(self, key: str) -> Any:
        grid, row = self.found.places[key]
        return self.found.cells.result(grid.sheet.title, row, grid.columns[self.number])


def _choice(key: str) -> str:
    return CHOICE_OF.get(key, key)


def _may_be_unstated(choice: str) -> bool:
    return type(None) in get_args(choices()[choice][1].annotation)


def _number_format(cell: Any) -> str:
    try:
        return str(cell.number_format)
    except (IndexError, KeyError, AttributeError):  # a style that the file does not have
        return ""
