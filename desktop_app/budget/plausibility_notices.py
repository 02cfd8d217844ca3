"""Figures outside what is plausible, and prices of half a machine: the row or the entry is named and never changed."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Ledger, Line
from desktop_app.foundation.problems import Problem
from pricing.plausibility import implausible
from pricing.quotes import host_apart
from pricing.records import BoundedQuantity


def plausibility_notices(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """A warning for each figure outside its bounds (price, power per GPU, PUE, grid) and for a price without the host.

    A price and a grid factor of 0 that were typed in are legal, free GPUs and one's own solar power; both are named.
    """
    gpu, card, energy = facts.estimate.cluster.gpu.name, facts.physical, facts.scenario.energy
    classes = (gpu, card.power_class) if card else (gpu,)
    quote, typed = facts.quote, facts.scenario.price.price_usd_per_gpu_hour
    if quote is not None and typed is None and host_apart(quote):
        row = _row(ledger.origin("price_usd_per_gpu_hour"))
        yield Problem("price_usd_per_gpu_hour", "problem.host_apart", {"row": row}, "warning")
    if typed != 0:  # problem.free_gpus says so
        yield from _judged(ledger, "price_usd_per_gpu_hour", "usd_per_gpu_hour", gpu)
    yield from _judged(ledger, "it_kw_per_gpu", "it_kw_per_gpu", *classes, entry="node_power_kw")
    yield from _judged(ledger, "pue", "pue")
    if ledger.value("market_g_per_kwh"):  # 0 is what a contract for renewable power says
        yield from _judged(ledger, "market_g_per_kwh", "grid_g_co2e_per_kwh")
    if energy.grid_g_per_kwh == 0:
        yield Problem("grid_g_per_kwh", "problem.grid_zero", {}, "note")
    else:
        yield from _judged(ledger, "grid_g_per_kwh", "grid_g_co2e_per_kwh")


def _judged(
    ledger: Ledger, key: str, quantity: BoundedQuantity, *kinds: str, entry: str | None = None
) -> Iterator[Problem]:
    """The warning about one line. `entry` is the line that holds the row or the entry it is computed from."""
    value, origin = ledger.value(key), ledger.origin(entry or key)
    found = None if value is None else implausible(quantity, value, *kinds)
    if found is None:
        return
    values: dict[str, str | float | Problem] = {
        "figure": Problem("", f"ledger.{key}"),
        "unit": Problem("", f"unit.{ledger[key].unit}"),
        "value": found.value,
        "low": found.low,
        "high": found.high,
    }
    typed = origin.tag == "yours"
    if not typed:
        values["row"] = _row(origin)
    yield Problem(origin.field, "problem.implausible_entry" if typed else "problem.implausible_row", values, "warning")


def _row(line: Line) -> str:
    """Which row of a table a line is of, without its details."""
    return line.row_text.split(",")[0] or line.source.name
