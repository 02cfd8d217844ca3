"""The flags of `report` and `organisation`. What they do is loaded when they run: an estimate need not wait for it."""

from __future__ import annotations

import argparse
from typing import Any, Final

from desktop_app.cli.arguments import file_path
from desktop_app.cli.projects import add_project_and_choices
from desktop_app.foundation.wording import LANGUAGES

FORMS: Final = ("proposal", "memo", "card", "panel")
PAPERS: Final = ("a4", "letter")
FIELDS: Final = {
    "name": "name",
    "cost-centre": "cost_centre",
    "accent-colour": "accent_colour",
    "role": "sign_off_roles",
    "disclaimer": "disclaimer",
    "validity-days": "validity_days",
    "logo": "logo_png",
}
"""What a profile holds: the name of the flag, and of the field of the record."""


def add_report(commands: Any) -> None:
    """The sub-command and its flags."""
    parser = commands.add_parser(
        "report", help="the Excel budget, the PDF documents, the model card and the figures as CSV"
    )
    add_project_and_choices(parser, _report)
    parser.add_argument("--xlsx", type=file_path, metavar="FILE", help="the Excel budget, with live formulas")
    parser.add_argument("--pdf", type=file_path, metavar="FILE", help="the document named by --form")
    parser.add_argument("--csv", type=file_path, metavar="FILE", help="every figure of every case as one long table")
    parser.add_argument("--card", type=file_path, metavar="FILE.md", help="the energy block of a model card")
    parser.add_argument("--focus", type=file_path, metavar="FILE.csv", help="a FOCUS-shaped forecast, month by month")
    parser.add_argument("--form", type=str.lower, choices=FORMS, help="of the PDF (default proposal)")
    parser.add_argument("--language", type=str.lower, choices=LANGUAGES, default="en")
    parser.add_argument("--paper", type=str.lower, choices=PAPERS, default="a4")
    profile = parser.add_mutually_exclusive_group()
    profile.add_argument("--organisation", type=file_path, metavar="FILE.json", help="another profile than your own")
    profile.add_argument("--no-organisation", action="store_true", help="leave out the profile of your organisation")


def add_organisation(commands: Any) -> None:
    """The sub-command and its flags."""
    parser = commands.add_parser("organisation", help="who asks for the money, as every document prints it")
    parser.add_argument("--name", metavar="TEXT", help="of the organisation")
    parser.add_argument("--cost-centre", metavar="TEXT", help="that pays")
    parser.add_argument("--accent-colour", metavar="RRGGBB", help="of headings and bands, such as 0B5A8A")
    parser.add_argument("--role", action="append", metavar="TEXT", help="who signs; repeat it, in their order")
    parser.add_argument("--disclaimer", metavar="TEXT", help="printed with every document")
    parser.add_argument("--validity-days", metavar="N", help="how long an estimate stands")
    parser.add_argument("--logo", type=file_path, metavar="FILE", help="PNG or SVG, at most 2 MB; nothing is fetched")
    parser.add_argument(
        "--clear", action="append", default=[], choices=(*FIELDS, "all"), help="empty a field before the rest is set"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(command=_organisation)


def _report(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.reporting import run_report

    run_report(arguments)


def _organisation(arguments: argparse.Namespace) -> None:
    from desktop_app.cli.profile import run_organisation

    run_organisation(arguments)
