"""What a reader must know beside the figures: what is old, unknown, assumed or left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from desktop_app.budget.constants import constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Ledger
from desktop_app.budget.scenario import choices, is_set
from desktop_app.estimation.cluster import cluster_notes
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.units import DAYS_PER_MONTH, HOURS_PER_MONTH
from pricing.quotes import NO_INSTANCE

_CHOICES = choices()


def problems_of(facts: Facts, ledger: Ledger) -> tuple[Problem, ...]:
    """What is to be said of the cluster and the estimate, then those of price, place, energy and carbon."""
    notes = cluster_notes(facts.scenario.cluster)
    own = (_place_problems(facts), _price_problems(facts, ledger), _energy_problems(facts, ledger))
    return (*notes, *facts.estimate.problems, *chain.from_iterable(own))


def defaults_used(facts: Facts) -> tuple[str, ...]:
    """Choices that the user did not make and that have a value all the same: a default, or the program's choice."""
    scenario, made = facts.scenario, facts.estimate.chosen
    used = []
    for key, (part, _) in _CHOICES.items():
        record = getattr(scenario, part)
        stated = key in record.model_fields_set and getattr(record, key) is not None
        if key in made or (not stated and getattr(record, key) is not None):
            used.append(key)
    if scenario.energy.pue is None and (facts.place.cloud is None or facts.place.cloud.pue is None):
        used.append("pue")
    return tuple(used)


def _price_problems(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    choice, quote = facts.scenario.price, facts.quote
    gpu = facts.estimate.cluster.gpu.name
    typed = choice.price_usd_per_gpu_hour is not None
    if quote is None and not typed:
        yield _no_price(facts, gpu)
    if quote is not None and facts.price_is_old:
        item = gpu if quote.instance_type == NO_INSTANCE else quote.instance_type
        age: dict[str, str | float] = {"item": item, "days": facts.price_age_days or 0}
        yield Problem("price_usd_per_gpu_hour", "problem.price_old", age, "warning")
    if facts.storage is None and choice.checkpoints_kept > 0:
        yield Problem("checkpoints_kept", "problem.storage_not_priced", {}, "warning")
    if choice.purchase == "spot" and (typed or quote is not None):
        yield Problem("purchase", "problem.spot_interruptions", {}, "warning")
    above = facts.on_demand_usd_per_gpu_hour
    if quote is not None and above is not None and quote.usd_per_gpu_hour > above and not typed:
        yield Problem("purchase", "problem.spot_above", {}, "warning")
    yield from _whole_units(facts, ledger)


def _place_problems(facts: Facts) -> Iterator[Problem]:
    """A region that the program chose, because none was named or the default is not one of this seller's."""
    place, named = facts.place, facts.scenario.price.region
    stated = named is not None and is_set(facts.scenario, "region")
    if place.provider is not None and place.region is not None and place.region != named and not stated:
        values = {"provider": place.provider, "region": place.region}
        yield Problem("region", "problem.region_chosen", values, "note")


def _no_price(facts: Facts, gpu: str) -> Problem:
    """Why there is no price: nothing is for sale there, no place was named, or the hardware is one's own."""
    place = facts.place
    if facts.scenario.price.purchase == "owned":
        return Problem("price_usd_per_gpu_hour", "problem.own_needs_price", {}, "warning")
    if place.provider is None or place.region is None:
        return Problem("provider", "problem.no_provider", {"gpu": gpu}, "warning")
    return Problem("region", "problem.no_price", {"gpu": gpu, "region": f"{place.provider} {place.region}"}, "warning")


def _whole_units(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """Instances that are billed whole, contracts that outlast the run."""
    gpus, billed = facts.estimate.cluster.gpus, ledger.value("billed_gpus")
    if billed is not None and billed > gpus:
        values = {"gpus": gpus, "billed": billed, "per_instance": ledger.value("gpus_per_instance") or 1}
        yield Problem("gpus", "problem.whole_instances", values, "note")
    contract, days = constants().get(f"contract_hours.{facts.scenario.price.purchase}"), ledger.value("wall_days")
    if contract is not None and days is not None and contract.value > days * 24:
        values = {"term": contract.value / HOURS_PER_MONTH, "need": round(days / DAYS_PER_MONTH, 1)}
        yield Problem("purchase", "problem.reservation_long", values, "warning")


def _energy_problems(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    gpu, value = facts.estimate.cluster.gpu.name, ledger.value
    if value("node_power_kw") is None:
        yield Problem("node_power_kw", "problem.no_power", {"gpu": gpu}, "warning")
    if ledger["pue"].tag == "default":
        yield Problem("pue", "problem.pue_assumed", {"pue": value("pue") or 0}, "note")
    if value("grid_g_per_kwh") is None:
        yield Problem("grid_g_per_kwh", "problem.no_grid", {}, "warning")
    if value("market_g_per_kwh") is None:
        yield Problem("", "problem.no_market_factor", {}, "note")
    if value("embodied_kg_per_gpu") is None:
        yield Problem("", "problem.no_embodied", {"gpu": gpu}, "note")
    if value("water_l_per_kwh") is None:
        yield Problem("", "problem.no_water", {}, "note")
