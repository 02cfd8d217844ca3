"""The flags of `import` and `book`. What they do is loaded when they run, so that an estimate need not wait for it."""

from __future__ import annotations

import argparse
from typing import Any

from desktop_app.cli.arguments import file_path


def add_import(commands: Any) -> None:
    """The sub-command and its flags."""
    parser = commands.add_parser(
        "import", help="what a price sheet says, as we read it, or what was changed in a workbook of ours"
    )
    parser.add_argument("file", type=file_path, metavar="FILE", help="CSV, TSV, XLSX, or a vms.csv of SkyPilot")
    parser.add_argument("--provider", metavar="NAME", help="the seller, where the sheet does not say")
    parser.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="which column holds a field")
    parser.add_argument("--currency", metavar="CODE", help="the currency, where the sheet does not say")
    parser.add_argument("--fx-rate", metavar="N", help="units of that currency per USD")
    parser.add_argument("--purchase", metavar="CODE", help="the purchase type, where the sheet does not say")
    parser.add_argument("--price-per", choices=("gpu", "instance"), help="what prices are per, where the sheet is mute")
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="the date of rows that have none; today if not stated")
    parser.add_argument("--today", metavar="YYYY-MM-DD", help="the day that validity is judged on")
    parser.add_argument("--take", action="store_true", help="put the accepted rows into your price book")
    parser.add_argument("--accept-doubtful", action="store_true", help="take the doubtful rows too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=_import)


def add_book(commands: Any) -> None:
    """The sub-command and its flags."""
    parser = commands.add_parser("book", help="your own prices, negotiated discounts and credits")
    parser.add_argument("--discount", action="append", default=[], metavar="PROVIDER[:GPU][:REGION][:PURCHASE]=N%%")
    parser.add_argument("--credit", action="append", default=[], metavar="PROVIDER|any=USD")
    parser.add_argument("--source", metavar="TEXT", help="where the discount or credit is agreed: a contract, a mail")
    parser.add_argument("--valid-until", metavar="YYYY-MM-DD", help="the last day it holds")
    parser.add_argument("--remove", action="append", default=[], metavar="ID", help="take out an entry")
    parser.add_argument("--clear", action="store_true", help="take out everything")
    parser.add_argument("--today", metavar="YYYY-MM-DD", help="the date of what is stated now")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=_book)


def _import(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.importing import run_import

    run_import(arguments)


def _book(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.booking import run_book

    run_book(arguments)
