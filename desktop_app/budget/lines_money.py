"""The lines of money: the price, the whole instances that are billed, and the amounts, each rounded as printed."""

from __future__ import annotations

from desktop_app.budget.constants import Constant, constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import Head, chosen, computed, constant, tabled, unknown, yours
from desktop_app.foundation.expression import Literal, ref, rounded, rounded_up, total, when
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB
from pricing.quotes import WORLDWIDE, tier
from pricing.records import PriceQuote

BY_THE_GPU = Source("source.by_the_gpu", "")

COST_LINES = ("run", "lost", "evaluation", "checkpoints")
"""The printed lines of money; the ledger has `usd.<name>` and `cost.<name>` (report's currency) for each."""

_PER_GPU_HOUR = ref("price_usd_per_gpu_hour")
_RUN_HOURS = ref("billed_gpu_hours.run")
_INSTANCES = (
    computed("price_usd_per_instance_hour", "usd_per_instance_hour", "price", _PER_GPU_HOUR * ref("gpus_per_instance")),
    computed("instances", "instance", "price", rounded_up(ref("gpus") / ref("gpus_per_instance"))),
    computed("billed_gpus", "gpu", "price", ref("instances") * ref("gpus_per_instance")),
)
_HOURS = (
    computed("billed_gpu_hours.run", "gpu_hour", "cost", ref("billed_gpus") * ref("net_hours")),
    computed("billed_gpu_hours.lost", "gpu_hour", "cost", ref("billed_gpus") * (ref("wall_hours") - ref("net_hours"))),
    computed("billed_gpu_hours.evaluation", "gpu_hour", "cost", _RUN_HOURS * ref("evaluation_percent") / 100),
)
_STORAGE = (
    computed(
        "checkpoint_gb",
        "gb",
        "cost",
        ref("params_trainable") * ref("checkpoint_bytes_per_parameter") / Literal(BYTES_PER_GB),
    ),
    computed("storage_months", "month", "cost", ref("wall_hours") / ref("hours_per_month")),
    computed(
        "storage_gb_months", "gb_month", "cost", ref("checkpoints_kept") * ref("checkpoint_gb") * ref("storage_months")
    ),
)
# The first term is added and not summed: where the run itself has no price, there is no total.
_USD = (
    *(
        computed(f"usd.{name}", "usd", "cost", ref(f"billed_gpu_hours.{name}") * _PER_GPU_HOUR)
        for name in ("run", "lost", "evaluation")
    ),
    computed(
        "usd.checkpoints",
        "usd",
        "cost",
        when(ref("storage_gb_months") > 0, ref("storage_gb_months") * ref("storage_usd_per_gb_month"), 0),
    ),
    computed("usd.total", "usd", "cost", ref("usd.run") + total(*(ref(f"usd.{name}") for name in COST_LINES[1:]))),
)
_COMMITTED = (
    computed("usd.committed", "usd", "cost", ref("billed_gpus") * _PER_GPU_HOUR * ref("contract_hours")),
    computed("cost.committed", "currency", "cost", rounded(ref("usd.committed") * ref("fx_rate"), ref("money_digits"))),
)
"""What a contract binds, whether the GPUs are used or not; only where the purchase is a contract."""

_PRINTED = (
    computed(
        "money_digits",
        "number",
        "cost",
        when(total(ref("usd.run"), Literal(0)) * ref("fx_rate") >= ref("money_digits_limit"), 0, 2),
    ),
    *(
        computed(f"cost.{name}", "currency", "cost", rounded(ref(f"usd.{name}") * ref("fx_rate"), ref("money_digits")))
        for name in COST_LINES
    ),
    computed(
        "cost.total", "currency", "cost", ref("cost.run") + total(*(ref(f"cost.{name}") for name in COST_LINES[1:]))
    ),
)


def price_lines(facts: Facts) -> tuple[Line, ...]:
    """Price per GPU-hour and instance, exchange rate, storage price; the term of a contract where there is one."""
    contract = _contract(facts)
    return (
        _fx_line(facts),
        *_unit_price_lines(facts),
        *_INSTANCES,
        _storage_line(facts),
        *((constant("contract_hours", "price", contract),) if contract else ()),
    )


def cost_lines(facts: Facts) -> tuple[Line, ...]:
    """Quantities and amounts."""
    choice = facts.scenario.price
    return (
        chosen("evaluation_percent", "percent", "cost", choice.evaluation_percent, facts),
        chosen("checkpoints_kept", "checkpoint", "cost", choice.checkpoints_kept, facts),
        constant("checkpoint_bytes_per_parameter", "cost"),
        constant("hours_per_month", "cost"),
        constant("money_digits_limit", "cost"),
        *_HOURS,
        *_STORAGE,
        *_USD,
        *_PRINTED,
        *(_COMMITTED if _contract(facts) else ()),
    )


def _contract(facts: Facts) -> Constant | None:
    """The term of the contract that is signed; None for a purchase without one."""
    return constants().get(f"contract_hours.{facts.scenario.price.purchase}")


def _fx_line(facts: Facts) -> Line:
    """Units of the report's currency per USD."""
    key, unit, typed = "fx_rate", "currency_per_usd", facts.scenario.price.fx_rate
    if typed is not None:
        return yours(key, unit, "price", typed, facts)
    rate = facts.fx
    assert rate is not None, "facts_of refuses a currency without a rate"
    return tabled(key, unit, "price", 1 / rate.usd_per_unit, Source(rate.source, rate.as_of), rate.currency, "currency")


def _unit_price_lines(facts: Facts) -> tuple[Line, Line]:
    """Price per GPU-hour and GPUs per instance; a seller bills whole instances whatever the price."""
    quote, typed = facts.quote, facts.scenario.price.price_usd_per_gpu_hour
    price_head: Head = ("price_usd_per_gpu_hour", "usd_per_gpu_hour", "price")
    size_head: Head = ("gpus_per_instance", "gpu", "price")
    if quote is None:
        price = (
            yours(*price_head, typed, facts) if typed is not None else unknown(*price_head, "price_usd_per_gpu_hour")
        )
        return price, Line(*size_head, BY_THE_GPU, given=1, tag="default")
    source = Source(quote.source, quote.as_of, quote.quality)
    row = _row_text(quote)
    size_line = tabled(*size_head, quote.gpu_count, source, row)
    if typed is not None:
        return yours(*price_head, typed, facts), size_line
    value = quote.usd_per_instance_hour / quote.gpu_count
    return tabled(*price_head, value, source, row, "price_usd_per_gpu_hour"), size_line


def _row_text(quote: PriceQuote) -> str:
    """Which row of the price table: seller, region, instance, the tier where there are several, purchase."""
    region = "" if quote.region in WORLDWIDE else quote.region
    instance = quote.instance_type.removeprefix(f"{quote.provider}:")
    offer = " ".join(filter(None, (quote.provider, region, instance)))
    return ", ".join(filter(None, (offer, tier(quote), quote.purchase)))


def _storage_line(facts: Facts) -> Line:
    """Price of keeping checkpoints."""
    key, unit, row = "storage_usd_per_gb_month", "usd_per_gb_month", facts.storage
    if row is None:
        return unknown(key, unit, "price")
    text = f"{row.provider} {row.region} {row.service} {row.tier}"
    gb_per_unit = BYTES_PER_GIB / BYTES_PER_GB if row.unit == "GiB-month" else 1  # some bills count binary gigabytes
    return tabled(key, unit, "price", row.usd / gb_per_unit, Source(row.source, row.as_of, row.quality), text)
