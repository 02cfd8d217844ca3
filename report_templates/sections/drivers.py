"""The inputs of a driver as a reader sees them: its low, base and high, in one unit."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.budget.uncertainty import Swing
from desktop_app.foundation.quantities import format_parts, format_value
from report_templates.sections.report import Report


@dataclass(frozen=True, slots=True)
class ShownInputs:
    """Low, base and high of an input: alone with their common unit, and each with its unit."""

    name: str
    unit: str
    numbers: tuple[str, ...]
    with_unit: tuple[str, ...]


def shown_inputs(report: Report, swing: Swing) -> ShownInputs:
    """The line that the driver moves. Time lost is shown as a factor on the prediction: no line says it better."""
    ledger, words = report.budget.ledger, report.words
    values: tuple[float | None, ...]
    if swing.driver == "overhead":
        unit, name = "factor", words("proposal.hours_factor")
        values = (ledger.value("driver.overhead.low"), 1.0, ledger.value("driver.overhead.high"))
    else:
        unit, name = ledger[swing.input_key].unit, report.name(swing.input_key)
        values = (swing.input_low, ledger.value(swing.input_key), swing.input_high)
    known = tuple(value or 0.0 for value in values)  # a driver of the tornado has all three
    numbers, shared = format_parts(known, unit, words)
    return ShownInputs(name, shared, numbers, tuple(format_value(value, unit, words) for value in known))
