"""What has aged: the storage price, the factor of the grid, the exchange rate. The price of the GPUs: notices.py."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from desktop_app.budget.constants import constants
from desktop_app.budget.facts import Facts, age_days
from desktop_app.budget.ledger import Ledger
from desktop_app.foundation.problems import Problem

_WORTH_TELLING = 0.01  # own choice: a difference of one per cent between two rates


def age_notices(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """The rows of a budget that are older than figures of their kind stay true."""
    storage = facts.storage
    age = None if storage is None else age_days(storage.as_of, facts.scenario.today)
    if storage is not None and facts.is_old(age) and ledger.value("storage_gb_months"):
        values: dict[str, str | float] = {"item": f"{storage.service} {storage.tier}", "days": age or 0}
        yield Problem("checkpoints_kept", "problem.price_old", values, "note")
    if grid_is_old(ledger, facts.scenario.today) and facts.place.cloud is not None:
        place = f"{facts.place.cloud.provider} {facts.place.cloud.region}"
        year = ledger["grid_g_per_kwh"].source.as_of[:4]
        yield Problem("grid_g_per_kwh", "problem.grid_old", {"region": place, "year": year}, "note")
    yield from _rate(facts)
    yield from _converted_twice(facts, ledger)


def grid_is_old(ledger: Ledger, today: date) -> bool:
    """Whether the grid factor is a table's and a newer one should exist; an entry is as old as its user says."""
    line = ledger["grid_g_per_kwh"]
    return line.tag == "table" and age_days(line.source.as_of, today) > constants()["grid_max_age_days"].value


def _rate(facts: Facts) -> Iterator[Problem]:
    """An exchange rate of the tables that is old, and by how much amounts may be off."""
    rate, currency = facts.fx, facts.scenario.price.currency
    if rate is None or currency == "USD":
        return
    days = age_days(rate.as_of, facts.scenario.today)
    if days > constants()["fx_max_age_days"].value:
        values: dict[str, str | float] = {
            "currency": currency,
            "days": days,
            "as_of": rate.as_of,
            "percent": constants()["fx_old_percent"].value,
        }
        yield Problem("fx_rate", "problem.fx_old", values, "warning")


def _converted_twice(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """A price stated in the report's own currency comes back from USD at the rate of another day."""
    quote, choice, rate = facts.quote, facts.scenario.price, ledger.value("fx_rate")
    if quote is None or quote.amount_original is None or choice.price_usd_per_gpu_hour is not None or rate is None:
        return
    amount = quote.usd_per_instance_hour * rate
    if quote.currency_original != choice.currency or abs(amount / quote.amount_original - 1) <= _WORTH_TELLING:
        return
    values: dict[str, str | float] = {
        "item": quote.instance_type,
        "currency": choice.currency,
        "original": round(quote.amount_original, 2),
        "amount": round(amount, 2),
        "rate": round(quote.amount_original / quote.usd_per_instance_hour, 4),
    }
    yield Problem("fx_rate", "problem.converted_twice", values, "note")
