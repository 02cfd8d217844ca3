"""Other ways to reach the aim: generated from the scenario, each with a whole budget of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.other_jobs import other_jobs
from desktop_app.budget.dossier.other_machines import other_machines, twice_the_gpus
from desktop_app.budget.dossier.other_places import other_places
from desktop_app.budget.dossier.ways import Way
from desktop_app.budget.purchases import option_of, purchase_budgets
from pricing.catalogue import Catalogue

_FEWEST = 3  # real alternatives that a panel asks for
RUNS = ("yes", "tight")  # verdicts of a job that can run
_COMPARED = ("cost.total", "wall_days", "co2e_kg_location")
_MUST_BE_KNOWN = _COMPARED[:2]


@dataclass(frozen=True, slots=True)
class Alternative:
    """One other way. Its words are alternative.<kind> with `values`; alternative.<kind>.risk says what it gives up."""

    kind: str  # may have a second part: "place", "purchase.reserved_1y"
    values: Mapping[str, str | float]
    budget: Budget
    same_scope: bool  # whether the same model is trained on the same tokens
    dominated: bool  # another one of the same scope costs no more, takes no longer, and is better in one of them
    complete: bool  # whether it prices every line that the base prices; else its cost leaves something out


def alternatives_of(
    budget: Budget, catalogue: Catalogue, purchases: Sequence[Budget] | None = None
) -> tuple[Alternative, ...]:
    """At least three real ones where the tables allow it, in the order of cost; those that cannot be are left out.

    `purchases` are `purchase_budgets(budget, catalogue)` where they are at hand. Those whose cost leaves out a line
    that the base prices stand behind the complete ones, those without a cost last.
    """
    ways = [
        *other_places(budget, catalogue),
        *_bought_otherwise(budget, purchases or purchase_budgets(budget, catalogue)),
        *other_machines(budget, catalogue),
        *other_jobs(budget, catalogue),
    ]
    ways = [way for way in ways if way.budget.estimate is budget.estimate or way.budget.estimate.fits != "no"]
    if len(ways) < _FEWEST:
        ways += twice_the_gpus(budget, catalogue)
    found = [
        Alternative(way.kind, way.values, way.budget, way.same_scope, False, is_complete(way.budget, budget))
        for way in ways
    ]
    judged = (replace(one, dominated=_is_dominated(one, found, budget)) for one in found)
    return tuple(sorted(judged, key=_order))


def _order(one: Alternative) -> tuple[bool, bool, float]:
    cost = one.budget.ledger.value("cost.total")
    return (cost is None, not one.complete, cost or 0.0)


def _bought_otherwise(budget: Budget, purchases: Sequence[Budget]) -> list[Way]:
    """The cheapest other way of purchase of which everything peculiar to it is priced."""
    ways = [way for way in purchases if way is not budget and option_of(way).complete]
    best = min(ways, key=lambda way: way.ledger.value("cost.total") or 0.0, default=None)
    if best is None:
        return []
    return [Way(f"purchase.{best.scenario.price.purchase.replace('-', '_')}", {}, best)]


def is_complete(budget: Budget, base: Budget) -> bool:
    """Whether a budget prices every line that the base prices."""
    return not set(budget.not_priced) - set(base.not_priced)


def _is_dominated(one: Alternative, all_of_them: Sequence[Alternative], base: Budget) -> bool:
    """Whether another one of the same scope, or the base, is no worse in anything and better in something."""
    if not one.same_scope:
        return False
    others = [other.budget for other in all_of_them if other is not one and other.same_scope and other.complete]
    return any(dominates(other, one.budget) for other in (base, *others))


def dominates(better: Budget, worse: Budget) -> bool:
    """Whether a budget costs no more, takes no longer, emits no more where that is known, and is better in one."""
    if better.estimate.fits not in RUNS:
        return False
    pairs = [(better.ledger.value(key), worse.ledger.value(key)) for key in _COMPARED]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    if any(None in pair for pair in pairs[: len(_MUST_BE_KNOWN)]):
        return False
    return all(one <= other for one, other in known) and any(one < other for one, other in known)
