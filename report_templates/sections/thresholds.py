"""Training compute against published thresholds, and what Annex XI of the AI Act asks to be documented."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.dossier.thresholds import Threshold, counted_flop, modifies
from desktop_app.foundation.formatting import percent, scientific, significant
from desktop_app.foundation.quantities import format_source, format_value
from report_templates.pdf.blocks import Run
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report
from report_templates.style import LIGHT

_LEAST_PERCENT = 0.0005  # of a threshold: below, a share is told as a power of ten


def thresholds(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(words("proposal.thresholds_lead", flop=counted(report)), "lead")
    columns = (
        Column(words("proposal.head_threshold"), "right"),
        Column(words("proposal.head_rule"), weight=1, room=0.6),
        Column(words("proposal.head_reached"), "right"),
        Column(words("proposal.head_date")),
    )
    rows = [_row(report, threshold) for threshold in report.dossier.thresholds]
    yield from report.captioned_table(words("proposal.thresholds_table"), columns, rows)
    yield report.text(_counting(report), "note")
    yield from annex(report)


def counted(report: Report) -> str:
    """The compute that counts, as far as this budget knows it."""
    return format_value(counted_flop(report.budget), "flop", report.words)


def _row(report: Report, threshold: Threshold) -> Row:
    words = report.words
    source = format_source(threshold.source, words)
    rule = [
        Run(words(f"threshold.{threshold.key}"), bold=True),
        Run(f"\n{words(f'threshold.{threshold.key}.status')}"),
        Run(f"\n{source}", tone=LIGHT.text3),
    ]
    shown = report.runs(rule, "cell")
    return Row((scientific(threshold.flop, 0), shown, _reached(report, threshold), threshold.source.as_of))


def _reached(report: Report, threshold: Threshold) -> str | Cell:
    """The share, and the verdict in words."""
    share, words = threshold.share, report.words
    if share is None:
        return Cell(words("state.not_known"), "cell_warn")
    shown = percent(share, 1, report.language)
    if share < _LEAST_PERCENT:
        shown = f"{significant(share * 100, 2)}{'' if report.language == 'zh' else ' '}%"
    verdict = words("proposal.reached" if threshold.reached else "proposal.not_reached")
    return Cell(f"{shown}\n{verdict}", "cell_warn" if threshold.reached else "cell")


def _counting(report: Report) -> str:
    """What is in the compute, what is not, and that this is no legal advice."""
    words = report.words
    keys = ["proposal.counted_developed" if report.developed else "proposal.counted_final"]
    if modifies(report.budget):
        keys.append("proposal.counted_modifies")
    keys.append("proposal.no_advice")
    return ("" if report.language == "zh" else " ").join(words(key) for key in keys)


def annex(report: Report) -> Iterator[Flowable]:
    """What a provider has to document of the training, as far as it can be known before it."""
    words, estimate = report.words, report.budget.estimate
    cluster = words("proposal.annex_cluster", count=estimate.cluster.gpus, gpus=report.value("gpus"),
                    gpu=estimate.cluster.gpu.name)  # fmt: skip
    columns = (Column(words("head.figure"), weight=1), Column(words("head.value"), weight=1.6))
    shown = (
        (words("proposal.annex_compute"), counted(report)),
        (words("proposal.annex_parameters"), report.value("params_total")),
        (words("proposal.annex_tokens"), report.value("tokens")),
        (words("proposal.annex_hardware"), cluster),
        (words("proposal.annex_time"), _with_range(report, "wall_days")),
        (words("figure.gpu_hours"), _with_range(report, "gpu_hours")),
        (words("proposal.annex_energy"), _with_range(report, "energy_facility_kwh")),
    )
    rows = [Row(cells) for cells in shown]
    yield from report.captioned_table(words("proposal.annex_table"), columns, rows, True, words("proposal.annex_note"))


def _with_range(report: Report, key: str) -> str:
    """A figure with its P10 to P90, where it is known."""
    if report.budget.ledger.value(key) is None:
        return report.value(key)
    return report.words("proposal.with_range", value=report.value(key), range=report.span(key))
