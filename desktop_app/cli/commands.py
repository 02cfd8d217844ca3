"""The sub-commands: each reads its arguments, asks the rooms below and prints."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.drift_notices import with_drift
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.budget.project import fault_in_scenario, new_project, open_project, save_project
from desktop_app.budget.scenario import choices, is_set
from desktop_app.cli.arguments import Parser, add_choices, file_path, model_file, scenario_of, stated
from desktop_app.cli.output import answer, json_text, mention
from desktop_app.cli.own_prices import add_book, add_import
from desktop_app.foundation.files import check_targets, name_text, path_text
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.wording import LANGUAGES, words_of
from pricing.records import PurchaseCode

PAPERS = ("a4", "letter")


def run(argv: list[str]) -> None:
    """Parse `argv` and run its command. Raises UserError for bad input."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], None] = arguments.command
    command(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="training-budget",
        description="What training a large language model costs. Without arguments the window opens; "
        "FILE.tbudget opens the window on a project.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    estimate = commands.add_parser("estimate", help="the figures of one scenario")
    _add_project_and_choices(estimate, _estimate)
    estimate.add_argument("--json", action="store_true", help="print one JSON object")

    compare = commands.add_parser("compare", help="the same job bought in every way, or in every place")
    compare.add_argument("by", type=str.lower, choices=("purchases", "places"))
    _add_project_and_choices(compare, _compare)
    compare.add_argument("--json", action="store_true", help="print a list of JSON objects")

    report = commands.add_parser("report", help="the Excel budget, the PDF proposal and the cost lines as CSV")
    _add_project_and_choices(report, _report)
    report.add_argument("--xlsx", type=file_path, metavar="FILE")
    report.add_argument("--pdf", type=file_path, metavar="FILE")
    report.add_argument("--csv", type=file_path, metavar="FILE")
    report.add_argument("--language", type=str.lower, choices=LANGUAGES, default="en")
    report.add_argument("--paper", type=str.lower, choices=PAPERS, default="a4")

    new = commands.add_parser("new", help="write a project file")
    new.add_argument("file", type=file_path, metavar="FILE.tbudget")
    add_choices(new)
    new.set_defaults(command=_new)

    catalog = commands.add_parser("catalog", help="what the tables hold")
    catalog.add_argument("table", type=str.lower, choices=("models", "gpus", "prices", "regions", "grids"))
    catalog.add_argument("--gpu", metavar="NAME")
    catalog.add_argument("--provider", metavar="NAME")
    catalog.add_argument("--region", metavar="NAME")
    catalog.add_argument("--purchase", type=str.lower, choices=get_args(PurchaseCode))
    catalog.add_argument("--json", action="store_true", help="print a list of JSON objects")
    catalog.set_defaults(command=_catalog)

    add_import(commands)
    add_book(commands)

    validate = commands.add_parser("validate", help="predicted against published")
    validate.add_argument("folder", type=file_path, metavar="DIR")
    validate.add_argument("--out", type=file_path, metavar="ROWS.csv", help="one row per case and quantity")
    validate.set_defaults(command=_validate)
    return parser


def _add_project_and_choices(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace], None]) -> None:
    parser.add_argument("file", nargs="?", type=file_path, metavar="FILE.tbudget", help="a project to start from")
    add_choices(parser)
    parser.set_defaults(command=command)


def _budget(arguments: argparse.Namespace) -> Budget:
    """The budget of the project and the choices. What is wrong in the project is told with its name.

    Of a project that no choice changes, figures that were others when it was saved are told.
    """
    project = open_project(arguments.file) if arguments.file else None
    start = project.scenarios[0] if project else None
    scenario = scenario_of(arguments, start)
    try:
        budget = make_budget(scenario, catalogue_on(scenario.today))
        return budget if project is None or scenario != start else with_drift(budget, project)
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


def _estimate(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.answers import estimate_answer
    from desktop_app.cli.figures import figures_text

    budget = _budget(arguments)
    words = words_of("en")
    answer(json_text(estimate_answer(budget, words)) if arguments.json else figures_text(budget, words))


def _compare(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.comparing import comparison
    from desktop_app.cli.listing import table_text

    budget = _budget(arguments)
    rows = comparison(arguments.by, budget, catalogue_on(budget.scenario.today), words_of("en"))
    answer(json_text(rows) if arguments.json else table_text(rows))


def _report(arguments: argparse.Namespace) -> None:
    targets = {kind: path for kind in ("xlsx", "pdf", "csv") if (path := getattr(arguments, kind)) is not None}
    if not targets:
        raise user_error("", "problem.nothing_to_write")
    check_targets(list(targets.values()), [path for path in (arguments.file, model_file(arguments)) if path])
    budget = _budget(arguments)
    written: list[str] = []
    for kind, path in targets.items():
        try:
            _WRITERS[kind](budget, path, arguments)
        except UserError as error:
            if not written:
                raise
            before = Problem("", "problem.already_written", {"files": ", ".join(written)})
            raise UserError(*error.problems, before) from None
        written.append(path_text(path))
    mention("\n".join(written))


def _write_xlsx(budget: Budget, path: Path, arguments: argparse.Namespace) -> None:
    from report_templates.workbook import write_workbook

    write_workbook(budget, path, arguments.language)


def _write_pdf(budget: Budget, path: Path, arguments: argparse.Namespace) -> None:
    from report_templates.proposal import write_proposal

    write_proposal(budget, path, arguments.language, arguments.paper)


def _write_csv(budget: Budget, path: Path, arguments: argparse.Namespace) -> None:
    from report_templates.cost_lines_csv import write_cost_lines

    write_cost_lines(budget, path, arguments.language)


_WRITERS: Final = {"xlsx": _write_xlsx, "pdf": _write_pdf, "csv": _write_csv}


def _new(arguments: argparse.Namespace) -> None:
    if os.path.lexists(arguments.file):
        raise user_error("", "problem.file_exists", file=name_text(arguments.file))
    scenario = scenario_of(arguments, None)
    save_project(new_project([make_budget(scenario, catalogue_on(scenario.today))]), arguments.file)
    mention(path_text(arguments.file))


def _catalog(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.listing import listing, table_text

    rows = listing(arguments.table, arguments.gpu, arguments.provider, arguments.region, arguments.purchase)
    answer(json_text(rows) if arguments.json else table_text(rows))


def _validate(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.validating import summary_text, tables_in, validate_tables, write_rows

    tables = tables_in(arguments.folder)
    if arguments.out is not None:
        check_targets([arguments.out], tables)
    rows = validate_tables(tables)
    if arguments.out is not None:
        write_rows(rows, arguments.out)
    answer(summary_text(rows, tables))
