"""Questions put to the product the way a person does: choices in, a budget out."""

from datetime import date
from functools import lru_cache
from typing import Any

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.scenario import Scenario, choices, with_choices
from pricing.catalogue import Catalogue, load_catalogue

TODAY = date(2026, 11, 30)


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The tables that ship, read once."""
    return load_catalogue()


def scenario(**chosen: Any) -> Scenario:
    """The default scenario with some choices made, by their keys: model="LLaMA-7B", gpus=8, method="lora"."""
    return with_choices(Scenario(today=TODAY), chosen)


def ask(**chosen: Any) -> Budget:
    """The budget of the default scenario with some choices made. Raises UserError for what cannot run."""
    return make_budget(scenario(**chosen), catalogue())


def value(budget: Budget, key: str) -> float:
    """A known figure of the ledger; a test that meets an unknown one has failed."""
    found = budget.ledger.value(key)
    assert found is not None, f"{key} is unknown"
    return float(found)


def keys() -> tuple[str, ...]:
    """Every choice there is."""
    return tuple(choices())
