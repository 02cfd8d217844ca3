"""What moves a figure most: each driver taken to its low and to its high, one at a time, all else at the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.budget.ledger import Ledger
from desktop_app.budget.lines_range import DRIVERS
from desktop_app.foundation.scalar_ops import Number

DRIVEN: Mapping[str, tuple[str, bool]] = {
    "speed": ("step_time_s", True),
    "overhead": ("goodput", False),
    "price": ("price_usd_per_gpu_hour", True),
    "power": ("node_power_kw", True),
    "pue": ("pue", True),
    "grid": ("grid_g_per_kwh", True),
}
"""The line that each driver moves, and whether its factor multiplies (True) or divides (False) the line."""


@dataclass(frozen=True, slots=True)
class Swing:
    """One bar of a tornado: the input at its P10 and P90, and the figure that each gives."""

    driver: str
    input_key: str
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
        key, multiplies = DRIVEN[driver]
        base = ledger.value(key)
        if base is not None:
            changes[key] = base * factor if multiplies else base / factor
    return changes


def tornado(ledger: Ledger, figure: str) -> tuple[Swing, ...]:
    """The drivers that move `figure`, widest first; () where the figure is unknown."""
    swings = []
    for driver in DRIVERS:
        low, high = ledger.value(f"driver.{driver}.low"), ledger.value(f"driver.{driver}.high")
        key = DRIVEN[driver][0]
        if ledger.value(figure) is None or ledger.value(key) is None or low is None or high is None:
            continue
        at_low, at_high = driven(ledger, {driver: low}), driven(ledger, {driver: high})
        low_result, high_result = (ledger.evaluate(changes)[figure] for changes in (at_low, at_high))
        if low_result is not None and high_result is not None and low_result != high_result:
            swings.append(Swing(driver, key, at_low[key], at_high[key], low_result, high_result))
    return tuple(sorted(swings, key=lambda swing: -swing.width))
