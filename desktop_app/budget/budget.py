"""The budget of one scenario: its estimate, its ledger, and the figures that renderings print."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor

from desktop_app.budget.cost_items import Item, items
from desktop_app.budget.facts import Facts, age_days, facts_of
from desktop_app.budget.ledger import Ledger, Line, evaluated
from desktop_app.budget.lines_energy import carbon_lines, energy_lines, project_lines
from desktop_app.budget.lines_job import cluster_lines, job_lines, memory_lines, model_lines, speed_lines
from desktop_app.budget.lines_money import cost_lines
from desktop_app.budget.lines_price import price_lines
from desktop_app.budget.lines_range import range_lines
from desktop_app.budget.lines_run import run_lines
from desktop_app.budget.lines_spot import is_spot
from desktop_app.budget.notices import defaults_used, problems_of
from desktop_app.budget.place import Place
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.cluster import cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.rounding import round_half_away
from pricing.catalogue import Catalogue
from pricing.records import PriceQuote

_CENTS = 2  # decimals
_BILLED = ("hourly", "unused", "bill")  # kinds of lines that credits pay for, and support


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
    quantity_line: Line
    unit_price_usd: float | None  # None too for a line that is a share of the bill
    unit_price_line: Line | None
    price_line: Line | None  # the given line that the unit price rests on: a row of a table, a choice
    share: float | None  # of the base; shares add up to 1 as printed (largest remainder)
    age_days: int | None  # of the row of the price
    old: bool  # older than 90 days (spot: 30)

    @property
    def basis(self) -> Line:
        """The given line that tells where the amount comes from: the price's, or the quantity's of a share."""
        return self.price_line or self.quantity_line


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

    def missing(self, line: CostLine) -> str:
        """The choice that would price a line that is not priced; "" where it is, or where no choice would."""
        return "" if line.amount is not None else self.ledger.missing(line.key.replace("cost.", "usd.", 1))

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
    priced = (
        *model_lines(facts),
        *job_lines(facts),
        *cluster_lines(facts),
        *memory_lines(facts),
        *speed_lines(facts),
        *price_lines(facts),
    )
    return Ledger(
        (
            *priced,
            *run_lines(facts, evaluated(priced, {}) if is_spot(facts) else {}),
            *project_lines(facts),
            *energy_lines(facts),
            *cost_lines(facts),
            *carbon_lines(facts),
            *range_lines(facts),
        )
    )


def _cost_lines(ledger: Ledger, facts: Facts) -> tuple[CostLine, ...]:
    """The printed lines of money, in order."""
    value = ledger.value
    in_usd = facts.scenario.price.currency == "USD"
    found = items(facts)
    shares = printed_shares([value(f"cost.{item.name}") for item in found], value("cost.total"))
    lines = [_cost_line(ledger, facts, item, share, in_usd) for item, share in zip(found, shares, strict=True)]
    billed = [
        line.amount_usd or 0.0
        for line, item in zip(lines, found, strict=True)
        if item.kind in _BILLED or item.name == "support"
    ]
    return tuple(_capped(line, sum(billed)) if line.key == "cost.credits" else line for line in lines)


def _capped(line: CostLine, bill_usd: float) -> CostLine:
    """Credits in USD beside the report's currency pay at most what the lines come to there, cent by cent."""
    amount = line.amount_usd
    return line if amount is None else replace(line, amount_usd=max(amount, -round_half_away(bill_usd, _CENTS)))


def _cost_line(ledger: Ledger, facts: Facts, item: Item, share: float | None, in_usd: bool) -> CostLine:
    value = ledger.value
    quantity = ledger[item.quantity]
    price = ledger.origin(item.price) if item.price else None
    amount = value(f"cost.{item.name}")
    dated = price is not None and price.tag == "table" and amount is not None
    age = age_days(price.source.as_of, facts.scenario.today) if price is not None and dated else None
    return CostLine(
        key=f"cost.{item.name}",
        line=ledger[f"cost.{item.name}"],
        amount_usd=value(f"cost.{item.name}") if in_usd else _to_cents(value(f"usd.{item.name}")),
        amount=amount,
        quantity=value(item.quantity),
        quantity_unit=quantity.unit,
        quantity_line=quantity,
        unit_price_usd=value(item.price) if item.price else None,
        unit_price_line=ledger[item.price] if item.price else None,
        price_line=price,
        share=share,
        age_days=age,
        old=facts.is_old(age, spot=item.kind == "hourly"),
    )


def _to_cents(amount: float | None) -> float | None:
    return None if amount is None else round_half_away(amount, _CENTS)


def printed_shares(amounts: list[float | None], whole: float | None, steps: int = 1000) -> list[float | None]:
    """Shares of `whole` in steps of 1 / `steps` that add up to 1: the largest remainders are rounded up.

    None for an unknown amount, and for all where the whole is unknown or 0.
    """
    if not whole:
        return [None] * len(amounts)
    exact = [None if amount is None else amount / whole * steps for amount in amounts]
    floors = [None if part is None else floor(part) for part in exact]
    missing = steps - sum(part for part in floors if part is not None)
    by_remainder = sorted(
        (index for index, part in enumerate(exact) if part is not None),
        key=lambda index: (exact[index] or 0.0) - (floors[index] or 0),
        reverse=True,
    )
    raised = set(by_remainder[:missing])
    return [None if part is None else (part + (index in raised)) / steps for index, part in enumerate(floors)]
