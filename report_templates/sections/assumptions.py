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
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.checks import notes
from report_templates.sections.report import Report

_DASH = "–"
_NOT_ASSUMED = ("run", "cost")  # groups of lines that are choices without a default
_CITED = 56  # characters of a source in the register; the list of sources has all of it


def assumptions(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(words("proposal.assumptions_lead"))
    columns = (
        Column(words("proposal.head_id")),
        Column(words("proposal.head_assumption"), weight=1),
        Column(words("head.value"), "right"),
        Column(words("proposal.head_from")),
        Column(words("head.source"), weight=1.25),
        Column(words("proposal.head_date")),
    )
    yield report.table(columns, list(_rows(report)), tight=True)
    found = notes(report)
    if found:
        yield report.subhead(words("proposal.notes_title"))
        yield from (report.text(sentence, "note") for sentence in found)


def _rows(report: Report) -> Iterator[Row]:
    """The given lines under the names of their groups."""
    numbers, group = count(1), ""
    old = report.old_sources()
    for line in report.budget.ledger:
        if line.expression is not None or (line.given is None and line.group in _NOT_ASSUMED):
            continue  # a line that nobody stated is no assumption: it stands among the costs as not priced
        if line.group != group:
            group = line.group
            yield Row(("", report.words(f"group.{group}"), "", "", "", ""), "group")
        yield _row(report, line, f"A{next(numbers)}", line.source in old)


def _row(report: Report, line: Line, number: str, is_old: bool) -> Row:
    words = report.words
    value: str | Cell = report.value(line.key)
    if line.given is None:
        value = Cell(report.value(line.key), "cell_warn")
    date: str | Cell = line.source.as_of or _DASH
    if is_old:
        date = Cell(words("proposal.dated_old", date=line.source.as_of), "cell_warn")
    origin = (_tag(report, line), _source(report, line))
    return Row((Cell(number, "cell_soft"), report.name(line.key), value, *origin, date))


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
    """The list that S1, S2 ... point to."""
    words = report.words
    yield report.text(words("proposal.sources_lead"))
    columns = (
        Column(words("head.number")),
        Column(words("head.source"), weight=1),
        Column(words("head.quality")),
        Column(words("proposal.head_date")),
    )
    rows = [
        Row((use.mark, format_source(use.source, words), _quality(report, use.source.quality), use.source.as_of))
        for use in report.sources.values()
    ]
    table = report.table(columns, rows, tight=True)
    table.closing = True
    yield table


def _quality(report: Report, quality: str) -> str:
    """The quality word of a table, in the reader's language where the catalogue has it."""
    key = f"quality.{quality.replace(' ', '_')}"
    return report.words(key) if report.words.has(key) else quality or _DASH
