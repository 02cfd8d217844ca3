"""What stands around the text of every document: header, footer, and what the file says of itself."""

from __future__ import annotations

from report_templates.brand import brand_tones
from report_templates.fingerprint import result_mark
from report_templates.pdf.document import Furniture
from report_templates.sections.report import Report

_LANG = {"en": "en-US", "zh": "zh-CN"}  # as PDF viewers and screen readers know them


def furniture(report: Report, kind: str) -> Furniture:
    """Header and footer of a document; `kind` is the key of what it is called."""
    words, budget = report.words, report.budget
    result = words("proposal.result", mark=result_mark(budget))
    edition = words("proposal.edition", date=budget.scenario.today.isoformat())
    gap, stop = ("", "。") if report.language == "zh" else (" ", ". ")
    foot = f"{_prices(report)}{gap}{result}"
    organisation = report.dossier.organisation
    project = budget.scenario.name if report.is_named else report.title
    owner = f"{organisation.name}{words('list.comma')}" if organisation.name else ""
    return Furniture(
        project=f"{owner}{project}",
        edition=edition,
        cover_foot=f"{edition}{stop}{foot}",
        foot=foot,
        page_words=lambda page, pages: words("doc.page", page=page, pages=pages),
        title=report.title,
        author=organisation.name or words("title.program"),
        creator=words("title.program"),
        subject=f"{words(kind)}{words('list.comma')}{words('doc.estimate')}",
        keywords=words("proposal.keywords", model=budget.estimate.model.name),
        lang=_LANG[report.language],
        made_on=budget.scenario.today,
        tones=brand_tones(organisation.accent_colour),
    )


def _prices(report: Report) -> str:
    """Of which day the price of the GPUs is."""
    price = report.budget.ledger.origin("price_usd_per_gpu_hour")
    if price.given is None:
        return report.words("proposal.no_price")
    if price.tag == "yours":
        return report.words("proposal.price_entered")
    return report.words("proposal.prices_of", date=price.source.as_of)
