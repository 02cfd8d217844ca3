"""A workbook of ours that comes back from a spreadsheet program: the scenarios with what was changed in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.drift_notices import drift_problem
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.budget.project import Project, app_version
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.files import name_text, read_data
from desktop_app.foundation.problems import Problem, UserError
from pricing.catalogue import Catalogue
from pricing.importers.limits import MOST_BYTES
from report_templates.returned.cells import ReturnedCells, is_ours, names_are_ours
from report_templates.returned.changes import (
    InputChange,
    changes_beside,
    changes_of,
    typed_over_elsewhere,
    unchanged,
)
from report_templates.returned.structure import Found, find, label_of
from report_templates.returned.taking import freed, taken

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
    notes: tuple[Problem, ...]  # cells that were typed over, figures that come out otherwise today

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


def read_workbook(path: Path, catalogues: Catalogues = catalogue_on) -> ReturnedWorkbook:
    """What a workbook says that was exported before. The file is not changed, and nothing in it is run.

    `catalogues` gives the prices of a day, by which changes are judged. Raises UserError for a file that cannot be
    read, is none of ours, was made by a newer program, or has lost what we know its cells by.
    """
    data, file = read_data(path, MOST_BYTES), name_text(path)
    found = find(ReturnedCells(data, file), names_are_ours(data))
    scenarios: list[Scenario] = []
    changes: list[InputChange] = []
    notes: list[Problem] = []
    for number, scenario in enumerate(found.project.scenarios):
        catalogue = catalogues(scenario.today)
        budget = _budget(scenario, catalogue)
        edited, differences = _edited(found, number, budget, catalogues)
        scenarios.append(edited)
        changes += differences
        moved = None if budget is None else drift_problem(budget, found.project, number)
        notes += [] if moved is None else [moved]
    notes += typed_over_elsewhere(found, changes)
    changes += changes_beside(found)
    return ReturnedWorkbook(file, found.project, tuple(scenarios), tuple(changes), tuple(notes))


def _budget(scenario: Scenario, catalogue: Catalogue) -> Budget | None:
    """The budget of a scenario as it was exported; None where the tables of today cannot compute it any more."""
    try:
        return make_budget(scenario, catalogue)
    except UserError:
        return None


def _edited(
    found: Found, number: int, budget: Budget | None, catalogues: Catalogues
) -> tuple[Scenario, list[InputChange]]:
    """One scenario with its changes, and all of these in the order of the cells."""
    original = found.project.scenarios[number]
    asked, refused = changes_of(found, number, budget)

    def check(scenario: Scenario) -> None:
        if budget is not None:
            make_budget(scenario, catalogues(scenario.today))

    wanted = {one.choice: one.value for one in asked}
    edited, problems = taken(original, wanted, check)
    changes = [replace(one.change, problem=problems.get(one.choice)) for one in asked]
    held = {one.choice: one.change for one in asked if one.choice not in problems}
    return edited, [*changes, *_left_behind(found, number, edited, held, budget), *refused]


def _left_behind(
    found: Found, number: int, edited: Scenario, held: Mapping[str, InputChange], budget: Budget | None
) -> Iterator[InputChange]:
    """Cells that were left as they were, though what they say went with a change: the region of another provider."""
    for key, owner in freed(found.project.scenarios[number], edited, held):
        problem = Problem("", "problem.returned_freed", {"name": label_of(owner)})
        yield from unchanged(found, number, key, budget, problem)
