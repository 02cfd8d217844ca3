"""Sign-off: what is approved, by whom, and when it has to be estimated again."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable, KeepTogether, Spacer

from report_templates.fingerprint import result_mark
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report

_USUAL = ("prepared", "technical", "finops", "sustainability", "approved")
_LINE = 22.0  # points to write in


def sign_off(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(words("proposal.sign_lead", mark=result_mark(report.budget)), "lead")
    columns = (Column(words("head.figure")), Column(words("head.value"), weight=1))
    yield report.table(columns, _terms(report), tight=True)
    yield report.text(words("proposal.sign_triggers", date=report.valid_until.isoformat()), "note")
    yield signatures(report)


def _terms(report: Report) -> list[Row]:
    """What is signed: amount, ceiling of what it covers, cost centre, validity, result."""
    words, ledger = report.words, report.budget.ledger
    centre = report.dossier.organisation.cost_centre
    rows = [
        (words("figure.ask"), report.money(ledger.value("cost.ask"))),
        (words("proposal.sign_base"), report.money(ledger.value("cost.total"))),
        (words("field.contingency"), report.money(ledger.value("contingency"))),
        (words("proposal.cap"), words("proposal.to_fill")),
        (words("proposal.cost_centre"), centre or words("proposal.to_fill")),
        (words("head.valid_until"), report.valid_until.isoformat()),
        (words("proposal.result_mark"), result_mark(report.budget)),
    ]
    return [Row((Cell(name, "cell_soft"), Cell(value, "cell_bold"))) for name, value in rows]


def roles(report: Report) -> tuple[str, ...]:
    """Who signs: the roles of the organisation, or the usual five."""
    stated = report.dossier.organisation.sign_off_roles
    return stated or tuple(report.words(f"sign_off.{name}") for name in _USUAL)


def signatures(report: Report) -> Flowable:
    """A line to fill in for each role; never divided."""
    words = report.words
    columns = (
        Column(words("sign_off.role"), weight=1.5),
        Column(words("sign_off.name"), weight=1.3),
        Column(words("sign_off.decision"), weight=1.2),
        Column(words("sign_off.date"), weight=0.8),
        Column(words("sign_off.signature"), weight=1.5),
    )
    rows = [Row((role, "", "", "", Spacer(1, _LINE))) for role in roles(report)]
    return KeepTogether([Spacer(1, 6), report.table(columns, rows)])
