"""Memory fit and layout: the bar of one GPU's memory, the settings of job and cluster, and what would make it fit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from reportlab.platypus import Flowable

from desktop_app.budget.remedy_words import effort_words, memory_words
from desktop_app.estimation.results import Remedy
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.units import BYTES_PER_GIB
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.pdf.memory_chart import MemoryPicture, Part, memory_bar
from report_templates.sections.report import Report
from report_templates.settings_shown import choice_words, settings

_TERMS = ("weights", "gradients", "optimizer", "activations", "logits", "buffers")
_LEAST_GIB = 0.1
_SAME_TIME = 0.005  # less than the half per cent that would be rounded to 1


def fit(report: Report) -> Iterator[Flowable]:
    """The section."""
    words, estimate = report.words, report.budget.estimate
    memory, usable = estimate.memory, estimate.cluster.gpu.usable_memory_bytes
    yield report.text(_lead(report), "lead")
    free = usable - memory.peak
    title = words("proposal.memory_free" if free >= 0 else "proposal.memory_short", gib=report.gib(abs(free)))
    yield report.figure(title, words("proposal.memory_unit"), memory_bar(_picture(report), report.across))
    yield report.text(_notes(report), "note")
    if estimate.remedies:
        yield from _remedies(report)
    yield from _settings(report)


def _lead(report: Report) -> str:
    estimate, words = report.budget.estimate, report.words
    memory = estimate.memory
    return words(
        "proposal.fit_lead",
        verdict=words(f"proposal.fits_{estimate.fits}"),
        peak=report.gib(memory.peak),
        high=report.gib(memory.peak_high),
        usable=report.gib(estimate.cluster.gpu.usable_memory_bytes),
        moment=words(memory.moment) if words.has(memory.moment) else memory.moment,
    )


def _picture(report: Report) -> MemoryPicture:
    estimate, words = report.budget.estimate, report.words
    memory, usable = estimate.memory, estimate.cluster.gpu.usable_memory_bytes

    def part(name: str, size: float) -> Part:
        return Part(name, size, f"< {plain(_LEAST_GIB)}" if 0 < size < _LEAST_GIB * BYTES_PER_GIB else report.gib(size))

    return MemoryPicture(
        parts=tuple(part(words(f"memory.{term}"), getattr(memory, term)) for term in _TERMS),
        allowance=part(words("memory.allowance"), memory.allowance),
        high=memory.peak_high,
        high_text=words("proposal.memory_high", gib=report.gib(memory.peak_high)),
        usable=part(words("proposal.usable"), usable),
    )


def _notes(report: Report) -> str:
    """The precision recipe, and what else memory is needed for."""
    memory, words = report.budget.estimate.memory, report.words
    sentences = []
    if words.has(memory.recipe):
        sentences.append(words("proposal.fit_recipe", recipe=words(memory.recipe)))
    if memory.outside_step_bytes > memory.live_peak:
        sentences.append(words("proposal.fit_outside", gib=report.gib(memory.outside_step_bytes)))
    if memory.host_bytes > 0:
        sentences.append(words("proposal.fit_host", gib=report.gib(memory.host_bytes)))
    return ("" if report.language == "zh" else " ").join(sentences)


def _settings(report: Report) -> Iterator[Flowable]:
    """Every choice of model, job and cluster with its value and who made it, in two halves side by side."""
    words, estimate = report.words, report.budget.estimate
    half = (
        Column(words("proposal.head_setting")),
        Column(words("head.value"), weight=1),
        Column(words("proposal.head_from")),
    )
    nodes = words("proposal.nodes", nodes=plain(estimate.cluster.nodes), per_node=estimate.cluster.gpus_per_node)
    computed = words("tag.computed")
    cells = [
        *((setting.name, setting.value, words(setting.origin)) for setting in settings(report.budget, words)),
        (words("field.nodes"), nodes, computed),
        (words("ledger.dp"), plain(estimate.plan.dp), computed),
        (words("ledger.accumulation"), plain(estimate.plan.accumulation), computed),
    ]
    middle = (len(cells) + 1) // 2
    rows = [Row((*left, *right)) for left, right in zip_longest(cells[:middle], cells[middle:], fillvalue=("", "", ""))]
    note = words("proposal.settings_note")
    return report.captioned_table(words("proposal.settings_table"), (*half, *half), rows, True, note)


def _remedies(report: Report) -> Iterator[Flowable]:
    words = report.words
    columns = (
        Column(words("proposal.head_change"), weight=1),
        Column(words("proposal.head_memory"), "right"),
        Column(words("proposal.head_step"), "right"),
        Column(words("proposal.head_verdict")),
    )
    rows = [_remedy(report, remedy) for remedy in report.budget.estimate.remedies]
    return report.captioned_table(words("proposal.remedies_table"), columns, rows)


def _remedy(report: Report, remedy: Remedy) -> Row:
    words = report.words
    value = choice_words(remedy.field, _whole(remedy.value), words)
    fits = Cell(words(f"verdict.{remedy.fits}"), "cell_bold")
    return Row(
        (
            words("proposal.part", name=words(f"field.{remedy.field}"), value=value),
            memory_words(remedy, words),
            effort_words(remedy, words),
            fits,
        )
    )


def _whole(value: str | float) -> str | float:
    return int(value) if isinstance(value, float) and value == int(value) else value
