"""Which scenarios of a project a command is about, and their budgets."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.drift_notices import with_drift
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.budget.project import Project, fault_in_scenario
from desktop_app.budget.scenario import Scenario, choices, is_set
from desktop_app.cli.arguments import add_choices, file_path, scenario_of, stated
from desktop_app.cli.returned import Opened, open_document
from desktop_app.foundation.files import name_text
from desktop_app.foundation.problems import UserError, user_error
from desktop_app.foundation.records import replaced


def add_project_and_choices(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace], None]) -> None:
    """The flags of a command that starts from a project or from nothing."""
    parser.add_argument(
        "file", nargs="?", type=file_path, metavar="FILE", help="a project, or a workbook of ours, to start from"
    )
    parser.add_argument(
        "--scenario", metavar="NAME|N", help="which scenario of the project, by its name or number (default 1)"
    )
    add_choices(parser)
    parser.set_defaults(command=command)


@dataclass(frozen=True, slots=True)
class Asked:
    """A project, or none, and the scenario of it that the choices on the command line go to."""

    project: Project | None
    place: int  # of that scenario in the project, from 0
    opened: Opened | None = None  # how the project was read, with what is to be said of it

    @property
    def start(self) -> Scenario | None:
        """The scenario as it stands in the project; None where there is no project."""
        return self.project.scenarios[self.place] if self.project else None

    def told(self, budget: Budget, place: int) -> Budget:
        """The budget of a scenario, with what is to be said of the file that it comes from."""
        notices = self.opened.notices_of(place) if self.opened else ()
        return replace(budget, problems=(*notices, *budget.problems)) if notices else budget


def asked(arguments: argparse.Namespace) -> Asked:
    """What the arguments name. Raises UserError for a file that is no project, or a scenario that it does not have."""
    if not arguments.file:
        if arguments.scenario is not None:
            raise user_error("--scenario", "problem.scenario_without_project")
        return Asked(None, 0)
    opened = open_document(arguments.file)
    scenarios = opened.project.scenarios
    place = 0 if arguments.scenario is None else _place(scenarios, arguments.scenario)
    return Asked(opened.project, place, opened)


def base_budget(arguments: argparse.Namespace, found: Asked) -> Budget:
    """The budget of the scenario asked for, with the choices. What is wrong in the project is told with its name.

    Of a scenario that no choice changes, figures that were others when it was saved are told.
    """
    start, project = found.start, found.project
    scenario = scenario_of(arguments, start)
    try:
        budget = found.told(make_budget(scenario, catalogue_on(scenario.today)), found.place)
        return budget if project is None or scenario != start else with_drift(budget, project, found.place)
    except UserError as error:
        if start is None:
            raise
        typed, file = stated(arguments), name_text(arguments.file)
        ours = [problem.field in typed or problem.field not in choices() for problem in error.problems]
        told = [
            problem if here or not is_set(scenario, problem.field) else fault_in_scenario(problem, file, scenario.name)
            for problem, here in zip(error.problems, ours, strict=True)
        ]
        raise UserError(*told) from None


def further_budgets(arguments: argparse.Namespace, found: Asked) -> list[Budget]:
    """The budgets of all other scenarios of the project, as they stand there; --today holds for them too."""
    if found.project is None:
        return []
    others = [place for place in range(len(found.project.scenarios)) if place != found.place]
    return [found.told(_further(arguments, found.project, place), place) for place in others]


def _further(arguments: argparse.Namespace, project: Project, place: int) -> Budget:
    kept = project.scenarios[place]
    scenario = kept if arguments.today is None else replaced(kept, today=arguments.today.strip())
    try:
        budget = make_budget(scenario, catalogue_on(scenario.today))
    except UserError as error:
        file = name_text(arguments.file)
        raise UserError(*(fault_in_scenario(problem, file, kept.name) for problem in error.problems)) from None
    return with_drift(budget, project, place) if scenario == kept else budget


def _place(scenarios: Sequence[Scenario], text: str) -> int:
    """The place of the scenario of that name (in any capitals where that is clear) or number. Raises UserError."""
    wanted = text.strip()
    for spelled in (str, str.casefold):
        places = [place for place, scenario in enumerate(scenarios) if spelled(scenario.name) == spelled(wanted)]
        if len(places) == 1:
            return places[0]
        if places:
            numbers = ", ".join(str(place + 1) for place in places)
            raise user_error("--scenario", "problem.scenario_twice", text=wanted, names=numbers)
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(scenarios) and len(wanted) < 10:
        return int(wanted) - 1
    names = ", ".join(f"{place} {scenario.name}" for place, scenario in enumerate(scenarios, 1))
    raise user_error("--scenario", "problem.no_scenario", text=wanted, names=names)
