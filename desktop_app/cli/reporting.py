"""`report`: one dossier of all scenarios, handed to every document that was asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import load_organisation, organisation_or_fault, organisation_path
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.cli.arguments import model_file
from desktop_app.cli.output import complain, mention
from desktop_app.cli.projects import Asked, asked, base_budget, further_budgets
from desktop_app.foundation.files import check_targets, path_text
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.wording import words_of


@dataclass
class Report:
    """What the documents are made of; computed when the first of them needs it."""

    arguments: argparse.Namespace
    found: Asked
    base: Budget
    organisation: Organisation

    @cached_property
    def dossier(self) -> Dossier:
        """The dossier of the scenario asked for, first, and all others of the project. Raises UserError."""
        budgets = [self.base, *further_budgets(self.arguments, self.found)]
        notes = self.found.project.notes if self.found.project else ""
        for budget in budgets[1:]:
            if budget.currency != self.base.currency:
                values: dict[str, str | float | Problem] = {
                    "scenario": budget.scenario.name, "own": budget.currency, "currency": self.base.currency,
                }  # fmt: skip
                complain(words_of("en").sentence(Problem("", "problem.shown_in_currency", values)))
        return make_dossier(budgets, catalogue_on(self.base.scenario.today), self.organisation, notes)


def run_report(arguments: argparse.Namespace) -> None:
    """Write the documents and print their names. Raises UserError, which names those that were written before."""
    targets: Mapping[str, Path] = {kind: path for kind in _WRITERS if (path := getattr(arguments, kind)) is not None}
    if not targets:
        raise user_error("", "problem.nothing_to_write")
    if arguments.form is not None and arguments.pdf is None:
        raise user_error("--form", "problem.form_without_pdf")
    read = (arguments.file, model_file(arguments), arguments.organisation or organisation_path())
    check_targets(list(targets.values()), [path for path in read if path])
    found = asked(arguments)
    organisation, faults = _organisation(arguments)
    report = Report(arguments, found, base_budget(arguments, found), organisation)
    written: list[str] = []
    for kind, path in targets.items():
        try:
            _WRITERS[kind](report, path)
        except UserError as error:
            if not written:
                raise
            before = Problem("", "problem.already_written", {"files": ", ".join(written)})
            raise UserError(*error.problems, before) from None
        written.append(path_text(path))
    mention("\n".join(written))
    if faults:
        complain(" ".join(words_of("en").sentence(problem) for problem in faults))


def _organisation(arguments: argparse.Namespace) -> tuple[Organisation, tuple[Problem, ...]]:
    """The profile to print, and what is to be said of it. Raises UserError where a file was stated and is none."""
    if arguments.no_organisation:
        return Organisation(), ()
    if arguments.organisation is not None:
        return load_organisation(arguments.organisation), ()
    return organisation_or_fault()


def _write_xlsx(report: Report, path: Path) -> None:
    from report_templates.workbook import write_workbook

    write_workbook(report.dossier, path, report.arguments.language)


def _write_pdf(report: Report, path: Path) -> None:
    from report_templates.proposal import write_proposal

    arguments = report.arguments
    write_proposal(report.dossier, path, arguments.language, arguments.paper, arguments.form or "proposal")


def _write_csv(report: Report, path: Path) -> None:
    from report_templates.tidy_csv import write_tidy

    write_tidy(report.dossier, path, report.arguments.language)


def _write_card(report: Report, path: Path) -> None:
    from report_templates.model_card import write_card

    write_card(report.dossier, path, report.arguments.language)


def _write_focus(report: Report, path: Path) -> None:
    from report_templates.focus_csv import write_focus

    write_focus(report.dossier, path, report.arguments.language)


_WRITERS: Final[dict[str, Callable[[Report, Path], Any]]] = {
    "xlsx": _write_xlsx,
    "pdf": _write_pdf,
    "csv": _write_csv,
    "card": _write_card,
    "focus": _write_focus,
}
