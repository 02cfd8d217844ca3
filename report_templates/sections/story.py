"""The proposal from cover to sources: which sections there are, in which order, and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportlab.platypus import CondPageBreak, Flowable, PageBreak

from desktop_app.budget.budget import Budget
from desktop_app.foundation.wording import Language
from report_templates.fingerprint import result_mark
from report_templates.pdf.document import Furniture, built
from report_templates.pdf.style import PAPERS, SIDE, Paper
from report_templates.sections.appendix import appendix
from report_templates.sections.assumptions import assumptions, sources
from report_templates.sections.cost import cost
from report_templates.sections.cover import cover
from report_templates.sections.energy import energy
from report_templates.sections.fit import fit
from report_templates.sections.report import Report
from report_templates.sections.time import time
from report_templates.sections.uncertainty import uncertainty

_LANG = {"en": "en-US", "zh": "zh-CN"}  # as PDF viewers and screen readers know them
_ROOM = 290.0  # a section that follows another one on a page wants so much of it, in points


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its key, the words of its title, what writes it, and whether it always starts a page."""

    key: str
    title: str
    write: Callable[[Report], Iterator[Flowable]]
    new_page: bool = False


SECTIONS = (
    Section("cost", "doc.cost", cost, new_page=True),
    Section("uncertainty", "doc.uncertainty", uncertainty),
    Section("fit", "doc.fit", fit),
    Section("time", "doc.time", time),
    Section("energy", "doc.energy", energy),
    Section("assumptions", "doc.assumptions", assumptions),
    Section("appendix", "doc.appendix", appendix),
    Section("sources", "doc.sources", sources),
)


def proposal(budget: Budget, language: Language, paper: Paper) -> bytes:
    """The PDF."""
    size = PAPERS[paper]
    report = Report(budget, language, size[0] - 2 * SIDE, [section.key for section in SECTIONS])
    return built(list(_story(report)), _furniture(report), size)


def _story(report: Report) -> Iterator[Flowable]:
    yield from cover(report)
    for section in SECTIONS:
        if section.new_page:
            yield PageBreak()
        else:
            yield CondPageBreak(_ROOM)
        yield report.section(section.key, report.words(section.title))
        yield from section.write(report)


def _furniture(report: Report) -> Furniture:
    """Header, footer and what the file says of itself."""
    words, budget = report.words, report.budget
    program = words("title.program")
    result = words("proposal.result", mark=result_mark(budget))
    edition = words("proposal.edition", date=budget.scenario.today.isoformat())
    gap, stop = ("", "。") if report.language == "zh" else (" ", ". ")
    foot = f"{_prices(report)}{gap}{result}"
    return Furniture(
        project=budget.scenario.name if "name" in budget.scenario.model_fields_set else report.title,
        edition=edition,
        cover_foot=f"{edition}{stop}{foot}",
        foot=foot,
        page_words=lambda page, pages: words("doc.page", page=page, pages=pages),
        title=report.title,
        author=program,
        subject=f"{words('doc.proposal')}, {words('doc.estimate')}",
        keywords=words("proposal.keywords", model=budget.estimate.model.name),
        lang=_LANG[report.language],
        made_on=budget.scenario.today,
    )


def _prices(report: Report) -> str:
    """Of which day the price of the GPUs is."""
    price = report.budget.ledger.origin("price_usd_per_gpu_hour")
    if price.given is None:
        return report.words("proposal.no_price")
    if price.tag == "yours":
        return report.words("proposal.price_entered")
    return report.words("proposal.prices_of", date=price.source.as_of)
