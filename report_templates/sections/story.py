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

_PAGE = 600.0  # points: more than any page has left once it has begun


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its key, the words of its title, what writes it, and the points it wants on a page that has begun.

    They hold its heading, its first sentences, and the first of its tables or charts.
    """

    key: str
    title: str
    write: Callable[[Report], Iterator[Flowable]]
    room: float = 120.0


SECTIONS = (
    Section("purpose", "doc.purpose", purpose, _PAGE),
    Section("cost", "doc.cost", cost, 290.0),
    Section("purchases", "doc.options", purchases, 240.0),
    Section("schedule", "doc.schedule", schedule, 240.0),
    Section("fit", "doc.fit", fit, 270.0),
    Section("time", "doc.time", time, 240.0),
    Section("energy", "doc.energy", energy, 200.0),
    Section("alternatives", "doc.alternatives", alternatives, 240.0),
    Section("uncertainty", "doc.uncertainty", uncertainty, 240.0),
    Section("risks", "doc.risks", risks, 270.0),
    Section("thresholds", "doc.thresholds", thresholds, 240.0),
    Section("sign_off", "doc.signoff", sign_off, 440.0),
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
    yield from _written(report, SECTIONS, "section")
    yield NextPageTemplate("columns")
    yield PageBreak()
    report.across = column_width(report.across)
    yield from _written(report, APPENDICES, "subhead")


def _written(report: Report, sections: tuple[Section, ...], kind: str) -> Iterator[Flowable]:
    for section in sections:
        yield CondPageBreak(section.room)
        yield report.section(section.key, report.words(section.title), kind)
        yield from section.write(report)
