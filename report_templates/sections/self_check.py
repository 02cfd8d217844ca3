"""What the first page says where a printed sum would not be the sum of what is printed."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from report_templates.pdf.blocks import Box, BoxLook, Run
from report_templates.sections.report import Report
from report_templates.self_check import self_checks
from report_templates.style import LIGHT

_LOOK = BoxLook(tone=LIGHT.bad_background, radius=6, border=LIGHT.bad, left=14, right=14)


def failed_checks(report: Report) -> Iterator[Flowable]:
    """A box with the checks that do not pass; nothing where all do."""
    failed = [check for check in self_checks(report.dossier) if check.passes is False]
    if not failed:
        return
    words = report.words
    title = report.runs([Run(words("self_check.title", count=len(failed)), bold=True, tone=LIGHT.bad)], "box")
    yield Box([title, *(report.text(words(f"self_check.{check.key}"), "box") for check in failed)], _LOOK, before=8)
