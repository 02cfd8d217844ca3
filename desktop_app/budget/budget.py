"""The budget of one scenario: its estimate, its ledger, and the figures that renderings print."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.budget.ledger import Ledger, Line
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.estimate import Estimate
from desktop_app.foundation.problems import Problem
from pricing.catalogue import Catalogue
from pricing.records import PriceQuote


@dataclass(frozen=True, slots=True)
class Ranged:
    """A figure with its range. `base` is the sum of the lines; P50 is not base, because ranges are skewed."""

    base: float | None
    p10: float | None
    p50: float | None
    p80: float | None
    p90: float | None


@dataclass(frozen=True, slots=True)
class CostLine:
    """One printed line of money. None is "not priced", never 0."""

    key: str  # the ledger line of the amount in the report's currency: "cost.run"
    line: Line
    amount_usd: float | None
    amount: float | None  # in the report's currency, rounded as printed
    quantity: float | None
    quantity_unit: str
    unit_price_usd: float | None
    share: float | None  # of the base; shares add up to 1 as printed (largest remainder)
    age_days: int | None  # of the price
    old: bool  # older than 90 days (spot: 30)


@dataclass(frozen=True, slots=True)
class Budget:
    """Everything that window, workbook, proposal and command line show of one scenario."""

    scenario: Scenario
    estimate: Estimate
    ledger: Ledger
    quote: PriceQuote | None  # None when nothing is known for this GPU, region and purchase
    cost_lines: tuple[CostLine, ...]
    not_priced: tuple[str, ...]  # keys of cost lines
    defaults_used: tuple[str, ...]  # keys of choices left at their default or chosen by the program
    problems: tuple[Problem, ...]
    currency: str

    def ranged(self, key: str) -> Ranged:
        """A figure that has a range: "cost.total", "wall_days", "energy_facility_kwh", "co2e_kg_location" ..."""
        value = self.ledger.value
        return Ranged(value(key), *(value(f"{key}.{name}") for name in ("p10", "p50", "p80", "p90")))


def make_budget(scenario: Scenario, catalogue: Catalogue) -> Budget:
    """The budget of `scenario` at the prices of `catalogue`. Raises UserError when the scenario cannot be computed."""
    raise NotImplementedError
