"""What to change when a job does not fit: each remedy is estimated again before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from desktop_app.estimation.layout import LARGEST_TENSOR
from desktop_app.estimation.layout_choice import Candidate, Question
from desktop_app.estimation.memory import memory_peak, verdict
from desktop_app.estimation.results import Fits, MemoryPeak, Remedy
from desktop_app.foundation.problems import UserError

MOST_REMEDIES = 6  # as many as a reader compares
_ORDER: dict[Fits, int] = {"yes": 0, "tight": 1, "no": 2, "unknown": 3}


class Solve(Protocol):
    """Answers a question again with some choices of the job, or the number of GPUs, changed. May raise UserError."""

    def __call__(self, changes: dict[str, Any], gpus: int | None = None) -> tuple[Question, Candidate, float]: ...


def remedies_for(question: Question, candidate: Candidate, step_s: float, solve: Solve) -> tuple[Remedy, ...]:
    """The changes that better the verdict, those that make the job fit first, then the cheapest in GPU-hours."""
    before = _peak(question, candidate)
    verdict_now = _verdict(question, before)
    sequences_per_gpu_s = question.global_batch / step_s / question.cluster.gpus
    found = []
    for field, value, changes, gpus in _changes(question, candidate):
        try:
            other, solved, seconds = solve(changes, gpus)
        except UserError:
            continue  # a change that cannot run is no remedy
        after = _peak(other, solved)
        fits = _verdict(other, after)
        if after.peak >= before.peak or _ORDER[fits] >= _ORDER[verdict_now]:
            continue
        hours = sequences_per_gpu_s / (other.global_batch / seconds / other.cluster.gpus)  # GPU-hours against now
        slower = hours * question.cluster.gpus / other.cluster.gpus
        found.append(Remedy(field, value, after.peak - before.peak, slower - 1.0, hours - 1.0, fits))
    found.sort(key=lambda remedy: (_ORDER[remedy.fits], remedy.gpu_hours_change, remedy.peak_change_bytes))
    return tuple(found[:MOST_REMEDIES])


def _peak(question: Question, candidate: Candidate) -> MemoryPeak:
    return memory_peak(candidate.peak, question.recipe, candidate.plan, question.cluster.nodes)


def _verdict(question: Question, memory: MemoryPeak) -> Fits:
    cluster = question.cluster
    return verdict(memory, cluster.gpu.usable_memory_bytes, min(cluster.gpus, cluster.gpus_per_node))


_Change = tuple[str, str | float, dict[str, Any], int | None]


def _changes(question: Question, candidate: Candidate) -> Iterator[_Change]:
    """Single changes worth trying: field, new value, what to change in the job, new number of GPUs.

    Where the program chose a setting, it has tried the others already; only what the user fixed can be given free.
    """
    job, plan = question.job, candidate.plan
    if job.recompute in ("none", "selective"):
        yield _one("recompute", "full")
    if job.micro_batch and job.micro_batch > 1:
        yield _one("micro_batch", max(1, job.micro_batch // 2))
    if job.sharding and job.sharding not in ("fsdp", "zero3") and plan.dp > 1 and plan.pp == 1:
        yield _one("sharding", "zero3" if question.software == "stock" else "fsdp")
    if job.tp and 2 * job.tp <= LARGEST_TENSOR:
        yield _one("tp", 2 * job.tp)
    if job.pp:
        yield _one("pp", 2 * job.pp)
    if job.attention == "eager":
        yield _one("attention", "flash")
    if job.cross_entropy != "fused":
        yield _one("cross_entropy", "fused")
    if job.optimizer in ("adamw", "adamw-fused") and job.method == "full":
        yield _one("optimizer", "adamw-8bit")
    if job.method == "full":
        yield _one("method", "lora")
        yield _one("offload", "optimizer")
    if job.method != "qlora" and job.base_precision not in ("int8", "nf4"):
        yield _one("method", "qlora")
    for factor in (2, 4, 8):
        yield "gpus", float(question.cluster.gpus * factor), {}, question.cluster.gpus * factor


def _one(field: str, value: str | float) -> _Change:
    return field, value, {field: value}, None
