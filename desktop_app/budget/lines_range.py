"""The lines of uncertainty: what moves the figures, by how much, and the P10, P50, P80 and P90 that follow.

Each driver is a factor on the base with its P10 (`low`) and P90 (`high`), taken as log-normal and independent of the
others; `shift` is the logarithm of its median, `sigma` its spread. A figure moves with a driver by the share of it
that scales with it (its weight): sigma = sqrt(sum of (weight x sigma)^2), shift = sum of weight x shift. Then

    P50 = base x exp(shift)      P10 = P50 / exp(z_90 x sigma)      P80 = P50 x exp(z_80 x sigma)      P90 likewise

so base is not P50 where a driver is skewed. Everything is a formula, so the workbook's ranges are live.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from desktop_app.budget.constants import Constant, constants
from desktop_app.budget.cost_items import Item, items
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line, Tag
from desktop_app.budget.lines import ENGINE, NOT_KNOWN, computed, constant
from desktop_app.budget.lines_cost_range import cost_range_lines
from desktop_app.budget.lines_own import is_built
from desktop_app.budget.lines_price import is_mixed
from desktop_app.budget.lines_spot import is_spot
from desktop_app.estimation.calibration import constants as calibrated
from desktop_app.estimation.calibration import run_overhead_range
from desktop_app.foundation.expression import (
    Expression,
    Literal,
    exponential,
    logarithm,
    ref,
    rounded,
    square_root,
    total,
)
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import HOURS_PER_DAY

DRIVERS = ("speed", "overhead", "price", "power", "pue", "grid")
PERCENTILES = ("p10", "p50", "p80", "p90")

_NO_RANGE = 1.0  # a typed-in figure is taken at its word

# Weights: 1 where all of the figure scales with the driver, else the ledger line that holds the share.
_RUN = {"speed": "", "overhead": ""}
_ENERGY = {"speed": "weight.speed.energy", "overhead": "weight.overhead.energy", "power": ""}
_DAYS = {"speed": "", "overhead": "weight.overhead.days"}
_SPREADS: Mapping[str, Mapping[str, str]] = {
    "run": _RUN,
    "energy": _ENERGY,
    "facility": {**_ENERGY, "pue": ""},
    "carbon": {**_ENERGY, "pue": "", "grid": ""},
}
RANGED: Mapping[str, tuple[str, str]] = {
    "step_time_s": ("s", "driver.speed"),
    "tokens_per_s_per_gpu": ("token_per_s", "driver.speed"),
    "mfu": ("share", "driver.speed"),
    "gpu_hours": ("gpu_hour", "spread.run"),
    "wall_days": ("days", "spread.days"),
    "energy_it_kwh": ("kwh", "spread.energy"),
    "energy_facility_kwh": ("kwh", "spread.facility"),
    "co2e_kg_location": ("kg_co2e", "spread.carbon"),
}
"""Figures with a range: key -> (unit, the lines that hold its shift and sigma). The total: lines_cost_range.py."""

_INVERSE = ("tokens_per_s_per_gpu", "mfu")  # they fall when the step takes longer


def _weighted(name: str, weight: str, part: str) -> Expression:
    term = ref(f"driver.{name}.{part}")
    return ref(weight) * term if weight else term


def _sum(parts: list[Expression]) -> Expression:
    result = parts[0]
    for part in parts[1:]:
        result = result + part
    return result


def _driver_sums(name: str) -> tuple[Line, Line]:
    low, high = logarithm(ref(f"driver.{name}.low")), logarithm(ref(f"driver.{name}.high"))
    return (
        computed(f"driver.{name}.shift", "number", "driver", (low + high) / 2),
        computed(f"driver.{name}.sigma", "number", "driver", (high - low) / (2 * ref("z_90"))),
    )


def _spread(name: str, weights: Mapping[str, str]) -> tuple[Line, Line]:
    shifts = [_weighted(driver, weight, "shift") for driver, weight in weights.items()]
    squares = [_weighted(driver, weight, "sigma") ** 2 for driver, weight in weights.items()]
    return (
        computed(f"spread.{name}.shift", "number", "range", _sum(shifts)),
        computed(f"spread.{name}.sigma", "number", "range", square_root(_sum(squares))),
    )


def _percentiles(key: str, unit: str, spread: str) -> tuple[Line, ...]:
    shift, sigma, p50 = ref(f"{spread}.shift"), ref(f"{spread}.sigma"), ref(f"{key}.p50")
    median = ref(key) / exponential(shift) if key in _INVERSE else ref(key) * exponential(shift)
    formulas = {
        "p10": p50 / exponential(ref("z_90") * sigma),
        "p50": median,
        "p80": p50 * exponential(ref("z_80") * sigma),
        "p90": p50 * exponential(ref("z_90") * sigma),
    }
    return tuple(computed(f"{key}.{name}", unit, "range", formulas[name]) for name in ("p50", "p10", "p80", "p90"))


def _printed(name: str) -> Line:
    amount = ref(f"usd.total.{name}") * ref("fx_rate")
    return computed(f"cost.total.{name}", "currency", "range", rounded(amount, ref("money_digits")))


def _weights() -> tuple[Line, ...]:
    """Which share of the energy scales with a driver: development follows the final run, idle hours no driver."""
    grows = ref("gpu_hours") + total(ref("development_gpu_hours"), Literal(0))
    moving = ref("energy_gpu_hours") * ref("it_kw_per_gpu")
    return (
        computed("weight.speed.energy", "share", "range", moving / ref("energy_it_kwh")),
        computed(
            "weight.overhead.energy", "share", "range",
            ref("weight.speed.energy") * grows / ref("energy_gpu_hours"),
        ),
    )  # fmt: skip


def _days(spot: bool) -> tuple[Line, ...]:
    """The range of the days: evaluation does not follow what the hours of the run do, waiting does."""
    hours = ref("wall_hours") + total(ref("waiting_hours"), Literal(0)) if spot else ref("wall_hours")
    weight = computed("weight.overhead.days", "share", "range", hours / (ref("wall_days") * HOURS_PER_DAY))
    return (weight, *_spread("days", _DAYS))


def _pays_energy(facts: Facts, found: tuple[Item, ...]) -> bool:
    """Whether electricity is a priced line whose driver is known."""
    known = facts.power is not None or facts.scenario.energy.node_power_kw is not None
    priced = facts.scenario.own.own_electricity_usd_per_kwh is not None
    return known and priced and any(item.moves == "energy" for item in found)


_DRIVER_SUMS = tuple(line for name in DRIVERS for line in _driver_sums(name))
_RANGES = tuple(line for key, (unit, spread) in RANGED.items() for line in _percentiles(key, unit, spread))
_PRINTED = (
    *(_printed(name) for name in PERCENTILES),
    computed("cost.ask", "currency", "range", ref("cost.total.p80")),
    computed("contingency", "currency", "range", ref("cost.ask") - ref("cost.total")),
)


def range_lines(facts: Facts) -> tuple[Line, ...]:
    """Drivers with their limits and sources, then every range, the amount to approve and the contingency."""
    found = items(facts)
    return (
        constant("z_80", "driver"),
        constant("z_90", "driver"),
        *_limits(facts),
        *_ranges(found, is_spot(facts), _pays_energy(facts, found)),
    )


@lru_cache(maxsize=32)  # kinds of budget: formulas are the same for all with the same items
def _ranges(found: tuple[Item, ...], spot: bool, pays_energy: bool) -> tuple[Line, ...]:
    """Everything that the limits of the drivers lead to."""
    return (
        *_DRIVER_SUMS,
        *_days(spot),
        *_weights(),
        *(line for name, weights in _SPREADS.items() for line in _spread(name, weights)),
        *_RANGES,
        *cost_range_lines(found, pays_energy),
        *_PRINTED,
    )


def _limits(facts: Facts) -> tuple[Line, ...]:
    """The low and high of each driver, as factors on the base."""
    factor = facts.estimate.speed_factor_80
    rows = constants()
    energy = facts.scenario.energy
    pue = None if energy.pue is not None else _pue_range(facts)
    grid_range = rows.get(f"grid_range.{facts.grid_kind}", rows["grid_table"])
    grid_row = None if energy.grid_g_per_kwh is not None else grid_range
    return (
        *_pair("speed", 1 / factor, factor, ENGINE, "predicted"),
        *_overhead_limits(),
        *_price_limits(facts),
        *_power_limits(facts),
        *_row_pair("pue", pue),
        *_row_pair("grid", grid_row),
    )


def _pair(name: str, low: float | None, high: float | None, source: Source, tag: Tag) -> tuple[Line, Line]:
    return (
        Line(f"driver.{name}.low", "factor", "driver", source, given=low, tag=tag),
        Line(f"driver.{name}.high", "factor", "driver", source, given=high, tag=tag),
    )


def _row_pair(name: str, row: Constant | None) -> tuple[Line, Line]:
    """The limits of a row, relative to its value; none where the figure was typed in."""
    if row is None or row.low is None or row.high is None:
        return _pair(name, _NO_RANGE, _NO_RANGE, _TYPED, "default")
    return _pair(name, row.low / row.value, row.high / row.value, row.source, "default")


_TYPED = Source("source.no_range", "")


def _overhead_limits() -> tuple[Line, Line]:
    """Hours of published runs over predicted ones that the speed does not explain."""
    low, high = run_overhead_range()
    source = Source("source.run_overhead", calibrated()["run_overhead.low"].source.as_of)
    return _pair("overhead", low, high, source, "default")


def _price_limits(facts: Facts) -> tuple[Line, Line]:
    """How far the price may move until it is paid: by its nature, its age and the seller."""
    rows = constants()
    if facts.scenario.price.price_usd_per_gpu_hour is not None:
        return _row_pair("price", None)
    if is_built(facts):
        known = facts.scenario.own.own_server_usd_per_gpu is not None
        return _row_pair("price", rows["price_own" if known else "price_own_table"])
    if facts.quote is None:
        return _pair("price", None, None, NOT_KNOWN, "default")
    listed = rows[f"{'price_list_old' if facts.price_is_old else 'price_list'}.{facts.seller}"]
    if is_mixed(facts):
        return _mixed_limits(facts, rows["price_spot"], listed)
    return _row_pair("price", rows["price_spot"] if facts.scenario.price.purchase == "spot" else listed)


def _mixed_limits(facts: Facts, spot: Constant, listed: Constant) -> tuple[Line, Line]:
    """The limits of a mean price: those of the spot price and of the price on demand by their parts of it."""
    share = facts.scenario.price.spot_share_percent / 100
    parts = [(share, facts.quote, spot), (1 - share, facts.on_demand, listed)]
    known = [(part * quote.usd_per_gpu_hour, row) for part, quote, row in parts if quote is not None]
    whole = sum(amount for amount, _ in known)
    low, high = (sum(amount * (getattr(row, end) or 1.0) for amount, row in known) / whole for end in ("low", "high"))
    return _pair("price", low, high, spot.source, "default")


def _power_limits(facts: Facts) -> tuple[Line, Line]:
    """The low and high of the node's power at work."""
    power = facts.power
    if facts.scenario.energy.node_power_kw is not None:
        return _row_pair("power", None)
    if power is None:
        return _pair("power", None, None, NOT_KNOWN, "default")
    low, high = power.training_kw_low / power.training_kw, power.training_kw_high / power.training_kw
    return _pair("power", low, high, Source(power.source, power.as_of, power.quality), "table")


def _pue_range(facts: Facts) -> Constant:
    """The range of a PUE by what it stands for: this site, all sites of a provider, or the whole industry."""
    cloud, rows = facts.place.cloud, constants()
    if cloud is None or cloud.pue is None:
        return rows["pue_default"]
    return rows["pue_provider" if "default" in cloud.pue_basis else "pue_site"]
