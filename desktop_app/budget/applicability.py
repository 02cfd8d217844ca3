"""Which choices matter, judged by the other choices alone: a form hides the others, and a budget names them as idle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_app.budget.scenario import OwnChoice, PriceChoice, Scenario

_CONTRACTS = ("capacity-block", "reserved-1mo", "reserved-6mo", "reserved-1y", "reserved-3y", "reserved-5y")


def _typed(price: PriceChoice) -> bool:
    return price.price_usd_per_gpu_hour is not None


def _adapters(scenario: Scenario) -> bool:
    return scenario.job.method != "full"


def _spot(scenario: Scenario) -> bool:
    return scenario.price.purchase == "spot"


def _discounted(scenario: Scenario) -> bool:
    return not _typed(scenario.price) and scenario.price.purchase != "owned"


def _contract(scenario: Scenario) -> bool:
    return scenario.price.purchase in _CONTRACTS


def _billed(scenario: Scenario) -> bool:
    return scenario.price.purchase != "owned"


def _built(scenario: Scenario) -> bool:
    return scenario.price.purchase == "owned" and not _typed(scenario.price)


_RULES: Mapping[str, Callable[[Scenario], bool]] = {
    **dict.fromkeys(("lora_rank", "lora_targets", "base_precision"), _adapters),
    **dict.fromkeys(("spot_share_percent", "spot_interruptions_per_hour", "spot_wait_hours"), _spot),
    "discount_percent": _discounted,
    "unused_elsewhere_percent": _contract,
    "credits_usd": _billed,
    **dict.fromkeys(OwnChoice.model_fields, _built),
}


def applies(key: str, scenario: Scenario) -> bool:
    """Whether a choice can change the budget of a scenario; what the model decides is not judged here."""
    return key not in _RULES or _RULES[key](scenario)
