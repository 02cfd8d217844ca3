"""The same job elsewhere: every offer of the same GPU under the same way of purchase, by money and by carbon.

An offer is the same ledger with another price, PUE and grid. Where the grid of a place is not known its carbon is not
known, and it stands last in the order by carbon; scopes of grid factors differ and are named in each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget
from desktop_app.budget.constants import constants
from desktop_app.budget.facts import age_days
from desktop_app.foundation.scalar_ops import Number
from pricing.catalogue import Catalogue
from pricing.quotes import WHOLE_NODE_GPUS
from pricing.records import CloudRegion, PriceQuote


@dataclass(frozen=True, slots=True)
class Offer:
    """One place. Amounts are those of the whole budget there; None is "not known", never 0."""

    provider: str
    region: str
    city: str
    country: str
    instance_type: str
    usd_per_gpu_hour: float
    as_of: str
    age_days: int
    old: bool
    quality: str
    cost_usd: float | None
    energy_facility_kwh: float | None
    co2e_kg_location: float | None
    pue: float | None
    pue_assumed: bool  # the industry's, for want of one of the place
    grid_g_per_kwh: float | None
    grid_year: int | None
    gas_scope: str
    rank_by_money: int
    rank_by_carbon: int | None  # None where the carbon is not known
    here: bool  # the place of the budget


def offers_elsewhere(budget: Budget, catalogue: Catalogue) -> tuple[Offer, ...]:
    """Every place that sells the GPU of `budget` in the same way, cheapest first, with its rank by carbon."""
    scenario, cluster = budget.scenario, budget.estimate.cluster
    quotes = _fitting(catalogue.quotes(gpu=cluster.gpu.name, purchase=scenario.price.purchase), cluster.gpus)
    found = [_offer(budget, quote, catalogue) for quote in quotes]
    by_money = sorted(
        found, key=lambda offer: (offer.cost_usd is None, offer.cost_usd or 0.0, offer.provider, offer.region)
    )
    by_carbon = sorted(
        (offer for offer in found if offer.co2e_kg_location is not None),
        key=lambda offer: offer.co2e_kg_location or 0.0,
    )
    carbon = {id(offer): rank for rank, offer in enumerate(by_carbon, 1)}
    return tuple(
        replace(offer, rank_by_money=rank, rank_by_carbon=carbon.get(id(offer)))
        for rank, offer in enumerate(by_money, 1)
    )


def _fitting(quotes: Sequence[PriceQuote], gpus: int) -> list[PriceQuote]:
    """The offer of each place that a job of that many GPUs would take: large enough, else the largest; the cheapest."""
    wanted = min(gpus, WHOLE_NODE_GPUS)
    best: dict[tuple[str, str], PriceQuote] = {}
    for quote in quotes:
        place = (quote.provider, quote.region)
        if place not in best or _rank(quote, wanted) < _rank(best[place], wanted):
            best[place] = quote
    return list(best.values())


def _rank(quote: PriceQuote, wanted: int) -> tuple[bool, int, float]:
    large = quote.gpu_count >= wanted
    return (not large, quote.gpu_count if large else -quote.gpu_count, quote.usd_per_gpu_hour)


def _offer(budget: Budget, quote: PriceQuote, catalogue: Catalogue) -> Offer:
    site = catalogue.region(quote.provider, quote.region)
    changes = _changes(budget, quote, site)
    values = budget.ledger.evaluate(changes)
    age = age_days(quote.as_of, budget.scenario.today)
    nature = "spot" if quote.purchase == "spot" else "list"
    return Offer(
        provider=quote.provider,
        region=quote.region,
        city=site.city if site else "",
        country=site.country if site else quote.country or "",
        instance_type=quote.instance_type,
        usd_per_gpu_hour=quote.usd_per_gpu_hour,
        as_of=quote.as_of,
        age_days=age,
        old=age > constants()[f"price_max_age_days.{nature}"].value,
        quality=quote.quality,
        cost_usd=values["usd.total"],
        energy_facility_kwh=values["energy_facility_kwh"],
        co2e_kg_location=values["co2e_kg_location"],
        pue=values["pue"],
        pue_assumed=site is None or site.pue is None,
        grid_g_per_kwh=values["grid_g_per_kwh"],
        grid_year=site.intensity_year if site else None,
        gas_scope=(site.gas_scope or "") if site else "",
        rank_by_money=0,
        rank_by_carbon=None,
        here=(quote.provider, quote.region) == (budget.place.provider, budget.place.region),
    )


def _changes(budget: Budget, quote: PriceQuote, site: CloudRegion | None) -> dict[str, Number | None]:
    """What is another at another place; what the user typed in of a building or a grid holds for the place named."""
    known_pue = site is not None and site.pue is not None
    return {
        "price_usd_per_gpu_hour": quote.usd_per_instance_hour / quote.gpu_count,
        "gpus_per_instance": quote.gpu_count,
        "grid_g_per_kwh": site.grid_g_co2e_per_kwh if site else None,
        "pue": site.pue if site is not None and known_pue else constants()["pue_default"].value,
        "water_l_per_kwh": site.wue_l_per_kwh if site else None,
    }
