"""The peak of training memory: the largest of the moments of one optimizer step, on the fullest GPU.

Adding each component at its own maximum overstates the peak by 13 % (median; 33 % at the ninth decile): what counts
is what is alive together. Every function here takes numbers or NumPy columns.
"""

from dataclasses import dataclass
from typing import NamedTuple

from desktop_app.estimation.memory_activations import Activations, activations
from desktop_app.estimation.memory_recipe import MemoryRecipe, MemoryVariant
from desktop_app.estimation.memory_sharding import RankState, rank_state, variant_of
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.scalar_ops import Number, Ops


class Terms(NamedTuple):
    """Bytes alive at one moment; `total` is the sum of the others."""

    weights: Number
    gradients: Number
    optimizer: Number
    activations: Number
    logits: Number
    buffers: Number
    total: Number


MOMENTS = (
    "loss",  # end of forward: 16-bit logits, their fp32 copy and log-softmax
    "start_of_backward",  # log-softmax and two fp32 gradients of it
    "last_block",  # backward of the block nearest to the loss
    "first_block",  # backward of the block nearest to the input: nearly all gradients, one block's activations
    "end_of_backward",  # gradient of the embedding
    "step",  # optimizer step
    "forward_block",  # scores of one block of eager attention when nothing else is kept
    "pipeline",  # backward on the first stage of a pipeline, its micro-batches in flight
)


@dataclass(frozen=True, slots=True)
class PeakMemory:
    """Live bytes on the fullest GPU: every moment of a step, and the largest of them."""

    moments: tuple[Terms, ...]  # in the order of MOMENTS
    peak: Terms
    deciding: Number  # index into MOMENTS
    load: Number  # before the first step
    save: Number  # while a checkpoint is written
    host: Number  # host memory for this GPU's offloaded share


class _Alive(NamedTuple):
    """What the moments share."""

    resident: Number  # gradients that live all the time
    new: Number  # 1 when gradients are made anew by this backward pass
    held: Number  # 1 when they stay until the step
    base: Number  # buffers of every moment
    temporaries: Number  # of a block's backward
    full: Number  # 1 under full checkpointing


def peak_memory(
    shape: Shape, recipe: MemoryRecipe, plan: Plan, sequence_length: Number, ops: Ops = scalar_ops
) -> PeakMemory:
    """Every moment of one optimizer step on the fullest GPU, and the largest of them, in bytes.

    `recipe` comes from `recipe_of`. The fields of `plan` may be columns when `ops` is numpy.
    """
    variant = variant_of(recipe, plan, ops)
    state = rank_state(shape, recipe, variant, plan, ops)
    kept = activations(recipe, variant, plan, state.layers, shape.layers, sequence_length, ops)
    alive = _alive(shape, recipe, variant, state, kept, plan, ops)
    logits = kept.tokens * shape.vocab / plan.tp
    moments = (
        *_around_the_loss(variant, state, kept, alive, logits),
        *_block_moments(recipe, state, kept, alive),
        *_end_moments(recipe, state, kept, alive),
        _terms(state, alive.resident, kept.stored + kept.attention_forward, 0.0, alive.base + state.root + state.unit),
        _pipeline(state, kept, alive, plan, ops),
    )
    peak, deciding = _largest(moments, ops)
    copies = ops.where(plan.full_shard > 0, recipe.full_copies, 0.0)
    return PeakMemory(
        moments=moments,
        peak=peak,
        deciding=deciding,
        load=ops.maximum(copies * recipe.loaded_bytes / (plan.tp * plan.pp), state.weights),
        save=state.weights + state.optimizer + copies * state.full_weights,
        host=state.host,
    )


def _alive(
    shape: Shape,
    recipe: MemoryRecipe,
    variant: MemoryVariant,
    state: RankState,
    kept: Activations,
    plan: Plan,
    ops: Ops,
) -> _Alive:
    """Gradients outlive a backward pass from the second micro-batch on, or always where their buffers are permanent.

    The temporaries of a block are the larger of its MLP's and its attention's; a gradient under construction is one
    matrix where gradients are added to those of earlier micro-batches or leave at once, all of the MLP's otherwise.
    """
    where = ops.where
    again = where((plan.accumulation > 1) | (variant.kept_gradients > 0), 1.0, 0.0) * variant.held_gradients
    one_by_one = (again > 0) | (variant.held_gradients < 1)
    of_mlp = where(one_by_one, state.mlp_gradient / shape.mlp_matrices, state.mlp_gradient)
    of_attention = where(one_by_one, 0.0, state.mlp_gradient)
    temporaries = ops.maximum(kept.mlp_backward + of_mlp, kept.attention_backward + of_attention)
    gathered = where((plan.full_shard > 0) & (plan.tp > 1), kept.tokens * recipe.tp_gather_bytes, 0.0)
    return _Alive(
        resident=again * state.gradients,
        new=1.0 - again,
        held=variant.held_gradients,
        base=state.bucket + state.standing + kept.tokens * recipe.input_bytes + gathered,
        temporaries=temporaries + variant.dequantised,
        full=where(plan.full_recompute > 0, 1.0, 0.0),
    )


def _terms(state: RankState, gradients: Number, kept: Number, logits: Number, buffers: Number) -> Terms:
    weights, optimizer = state.weights, state.optimizer
    total = weights + gradients + optimizer + kept + logits + buffers
    return Terms(weights, gradients, optimizer, kept, logits, buffers, total)


def _around_the_loss(
    variant: MemoryVariant, state: RankState, kept: Activations, alive: _Alive, logits: Number
) -> tuple[Terms, Terms]:
    """End of forward and start of backward. Checkpointing drops autocast's copies of the blocks between the two."""
    copies = state.layers * state.copies
    stored = kept.stored + kept.final + state.root_copies
    buffers = alive.base + state.root + state.unit
    at_loss, at_start = logits * variant.loss_bytes, logits * variant.backward_bytes
    return (
        _terms(state, alive.resident, stored + copies, at_loss, buffers),
        _terms(state, alive.resident, stored + copies * (1.0 - alive.full), at_start, buffers),
    )


def _block_moments(recipe: MemoryRecipe, state: RankState, kept: Activations, alive: _Alive) -> tuple[Terms, Terms]:
    """Backward of the last block, with the head's gradient, and of the first, with nearly all gradients.

    In between gradients grow and activations fall in step, so only the two ends can win. Sharded stacks hold the
    gathered root, this block and the next, the head's gradient, and the last block's gradient while it is reduced.
    """
    copies = state.copies * (alive.full + (1.0 - alive.full) * state.layers)
    last = kept.stored + kept.again + copies
    first = kept.kept + kept.again + state.copies
    early = alive.resident + alive.new * state.head_gradient
    late = alive.resident + alive.new * (alive.held * state.late_gradients + recipe.tied * state.head_gradient)
    gathered = alive.base + state.blocks_root + state.unit + state.held_head + alive.temporaries
    return (
        _terms(state, early, last, 0.0, gathered + state.unit),
        _terms(state, late, first, 0.0, gathered + state.block_gradient),
    )


def _end_moments(recipe: MemoryRecipe, state: RankState, kept: Activations, alive: _Alive) -> tuple[Terms, Terms]:
    """Gradient of the embedding, to which a tied head adds its own and their sum; then the optimizer step."""
    gradients = alive.resident + alive.new * alive.held * state.gradients
    whole = 1.0 - alive.new * alive.held / state.gradient_shards  # of the one being made, beyond what is counted
    under_way = state.head_gradient * (2.0 * recipe.tied + whole)
    buffers = alive.base + state.root + state.root_gradient + under_way
    return (
        _terms(state, gradients, kept.boundary, 0.0, buffers),
        _terms(state, gradients, 0.0, 0.0, alive.base + state.step_temporary * alive.held),
    )


def _pipeline(state: RankState, kept: Activations, alive: _Alive, plan: Plan, ops: Ops) -> Terms:
    """Steady state of the first stage: gradients, every micro-batch in flight, one block in backward."""
    piped = plan.pp > 1
    buffers = alive.base + state.blocks_root + 2.0 * state.unit + state.block_gradient + alive.temporaries
    terms = _terms(state, alive.held * state.gradients, kept.in_flight + kept.again, 0.0, buffers)
    return Terms(*(ops.where(piped, term, 0.0) for term in terms))


def _largest(moments: tuple[Terms, ...], ops: Ops) -> tuple[Terms, Number]:
    """The moment of the largest total and its place; row by row for columns."""
    best, place_of_best = moments[0], ops.where(moments[0].total > 0, 0.0, 0.0)
    for place, terms in enumerate(moments[1:], 1):
        larger = terms.total > best.total
        place_of_best = ops.where(larger, float(place), place_of_best)
        if isinstance(larger, bool):
            best = terms if larger else best
        else:
            best = Terms(*(ops.where(larger, a, b) for a, b in zip(terms, best, strict=True)))
    return best, place_of_best
