"""What a price, a power, a grid factor or a PUE can plausibly be: outside the bounds somebody should look at the row.

Nothing is clamped and nothing refused here: a value outside is named, with the bound that it breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pricing.catalogue import Catalogue
from pricing.quotes import WHOLE_NODE_GPUS
from pricing.records import BoundedQuantity, PlausibleBound
from pricing.table_files import Rows, Table, package_tables

ANY = "any"  # the kind of a bound that holds where no narrower one does


@dataclass(frozen=True, slots=True)
class Implausible:
    """A value outside its bounds, in the unit of the quantity."""

    quantity: BoundedQuantity
    value: float
    low: float
    high: float
    reason: Literal["below_bounds", "above_bounds"]


@lru_cache(maxsize=1)
def plausible_bounds() -> Rows[PlausibleBound]:
    """The bounds that ship with the program, by quantity. Raises TableError."""
    return Table(package_tables() / "plausible_bounds.csv", PlausibleBound, "quantity")


def implausible(quantity: BoundedQuantity, value: float, *kinds: str) -> Implausible | None:
    """What is implausible about `value`; None within its bounds, or where there are none for it.

    `kinds` say what it is the value of, the narrowest first: the name of a GPU, then its power class.
    """
    by_kind = {bound.kind: bound for bound in plausible_bounds()[quantity]}
    bound = next((by_kind[kind] for kind in (*kinds, ANY) if kind in by_kind), None)
    if bound is None or bound.low <= value <= bound.high:
        return None
    reason: Literal["below_bounds", "above_bounds"] = "below_bounds" if value < bound.low else "above_bounds"
    return Implausible(quantity, value, bound.low, bound.high, reason)


def implausible_rows(catalogue: Catalogue) -> Iterator[tuple[str, Implausible]]:
    """Every row of a catalogue with a value outside its bounds: how the row is named, and what is wrong."""
    for name, quantity, value, *kinds in (*_prices(catalogue), *_power(catalogue), *_places(catalogue)):
        found = implausible(quantity, value, *kinds)
        if found is not None:
            yield name, found


Judged = tuple[str, BoundedQuantity, float, *tuple[str, ...]]


def _prices(catalogue: Catalogue) -> Iterator[Judged]:
    for rows in catalogue.price_rows.values():
        for row in rows:
            offer = f"{row.provider} {row.region} {row.instance_type} {row.gpu} {row.purchase} {row.as_of}"
            yield f"gpu_prices.csv {offer}", "usd_per_gpu_hour", row.usd_per_gpu_hour, row.gpu


def _power(catalogue: Catalogue) -> Iterator[Judged]:
    """Training power per GPU in a whole node, as the rows of node_power.csv and gpu_physical.csv make it."""
    for gpu in catalogue.physical_rows:
        power, card = catalogue.node_power(gpu, WHOLE_NODE_GPUS), catalogue.physical(gpu)
        if power is not None and card is not None:
            per_gpu = power.training_kw / WHOLE_NODE_GPUS
            yield f"gpu_physical.csv {gpu}: {power.node_model}", "it_kw_per_gpu", per_gpu, gpu, card.power_class


def _places(catalogue: Catalogue) -> Iterator[Judged]:
    for rows in catalogue.grid_rows.values():
        for grid in rows:
            yield f"grid_intensity.csv {grid.zone} {grid.year}", "grid_g_co2e_per_kwh", grid.grid_g_co2e_per_kwh
    for site in (site for sites in catalogue.cloud_region_rows.values() for site in sites):
        name = f"cloud_regions.csv {site.provider} {site.region}"
        if site.grid_g_co2e_per_kwh is not None:
            yield name, "grid_g_co2e_per_kwh", site.grid_g_co2e_per_kwh
        if site.pue is not None:
            yield name, "pue", site.pue
