"""Workbooks of ours on the command line: wherever a project is taken, and in `import`, which tells what was changed."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.budget.project import Project, open_project
from desktop_app.cli.output import answer, json_text
from desktop_app.foundation.files import name_text
from desktop_app.foundation.problems import Problem, user_error
from desktop_app.foundation.wording import Words

if TYPE_CHECKING:
    from report_templates.returned.records import InputChange
    from report_templates.workbook_reading import ReturnedWorkbook

_ENDINGS = (".xlsx", ".xlsm", ".xls")  # an old or encrypted workbook is refused as a workbook
_FLAGS = ("--take", "--accept-doubtful", "--provider", "--sheet", "--map", "--currency", "--purchase", "--price-per")
"""Flags of `import` that say how a price sheet is read."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A project, whatever it was read from, and what is to be said of each scenario beside its figures."""

    project: Project
    notices: tuple[tuple[Problem, ...], ...] = ()

    def notices_of(self, scenario: int) -> tuple[Problem, ...]:
        """What is to be said of one scenario."""
        return self.notices[scenario] if self.notices else ()


def open_document(path: Path) -> Opened:
    """The project in a file: our own, or a workbook of ours with what was changed in it. Raises UserError."""
    if path.suffix.lower() not in _ENDINGS:
        return Opened(open_project(path))
    from report_templates.returned.telling import notices
    from report_templates.workbook_reading import read_workbook

    returned = read_workbook(path, catalogue_on)
    scenarios = range(len(returned.scenarios))
    return Opened(returned.project, tuple(notices(returned, number) for number in scenarios))


def tell_changes(arguments: argparse.Namespace, words: Words) -> bool:
    """Print what was changed in a workbook of ours; False for any other file, of which nothing is said.

    Raises UserError for flags of price sheets, and for a workbook that cannot be taken back.
    """
    path: Path = arguments.file
    if path.suffix.lower() not in _ENDINGS:
        return False
    from report_templates.workbook_reading import is_our_workbook, read_workbook

    if not is_our_workbook(path):
        return False
    stated = [flag for flag in _FLAGS if getattr(arguments, flag.removeprefix("--").replace("-", "_"))]
    if stated:
        raise user_error(stated[0], "problem.flag_of_price_sheets", file=name_text(path))
    returned = read_workbook(path, catalogue_on)
    answer(json_text(_as_json(returned, words)) if arguments.json else _as_text(returned, words))
    return True


def _as_text(returned: ReturnedWorkbook, words: Words) -> str:
    """A line for each change, and what else is to be said."""
    from report_templates.returned.telling import notes_of, told

    lines = [words("returned.head", file=returned.file, count=len(returned.scenarios))]
    for change in returned.changes:
        shown = told(change, returned.scenarios, words)
        values = {"scenario": shown.scenario, "name": shown.name, "place": shown.place}
        key = "returned.changed" if change.taken else "returned.not_taken"
        lines.append(words(key, **values, old=shown.old, new=shown.new, message=shown.why_not))
    lines += map(words.sentence, notes_of(returned))
    return "\n".join(lines if len(lines) > 1 else [*lines, words("returned.nothing")])


def _as_json(returned: ReturnedWorkbook, words: Words) -> dict[str, Any]:
    from report_templates.returned.telling import notes_of

    return {
        "file": returned.file,
        "kind": "budget_workbook",
        "scenarios": [scenario.name for scenario in returned.scenarios],
        "taken": returned.taken,
        "changes": [_row(change, returned, words) for change in returned.changes],
        "notes": [words.sentence(note) for note in notes_of(returned)],
    }


def _row(change: InputChange, returned: ReturnedWorkbook, words: Words) -> dict[str, Any]:
    from report_templates.returned.telling import told

    shown = told(change, returned.scenarios, words)
    return {
        "scenario": change.scenario + 1, "name": returned.scenarios[change.scenario].name, "key": change.key,
        "label": shown.name, "cell": change.place, "old": change.old, "new": change.new, "taken": change.taken,
        "reason": None if change.problem is None else change.problem.key.partition(".")[2],
        "message": shown.why_not or None,
    }  # fmt: skip
