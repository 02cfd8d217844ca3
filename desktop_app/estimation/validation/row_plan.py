"""The layout of a published row: what it states, and for the rest what fits in memory and is fastest.

Where even the batch is unknown there are 8 micro-batches (4 per stage); sequence parallelism is on with tuned tensor
parallelism. Micro-batches that nobody states start at 8,192 tokens without a pipeline and 2,048 with one, as in the
rows that state them; a smaller one is taken when the memory asks for it, and so is recompute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.memory import allowance, peak_memory, recipe_of
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.speed_settings import settings_of
from desktop_app.estimation.step_time import step_time
from desktop_app.estimation.table_files import Row
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.reading import Cells, value

_TOKENS_PER_MICRO_BATCH, _TOKENS_PER_PIPELINE_MICRO_BATCH = 8192, 2048  # usual in the rows that state them


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A row's layout; `known` when the row states all of it that decides speed."""

    plan: Plan
    known: bool
    sharding: str
    micro_batch_stated: bool
    recompute_stated: bool


def stated_plan(cells: Cells, framework: Row, stack: SoftwareStack) -> RowPlan:
    """The layout that a row states, the usual values in its gaps."""
    tp, pp, cp, ep = (value(cells, name) or 1.0 for name in ("tp", "pp", "cp", "ep"))
    gpus = value(cells, "n_gpus") or tp * pp * cp
    dp = max(1.0, gpus / (tp * pp * cp))
    stated, batch = value(cells, "micro_batch"), value(cells, "global_batch_sequences")
    sharding = cells["zero_stage"] if cells["zero_stage"] == "fsdp" else f"zero{cells['zero_stage'] or 0}"
    if sharding == "fsdp" and pp > 1:  # its stated batch is split into single sequences
        stated = None
    micro_batch = stated or _usual_micro_batch(pp, dp, value(cells, "seq_len") or 1.0, batch)
    parallel = value(cells, "sequence_parallel")
    plan = Plan(
        tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, micro_batch=micro_batch,
        interleave=value(cells, "virtual_pp") or (float(framework["unstated_interleave"]) if pp > 1 else 1.0),
        accumulation=max(1.0, batch / (micro_batch * dp)) if batch else (4.0 * pp if pp > 1 else 8.0),
        zero_stage=3.0 if sharding == "fsdp" else float(sharding.removeprefix("zero")),
        full_shard=float(sharding == "fsdp"), full_recompute=float(cells["recompute"] == "full"),
        selective_recompute=float(cells["recompute"] == "selective"),
        sequence_parallel=float(tp > 1 and stack.software != "legacy") if parallel is None else parallel,
    )  # fmt: skip
    known = bool(stated and batch and cells["n_gpus"] and cells["tp"] and cells["pp"])
    return RowPlan(plan, known, sharding, stated is not None, bool(cells["recompute"]))


def _usual_micro_batch(pp: float, dp: float, length: float, batch: float | None) -> float:
    tokens = _TOKENS_PER_PIPELINE_MICRO_BATCH if pp > 1 else _TOKENS_PER_MICRO_BATCH
    usual = max(1.0, tokens // length)
    return min(usual, max(1.0, batch / dp)) if batch else usual


def completed(row: RowPlan, model: ModelSpec, job: TrainingJob, cluster: Cluster, stack: SoftwareStack) -> Plan:
    """The plan with micro-batch and recompute, where the row states neither, as fast as the memory allows.

    When nothing fits, which memory knows no more about than the row says, the usual values stay.
    """
    if row.recompute_stated and row.micro_batch_stated:
        return row.plan
    shape = shape_of(model)
    recipe, settings = recipe_of(model, shape, job, stack.software), settings_of(shape, job, cluster, stack)

    def surplus(plan: Plan) -> float:
        live = float(peak_memory(shape, recipe, plan, job.sequence_length).peak.total)
        more = allowance(live, recipe, plan, cluster.nodes).central
        return cluster.gpu.usable_memory_bytes - live - float(more)

    fillings = list(_fillings(row, surplus, whole=stack.software == "legacy"))
    return min(fillings, key=lambda plan: float(step_time(shape, settings, plan).step_s), default=row.plan)


def _fillings(row: RowPlan, surplus: Callable[[Plan], float], whole: bool) -> Iterator[Plan]:
    """The plans that fill the gaps of a row and fit: smaller micro-batches, and as much recompute as they need.

    Stacks since 2023 recompute single layers or modules, older ones the `whole` network or nothing.
    """
    for share in [1.0] if row.micro_batch_stated else [1.0, 0.5, 0.25, 0.125]:
        size, steps = row.plan.micro_batch * share, row.plan.accumulation / share
        if size < 1:
            continue
        plan = replace(row.plan, micro_batch=size, accumulation=steps)
        spare = surplus(plan)
        if spare >= 0:
            yield plan
        elif not row.recompute_stated:
            full = replace(plan, full_recompute=1.0)
            spare_full = surplus(full)
            if spare_full >= 0:
                yield full if whole else replace(plan, full_recompute=spare / (spare - spare_full))
