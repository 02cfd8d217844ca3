"""What one decoder block keeps for backward, in bytes per token.

Symbols: h hidden, a heads, k key/value heads, d head size, f MLP width, e expert width, c bytes of the compute type,
rho bytes of one element of the residual stream. Each term is a tensor that the software saves; nothing is fitted.
"""

from dataclasses import dataclass

from desktop_app.estimation.memory_adapters import adapter_bytes
from desktop_app.estimation.memory_options import MemoryOptions
from desktop_app.estimation.memory_tables import Family, Layout, NormKind, constant
from desktop_app.estimation.memory_tokens import TokenBytes
from desktop_app.estimation.model_spec import MlaSpec, ModelSpec, MoeSpec
from desktop_app.foundation.scalar_ops import Number


@dataclass(frozen=True, slots=True)
class BlockBytes:
    """One average block of a model."""

    attention: TokenBytes  # the part that a first layer without adapters in its attention does not keep
    kept: TokenBytes  # everything, attention included
    selective: TokenBytes  # kept under selective checkpointing
    mlp_backward: TokenBytes  # temporaries of the MLP's backward
    attention_backward: TokenBytes  # temporaries of attention's backward, less what the MLP has freed by then
    attention_forward: TokenBytes  # what eager attention holds at once in its forward pass
    final: Number  # final norm and the input of the head, once
    first_norm: Number  # what the first norm keeps
    mask_per_key: Number  # the attention mask, alive for the whole step under full checkpointing


def block_bytes(spec: ModelSpec, family: Family, options: MemoryOptions) -> BlockBytes:
    """The bytes per token of one average block of `spec` under `options`."""
    attention = _attention(spec, family, options)
    kept = _norms_and_feeds(spec, family, options) + attention + _mlp(spec, family, options)
    kept += adapter_bytes(spec, options)
    kept += TokenBytes(whole=options.base_input_bytes * _linear_inputs(spec))
    mask_bytes = family.mask_bytes if options.mask_bytes is None else options.mask_bytes
    kept += TokenBytes(whole=mask_bytes * spec.hidden_size)
    final = _norm(family.norm, spec.hidden_size, options) if spec.final_norm else 0.0
    final += _feed(spec.hidden_size, 1, _norms_in_fp32(family.norm, options), options)
    return BlockBytes(
        attention=attention,
        kept=kept,
        selective=_selective(spec, kept, options),
        mlp_backward=_mlp_backward(spec, family, options),
        attention_backward=_attention_backward(spec, family, options),
        attention_forward=_attention_forward(spec, options),
        final=final,
        mask_per_key=options.precision.compute_bytes if options.attention == "eager" else 0.0,
        first_norm=_norm(family.norm, spec.hidden_size, options) if family.layout != "post" else 0.0,
    )


def _norm(kind: NormKind, width: Number, options: MemoryOptions) -> Number:
    """One norm: the fp32 copy of its input, what is multiplied with the weight, and the row statistics."""
    precision = options.precision
    c, rho = precision.compute_bytes, precision.residual_bytes
    statistics = 8.0 if kind.startswith("layer") else 4.0
    if options.fused_norms:
        return c * width + statistics
    match kind:
        case "layer_python":  # the centred input twice, once for its square, and the product with the weight
            per_element = 12.0 if options.trains_base else 8.0
        case "layer":
            per_element = 4.0 if precision.autocast else rho
        case _ if kind in ("layer_fp32", "rms_unweighted") or not options.trains_base:
            per_element = 4.0
        case _:
            per_element = 8.0 if kind == "rms_fp32" or rho == 4.0 else 4.0 + c
    return per_element * width + statistics


def _norms_in_fp32(kind: NormKind, options: MemoryOptions) -> bool:
    """Whether a norm's output is fp32 although linear layers compute in 16 bit (autocast)."""
    precision = options.precision
    return precision.autocast and (precision.residual_bytes == 4.0 or kind == "layer")


def _feed(width: Number, readers: int, in_fp32: bool, options: MemoryOptions) -> Number:
    """A tensor that linear layers read: once, or one 16-bit cast for every reader of an fp32 tensor."""
    if not options.keeps_inputs:
        return 0.0
    if options.linear_input_bytes is not None:
        return options.linear_input_bytes * width
    if options.base_keeps_inputs and options.fp32_activations:  # LLM.int8: the input and an 8-bit copy for each reader
        return (4.0 + readers) * width
    c = options.precision.compute_bytes
    return c * width * readers if in_fp32 else c * width


def _layout(spec: ModelSpec, family: Family) -> Layout:
    """The family's order of norms, corrected by the number of norms that this model has."""
    if family.layout == "sequential" and spec.norms_per_block == 1:
        return "parallel"
    if family.layout == "parallel" and spec.norms_per_block == 2:
        return "parallel_two"
    return family.layout


def _linear_inputs(spec: ModelSpec) -> Number:
    """Widths that the linear layers of one dense block read, the attention's first projection packed into one."""
    return spec.hidden_size * (3 if spec.gated_mlp else 2) + spec.heads * spec.head_dim + spec.ffn_size


def _norms_and_feeds(spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    h = spec.hidden_size
    layout = _layout(spec, family)
    attention_readers = 3 if family.qkv == "separate" else 1
    mlp_readers = 2 if spec.gated_mlp and not spec.packed_gate_up else 1
    norm = _norm(family.norm, h, options)
    in_fp32 = _norms_in_fp32(family.norm, options)
    if layout == "parallel":
        return TokenBytes(whole=norm + _feed(h, attention_readers + mlp_readers, in_fp32, options))
    if layout == "post":
        in_fp32 = options.precision.autocast and options.precision.residual_bytes == 4.0
    feeds = _feed(h, attention_readers, in_fp32, options) + _feed(h, mlp_readers, in_fp32, options)
    casts = options.precision.autocast and options.precision.residual_bytes == 2.0
    if layout == "parallel_two" and family.norm == "layer" and not casts:
        return TokenBytes(whole=norm + 8.0 + feeds)  # both norms save the same input; 8 = the second's statistics
    return TokenBytes(whole=norm * (4 if layout == "sandwich" else 2) + feeds)


def _attention(spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    if spec.mla is not None:
        return _latent_attention(spec, spec.mla, family, options)
    c = options.precision.compute_bytes
    queries, keys = spec.heads * spec.head_dim, spec.kv_heads * spec.head_dim
    wide_keys = queries if options.expanded_kv else keys
    bytes_kept = c * (queries + 2 * wide_keys)
    if family.qkv == "packed_rotary":  # v is a view that keeps the packed tensor; q and k are rotated copies
        bytes_kept = c * (queries + 2 * keys) + c * (queries + keys)
    bytes_kept += _qk_norm(spec, family, options)
    return TokenBytes(shared=bytes_kept) + _kernel(queries, spec, family, options)


def _kernel(output_width: Number, spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    """The output and the fp32 log-sum-exp of fused attention, or the score matrices of eager attention."""
    c = options.precision.compute_bytes
    if options.attention == "flash":
        copy = _feed(output_width, 1, False, options) if options.linear_input_bytes is not None else 0.0
        return TokenBytes(shared=c * output_width + copy + 4.0 * spec.heads)
    if options.score_bytes is not None:
        score_bytes = options.score_bytes
    elif c == 4.0:
        score_bytes = family.score_bytes_fp32
    else:
        score_bytes = family.score_bytes_autocast if options.precision.autocast else family.score_bytes_16bit
    return TokenBytes(shared=_feed(output_width, 1, False, options), per_key=score_bytes * spec.heads)


def _qk_norm(spec: ModelSpec, family: Family, options: MemoryOptions) -> Number:
    kind = family.qk_norm
    if kind == "none" or (spec.qk_norm_params == 0 and kind != "rms_unweighted"):
        return 0.0
    heads = spec.heads + spec.kv_heads
    width = heads * spec.head_dim
    c = options.precision.compute_bytes
    if options.fused_norms:
        return c * width + 4.0 * heads
    if kind == "layer_python":
        return (12.0 if options.trains_base else 8.0) * width + 8.0 * heads
    if not options.trains_base or kind == "rms_unweighted":
        return 4.0 * width + 4.0 * heads
    return 8.0 * width if kind == "rms_fp32" else (4.0 + c) * width + 4.0 * heads


def _latent_attention(spec: ModelSpec, mla: MlaSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    """Latent attention: the latents and their norms, expanded keys with their values, rotated queries and keys."""
    c = options.precision.compute_bytes
    query_rank = mla.query_rank or 0
    latents = _feed(query_rank + mla.key_value_rank, 1, False, options) + c * mla.rope_head_dim
    norms = _norm("rms", query_rank + mla.key_value_rank, options)
    expanded = _expanded_heads(spec, mla, options)
    attention = _kernel(spec.heads * mla.value_head_dim, spec, family, options)
    return TokenBytes(whole=latents + norms, shared=expanded) + attention


def _expanded_heads(spec: ModelSpec, mla: MlaSpec, options: MemoryOptions) -> Number:
    """Queries and keys with their rotary parts, values, and the product that holds keys beside values."""
    head = mla.nope_head_dim + mla.rope_head_dim
    return options.precision.compute_bytes * spec.heads * (2 * head + mla.nope_head_dim + mla.value_head_dim)


def _mlp(spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    """The MLP of an average layer: dense, routed, or some of each."""
    if spec.moe is None:
        return TokenBytes(shared=_dense_mlp(spec.ffn_size, spec, family, options))
    routed_layers = min(spec.moe.moe_layers, spec.layers) / spec.layers
    dense = TokenBytes(shared=_dense_mlp(spec.ffn_size, spec, family, options))
    return _experts(spec.hidden_size, spec.moe, family, options).times(routed_layers) + dense.times(1.0 - routed_layers)


def _dense_mlp(width: Number, spec: ModelSpec, family: Family, options: MemoryOptions) -> Number:
    c = 4.0 if options.fp32_activations else options.precision.compute_bytes
    last_input = _feed(width, 1, False, options)
    if spec.gated_mlp:
        return (2.0 if options.fused_gates else 3.0) * c * width + last_input
    if family.mlp == "relu":
        return c * width  # one tensor is activation and input of the last product
    if family.mlp != "gelu_python" or options.native_gelu:
        return c * width + last_input
    if options.precision.autocast:
        return 14.0 * width + last_input  # powers and products of gelu_new run in fp32
    return 4.0 * c * width + last_input


def _experts(hidden: Number, moe: MoeSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    """Routed experts: every token's copies, the gated activation, the routing; and the shared expert.

    A capacity factor pads every expert's share. Python code keeps the experts' outputs for the gradient of the routing
    weights; fused code multiplies these into the activation (Megatron-Core). Where a shared expert has no gate the
    router reads an fp32 copy of the tokens (DeepSeek, GLM); with one, its output is kept for the product with the gate
    (Qwen2-MoE).
    """
    c, wide, python = options.precision.compute_bytes, options.expert_bytes, not options.native_gelu
    top = moe.experts_per_token * options.expert_capacity
    if family.mlp == "gated_every_expert" and python:
        top = moe.experts
    gates = 2.0 if options.fused_gates else 6.0 if family.mlp == "gated_clamped" and python else 3.0
    outputs = 0.0 if options.fused_gates else wide * hidden
    inputs = _feed(1.0, 1, False, options) * wide / c  # of one element
    whole = top * (inputs * hidden + outputs + 12.0) + 8.0 * moe.experts
    if moe.shared_size:
        whole += (c if moe.shared_gate else 4.0 * options.keeps_inputs) * hidden
    shared = (gates * c + _feed(1.0, 1, False, options)) * moe.shared_size
    return TokenBytes(whole=whole, shared=(gates * wide + inputs) * top * moe.expert_size + shared)


def _selective(spec: ModelSpec, kept: TokenBytes, options: MemoryOptions) -> TokenBytes:
    """Kept under selective checkpointing: no scores (Megatron), or a fixed set of operators (FSDP stacks).

    With latent attention the fused stacks recompute norms, expanded heads and the activation as well (DeepSeek-V3,
    arXiv 2412.19437, section 3.2.3; Megatron-Core's recompute modules of its recipe).
    """
    if options.selective_bytes is not None:
        outputs = options.selective_bytes * spec.hidden_size
        if spec.moe:  # what the two exchanges between experts delivered
            routed = spec.moe.experts_per_token * options.expert_capacity
            outputs += 2.0 * options.precision.compute_bytes * routed * spec.hidden_size
        return TokenBytes(shared=min(outputs, kept.whole + kept.shared))
    if spec.mla is None or not options.fused_gates:
        return TokenBytes(kept.whole, kept.shared, 0.0)
    again = _expanded_heads(spec, spec.mla, options) + _feed(_active_width(spec), 1, False, options)
    norms = 2.0 * _feed(spec.hidden_size, 1, False, options)
    return TokenBytes(kept.whole - norms, kept.shared - again, 0.0)


def _active_width(spec: ModelSpec) -> Number:
    """The MLP width that one token passes through, in the widest kind of layer."""
    if spec.moe is None:
        return spec.ffn_size
    return max(spec.ffn_size, spec.moe.experts_per_token * spec.moe.expert_size + spec.moe.shared_size)


def _mlp_backward(spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    c = options.precision.compute_bytes
    tensors = 3.0 if spec.gated_mlp else 2.0
    wide = options.expert_bytes if spec.moe else c
    return TokenBytes(options.precision.residual_bytes * spec.hidden_size, tensors * wide * _active_width(spec))


def _attention_backward(spec: ModelSpec, family: Family, options: MemoryOptions) -> TokenBytes:
    """Flash: fp32 dq, expanded dk and dv, the gradients of q, k, v and of the output. Eager: those of the scores."""
    c, rho, h = options.precision.compute_bytes, options.precision.residual_bytes, spec.hidden_size
    freed = constant("freed_by_mlp_share")
    tensors = 4.0 if spec.gated_mlp else 2.0
    copies = 2.0 * c * h * spec.moe.experts_per_token if spec.moe else 0.0  # of the tokens, one for every expert
    less = TokenBytes(8.0 * h + copies, tensors * c * _active_width(spec)).times(-freed)
    if options.attention == "eager":
        in_16bit = c == 2.0 and not options.precision.autocast
        softmax = family.softmax_bytes_16bit if in_16bit else 4.0
        return TokenBytes(whole=2.0 * rho * h, per_key=(2.0 * softmax - c) * spec.heads) + less
    queries, keys = spec.heads * spec.head_dim, spec.kv_heads * spec.head_dim
    gradients = 4.0 * queries * (2 if spec.kv_heads < spec.heads else 1) + c * (2 * queries + 2 * keys)
    return TokenBytes(whole=rho * h, shared=gradients) + less


def _attention_forward(spec: ModelSpec, options: MemoryOptions) -> TokenBytes:
    if options.attention == "flash":
        return TokenBytes()
    c = options.precision.compute_bytes
    queries = spec.heads * spec.head_dim
    return TokenBytes(shared=c * 3 * queries, per_key=10.0 * spec.heads)  # fp32 softmax, its copies, masked scores
