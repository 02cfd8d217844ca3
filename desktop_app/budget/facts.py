"""Everything a budget is computed from, looked up once: the estimate, the price, power, place and currency."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from desktop_app.budget.constants import constants
from desktop_app.budget.place import Place, place_of
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.results import Estimate
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.records import Source
from pricing.catalogue import Catalogue
from pricing.price_book import OWN
from pricing.quotes import WORLDWIDE
from pricing.records import (
    Commitment,
    FxRate,
    GpuPhysical,
    GpuPower,
    GridIntensity,
    NodePower,
    PriceQuote,
    SpotInterruption,
    StoragePrice,
)

# How commitments.csv names the schemes of a way of purchase.
_SCHEMES = {
    "spot": ("spot", "preemptible"),
    "capacity-block": ("capacity_block", "dws_calendar"),
    "flex-start": ("flex_start",),
    "reserved-1mo": ("monthly",),
    "reserved-1y": ("1yr", "savings_plan", "commitment"),
    "reserved-3y": ("3yr", "savings_plan", "commitment"),
    "reserved-5y": ("5yr",),
}


@dataclass(frozen=True, slots=True)
class Discount:
    """What was negotiated off a list price, in percent."""

    percent: float
    source: Source
    row_text: str = ""


@dataclass(frozen=True, slots=True)
class Credit:
    """Money that a seller gave: it comes off the bill."""

    usd: float
    source: Source


@dataclass(frozen=True, slots=True)
class Facts:
    """What the lines are made of. None is "not known"."""

    scenario: Scenario
    estimate: Estimate
    place: Place
    quote: PriceQuote | None
    seller: Literal["large", "small"]  # lists of the large clouds move less
    on_demand: PriceQuote | None  # of the same GPU at the same place, to judge another way of purchase by
    discount: Discount | None  # on the quote
    on_demand_discount: Discount | None
    credits: Credit | None
    commitments: tuple[Commitment, ...]  # published discounts of this way of purchase, where it has no price
    interruptions: SpotInterruption | None  # of the instance of the quote, where it is a spot price
    storage: StoragePrice | None
    egress: StoragePrice | None
    power: NodePower | None
    gpu_power: GpuPower | None  # of one GPU by its own meter
    physical: GpuPhysical | None
    offered: bool  # whether the provider is known to sell this GPU in this region, in whatever way
    grid_kind: str  # the zone of the grid factor, or what kind of zone; "" where neither is known
    residual: GridIntensity | None  # residual mix of the country, for the market-based figure
    fx: FxRate | None  # None when the rate was typed in

    @property
    def price_age_days(self) -> int | None:
        """Age of the quote; None where no quote is used."""
        if self.quote is None or self.scenario.price.price_usd_per_gpu_hour is not None:
            return None
        return age_days(self.quote.as_of, self.scenario.today)

    @property
    def price_is_old(self) -> bool:
        """Older than list prices (or, for spot, spot prices) stay true."""
        return self.is_old(self.price_age_days, spot=True)

    def is_old(self, age: int | None, spot: bool = False) -> bool:
        """Whether a price of this age is older than prices stay true; `spot`: a spot price where spot is bought."""
        nature = "spot" if spot and self.scenario.price.purchase == "spot" else "list"
        return age is not None and age > constants()[f"price_max_age_days.{nature}"].value


def facts_of(scenario: Scenario, estimate: Estimate, catalogue: Catalogue) -> Facts:
    """Look everything up. Raises UserError for a provider, region or currency that does not exist."""
    choice, gpu, gpus = scenario.price, estimate.cluster.gpu.name, estimate.cluster.gpus
    place = place_of(scenario, gpu, catalogue)
    quote = on_demand = interruptions = storage = egress = residual = None
    if choice.purchase != "owned" and place.provider is not None:
        where = (gpu, place.provider, place.region)
        quote = catalogue.quote(*where, choice.purchase, gpus_at_least=gpus)
        if choice.purchase != "on-demand":
            on_demand = catalogue.quote(*where, "on-demand", gpus_at_least=gpus)
        if choice.purchase == "spot" and quote is not None:
            interruptions = catalogue.spot_interruption(quote.provider, quote.region, quote.instance_type)
        if place.region is not None:
            storage = catalogue.storage(place.provider, place.region)
            egress = catalogue.egress(place.provider, place.region, scenario.beside.egress_gb or 0.0)
    if place.cloud is not None:
        residual = catalogue.residual_mix(place.cloud.country)
    return Facts(
        scenario=scenario,
        estimate=estimate,
        place=place,
        quote=quote,
        seller=_seller(place.provider, catalogue),
        on_demand=on_demand,
        discount=_discount(scenario, quote, catalogue),
        on_demand_discount=_discount(scenario, on_demand, catalogue),
        credits=_credits(scenario, place, catalogue),
        commitments=() if quote is not None else _commitments(scenario, place, gpu, catalogue),
        interruptions=interruptions,
        storage=storage,
        egress=egress,
        power=catalogue.node_power(gpu, estimate.cluster.gpus_per_node),
        gpu_power=catalogue.gpu_power(gpu),
        physical=catalogue.physical(gpu),
        offered=_offered(place, gpu, catalogue),
        grid_kind=_grid_kind(place, catalogue),
        residual=residual,
        fx=_fx(scenario, catalogue),
    )


def _discount(scenario: Scenario, quote: PriceQuote | None, catalogue: Catalogue) -> Discount | None:
    """What comes off a list price: as typed, else by the price book; a price of one's own is paid whole."""
    if quote is None or quote.origin is not None:
        return None
    percent = scenario.price.discount_percent
    if percent is not None:
        return Discount(percent, Source("source.yours", scenario.today.isoformat()))
    rule = catalogue.discount(quote.provider, quote.gpu, quote.region, quote.purchase, scenario.today)
    return None if rule is None else Discount(rule.percent, Source(rule.source, rule.as_of, OWN))


def _credits(scenario: Scenario, place: Place, catalogue: Catalogue) -> Credit | None:
    """What comes off the bill: as typed, else all credits of the price book that this seller takes."""
    usd = scenario.beside.credits_usd
    if scenario.price.purchase == "owned":
        return None
    if usd is not None:
        return Credit(usd, Source("source.yours", scenario.today.isoformat()))
    found = catalogue.credits(place.provider, scenario.today) if place.provider else ()
    if not found:
        return None
    names = "; ".join(credit.source for credit in found)
    return Credit(sum(credit.amount_usd for credit in found), Source(names, max(credit.as_of for credit in found), OWN))


def _commitments(scenario: Scenario, place: Place, gpu: str, catalogue: Catalogue) -> tuple[Commitment, ...]:
    """What the seller publishes of a way of purchase for this GPU; no ceiling over all its machines."""
    marks, family = _SCHEMES.get(scenario.price.purchase, ()), re.split(r"[-\s]", gpu)[0]
    named = re.compile(rf"\b{re.escape(family)}\b|all GPUs")
    return tuple(
        row
        for row in catalogue.commitments(place.provider or "")
        if any(mark in row.scheme for mark in marks) and named.search(row.applies_to)
    )


def _offered(place: Place, gpu: str, catalogue: Catalogue) -> bool:
    """Whether there is any price of the GPU in the region, or one that holds in all regions of the provider."""
    priced = catalogue.regions(place.provider or "", gpu)
    return place.region in priced or any(group in priced for group in WORLDWIDE)


def _grid_kind(place: Place, catalogue: Catalogue) -> str:
    """What the range of the grid factor goes by: rows grid_range.* of the constants."""
    cloud = place.cloud
    if cloud is None:
        return ""
    zone, factor = cloud.grid_zone or "", cloud.grid_g_co2e_per_kwh
    rows = (row for row in catalogue.grid_rows.get(zone, ()) if row.grid_g_co2e_per_kwh == factor)
    kind = next((row.zone_type for row in rows), "")
    return zone if kind and f"grid_range.{zone}" in constants() else kind


def _seller(provider: str | None, catalogue: Catalogue) -> Literal["large", "small"]:
    rows = catalogue.provider_rows.get(provider or "", ())
    return "large" if rows and rows[0].seller_class in ("hyperscaler", "china-cloud") else "small"


def age_days(as_of: str, today: date) -> int:
    """Days since `as_of`; a bare month or year counts from its first day, because it may be that old."""
    year, month, day = (*as_of.split("-"), "1", "1")[:3]
    return max(0, (today - date(int(year), int(month), int(day))).days)


def _fx(scenario: Scenario, catalogue: Catalogue) -> FxRate | None:
    choice = scenario.price
    if choice.fx_rate is not None:
        return None
    rate = catalogue.fx(choice.currency)
    if rate is None:
        raise user_error("currency", "problem.no_fx_rate", currency=choice.currency)
    return rate
