"""The forms of the document: the whole proposal, a memo, the energy block of a model card, two pages for a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from reportlab.platypus import Flowable, PageBreak

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Language
from report_templates.pdf.document import built
from report_templates.pdf.one_page import one_page
from report_templates.pdf.style import PAPERS, SIDE, Paper
from report_templates.proposal import Form
from report_templates.sections.card import card
from report_templates.sections.furniture import furniture
from report_templates.sections.memo import memo
from report_templates.sections.panel import panel_evidence, panel_request
from report_templates.sections.report import Report
from report_templates.sections.story import proposal, section_numbers

Page = Callable[[Report], Iterator[Flowable]]

_SHORT: Mapping[Form, tuple[str, tuple[Page, ...]]] = {
    "memo": ("doc.memo", (memo,)),
    "card": ("doc.card", (card,)),
    "panel": ("doc.panel", (panel_request, panel_evidence)),
}
"""What each short form is called, and what writes each of its pages."""


def document(dossier: Dossier, language: Language, paper: Paper, form: Form) -> bytes:
    """The PDF of one form."""
    if form == "proposal":
        return proposal(dossier, language, paper)
    size = PAPERS[paper]
    report = Report(dossier, language, size[0] - 2 * SIDE, section_numbers())
    kind, pages = _SHORT[form]
    story: list[Flowable] = []
    for write in pages:
        story += [*([PageBreak()] if story else []), one_page(list(write(report)), size, report.across)]
    return built(story, furniture(report, kind), size)
