"""The proposal from cover to appendices: which sections there are, in which order, and on what kind of page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_uppercase

from reportlab.platypus import CondPageBreak, Flowable, NextPageTemplate, PageBreak

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Language
from report_templates.pdf.document import built, column_width
from report_templates.pdf.style import PAPERS, SIDE, Paper
from report_templates.sections.alternatives import alternatives
from report_templates.sections.appendix import appendix
from report_templates.sections.assumptions import assumptions, sources
from report_templates.sections.cost import cost
from report_templates.sections.cover import cover
from report_templates.sections.energy import energy
from report_templates.sections.fit import fit
from report_templates.sections.furniture import furniture
from report_templates.sections.glossary import glossary
from report_templates.sections.purchases import purchases
from report_templates.sections.purpose import purpose
from report_templates.sections.rebuild import rebuild
from report_templates.sections.report import Report
from report_templates.sections.risks import risks
from report_templates.sections.schedule import schedule
from report_templates.sections.sign_off import sign_off
from report_templates.sections.thresholds import thresholds
from report_templates.sections.time import time
from report_templates.sections.uncertainty import uncertainty

_ROOM = 230.0  # a section that follows another one on a page wants so much of it, in points
_ROOM_IN_COLUMN = 120.0


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its key, the words of its title, what writes it, and whether it always starts a page."""

    key: str
    title: str
    write: Callable[[Report], Iterator[Flowable]]
    new_page: bool = False


SECTIONS = (
    Section("purpose", "doc.purpose", purpose, new_page=True),
    Section("cost", "doc.cost", cost),
    Section("purchases", "doc.options", purchases),
    Section("schedule", "doc.schedule", schedule),
    Section("fit", "doc.fit", fit),
    Section("time", "doc.time", time),
    Section("energy", "doc.energy", energy),
    Section("alternatives", "doc.alternatives", alternatives),
    Section("uncertainty", "doc.uncertainty", uncertainty),
    Section("risks", "doc.risks", risks),
    Section("thresholds", "doc.thresholds", thresholds),
    Section("sign_off", "doc.signoff", sign_off),
)
APPENDICES = (
    Section("assumptions", "doc.assumptions", assumptions),
    Section("appendix", "doc.appendix", appendix),
    Section("sources", "doc.sources", sources),
    Section("glossary", "doc.glossary", glossary),
    Section("rebuild", "doc.rebuild", rebuild),
)
"""Set in two columns, and counted A, B, C."""


def proposal(dossier: Dossier, language: Language, paper: Paper) -> bytes:
    """The PDF."""
    size = PAPERS[paper]
    report = Report(dossier, language, size[0] - 2 * SIDE, section_numbers())
    return built(list(_story(report)), furniture(report, "doc.proposal"), size)


def section_numbers() -> Mapping[str, str]:
    """What each section is called by other places; the short forms refer to those of the whole proposal."""
    numbers = {section.key: str(number) for number, section in enumerate(SECTIONS, 1)}
    return numbers | {section.key: letter for section, letter in zip(APPENDICES, ascii_uppercase, strict=False)}


def _story(report: Report) -> Iterator[Flowable]:
    yield from cover(report)
    yield from _written(report, SECTIONS, "section", _ROOM)
    yield NextPageTemplate("columns")
    yield PageBreak()
    report.across = column_width(report.across)
    yield from _written(report, APPENDICES, "subhead", _ROOM_IN_COLUMN)


def _written(report: Report, sections: tuple[Section, ...], kind: str, room: float) -> Iterator[Flowable]:
    for section in sections:
        yield PageBreak() if section.new_page else CondPageBreak(room)
        yield report.section(section.key, report.words(section.title), kind)
        yield from section.write(report)
