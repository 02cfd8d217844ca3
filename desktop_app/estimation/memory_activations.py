"""What the micro-batches on one GPU keep for backward, by moment of the step."""

from typing import NamedTuple

from desktop_app.estimation.memory_recipe import MemoryRecipe, MemoryVariant
from desktop_app.estimation.memory_tokens import TokenBytes
from desktop_app.estimation.plan import Plan
from desktop_app.foundation.scalar_ops import Number, Ops


class Activations(NamedTuple):
    """Bytes of activations on one GPU."""

    tokens: Number  # of one micro-batch, a count
    kept: Number  # of one layer
    again: Number  # of one layer, made a second time in backward
    stored: Number  # of all layers on the last stage
    in_flight: Number  # of all layers on the first stage
    final: Number  # final norm and the input of the head
    boundary: Number  # residual stream
    mlp_backward: Number  # temporaries
    attention_backward: Number
    attention_forward: Number  # of eager attention under full checkpointing


def activations(
    recipe: MemoryRecipe, variant: MemoryVariant, plan: Plan, layers: Number, sequence_length: Number, ops: Ops
) -> Activations:
    """Activations of `layers` layers.

    A pipeline of p stages keeps p micro-batches of its first stage in flight and one of its last; interleaved in v
    chunks p + (p-1)/v and ((v-1)p + 1)/v, never more than there are (Megatron's schedules).
    """
    tp, pp, v, where = plan.tp, plan.pp, plan.interleave, ops.where
    tokens = plan.micro_batch * sequence_length / plan.cp
    shared = tokens / tp
    whole = where(plan.sequence_parallel > 0, shared, tokens)
    scores = shared * sequence_length

    def of(term: TokenBytes) -> Number:
        return whole * term.whole + shared * term.shared + scores * term.per_key

    block = of(variant.kept)
    boundary = whole * variant.residual
    full, selective = plan.full_recompute > 0, plan.selective_recompute > 0
    kept = where(full, boundary * recipe.resident_boundaries, where(selective, of(variant.selective), block))
    in_first = ops.minimum(plan.accumulation, where(v > 1, pp + (pp - 1) / v, pp))
    in_last = ops.minimum(plan.accumulation, ((v - 1) * pp + 1) / v)
    mask = tokens * sequence_length * variant.mask_per_key
    extra = where(full, mask, where(pp > 1, 0.0, -of(variant.first_layer_saving)))
    return Activations(
        tokens=tokens,
        kept=kept,
        again=where(full, block, block - kept),
        stored=layers * kept * in_last + extra,
        in_flight=layers * kept * in_first,
        final=whole * variant.final,
        boundary=boundary,
        mlp_backward=of(variant.mlp_backward),
        attention_backward=of(variant.attention_backward),
        attention_forward=where(full, of(variant.attention_forward), 0.0),
    )
