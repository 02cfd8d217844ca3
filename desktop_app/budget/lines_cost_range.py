"""The range of the total: what it comes to where the drivers together are at their P10, P50, P80 or P90.

Amounts do not all scale alike: staff and stored data stay, a contract is paid in whole terms, credits end. So the
drivers are moved together along the direction in which the total moves most for its probability, each by its share of
that (size x spread over the root of the sum of squares), and the lines are added up there. Where everything scales,
this is the closed form of log-normal factors: P50 x exp(z x root of the sum of squared spreads).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from desktop_app.budget.cost_items import Item, Moves
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import computed
from desktop_app.budget.lines_price import PRICE
from desktop_app.foundation.expression import (
    Expression,
    Literal,
    exponential,
    largest,
    ref,
    rounded_up,
    smallest,
    square_root,
    total,
    when,
)

_STEPS = {"p10": 0 - ref("z_90"), "p50": None, "p80": ref("z_80"), "p90": ref("z_90")}
_MOVED_BY: dict[str, tuple[str, ...]] = {
    "speed": ("run", "speed", "hours", "energy"),
    "overhead": ("run", "hours", "energy"),
    "price": ("run", "speed", "price"),
    "power": ("energy",),
    "pue": ("energy",),
}
"""Drivers, and the kinds of amounts that scale with them."""

_ALWAYS = ("speed", "overhead", "price")
_ENERGY_DRIVERS = ("power", "pue")  # where electricity is a line of the budget


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a budget has that a plain one has not."""

    drivers: tuple[str, ...]
    contract: bool
    credited: bool
    electricity: bool


@lru_cache(maxsize=32)  # kinds of budget: formulas are the same for all with the same items
def cost_range_lines(found: tuple[Item, ...], pays_energy: bool) -> tuple[Line, ...]:
    """`usd.total.p10`, `.p50`, `.p80` and `.p90` and what they are made of; `pays_energy`: power and PUE move them."""
    parts = _Parts(
        drivers=(*_ALWAYS, *(_ENERGY_DRIVERS if pays_energy else ())),
        contract=any(item.kind == "unused" for item in found),
        credited=any(item.name == "credits" for item in found),
        electricity=any(item.moves == "energy" for item in found),
    )
    return (
        *_sizes(found),
        *(_hours(found) if parts.contract else ()),
        *_directions(parts),
        *(line for step in _STEPS for line in _at(step, parts)),
    )


def _of(found: tuple[Item, ...], moves: Moves, kinds: tuple[str, ...]) -> list[Item]:
    return [item for item in found if item.moves == moves and item.kind in kinds]


def _usd(found: tuple[Item, ...], moves: Moves) -> Expression:
    return total(*(ref(f"usd.{item.name}") for item in _of(found, moves, ("hourly", "bill"))), Literal(0))


def _sizes(found: tuple[Item, ...]) -> tuple[Line, ...]:
    """USD by what it scales with. The run and what it loses are added: without a price there is no range."""
    rest = [ref(f"usd.{item.name}") for item in _of(found, "run", ("hourly",)) if item.name not in ("run", "lost")]
    stored = _usd(found, "stored")
    kept = when(ref("storage_months") > 0, ref("kept_months") / ref("storage_months"), 0)
    formulas = {
        "kept_share": kept,
        "run": ref("usd.run") + ref("usd.lost") + total(*rest, Literal(0)),
        "speed": _usd(found, "speed"),
        "price": _usd(found, "price"),
        "hours": stored * (1 - ref("moves.kept_share")) + _usd(found, "hours"),
        "energy": _usd(found, "energy"),
        "none": stored * ref("moves.kept_share") + _usd(found, "none"),
    }
    if not _of(found, "energy", ("bill",)):
        del formulas["energy"]
    return tuple(
        computed(f"moves.{kind}", "share" if kind == "kept_share" else "usd", "range", formula)
        for kind, formula in formulas.items()
    )


def _hours(found: tuple[Item, ...]) -> tuple[Line, ...]:
    """Hours of a contract by what they scale with."""
    kinds: tuple[Moves, ...] = ("run", "speed", "price")
    sums = {kind: total(*(ref(item.quantity) for item in _of(found, kind, ("hourly",))), Literal(0)) for kind in kinds}
    return tuple(computed(f"moves.{kind}_gpu_hours", "gpu_hour", "range", hours) for kind, hours in sums.items())


def _directions(parts: _Parts) -> tuple[Line, ...]:
    """The share of each driver in the way to a percentile."""
    sizes: dict[str, Expression] = {}
    drivers = parts.drivers
    for driver in drivers:
        kinds = (kind for kind in _MOVED_BY[driver] if kind != "energy" or parts.electricity)
        amount = _added([ref(f"moves.{kind}") for kind in kinds])
        if driver == "price" and parts.contract:
            amount = amount + ref("usd.unused")
        sizes[driver] = amount * ref(f"driver.{driver}.sigma")
    length = square_root(_added([ref(f"moves.{driver}_size") ** 2 for driver in drivers]))
    return (
        *(computed(f"moves.{driver}_size", "usd", "range", size) for driver, size in sizes.items()),
        computed("moves.size", "usd", "range", length),
        *(
            computed(
                f"direction.{driver}", "share", "range",
                when(ref("moves.size") > 0, ref(f"moves.{driver}_size") / ref("moves.size"), 0),
            )
            for driver in drivers
        ),
    )  # fmt: skip


def _at(step: str, parts: _Parts) -> tuple[Line, ...]:
    """The factors of the drivers at a percentile, and the total there."""
    bill = _bill(step, parts)
    if parts.contract:
        bill = bill + ref(f"usd.unused.{step}")
    gross = ref(f"usd.bill.{step}") * (1 + total(ref("support_percent"), Literal(0)) / 100)
    credit = smallest(ref("credits_usd"), ref(f"usd.gross.{step}")) if parts.credited else Literal(0)
    taxed = (ref(f"usd.gross.{step}") - credit) * (1 + total(ref("tax_percent"), Literal(0)) / 100)
    return (
        *(computed(f"factor.{driver}.{step}", "factor", "range", _factor(step, driver)) for driver in parts.drivers),
        *(_unused(step) if parts.contract else ()),
        computed(f"usd.bill.{step}", "usd", "range", bill),
        computed(f"usd.gross.{step}", "usd", "range", gross),
        computed(f"usd.total.{step}", "usd", "range", taxed + total(ref("usd.staff"), Literal(0))),
    )


def _factor(step: str, driver: str) -> Expression:
    shift, way = ref(f"driver.{driver}.shift"), _STEPS[step]
    if way is None:
        return exponential(shift)
    return exponential(shift + way * ref(f"direction.{driver}") * ref(f"driver.{driver}.sigma"))


def _bill(step: str, parts: _Parts) -> Expression:
    speed, overhead, price = (ref(f"factor.{name}.{step}") for name in _ALWAYS)
    hourly = (ref("moves.run") * speed * overhead + ref("moves.speed") * speed + ref("moves.price")) * price
    bill = hourly + ref("moves.hours") * speed * overhead + ref("moves.none")
    if not parts.electricity:
        return bill
    energy = ref("moves.energy") * speed * overhead
    for driver in _ENERGY_DRIVERS:
        if driver in parts.drivers:
            energy = energy * ref(f"factor.{driver}.{step}")
    return bill + energy


def _unused(step: str) -> tuple[Line, ...]:
    """What a contract pays beyond the hours of that percentile: whole terms, as many as they need."""
    speed, overhead, price = (ref(f"factor.{name}.{step}") for name in _ALWAYS)
    used = ref("moves.run_gpu_hours") * speed * overhead + ref("moves.speed_gpu_hours") * speed
    term = ref("billed_gpus") * ref("contract_hours")
    hours = ref(f"used_gpu_hours.{step}")
    beyond = largest(rounded_up(hours / term) * term - hours, 0) * (1 - ref("unused_elsewhere_percent") / 100)
    return (
        computed(f"used_gpu_hours.{step}", "gpu_hour", "range", used + ref("moves.price_gpu_hours")),
        computed(f"usd.unused.{step}", "usd", "range", beyond * ref(PRICE) * price),
    )


def _added(parts: list[Expression]) -> Expression:
    result = parts[0]
    for part in parts[1:]:
        result = result + part
    return result
