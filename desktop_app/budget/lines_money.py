"""The lines of money: billed hours and other quantities, and the amounts, each rounded as printed."""

from __future__ import annotations

from functools import lru_cache

from desktop_app.budget.constants import constants
from desktop_app.budget.cost_items import Item, items
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import chosen, computed, constant, stated, yours
from desktop_app.budget.lines_own import is_built
from desktop_app.budget.lines_price import PRICE, contract_of
from desktop_app.budget.lines_spot import is_spot
from desktop_app.foundation.expression import (
    Expression,
    Literal,
    Reference,
    largest,
    ref,
    rounded,
    rounded_up,
    smallest,
    total,
    when,
)
from desktop_app.foundation.units import HOURS_PER_DAY

_BUDGETS = 32  # kinds of budget whose lines are kept: formulas are the same for all budgets with the same items
_LOST = ref("wall_hours") - ref("net_hours")
_BILLED: dict[str, Expression] = {
    "run": ref("billed_gpus") * ref("net_hours"),
    "lost": ref("billed_gpus") * _LOST,
    "interruptions": ref("billed_gpus") * ref("interruption_hours"),
    "evaluation": ref("billed_gpus") * ref("evaluation_hours"),
    "pilot": ref("billed_gpu_hours.run") * ref("pilot_percent") / 100,
    "idle": ref("billed_gpus") * ref("idle_hours"),
    # Trial and failed runs before the final one and beside it, at the size of whole instances like the run itself.
    # They are lost and interrupted as often.
    "development": (ref("development_multiplier") - 1) * ref("billed_gpus") * ref("wall_hours"),
}
"""GPU-hours of whole instances."""
_LOST_BESIDES = ref("billed_gpus") * (_LOST - total(ref("interruption_hours"), Literal(0)))  # they have their own line

_CONTRACT = (
    computed(
        "contracts",
        "contract",
        "cost",
        rounded_up(ref("used_gpu_hours") / ref("billed_gpus") / ref("contract_hours")),
    ),
    computed("paid_gpu_hours", "gpu_hour", "cost", ref("billed_gpus") * ref("contracts") * ref("contract_hours")),
    computed("contract_used_share", "share", "cost", ref("used_gpu_hours") / ref("paid_gpu_hours")),
)
_UNUSED = computed(
    "billed_gpu_hours.unused",
    "gpu_hour",
    "cost",
    largest(ref("paid_gpu_hours") - ref("used_gpu_hours"), 0) * (1 - ref("unused_elsewhere_percent") / 100),
)
"""Hours that a contract pays for and this budget does not use; what other work takes of them is not charged here."""
_BREAK_EVEN = computed("break_even_utilisation", "share", "cost", ref(PRICE) / ref("on_demand_usd_per_gpu_hour"))
_COMMITTED = (
    computed("usd.committed", "usd", "cost", ref("paid_gpu_hours") * ref(PRICE)),
    computed("cost.committed", "currency", "cost", rounded(ref("usd.committed") * ref("fx_rate"), ref("money_digits"))),
)
"""What a contract binds, whether the GPUs are used or not; only where the purchase is a contract."""
_STORED_MONTHS = ref("wall_days") * HOURS_PER_DAY / ref("hours_per_month") + ref("kept_months")
_STORAGE = (
    computed("storage_months", "month", "cost", _STORED_MONTHS),
    computed(
        "storage_gb_months", "gb_month", "cost", ref("checkpoints_kept") * ref("checkpoint_gb") * ref("storage_months")
    ),
    computed("data_gb_months", "gb_month", "cost", ref("data_gb") * ref("storage_months")),
)
_DATA_GB = computed("data_gb", "gb", "cost", ref("tokens") * ref("data_bytes_per_token") / 1e9)
_QUANTITIES = {
    "egress_gb": "gb",
    "cpu_host_hours": "hours",
    "cpu_host_usd_per_hour": "usd_per_hour",
    "support_percent": "percent",
    "tax_percent": "percent",
    "staff_months": "month",
    "staff_usd_per_month": "usd_per_month",
}
"""Choices beside compute that nothing stands for where they are not stated, and their units."""


def cost_lines(facts: Facts) -> tuple[Line, ...]:
    """Quantities and amounts."""
    found = items(facts)
    return (
        *_stated_lines(facts),
        constant("money_digits_limit", "cost"),
        *_billed_lines(facts, found),
        *_STORAGE,
        *_usd(found),
        *_printed(found),
        *(_COMMITTED if contract_of(facts) else ()),
    )


def _stated_lines(facts: Facts) -> tuple[Line, ...]:
    """What the quantities are made of: choices, and defaults where something stands for them."""
    price, beside = facts.scenario.price, facts.scenario.beside
    credit = facts.credits
    contract = contract_of(facts) is not None
    return (
        chosen("checkpoints_kept", "checkpoint", "cost", price.checkpoints_kept, facts),
        chosen("kept_months", "month", "cost", beside.kept_months, facts),
        *_data_lines(facts),
        *(stated(key, unit, "cost", facts) for key, unit in _QUANTITIES.items()),
        *((chosen("unused_elsewhere_percent", "percent", "cost", price.unused_elsewhere_percent, facts),) * contract),
        *(
            (Line("credits_usd", "usd", "cost", credit.source, given=credit.usd, tag="yours", field="credits_usd"),)
            if credit
            else ()
        ),
    )


def _data_lines(facts: Facts) -> tuple[Line, ...]:
    """The data on disk: as stated, or the tokens as trainers store them."""
    typed = facts.scenario.beside.data_gb
    if typed is not None:
        return (yours("data_gb", "gb", "cost", typed, facts),)
    rows = constants()
    small = facts.estimate.shape.vocab <= rows["data_small_vocabulary"].value
    width = rows["data_bytes_per_token.small" if small else "data_bytes_per_token.large"]
    return (constant("data_bytes_per_token", "cost", width), _DATA_GB)


def _billed_lines(facts: Facts, found: tuple[Item, ...]) -> tuple[Line, ...]:
    """GPU-hours by line, what they come to, and what a contract pays beyond them."""
    spot, contract = is_spot(facts), contract_of(facts) is not None
    return _billed(found, spot, contract, is_built(facts), contract and facts.on_demand is not None)


@lru_cache(maxsize=_BUDGETS)
def _billed(found: tuple[Item, ...], spot: bool, contract: bool, built: bool, compared: bool) -> tuple[Line, ...]:
    hourly = [item for item in found if item.kind == "hourly"]
    billed = {**_BILLED, **({"lost": _LOST_BESIDES} if spot else {})}
    summed, needed = "own_gpu_hours" if built else "used_gpu_hours", contract or built
    return (
        *(computed(item.quantity, "gpu_hour", "cost", billed[item.name]) for item in hourly),
        *((computed(summed, "gpu_hour", "cost", total(*(ref(item.quantity) for item in hourly))),) * needed),
        *((*_CONTRACT, _UNUSED) if contract else ()),
        *((_BREAK_EVEN,) * compared),
    )


def _sum(prefix: str, names: list[str]) -> Expression:
    """The run and what it loses are added, not summed: where they have no price or no end, there is no total."""
    rest = (ref(f"{prefix}.{name}") for name in names if name not in ("run", "lost"))
    return ref(f"{prefix}.run") + ref(f"{prefix}.lost") + total(*rest)


@lru_cache(maxsize=_BUDGETS)
def _usd(found: tuple[Item, ...]) -> tuple[Line, ...]:
    """Amounts before rounding: the bill, what is reckoned on it, and what stands apart."""

    def amounts(*kinds: str) -> list[Line]:
        return [computed(f"usd.{item.name}", "usd", "cost", item.usd) for item in found if item.kind in kinds]

    def one(name: str) -> list[Line]:
        return [line for line in amounts("on_bill") if line.key == f"usd.{name}"]

    billed = [item.name for item in found if item.kind in ("hourly", "unused", "bill")]
    with_support = ref("usd.bill") + total(ref("usd.support"), Literal(0))
    credit = one("credits")
    taxed = ref("usd.bill_with_support") + total(*(ref(line.key) for line in credit), Literal(0))
    return (
        *amounts("hourly", "unused", "bill"),
        computed("usd.bill", "usd", "cost", _sum("usd", billed)),
        *one("support"),
        computed("usd.bill_with_support", "usd", "cost", with_support),
        *credit,
        computed("usd.taxed", "usd", "cost", taxed),
        *one("tax"),
        *amounts("apart"),
        computed("usd.total", "usd", "cost", _sum("usd", [item.name for item in found])),
    )


@lru_cache(maxsize=_BUDGETS)
def _printed(found: tuple[Item, ...]) -> tuple[Line, ...]:
    """Amounts in the report's currency as they are printed, and their sum."""
    billed = [ref(f"cost.{item.name}") for item in found if item.kind in ("hourly", "unused", "bill")]
    digits = when(total(ref("usd.run"), Literal(0)) * ref("fx_rate") >= ref("money_digits_limit"), 0, 2)
    return (
        computed("money_digits", "number", "cost", digits),
        *(computed(f"cost.{item.name}", "currency", "cost", _in_currency(item, billed)) for item in found),
        computed(
            "cost.total", "currency", "cost",
            rounded(_sum("cost", [item.name for item in found]), 2),  # amounts have two decimals at most
        ),
    )  # fmt: skip


def _in_currency(item: Item, billed: list[Reference]) -> Expression:
    """An amount as printed. Credits pay at most what is printed of the bill, so that rounding leaves no less than 0."""
    amount = rounded(ref(f"usd.{item.name}") * ref("fx_rate"), ref("money_digits"))
    if item.name != "credits":
        return amount
    credit = rounded(ref("credits_usd") * ref("fx_rate"), ref("money_digits"))
    return 0 - smallest(credit, total(*billed, ref("cost.support")))
