"""What each risk would take, as formulas over the lines of the budget: GPU-hours, money, days.

Hours beyond the plan are bought at the price of the plan; under a contract they first use up what is left of it, and
then need another term. Support and tax come on top, as they do in the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_app.budget.budget import Budget
from desktop_app.budget.cost_items import ITEMS
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import computed, constant, unknown
from desktop_app.budget.lines_price import PRICE
from desktop_app.foundation.expression import Expression, Literal, largest, ref, rounded, rounded_up, smallest, total
from desktop_app.foundation.units import HOURS_PER_DAY

EXPECTED = "risk.expected"
_ON_TOP, _HOUR, _MOVING = "risk.on_top", "risk.gpu_hour_cost", "risk.moving_gpu_hours"
_STORED_ALWAYS = 1  # checkpoints that leave a cloud at the end: the last one at least
_BESIDE_OWN = ("usd.electricity", "usd.colocation", "usd.operations")
_STANDING = ("idle", "unused")  # hours that do not grow with the run

Impact = Callable[[str, Budget], tuple[Line, ...]]


def shared_lines(budget: Budget) -> tuple[Line, ...]:
    """What several risks are computed from."""
    names = [line.key.removeprefix("cost.") for line in budget.cost_lines]
    hourly = [name for name in names if ITEMS[name].kind == "hourly" and name not in _STANDING]
    top = (1 + total(ref("support_percent"), Literal(0)) / 100) * (1 + total(ref("tax_percent"), Literal(0)) / 100)
    own = [ref(key) for key in _BESIDE_OWN if key in budget.ledger]
    beside = total(*own, Literal(0)) / ref("own_gpu_hours") if own else Literal(0)
    hour = (ref(PRICE) + beside if own else ref(PRICE)) * ref("fx_rate") * ref(_ON_TOP)
    hours = total(*(ref(f"billed_gpu_hours.{name}") for name in hourly))
    return (
        constant("risk_scope_percent", "risk"),
        constant("risk_data_days", "risk"),
        constant("risk_capacity_days", "risk"),
        constant("risk_recompute_share", "risk"),
        constant("risk_failures_factor", "risk"),
        computed(_ON_TOP, "factor", "risk", top),
        computed(_HOUR, "currency_per_gpu_hour", "risk", hour),
        computed(_MOVING, "gpu_hour", "risk", hours),
    )


def impact_lines(key: str, budget: Budget) -> tuple[Line, ...]:
    """The lines of one risk: risk.<key>.gpu_hours, .money and .days, those of them that it has."""
    return _IMPACTS[key](f"risk.{key}", budget)


def _of_hours(at: str, hours: Expression, days: Expression | None, budget: Budget) -> tuple[Line, ...]:
    """A risk that takes more GPU-hours."""
    more = f"{at}.gpu_hours"
    return (
        computed(more, "gpu_hour", "risk", hours),
        *_bought(at, more, budget),
        *((computed(f"{at}.days", "days", "risk", days),) if days is not None else ()),
    )


def _bought(at: str, more: str, budget: Budget) -> tuple[Line, ...]:
    """What more GPU-hours cost: at the price, or as further terms of the contract and hours that others do not pay."""
    if "contracts" not in budget.ledger:
        return (_money(at, ref(more) * ref(_HOUR)),)
    terms, elsewhere = f"{at}.contracts", ref("unused_elsewhere_percent") / 100
    needed = rounded_up((ref("used_gpu_hours") + ref(more)) / ref("billed_gpus") / ref("contract_hours"))
    signed = ref(terms) * ref("billed_gpus") * ref("contract_hours")
    return (
        computed(terms, "contract", "risk", needed - ref("contracts")),
        _money(at, (signed * (1 - elsewhere) + ref(more) * elsewhere) * ref(_HOUR)),
    )


def _money(at: str, amount: Expression) -> Line:
    return computed(f"{at}.money", "currency", "risk", rounded(amount, ref("money_digits")))


def _speed(at: str, budget: Budget) -> tuple[Line, ...]:
    """Steps as slow as at the P90 of their range."""
    beyond = largest(ref("driver.speed.high") - 1, 0)
    return _of_hours(at, ref(_MOVING) * beyond, ref("wall_days") * beyond, budget)


def _memory(at: str, budget: Budget) -> tuple[Line, ...]:
    """Activations recomputed in full; what that would not mend has no known price."""
    if budget.estimate.recompute == "full" or budget.estimate.fits == "no":
        return (unknown(f"{at}.money", "currency", "risk"),)
    more = ref("risk_recompute_share")
    return _of_hours(at, ref(_MOVING) * more, ref("wall_days") * more, budget)


def _reclaim(at: str, budget: Budget) -> tuple[Line, ...]:
    """Interruptions twice as often as the band of the seller has it."""
    days = (ref("interruption_hours") + ref("waiting_hours")) * (ref("risk_failures_factor") - 1) / HOURS_PER_DAY
    hours = ref("billed_gpus") * ref("interruption_hours") * (ref("risk_failures_factor") - 1)
    return _of_hours(at, hours, days, budget)


def _capacity(at: str, budget: Budget) -> tuple[Line, ...]:
    """A later start; where something cheaper than on demand was to be bought, the price on demand."""
    days = computed(f"{at}.days", "days", "risk", ref("risk_capacity_days"))
    if "on_demand_usd_per_gpu_hour" not in budget.ledger or "contracts" in budget.ledger:
        return (days,)
    dearer = largest(ref("on_demand_usd_per_gpu_hour") - ref(PRICE), 0)
    return (_money(at, ref(_MOVING) * dearer * ref("fx_rate") * ref(_ON_TOP)), days)


def _failures(at: str, budget: Budget) -> tuple[Line, ...]:
    """Failures twice as often: what they take, once more."""
    spot = "interruption_hours" in budget.ledger
    interrupted = total(ref("interruption_hours"), Literal(0))
    hours = (ref("failure_hours") - interrupted if spot else ref("failure_hours")) * (ref("risk_failures_factor") - 1)
    return _of_hours(at, ref("billed_gpus") * hours, hours / HOURS_PER_DAY, budget)


def _spikes(at: str, budget: Budget) -> tuple[Line, ...]:
    """Hours as far beyond the predicted ones as those of the slowest tenth of published runs."""
    beyond = largest(ref("driver.overhead.high") - 1, 0)
    return _of_hours(at, ref(_MOVING) * beyond, ref("wall_days") * beyond, budget)


def _price(at: str, budget: Budget) -> tuple[Line, ...]:
    """Prices at the P90 of their range."""
    names = (line.key.removeprefix("cost.") for line in budget.cost_lines)
    hourly = [ref(f"usd.{name}") for name in names if ITEMS[name].kind in ("hourly", "unused")]
    paid = f"{at}.usd"
    beyond = largest(ref("driver.price.high") - 1, 0)
    return (
        computed(paid, "usd", "risk", total(*hourly)),
        _money(at, ref(paid) * beyond * ref("fx_rate") * ref(_ON_TOP)),
    )


def _currency(at: str, budget: Budget) -> tuple[Line, ...]:
    """The rate moves as far as rates may until the bill comes."""
    return (constant("fx_old_percent", "risk"), _money(at, ref("cost.total") * ref("fx_old_percent") / 100))


def _scope(at: str, budget: Budget) -> tuple[Line, ...]:
    """More tokens than planned."""
    more = ref("risk_scope_percent") / 100
    return _of_hours(at, ref(_MOVING) * more, ref("wall_days") * more, budget)


def _data(at: str, budget: Budget) -> tuple[Line, ...]:
    """The cluster is paid and waits; for a short job nobody lets it wait longer than the job takes."""
    days = smallest(ref("risk_data_days"), ref("wall_days"))
    return _of_hours(at, ref("billed_gpus") * days * HOURS_PER_DAY, days, budget)


def _egress(at: str, budget: Budget) -> tuple[Line, ...]:
    """The checkpoints that are kept move out in the end."""
    gb = f"{at}.gb"
    kept = largest(ref("checkpoints_kept"), _STORED_ALWAYS) * ref("checkpoint_gb")
    return (
        computed(gb, "gb", "risk", kept),
        _money(at, ref(gb) * ref("egress_usd_per_gb") * ref("fx_rate") * ref(_ON_TOP)),
    )


def _unused(at: str, budget: Budget) -> tuple[Line, ...]:
    """Other work does not take the hours that it was meant to take."""
    left = largest(ref("paid_gpu_hours") - ref("used_gpu_hours"), 0)
    return (_money(at, left * ref("unused_elsewhere_percent") / 100 * ref(_HOUR)),)


def _no_money(at: str, budget: Budget) -> tuple[Line, ...]:
    return ()


def _not_priced(at: str, budget: Budget) -> tuple[Line, ...]:
    """Work that nobody has a price for."""
    return (unknown(f"{at}.money", "currency", "risk"),)


_IMPACTS: Mapping[str, Impact] = {
    "speed": _speed,
    "memory": _memory,
    "reclaim": _reclaim,
    "capacity": _capacity,
    "failures": _failures,
    "spikes": _spikes,
    "price": _price,
    "currency": _currency,
    "scope": _scope,
    "data": _data,
    "egress": _egress,
    "unused": _unused,
    "grid": _no_money,
    "threshold": _not_priced,
}
"""Every risk of the table."""
