"""The memo of one page: the ask, the figures with their ranges, the lines, how to buy, three risks, a line to sign."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable, Spacer

from desktop_app.budget.budget import CostLine
from desktop_app.foundation.formatting import plain
from report_templates.figures import by_amount
from report_templates.fingerprint import result_mark
from report_templates.pdf.blocks import Run
from report_templates.pdf.columns import Column, Row, RowLook
from report_templates.pdf.table import data_table, grid
from report_templates.sections.cover import ask_sentence, brand_row
from report_templates.sections.decision import decision_box
from report_templates.sections.purchases import recommendation
from report_templates.sections.report import Report
from report_templates.sections.risks import risk_name
from report_templates.sections.self_check import failed_checks

_RISKS = 3
_LINE = 18.0  # points to write in
_LEFT, _GAP = 0.5, 18.0  # share of the table, and points beside it
_SUMS: tuple[tuple[str, str, RowLook], ...] = (
    ("proposal.base_row", "cost.total", "base"),
    ("proposal.contingency_row", "contingency", "loose"),
    ("figure.ask", "cost.ask", "ask"),
)


def memo(report: Report) -> Iterator[Flowable]:
    """The page."""
    words = report.words
    yield brand_row(report, "doc.memo")
    yield Spacer(1, 8)
    yield report.heading(report.title, "memo_title")
    if report.is_named:
        yield report.text(words("proposal.scenario", name=report.budget.scenario.name), "scenario")
    yield report.text(ask_sentence(report))
    yield decision_box(report)
    yield from failed_checks(report)
    yield Spacer(1, 8)
    yield _side_by_side(report)
    left_out = [report.inside(report.name(key)) for key in report.budget.not_priced]
    if left_out:
        yield report.text(words("proposal.scope_out", items=report.counted(left_out)), "note")
    yield Spacer(1, 4)
    yield sign_line(report)
    yield short_note(report)


def _side_by_side(report: Report) -> Flowable:
    """The lines at the left, what to do about price and risk at the right."""
    words = report.words
    left = (report.across - _GAP) * _LEFT
    right = report.across - _GAP - left
    beside = [
        report.heading(words("proposal.memo_buy"), "memo_head"),
        report.text(recommendation(report), "small"),
        report.heading(words("proposal.memo_risks"), "memo_head"),
        *_risks(report),
    ]
    return grid([[_lines(report, left), "", beside]], [left, _GAP, right])


def _lines(report: Report, across: float) -> Flowable:
    """What is priced, and the sums."""
    words, ledger = report.words, report.budget.ledger
    columns = (
        Column(words("head.item"), weight=1),
        Column(words("proposal.head_amount", currency=report.currency), "right"),
        Column(words("proposal.head_share"), "right"),
    )
    rows = [_line(report, line) for line in by_amount(report.budget.cost_lines) if line.amount is not None]
    for name, key, look in _SUMS:
        rows.append(Row((words(name), report.priced_or(ledger.value(key)), ""), look))
    return data_table(columns, rows, across, report.language, tight=True)


def _line(report: Report, line: CostLine) -> Row:
    share = "" if line.share is None else plain(line.share * 100, 1)
    return Row((report.name(line.key), report.amount(line.amount or 0.0), share))


def _risks(report: Report) -> Iterator[Flowable]:
    """The gravest, each in a line."""
    words, register = report.words, report.dossier.risks
    for risk in register.risks[:_RISKS]:
        money = report.money(register.values[risk.money]) if risk.money else words("state.not_known")
        response = words(f"risk.{risk.key}.response")
        told = words("proposal.memo_risk", likelihood=risk.likelihood, money=money, response=response)
        yield report.runs([Run(risk_name(report, risk), bold=True), Run(f" {told}")], "small")


def sign_line(report: Report) -> Flowable:
    """One line for a decision."""
    words = report.words
    heads = ("sign_off.decision", "sign_off.name", "sign_off.date", "sign_off.signature")
    columns = tuple(Column(words(head), weight=1) for head in heads)
    return report.table(columns, [Row(("", "", "", Spacer(1, _LINE)))], tight=True)


def short_note(report: Report) -> Flowable:
    """Which figures these are, and where the sections stand that a short form refers to."""
    disclaimer = report.dossier.organisation.disclaimer
    told = report.words("proposal.short_note", mark=result_mark(report.budget), date=report.valid_until.isoformat())
    return report.text("\n".join(part for part in (told, disclaimer) if part), "note")
