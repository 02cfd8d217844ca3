"""Memory on the fullest GPU: the door to the equations, the allowance on top of live bytes, and the verdict."""

from dataclasses import dataclass

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.memory_job import SHARINGS, options_of, sharing_of
from desktop_app.estimation.memory_moments import MOMENTS, PeakMemory, peak_memory
from desktop_app.estimation.memory_recipe import MemoryRecipe, recipe_from
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.results import Fits, MemoryPeak
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.scalar_ops import Number, Ops
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB

__all__ = [
    "Allowance",
    "MemoryRecipe",
    "PeakMemory",
    "allowance",
    "memory_peak",
    "peak_memory",
    "recipe_name",
    "recipe_of",
    "verdict",
    "verdict_on",
]


def recipe_of(spec: ModelSpec, shape: Shape, job: TrainingJob, software: str) -> MemoryRecipe:
    """All categorical choices of a job as numbers, for `peak_memory`; make it once and use it for every plan."""
    if job.sharding is not None:
        options = options_of(spec, job, software, sharing_of(job.sharding))
        return recipe_from(spec, shape, options, options, options)
    plain, zero, fsdp = (options_of(spec, job, software, sharing) for sharing in SHARINGS)
    return recipe_from(spec, shape, plain, zero, fsdp)


def recipe_name(recipe: MemoryRecipe, plan: Plan) -> str:
    """Which precision recipe a plan uses: a key of the catalogue, "memory_recipe.megatron" ..."""
    place = 2 if plan.full_shard else 1 if plan.zero_stage else 0
    return f"memory_recipe.{recipe.names[place]}"


@dataclass(frozen=True, slots=True)
class Allowance:
    """Bytes beyond live tensors: CUDA context, workspaces, communication buffers, fragmentation."""

    low: Number
    central: Number
    high: Number


def allowance(live: Number, recipe: MemoryRecipe, plan: Plan, nodes: Number = 1, ops: Ops = scalar_ops) -> Allowance:
    """A share of the live bytes for the allocator and a constant for the rest, as published peaks show them.

    low = 0.4 GiB; central = 5 % + 1.0 GiB; high = 15 % + 1.8 GiB, 1 GiB more over several nodes. DeepSpeed's buckets
    stand here because their size is a setting; a family without a line of its own widens both sides.
    """
    buckets = ops.where((plan.zero_stage > 0) & (plan.full_shard < 1), 1.0, 0.0)
    unknown = recipe.family_unknown * constant("unknown_family_share")
    spread = ops.where(plan.full_recompute > 0, 0.0, unknown) * live
    nodes_more = ops.where(nodes > 1, constant("nccl_nodes_gib") * BYTES_PER_GIB, 0.0)
    return Allowance(
        low=constant("allowance_low_gib") * BYTES_PER_GIB + buckets * recipe.bucket_low - spread,
        central=constant("allowance_share") * live
        + constant("allowance_gib") * BYTES_PER_GIB
        + buckets * recipe.bucket_central,
        high=constant("allowance_high_share") * live
        + constant("allowance_high_gib") * BYTES_PER_GIB
        + buckets * recipe.bucket_high
        + spread
        + nodes_more,
    )


def memory_peak(memory: PeakMemory, recipe: MemoryRecipe, plan: Plan, nodes: int = 1) -> MemoryPeak:
    """One plan's peak as the estimate carries it: terms at the deciding moment, allowance, every moment."""
    peak, more = memory.peak, allowance(memory.peak.total, recipe, plan, nodes)
    moments = [(f"moment.{name}", terms.total) for name, terms in zip(MOMENTS, memory.moments, strict=True)]
    return MemoryPeak(
        weights=peak.weights,
        gradients=peak.gradients,
        optimizer=peak.optimizer,
        activations=peak.activations,
        logits=peak.logits,
        buffers=peak.buffers,
        live_peak=peak.total,
        allowance_low=more.low,
        allowance=more.central,
        allowance_high=more.high,
        moment=moments[int(memory.deciding)][0],
        host_bytes=memory.host,
        outside_step_bytes=max(memory.load, memory.save),
        moments=(("moment.load", memory.load), *moments, ("moment.save", memory.save)),
        recipe=recipe_name(recipe, plan),
    )


def verdict(
    memory: MemoryPeak,
    usable_bytes: float,
    processes_per_host: int = 1,
    host_memory_bytes: float | None = None,
    optimistic: MemoryPeak | None = None,
    pessimistic: MemoryPeak | None = None,
) -> Fits:
    """Whether a job runs on a card: "yes" only when the high side fits, "no" only when the low side does not.

    `optimistic` and `pessimistic` are the same job with the settings that nobody stated at their kindest and their
    worst. Offload needs host memory: more than `host_memory_bytes` is a "no", more than the share of it that programs
    get "tight"; where it is not known, more than servers usually have is "tight". So is loading or saving outside a
    step that may not fit: the steps run, but something else may fail.
    """
    low, high = optimistic or memory, pessimistic or memory
    if low.peak_low > usable_bytes:
        return "no"
    if host_memory_bytes is not None and low.host_bytes * processes_per_host > host_memory_bytes:
        return "no"
    if high.peak_high > usable_bytes or high.outside_step_bytes + high.allowance_high > usable_bytes:
        return "tight"
    limit = constant("host_memory_usual_gb") * BYTES_PER_GB
    if host_memory_bytes is not None:
        limit = constant("host_memory_share") * host_memory_bytes
    return "tight" if high.host_bytes * processes_per_host > limit else "yes"


def verdict_on(cluster: Cluster, memory: MemoryPeak) -> Fits:
    """Whether a job with all its settings decided runs on the cluster."""
    processes = min(cluster.gpus, cluster.gpus_per_node)
    return verdict(memory, cluster.gpu.usable_memory_bytes, processes, cluster.host_memory_bytes_per_node)
