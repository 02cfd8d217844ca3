"""Seconds that offloading to host memory adds to a step: the optimizer step on the host's processors, and traffic.

The host's processors step AdamW at the speed of the host's memory: every gradient is read, master weights and moments
are read and written, the 16-bit weights written. Gradients go to the host and weights come back over the link while
the GPU works (ZeRO-Offload, arXiv 2101.06840; FSDP prefetches alike), so only what takes longer than the GPU's own
step is waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.goodput import run_constants
from desktop_app.estimation.memory_recipe import MemoryRecipe
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.table_files import required, table
from desktop_app.estimation.training_job import TrainingJob

_BYTES_16_BIT = 2.0


@dataclass(frozen=True, slots=True)
class Host:
    """What a GPU's usual server offers to offloading."""

    link_bytes_per_s: float  # of one GPU, one way
    memory_bytes_per_s: float  # of the node, all processors together


@lru_cache(maxsize=64)
def host_of(gpu: str) -> Host:
    """The host of a GPU: the first row of offload_hosts.csv that its name begins with; the last row fits all."""
    row = next(row for row in table("offload_hosts") if gpu.startswith(row["gpu"]))
    return Host(required(row, "link_bytes_per_s"), required(row, "host_memory_bytes_per_s"))


def offload_s(
    shape: Shape, job: TrainingJob, cluster: Cluster, plan: Plan, recipe: MemoryRecipe, gpu_step_s: float
) -> float:
    """Seconds per optimizer step beside the `gpu_step_s` of the GPUs; 0 without offload."""
    if job.offload == "none":
        return 0.0
    host = host_of(cluster.gpu.name)
    traffic_s = _traffic_bytes(shape, job, plan, recipe) / host.link_bytes_per_s
    return _adam_s(shape, cluster, plan, recipe, host) + max(0.0, traffic_s - gpu_step_s)


def _adam_s(shape: Shape, cluster: Cluster, plan: Plan, recipe: MemoryRecipe, host: Host) -> float:
    """Seconds in which the processors of a node step what its GPUs hold: all their shards, or copies of the same.

    Per parameter the gradient is read, all other state and the 16-bit weights are read and written: 30 bytes with an
    fp32 master, 14 in pure bf16.
    """
    variant = recipe.fsdp if plan.full_shard else recipe.zero if plan.zero_stage else recipe.plain
    state_bytes = variant.gradient + 2.0 * (variant.host - variant.gradient) + 2.0 * _BYTES_16_BIT
    reached_bytes_per_s = run_constants()["host_adam_memory_share"].value * host.memory_bytes_per_s
    processes = min(cluster.gpus, cluster.gpus_per_node)
    return float(state_bytes * _trained_per_gpu(shape, plan, recipe) * processes / reached_bytes_per_s)


def _trained_per_gpu(shape: Shape, plan: Plan, recipe: MemoryRecipe) -> float:
    """Trained parameters whose optimizer state one GPU's process owns."""
    trained = shape.layers * (recipe.block_trained + recipe.expert_trained) + recipe.root_trained
    return _shared(float(trained), plan, bool(plan.zero_stage))


def _traffic_bytes(shape: Shape, job: TrainingJob, plan: Plan, recipe: MemoryRecipe) -> float:
    """Bytes that cross the link of one GPU in a step.

    Optimizer: 16-bit gradients to the host, 16-bit weights back. "All": the weights come again for every pass of every
    micro-batch instead.
    """
    owned = _trained_per_gpu(shape, plan, recipe)
    if job.offload != "all":
        return 2.0 * _BYTES_16_BIT * owned
    weights = _shared(float(shape.params_total), plan, plan.zero_stage >= 3)
    passes = 2.0 + float(plan.full_recompute)  # forward, again for recompute, backward
    return _BYTES_16_BIT * (owned + float(plan.accumulation) * passes * weights)


def _shared(params: float, plan: Plan, over_replicas: bool) -> float:
    """Parameters on one GPU: split by tensor and pipeline parallelism, and over the replicas where state is sharded."""
    return params / float(plan.tp * plan.pp * (plan.dp * plan.cp if over_replicas else 1))
