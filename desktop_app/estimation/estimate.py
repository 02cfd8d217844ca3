"""The one door into the estimation core: model, job and cluster in, an Estimate out."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from desktop_app.estimation.calibration import constant, practice_factor, regime_of, speed_factor_80, speed_notes
from desktop_app.estimation.checkpoint import checkpoint_bytes_per_parameter
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.flops import flops_per_token
from desktop_app.estimation.layout import check_layout, default_global_batch
from desktop_app.estimation.layout_choice import Candidate, Question, choose, wide
from desktop_app.estimation.lora import params_trainable
from desktop_app.estimation.measured_runs import closest_measured_runs
from desktop_app.estimation.memory import memory_peak, recipe_of, verdict_on
from desktop_app.estimation.memory_job import base_precision_of
from desktop_app.estimation.model_spec import ModelSpec, notes_of
from desktop_app.estimation.offload import offload_s
from desktop_app.estimation.remedies import remedies_for
from desktop_app.estimation.results import Estimate, MemoryPeak, StepBreakdown
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.software import software_of
from desktop_app.estimation.speed_settings import settings_of, sinks_are_slow
from desktop_app.estimation.step_time import breakdown
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.records import replaced
from desktop_app.foundation.units import BYTES_PER_GIB

_LAYOUT = ("tp", "pp", "cp", "ep", "interleave", "micro_batch", "sharding", "recompute")
_CHOSEN_BY_US = (*_LAYOUT, "global_batch", "software", "native_attention", "tp_overlap", "sequence_parallel")
_SEQUENCES_AT_ONCE = (8, 4, 2, 1)  # per GPU, tried where the optimizer is fused into backward
# Published runs give each GPU 1,024 tokens a step and more (Llama 3 405B, arXiv 2407.21783); below, most of it idles
_FEW_TOKENS_PER_GPU = 1024
_DECIDES_SPEED = ("tp", "pp", "micro_batch", "recompute")  # a layout counts as known when these are stated


def estimate(model: ModelSpec, job: TrainingJob, cluster: Cluster) -> Estimate:
    """Layout, step time and memory of a job. What the job leaves open is chosen, and named in `chosen`.

    Raises UserError for what cannot run (heads that do not split, a batch that does not divide), for a precision the
    GPU does not have and for networks or accelerators without a model of speed.
    """
    settled, notes = _settled(model, job, cluster)
    question, candidate = _solved(model, settled, cluster)
    memory = memory_peak(candidate.peak, question.recipe, candidate.plan, cluster.nodes)
    fits = verdict_on(cluster, memory)
    per_token = flops_per_token(question.shape, settled.sequence_length, settled.method)
    left_open = _left_open(job)
    regime = regime_of(job, question.shape, cluster.gpu, layout_known=left_open == 0)
    practice = practice_factor(left_open, job, question.shape, cluster.gpus)
    step_s = step_seconds(question, candidate, per_token)
    return Estimate(
        model=model,
        job=settled,
        cluster=cluster,
        shape=question.shape,
        plan=candidate.plan,
        sharding=candidate.sharding,
        recompute=candidate.recompute,
        software=question.software,
        global_batch=question.global_batch,
        params_trainable=params_trainable(model, settled),
        checkpoint_bytes_per_parameter=checkpoint_bytes_per_parameter(
            model, settled, question.software, candidate.plan
        ),
        flops_per_token=per_token,
        step_time_s=step_s,
        step_breakdown=_breakdown(question, candidate, step_s),
        memory=memory,
        fits=fits,
        remedies=()
        if fits == "yes"
        else remedies_for(question, candidate, practice * step_s, _solve_again(model, job, cluster)),
        speed_factor_80=speed_factor_80(job, question.shape, cluster.gpu, layout_known=left_open == 0),
        regime=regime,
        offload_s=0.0 if job.mfu is not None else _offload(question, candidate),
        practice_factor=practice,
        chosen=_chosen(job),
        closest_measured_runs=closest_measured_runs(question.shape, settled, cluster, question.software),
        problems=(
            *notes,
            *notes_of(model),
            *speed_notes(settled, cluster.gpu),
            *_chosen_notes(question, candidate, practice),
            *_efficiency_notes(job),
            *_fit_notes(memory, cluster),
        ),
    )


def question_of(model: ModelSpec, job: TrainingJob, cluster: Cluster) -> Question:
    """Everything that does not change from plan to plan. Raises UserError."""
    shape = shape_of(model)
    stack = software_of(job)
    global_batch = job.global_batch or default_global_batch(shape, job, cluster.gpus, wide(stack.software))
    check_layout(shape, job, cluster, global_batch)
    return Question(
        shape=shape,
        job=job,
        cluster=cluster,
        recipe=recipe_of(model, shape, job, stack.software),
        settings=settings_of(shape, job, cluster, stack),
        software=stack.software,
        global_batch=global_batch,
    )


def step_seconds(question: Question, candidate: Candidate, per_token: float) -> float:
    """Seconds of one optimizer step: as computed, or what a given efficiency makes of the model's FLOPs."""
    job, cluster = question.job, question.cluster
    if job.mfu is None:
        return float(candidate.time.step_s) + _offload(question, candidate)
    per_step = per_token * question.global_batch * job.sequence_length * (1 - job.padding_share)
    return per_step / (cluster.gpus * cluster.gpu.peak_dense_bf16_flops * job.mfu)


def _offload(question: Question, candidate: Candidate) -> float:
    steady_s = float(candidate.time.step_s)
    return offload_s(question.shape, question.job, question.cluster, candidate.plan, question.recipe, steady_s)


def _breakdown(question: Question, candidate: Candidate, step_s: float) -> StepBreakdown | None:
    """The parts of the step, adding up to it; None when the efficiency was given and nothing is known of its parts."""
    if question.job.mfu is not None:
        return None
    offload = _offload(question, candidate)
    parts, factor = breakdown(candidate.time), (step_s - offload) / float(candidate.time.step_s)
    scaled = {field.name: factor * getattr(parts, field.name) for field in dataclasses.fields(parts)}
    return StepBreakdown(**{**scaled, "other": scaled["other"] + offload})


def _left_open(job: TrainingJob) -> float:
    """The share of the settings that decide speed which the job does not state; how much to recompute is left to us."""
    return sum(getattr(job, name) in (None, "partial") for name in _DECIDES_SPEED) / len(_DECIDES_SPEED)


def _chosen_notes(question: Question, candidate: Candidate, practice: float) -> tuple[Problem, ...]:
    """What to say of a layout and a batch that we chose."""
    notes = []
    if practice > 1:
        factors: dict[str, str | float] = {"factor": round(practice, 2), "whole": constant("practice_factor")}
        notes.append(Problem("", "problem.layout_chosen", factors, "note"))
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
        notes.append(Problem("global_batch", "problem.batch_small", few, "warning"))
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


def _efficiency_notes(job: TrainingJob) -> tuple[Problem, ...]:
    """A given efficiency fixes the step, and with it all that could be said of its parts."""
    return () if job.mfu is None else (Problem("mfu", "problem.no_breakdown", {}, "note"),)


def _fit_notes(memory: MemoryPeak, cluster: Cluster) -> tuple[Problem, ...]:
    """Figures of a job that does not fit are those of a run that cannot start: too little GPU or host memory."""
    notes = []
    if memory.peak_low > cluster.gpu.usable_memory_bytes:
        notes.append(Problem("", "problem.does_not_fit", {}, "warning"))
    return (*notes, *_host_notes(memory, cluster))


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


def _solved(model: ModelSpec, job: TrainingJob, cluster: Cluster) -> tuple[Question, Candidate]:
    """The chosen candidate; a batch that we chose is doubled until it divides over the GPUs."""
    question = question_of(model, job, cluster)
    if job.fused_backward and not (job.global_batch or job.micro_batch):
        return _without_accumulation(question)
    while True:
        try:
            return question, choose(question)
        except UserError:
            if job.global_batch or question.global_batch >= cluster.gpus:
                raise
            question = dataclasses.replace(question, global_batch=2 * question.global_batch)


def _without_accumulation(question: Question) -> tuple[Question, Candidate]:
    """The largest of a few batches that fit in one micro-batch: no gradients wait for a second one."""
    for sequences in _SEQUENCES_AT_ONCE:
        tried = dataclasses.replace(question, global_batch=sequences * question.cluster.gpus)
        candidate = choose(tried)
        if candidate.sure and candidate.plan.accumulation == 1:
            break
    return tried, candidate


def _solve_again(model: ModelSpec, job: TrainingJob, cluster: Cluster) -> Any:
    """A function that answers the same question with some choices changed, for the remedies."""

    def solve(changes: dict[str, Any], gpus: int | None = None) -> tuple[Question, Candidate, float]:
        other = cluster if gpus is None else cluster.with_gpus(gpus)
        question, candidate = _solved(model, _settled(model, replaced(job, **changes), other)[0], other)
        per_token = flops_per_token(question.shape, question.job.sequence_length, question.job.method)
        practice = practice_factor(_left_open(question.job), question.job, question.shape, other.gpus)
        return question, candidate, practice * step_seconds(question, candidate, per_token)

    return solve


def _settled(model: ModelSpec, job: TrainingJob, cluster: Cluster) -> tuple[TrainingJob, tuple[Problem, ...]]:
    """The job with what its GPU and software imply, and the notes on that."""
    notes: list[Problem] = []
    if not cluster.gpu.supports_bf16 and "precision" not in job.model_fields_set:
        job = replaced(job, precision="fp16-mixed")
        notes.append(Problem("precision", "problem.no_bf16", {"gpu": cluster.gpu.name}, "note"))
    if not cluster.gpu.supports_bf16 and job.method == "full" and job.software is None:
        job = replaced(job, software="legacy")
        notes.append(Problem("software", "problem.legacy_assumed", {"gpu": cluster.gpu.name}, "note"))
    if job.software == "legacy" and "attention" not in job.model_fields_set:
        job = replaced(job, attention="eager")  # Megatron-LM of 2021-22 had no fused attention
        notes.append(Problem("attention", "problem.legacy_attention", {}, "note"))
    if model.max_sequence_length and job.sequence_length > model.max_sequence_length and model.position_rows:
        values: dict[str, str | float] = {"length": job.sequence_length, "limit": model.max_sequence_length}
        values["model"] = model.name
        notes.append(Problem("sequence_length", "problem.beyond_positions", values, "warning"))
    if job.method != "full" and job.software is None:
        notes.append(Problem("software", "problem.stock_assumed", {}, "note"))
    if job.offload != "none":
        notes.append(Problem("offload", "problem.offload_time", {}, "warning"))
    return job, tuple(notes)


def _chosen(job: TrainingJob) -> tuple[str, ...]:
    """The choices that the job left to us."""
    names = [name for name in _CHOSEN_BY_US if getattr(job, name) is None]
    if base_precision_of(job) and job.base_precision is None:
        names.append("base_precision")
    return tuple(names)
