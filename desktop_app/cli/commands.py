"""The sub-commands: each reads its arguments, asks the rooms below and prints."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.project import new_project, open_project, save_project
from desktop_app.budget.scenario import Scenario
from desktop_app.cli.arguments import Parser, add_choices, scenario_of
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.wording import LANGUAGES, words_of
from pricing.catalogue import load_catalogue

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

    report = commands.add_parser("report", help="the Excel budget, the PDF proposal and the cost lines as CSV")
    _add_project_and_choices(report, _report)
    report.add_argument("--xlsx", type=Path, metavar="FILE")
    report.add_argument("--pdf", type=Path, metavar="FILE")
    report.add_argument("--csv", type=Path, metavar="FILE")
    report.add_argument("--language", choices=LANGUAGES, default="en")
    report.add_argument("--paper", choices=PAPERS, default="a4")

    new = commands.add_parser("new", help="write a project file")
    new.add_argument("file", type=Path, metavar="FILE.tbudget")
    add_choices(new)
    new.set_defaults(command=_new)

    catalog = commands.add_parser("catalog", help="what the tables hold")
    catalog.add_argument("table", choices=("models", "gpus", "prices", "regions", "grids"))
    catalog.add_argument("--gpu", metavar="NAME")
    catalog.add_argument("--provider", metavar="NAME")
    catalog.add_argument("--region", metavar="NAME")
    catalog.add_argument("--json", action="store_true", help="print a list of JSON objects")
    catalog.set_defaults(command=_catalog)

    validate = commands.add_parser("validate", help="predicted against published")
    validate.add_argument("folder", type=Path, metavar="DIR")
    validate.add_argument("--out", type=Path, metavar="ROWS.csv", help="one row per case and quantity")
    validate.set_defaults(command=_validate)
    return parser


def _add_project_and_choices(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace], None]) -> None:
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE.tbudget", help="a project to start from")
    add_choices(parser)
    parser.set_defaults(command=command)


def _budget(arguments: argparse.Namespace) -> Budget:
    return make_budget(scenario_of(arguments, _start(arguments.file)), load_catalogue())


def _start(project: Path | None) -> Scenario | None:
    return open_project(project).scenarios[0] if project else None


def _estimate(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.answers import estimate_answer
    from desktop_app.cli.figures import figures_text

    budget = _budget(arguments)
    words = words_of("en")
    print(_json(estimate_answer(budget, words)) if arguments.json else figures_text(budget, words))


def _report(arguments: argparse.Namespace) -> None:
    targets = [path for path in (arguments.xlsx, arguments.pdf, arguments.csv) if path]
    if not targets:
        raise user_error("", "problem.nothing_to_write")
    budget = _budget(arguments)
    if arguments.xlsx:
        from report_templates.workbook import write_workbook

        write_workbook(budget, arguments.xlsx, arguments.language)
    if arguments.pdf:
        from report_templates.proposal import write_proposal

        write_proposal(budget, arguments.pdf, arguments.language, arguments.paper)
    if arguments.csv:
        from report_templates.cost_lines_csv import write_cost_lines

        write_cost_lines(budget, arguments.csv, arguments.language)
    for path in targets:
        print(path)


def _new(arguments: argparse.Namespace) -> None:
    if arguments.file.exists():
        raise user_error(str(arguments.file), "problem.file_exists", file=arguments.file.name)
    scenario = scenario_of(arguments, None)
    save_project(new_project([make_budget(scenario, load_catalogue())]), arguments.file)
    print(arguments.file)


def _catalog(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.listing import listing, table_text

    rows = listing(arguments.table, arguments.gpu, arguments.provider, arguments.region)
    print(_json(rows) if arguments.json else table_text(rows))


def _validate(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.validating import summary_text, validate_folder, write_rows

    if not arguments.folder.is_dir():
        raise user_error(str(arguments.folder), "problem.not_a_folder", file=str(arguments.folder))
    rows = validate_folder(arguments.folder)
    if arguments.out:
        write_rows(rows, arguments.out)
    print(summary_text(rows))


def _json(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, allow_nan=False)
