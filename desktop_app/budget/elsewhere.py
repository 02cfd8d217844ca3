"""The same job elsewhere: every offer of the same GPU under the same way of purchase, by money and by carbon.

An offer is the budget that would follow from a move there. Where the grid of a place is not known its carbon is not
known, and it stands last in the order by carbon; scopes of grid factors differ and are named in each row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget, budget_of
from desktop_app.budget.constants import constants
from desktop_app.budget.facts import age_days, facts_of
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.records import replaced, reset
from pricing.catalogue import Catalogue
from pricing.records import PriceQuote

_OF_THE_PLACE = ("pue", "grid_g_per_kwh", "market_g_per_kwh")
"""Choices of energy that belong to one building."""


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
    gpu, purchase = cluster.gpu.name, scenario.price.purchase
    places = dict.fromkeys((row.provider, row.region) for row in catalogue.quotes(gpu=gpu, purchase=purchase))
    quotes = (catalogue.quote(gpu, *place, purchase, gpus_at_least=cluster.gpus) for place in places)
    found = [_offer(budget, quote, catalogue) for quote in quotes if quote is not None]
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


def placed(scenario: Scenario, provider: str, region: str) -> Scenario:
    """The scenario at another place: what was typed in of the price, the building or the grid held for the old one.

    Raises UserError for a place that does not exist.
    """
    price = replaced(reset(scenario.price, "price_usd_per_gpu_hour"), provider=provider, region=region)
    energy = scenario.energy
    for key in _OF_THE_PLACE:
        energy = reset(energy, key)
    return scenario.model_copy(update={"price": price, "energy": energy})


def _offer(budget: Budget, quote: PriceQuote, catalogue: Catalogue) -> Offer:
    """The budget at the place of `quote`, which is the one that it would be after a move there, discounts and all."""
    scenario = budget.scenario
    site = catalogue.region(quote.provider, quote.region)
    age = age_days(quote.as_of, scenario.today)
    nature = "spot" if quote.purchase == "spot" else "list"
    there = budget if _is_here(budget, quote) else _moved(budget, quote, catalogue)
    value = there.ledger.value
    return Offer(
        provider=quote.provider,
        region=quote.region,
        city=site.city if site else "",
        country=site.country if site else quote.country or "",
        instance_type=quote.instance_type,
        usd_per_gpu_hour=value("price_usd_per_gpu_hour") or 0.0,
        as_of=quote.as_of,
        age_days=age,
        old=age > constants()[f"price_max_age_days.{nature}"].value,
        quality=quote.quality,
        cost_usd=value("usd.total"),
        energy_facility_kwh=value("energy_facility_kwh"),
        co2e_kg_location=value("co2e_kg_location"),
        pue=value("pue"),
        pue_assumed=site is None or site.pue is None,
        grid_g_per_kwh=value("grid_g_per_kwh"),
        grid_year=site.intensity_year if site else None,
        gas_scope=(site.gas_scope or "") if site else "",
        rank_by_money=0,
        rank_by_carbon=None,
        here=_is_here(budget, quote),
    )


def _is_here(budget: Budget, quote: PriceQuote) -> bool:
    return (quote.provider, quote.region) == (budget.place.provider, budget.place.region)


def _moved(budget: Budget, quote: PriceQuote, catalogue: Catalogue) -> Budget:
    """Time and memory are the same at another place, so nothing is estimated anew."""
    scenario = placed(budget.scenario, quote.provider, quote.region)
    return budget_of(facts_of(scenario, budget.estimate, catalogue))
