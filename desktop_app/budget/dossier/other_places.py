"""The same job on the same GPUs elsewhere: where it costs least, and where the electricity is cleanest.

Only places that a plan can rest on: no marketplaces of strangers, no outdated or estimated prices; a job that needs
whole servers looks at sellers of whole servers. Mainland China and the rest of the world are two markets, with rules of
their own on who may buy, and where data may go: a job stays in its market.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from desktop_app.budget.budget import Budget, budget_of
from desktop_app.budget.constants import constants
from desktop_app.budget.dossier.ways import Way, place_name
from desktop_app.budget.elsewhere import placed
from desktop_app.budget.facts import facts_of
from desktop_app.budget.purchases import bought
from desktop_app.estimation.gpus import Gpu
from desktop_app.foundation.problems import UserError
from pricing.catalogue import Catalogue
from pricing.quotes import WHOLE_NODE_GPUS
from pricing.records import PriceQuote

_RELIABLE = ("own", "good", "volatile", "secondary")  # qualities of prices that a plan can rest on
_TRIED = 4  # of the cheapest places: beside the price, storage and discounts differ


def other_places(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """The cheapest other place, and the cleanest one where it is cleaner than here and not that one.

    On demand where nobody else sells the GPUs in the way of the budget.
    """
    purchase = budget.scenario.price.purchase
    quotes = _elsewhere(budget, purchase, catalogue)
    if not quotes and purchase != "on-demand":
        cheapest = _cheapest(budget, _elsewhere(budget, "on-demand", catalogue), catalogue)
        if cheapest is not None:
            yield _way("place_on_demand", cheapest, catalogue)
        return
    cheapest = _cheapest(budget, quotes, catalogue)
    if cheapest is not None:
        yield _way("place", cheapest, catalogue)
    cleanest = _cleanest(budget, quotes, catalogue)
    if cleanest is not None and (cheapest is None or cleanest.place != cheapest.place):
        yield _way("cleanest", cleanest, catalogue)


def _elsewhere(budget: Budget, purchase: str, catalogue: Catalogue) -> list[PriceQuote]:
    """Prices of the same GPU under a way of purchase, cheapest first, those of the present place left out."""
    here = (budget.place.provider, budget.place.region)
    found = offers(budget.estimate.cluster.gpu, purchase, in_china(budget, catalogue), catalogue)
    server = _server(budget)
    return [quote for quote in found if (quote.provider, quote.region) != here and quote.gpu_count >= server]


def in_china(budget: Budget, catalogue: Catalogue) -> bool:
    """Whether a job runs on the mainland of China; by its currency where no place is known."""
    place = budget.place
    if place.provider is None:
        return budget.currency == "CNY"
    return _is_chinese(place.provider, place.region or "", catalogue)


def offers(gpu: Gpu, purchase: str, chinese: bool, catalogue: Catalogue) -> list[PriceQuote]:
    """Prices of a GPU in one market that a plan can rest on, cheapest first."""
    found = [quote for quote, there in _reliable(gpu.name, purchase, catalogue) if there == chinese]
    return sorted(found, key=lambda quote: (quote.usd_per_gpu_hour, quote.provider, quote.region))


def whole_server(gpu: Gpu, gpus: int) -> int:
    """GPUs that one machine must have: those of a whole server for a job that needs whole servers."""
    return min(WHOLE_NODE_GPUS, gpu.typical_node_gpus) if gpus >= WHOLE_NODE_GPUS else 1


def _server(budget: Budget) -> int:
    """As `whole_server`, or as many as the machines have that the plan is made for."""
    cluster, quote = budget.estimate.cluster, budget.quote
    whole = whole_server(cluster.gpu, cluster.gpus)
    return whole if quote is None else min(whole, quote.gpu_count)


@lru_cache(maxsize=128)  # more than there are GPUs: a whole dossier reads each list once
def _reliable(gpu: str, purchase: str, catalogue: Catalogue) -> tuple[tuple[PriceQuote, bool], ...]:
    """Prices that a plan can rest on, and whether they hold on the mainland of China."""
    return tuple(
        (quote, _is_chinese(quote.provider, quote.region, catalogue))
        for quote in catalogue.quotes(gpu=gpu, purchase=purchase)
        if _is_reliable(quote, catalogue)
    )


def _is_chinese(provider: str, region: str, catalogue: Catalogue) -> bool:
    site = catalogue.region(provider, region)
    if site is not None:
        return site.country == "CN"
    sellers = catalogue.provider_rows.get(provider, ())
    return bool(sellers) and sellers[0].seller_class.startswith("china")


def _is_reliable(quote: PriceQuote, catalogue: Catalogue) -> bool:
    sellers = catalogue.provider_rows.get(quote.provider, ())
    stranger = bool(sellers) and sellers[0].seller_class == "marketplace"
    return quote.origin is not None or (quote.quality in _RELIABLE and not stranger)


def _cheapest(budget: Budget, quotes: Sequence[PriceQuote], catalogue: Catalogue) -> Budget | None:
    places = list(dict.fromkeys((quote.provider, quote.region, quote.purchase) for quote in quotes))[:_TRIED]
    found = [there for place in places if (there := _moved(budget, *place, catalogue)) is not None]
    priced = [there for there in found if there.ledger.value("cost.total") is not None]
    return min(priced, key=lambda there: there.ledger.value("cost.total") or 0.0, default=None)


def _cleanest(budget: Budget, quotes: Sequence[PriceQuote], catalogue: Catalogue) -> Budget | None:
    """The place with the least carbon per kWh of the machines, if that is less than here."""
    by_carbon: dict[tuple[str, str, str], float] = {}
    for quote in quotes:
        site = catalogue.region(quote.provider, quote.region)
        if site is not None and site.grid_g_co2e_per_kwh is not None:
            pue = site.pue or constants()["pue_default"].value
            by_carbon.setdefault((quote.provider, quote.region, quote.purchase), pue * site.grid_g_co2e_per_kwh)
    if not by_carbon:
        return None
    there = _moved(budget, *min(by_carbon, key=lambda place: by_carbon[place]), catalogue)
    if there is None:
        return None
    ours, theirs = (one.ledger.value("co2e_kg_location") for one in (budget, there))
    return there if theirs is not None and (ours is None or theirs < ours) else None


def _moved(budget: Budget, provider: str, region: str, purchase: str, catalogue: Catalogue) -> Budget | None:
    """Time and memory are the same at another place, so nothing is estimated anew."""
    try:
        scenario = bought(placed(budget.scenario, provider, region), purchase)
        return budget_of(facts_of(scenario, budget.estimate, catalogue))
    except UserError:
        return None


def _way(kind: str, there: Budget, catalogue: Catalogue) -> Way:
    name = place_name(there.place.provider or "", there.place.region or "", catalogue)
    return Way(kind, {"place": name, "gpu": there.estimate.cluster.gpu.name}, there)
