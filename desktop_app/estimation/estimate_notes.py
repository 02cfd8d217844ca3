"""What to say of an estimate: settings that were chosen, memory that does not suffice, published runs that disagree."""

from __future__ import annotations

import math

from desktop_app.estimation.calibration import constant
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.layout_choice import Candidate, Question
from desktop_app.estimation.results import MeasuredRun, MemoryPeak
from desktop_app.estimation.software import software_of
from desktop_app.estimation.speed_settings import sinks_are_slow
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.units import BYTES_PER_GIB

# Published runs give each GPU 1,024 tokens a step and more (Llama 3 405B, arXiv 2407.21783); below, most of it idles
_FEW_TOKENS_PER_GPU = 1024


def practice_notes(practice: float, if_left_open: float) -> tuple[Problem, ...]:
    """That GPU-hours hold what published runs took beyond the best layout, or why they do not.

    `if_left_open` is the factor of the same job with every deciding setting left to the program.
    """
    factors: dict[str, str | float] = {"factor": round(practice, 2), "whole": constant("practice_factor")}
    if practice > 1:
        return (Problem("", "problem.layout_chosen", factors, "note"),)
    return (Problem("", "problem.layout_stated", factors, "note"),) if if_left_open > 1 else ()


def layout_notes(question: Question, candidate: Candidate) -> tuple[Problem, ...]:
    """What to say of layout and batch, chosen or stated."""
    notes = []
    if not candidate.sure and candidate.likely:
        notes.append(Problem("", "problem.tight_but_faster", {}, "note"))
    if question.job.fused_backward and candidate.plan.accumulation > 1:
        count: dict[str, str | float] = {"count": candidate.plan.accumulation}
        notes.append(Problem("fused_backward", "problem.fused_backward_steps", count, "warning"))
    elif question.job.fused_backward and not question.job.global_batch:
        batch: dict[str, str | float] = {"batch": question.global_batch}
        notes.append(Problem("fused_backward", "problem.fused_backward_batch", batch, "note"))
    batch_tokens = question.global_batch * question.job.sequence_length
    share = batch_tokens / question.cluster.gpus
    if question.job.method == "full" and share < _FEW_TOKENS_PER_GPU:
        few: dict[str, str | float] = {"tokens": round(share), "gpus": question.cluster.gpus}
        key = "problem.batch_small" if question.cluster.gpus > 1 else "problem.single_gpu_small"
        notes.append(Problem("global_batch", key, few, "warning"))
    if question.job.attention != "eager" and sinks_are_slow(question.shape, software_of(question.job)):
        slow: dict[str, str | float] = {"factor": round(constant("attention_sinks_slowdown"), 1)}
        notes.append(Problem("moe_stack", "problem.sinks_slow", slow, "warning"))
    if candidate.plan.tp > 1 and question.cluster.gpu.link_domain_gpus == 1:
        notes.append(Problem("tp", "problem.tp_pcie", {"gpu": question.cluster.gpu.name}, "warning"))
    if candidate.plan.tp > question.cluster.link_domain_gpus:
        split: dict[str, str | float] = {"tp": candidate.plan.tp, "gpus": question.cluster.link_domain_gpus}
        notes.append(Problem("tp", "problem.tp_nodes", split, "warning"))
    if batch_tokens > question.job.tokens:
        values: dict[str, str | float] = {"batch": batch_tokens, "tokens": question.job.tokens}
        notes.append(Problem("global_batch", "problem.batch_above_tokens", values, "warning"))
    return tuple(notes)


def efficiency_notes(job: TrainingJob) -> tuple[Problem, ...]:
    """A given efficiency fixes the step, and with it all that could be said of its parts."""
    return () if job.mfu is None else (Problem("mfu", "problem.no_breakdown", {}, "note"),)


def fit_notes(memory: MemoryPeak, cluster: Cluster, remedies: bool) -> tuple[Problem, ...]:
    """Figures of a job that does not fit are those of a run that cannot start: too little GPU or host memory."""
    notes, usable = [], cluster.gpu.usable_memory_bytes
    if memory.peak_low > usable:
        notes.append(Problem("", f"problem.does_not_fit{'' if remedies else '_alone'}", {}, "warning"))
    elif memory.peak > usable:
        sizes: dict[str, str | float] = {
            "peak": round(memory.peak / BYTES_PER_GIB, 1), "usable": round(usable / BYTES_PER_GIB, 1),
        }  # fmt: skip
        notes.append(Problem("", "problem.likely_too_large", sizes, "warning"))
    return (*notes, *_host_notes(memory, cluster))


def measured_notes(
    runs: tuple[MeasuredRun, ...], model: str, gpu: str, slowest: float, fastest: float
) -> tuple[Problem, ...]:
    """The published runs of this very model on this very GPU whose speed lies outside the range.

    `slowest` and `fastest` in tokens per second and GPU.
    """
    notes = []
    for run in runs:
        speed = run.tokens_per_s_per_gpu
        if run.name == model and run.gpu == gpu and speed and not slowest <= speed <= fastest:
            values: dict[str, str | float] = {"gpus": run.gpus, "gpu": run.gpu, "speed": round(speed)}
            values |= {"low": round(slowest), "high": round(fastest)}
            notes.append(Problem("", "problem.measured_outside", values, "note"))
    return tuple(notes)


def _host_notes(memory: MemoryPeak, cluster: Cluster) -> tuple[Problem, ...]:
    """Host memory that offloading takes on a node, and whether what was stated suffices."""
    given, needed = cluster.host_memory_bytes_per_node, memory.host_bytes * min(cluster.gpus, cluster.gpus_per_node)
    values: dict[str, str | float] = {"needed": math.ceil(needed / BYTES_PER_GIB)}
    if given is not None and needed > given:
        values["given"] = round(given / BYTES_PER_GIB)
        return (Problem("host_memory_gib_per_node", "problem.host_memory", values, "warning"),)
    if given is None and needed > 0:
        return (Problem("host_memory_gib_per_node", "problem.host_memory_needed", values, "note"),)
    return ()
