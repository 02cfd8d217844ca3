"""What the makers of alternatives share: a way with its budget, and a scenario tried without raising."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.scenario import Scenario, is_set, with_choices, without_choice
from desktop_app.foundation.problems import UserError
from pricing.catalogue import Catalogue
from pricing.quotes import WORLDWIDE

LAYOUT = ("tp", "pp", "cp", "ep", "interleave", "micro_batch")
"""Choices that were made for one model on one cluster: another one is laid out anew."""


@dataclass(frozen=True, slots=True)
class Way:
    """An alternative before it is judged beside the others."""

    kind: str
    values: Mapping[str, str | float]
    budget: Budget
    same_scope: bool = field(default=True)


def tried(scenario: Scenario, catalogue: Catalogue) -> Budget | None:
    """The budget of a scenario; None where it cannot be computed."""
    try:
        return make_budget(scenario, catalogue)
    except UserError:
        return None


def changed(scenario: Scenario, freed: Iterable[str] = LAYOUT, **choices: object) -> Scenario:
    """The scenario with some choices made and others left to the program again. Raises UserError."""
    for key in freed:
        if is_set(scenario, key):
            scenario = without_choice(scenario, key)
    return with_choices(scenario, choices)


def place_name(provider: str, region: str, catalogue: Catalogue) -> str:
    """A place as people call it: "AWS us-east-1"; a seller whose prices name no region stands alone."""
    sellers = catalogue.provider_rows.get(provider, ())
    name = sellers[0].name if sellers else provider
    return name if region in WORLDWIDE else f"{name} {region}"


def overfull(budget: Budget) -> float:
    """How many times the usable memory of a GPU the job takes at its peak: 1 at most where it fits."""
    return budget.estimate.memory.peak / budget.estimate.cluster.gpu.usable_memory_bytes
