"""What one GPU of a layout holds of weights, gradients and optimizer, and what it gathers of the others' share.

Symbols of the equations: T tensor parallel, p pipeline stages, v chunks per stage, n = dp * cp the group that shares
state. Columns work as well as numbers.
"""

from dataclasses import fields
from typing import Any, NamedTuple

from desktop_app.estimation.memory_recipe import MemoryRecipe, MemoryVariant
from desktop_app.estimation.memory_tokens import TokenBytes
from desktop_app.estimation.plan import Plan, expert_shards
from desktop_app.estimation.shape import Shape
from desktop_app.foundation.scalar_ops import Number, Ops


class RankState(NamedTuple):
    """Bytes on the fuller end of the pipeline (the only stage without one)."""

    layers: Number  # of the stage
    weights: Number
    gradients: Number
    optimizer: Number
    step_temporary: Number
    bucket: Number  # data-parallel copies of the gradients
    host: Number
    full_weights: Number  # of the stage, not sharded
    gradient_shards: Number  # ranks that share the gradients, 1 for all of them here
    late_gradients: Number  # those that exist when the first block runs backward
    head_gradient: Number  # the next four as backward makes them, not sharded
    mlp_gradient: Number
    block_gradient: Number  # of a unit, in the type of the reduction
    root_gradient: Number  # the same of the root, less its share of the sharded gradients
    copies: Number  # autocast's copies of one block
    root_copies: Number
    unit: Number  # one gathered block, 0 when nothing is gathered
    root: Number  # gathered root, or one end of it where embedding and head are units of their own
    blocks_root: Number  # what of it is there while the blocks work
    held_head: Number  # head gradient that FSDP holds until the root unit closes
    standing: Number  # weights and gradients that FSDP keeps whole in a pipeline


def variant_of(recipe: MemoryRecipe, plan: Plan, ops: Ops) -> MemoryVariant:
    """The recipe's variant for the way the plan shards."""
    stages = _choose(plan.zero_stage > 0, recipe.zero, recipe.plain, ops)
    chosen: MemoryVariant = _choose(plan.full_shard > 0, recipe.fsdp, stages, ops)
    return chosen


def _choose(condition: Any, yes: Any, no: Any, ops: Ops) -> Any:
    """One of two values or records; field by field where the condition is a column."""
    if yes is no:
        return yes
    if isinstance(condition, bool):
        return yes if condition else no
    if not isinstance(yes, MemoryVariant | TokenBytes):
        return ops.where(condition, yes, no)
    values = {f.name: _choose(condition, getattr(yes, f.name), getattr(no, f.name), ops) for f in fields(yes)}
    return type(yes)(**values)


def rank_state(shape: Shape, recipe: MemoryRecipe, variant: MemoryVariant, plan: Plan, ops: Ops) -> RankState:
    """State of one GPU: divided by T and p, by n where the plan's stage says so, experts by ep as well.

    An FSDP pipeline does not gather per micro-batch: it keeps its weights and gradients whole.
    """
    tp, pp, where, maximum = plan.tp, plan.pp, ops.where, ops.maximum
    ep = expert_shards(plan, ops)
    group = plan.dp * plan.cp
    layers = ops.ceil(shape.layers / (pp * plan.interleave)) * plan.interleave
    weight_shards = where(plan.zero_stage >= 3, group, 1)
    gradient_shards = where(plan.zero_stage >= 2, group, 1)
    optimizer_shards = where(plan.zero_stage >= 1, group, 1)
    piped = pp > 1
    root_trained = where(piped, recipe.end_trained, recipe.root_trained) / tp
    dense_weights = (layers * variant.block_weights + where(piped, variant.end_weights, variant.root_weights)) / tp
    expert_weights = layers * variant.expert_weights / tp
    block_trained, expert_trained = recipe.block_trained / tp, recipe.expert_trained / tp
    dense_trained = layers * block_trained + root_trained
    experts_trained = layers * expert_trained
    stepped = dense_trained / optimizer_shards + experts_trained / maximum(optimizer_shards, ep)
    mlp_trained = recipe.mlp_trained / tp  # 0 with adapters, whose expert part is not in it either
    mlp_experts = ops.minimum(expert_trained, mlp_trained)
    local_block = block_trained + expert_trained / ep
    sharded_weights = dense_weights / weight_shards + expert_weights / maximum(weight_shards, ep)
    gathers = where((plan.zero_stage >= 3) | (recipe.resident_weights < 1), 1.0, 0.0)
    fsdp = where(plan.full_shard > 0, gathers, 0.0)
    standing = where(piped, fsdp, 0.0)
    gathers, fsdp = gathers - standing, fsdp - standing
    unit = (variant.block_gathered + variant.expert_gathered / ep) / tp
    root = where(piped, variant.end_gathered, variant.root_gathered) / tp
    standing_parameters = layers * local_block + root_trained
    # ZeRO-2 in a pipeline: interleaving works on one chunk for several micro-batches and reduces it then
    shared = piped & (plan.zero_stage == 2) & (group > 1)
    chunk_layers = where(plan.interleave > 1, layers / plan.interleave, 1.0)
    return RankState(
        layers=layers,
        weights=sharded_weights * recipe.resident_weights,
        gradients=variant.gradient * (dense_trained / gradient_shards + experts_trained / maximum(gradient_shards, ep)),
        optimizer=variant.optimizer * stepped,
        step_temporary=variant.step_temporary * stepped + variant.largest_temporary / optimizer_shards,
        bucket=where((group > 1) & (plan.zero_stage < 1), variant.bucket * (dense_trained + experts_trained / ep), 0.0),
        host=variant.host * stepped + sharded_weights * (1.0 - recipe.resident_weights),
        full_weights=dense_weights + expert_weights / ep,
        gradient_shards=gradient_shards,
        late_gradients=variant.gradient
        * ((layers - 1) * local_block + recipe.late_root_trained / tp)
        / gradient_shards,
        head_gradient=variant.product * recipe.head_trained / tp * (1.0 - fsdp),
        mlp_gradient=variant.product * (mlp_trained - mlp_experts + mlp_experts / ep),
        block_gradient=where(shared, chunk_layers, fsdp) * variant.gradient * local_block,
        root_gradient=fsdp * variant.gradient * root_trained * (1.0 - 1.0 / gradient_shards),
        copies=variant.block_copies / tp,
        root_copies=variant.root_copies / tp,
        unit=gathers * unit,
        root=gathers * root,
        blocks_root=gathers * root * variant.blocks_root,
        held_head=fsdp * variant.head_gathered / tp,
        standing=standing * (layers * unit + root + variant.gradient * standing_parameters),
    )
