"""One job bought in every way: what each costs, what it binds, and from where on it pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from desktop_app.budget.budget import Budget, Ranged, budget_of
from desktop_app.budget.facts import facts_of
from desktop_app.budget.scenario import OwnChoice, Purchase, Scenario
from desktop_app.estimation.results import Estimate
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.records import replaced, reset
from pricing.catalogue import Catalogue

_BILLED = "billed_gpu_hours."
_PECULIAR = frozenset(f"cost.{name}" for name in ("interruptions", "electricity", "colocation", "operations"))
_FIELDS = ("purchase", "spot_interruptions_per_hour", "price_usd_per_gpu_hour", *OwnChoice.model_fields)
"""Choices that a way of purchase is about."""


@dataclass(frozen=True, slots=True)
class PurchaseOption:
    """One way of purchase. None is "not known": nobody is known to sell it there."""

    purchase: str
    row_text: str  # which row of the price table, or ""
    as_of: str
    usd_per_gpu_hour: float | None
    hours_used: float | None  # GPU-hours billed that the job uses
    hours_paid: float | None
    wall_days: float | None
    cost: Ranged  # USD
    not_priced: tuple[str, ...]
    complete: bool  # whether what is peculiar to this way of purchase is priced
    break_even: float | None  # share of use from which a contract pays; hours between interruptions for spot
    problems: tuple[Problem, ...]  # what is to be said of this way of purchase
    age_days: int | None  # of the price; None where it is typed in or unknown
    old: bool
    co2e_kg_location: float | None


def purchase_options(budget: Budget, catalogue: Catalogue) -> tuple[PurchaseOption, ...]:
    """The job of `budget` at the same place under each way of purchase, cheapest first.

    Those of which a part of their own is not priced, interruptions or electricity, stand behind the complete ones, and
    those without any price last: a sum that leaves something out must not look cheapest.
    A price that was typed in belongs to the chosen way alone; the others are priced from the tables.
    """
    found = [option_of(bought_so) for bought_so in purchase_budgets(budget, catalogue)]
    return tuple(sorted(found, key=_order))


def _order(option: PurchaseOption) -> tuple[bool, bool, float]:
    return (option.cost.base is None, not option.complete, option.cost.base or 0)


def purchase_budgets(budget: Budget, catalogue: Catalogue) -> tuple[Budget, ...]:
    """The budget under each way of purchase, in the order of the choice; under its own it is itself.

    A seller whom the tables do not know sells in the way alone whose price was typed in.
    """
    own = budget.scenario.price.purchase
    ways = (
        budget if purchase == own else _bought(budget.scenario, budget.estimate, purchase, catalogue)
        for purchase in get_args(Purchase)
    )
    return tuple(way for way in ways if way is not None)


def bought(scenario: Scenario, purchase: str) -> Scenario:
    """The scenario under another way of purchase, at the price of the tables; under its own it is the same."""
    if purchase == scenario.price.purchase:
        return scenario
    price = replaced(reset(scenario.price, "price_usd_per_gpu_hour"), purchase=purchase)
    return scenario.model_copy(update={"price": price})


def _bought(scenario: Scenario, estimate: Estimate, purchase: str, catalogue: Catalogue) -> Budget | None:
    """The budget under another way of purchase; time and memory are the same, so nothing is estimated anew.

    None where the tables do not know the seller.
    """
    try:
        return budget_of(facts_of(bought(scenario, purchase), estimate, catalogue))
    except UserError:
        return None


def option_of(budget: Budget) -> PurchaseOption:
    """What a budget says of its way of purchase."""
    ledger = budget.ledger
    origin = ledger.origin("price_usd_per_gpu_hour")
    known = origin.given is not None
    hourly = [line.quantity for line in budget.cost_lines if line.quantity_line.key.startswith(_BILLED)]
    unused = next((line.quantity for line in budget.cost_lines if line.key == "cost.unused"), None)
    used = sum(hours for hours in hourly if hours is not None) - (unused or 0.0)
    dated = next((line for line in budget.cost_lines if line.key == "cost.run"), None)
    breaks = ("break_even_utilisation", "spot_break_even_hours")
    return PurchaseOption(
        purchase=budget.scenario.price.purchase,
        row_text=origin.row_text if known else "",
        as_of=origin.source.as_of if known else "",
        usd_per_gpu_hour=ledger.value("price_usd_per_gpu_hour"),
        hours_used=used if known else None,
        hours_paid=(ledger.value("paid_gpu_hours") if "paid_gpu_hours" in ledger else used) if known else None,
        wall_days=ledger.value("wall_days"),
        cost=budget.cost_usd,
        not_priced=budget.not_priced,
        complete=budget.cost_usd.base is not None and not _PECULIAR.intersection(budget.not_priced),
        break_even=next((ledger.value(key) for key in breaks if key in ledger), None),
        problems=tuple(problem for problem in budget.problems if problem.field in _FIELDS),
        age_days=dated.age_days if dated is not None and known else None,
        old=dated is not None and dated.old,
        co2e_kg_location=ledger.value("co2e_kg_location"),
    )
