"""What moves a figure most: each driver taken to its low and to its high, one at a time, all else at the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.budget.ledger import Ledger
from desktop_app.budget.lines_range import DRIVERS
from desktop_app.foundation.scalar_ops import Number

DRIVEN: Mapping[str, str] = {
    "speed": "step_time_s",
    "overhead": "goodput",
    "price": "price_usd_per_gpu_hour",
    "power": "node_power_kw",
    "pue": "pue",
    "grid": "grid_g_per_kwh",
}
"""The line that each driver's factor multiplies; goodput it divides, since hours are net hours over goodput."""


@dataclass(frozen=True, slots=True)
class Swing:
    """One bar of a tornado: the input at its P10 and P90, and the figure that each gives.

    `input_key` is the line that the driver moves. Only the input of "overhead" is not that line's value but a share:
    hours of the run over the predicted ones.
    """

    driver: str
    input_key: str
    input_unit: str
    input_low: float
    input_high: float
    figure_low: float  # the figure with the input at its low
    figure_high: float

    @property
    def width(self) -> float:
        """How far the figure moves."""
        return abs(self.figure_high - self.figure_low)


def driven(ledger: Ledger, factors: Mapping[str, Number]) -> dict[str, Number]:
    """The changes to the ledger's lines that take each driver to its factor; unknown lines are left out."""
    changes: dict[str, Any] = {}
    for driver, factor in factors.items():
        base = ledger.value(DRIVEN[driver])
        if base is not None:
            changes[DRIVEN[driver]] = base / factor if driver == "overhead" else base * factor
    return changes


def tornado(ledger: Ledger, figure: str) -> tuple[Swing, ...]:
    """The drivers that move `figure`, widest first; () where the figure is unknown.

    A driver that would take a positive figure below 0 is left out: it moves the figure by more than the figure.
    """
    base = ledger.value(figure)
    swings = [swing for driver in DRIVERS if (swing := _swing(ledger, figure, driver)) is not None]
    shown = [swing for swing in swings if base is None or base < 0 or min(swing.figure_low, swing.figure_high) >= 0]
    return tuple(sorted(shown, key=lambda swing: -swing.width))


def _swing(ledger: Ledger, figure: str, driver: str) -> Swing | None:
    """The bar of one driver; None where it is unknown or moves nothing."""
    key = DRIVEN[driver]
    low, high = ledger.value(f"driver.{driver}.low"), ledger.value(f"driver.{driver}.high")
    if ledger.value(key) is None or low is None or high is None or (driver == "overhead" and figure == key):
        return None
    at_low, at_high = driven(ledger, {driver: low}), driven(ledger, {driver: high})
    figure_low, figure_high = ledger.evaluate(at_low)[figure], ledger.evaluate(at_high)[figure]
    if figure_low is None or figure_high is None or figure_low == figure_high:
        return None
    if driver == "overhead":
        return Swing(driver, key, "share", low, high, figure_low, figure_high)
    return Swing(driver, key, ledger[key].unit, at_low[key], at_high[key], figure_low, figure_high)
