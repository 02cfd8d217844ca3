"""Where a job runs: the provider and region that prices, PUE and grid are looked up by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from desktop_app.budget.scenario import PriceChoice, Scenario, is_set
from desktop_app.foundation.problems import UserError, user_error
from pricing.catalogue import Catalogue
from pricing.records import CloudRegion

_SHOWN = 12  # names in a sentence


@dataclass(frozen=True, slots=True)
class Place:
    """A place by the codes of the tables; None where it is not known or does not matter."""

    provider: str | None
    region: str | None
    cloud: CloudRegion | None  # its grid, PUE and water, where they are known


NOWHERE = Place(None, None, None)


def place_of(scenario: Scenario, gpu: str, catalogue: Catalogue) -> Place:
    """The place of a scenario. Raises UserError for a provider or region that does not exist.

    Hardware of one's own stands nowhere unless the user names a place. A provider without the default region takes
    the region where it prices most. With a typed-in price the seller may be one that the tables do not know.
    """
    choice = scenario.price
    if choice.provider is None or (choice.purchase == "owned" and not is_set(scenario, "provider")):
        return NOWHERE
    provider = catalogue.provider_code(choice.provider)
    if provider is None:
        if choice.price_usd_per_gpu_hour is None:
            options = _list(catalogue.providers())
            raise user_error("provider", "problem.unknown_provider", text=choice.provider, options=options)
        return Place(choice.provider, choice.region if is_set(scenario, "region") else None, None)
    cloud = catalogue.region(provider, choice.region) if choice.region else None
    if cloud is not None:
        return Place(provider, cloud.region, cloud)
    region = _region(choice, provider, gpu, catalogue, is_set(scenario, "region"))
    return Place(provider, region, catalogue.region(provider, region) if region else None)


def _region(choice: PriceChoice, provider: str, gpu: str, catalogue: Catalogue, stated: bool) -> str | None:
    """The code of a region without a site. The rows of one GPU come first: reading all prices outlasts a budget."""
    named = choice.region
    if named is not None and named in catalogue.regions(provider, gpu):
        return named
    if named is None or not stated:
        return _home(provider, gpu, catalogue)
    code = catalogue.region_code(provider, named)
    if code is None:
        raise _unknown_region(named, provider, catalogue)
    return code


def _unknown_region(named: str, provider: str, catalogue: Catalogue) -> UserError:
    options = _list(catalogue.regions(provider))
    return user_error("region", "problem.unknown_region", text=named, provider=provider, options=options)


def _home(provider: str, gpu: str, catalogue: Catalogue) -> str | None:
    """The region with most prices of this GPU, or else of any; the first by name among equals."""
    for quotes in (catalogue.quotes(gpu=gpu, provider=provider), catalogue.quotes(provider=provider)):
        if quotes:
            count = Counter(quote.region for quote in quotes)
            return min(count, key=lambda name: (-count[name], name))
    return None


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
