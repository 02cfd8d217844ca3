"""Time of one transformer layer for one micro-batch: forward, backward and recompute together.

Numbers or NumPy columns; `ops` is scalar_ops or numpy. Constants of the fit stand in tables/constants.csv; those that
a single product needs reach the equations through `LayerConstants`, read once.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.estimation.plan import Plan, expert_shards
from desktop_app.estimation.shape import Shape, attended_share
from desktop_app.estimation.speed_settings import SpeedSettings
from desktop_app.foundation.scalar_ops import Number, Ops


@dataclass(frozen=True, slots=True)
class LayerTime:
    """Seconds of one layer for one micro-batch. Parts of `gpu_s` first; the launch floor runs beside them."""

    linear_s: Number
    attention_s: Number
    elementwise_s: Number  # norms, residuals, quantisation, adding up gradients, permutation of routed tokens
    dequantisation_s: Number
    context_exchange_s: Number
    expert_exchange_s: Number
    gpu_s: Number  # the sum of the above
    launch_floor_s: Number  # the host's time to launch the kernels
    compute_s: Number  # what both together take: (gpu^3 + floor^3)^(1/3)
    tensor_parallel_s: Number
    layer_s: Number  # compute and tensor-parallel traffic


def gemm_s(rows: Number, width: Number, inner: Number, rate: Number, settings: SpeedSettings) -> Number:
    """Seconds of one product (rows x inner)(inner x width): FLOP over rate, slower when a side is short."""
    half_width = settings.gemm_half_width
    slower = (1.0 + settings.gemm_half_tokens / rows) * (1.0 + half_width / width) * (1.0 + half_width / inner)
    return 2.0 * rows * width * inner / rate * slower


def tokens_per_micro_batch(settings: SpeedSettings, plan: Plan) -> Number:
    """Tokens that one GPU works on in a micro-batch: sequences x length / context-parallel size."""
    return plan.micro_batch * settings.sequence_length / plan.cp


def layer_time(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> LayerTime:
    """All parts of one layer. An average layer, where a model mixes dense and expert layers."""
    tokens = tokens_per_micro_batch(settings, plan)
    linear = _passes(settings, plan) * _linear_pass_s(shape, settings, plan, tokens, ops)
    attention = _attention_s(shape, settings, plan, tokens, ops)
    elementwise = _elementwise_s(shape, settings, plan, tokens, ops)
    passes = 2.0 + plan.full_recompute
    dequantisation = settings.dequantisation_s_per_param * _params_of_layer(shape, plan, ops) / plan.tp * passes
    context = _context_exchange_s(shape, settings, plan, tokens, ops)
    experts = _expert_exchange_s(shape, settings, plan, tokens, ops)
    gpu = linear + attention + elementwise + dequantisation + context + experts
    floor = passes * (
        settings.launch_floor_s
        + settings.tensor_parallel_floor_s * ops.where(plan.tp > 1, 1.0, 0.0)
        + settings.expert_floor_s * shape.moe_layers / shape.layers
    )
    compute = (gpu**3 + floor**3) ** (1.0 / 3.0)  # between the larger of the two and their sum
    tensor_parallel = _tensor_parallel_s(shape, settings, plan, tokens, linear, ops)
    return LayerTime(
        linear, attention, elementwise, dequantisation, context, experts, gpu, floor, compute, tensor_parallel,
        compute + tensor_parallel,
    )  # fmt: skip


def _passes(settings: SpeedSettings, plan: Plan) -> Number:
    """Forward, gradient of inputs, gradient of weights, and what is recomputed."""
    selective = settings.layer.selective_recompute * plan.selective_recompute * settings.fused_attention
    return 2.0 + settings.weight_gradients + settings.adapter_passes + plan.full_recompute + selective


def _linear_pass_s(shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, ops: Ops) -> Number:
    """Seconds of one pass through the layer's matrix products.

    Attention projections are those of grouped-query attention; where a layer keeps fewer parameters for them (latent
    attention) their time shrinks in proportion. Mixture of experts: routed experts with the tokens each one sees, and
    one product for all that every token passes (shared experts, router, dense layers among the expert layers).
    """
    rate, hidden, tp = settings.gemm_flops_per_s, shape.hidden, plan.tp
    query, key_value = shape.query_width, shape.key_value_width
    projections = gemm_s(tokens, (query + 2.0 * key_value) / tp, hidden, rate, settings)
    projections += gemm_s(tokens, hidden, query / tp, rate, settings)
    kept = (shape.params_block - shape.params_block_mlp) / (2.0 * hidden * (query + key_value))
    attention = projections * ops.minimum(kept, 1.0)

    dense = ops.where(shape.experts > 0, 0.0, 1.0)
    width = ops.maximum(shape.ffn, 1.0) / tp
    mlp = gemm_s(tokens, (shape.mlp_matrices - 1.0) * width, hidden, rate, settings)
    mlp += gemm_s(tokens, hidden, width, rate, settings)

    half_tokens, half_width = settings.gemm_half_tokens, settings.gemm_half_width
    hidden_slower = 1.0 + half_width / hidden
    experts = ops.maximum(shape.experts, 1.0)
    active = shape.experts_per_token / experts
    # Experts stay whole: a tensor-parallel rank sends its share of the tokens to them
    tokens_per_expert = tokens / tp * ops.maximum(shape.experts_per_token, 1.0) * plan.ep / experts
    routed = (
        2.0
        * _expert_load(settings, plan)
        * tokens
        * shape.params_block_experts
        * active
        / tp
        / (settings.layer.expert_gemm * rate)
    )
    routed *= (1.0 + half_tokens / tokens_per_expert) * hidden_slower
    routed *= 1.0 + half_width / ops.maximum(shape.expert_size, 1.0)
    rest = 2.0 * tokens * (shape.params_block_mlp - shape.params_block_experts) / tp / rate
    rest *= (1.0 + half_tokens / tokens) * hidden_slower * hidden_slower
    return attention + dense * mlp + (1.0 - dense) * (routed + rest)


def _attention_s(shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, ops: Ops) -> Number:
    """Seconds of the two attention products and, unfused, of the traffic of the score matrix."""
    sequence = settings.sequence_length
    forward_flop = 4.0 * sequence * shape.attention_width * tokens / plan.tp  # both products, not causal
    # A fused kernel skips what lies outside a sliding window
    seen = 1.0 - settings.windowed_attention * (1.0 - attended_share(shape, sequence, ops))
    fused = 0.5 * seen * forward_flop * (3.5 + plan.full_recompute) / settings.attention_flops_per_s  # causal: half
    fused *= 1.0 + settings.layer.attention_half_sequence / sequence
    passes = 3.0 + ops.maximum(plan.full_recompute, plan.selective_recompute)
    scores_bytes = 2.0 * (shape.heads / plan.tp) * sequence * tokens
    unfused = forward_flop * passes / settings.attention_flops_per_s
    unfused += settings.unfused_traversals * scores_bytes * passes / settings.memory_bytes_per_s
    return settings.fused_attention * fused + (1.0 - settings.fused_attention) * unfused


def _elementwise_s(shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, ops: Ops) -> Number:
    """Seconds of all that the memory bandwidth limits."""
    constants, tp = settings.layer, plan.tp
    moe_share = shape.moe_layers / shape.layers
    width = moe_share * shape.experts_per_token * shape.expert_size + (1.0 - moe_share) * shape.ffn
    passes = 2.0 + plan.full_recompute
    traversal_s = settings.element_bytes * tokens / settings.memory_bytes_per_s

    hidden_share = ops.where(plan.sequence_parallel > 0, 1.0 / tp, 1.0)
    values = (
        shape.hidden * hidden_share + 0.25 * (shape.mlp_matrices - 1.0) * width / tp
    )  # a quarter: one of four passes
    plain = settings.elementwise_traversals * values * passes / 2.0
    quantisation = settings.quantisation_traversals * (2.0 * shape.hidden + shape.mlp_matrices * width / tp)
    routed = (
        _expert_load(settings, plan)
        * settings.expert_permutation_traversals
        * moe_share
        * _routed_elements(shape)
        / tp
        * passes
    )

    sharded_bytes = constants.accumulation_sharded_bytes
    bytes_per_param = ops.where(weights_gathered(plan), sharded_bytes, settings.accumulation_bytes)
    bytes_per_param = bytes_per_param * ops.where(plan.accumulation == 1, constants.accumulation_single, 1.0)
    accumulation = settings.weight_gradients * bytes_per_param * _params_of_layer(shape, plan, ops) / tp
    return traversal_s * (plain + quantisation + routed) + accumulation / settings.memory_bytes_per_s


def _expert_load(settings: SpeedSettings, plan: Plan) -> Number:
    """Tokens that the fullest rank computes over the mean: all experts on one rank leave nothing uneven."""
    return settings.expert_load + settings.expert_imbalance * (1.0 - 1.0 / plan.ep)


def _routed_elements(shape: Shape) -> Number:
    """Elements that one token sends to its experts."""
    return shape.experts_per_token * shape.hidden


def weights_gathered(plan: Plan) -> Number:
    """Whether weights are gathered for every micro-batch: ZeRO-3 and FSDP, which a pipeline turns off."""
    return (plan.zero_stage >= 3) & (plan.pp == 1)


def _params_of_layer(shape: Shape, plan: Plan, ops: Ops) -> Number:
    """Parameters of one layer on a tensor-parallel group, its routed experts shared over the expert-parallel group."""
    return shape.params_block - shape.params_block_experts + shape.params_block_experts / expert_shards(plan, ops)


def _context_exchange_s(shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, ops: Ops) -> Number:
    """Seconds of keys and values that travel round the context-parallel group, as far as they are not hidden."""
    per_gpu = settings.network_bytes_per_s_per_node / settings.gpus_per_node
    rate = ops.where(plan.tp * plan.cp <= settings.link_domain_gpus, settings.link_bytes_per_s, per_gpu)
    bytes_moved = 6.0 * settings.element_bytes * tokens * shape.key_value_width / plan.tp * (plan.cp - 1.0)
    return settings.layer.context_parallel_exposed * bytes_moved / rate


def _expert_exchange_s(shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, ops: Ops) -> Number:
    """Seconds of the all-to-all between experts that is not hidden: inside a node, and between nodes."""
    constants = settings.layer
    inside = ops.minimum(plan.ep, settings.link_domain_gpus)
    near = (inside - 1.0) / plan.ep / settings.link_bytes_per_s * settings.expert_exchange_exposed_in_node
    far = ops.maximum(0.0, 1.0 - inside / plan.ep) * settings.gpus_per_node / settings.network_bytes_per_s_per_node
    # Between nodes only an interleaved pipeline has other work at hand while tokens travel
    interleaved = ops.where((plan.pp > 1) & (plan.interleave > 1), 1.0, settings.layer.expert_exchange_hidden_unpiped)
    far = far * (1.0 - (1.0 - settings.expert_exchange_exposed_between_nodes) * interleaved)
    sent = (
        constants.expert_exchange_bytes * tokens * _routed_elements(shape) / plan.tp * shape.moe_layers / shape.layers
    )
    return _expert_load(settings, plan) * sent * (near + far)


def _tensor_parallel_s(
    shape: Shape, settings: SpeedSettings, plan: Plan, tokens: Number, products_s: Number, ops: Ops
) -> Number:
    """Seconds of tensor-parallel collectives that are not hidden: four a layer, two more with full recompute.

    What overlaps hides behind the layer's matrix products, and no longer than these take.
    """
    tp, link = plan.tp, settings.link_bytes_per_s
    in_domain = tp <= settings.link_domain_gpus
    rate = ops.where(in_domain, link, ops.minimum(link, settings.network_bytes_per_s_per_node))
    moved_s = 2.0 * settings.element_bytes * (tp - 1.0) / tp * tokens * shape.hidden / rate
    latency_s = 2.0 * (tp - 1.0) * settings.layer.tensor_parallel_latency_s * ops.where(in_domain, 1.0, 2.0)
    traffic_s = (4.0 + 2.0 * plan.full_recompute) * (moved_s + latency_s)
    return ops.maximum(traffic_s * settings.tensor_parallel_exposed, traffic_s - products_s)
