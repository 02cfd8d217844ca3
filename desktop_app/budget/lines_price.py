"""The lines of the price: what a GPU-hour costs and why, whole instances as they are billed, storage, exchange rate."""

from __future__ import annotations

from desktop_app.budget.constants import Constant, constants
from desktop_app.budget.facts import Discount, Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import Head, chosen, computed, constant, tabled, unknown, yours
from desktop_app.budget.lines_own import is_built, own_price_lines
from desktop_app.foundation.expression import ref, rounded_up
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB
from pricing.quotes import WORLDWIDE, tier
from pricing.records import PriceQuote, StoragePrice

BY_THE_GPU = Source("source.by_the_gpu", "")
PRICE = "price_usd_per_gpu_hour"
_UNIT = "usd_per_gpu_hour"
_INSTANCES = (
    computed("price_usd_per_instance_hour", "usd_per_instance_hour", "price", ref(PRICE) * ref("gpus_per_instance")),
    computed("instances", "instance", "price", rounded_up(ref("gpus") / ref("gpus_per_instance"))),
    computed("billed_gpus", "gpu", "price", ref("instances") * ref("gpus_per_instance")),
)
_MIXED = computed(
    PRICE,
    _UNIT,
    "price",
    (
        ref("spot_usd_per_gpu_hour") * ref("spot_share_percent")
        + ref("on_demand_usd_per_gpu_hour") * (100 - ref("spot_share_percent"))
    )
    / 100,
)
"""A run of which part is bought on demand pays the mean of both prices."""


def price_lines(facts: Facts) -> tuple[Line, ...]:
    """Price per GPU-hour and instance, what it compares with, exchange rate, storage, the term of a contract."""
    contract = contract_of(facts)
    return (
        constant("hours_per_month", "price"),
        constant("hours_per_year", "price"),
        _fx_line(facts),
        *_gpu_hour_lines(facts),
        _size_line(facts),
        *_INSTANCES,
        _per_gb_line("storage_usd_per_gb_month", "usd_per_gb_month", facts.storage),
        _per_gb_line("egress_usd_per_gb", "usd_per_gb", facts.egress),
        *((constant("contract_hours", "price", contract),) if contract else ()),
    )


def contract_of(facts: Facts) -> Constant | None:
    """The term that is paid whether used or not; None for a purchase without one."""
    return constants().get(f"contract_hours.{facts.scenario.price.purchase}")


def is_mixed(facts: Facts) -> bool:
    """Whether a spot run is bought on demand in part."""
    price = facts.scenario.price
    return price.purchase == "spot" and price.spot_share_percent < 100 and price.price_usd_per_gpu_hour is None


def _gpu_hour_lines(facts: Facts) -> tuple[Line, ...]:
    """The price of a GPU-hour, and on demand beside it where something else is bought."""
    typed = facts.scenario.price.price_usd_per_gpu_hour
    compared = _compared(facts)
    if typed is not None:
        return (yours(PRICE, _UNIT, "price", typed, facts), *compared)
    if is_built(facts):
        return own_price_lines(facts)
    if facts.quote is None:
        return (unknown(PRICE, _UNIT, "price", PRICE), *compared)
    if is_mixed(facts):
        share = chosen("spot_share_percent", "percent", "price", facts.scenario.price.spot_share_percent, facts)
        on_demand = compared or (unknown("on_demand_usd_per_gpu_hour", _UNIT, "price", PRICE),)
        return (share, *_quoted("spot_usd_per_gpu_hour", facts.quote, facts.discount), *on_demand, _MIXED)
    return (*_quoted(PRICE, facts.quote, facts.discount, PRICE), *compared)


def _compared(facts: Facts) -> tuple[Line, ...]:
    """The price on demand of the same GPU at the same place, where something else is bought."""
    if facts.on_demand is None:
        return ()
    return _quoted("on_demand_usd_per_gpu_hour", facts.on_demand, facts.on_demand_discount)


def _quoted(key: str, quote: PriceQuote, discount: Discount | None, field: str = "") -> tuple[Line, ...]:
    """A price of the table; where a discount was negotiated, the list price, the discount and what is left of it."""
    source = Source(quote.source, quote.as_of, quote.quality)
    listed: Head = (f"list_{key}" if discount else key, _UNIT, "price")
    list_line = tabled(*listed, quote.usd_per_instance_hour / quote.gpu_count, source, row_text(quote), field)
    if discount is None:
        return (list_line,)
    percent = f"discount_percent.{key}"
    return (
        list_line,
        Line(
            percent, "percent", "price", discount.source, given=discount.percent, tag="yours", field="discount_percent",
            row_text=discount.row_text,
        ),
        computed(key, _UNIT, "price", ref(listed[0]) * (1 - ref(percent) / 100)),
    )  # fmt: skip


def _fx_line(facts: Facts) -> Line:
    """Units of the report's currency per USD."""
    key, unit, typed = "fx_rate", "currency_per_usd", facts.scenario.price.fx_rate
    if typed is not None:
        return yours(key, unit, "price", typed, facts)
    rate = facts.fx
    assert rate is not None, "facts_of refuses a currency without a rate"
    return tabled(key, unit, "price", 1 / rate.usd_per_unit, Source(rate.source, rate.as_of), rate.currency, "currency")


def _size_line(facts: Facts) -> Line:
    """GPUs per instance; a seller bills whole instances whatever the price."""
    head: Head = ("gpus_per_instance", "gpu", "price")
    quote = facts.quote
    if quote is None:
        return Line(*head, BY_THE_GPU, given=1, tag="default")
    return tabled(*head, quote.gpu_count, Source(quote.source, quote.as_of, quote.quality), row_text(quote))


def row_text(quote: PriceQuote) -> str:
    """Which row of the price table: seller, region, instance, the tier where there are several, purchase."""
    region = "" if quote.region in WORLDWIDE else quote.region
    instance = quote.instance_type.removeprefix(f"{quote.provider}:")
    offer = " ".join(filter(None, (quote.provider, region, instance)))
    return ", ".join(filter(None, (offer, tier(quote), quote.purchase)))


def _per_gb_line(key: str, unit: str, row: StoragePrice | None) -> Line:
    """Price of keeping or moving data."""
    if row is None:
        return unknown(key, unit, "price")
    text = f"{row.provider} {row.region} {row.service} {row.tier}"
    gb_per_unit = BYTES_PER_GIB / BYTES_PER_GB if row.unit.startswith("GiB") else 1  # some bill binary gigabytes
    return tabled(key, unit, "price", row.usd / gb_per_unit, Source(row.source, row.as_of, row.quality), text)
