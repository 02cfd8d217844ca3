"""Purpose and work plan: why, what comes out, what is run for it, and what this budget pays for and what not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, NODES, Work, WorkPlan, work_plan
from desktop_app.foundation.formatting import plain
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report

_DIGITS = 1  # decimals of hours, as they are rounded
_DASH = "–"
_ONCE = ("run", "pilot")  # a single job each; the others are many


def purpose(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield from project_notes(report)
    yield report.subhead(words("proposal.deliverable_title"))
    yield report.text(deliverable(report))
    yield report.subhead(words("proposal.scope_title"))
    yield from _scope(report)
    yield report.subhead(words("proposal.plan_title"))
    yield from plan_table(report)


def project_notes(report: Report) -> Iterator[Flowable]:
    """What the project says of its aim: paragraphs where it leaves lines empty, its lines as they are broken."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", report.dossier.notes) if part.strip()]
    if not paragraphs:
        yield report.text(report.words("proposal.no_purpose"))
    yield from (report.text(part) for part in paragraphs)


def deliverable(report: Report) -> str:
    """What there is at the end."""
    budget = report.budget
    key = "full" if budget.scenario.job.method == "full" else "tune"
    return report.words(
        f"proposal.deliverable_{key}",
        model=budget.estimate.model.name,
        params=report.value("params_total"),
        trainable=report.value("params_trainable"),
        tokens=report.value("tokens"),
        checkpoint=report.value("checkpoint_gb"),
        kept=report.value("checkpoints_kept"),
    )


def _scope(report: Report) -> Iterator[Flowable]:
    """What is priced, what is left out, and what no budget of a training run pays for."""
    words, budget = report.words, report.budget
    paid = [report.inside(report.name(line.key)) for line in budget.cost_lines if line.amount]
    left_out = [report.inside(report.name(key)) for key in budget.not_priced]
    if paid:
        yield report.text(words("proposal.scope_in", items=report.counted(paid)))
    if left_out:
        yield report.text(words("proposal.scope_out", items=report.counted(left_out)))
    yield report.text(words("proposal.scope_never"))


def plan_table(report: Report) -> Iterator[Flowable]:
    """What is run, how often, on how many nodes, how long."""
    words, plan = report.words, work_plan(report.budget)
    per_node = report.budget.estimate.cluster.gpus_per_node
    columns = (
        Column(words("proposal.head_work"), weight=1),
        Column(words("proposal.head_times"), "right"),
        Column(words("field.nodes"), "right"),
        Column(words("proposal.head_hours_each"), "right"),
        Column(words("figure.node_hours"), "right"),
        Column(words("figure.gpu_hours"), "right"),
    )
    rows = [_row(report, plan, work) for work in plan.works]
    sums = (_hours(plan, NODE_HOURS), _hours(plan, GPU_HOURS))
    rows.append(Row((words("line.total"), "", "", "", *sums), "base"))
    note = words("proposal.plan_note", count=per_node, per_node=per_node)
    return report.captioned_table(words("proposal.plan_table"), columns, rows, note=note)


def _row(report: Report, plan: WorkPlan, work: Work) -> Row:
    name = report.name(f"cost.{work.name}")
    hours = plan.values[work.node_hours]
    if hours is None:
        stated = not report.budget.ledger.missing(f"{work.name}_gpu_hours")
        key = "state.never_finishes" if stated else "proposal.not_stated"
        return Row((name, _DASH, _DASH, _DASH, Cell(report.words(key), "cell_warn"), _DASH))
    nodes = plain(plan.values[NODES] or 0, 0)
    times = plain(1) if work.name in _ONCE else _DASH
    cells = (_hours(plan, key) for key in (work.hours, work.node_hours, work.gpu_hours))
    return Row((name, times, nodes, *cells))


def _hours(plan: WorkPlan, key: str) -> str:
    value = plan.values[key]
    return _DASH if value is None else plain(value, _DIGITS)
