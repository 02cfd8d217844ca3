"""Seconds of one optimizer step, part by part: one set of equations for a plan and for columns of plans.

The equations and constants are a fit to published training speeds (tables/constants.csv). They need no table of
measured kernels; one evaluation is about 150 arithmetic operations.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.estimation.plan import Plan
from desktop_app.estimation.results import StepBreakdown
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.speed_settings import SpeedSettings
from desktop_app.estimation.step_time_layer import LayerTime, layer_time
from desktop_app.estimation.step_time_parallel import (
    data_parallel_exposed_s,
    head_s,
    head_share,
    optimizer_s,
    pipeline_transfer_s,
)
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.scalar_ops import Number, Ops


@dataclass(frozen=True, slots=True)
class StepTime:
    """Seconds per optimizer step on one pipeline stage. Layer parts are summed over layers and micro-batches.

    `gpu_s` is the sum of the parts up to it; `compute_s` is what GPU work and launch floor take together.
    """

    linear_s: Number
    attention_s: Number
    elementwise_s: Number
    dequantisation_s: Number
    context_exchange_s: Number
    expert_exchange_s: Number
    gpu_s: Number
    launch_floor_s: Number
    compute_s: Number
    tensor_parallel_s: Number
    head_s: Number  # on the last stage, all micro-batches
    head_counted_s: Number  # the part of it that lengthens the step
    transfers_s: Number  # pipeline transfers not hidden, and the overhead of each micro-batch
    pipeline_bubble_s: Number
    data_parallel_exposed_s: Number
    optimizer_s: Number
    step_s: Number


def step_time(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops = scalar_ops) -> StepTime:
    """The step of `plan`. Raises nothing; impossible layouts are refused before (layout.py).

    step = m * (fullest stage + transfers) + bubble + exposed gradient traffic + optimizer
    """
    layer = layer_time(shape, settings, plan, ops)
    per_stage, micro_batches = shape.layers / plan.pp, plan.accumulation
    stage = per_stage * layer.layer_s
    head, share = head_s(shape, settings, plan, ops), head_share(settings, plan)
    transfers = pipeline_transfer_s(shape, settings, plan, ops) + settings.micro_batch_overhead_s
    # A micro-batch passes all stages one after the other, however few there are of them
    missing, queue = ops.maximum(plan.pp, micro_batches) - micro_batches, ops.minimum(plan.pp, micro_batches) - 1.0
    bubble = (missing + queue / plan.interleave) * (stage + transfers)
    # No rebalancing makes the last stage faster than its head alone
    fullest = ops.maximum(stage + share * head, head)
    # ... nor an uneven pipeline faster than the stage with most layers
    most_layers = ops.ceil(shape.layers / (plan.pp * plan.interleave)) * plan.interleave
    fullest = ops.maximum(fullest, most_layers * layer.layer_s)
    forward_backward = micro_batches * (fullest + transfers) + bubble
    exposed = data_parallel_exposed_s(shape, settings, plan, forward_backward, fullest, ops)
    optimizer = optimizer_s(shape, settings, plan, ops)
    return _summed(
        layer,
        per_stage * micro_batches,
        head_s=micro_batches * head,
        head_counted_s=micro_batches * (fullest - stage),
        transfers_s=micro_batches * transfers,
        pipeline_bubble_s=bubble,
        data_parallel_exposed_s=exposed,
        optimizer_s=optimizer,
        step_s=forward_backward + exposed + optimizer,
    )


def tokens_per_s_per_gpu(settings: SpeedSettings, plan: Plan, step_s: Number) -> Number:
    """Tokens of a step, padding left out, over seconds and GPUs: micro-batch * m * length / (step * tp * pp * cp)."""
    return (
        (1.0 - settings.padding_share)
        * plan.micro_batch
        * plan.accumulation
        * settings.sequence_length
        / (step_s * plan.tp * plan.pp * plan.cp)
    )


def breakdown(time: StepTime) -> StepBreakdown:
    """The step by cause; the nine parts add up to it.

    The launch floor is what it adds beyond the GPU's own work. The bubble holds all that idle stages wait for.
    """
    return StepBreakdown(
        linear=time.linear_s + time.head_counted_s,
        attention=time.attention_s,
        memory_bound=time.elementwise_s + time.dequantisation_s,
        launch_floor=max(0.0, time.compute_s - time.gpu_s),
        tensor_parallel=time.tensor_parallel_s,
        pipeline_bubble=time.pipeline_bubble_s,
        data_parallel_exposed=time.data_parallel_exposed_s,
        optimizer=time.optimizer_s,
        other=time.transfers_s + time.context_exchange_s + time.expert_exchange_s,
    )


def _summed(layer: LayerTime, times: Number, **rest: Number) -> StepTime:
    """The parts of one layer and micro-batch, `times` over, with the rest of the step."""
    return StepTime(
        linear_s=times * layer.linear_s,
        attention_s=times * layer.attention_s,
        elementwise_s=times * layer.elementwise_s,
        dequantisation_s=times * layer.dequantisation_s,
        context_exchange_s=times * layer.context_exchange_s,
        expert_exchange_s=times * layer.expert_exchange_s,
        gpu_s=times * layer.gpu_s,
        launch_floor_s=times * layer.launch_floor_s,
        compute_s=times * layer.compute_s,
        tensor_parallel_s=times * layer.tensor_parallel_s,
        **rest,
    )
