"""The sub-commands: each reads its arguments, asks the rooms below and prints."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from itertools import chain
from typing import get_args

from desktop_app.budget.budget import make_budget
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.budget.project import new_project, save_project
from desktop_app.cli.arguments import Parser, add_choices, file_path, scenario_of
from desktop_app.cli.document_flags import add_organisation, add_report
from desktop_app.cli.output import answer, json_text, mention
from desktop_app.cli.own_prices import add_book, add_import
from desktop_app.cli.projects import add_project_and_choices, asked, base_budget
from desktop_app.cli.returned import open_document
from desktop_app.foundation.files import check_targets, name_text, path_text
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.wording import words_of
from pricing.records import PurchaseCode


def run(argv: list[str]) -> None:
    """Parse `argv` and run its command. Raises UserError for bad input."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], None] = arguments.command
    command(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="training-budget",
        description="What training a large language model costs. Without arguments the window opens; "
        "FILE.tbudget or FILE.xlsx opens the window on a project or a workbook of ours.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    estimate = commands.add_parser("estimate", help="the figures of one scenario")
    add_project_and_choices(estimate, _estimate)
    estimate.add_argument("--json", action="store_true", help="print one JSON object")

    compare = commands.add_parser("compare", help="the same job bought in every way, or in every place")
    compare.add_argument("by", type=str.lower, choices=("purchases", "places"))
    add_project_and_choices(compare, _compare)
    compare.add_argument("--json", action="store_true", help="print a list of JSON objects")

    add_report(commands)

    new = commands.add_parser("new", help="write a project file")
    new.add_argument("file", type=file_path, metavar="FILE.tbudget")
    new.add_argument("--from", dest="source", type=file_path, metavar="FILE", help="a workbook of ours, or a project")
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
    add_organisation(commands)

    validate = commands.add_parser("validate", help="predicted against published")
    validate.add_argument("folder", type=file_path, metavar="DIR")
    validate.add_argument("--out", type=file_path, metavar="ROWS.csv", help="one row per case and quantity")
    validate.set_defaults(command=_validate)
    return parser


def _estimate(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.answers import estimate_answer
    from desktop_app.cli.figures import figures_text

    budget = base_budget(arguments, asked(arguments))
    words = words_of("en")
    answer(json_text(estimate_answer(budget, words)) if arguments.json else figures_text(budget, words))


def _compare(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.comparing import comparison
    from desktop_app.cli.listing import table_text

    budget = base_budget(arguments, asked(arguments))
    rows = comparison(arguments.by, budget, catalogue_on(budget.scenario.today), words_of("en"))
    answer(json_text(rows) if arguments.json else table_text(rows))


def _new(arguments: argparse.Namespace) -> None:
    if os.path.lexists(arguments.file):
        raise user_error("", "problem.file_exists", file=name_text(arguments.file))
    opened = open_document(arguments.source) if arguments.source else None
    first, *others = opened.project.scenarios if opened else (None,)
    scenarios = [scenario_of(arguments, first), *filter(None, others)]
    budgets = [make_budget(scenario, catalogue_on(scenario.today)) for scenario in scenarios]
    save_project(new_project(budgets, opened.project.notes if opened else ""), arguments.file)
    told = map(words_of("en").sentence, chain.from_iterable(opened.notices)) if opened else ()
    mention("\n".join([path_text(arguments.file), *dict.fromkeys(told)]))


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
