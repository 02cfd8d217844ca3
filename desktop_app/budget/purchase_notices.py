"""What a reader must know of the way the GPUs are bought: interruptions, contracts, limits, choices without effect."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from desktop_app.budget.applicability import applies
from desktop_app.budget.constants import constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Ledger
from desktop_app.budget.lines_own import is_built
from desktop_app.budget.scenario import choices, is_set, value_of
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.units import HOURS_PER_DAY, HOURS_PER_MONTH

Values = dict[str, str | float | Problem]
_MOST_SCHEMES = 3  # more would not be read
_JUDGED = (
    *(key for key, (part, _) in choices().items() if part in ("price", "own")),
    "credits_usd",
)
"""Choices that belong to some ways of purchase only."""


def purchase_notices(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """All of them, in the order: spot, contract, limits of the seller, own hardware, choices without effect."""
    if facts.scenario.price.purchase == "spot":
        yield from _spot(facts, ledger)
    yield from _published(facts)
    yield from _contract(facts, ledger)
    yield from _limits(facts, ledger)
    if is_built(facts):
        yield from _own(facts, ledger)
    yield from _half_stated(ledger)
    yield from _without_effect(facts)


def _spot(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """How often the run is interrupted, whether anybody knows, and when spot stops paying."""
    value = ledger.value
    price = value("price_usd_per_gpu_hour")
    on_demand = value("on_demand_usd_per_gpu_hour") if "on_demand_usd_per_gpu_hour" in ledger else None
    if price is None:
        return
    field = "spot_interruptions_per_hour"
    if "spot_usd_per_gpu_hour" in ledger:
        price = value("spot_usd_per_gpu_hour") or price  # of a run bought on demand in part, that of the other part
    rate, pays = value(field), value("spot_break_even_hours")
    if on_demand is not None and price >= on_demand:
        yield Problem("purchase", "problem.spot_above", {}, "warning")
    if rate is None:
        key = "problem.spot_unknown" if pays is None else "problem.spot_unknown_pays"
        yield Problem(field, key, {} if pays is None else {"hours": _hours(pays)}, "warning")
        return
    if rate == 0:
        return
    told: Values = {"every": _hours(1 / rate)}
    if pays is None:
        yield Problem(field, "problem.spot_interrupted", told, "note")
    elif pays > 1 / rate:
        yield Problem(field, "problem.spot_dearer", {**told, "hours": _hours(pays)}, "warning")
    else:
        yield Problem(field, "problem.spot_pays", {**told, "hours": _hours(pays)}, "note")


def _hours(hours: float) -> Problem:
    """A span of hours to three digits."""
    return Problem("", "span.hours", {"count": float(f"{hours:.3g}")})


def _published(facts: Facts) -> Iterator[Problem]:
    """The discount that a seller publishes where no price is known: a range to negotiate with, not a price."""
    for row in facts.commitments[:_MOST_SCHEMES]:
        spread = 0 < row.discount_low_pct < row.discount_high_pct
        key = "problem.discount_published" if spread else "problem.discount_published_up_to"
        values: Values = {
            "provider": row.provider,
            "item": row.applies_to,
            "low": row.discount_low_pct,
            "high": row.discount_high_pct,
            "as_of": row.as_of,
        }
        yield Problem("price_usd_per_gpu_hour", key, values, "note")


def _contract(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """A contract that outlasts the run: what of it is used, and from which use on it pays."""
    purchase, days = facts.scenario.price.purchase, ledger.value("wall_days")
    if "contract_hours" not in ledger or days is None:
        return
    term, used = ledger.value("contract_hours") or 0.0, ledger.value("contract_used_share")
    pays = ledger.value("break_even_utilisation") if "break_even_utilisation" in ledger else None
    signed = term * (ledger.value("contracts") or 1)
    if purchase != "capacity-block" and signed > days * HOURS_PER_DAY:
        term_words = Problem("", "span.months", {"count": signed / HOURS_PER_MONTH})
        values: Values = {"term": term_words, "count": max(1, ceil(days))}
        amount = ledger.value("cost.committed")
        if amount is None:
            yield Problem("purchase", "problem.reservation_long", values, "warning")
        else:
            values |= {"amount": amount, "currency": facts.scenario.price.currency}
            yield Problem("purchase", "problem.reservation_commits", values, "warning")
    if pays is None or used is None:
        return
    charged = used + (1 - used) * (1 - facts.scenario.price.unused_elsewhere_percent / 100)
    share = used / charged if charged else 1.0  # of the hours that this budget pays
    shares: Values = {"used": round(100 * share), "pays": round(100 * pays)}
    if share < pays:
        yield Problem("purchase", "problem.contract_dearer", shares, "warning")
    else:
        yield Problem("purchase", "problem.contract_pays", shares, "note")


def _limits(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """What the seller does not sell: a block that long or that large."""
    purchase, seller = facts.scenario.price.purchase, facts.place.provider
    days, rows = ledger.value("wall_days"), constants()
    longest = rows.get(f"purchase_most_days.{purchase}.{seller}")
    if longest is not None and days is not None and days > longest.value:
        values: Values = {"days": longest.value, "count": ceil(days)}
        yield Problem("purchase", f"problem.longest_{purchase.replace('-', '_')}", values, "warning")
    most, instances = rows.get(f"purchase_most_instances.{purchase}.{seller}"), ledger.value("instances")
    if most is not None and instances is not None and instances > most.value:
        yield Problem("purchase", "problem.most_instances", {"most": most.value, "count": instances}, "warning")


def _half_stated(ledger: Ledger) -> Iterator[Problem]:
    """Months of staff without their cost, hours of hosts without their price, and the reverse."""
    for pair in (("staff_months", "staff_usd_per_month"), ("cpu_host_hours", "cpu_host_usd_per_hour")):
        for stated, missing in (pair, pair[::-1]):
            if ledger.value(stated) and ledger.value(missing) is None:
                values: Values = {"stated": Problem("", f"field.{stated}"), "missing": Problem("", f"field.{missing}")}
                yield Problem(missing, "problem.half_stated", values, "warning")


def _own(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """What the price of own hardware leaves out."""
    if ledger.value("price_usd_per_gpu_hour") is None:
        return
    own = facts.scenario.own
    if ledger["own_server_usd_per_gpu"].tag == "table":
        line = ledger["own_server_usd_per_gpu"]
        told: Values = {"amount": round(line.given or 0.0), "as_of": line.source.as_of, "gpu": line.row_text}
        yield Problem("own_server_usd_per_gpu", "problem.own_table_price", told, "note")
    if own.own_electricity_usd_per_kwh is None and not own.own_colocation_has_power:
        yield Problem("own_electricity_usd_per_kwh", "problem.own_no_electricity", {}, "warning")
    if own.own_colocation_has_power and own.own_colocation_usd_per_kw_month is None:
        yield Problem("own_colocation_usd_per_kw_month", "problem.own_no_colocation", {}, "warning")


def _without_effect(facts: Facts) -> Iterator[Problem]:
    """Choices of another way of purchase than the chosen one, or that a typed-in price overrides."""
    for key in _JUDGED:
        if (
            is_set(facts.scenario, key)
            and value_of(facts.scenario, key) is not None
            and not applies(key, facts.scenario)
        ):
            yield Problem(key, "problem.not_this_purchase", {"choice": Problem("", f"field.{key}")}, "note")
