"""How sure we are: the ranges of the headline figures, and what moves the total (or the time) most."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable

from desktop_app.budget.uncertainty import Swing, tornado
from desktop_app.foundation.formatting import span
from desktop_app.foundation.quantities import format_parts
from report_templates.pdf import charts
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.drivers import shown_inputs
from report_templates.sections.report import Report

_RANGED = ("cost.total", "wall_days", "gpu_hours", "energy_facility_kwh", "co2e_kg_location")
_PERCENTILES = ("p10", "p50", "p80", "p90")


def uncertainty(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(words("proposal.range_lead"))
    yield from _ranges(report)
    key = "cost.total" if report.priced else "wall_days"
    swings = tornado(report.budget.ledger, key)
    if not swings:
        return
    figure = report.inside(report.name(key))
    title = words("proposal.tornado_title", driver=report.inside(words(f"driver.{swings[0].driver}")), figure=figure)
    unit = report.currency if key == "cost.total" else words(f"unit.{report.budget.ledger[key].unit}")
    yield report.figure(title, words("proposal.tornado_unit", unit=unit), _chart(report, key, swings))
    yield from _drivers(report, key, swings)


def _ranges(report: Report) -> Iterator[Flowable]:
    """Base and percentiles of each headline figure, with one unit for a row."""
    words = report.words
    columns = (
        Column(words("head.figure"), weight=1),
        Column(words("head.unit")),
        Column(words("proposal.base_row"), "right"),
        *(Column(words(f"head.{name}"), "right") for name in _PERCENTILES),
    )
    return report.captioned_table(words("proposal.range_table"), columns, [_range_row(report, key) for key in _RANGED])


def _range_row(report: Report, key: str) -> Row:
    ledger = report.budget.ledger
    values = [ledger.value(key), *(ledger.value(f"{key}.{name}") for name in _PERCENTILES)]
    known = tuple(value for value in values if value is not None)
    if len(known) < len(values):
        word = report.words("line.not_priced" if key == "cost.total" else "state.not_known")
        return Row((report.name(key), "", Cell(word, "cell_warn"), "", "", "", ""))
    digits = report.money_digits if key == "cost.total" else None
    numbers, unit = format_parts(known, ledger[key].unit, report.words, report.budget.currency, digits)
    return Row((report.name(key), unit, *numbers))


def _chart(report: Report, key: str, swings: tuple[Swing, ...]) -> Flowable:
    base = report.budget.ledger.value(key) or 0.0
    drawn = [
        charts.Swing(
            label=report.words(f"driver.{swing.driver}"),
            low=swing.figure_low,
            high=swing.figure_high,
            low_text=_short(report, key, min(swing.figure_low, swing.figure_high)),
            high_text=_short(report, key, max(swing.figure_low, swing.figure_high)),
            inputs=_inputs(report, swing),
        )
        for swing in swings
    ]
    base_text = report.words("proposal.range_base", amount=_short(report, key, base))
    return charts.tornado(drawn, base, base_text, report.across)


def _short(report: Report, key: str, value: float) -> str:
    if key == "cost.total":
        return report.short(value)
    return format_parts((value,), report.budget.ledger[key].unit, report.words)[0][0]


def _inputs(report: Report, swing: Swing) -> str:
    shown = shown_inputs(report, swing)
    low, _, high = shown.numbers
    return f"{span(low, high)} {shown.unit}".strip()


def _drivers(report: Report, key: str, swings: tuple[Swing, ...]) -> Iterator[Flowable]:
    """The same as the chart, in figures, with where the limits come from."""
    words, figure = report.words, report.name(key)
    columns = (
        Column(words("proposal.head_driver"), weight=1),
        Column(words("proposal.head_input"), weight=1.4),
        Column(words("head.low"), "right"),
        Column(words("proposal.base_row"), "right"),
        Column(words("head.high"), "right"),
        Column(words("proposal.head_at_low", figure=figure), "right"),
        Column(words("proposal.head_at_high", figure=figure), "right"),
        Column(words("head.source")),
    )
    rows = [_driver_row(report, key, swing) for swing in swings]
    note = words("proposal.range_note")
    return report.captioned_table(words("proposal.drivers_table"), columns, rows, note=note)


def _driver_row(report: Report, key: str, swing: Swing) -> Row:
    ledger, words = report.budget.ledger, report.words
    digits = report.money_digits if key == "cost.total" else None
    ends = (swing.figure_low, swing.figure_high)
    figures = format_parts(ends, ledger[key].unit, words, report.budget.currency, digits)[0]
    shown = shown_inputs(report, swing)
    name = f"{shown.name}, {shown.unit}" if shown.unit else shown.name
    source = report.mark(ledger[f"driver.{swing.driver}.low"])
    return Row((words(f"driver.{swing.driver}"), name, *shown.numbers, *figures, source))
