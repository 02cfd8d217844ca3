"""How a job is laid out on a cluster: the numbers that a plan search varies."""

from dataclasses import dataclass

from desktop_app.foundation.scalar_ops import Number, Ops


@dataclass(frozen=True, slots=True)
class Plan:
    """One layout, or a NumPy column of layouts. Switches are 0 or 1 so that columns work.

    n = tp * pp * cp * dp GPUs; ep divides the data-parallel group; accumulation = micro-batches per step.
    """

    tp: Number
    pp: Number
    dp: Number
    cp: Number
    ep: Number
    interleave: Number  # virtual chunks per pipeline rank, 1 = none
    micro_batch: Number  # sequences
    accumulation: Number  # micro-batches per optimizer step and pipeline
    zero_stage: Number  # 0 to 3; FSDP is 3 with full_shard = 1
    full_shard: Number  # 1 = FSDP units gathered layer by layer
    full_recompute: Number  # 1, or the share of the layers that are recomputed
    selective_recompute: Number
    sequence_parallel: Number


def expert_shards(plan: Plan, ops: Ops) -> Number:
    """Ranks that share the experts beside tensor parallelism.

    Up to the data-parallel group, experts are split by tensor parallelism like the rest. A larger expert-parallel group
    takes the tensor-parallel ranks in, and its experts stay whole.
    """
    return ops.where(plan.ep > plan.dp * plan.cp, ops.maximum(1.0, plan.ep / plan.tp), plan.ep)
