"""Time: from tokens to days in a few rows, where a step's time goes, and what others measured."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.explain import formula_texts, how_text
from desktop_app.estimation.results import StepBreakdown
from desktop_app.foundation.formatting import percent, plain, significant
from report_templates.pdf.charts import Bar, bars
from report_templates.pdf.columns import Column, Row
from report_templates.sections.report import Report

_DERIVATION = (
    "flops_per_token",
    "training_flops",
    "step_time_s",
    "tokens_per_s_per_gpu",
    "mfu",
    "practice_factor",
    "net_hours",
    "checkpoint_hours",
    "failure_hours",
    "interruption_hours",
    "goodput",
    "evaluation_hours",
    "wall_days",
    "gpu_hours",
    "run_mfu",
)
"""The way from tokens to days in its large steps; the appendix has all of them."""
_LEAST_SHARE = 0.0005  # a cause below is printed as 0.0 % and left out of the chart


def time_lead(report: Report) -> str:
    """Where the hours of the run come from, in a sentence or two."""
    gpus = report.budget.estimate.cluster.gpus
    return report.words(
        report.in_practice("proposal.time_lead" if report.ends else "proposal.time_never"),
        tokens=report.value("tokens"),
        speed=report.value("tokens_per_s_per_gpu"),
        count=gpus,
        gpus=plain(gpus),
        factor=report.value("practice_factor"),
        net=report.value("net_hours"),
        days=report.value("wall_days"),
    )


def time(report: Report) -> Iterator[Flowable]:
    """The section."""
    words, ledger = report.words, report.budget.ledger
    yield report.text(time_lead(report), "lead")
    yield from _derivation(report)
    parts = report.budget.estimate.step_breakdown
    if parts is None:
        yield report.text(words("proposal.step_given"), "note")
    else:
        yield _step_figure(report, parts, ledger.value("step_time_s") or 0.0)
    if report.budget.estimate.closest_measured_runs:
        yield from measured_runs(report)


def _derivation(report: Report) -> Iterator[Flowable]:
    words = report.words
    columns = (
        Column(words("head.figure"), weight=1),
        Column(words("head.value"), "right"),
        Column(words("proposal.head_how"), weight=2),
    )
    rows = [_derived(report, key) for key in _DERIVATION if key in report.budget.ledger]
    return report.captioned_table(words("proposal.time_table"), columns, rows, tight=True)


def _derived(report: Report, key: str) -> Row:
    formula, _ = formula_texts(report.budget, key, report.words)
    how = formula or how_text(key, report.words) or report.cited(report.budget.ledger[key])
    return Row((report.name(key), report.value(key), how))


def _step_figure(report: Report, parts: StepBreakdown, step_s: float) -> Flowable:
    """Bars for the causes of a step's time, longest first."""
    seconds = {field.name: getattr(parts, field.name) for field in dataclasses.fields(parts)}
    total = sum(seconds.values())
    ranked = sorted(seconds.items(), key=lambda item: -item[1])
    drawn = [
        Bar(
            report.words(f"breakdown.{name}"),
            value,
            significant(value),
            percent(value / total, 1, report.language),
            number == 0,
        )
        for number, (name, value) in enumerate(ranked)
        if value / total >= _LEAST_SHARE
    ]
    first, longest = ranked[0]
    cause = report.inside(report.words(f"breakdown.{first}"))
    title = report.words("proposal.step_title", cause=cause, share=percent(longest / total, 0, report.language))
    unit = report.words("proposal.step_unit", seconds=report.value("step_time_s"))
    return report.figure(title, unit, bars(drawn, report.across))


def measured_runs(report: Report) -> Iterator[Flowable]:
    """This job, predicted, and the published runs nearest to it."""
    words, estimate = report.words, report.budget.estimate
    columns = (
        Column(words("proposal.head_run"), weight=1.1),
        Column(words("field.gpu")),
        Column(words("proposal.head_gpus"), "right"),
        Column(words("proposal.head_mfu"), "right"),
        Column(words("proposal.head_tokens"), "right"),
        Column(words("head.source"), weight=1.5),
    )
    ledger, dash = report.budget.ledger, "–"
    own = _speed_cells(ledger.value("mfu"), ledger.value("tokens_per_s_per_gpu"), dash)
    cluster = estimate.cluster
    found = words("proposal.section_cell", section=report.number("appendix"))
    rows = [Row((words("proposal.this_job"), cluster.gpu.name, plain(cluster.gpus), *own, found), "ask")]
    for run in estimate.closest_measured_runs:
        speed = _speed_cells(run.mfu, run.tokens_per_s_per_gpu, dash)
        rows.append(Row((run.name, run.gpu, plain(run.gpus), *speed, f"{run.source}, {run.as_of}")))
    return report.captioned_table(words("proposal.runs_table"), columns, rows, True, words("proposal.runs_note"))


def _speed_cells(mfu: float | None, tokens_per_s: float | None, dash: str) -> tuple[str, str]:
    return (
        dash if mfu is None else plain(mfu * 100, 1),
        dash if tokens_per_s is None else significant(tokens_per_s),
    )
