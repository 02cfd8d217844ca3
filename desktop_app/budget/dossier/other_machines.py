"""The same job on another GPU, on fewer of the same, or on more where it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import ceil, log2

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.other_places import in_china, offers, whole_server
from desktop_app.budget.dossier.ways import LAYOUT, Way, changed, overfull, place_name, tried
from desktop_app.budget.elsewhere import placed
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.gpus import Gpu, gpu_named, gpu_names
from desktop_app.foundation.problems import UserError
from pricing.catalogue import Catalogue
from pricing.quotes import WHOLE_NODE_GPUS
from pricing.records import PriceQuote

_OF_THE_MACHINE = (
    *LAYOUT, "mfu", "gpus_per_node", "network_gbit_per_node", "host_memory_gib_per_node", "mtbf_gpu_hours",
    "node_power_kw", "idle_node_kw",
)  # fmt: skip
"""Choices that hold for one kind of server."""

_TRIED = 4  # GPUs, by price for each FLOP/s of the data sheet
_COMPARED = 3  # of those that will do, so many are compared
_SHARDED = ("fsdp", "zero3")  # weights, gradients and optimizer are split over all GPUs
_STATE_SHARE = 0.75  # of the memory, at most: what is left for activations must do with recomputation
_NEVER_MEASURED = "prior-"  # how the classes of such GPUs begin
_LEAST_PEAK, _MOST_PEAK = 0.3, 10  # of the present GPU's peak: others are no like for like
_SLOWEST = 2  # times the days of the base


@dataclass(frozen=True, slots=True)
class _Machine:
    gpu: Gpu
    gpus: int
    quote: PriceQuote

    @property
    def usd_per_hour(self) -> float:
        return self.gpus * self.quote.usd_per_gpu_hour

    @property
    def is_guessed(self) -> bool:
        """Whether its speed is that of its relatives, because no run on it was ever measured."""
        return self.gpu.efficiency_class.startswith(_NEVER_MEASURED)


def other_machines(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """Another GPU at its cheapest place on demand, half of the GPUs, or enough of them where the job does not fit."""
    yield from _another_gpu(budget, catalogue)
    gpus = budget.estimate.cluster.gpus
    if budget.estimate.fits == "no":
        enough = gpus << max(1, ceil(log2(overfull(budget))))
        for more in (enough, 2 * enough):
            found = list(_resized(budget, more, "more_gpus", catalogue))
            yield from found
            if found:
                return
    elif gpus % 2 == 0 and gpus // 2 >= _holding(budget, budget.estimate.cluster.gpu):
        yield from _resized(budget, gpus // 2, "half_gpus", catalogue)


def twice_the_gpus(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """Twice as many GPUs for a job that runs on half of them: sooner done, for about the same money."""
    if budget.estimate.fits != "no":
        yield from _resized(budget, 2 * budget.estimate.cluster.gpus, "double_gpus", catalogue)


def _resized(budget: Budget, gpus: int, kind: str, catalogue: Catalogue) -> Iterator[Way]:
    found = _with_the_batch(budget, budget.scenario, LAYOUT, catalogue, gpus=gpus)
    if found is not None and found.estimate.fits != "no":
        yield Way(kind, {"gpus": gpus, "gpu": found.estimate.cluster.gpu.name}, found)


def _another_gpu(budget: Budget, catalogue: Catalogue) -> Iterator[Way]:
    """The GPU that trains the job for least money, at most twice as slowly."""
    machines = _machines(budget, catalogue)[:_TRIED]
    found = (there for machine in machines if (there := _on(budget, machine, catalogue)) and _will_do(there, budget))
    best = min(
        islice(found, 1 if budget.estimate.fits == "no" else _COMPARED),
        key=lambda there: there.ledger.value("cost.total") or 0.0,
        default=None,
    )
    if best is not None:
        cluster, place = best.estimate.cluster, best.place
        name = place_name(place.provider or "", place.region or "", catalogue)
        yield Way("gpu", {"gpu": cluster.gpu.name, "gpus": cluster.gpus, "place": name}, best)


def _will_do(there: Budget, base: Budget) -> bool:
    """Whether a budget on other machines fits as surely, has a cost, and is not much slower."""
    days, base_days = there.ledger.value("wall_days"), base.ledger.value("wall_days")
    fits = {"yes": ("yes",), "tight": ("yes", "tight")}.get(base.estimate.fits, ("yes", "tight", "unknown"))
    if there.estimate.fits not in fits or there.ledger.value("cost.total") is None or days is None:
        return False
    return base_days is None or days <= _SLOWEST * base_days


def _machines(budget: Budget, catalogue: Catalogue) -> list[_Machine]:
    """Clusters about as fast as that of the budget, cheapest first; those of which no run was measured last."""
    present, chinese = budget.estimate.cluster.gpu, in_china(budget, catalogue)
    found = []
    for gpu in _gpus():
        ratio = gpu.peak_dense_bf16_flops / present.peak_dense_bf16_flops
        if gpu.name == present.name or not _LEAST_PEAK <= ratio <= _MOST_PEAK:
            continue
        gpus = _as_fast(budget, gpu)
        if gpus >= WHOLE_NODE_GPUS and gpu.link_domain_gpus < min(present.link_domain_gpus, 2):
            continue  # cards without links of their own are no machines for a job that had them
        if not gpu.supports_bf16 and present.supports_bf16:
            continue
        server = whole_server(gpu, gpus)
        priced = offers(gpu, "on-demand", chinese, catalogue)
        quote = next((quote for quote in priced if quote.gpu_count >= server), None)
        if quote is not None:
            found.append(_Machine(gpu, gpus, quote))
    return sorted(found, key=lambda machine: (machine.is_guessed, machine.usd_per_hour, machine.gpu.name))


@lru_cache(maxsize=1)
def _gpus() -> tuple[Gpu, ...]:
    """All GPUs whose speed is known."""
    found = []
    for name in gpu_names():
        with suppress(UserError):
            found.append(gpu_named(name))
    return tuple(gpu for gpu in found if gpu.kind == "gpu")


def _holding(budget: Budget, gpu: Gpu) -> int:
    """How many of a GPU surely are needed to hold the job; fewer are not worth an estimate, which takes long to say so.

    Where every GPU holds its part of the state of the training, all of it with room for activations; else 1.
    """
    estimate, memory = budget.estimate, budget.estimate.memory
    gpus = estimate.cluster.gpus
    if estimate.fits == "no":
        return ceil(gpus * memory.peak / gpu.usable_memory_bytes)
    if estimate.sharding not in _SHARDED:
        return 1
    state = gpus * (memory.weights + memory.gradients + memory.optimizer)
    return ceil(state / (_STATE_SHARE * gpu.usable_memory_bytes))


def _as_fast(budget: Budget, gpu: Gpu) -> int:
    """How many have the peak of the present cluster at least: a part of a server, or servers that share the batch."""
    cluster, batch = budget.estimate.cluster, budget.estimate.global_batch
    needed = ceil(cluster.gpus * cluster.gpu.peak_dense_bf16_flops / gpu.peak_dense_bf16_flops)
    needed = max(needed, _holding(budget, gpu))
    if needed <= gpu.typical_node_gpus:
        return 1 << (needed - 1).bit_length()
    nodes = ceil(needed / gpu.typical_node_gpus)
    shared = (n for n in range(nodes, 2 * nodes + 1) if batch % (n * gpu.typical_node_gpus) == 0)
    return next(shared, nodes) * gpu.typical_node_gpus


def _on(budget: Budget, machine: _Machine, catalogue: Catalogue) -> Budget | None:
    """The budget on other machines, on demand where they are cheapest."""
    try:
        moved = placed(budget.scenario, machine.quote.provider, machine.quote.region)
    except UserError:
        return None
    choices = {"gpu": machine.gpu.name, "gpus": machine.gpus, "purchase": "on-demand"}
    return _with_the_batch(budget, moved, _OF_THE_MACHINE, catalogue, **choices)


def _with_the_batch(
    budget: Budget, scenario: Scenario, freed: tuple[str, ...], catalogue: Catalogue, **choices: object
) -> Budget | None:
    """A budget with the same batch, so that the same model comes out; with the usual one where that cannot be."""
    for batch in ({"global_batch": budget.estimate.global_batch}, {}):
        try:
            found = tried(changed(scenario, freed, **choices, **batch), catalogue)
        except UserError:
            found = None
        if found is not None:
            return found
    return None
