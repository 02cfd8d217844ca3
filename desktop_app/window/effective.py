"""What a choice that was left open comes to, so that its box can show it."""

from typing import Any

from desktop_app.budget.budget import Budget
from desktop_app.budget.place import place_of
from desktop_app.budget.scenario import value_of
from pricing.catalogue import Catalogue

_OF_THE_ESTIMATE = ("sharding", "recompute", "software")


def effective(budget: Budget, catalogue: Catalogue, key: str) -> Any:
    """The value that the budget was computed with; None when there is none to show."""
    if key in _OF_THE_ESTIMATE:
        return getattr(budget.estimate, key)
    if key == "interleave":
        return budget.estimate.plan.interleave
    if key == "region":
        return place_of(budget.scenario, budget.estimate.cluster.gpu.name, catalogue).region
    if key in budget.ledger and budget.ledger[key].field == key:
        return budget.ledger.value(key)
    return value_of(budget.scenario, key)
