"""What a reader must know beside the figures: what is old, unknown, assumed or left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from desktop_app.budget.age_notices import age_notices
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Ledger
from desktop_app.budget.place import DEFAULT_PROVIDER
from desktop_app.budget.plausibility_notices import plausibility_notices
from desktop_app.budget.purchase_notices import purchase_notices
from desktop_app.budget.run_notices import run_notices
from desktop_app.budget.scenario import choices, is_set
from desktop_app.estimation.cluster import cluster_notes
from desktop_app.estimation.goodput import CHOICES
from desktop_app.foundation.problems import Problem
from pricing.quotes import ANYWHERE, NO_INSTANCE

_CHOICES = choices()


def problems_of(facts: Facts, ledger: Ledger) -> tuple[Problem, ...]:
    """What is to be said of the cluster and the estimate, then those of price, place, energy and carbon."""
    notes = cluster_notes(facts.scenario.cluster)
    own = (
        run_notices(facts, ledger),
        _place_problems(facts),
        _price_problems(facts, ledger),
        _energy_problems(facts, ledger),
        *(plausibility_notices(facts, ledger), age_notices(facts, ledger)),
    )
    return (*notes, *facts.estimate.problems, *chain.from_iterable(own))


def defaults_used(facts: Facts, ledger: Ledger) -> tuple[str, ...]:
    """Choices that the user did not make and that have a value all the same: a default, or the program's choice."""
    scenario, made = facts.scenario, facts.estimate.chosen
    filled = _filled_in(facts, ledger)
    used = []
    for key, (part, _) in _CHOICES.items():
        record = getattr(scenario, part)
        stated = key in record.model_fields_set and getattr(record, key) is not None
        if key in made or (not stated and (getattr(record, key) is not None or key in filled)):
            used.append(key)
    return tuple(used)


def _filled_in(facts: Facts, ledger: Ledger) -> frozenset[str]:
    """Choices of which None stands for what is usual: those for which something usual is known."""
    adapters, experts = facts.scenario.job.method != "full", facts.estimate.shape.experts
    job = (*(("base_precision",) if adapters else ()), *(("moe_stack",) if experts else ()))
    cluster = ("gpus_per_node", "network_gbit_per_node", *CHOICES)
    lines = (line.field for line in ledger if line.field in _CHOICES and ledger.value(line.key) is not None)
    return frozenset((*job, *cluster, *lines))


def _price_problems(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    choice, quote = facts.scenario.price, facts.quote
    gpu = facts.estimate.cluster.gpu.name
    typed = choice.price_usd_per_gpu_hour is not None
    if ledger.value("price_usd_per_gpu_hour") is None:
        yield _no_price(facts, gpu)
    if quote is not None and not typed:
        item = gpu if quote.instance_type == NO_INSTANCE else quote.instance_type
        if facts.price_is_old:
            age: dict[str, str | float] = {"item": item, "days": facts.price_age_days or 0}
            yield Problem("price_usd_per_gpu_hour", "problem.price_old", age, "warning")
        if quote.as_of > facts.scenario.today.isoformat()[: len(quote.as_of)]:  # a bare month holds its last day
            yield Problem(
                "price_usd_per_gpu_hour", "problem.price_later", {"item": item, "as_of": quote.as_of}, "warning"
            )
    if facts.storage is None and choice.checkpoints_kept > 0:
        yield Problem("checkpoints_kept", "problem.storage_not_priced", {}, "warning")
    yield from _typed_price_problems(facts)
    yield from _whole_units(facts, ledger)
    yield from purchase_notices(facts, ledger)


def _place_problems(facts: Facts) -> Iterator[Problem]:
    """A region that the program chose, because none was named."""
    place, named = facts.place, facts.scenario.price.region
    if place.provider is None or place.region is None:
        return
    values = {"provider": place.provider, "region": place.region}
    stated = named is not None and is_set(facts.scenario, "region")
    if not stated and place.region in ANYWHERE:
        yield Problem("region", "problem.region_anywhere", {"provider": place.provider}, "note")
    elif not stated and place.provider != DEFAULT_PROVIDER:
        key = "problem.region_chosen" if facts.offered else "problem.region_chosen_unpriced"
        yield Problem("region", key, values, "note")


def _typed_price_problems(facts: Facts) -> Iterator[Problem]:
    """What a price that was typed in stands for."""
    choice = facts.scenario.price
    if choice.price_usd_per_gpu_hour == 0:
        yield Problem("price_usd_per_gpu_hour", "problem.free_gpus", {}, "note")
    if choice.purchase == "owned" and choice.price_usd_per_gpu_hour is not None:
        yield Problem("price_usd_per_gpu_hour", "problem.own_electricity", {}, "note")


def _no_price(facts: Facts, gpu: str) -> Problem:
    """Why there is no price: nothing is for sale there, no place was named, or the hardware is one's own."""
    place = facts.place
    if facts.scenario.price.purchase == "owned":
        return Problem("own_server_usd_per_gpu", "problem.own_needs_price", {"gpu": gpu}, "warning")
    if place.provider is None or place.region is None:
        return Problem("provider", "problem.no_provider", {"gpu": gpu}, "warning")
    return Problem("region", "problem.no_price", {"gpu": gpu, "region": f"{place.provider} {place.region}"}, "warning")


def _whole_units(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """Instances that are billed whole: energy counts the GPUs that work, for nobody publishes what idle ones draw."""
    gpus, billed = facts.estimate.cluster.gpus, ledger.value("billed_gpus")
    if billed is not None and billed > gpus:
        per_instance = ledger.value("gpus_per_instance") or 1
        values = {"count": gpus, "billed": billed, "per_instance": per_instance, "idle": billed - gpus}
        yield Problem("gpus", "problem.whole_instances", values, "warning")


def _energy_problems(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    gpu, value = facts.estimate.cluster.gpu.name, ledger.value
    if value("node_power_kw") is None:
        yield Problem("node_power_kw", "problem.no_power", {"gpu": gpu}, "warning")
    if ledger["pue"].tag == "default":
        yield Problem("pue", "problem.pue_assumed", {"pue": value("pue") or 0}, "note")
    if value("grid_g_per_kwh") is None:
        nowhere = facts.scenario.price.purchase == "owned" and facts.place.provider is None
        yield Problem("grid_g_per_kwh", "problem.own_no_place" if nowhere else "problem.no_grid", {}, "warning")
    if value("market_g_per_kwh") is None:
        yield Problem("market_g_per_kwh", "problem.no_market_factor", {}, "note")
    if value("idle_gpu_hours") and value("energy_idle_kwh") is None:
        yield Problem("idle_node_kw", "problem.no_idle_power", {"gpu": gpu}, "note")
    if value("embodied_kg_per_gpu") is None:
        yield Problem("", "problem.no_embodied", {"gpu": gpu}, "note")
    if value("water_l_per_kwh") is None:
        yield Problem("", "problem.no_water", {}, "note")
    yield from _assumed_place(facts, gpu)


def _assumed_place(facts: Facts, gpu: str) -> Iterator[Problem]:
    """A place that is not known to have this GPU lends its grid and PUE all the same."""
    place, scenario = facts.place, facts.scenario
    if place.cloud is None or facts.offered or scenario.price.purchase == "owned":
        return
    if scenario.energy.grid_g_per_kwh is None:
        values = {"provider": place.cloud.provider, "region": place.cloud.region, "gpu": gpu}
        yield Problem("grid_g_per_kwh", "problem.place_assumed", values, "note")
