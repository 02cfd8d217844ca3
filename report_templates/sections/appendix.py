"""How each figure is computed: every computed or predicted line of the ledger, in words and with its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.explain import formula_texts, how_text
from report_templates.pdf.blocks import Run
from report_templates.pdf.columns import Column, Row
from report_templates.sections.report import Report
from report_templates.style import LIGHT

_ON_THE_WAY = ("factor.", "used_gpu_hours.", "usd.bill.", "usd.gross.", "usd.unused.")


def appendix(report: Report) -> Iterator[Flowable]:
    """The section: one table, the lines under the names of their groups."""
    words = report.words
    yield report.text(words("proposal.appendix_lead"))
    columns = (
        Column(words("proposal.head_line"), weight=1),
        Column(words("proposal.head_formula"), weight=1.9),
    )
    yield report.table(columns, list(_rows(report)), tight=True)


def is_repeated(key: str) -> bool:
    """Whether a line on the way to a percentile of the total reads like that of the P80, which stands for it."""
    return key.startswith(_ON_THE_WAY) and key.endswith((".p10", ".p50", ".p90"))


def _rows(report: Report) -> Iterator[Row]:
    group = ""
    for line in report.budget.ledger:
        if (line.expression is None and line.tag != "predicted") or is_repeated(line.key):
            continue
        if line.group != group:
            group = line.group
            yield Row((report.words(f"group.{group}"), ""), "group")
        yield _row(report, line.key)


def _row(report: Report, key: str) -> Row:
    formula, numbers = formula_texts(report.budget, key, report.words)
    known = report.budget.ledger.value(key) is not None
    result = Run(f"\n{report.value(key)}", bold=True, tone=None if known else LIGHT.warn)
    name = report.runs([Run(report.name(key)), result], "cell")
    if formula:
        how = [Run(formula), Run(f"\n{report.words('proposal.equals', numbers=numbers)}", tone=LIGHT.text3)]
    else:
        how = [Run(how_text(key, report.words), tone=LIGHT.text2)]
    return Row((name, report.runs(how, "cell")))
