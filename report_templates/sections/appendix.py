"""How each figure is computed: every computed or predicted line of the ledger, in words and with its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.explain import formula_texts, how_text
from desktop_app.budget.ledger import Ledger, Line
from desktop_app.foundation.expression import Expression
from report_templates.pdf.blocks import Run
from report_templates.sections.report import Report
from report_templates.style import LIGHT

_SHOWN, _FOLLOWING = "p80", ("p10", "p50", "p90")


def appendix(report: Report) -> Iterator[Flowable]:
    """The section: one paragraph a line, under the names of their groups, in narrow columns."""
    yield report.text(report.words("proposal.appendix_lead"), "small")
    group, told = "", told_by(report.budget.ledger)
    for line in report.budget.ledger:
        if not is_told(report.budget.ledger, line):
            continue
        if line.group != group:
            group = line.group
            yield report.text(report.words(f"group.{group}"), "group_small")
        yield _entry(report, line, told.get(line.key, ""))


def is_told(ledger: Ledger, line: Line) -> bool:
    """Whether a line has an entry: it is computed or predicted, and no percentile that stands beside its P80."""
    stem, _, name = line.key.rpartition(".")
    repeated = name in _FOLLOWING and f"{stem}.{_SHOWN}" in ledger
    return (line.expression is not None or line.tag == "predicted") and not repeated


def told_by(ledger: Ledger) -> dict[str, str]:
    """The lines that are computed like an earlier one of their kind, and that one: "cost.lost" like "cost.run"."""
    first: dict[tuple[str, str], str] = {}
    found = {}
    for line in ledger:
        room, _, rest = line.key.partition(".")
        name, _, what = rest.partition(".")
        if line.expression is None or not name or not is_told(ledger, line):
            continue
        shape = _shape(line.expression, name)
        earlier = first.setdefault((f"{room}.*.{what}", shape), line.key)
        if earlier != line.key:
            found[line.key] = earlier
    return found


def _shape(expression: Expression, name: str) -> str:
    """A formula with `name` left out of the keys it reads: alike for all lines of one kind."""
    return expression.tell(lambda key: key.replace(name, "*"), lambda function: f"{function}({{all}})")


def _entry(report: Report, line: Line, like: str) -> Flowable:
    """Name and result; the formula, or the line that is computed alike; the formula with its numbers."""
    words, key = report.words, line.key
    known = report.budget.ledger.value(key) is not None
    parts = [Run(report.name(key)), Run(f" {report.value(key)}", bold=True, tone=None if known else LIGHT.warn)]
    formula, numbers = formula_texts(report.budget, key, words)
    if not formula:
        parts.append(Run(f"\n{how_text(key, words)}", tone=LIGHT.text2))
    elif not like:
        parts.append(Run(f"\n{formula}", tone=LIGHT.text2))
    if formula and known:
        parts.append(Run(f" {words('proposal.equals', numbers=numbers)}", tone=LIGHT.text3))
    if like:
        parts.append(Run(f" {words('proposal.as_first', name=report.name(like))}", tone=LIGHT.text2))
    stem, _, name = key.rpartition(".")
    if name == _SHOWN and all(f"{stem}.{other}" in report.budget.ledger for other in _FOLLOWING):
        others = {other: report.value(f"{stem}.{other}") for other in _FOLLOWING}
        parts.append(Run(f"\n{words('proposal.others_too', **others)}", tone=LIGHT.text2))
    return report.runs(parts, "formula")
