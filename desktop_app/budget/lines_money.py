"""The lines of money: the price, the whole instances that are billed, and the amounts, each rounded as printed."""

from __future__ import annotations

from desktop_app.budget.constants import Constant, constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import Head, chosen, computed, constant, tabled, unknown, yours
from desktop_app.budget.scenario import PriceChoice
from desktop_app.foundation.expression import Expression, Literal, ref, rounded, rounded_up, total, when
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB, HOURS_PER_DAY
from pricing.quotes import WORLDWIDE, tier
from pricing.records import PriceQuote

BY_THE_GPU = Source("source.by_the_gpu", "")

COST_LINES = ("run", "lost", "evaluation", "development", "checkpoints")
"""The printed lines of money; the ledger has `usd.<name>` and `cost.<name>` (report's currency) for each.

Development only where the user says what share of the project it is.
"""

_PER_GPU_HOUR = ref("price_usd_per_gpu_hour")
_INSTANCES = (
    computed("price_usd_per_instance_hour", "usd_per_instance_hour", "price", _PER_GPU_HOUR * ref("gpus_per_instance")),
    computed("instances", "instance", "price", rounded_up(ref("gpus") / ref("gpus_per_instance"))),
    computed("billed_gpus", "gpu", "price", ref("instances") * ref("gpus_per_instance")),
)
_HOURS = (
    computed("billed_gpu_hours.run", "gpu_hour", "cost", ref("billed_gpus") * ref("net_hours")),
    computed("billed_gpu_hours.lost", "gpu_hour", "cost", ref("billed_gpus") * (ref("wall_hours") - ref("net_hours"))),
    computed("billed_gpu_hours.evaluation", "gpu_hour", "cost", ref("billed_gpus") * ref("evaluation_hours")),
)
_DEVELOPMENT = computed(
    "billed_gpu_hours.development",
    "gpu_hour",
    "cost",
    (ref("development_multiplier") - 1) * (ref("billed_gpu_hours.run") + ref("billed_gpu_hours.lost")),
)
"""Trial and failed runs before the final one and beside it, at the size of whole instances like the run itself."""
_STORAGE = (
    computed("storage_months", "month", "cost", ref("wall_days") * HOURS_PER_DAY / ref("hours_per_month")),
    computed(
        "storage_gb_months", "gb_month", "cost", ref("checkpoints_kept") * ref("checkpoint_gb") * ref("storage_months")
    ),
)


def _sum(prefix: str, names: tuple[str, ...]) -> Expression:
    """The run and what it loses are added, not summed: where they have no price or no end, there is no total."""
    return ref(f"{prefix}.run") + ref(f"{prefix}.lost") + total(*(ref(f"{prefix}.{name}") for name in names[2:]))


def _usd(names: tuple[str, ...]) -> tuple[Line, ...]:
    """Amounts before rounding."""
    by_the_hour = tuple(name for name in names if name != "checkpoints")
    return (
        *(
            computed(f"usd.{name}", "usd", "cost", ref(f"billed_gpu_hours.{name}") * _PER_GPU_HOUR)
            for name in by_the_hour
        ),
        computed(
            "usd.checkpoints",
            "usd",
            "cost",
            when(ref("storage_gb_months") > 0, ref("storage_gb_months") * ref("storage_usd_per_gb_month"), 0),
        ),
        computed("usd.total", "usd", "cost", _sum("usd", names)),
    )


_COMMITTED = (
    computed("usd.committed", "usd", "cost", ref("billed_gpus") * _PER_GPU_HOUR * ref("contract_hours")),
    computed("cost.committed", "currency", "cost", rounded(ref("usd.committed") * ref("fx_rate"), ref("money_digits"))),
)
"""What a contract binds, whether the GPUs are used or not; only where the purchase is a contract."""


def _printed(names: tuple[str, ...]) -> tuple[Line, ...]:
    """Amounts in the report's currency as they are printed, and their sum."""
    digits = when(total(ref("usd.run"), Literal(0)) * ref("fx_rate") >= ref("money_digits_limit"), 0, 2)
    return (
        computed("money_digits", "number", "cost", digits),
        *(
            computed(
                f"cost.{name}", "currency", "cost", rounded(ref(f"usd.{name}") * ref("fx_rate"), ref("money_digits"))
            )
            for name in names
        ),
        computed("cost.total", "currency", "cost", _sum("cost", names)),
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
    names = cost_names(facts.scenario.price)
    developed = "development" in names
    return (
        chosen("checkpoints_kept", "checkpoint", "cost", facts.scenario.price.checkpoints_kept, facts),
        constant("hours_per_month", "cost"),
        constant("money_digits_limit", "cost"),
        *_HOURS,
        *((_DEVELOPMENT,) if developed else ()),
        *_STORAGE,
        *_usd(names),
        *_printed(names),
        *(_COMMITTED if _contract(facts) else ()),
    )


def cost_names(choice: PriceChoice) -> tuple[str, ...]:
    """The printed lines of one budget, in order."""
    developed = choice.development_multiplier is not None
    return tuple(name for name in COST_LINES if developed or name != "development")


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
