"""Where a job runs: the provider and region that prices, PUE and grid are looked up by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from desktop_app.budget.scenario import PriceChoice, Scenario, is_set
from desktop_app.foundation.problems import UserError, user_error
from pricing.catalogue import Catalogue
from pricing.records import CloudRegion

DEFAULT_PROVIDER = PriceChoice.model_fields["provider"].default
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

    Hardware of one's own stands nowhere unless the user names a place. The default region is one of the default
    provider: of another provider, where none is named, the region counts where it prices this GPU under this purchase
    most often. With a typed-in price the seller may be one that the tables do not know.
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
    named = choice.region if is_set(scenario, "region") or provider == DEFAULT_PROVIDER else None
    cloud = catalogue.region(provider, named) if named else None
    if cloud is not None:
        return Place(provider, cloud.region, cloud)
    region = _region(choice, named, provider, gpu, catalogue)
    return Place(provider, region, catalogue.region(provider, region) if region else None)


def _region(choice: PriceChoice, named: str | None, provider: str, gpu: str, catalogue: Catalogue) -> str | None:
    """The code of a region without a site. The rows of one GPU come first: reading all prices outlasts a budget."""
    if named is None:
        return _home(provider, gpu, choice.purchase, catalogue)
    if named in catalogue.regions(provider, gpu):
        return named
    code = catalogue.region_code(provider, named)
    if code is None:
        raise _unknown_region(named, provider, catalogue)
    return code


def _unknown_region(named: str, provider: str, catalogue: Catalogue) -> UserError:
    options = _list(catalogue.regions(provider))
    return user_error("region", "problem.unknown_region", text=named, provider=provider, options=options)


def _home(provider: str, gpu: str, purchase: str, catalogue: Catalogue) -> str | None:
    """Of the regions that sell this GPU under this purchase: the one with most prices of it, the cheapest among equals.

    A provider offers most kinds of purchase in its main regions. Where none sells the GPU, any of its regions counts.
    """
    of_gpu = catalogue.quotes(provider=provider, gpu=gpu)
    sold = [quote for quote in of_gpu if quote.purchase == purchase] or of_gpu or catalogue.quotes(provider=provider)
    count = Counter(quote.region for quote in of_gpu or sold)
    main = min(sold, key=lambda quote: (-count[quote.region], quote.usd_per_gpu_hour, quote.region), default=None)
    return main.region if main else None


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
