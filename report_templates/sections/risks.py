"""The register of risks: how likely, what each would take, what to do about it, and what the contingency covers."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.dossier.risks import Risk
from desktop_app.foundation.formatting import percent
from desktop_app.foundation.quantities import format_parts
from report_templates.pdf.blocks import Run
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report
from report_templates.style import LIGHT

_DASH = "–"
_EXPECTED = "risk.expected"


def risks(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(_lead(report), "lead")
    columns = (
        Column(words("proposal.head_id")),
        Column(words("proposal.head_risk"), weight=1, room=0.5),
        Column(words("proposal.head_likely"), "right"),
        Column(words("proposal.head_money", currency=report.currency), "right"),
        Column(words("head.days"), "right"),
        Column(words("proposal.head_expected", currency=report.currency), "right"),
    )
    rows = [_row(report, number, risk) for number, risk in enumerate(report.dossier.risks.risks, 1)]
    expected = report.priced_or(report.dossier.risks.values[_EXPECTED])
    rows.append(Row(("", words("proposal.expected_sum"), "", "", "", expected), "base"))
    contingency = report.priced_or(report.budget.ledger.value("contingency"))
    rows.append(Row(("", words("proposal.contingency_row"), "", "", "", contingency), "ask"))
    yield from report.captioned_table(words("proposal.risks_table"), columns, rows, note=words("proposal.risks_note"))


def _lead(report: Report) -> str:
    """What is to be expected of all risks, beside what is set aside for them."""
    words = report.words
    expected, contingency = report.dossier.risks.values[_EXPECTED], report.budget.ledger.value("contingency")
    if expected is None or contingency is None:
        return words("proposal.risks_lead_unpriced")
    key = "proposal.risks_lead" if expected <= contingency else "proposal.risks_lead_short"
    return words(key, expected=report.money(expected), contingency=report.money(contingency))


def risk_name(report: Report, risk: Risk) -> str:
    """What may happen."""
    return report.words(f"risk.{risk.key}")


def _row(report: Report, number: int, risk: Risk) -> Row:
    words, values = report.words, report.dossier.risks.values
    chance = values[risk.probability]
    likely = words("proposal.likely", number=risk.likelihood, share=percent(chance or 0.0, 0, report.language))
    days = values[risk.days] if risk.days else None
    owner, response = words(f"role.{risk.owner}"), words(f"risk.{risk.key}.response")
    shown = [
        Run(risk_name(report, risk), bold=True),
        Run(f"\n{words('proposal.risk_response', owner=owner, text=response)}", tone=LIGHT.text2),
        Run(f"\n{words('proposal.risk_trigger', text=words(f'risk.{risk.key}.trigger'))}", tone=LIGHT.text3),
    ]
    return Row(
        (
            Cell(f"R{number}", "cell_soft"),
            report.runs(shown, "cell"),
            likely,
            _money(report, risk.money, risk.impact),
            _DASH if days is None else format_parts((days,), "days", words)[0][0],
            _money(report, risk.expected),
        )
    )


def _money(report: Report, key: str, impact: int | None = None) -> str | Cell:
    if not key:
        return _DASH
    amount = report.priced_or(report.dossier.risks.values[key])
    if impact is None or isinstance(amount, Cell):
        return amount
    return f"{amount}\n{report.words('proposal.impact', number=impact)}"
