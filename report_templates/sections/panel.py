"""Two pages for a panel that grants machine time: what is run, that its speed is real, storage, people, milestones."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable, Spacer

from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, work_plan
from desktop_app.foundation.formatting import plain
from report_templates.pdf.columns import Column, Row
from report_templates.sections.cover import brand_row
from report_templates.sections.decision import layout_text
from report_templates.sections.memo import short_note
from report_templates.sections.purpose import deliverable, plan_table, project_notes
from report_templates.sections.report import Report
from report_templates.sections.schedule import month_name, months_shown
from report_templates.sections.self_check import failed_checks
from report_templates.sections.time import measured_runs, time_lead

_LONGEST_NOTES = 1500  # characters that leave room for the figures; longer ones stand in the proposal
_MILESTONES = 12  # months in one column of the table
_LINE = 20.0  # points to write in


def panel_request(report: Report) -> Iterator[Flowable]:
    """The first page: the request, its purpose, and how the hours come about."""
    words = report.words
    yield brand_row(report, "doc.panel")
    yield Spacer(1, 10)
    yield report.heading(report.title, "section")
    yield report.text(_request(report), "lead")
    yield from failed_checks(report)
    yield report.heading(words("proposal.panel_purpose"), "memo_head")
    if len(report.dossier.notes) <= _LONGEST_NOTES:
        yield from project_notes(report)
    else:
        yield report.text(words("proposal.panel_notes", section=report.number("purpose")))
    yield report.text(deliverable(report))
    yield report.heading(words("proposal.panel_hours"), "memo_head")
    yield from plan_table(report)
    yield report.text(time_lead(report))
    yield report.text(_range(report))


def panel_evidence(report: Report) -> Iterator[Flowable]:
    """The second page: evidence of the speed, memory, storage, people, milestones, other requests."""
    words = report.words
    yield report.heading(words("proposal.panel_speed"), "memo_head")
    if report.budget.estimate.closest_measured_runs:
        yield report.text(words("proposal.panel_runs"))
        yield from measured_runs(report)
    else:
        yield report.text(words("proposal.panel_no_runs"))
    yield report.heading(words("proposal.panel_fit"), "memo_head")
    yield report.text(_fit(report))
    yield report.heading(words("proposal.panel_storage"), "memo_head")
    yield report.text(_storage(report))
    yield report.heading(words("proposal.panel_people"), "memo_head")
    yield report.text(_people(report))
    yield report.heading(words("proposal.panel_milestones"), "memo_head")
    yield from _milestones(report)
    yield report.heading(words("proposal.panel_pending"), "memo_head")
    yield _blank(report)
    yield short_note(report)


def _request(report: Report) -> str:
    """So many node-hours, on which nodes."""
    words, plan, cluster = report.words, work_plan(report.budget), report.budget.estimate.cluster
    node_hours, gpu_hours = plan.values[NODE_HOURS], plan.values[GPU_HOURS]
    if node_hours is None or gpu_hours is None:
        return words("proposal.panel_never")
    return words(
        "proposal.panel_ask",
        node_hours=plain(node_hours, 1),
        gpu_hours=plain(gpu_hours, 1),
        count=cluster.gpus_per_node,
        per_node=cluster.gpus_per_node,
        gpu=cluster.gpu.name,
    )


def _range(report: Report) -> str:
    if report.budget.ledger.value("gpu_hours.p80") is None:
        return report.words("proposal.panel_range_unknown")
    return report.words("proposal.panel_range", range=report.span("gpu_hours"), p80=report.value("gpu_hours.p80"))


def _fit(report: Report) -> str:
    """The verdict on memory, the layout, and how a stop is survived."""
    words, estimate = report.words, report.budget.estimate
    return words(
        "proposal.panel_fit_text",
        verdict=words(f"proposal.fits_{estimate.fits}"),
        peak=report.gib(estimate.memory.peak),
        usable=report.gib(estimate.cluster.gpu.usable_memory_bytes),
        layout=layout_text(report),
        interval=report.value("checkpoint_interval_minutes"),
        failures=report.value("failures"),
    )


def _storage(report: Report) -> str:
    return report.words(
        "proposal.panel_storage_text",
        data=report.value("data_gb"),
        checkpoint=report.value("checkpoint_gb"),
        kept=report.value("checkpoints_kept"),
        speed=report.value("checkpoint_write_gb_per_s"),
        months=report.value("storage_months"),
    )


def _people(report: Report) -> str:
    words = report.words
    if report.budget.ledger.value("staff_months") is None:
        return words("proposal.panel_no_people", blank=words("proposal.to_fill"))
    return words("proposal.panel_people_text", staff=report.value("staff_months"), blank=words("proposal.to_fill"))


def _milestones(report: Report) -> Iterator[Flowable]:
    """The months in which the run computes, with its hours and how far it has come; several months side by side."""
    words, values = report.words, report.dossier.schedule.values
    months = [month for month in months_shown(report) if values[month.keys["gpu_hours"]]]
    if not report.ends or not months:
        yield report.text(words("proposal.panel_no_milestones"))
        return
    cells = []
    for month in months:
        hours, done = values[month.keys["gpu_hours"]] or 0.0, values[month.keys["run_share"]] or 0.0
        cells.append((month_name(report, month), plain(hours, 0), f"{plain(done * 100, 0)}"))
    height = max(-(-len(cells) // 3), min(len(cells), _MILESTONES))
    groups = [cells[start : start + height] for start in range(0, len(cells), height)]
    head = (
        Column(words("proposal.head_month"), weight=1),
        Column(words("figure.gpu_hours"), "right"),
        Column(words("proposal.head_done"), "right"),
    )
    rows = [
        Row(sum((group[row] if row < len(group) else ("", "", "") for group in groups), ())) for row in range(height)
    ]
    yield report.table(head * len(groups), rows, tight=True)


def _blank(report: Report) -> Flowable:
    """A line for each other request, to be filled in."""
    heads = ("proposal.head_programme", "proposal.head_requested", "proposal.head_state")
    columns = tuple(Column(report.words(head), weight=1) for head in heads)
    return report.table(columns, [Row(("", "", Spacer(1, _LINE)))] * 2, tight=True)
