"""What to change when a job does not fit: each remedy is estimated again before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from desktop_app.estimation.layout import LARGEST_TENSOR
from desktop_app.estimation.layout_choice import Candidate, Question
from desktop_app.estimation.memory import memory_peak, verdict_on
from desktop_app.estimation.results import Fits, MemoryPeak, Remedy
from desktop_app.foundation.problems import UserError

MOST_REMEDIES = 6  # as many as a reader compares
SHORTEST_SEQUENCE = 512  # below it the logits no longer decide and documents are cut
_LEANER_LOSS = {"full": ("chunked", "fused"), "chunked": ("fused",), "fused": ()}
_OTHER_OFFLOAD = {"none": ("optimizer", "all"), "optimizer": ("all",), "all": ("optimizer",)}  # for want of host memory
_ORDER: dict[Fits, int] = {"yes": 0, "tight": 1, "no": 2, "unknown": 3}


class Solve(Protocol):
    """Answers a question again with some choices of the job, or the number of GPUs, changed. May raise UserError."""

    def __call__(self, changes: dict[str, Any], gpus: int | None = None) -> tuple[Question, Candidate, float]: ...


def remedies_for(question: Question, candidate: Candidate, step_s: float, solve: Solve) -> tuple[Remedy, ...]:
    """The changes that better the verdict, those that make the job fit first, then the cheapest in GPU-hours.

    Equal cost goes to the one that frees more. Costs compare the same number of tokens.
    """
    before = _peak(question, candidate)
    verdict_now = verdict_on(question.cluster, before)
    tokens_per_gpu_s = _tokens(question) / step_s / question.cluster.gpus
    found = []
    for field, value, changes, gpus in _changes(question, candidate):
        try:
            other, solved, seconds = solve(changes, gpus)
        except UserError:
            continue  # a change that cannot run is no remedy
        after = _peak(other, solved)
        fits = verdict_on(other.cluster, after)
        if _ORDER[fits] >= _ORDER[verdict_now]:
            continue
        hours = tokens_per_gpu_s / (_tokens(other) / seconds / other.cluster.gpus)  # GPU-hours against now
        slower = hours * question.cluster.gpus / other.cluster.gpus
        found.append(Remedy(field, value, after.peak - before.peak, slower - 1.0, hours - 1.0, fits))
    found.sort(key=lambda remedy: (_ORDER[remedy.fits], remedy.gpu_hours_change, remedy.peak_change_bytes))
    return tuple(_one_of_each(found)[:MOST_REMEDIES])


def _one_of_each(ranked: list[Remedy]) -> list[Remedy]:
    """The best remedy of each field; of two sizes of a cluster or two losses the cheaper that does as much.

    Of two sequence lengths that do as much the longer, which changes the job less.
    """
    best: dict[tuple[str, str], Remedy] = {}
    for remedy in ranked:
        key = (remedy.field, str(remedy.value) if remedy.field == "method" else "")
        other = best.setdefault(key, remedy)
        if key[0] == "sequence_length" and remedy.fits == other.fits:
            best[key] = max(other, remedy, key=lambda one: float(one.value))
    return list(best.values())


def _tokens(question: Question) -> float:
    """Tokens of one optimizer step."""
    return float(question.global_batch * question.job.sequence_length)


def _peak(question: Question, candidate: Candidate) -> MemoryPeak:
    return memory_peak(candidate.peak, question.recipe, candidate.plan, question.cluster.nodes)


_Change = tuple[str, str | float, dict[str, Any], int | None]


def _changes(question: Question, candidate: Candidate) -> Iterator[_Change]:
    """Single changes worth trying: field, new value, what to change in the job, new number of GPUs.

    Where the program chose a setting, it has tried the others already; only what the user fixed can be given free.
    """
    job = question.job
    yield from _layout_changes(question, candidate)
    if job.attention == "eager":
        yield _one("attention", "flash")
    for loss in _LEANER_LOSS[job.cross_entropy]:
        yield _one("cross_entropy", loss)
    if job.method == "full":
        if job.optimizer in ("adamw", "adamw-fused"):
            yield _one("optimizer", "adamw-8bit")
        if not job.fused_backward and candidate.plan.accumulation == 1 and candidate.plan.pp == 1:
            yield _one("fused_backward", True)
        yield _one("method", "lora")
    if job.method != "qlora" and job.base_precision not in ("int8", "nf4"):
        yield _one("method", "qlora")
    for offload in _OTHER_OFFLOAD[job.offload]:
        yield _one("offload", offload)
    for parts in (2, 4, 8):
        if job.sequence_length >= parts * SHORTEST_SEQUENCE:
            yield _one("sequence_length", job.sequence_length // parts)
    for factor in (2, 4, 8):
        yield "gpus", float(question.cluster.gpus * factor), {}, question.cluster.gpus * factor


def _layout_changes(question: Question, candidate: Candidate) -> Iterator[_Change]:
    job, plan = question.job, candidate.plan
    if job.recompute == "none":
        yield _one("recompute", "selective")
    if job.recompute in ("none", "selective"):
        yield _one("recompute", "full")
    if job.micro_batch and job.micro_batch > 1:
        yield _one("micro_batch", job.micro_batch // 2)
        yield _one("micro_batch", 1)
    if job.sharding and job.sharding not in ("fsdp", "zero3") and plan.dp > 1 and plan.pp == 1:
        yield _one("sharding", "zero3" if question.software == "stock" else "fsdp")
    if job.sharding == "none" and plan.dp > 1:
        yield _one("sharding", "zero1")
    if job.tp and 2 * job.tp <= LARGEST_TENSOR:
        yield _one("tp", 2 * job.tp)
    if job.pp:
        yield _one("pp", 2 * job.pp)
    if job.cp:
        yield _one("cp", 2 * job.cp)


def _one(field: str, value: str | float) -> _Change:
    return field, value, {field: value}, None
