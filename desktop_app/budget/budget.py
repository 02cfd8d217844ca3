"""The budget of one scenario: its estimate, its ledger, and the figures that renderings print."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.facts import Facts, facts_of
from desktop_app.budget.ledger import Ledger, Line
from desktop_app.budget.lines_energy import carbon_lines, energy_lines
from desktop_app.budget.lines_job import cluster_lines, job_lines, memory_lines, model_lines, speed_lines
from desktop_app.budget.lines_money import cost_lines, cost_names, price_lines
from desktop_app.budget.lines_range import range_lines
from desktop_app.budget.lines_run import development_lines, run_lines
from desktop_app.budget.notices import defaults_used, problems_of
from desktop_app.budget.place import Place
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.cluster import cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import Source
from desktop_app.foundation.rounding import round_half_away
from pricing.catalogue import Catalogue
from pricing.records import PriceQuote

_CENTS = 2  # decimals


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
    amount_usd: float | None  # rounded: as printed where the report is in USD, else to cents
    amount: float | None  # in the report's currency, rounded as printed
    quantity: float | None
    quantity_unit: str
    unit_price_usd: float | None
    source: Source  # of the unit price
    row_text: str  # which row of the price table
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
    place: Place  # provider and region as resolved: the choice may name none, or one that this seller lacks

    @property
    def cost_usd(self) -> Ranged:
        """The total in USD: base is the sum of the lines' `amount_usd`, the percentiles are those of the total."""
        if self.currency == "USD":
            return self.ranged("cost.total")
        amounts = [line.amount_usd for line in self.cost_lines if line.amount_usd is not None]
        unknown = self.ledger.value("usd.total") is None
        return replace(self.ranged("usd.total"), base=None if unknown else round_half_away(sum(amounts), _CENTS))

    @property
    def committed_usd(self) -> float | None:
        """What a contract binds, rounded like the cost lines; None without a contract or its price."""
        if "usd.committed" not in self.ledger:
            return None
        value = self.ledger.value
        return value("cost.committed") if self.currency == "USD" else _to_cents(value("usd.committed"))

    def ranged(self, key: str) -> Ranged:
        """A figure that has a range: "cost.total", "wall_days", "energy_facility_kwh", "co2e_kg_location" ..."""
        value = self.ledger.value
        return Ranged(value(key), *(value(f"{key}.{name}") for name in ("p10", "p50", "p80", "p90")))


def make_budget(scenario: Scenario, catalogue: Catalogue) -> Budget:
    """The budget of `scenario` at the prices of `catalogue`. Raises UserError when the scenario cannot be computed."""
    model = scenario.model.custom_model or model_named(scenario.model.model)
    estimated = estimate(model, scenario.job, cluster_of(scenario.cluster))
    return budget_of(facts_of(scenario, estimated, catalogue))


def budget_of(facts: Facts) -> Budget:
    """The budget that follows from what is known."""
    ledger = ledger_of(facts)
    printed = _cost_lines(ledger, facts)
    return Budget(
        scenario=facts.scenario,
        estimate=facts.estimate,
        ledger=ledger,
        quote=facts.quote,
        cost_lines=printed,
        not_priced=tuple(line.key for line in printed if line.amount_usd is None),
        defaults_used=defaults_used(facts, ledger),
        problems=problems_of(facts, ledger),
        currency=facts.scenario.price.currency,
        place=facts.place,
    )


def ledger_of(facts: Facts) -> Ledger:
    """All lines, in the order of their computation."""
    return Ledger(
        (
            *model_lines(facts),
            *job_lines(facts),
            *cluster_lines(facts),
            *memory_lines(facts),
            *speed_lines(facts),
            *run_lines(facts),
            *development_lines(facts),
            *price_lines(facts),
            *cost_lines(facts),
            *energy_lines(facts),
            *carbon_lines(facts),
            *range_lines(facts),
        )
    )


def _cost_lines(ledger: Ledger, facts: Facts) -> tuple[CostLine, ...]:
    """The printed lines of money, in order."""
    value = ledger.value
    in_usd = facts.scenario.price.currency == "USD"
    names = cost_names(facts.scenario.price)
    shares = printed_shares([value(f"cost.{name}") for name in names], value("cost.total"))
    lines = []
    for name, share in zip(names, shares, strict=True):
        stored = name == "checkpoints"
        price = ledger["storage_usd_per_gb_month" if stored else "price_usd_per_gpu_hour"]
        lines.append(
            CostLine(
                key=f"cost.{name}",
                line=ledger[f"cost.{name}"],
                amount_usd=value(f"cost.{name}") if in_usd else _to_cents(value(f"usd.{name}")),
                amount=value(f"cost.{name}"),
                quantity=value("storage_gb_months" if stored else f"billed_gpu_hours.{name}"),
                quantity_unit="gb_month" if stored else "gpu_hour",
                unit_price_usd=value(price.key),
                source=price.source,
                row_text=price.row_text,
                share=share,
                age_days=facts.storage_age_days if stored else facts.price_age_days,
                old=facts.storage_is_old if stored else facts.price_is_old,
            )
        )
    return tuple(lines)


def _to_cents(amount: float | None) -> float | None:
    return None if amount is None else round_half_away(amount, _CENTS)


def printed_shares(amounts: list[float | None], whole: float | None, steps: int = 1000) -> list[float | None]:
    """Shares of `whole` in steps of 1 / `steps` that add up to 1: the largest remainders are rounded up.

    None for an unknown amount, and for all where the whole is unknown or 0.
    """
    if not whole:
        return [None] * len(amounts)
    exact = [None if amount is None else amount / whole * steps for amount in amounts]
    floors = [None if part is None else int(part) for part in exact]
    missing = steps - sum(part for part in floors if part is not None)
    by_remainder = sorted(
        (index for index, part in enumerate(exact) if part is not None),
        key=lambda index: (exact[index] or 0.0) - (floors[index] or 0),
        reverse=True,
    )
    raised = set(by_remainder[:missing])
    return [None if part is None else (part + (index in raised)) / steps for index, part in enumerate(floors)]
