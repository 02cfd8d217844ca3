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
    in_flight: Number  # of all layers on the stage that has most micro-batches under way
    final: Number  # final norm and the input of the head
    boundary: Number  # residual stream
    mlp_backward: Number  # temporaries
    attention_backward: Number
    attention_forward: Number  # of eager attention whose scores are not kept


def activations(
    recipe: MemoryRecipe,
    variant: MemoryVariant,
    plan: Plan,
    layers: Number,
    model_layers: Number,
    sequence_length: Number,
    ops: Ops,
) -> Activations:
    """Activations of one stage of `layers` layers out of `model_layers`."""
    tp, pp, v, where = plan.tp, plan.pp, plan.interleave, ops.where
    tokens = plan.micro_batch * sequence_length / plan.cp
    shared = tokens / tp
    whole = where(plan.sequence_parallel > 0, shared, tokens)
    scores = shared * sequence_length

    def of(term: TokenBytes) -> Number:
        return whole * term.whole + shared * term.shared + scores * term.per_key

    block = of(variant.kept)
    boundary = whole * variant.residual
    full, share = plan.full_recompute > 0, plan.full_recompute
    partly = where(plan.selective_recompute > 0, of(variant.selective), block)
    kept = share * boundary * recipe.resident_boundaries + (1.0 - share) * partly
    in_last = ops.minimum(plan.accumulation, ((v - 1) * pp + 1) / v)
    mask = tokens * sequence_length * variant.mask_per_key
    extra = where(full, mask, where(pp > 1, 0.0, -of(variant.first_layer_saving)))
    return Activations(
        tokens=tokens,
        kept=kept,
        again=where(full, block, block - partly),
        stored=layers * kept * in_last + extra,
        in_flight=kept * _layers_in_flight(plan, layers, model_layers, ops),
        final=whole * variant.final,
        boundary=boundary,
        mlp_backward=of(variant.mlp_backward),
        attention_backward=of(variant.attention_backward),
        attention_forward=where(full | (plan.selective_recompute > 0), of(variant.attention_forward), 0.0),
    )


def _layers_in_flight(plan: Plan, layers: Number, model_layers: Number, ops: Ops) -> Number:
    """Layers times micro-batches that the worst stage keeps, counted over its chunks.

    Stage r of p keeps p - r micro-batches; interleaved in v chunks p + (p - 1 - 2r)/v; never more than a step has
    (Megatron's schedules). Where layers do not share out evenly the first and the last stage have one less, as Llama 3
    405B does (arXiv 2407.21783); then the second stage may be the worst.
    """
    pp, v, where = plan.pp, plan.interleave, ops.where

    def under_way(stage: int) -> Number:
        return ops.minimum(plan.accumulation, where(v > 1, pp + (pp - 1 - 2 * stage) / v, pp - stage))

    lighter = where((pp > 2) & (pp * layers - model_layers >= 2), 1, 0)
    return ops.maximum((layers - lighter) * under_way(0), layers * under_way(1))
