"""Everything that workbook and proposal are made of, looked up and computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.constants import constants
from desktop_app.budget.dossier.alternatives import Alternative, alternatives_of
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.risks import RiskRegister, risks_of
from desktop_app.budget.dossier.schedule import Schedule, schedule_of
from desktop_app.budget.dossier.thresholds import Threshold, thresholds_of
from desktop_app.budget.purchases import purchase_budgets
from desktop_app.budget.scenario import with_choices
from pricing.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Dossier:
    """The first of `budgets` is the base, which is what is asked for; the others are the user's further scenarios."""

    budgets: tuple[Budget, ...]
    purchases: tuple[Budget, ...]  # the base bought in each other way that has a price
    alternatives: tuple[Alternative, ...]
    schedule: Schedule
    risks: RiskRegister
    thresholds: tuple[Threshold, ...]
    organisation: Organisation
    notes: str  # of the project
    valid_until: date

    @property
    def base(self) -> Budget:
        """The budget that is asked for."""
        return self.budgets[0]


def make_dossier(
    budgets: Sequence[Budget], catalogue: Catalogue, organisation: Organisation | None = None, notes: str = ""
) -> Dossier:
    """The dossier of `budgets`, at the prices of `catalogue`. ValueError where there is none: our bug."""
    if not budgets:
        raise ValueError("a dossier needs a budget")
    base, organisation = budgets[0], organisation or Organisation()
    ways = purchase_budgets(base, catalogue)
    thresholds = thresholds_of(base)
    return Dossier(
        budgets=(base, *(_in_currency_of(base, budget, catalogue) for budget in budgets[1:])),
        purchases=tuple(way for way in ways if way is not base and is_priced(way)),
        alternatives=alternatives_of(base, catalogue, ways),
        schedule=schedule_of(base),
        risks=risks_of(base),
        thresholds=thresholds,
        organisation=organisation,
        notes=notes,
        valid_until=_valid_until(base.scenario.today, organisation),
    )


def _in_currency_of(base: Budget, budget: Budget, catalogue: Catalogue) -> Budget:
    """The budget in the currency of the base, at its rate: amounts side by side are of one kind."""
    if budget.currency == base.currency:
        return budget
    price = base.scenario.price
    rate = {} if price.fx_rate is None or price.currency == "USD" else {"fx_rate": price.fx_rate}
    return make_budget(with_choices(budget.scenario, {"currency": price.currency, **rate}), catalogue)


def is_priced(budget: Budget) -> bool:
    """Whether a GPU-hour has a known price."""
    return budget.ledger.value("price_usd_per_gpu_hour") is not None


def _valid_until(today: date, organisation: Organisation) -> date:
    """The last day on which the prices are taken to stand."""
    days = organisation.validity_days or int(constants()["validity_days"].value)
    return today + timedelta(days=min(days, (date.max - today).days))
