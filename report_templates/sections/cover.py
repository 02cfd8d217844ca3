"""The first page: the ask, the decision box, what it is about in five sentences, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from reportlab.platypus import Flowable, Spacer

from desktop_app.foundation.formatting import plain
from pricing.quotes import WORLDWIDE
from report_templates.pdf.blocks import Run
from report_templates.pdf.draw import Drawn, brand
from report_templates.pdf.picture import Picture
from report_templates.pdf.table import grid
from report_templates.sections.decision import decision_box
from report_templates.sections.report import Report
from report_templates.sections.self_check import failed_checks
from report_templates.sections.summary import five_sentences
from report_templates.settings_shown import choice_words
from report_templates.style import LIGHT

_MARK = 24.0  # side of the brand mark
_MARK_GAP, _DAY = 10.0, 90.0  # points beside the mark, and for the date
_LOGO = (150.0, 40.0)  # points that a logo may take


def cover(report: Report) -> Iterator[Flowable]:
    """Brand, title, ask, decision box, five sentences, next step. The title is the first entry of the outline."""
    words, budget = report.words, report.budget
    yield brand_row(report, "doc.proposal")
    yield Spacer(1, 20)
    yield report.heading(report.title, "title")
    if report.is_named:
        yield report.text(words("proposal.scenario", name=budget.scenario.name), "scenario")
    yield report.text(ask_sentence(report), "lead")
    yield Spacer(1, 8)
    yield decision_box(report)
    yield from failed_checks(report)
    yield report.subhead(words("doc.summary"))
    gap = "" if report.language == "zh" else " "
    yield report.text(gap.join(five_sentences(report)))
    yield report.subhead(words("proposal.next_step"))
    yield report.text(next_step(report))
    if report.dossier.organisation.disclaimer:
        yield report.text(report.dossier.organisation.disclaimer, "note")


def brand_row(report: Report, kind: str) -> Flowable:
    """Whose document it is, what it is called (a key of the catalogue), and its date."""
    organisation = report.dossier.organisation
    mark = _mark(report)
    lines = [Run(report.words(kind), bold=True, tone=LIGHT.text2)]
    if organisation.name:
        lines = [Run(organisation.name, bold=True), Run(f"\n{report.words(kind)}", tone=LIGHT.text2)]
    day = report.text(report.budget.scenario.today.isoformat(), "label", "right")
    first = mark.width + _MARK_GAP
    rest = report.across - first - _DAY
    return grid(
        [[mark, report.runs(lines, "body"), day]], [first, rest, _DAY], [("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    )


def _mark(report: Report) -> Flowable:
    """The logo of the organisation, else the mark of the program."""
    png = report.dossier.organisation.logo_png
    if png:
        with suppress(ValueError):
            return Picture(png, *_LOGO)
    return Drawn(_MARK, _MARK, lambda pen: brand(pen, 0, 0, _MARK))


def next_step(report: Report) -> str:
    """What to do with the proposal: approve it, or first mend what speaks against it."""
    date = report.valid_until.isoformat()
    estimate = report.budget.estimate
    if estimate.fits == "no":
        key = "proposal.next_step_no" if estimate.remedies else "proposal.next_step_no_remedy"
        return report.words(key, section=report.number("fit"), date=date)
    if estimate.memory.peak > estimate.cluster.gpu.usable_memory_bytes:
        return report.words("proposal.next_step_too_large", section=report.number("fit"), date=date)
    key = "proposal.next_step_text" if report.priced else "proposal.next_step_unpriced"
    if not report.ends:
        key = "proposal.next_step_never"
    return report.words(key, section=report.number("cost"), date=date)


def ask_sentence(report: Report) -> str:
    """How much, for what, where, how long; and before all that it cannot run, where it cannot."""
    budget, words = report.budget, report.words
    kind = "full" if budget.scenario.job.method == "full" else "tune"
    ask = budget.ledger.value("cost.ask")
    values = {
        "amount": report.money(ask),
        "model": budget.estimate.model.name,
        "params": report.value("params_total"),
        "cluster": _cluster(report),
        "days": report.value("wall_days"),
    }
    if not report.ends:
        return words("proposal.ask_never", section=report.number("cost"), **values)
    if budget.estimate.fits != "no":
        return words(f"proposal.unpriced_{kind}" if ask is None else f"proposal.ask_{kind}", **values)
    gap = "" if report.language == "zh" else " "
    refused = words("proposal.ask_no_fit", section=report.number("fit"))
    return f"{refused}{gap}{words('proposal.if_it_ran_unpriced' if ask is None else 'proposal.if_it_ran', **values)}"


def _cluster(report: Report) -> str:
    """How many of which GPUs, and who sells them."""
    budget, words = report.budget, report.words
    cluster, price, quote = budget.estimate.cluster, budget.scenario.price, budget.quote
    values = {"gpus": plain(cluster.gpus), "gpu": cluster.gpu.name, "count": cluster.gpus}
    values["purchase"] = choice_words("purchase", price.purchase, words)
    if price.purchase == "owned" or price.provider is None:
        return words("proposal.cluster_bare", **values)
    place = (quote.provider, quote.region) if quote else (budget.place.provider, budget.place.region)
    return words("proposal.cluster", place=" ".join(part for part in place if part and part not in WORLDWIDE), **values)
