"""The one door into the estimation core: model, job and cluster in, an Estimate out."""

from __future__ import annotations

import dataclasses
from typing import Any

from desktop_app.estimation.calibration import practice_factor, regime_of, speed_factor_80, speed_notes
from desktop_app.estimation.checkpoint import checkpoint_bytes_per_parameter
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.estimate_notes import (
    efficiency_notes,
    fit_notes,
    layout_notes,
    measured_notes,
    practice_notes,
)
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
from desktop_app.estimation.results import Estimate, StepBreakdown
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.software import software_of
from desktop_app.estimation.speed_settings import fastest_precision, settings_of
from desktop_app.estimation.step_time import breakdown
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import replaced

_LAYOUT = ("tp", "pp", "cp", "ep", "interleave", "micro_batch", "sharding", "recompute")
_CHOSEN_BY_US = (*_LAYOUT, "global_batch", "software", "native_attention", "tp_overlap", "sequence_parallel")
_SEQUENCES_AT_ONCE = (8, 4, 2, 1)  # per GPU, tried where the optimizer is fused into backward
_DECIDES_SPEED = ("tp", "pp", "micro_batch", "recompute", "software")  # a speed counts as known when these are stated


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
    solve = _solve_again(model, job, cluster)
    found = Estimate(
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
        remedies=() if fits == "yes" else remedies_for(question, candidate, practice * step_s, solve),
        speed_factor_80=speed_factor_80(job, question.shape, cluster.gpu, layout_known=left_open == 0),
        regime=regime,
        offload_s=0.0 if job.mfu is not None else _offload(question, candidate),
        practice_factor=practice,
        chosen=_chosen(job),
        closest_measured_runs=closest_measured_runs(question.shape, settled, cluster, question.software),
        problems=(),
    )
    return dataclasses.replace(found, problems=(*notes, *_remarks(found, question, candidate)))


def _remarks(found: Estimate, question: Question, candidate: Candidate) -> tuple[Problem, ...]:
    """What to say of the estimate."""
    job, cluster, practice = question.job, question.cluster, found.practice_factor
    speed = found.global_batch * job.sequence_length / (found.step_time_s * cluster.gpus)
    slowest, fastest = speed / found.speed_factor_80 / practice, speed * found.speed_factor_80
    return (
        *notes_of(found.model),
        *speed_notes(job, cluster.gpu),
        *practice_notes(practice, practice_factor(1.0, job, question.shape, cluster.gpus)),
        *layout_notes(question, candidate),
        *efficiency_notes(job),
        *fit_notes(found.memory, cluster, bool(found.remedies)),
        *measured_notes(found.closest_measured_runs, found.model.name, cluster.gpu.name, slowest, fastest),
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
        settings=settings_of(shape, job, cluster, stack, trained=params_trainable(model, job)),
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
    limit = fastest_precision(cluster.gpu, job)
    if job.mfu is not None and job.mfu > limit:
        raise user_error("mfu", "problem.mfu_above_peak", precision=job.precision, limit=round(100 * limit))
    if not cluster.gpu.supports_bf16 and "precision" not in job.model_fields_set:
        job = replaced(job, precision="fp16-mixed")
        notes.append(Problem("precision", "problem.no_bf16", {"gpu": cluster.gpu.name}, "note"))
    if not cluster.gpu.supports_bf16 and job.method == "full" and job.software is None:
        job = replaced(job, software="legacy")
        notes.append(Problem("software", "problem.legacy_assumed", {"gpu": cluster.gpu.name}, "note"))
    if job.software == "legacy" and "attention" not in job.model_fields_set:
        job = replaced(job, attention="eager")  # Megatron-LM of 2021-22 had no fused attention
        notes.append(Problem("attention", "problem.legacy_attention", {}, "note"))
    if model.max_sequence_length and job.sequence_length > model.max_sequence_length:
        values: dict[str, str | float] = {"length": job.sequence_length, "limit": model.max_sequence_length}
        values["model"] = model.name
        beyond = "beyond_positions" if model.position_rows else "beyond_length"
        notes.append(
            Problem("sequence_length", f"problem.{beyond}", values, "warning" if model.position_rows else "note")
        )
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
