"""How to rebuild the document: program, command, result mark; what was checked; and who cannot read it as it is."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.project import app_version
from report_templates.command_line import command_line
from report_templates.fingerprint import result_mark
from report_templates.pdf.blocks import WIDE, Run
from report_templates.sections.report import Report
from report_templates.self_check import self_checks
from report_templates.style import LIGHT

_STATES = (
    (True, "self_check.passes", LIGHT.ok),
    (False, "self_check.fails", LIGHT.bad),
    (None, "self_check.unknown", LIGHT.unknown),
)


def rebuild(report: Report) -> Iterator[Flowable]:
    """The section."""
    words, budget = report.words, report.budget
    mark = result_mark(budget)
    yield report.text(words("proposal.rebuild_lead", version=app_version(), mark=mark), "small")
    yield report.text(command_line(budget.scenario, report.language), "command")
    if budget.scenario.model.custom_model is not None:
        yield report.text(words("proposal.rebuild_model"), "small")
    yield report.text(words("proposal.rebuild_limits"), "small")
    yield report.heading_in_column(words("self_check.heading"))
    yield from _checks(report)
    yield report.heading_in_column(words("proposal.accessibility_title"))
    yield report.text(words("proposal.accessibility"), "small")


def _checks(report: Report) -> Iterator[Flowable]:
    """What passes, what does not, and what cannot be checked, each in one paragraph."""
    checks = self_checks(report.dossier)
    for passes, state, tone in _STATES:
        told = [report.words(f"self_check.{check.key}") for check in checks if check.passes is passes]
        if told:
            text = ("" if report.language == "zh" else " ").join(told)
            yield report.runs([Run(f"{report.words(state)}{WIDE}", bold=True, tone=tone), Run(text)], "small")
