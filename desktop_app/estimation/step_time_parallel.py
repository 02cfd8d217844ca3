"""Time of everything round the layers: output head, pipeline transfers, gradient exchange and the optimizer."""

from __future__ import annotations

from desktop_app.estimation.plan import Plan, expert_shards
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.speed_settings import SpeedSettings
from desktop_app.estimation.step_time_layer import gemm_s, tokens_per_micro_batch, weights_gathered
from desktop_app.foundation.scalar_ops import Number, Ops


def head_s(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Seconds of the output head and the loss for one micro-batch, on the last stage."""
    tokens, vocab = tokens_per_micro_batch(settings, plan), shape.vocab / plan.tp
    passes = 2.0 + settings.head_weight_gradient
    product = gemm_s(tokens, vocab, shape.hidden, settings.head_gemm_flops_per_s, settings)
    return passes * product + settings.parallel.logits_bytes * tokens * vocab / settings.memory_bytes_per_s


def head_share(settings: SpeedSettings, plan: Plan) -> Number:
    """Share of the head that lengthens a micro-batch: an even part where stages are rebalanced round it, else all.

    Of what rebalancing could take away, `last_stage_head_share` is left; one stage has nothing to rebalance.
    """
    even = 1.0 / plan.pp
    return even + settings.parallel.last_stage_head_share * (1.0 - even)


def pipeline_transfer_s(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Seconds per micro-batch of activations and gradients passed on that are not hidden; 0 for one stage."""
    gpus = plan.tp * plan.pp * plan.cp * plan.dp
    per_gpu = settings.network_bytes_per_s_per_node / settings.gpus_per_node
    rate = ops.where(gpus > settings.link_domain_gpus, per_gpu, settings.link_bytes_per_s)
    split = ops.maximum(plan.sequence_parallel, settings.pipeline_scatter)
    sent = settings.element_bytes * tokens_per_micro_batch(settings, plan) * shape.hidden
    sent = sent / (1.0 + (plan.tp - 1.0) * split)
    transfer = sent / rate + settings.parallel.pipeline_latency_s
    exposed = settings.pipeline_exposed * 2.0 * plan.interleave * transfer + settings.pipeline_overhead_s
    return ops.where(plan.pp > 1, exposed, 0.0)


def params_on_rank(shape: Shape, plan: Plan, ops: Ops) -> tuple[Number, Number]:
    """Parameters of one pipeline stage and tensor-parallel rank: all, and of these the routed experts."""
    layers = shape.layers / plan.pp / plan.tp
    experts = layers * shape.params_block_experts / expert_shards(plan, ops)
    others = layers * (shape.params_block - shape.params_block_experts)
    embeddings = 2.0 * shape.hidden * shape.vocab / (plan.tp * plan.pp)
    return others + experts + embeddings, experts


def data_parallel_exposed_s(
    shape: Shape, settings: SpeedSettings, plan: Plan, forward_backward_s: Number, micro_batch_s: Number, ops: Ops
) -> Number:
    """Seconds per step of data-parallel traffic that lengthen it.

    Gathered weights travel all the time, gradients with the last micro-batch. ZeRO-2 in a pipeline reduces gradients
    before as well: of every micro-batch, or where stages are interleaved of every `pp` that a chunk works on in a row.
    """
    overlap = settings.gradient_overlap
    behind = ops.where(weights_gathered(plan), forward_backward_s, micro_batch_s)
    exposed = exposed_s(settings, data_parallel_s(shape, settings, plan, ops), overlap * behind, ops)
    rounds = ops.where(plan.interleave > 1, ops.ceil(plan.accumulation / plan.pp), plan.accumulation)
    early = ops.where((plan.zero_stage == 2) & (plan.pp > 1), rounds - 1.0, 0.0)
    reduction = settings.gradient_bytes * settings.trainable_share * _byte_for_all_s(shape, settings, plan, ops)
    return exposed + early * exposed_s(settings, reduction, overlap * micro_batch_s * plan.accumulation / rounds, ops)


def data_parallel_s(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Seconds of gradient and weight traffic over the data-parallel group, hidden or not.

    Of a whole step where weights are gathered, else of the exchange that ends it.
    """
    constants = settings.parallel
    group = plan.dp * plan.cp
    trainable = settings.trainable_share
    moved_s = _byte_for_all_s(shape, settings, plan, ops)
    per_micro_batch = (2.0 * settings.weight_bytes + 2.0 * trainable) * moved_s
    per_micro_batch += 3.0 * shape.layers * group * constants.ring_latency_s  # two gathers and a scatter
    sharded = plan.accumulation * per_micro_batch

    whole = (settings.gradient_bytes + 2.0) * trainable * moved_s
    coalesced = constants.coalesced_rings * constants.ring_latency_s * group
    broadcasts = constants.broadcast_buckets * constants.broadcast_latency_s * _shard_group(settings, plan, ops)
    latency = ops.where(settings.broadcast_optimizer > 0, broadcasts, coalesced)
    whole += ops.where(plan.zero_stage >= 1, latency, 0.0)
    return ops.where(group > 1, ops.where(weights_gathered(plan), sharded, whole), 0.0)


def _byte_for_all_s(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Seconds to reduce or gather one byte for each parameter of a rank over the data-parallel group."""
    group = plan.dp * plan.cp
    params, experts = params_on_rank(shape, plan, ops)
    copies = ops.where(expert_shards(plan, ops) >= group, 0.0, 1.0)  # of an expert, beside its own
    dense_s = (params - experts) * (group - 1.0) / group / _data_parallel_rate(settings, plan, group, ops)
    return dense_s + copies * experts / _expert_rate(settings, plan, ops)


def exposed_s(settings: SpeedSettings, transfer_s: Number, hidden_behind_s: Number, ops: Ops) -> Number:
    """The part of a transfer that lengthens the step: what does not fit behind the compute, and contention with it."""
    contention = settings.parallel.overlap_contention * ops.minimum(transfer_s, hidden_behind_s)
    return ops.maximum(0.0, transfer_s - hidden_behind_s) + contention


def optimizer_s(shape: Shape, settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Seconds of the optimizer step: memory traffic of the parameters a GPU updates, and a fixed time.

    An optimizer fused into the backward pass steps with every micro-batch.
    """
    constants = settings.parallel
    trained = params_on_rank(shape, plan, ops)[0] * settings.trainable_share
    group = ops.where(weights_gathered(plan), plan.dp * plan.cp, _shard_group(settings, plan, ops))
    shards = ops.where(plan.zero_stage >= 1, group, 1.0)
    traffic = constants.optimizer_traversal * settings.optimizer_bytes * trained / shards
    steps = 1.0 + settings.optimizer_steps * (plan.accumulation - 1.0)
    return steps * traffic / settings.memory_bytes_per_s + constants.optimizer_overhead_s


def _shard_group(settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """GPUs that share one copy of the optimizer state under ZeRO-1 and -2."""
    group = plan.dp * plan.cp
    return ops.where(settings.optimizer_shard_gpus > 0, ops.minimum(settings.optimizer_shard_gpus, group), plan.dp)


def _data_parallel_rate(settings: SpeedSettings, plan: Plan, group: Number, ops: Ops) -> Number:
    """Bytes per second of one data-parallel ring: the link inside a domain, else a share of the node's network."""
    node, link = settings.gpus_per_node, settings.link_bytes_per_s
    share = settings.network_bytes_per_s_per_node / ops.minimum(plan.tp, node)
    between = ops.minimum(link, share) * ops.maximum(1.0, node / 8.0)  # the rule was fitted on nodes of 8 and fewer
    return ops.where(plan.tp * group <= settings.link_domain_gpus, link, between)


def _expert_rate(settings: SpeedSettings, plan: Plan, ops: Ops) -> Number:
    """Bytes per second of the exchange between copies of the same experts."""
    node = settings.gpus_per_node
    shards = expert_shards(plan, ops)
    copies_in_node = ops.maximum(1.0, ops.minimum(node / shards, plan.dp / shards))
    between = settings.network_bytes_per_s_per_node * copies_in_node / node
    in_node = plan.tp * plan.dp * plan.cp <= node
    return ops.where(in_node, settings.link_bytes_per_s, between)
