"""The first page: the ask, the decision box, what it is about in five sentences, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable, Spacer

from desktop_app.foundation.formatting import plain
from report_templates.pdf_blocks import Run
from report_templates.pdf_draw import Drawn, brand
from report_templates.pdf_table import grid
from report_templates.proposal_decision import decision_box
from report_templates.proposal_report import Report
from report_templates.proposal_summary import five_sentences
from report_templates.settings_shown import choice_words
from report_templates.style import LIGHT

_NO_REGION = "unspecified"  # of a seller whose price list names none
_MARK = 24.0  # side of the brand mark


def cover(report: Report) -> Iterator[Flowable]:
    """Brand, title, ask, decision box, five sentences, next step. The title is the first entry of the outline."""
    words, budget = report.words, report.budget
    yield _brand_row(report)
    yield Spacer(1, 20)
    yield report.heading(report.title, "title")
    if "name" in budget.scenario.model_fields_set:
        yield report.text(words("proposal.scenario", name=budget.scenario.name), "scenario")
    yield report.text(_ask(report), "lead")
    yield Spacer(1, 8)
    yield decision_box(report)
    yield report.subhead(words("doc.summary"))
    gap = "" if report.language == "zh" else " "
    yield report.text(gap.join(five_sentences(report)))
    yield report.subhead(words("proposal.next_step"))
    yield report.text(_next_step(report))


def _brand_row(report: Report) -> Flowable:
    mark = Drawn(_MARK, _MARK, lambda pen: brand(pen, 0, 0, _MARK))
    kind = report.runs([Run(report.words("doc.proposal"), bold=True, tone=LIGHT.text2)], "body")
    day = report.text(report.budget.scenario.today.isoformat(), "label", "right")
    widths = [_MARK + 10, (report.across - _MARK - 10) * 0.7, (report.across - _MARK - 10) * 0.3]
    return grid([[mark, kind, day]], widths, [("VALIGN", (0, 0), (-1, -1), "MIDDLE")])


def _next_step(report: Report) -> str:
    """What to do with the proposal: approve it, or first mend what speaks against it."""
    date = report.valid_until.isoformat()
    if report.budget.estimate.fits == "no":
        return report.words("proposal.next_step_no", section=report.number("fit"), date=date)
    key = "proposal.next_step_text" if report.priced else "proposal.next_step_unpriced"
    return report.words(key, section=report.number("cost"), date=date)


def _ask(report: Report) -> str:
    """How much, for what, where, how long; and that it cannot run, where it cannot."""
    budget, words = report.budget, report.words
    kind = "full" if budget.scenario.job.method == "full" else "tune"
    ask = budget.ledger.value("cost.ask")
    key = f"proposal.unpriced_{kind}" if ask is None else f"proposal.ask_{kind}"
    ask_words = words(
        key,
        amount=report.money(ask),
        model=budget.estimate.model.name,
        params=report.value("params_total"),
        cluster=_cluster(report),
        days=report.value("wall_days"),
    )
    if budget.estimate.fits != "no":
        return ask_words
    gap = "" if report.language == "zh" else " "
    return f"{ask_words}{gap}{words('proposal.ask_no_fit', section=report.number('fit'))}"


def _cluster(report: Report) -> str:
    """How many of which GPUs, and who sells them."""
    budget, words = report.budget, report.words
    cluster, price, quote = budget.estimate.cluster, budget.scenario.price, budget.quote
    values = {"gpus": plain(cluster.gpus), "gpu": cluster.gpu.name, "count": cluster.gpus}
    values["purchase"] = choice_words("purchase", price.purchase, words)
    if price.purchase == "owned" or price.provider is None:
        return words("proposal.cluster_bare", **values)
    place = (quote.provider, quote.region) if quote else (price.provider, price.region)
    return words("proposal.cluster", place=" ".join(part for part in place if part and part != _NO_REGION), **values)
