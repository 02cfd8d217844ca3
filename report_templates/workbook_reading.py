"""A workbook of ours that comes back from a spreadsheet program: the scenarios with what was changed in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.drift_notices import drift_problem
from desktop_app.budget.project import Project, app_version
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.files import name_text, read_data
from desktop_app.foundation.problems import Problem, UserError
from pricing.catalogue import Catalogue
from pricing.importers.limits import MOST_BYTES
from report_templates.returned.cells import ReturnedCells, is_ours, names_are_ours
from report_templates.returned.changes import ScenarioCells
from report_templates.returned.records import InputChange
from report_templates.returned.structure import Found, find, label_of
from report_templates.returned.taking import freed, taken
from report_templates.returned.typed_over import changes_beside, typed_over, typed_over_elsewhere

SUFFIXES = (".xlsx", ".xlsm")
"""Endings of files that are taken for workbooks."""

Catalogues = Callable[[date], Catalogue]


@dataclass(frozen=True, slots=True)
class ReturnedWorkbook:
    """The scenarios of a workbook as they were exported and as they are now, and every difference between the two."""

    file: str
    original: Project
    scenarios: tuple[Scenario, ...]
    changes: tuple[InputChange, ...]
    moved: tuple[Problem | None, ...]  # of each scenario: a figure that its old inputs come to otherwise today
    notes: tuple[Problem, ...]  # sheets with calculated cells that were typed over

    @property
    def project(self) -> Project:
        """The document to open: the scenarios as they are now."""
        return Project(app_version=app_version(), scenarios=self.scenarios, notes=self.original.notes)

    @property
    def taken(self) -> int:
        """How many changes the scenarios have."""
        return sum(change.taken for change in self.changes)


def is_our_workbook(path: Path) -> bool:
    """Whether a file is a workbook that this program wrote; False too for one that cannot be read."""
    try:
        return is_ours(read_data(path, MOST_BYTES))
    except UserError:
        return False


def read_workbook(path: Path, catalogues: Catalogues) -> ReturnedWorkbook:
    """What a workbook says that was exported before. The file is not changed, and nothing in it is run.

    `catalogues` gives the prices of a day, by which changes are judged. Raises UserError for a file that cannot be
    read, is none of ours, was made by a newer program, or has lost what we know its cells by.
    """
    data, file = read_data(path, MOST_BYTES), name_text(path)
    found = find(ReturnedCells(data, file), names_are_ours(data))
    scenarios: list[Scenario] = []
    changes: list[InputChange] = []
    moved: list[Problem | None] = []
    for number, scenario in enumerate(found.project.scenarios):
        catalogue = catalogues(scenario.today)
        budget = _budget(scenario, catalogue)
        edited, differences = _edited(found, number, budget, catalogues)
        scenarios.append(edited)
        changes += differences
        moved.append(None if budget is None else _moved(budget, found, number))
    notes = tuple(typed_over_elsewhere(found, changes))
    changes += changes_beside(found)
    return ReturnedWorkbook(file, found.project, tuple(scenarios), tuple(changes), tuple(moved), notes)


def _budget(scenario: Scenario, catalogue: Catalogue) -> Budget | None:
    """The budget of a scenario as it was exported; None where the tables of today cannot compute it any more."""
    try:
        return make_budget(scenario, catalogue)
    except UserError:
        return None


def _moved(budget: Budget, found: Found, number: int) -> Problem | None:
    """A figure that the inputs come to otherwise than at export, though none of them was changed."""
    told = drift_problem(budget, found.project, number)
    return None if told is None else replace(told, key="problem.returned_moved")


def _edited(
    found: Found, number: int, budget: Budget | None, catalogues: Catalogues
) -> tuple[Scenario, list[InputChange]]:
    """One scenario with its changes, and every difference in its column."""
    original, cells = found.project.scenarios[number], ScenarioCells(found, number, budget)
    asked, refused = cells.changes()

    def check(scenario: Scenario) -> None:
        if budget is not None:
            make_budget(scenario, catalogues(scenario.today))

    edited, problems = taken(original, {one.choice: one.value for one in asked}, check)
    changes = [replace(one.change, problem=problems.get(one.choice)) for one in asked]
    held = {one.choice for one in asked} - problems.keys()
    for key, owner in freed(original, edited, held):
        problem = Problem("", "problem.returned_freed", {"name": label_of(owner)})
        changes += cells.unchanged(key, problem)
    return edited, [*changes, *refused, *typed_over(found, number, budget)]
