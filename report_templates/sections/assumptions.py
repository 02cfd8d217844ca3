"""The register of assumptions: every figure that is not computed, with origin, source and date; then the sources."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import count

from reportlab.platypus import Flowable

from desktop_app.budget.explain import row_words
from desktop_app.budget.ledger import Line
from desktop_app.foundation.quantities import format_source
from report_templates.figures import source_text
from report_templates.pdf.blocks import WIDE, Run
from report_templates.sections.checks import notes
from report_templates.sections.report import Report
from report_templates.style import LIGHT

_DASH = "–"
_NOT_ASSUMED = ("run", "cost")  # groups of lines that are choices without a default
_CITED = 60  # characters of a source in the register; the list of sources has all of it


def assumptions(report: Report) -> Iterator[Flowable]:
    """The section: one paragraph a line, under the names of their groups, in narrow columns; then the notes."""
    words, numbers, group = report.words, count(1), ""
    yield report.text(words("proposal.assumptions_lead"), "small")
    old = report.old_sources()
    for line in report.budget.ledger:
        if not is_assumed(line):
            continue
        if line.group != group:
            group = line.group
            yield report.text(words(f"group.{group}"), "group_small")
        yield _entry(report, line, f"A{next(numbers)}", line.source in old)
    found = notes(report)
    if found:
        yield report.heading_in_column(words("proposal.notes_title"))
        yield from (report.text(sentence, "formula") for sentence in found)


def is_assumed(line: Line) -> bool:
    """Whether a line is given, and by somebody: what nobody stated stands among the costs as not priced."""
    return line.expression is None and not (line.given is None and line.group in _NOT_ASSUMED)


def _entry(report: Report, line: Line, number: str, is_old: bool) -> Flowable:
    """Number, name and value; who gave it, its source and date."""
    words = report.words
    known = line.given is not None
    date = words("proposal.dated_old", date=line.source.as_of) if is_old else line.source.as_of
    origin = words("list.comma").join(part for part in (_tag(report, line), _source(report, line), date) if part)
    parts = [
        Run(f"{number}{WIDE}", tone=LIGHT.text3),
        Run(report.name(line.key)),
        Run(f" {report.value(line.key)}", bold=True, tone=None if known else LIGHT.warn),
        Run(f"{WIDE}{origin}", tone=LIGHT.warn if is_old else LIGHT.accent if line.tag == "yours" else LIGHT.text3),
    ]
    return report.runs(parts, "formula")


def _tag(report: Report, line: Line) -> str:
    if line.field in report.budget.estimate.chosen:
        return report.words("proposal.from_program")
    return report.words(f"tag.{line.tag}")


def _source(report: Report, line: Line) -> str:
    """The source in few words; for what the program found or chose, the section that tells how."""
    if line.tag == "predicted":
        return report.mark(line)
    if line.field in report.budget.estimate.chosen:
        return report.words("proposal.section_cell", section=report.number("fit"))
    if line.source not in report.sources:
        return source_text(line, report.words)
    words = row_words(line.row_text, report.words) or format_source(line.source, report.words)
    return f"{report.mark(line)} {textwrap.shorten(words, _CITED, placeholder=' ...')}"


def sources(report: Report) -> Iterator[Flowable]:
    """The list that S1, S2 ... point to, in narrow columns."""
    words = report.words
    yield report.text(words("proposal.sources_lead"), "small")
    for use in report.sources.values():
        parts = [use.source.as_of, _quality(report, use.source.quality)]
        told = words("list.comma").join(part for part in parts if part != _DASH)
        mark = Run(f"{use.mark}{WIDE}", bold=True)
        yield report.runs([mark, Run(format_source(use.source, words)), Run(f" ({told})", tone=LIGHT.text3)], "formula")


def _quality(report: Report, quality: str) -> str:
    """The quality word of a table, in the reader's language where the catalogue has it."""
    key = f"quality.{quality.replace(' ', '_')}"
    return report.words(key) if report.words.has(key) else quality or _DASH
