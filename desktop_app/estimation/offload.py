"""Seconds that offloading to host memory adds to a step: a rough figure from rated links, no fit stands behind it."""

from __future__ import annotations

from desktop_app.estimation.calibration import constant
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.training_job import TrainingJob

_BYTES_16_BIT = 2.0


def offload_s(shape: Shape, job: TrainingJob, cluster: Cluster, plan: Plan) -> float:
    """Seconds per optimizer step; 0 without offload.

    Optimizer: 16-bit gradients travel to the host and 16-bit weights back, and the host's processors step AdamW for
    all GPUs of the node. Weights too ("all"): they cross the link again in every pass of every micro-batch. None of it
    is taken to hide behind the GPU's work.
    """
    if job.offload == "none":
        return 0.0
    link = constant("host_link_bytes_per_s")
    rank = float(shape.params_total) / (plan.tp * plan.pp)
    shard = rank / (plan.dp * plan.cp) if plan.zero_stage else rank
    seconds = 0.0
    if job.method == "full":
        processes = min(cluster.gpus, cluster.gpus_per_node)
        seconds += 2.0 * _BYTES_16_BIT * shard / link + shard * processes / constant("host_adam_params_per_s")
    if job.offload == "all":
        passes = 2.0 + plan.full_recompute
        seconds += plan.accumulation * passes * _BYTES_16_BIT * (shard if plan.zero_stage >= 3 else rank) / link
    return float(seconds)
