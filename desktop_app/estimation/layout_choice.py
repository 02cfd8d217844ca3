"""Chooses the layout that a job did not state: the fastest of a short list of legal ones that fits in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.layout import TOKENS_PER_MICRO_BATCH, Grid, grids, plans, require_a_plan, shardings
from desktop_app.estimation.memory import MemoryRecipe, PeakMemory, allowance, peak_memory
from desktop_app.estimation.partial_recompute import next_share, smallest_share
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.speed_settings import SpeedSettings
from desktop_app.estimation.step_time import StepTime, step_time
from desktop_app.estimation.step_time_layer import weights_gathered
from desktop_app.estimation.training_job import Recompute, TrainingJob

# How many memory evaluations a choice may spend, so that it stays within a frame of the window; 400 take about 15 ms.
EVALUATION_LIMIT = 400
# A grid that needs this much more model parallelism than one that fits without recompute is not faster: its extra
# traffic is exposed while nothing is gained in memory (order check of the plan-search test).
WORTHWHILE_EXCESS = 4
PASSES = 3  # of the grids, so that none of a kind is left out when the evaluations run out (plan-search test)
ENOUGH_TOKENS = 4096  # per micro-batch; the matrix products run near full speed from here on (half-size 41 tokens)


SPLIT_HANDICAP = 1.04  # a split that gains less than this is within the model's error (row median 6 %, STEP_TIME 7)
WAITING_SHARE = 0.1  # of the step spent waiting for traffic, from which a larger micro-batch is worth recomputing for
LEGACY_RECOMPUTES_FROM = 10e9  # parameters: without fused attention larger models kept no activations in 2021
WORTH_A_RISK = 1.3  # how much slower a layout that surely fits may be before one that probably fits is taken


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan with its memory and time."""

    plan: Plan
    sharding: str
    recompute: Recompute
    peak: PeakMemory
    time: StepTime
    surplus_bytes: float  # usable memory less the cautious peak; negative when it may not fit
    sure: bool  # the cautious peak fits
    likely: bool  # the central peak fits

    @property
    def ranking_s(self) -> float:
        """Step time, with a handicap for each way of splitting the model: equal speed goes to the simpler layout."""
        splits = (self.plan.tp > 1) + (self.plan.pp > 1) + (self.plan.cp > 1)
        return float(self.time.step_s * SPLIT_HANDICAP**splits)


@dataclass(frozen=True, slots=True)
class Question:
    """What a choice is made from; recipe and settings are computed once for all plans."""

    shape: Shape
    job: TrainingJob
    cluster: Cluster
    recipe: MemoryRecipe
    settings: SpeedSettings
    software: str
    global_batch: int


def evaluate(question: Question, plan: Plan, sharding: str, recompute: Recompute) -> Candidate:
    """Memory and time of one plan."""
    peak, surplus, likely = _memory(question, plan)
    time = step_time(question.shape, question.settings, plan)
    return Candidate(plan, sharding, recompute, peak, time, surplus, surplus >= 0, likely)


def choose(question: Question) -> Candidate:
    """The fastest candidate that surely fits, or one that probably fits where that is much faster.

    Failing both, the one that comes closest. Raises UserError when no layout divides the batch over the GPUs.
    """
    fitting: list[Candidate] = []
    probable: list[Candidate] = []
    closest: Candidate | None = None
    budget = _Budget(EVALUATION_LIMIT)
    for grid in _worthwhile(question, fitting):
        for candidate in _candidates(question, grid, budget):
            if candidate.sure:
                fitting.append(candidate)
            elif candidate.likely:
                probable.append(candidate)
            if closest is None or candidate.surplus_bytes > closest.surplus_bytes:
                closest = candidate
        if budget.spent and (fitting or closest):
            break
    best, risky = (min(some, key=lambda one: one.ranking_s, default=None) for some in (fitting, probable))
    if risky is not None and (best is None or best.time.step_s > WORTH_A_RISK * risky.time.step_s):
        return risky
    if best is not None:
        return best
    require_a_plan(closest is not None, question.shape, question.job, question.cluster, question.global_batch)
    assert closest is not None
    return closest


class _Budget:
    """Counts memory evaluations down."""

    def __init__(self, evaluations: int) -> None:
        self._left = evaluations

    def take(self) -> None:
        self._left -= 1

    @property
    def spent(self) -> bool:
        return self._left <= 0


def wide(software: str) -> bool:
    """Whether people run the stack with tensor and pipeline parallelism when they need it."""
    return software in ("tuned-fused", "legacy")


def _worthwhile(question: Question, fitting: list[Candidate]) -> Iterator[Grid]:
    """The grids in order, without those that an easier, already fitting grid rules out."""
    ordered = grids(question.shape, question.job, question.cluster, wide(question.software))
    # In passes over the whole list, so that a budget that runs out has seen deep and shallow splits alike
    for grid in (one for start in range(PASSES) for one in ordered[start::PASSES]):
        easiest = [
            found.plan
            for found in fitting
            if found.recompute == "none"
            and not weights_gathered(found.plan)
            and found.plan.micro_batch * question.job.sequence_length >= ENOUGH_TOKENS
            and found.time.data_parallel_exposed_s < WAITING_SHARE * found.time.step_s
        ]
        excess = (grid.model_parallel >= WORTHWHILE_EXCESS * plan.tp * plan.pp * plan.cp for plan in easiest)
        if not any(excess):
            yield grid


def _candidates(question: Question, grid: Grid, budget: _Budget) -> Iterator[Candidate]:
    """For each way of sharding: without recompute if that fits, else with more of it."""
    roomy = False
    for sharding in shardings(question.job, grid, question.software):
        if sharding == "zero2" and roomy and not question.job.sharding:
            continue  # sharing gradients too would only add traffic
        hopeless = _hopeless(question, grid, sharding, budget)
        if hopeless is not None:
            yield hopeless
            continue
        for recompute in _recomputes(question):
            sure: list[Candidate] = []
            for candidate in _of_one_kind(question, grid, sharding, recompute, budget):
                sure.extend([candidate] if candidate.sure else [])
                yield candidate
            roomy = roomy or (recompute == "none" and bool(sure))
            if sure and not _starved(question, grid, sure):
                break  # recomputing more would only cost time


def _starved(question: Question, grid: Grid, sure: list[Candidate]) -> bool:
    """Whether a larger micro-batch, which recompute makes room for, might hide traffic that now lengthens the step."""
    best = min(sure, key=lambda one: one.ranking_s)
    waiting = best.time.data_parallel_exposed_s + best.time.tensor_parallel_s
    larger = 2 * best.plan.micro_batch * question.job.sequence_length <= TOKENS_PER_MICRO_BATCH * grid.cp
    return bool(question.job.recompute is None and larger and waiting > WAITING_SHARE * best.time.step_s)


def _hopeless(question: Question, grid: Grid, sharding: str, budget: _Budget) -> Candidate | None:
    """The plan that needs least memory, if not even that fits: then no other of this kind need be tried."""
    recompute = _recomputes(question)[-1]
    options = plans(question.shape, question.job, grid, question.global_batch, sharding, recompute)
    if not options or question.job.recompute:
        return None
    budget.take()
    smallest = min(options, key=lambda plan: (plan.interleave, plan.micro_batch))
    candidate = evaluate(question, smallest, sharding, recompute)
    return None if candidate.sure else candidate


def _of_one_kind(
    question: Question, grid: Grid, sharding: str, recompute: Recompute, budget: _Budget
) -> Iterator[Candidate]:
    """Plans that differ in micro-batch and interleaving: at each depth, from the smallest micro-batch up to what fits.

    Without a pipeline only the largest that fits is worth timing; with one, a small micro-batch keeps the bubble small.
    """
    options = plans(question.shape, question.job, grid, question.global_batch, sharding, recompute)
    for depth in sorted({plan.interleave for plan in options}):
        largest: Candidate | None = None
        for plan in reversed([plan for plan in options if plan.interleave == depth]):
            budget.take()
            peak, surplus, likely = _memory(question, plan)
            if surplus < 0 and largest is not None:
                break
            time = step_time(question.shape, question.settings, plan)
            name: Recompute = "partial" if question.job.recompute == "partial" else recompute
            largest = Candidate(plan, sharding, name, peak, time, surplus, surplus >= 0, likely)
            if recompute == "full" and largest.sure and partly(question.job, question.software):
                largest = _partial(question, largest, budget)
            if plan.pp > 1 or not largest.sure:
                yield largest
            if not largest.sure:
                break
        if largest is not None and largest.sure and largest.plan.pp == 1:
            yield largest


def partly(job: TrainingJob, software: str) -> bool:
    """Whether a part of the layers may be recomputed: where the job asks for it, or leaves it to a stack that can."""
    return job.recompute == "partial" or (job.recompute is None and software == "tuned-fused" and job.method == "full")


def _partial(question: Question, full: Candidate, budget: _Budget) -> Candidate:
    """The same plan with only as many layers recomputed as the memory needs."""
    budget.take()
    missing = -_memory(question, replace(full.plan, full_recompute=0.0))[1]
    share = smallest_share(question.shape, full.plan, missing, full.surplus_bytes) if missing > 0 else 0.0
    while share < 1.0:
        budget.take()
        name: Recompute = "partial" if share or question.job.recompute else "none"
        candidate = evaluate(question, replace(full.plan, full_recompute=share), full.sharding, name)
        if candidate.sure:
            return candidate
        share = next_share(question.shape, full.plan, share)  # the moments of a step do not lie on one line
    return replace(full, recompute="partial") if question.job.recompute == "partial" else full


def _recomputes(question: Question) -> tuple[Recompute, ...]:
    """What may be recomputed, the fastest first.

    Legacy software without fused attention keeps the scores; its runs above 10B recomputed every layer (GPT-3, BLOOM,
    GLM-130B, MT-NLG). Selective recompute came in 2022 (Korthikanti et al., arXiv 2205.05198).
    """
    job = question.job
    if job.recompute == "partial":
        return ("full",)  # its plans are then cut down to the layers that need it
    if job.recompute:
        return (job.recompute,)
    if question.software != "legacy":
        return ("none", "selective", "full")
    keeps_scores = not question.settings.fused_attention
    return ("full",) if keeps_scores and question.shape.params_total > LEGACY_RECOMPUTES_FROM else ("none", "full")


def _memory(question: Question, plan: Plan) -> tuple[PeakMemory, float, bool]:
    """The peak, what is left of the usable memory after the cautious allowance, and whether the central one fits."""
    peak = peak_memory(question.shape, question.recipe, plan, question.job.sequence_length)
    more = allowance(peak.peak.total, question.recipe, plan, question.cluster.nodes)
    left = question.cluster.gpu.usable_memory_bytes - peak.peak.total
    return peak, left - more.high, bool(left >= more.central)
