"""Schedule and monthly spend: when the run starts and ends, and what each month takes of hours and money."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import accumulate, pairwise

from reportlab.platypus import Flowable

from desktop_app.budget.dossier.schedule import Month
from desktop_app.foundation.formatting import plain
from report_templates.pdf.columns import Column, Row
from report_templates.pdf.month_chart import MonthBar, month_chart
from report_templates.sections.report import Report

_NOTHING = 1e-9
_BESIDE_THE_RUN = ("development_gpu_hours", "pilot_gpu_hours", "idle_gpu_hours", "staff_months")  # may fall before it
_LONG = 12  # rows from which the table is set close
_RUN = (("days", 1), ("gpu_hours", 0))  # figures of a month, and their decimals
_RUN_TOTALS = (("wall_days", 1), ("gpu_hours", 0))


def schedule(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(_lead(report), "lead")
    if not report.ends:
        return
    shown = months_shown(report)
    if report.priced and len(shown) > 1:
        dearest = _dearest(report, shown)
        title = words("proposal.months_title", month=month_name(report, dearest))
        unit = words("proposal.months_unit", currency=report.currency)
        drawn = [_bar(report, month, month is dearest) for month in shown]
        yield report.figure(title, unit, month_chart(drawn, report.across))
    yield from _table(report, shown)
    yield report.text(words("proposal.checkpoint_rule", interval=report.value("checkpoint_interval_minutes")), "note")


def _lead(report: Report) -> str:
    """When it starts, whether anyone said so, and when it ends."""
    words, plan, value = report.words, report.dossier.schedule, report.budget.ledger.value
    start = plan.start.isoformat()
    days, late = value("wall_days"), value("wall_days.p90")
    if not report.ends or days is None or late is None:
        return words("proposal.schedule_never", start=start)
    key = "proposal.schedule_stated" if plan.stated else "proposal.schedule_today"
    ends = {"end": _day_after(report, days), "late": _day_after(report, late)}
    return words(key, start=start, days=report.value("wall_days"), range=report.span("wall_days"), **ends)


def _day_after(report: Report, days: float) -> str:
    """The day on which so many days have passed since the start."""
    start = report.dossier.schedule.start
    if days >= (start.max - start).days:
        return report.words("proposal.far_off")
    return (start + timedelta(days=days)).isoformat()


def months_shown(report: Report) -> list[Month]:
    """All months until nothing more is run or spent, and the first of them always."""
    plan = report.dossier.schedule

    def is_used(month: Month) -> bool:
        figures = (plan.values[month.keys[name]] for name in ("gpu_hours", "total", "billed"))
        return any(figure is not None and abs(figure) > _NOTHING for figure in figures)

    last = max((number for number, month in enumerate(plan.months) if is_used(month)), default=0)
    return list(plan.months[: last + 1])


def month_name(report: Report, month: Month) -> str:
    """2026-12, or that it is all that comes later."""
    return report.words("proposal.later") if month.first is None else f"{month.first:%Y-%m}"


def _dearest(report: Report, shown: list[Month]) -> Month:
    """Of the months of the calendar."""
    values = report.dossier.schedule.values
    months = [month for month in shown if month.first is not None]
    return max(months, key=lambda month: values[month.keys["total"]] or 0.0)


def _bar(report: Report, month: Month, selected: bool) -> MonthBar:
    values = report.dossier.schedule.values
    amount, until = values[month.keys["total"]] or 0.0, values[month.keys["cumulative"]] or 0.0
    return MonthBar(month_name(report, month), amount, report.short(amount), until, report.short(until), selected)


def _table(report: Report, shown: list[Month]) -> Iterator[Flowable]:
    words, values = report.words, report.dossier.schedule.values
    signed = "cost.committed" in report.budget.ledger
    columns = (
        Column(words("proposal.head_month"), weight=1),
        Column(words("head.days"), "right"),
        Column(words("figure.gpu_hours"), "right"),
        Column(words("proposal.head_spent", currency=report.currency), "right"),
        *((Column(words("proposal.head_billed", currency=report.currency), "right"),) if signed else ()),
        Column(words("proposal.head_cumulative", currency=report.currency), "right"),
    )
    names = ["total", *(["billed"] if signed else []), "cumulative"]
    days, hours = (_parts([values[month.keys[name]] for month in shown], digits) for name, digits in _RUN)
    rows = [
        Row((month_name(report, month), *ran, *(report.priced_or(values[month.keys[name]]) for name in names)))
        for month, *ran in zip(shown, days, hours, strict=True)
    ]
    billed = [values[month.keys["billed"]] for month in shown]
    sums = [report.priced_or(report.budget.ledger.value("cost.total"))]
    if signed:
        sums.append(report.priced_or(None if None in billed else sum(part for part in billed if part is not None)))
    ran = (plain(report.budget.ledger.value(key) or 0.0, digits) for key, digits in _RUN_TOTALS)
    rows.append(Row((words("line.total"), *ran, *sums, ""), "base"))
    note = words("proposal.months_note_contract" if signed else "proposal.months_note")
    if any(report.budget.ledger.value(key) for key in _BESIDE_THE_RUN):
        note += ("" if report.language == "zh" else " ") + words("proposal.months_note_beside")
    return report.captioned_table(words("proposal.months_table"), columns, rows, len(rows) > _LONG, note)


def _parts(values: list[float | None], digits: int) -> list[str]:
    """Figures of the months as texts, rounded at the ends of months, so that they add up to the rounded whole."""
    ends = [0.0, *(round(end, digits) for end in accumulate(value or 0.0 for value in values))]
    return [plain(end - start, digits) for start, end in pairwise(ends)]
