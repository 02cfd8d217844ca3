"""All categorical choices of a job as numbers, made once, so that the memory equations see numbers only."""

from dataclasses import dataclass

from desktop_app.estimation.memory_adapters import adapter_params, adapts_attention
from desktop_app.estimation.memory_blocks import BlockBytes, block_bytes
from desktop_app.estimation.memory_family import family_of
from desktop_app.estimation.memory_options import AdapterOptions, MemoryOptions
from desktop_app.estimation.memory_tables import Family, constant, families
from desktop_app.estimation.memory_tokens import TokenBytes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.shape import Shape
from desktop_app.foundation.scalar_ops import Number


@dataclass(frozen=True, slots=True)
class MemoryVariant:
    """Bytes of one precision recipe. "Block" is an average decoder block without its routed experts.

    Root is embedding, positions, head and final norm: all of it without a pipeline, its fuller end with one.
    """

    # bytes of a block or of the root
    block_weights: Number
    expert_weights: Number
    root_weights: Number
    end_weights: Number  # root of the fuller end of a pipeline
    block_gathered: Number  # one FSDP unit as it is gathered
    expert_gathered: Number
    root_gathered: Number
    end_gathered: Number  # the same of the fuller end of a pipeline
    blocks_root: Number  # share of it that stays gathered while the blocks work
    head_gathered: Number  # gradient of the head, held until the root unit closes
    block_copies: Number  # 16-bit copies that autocast makes
    root_copies: Number
    # bytes per trained parameter
    gradient: Number
    product: Number  # a gradient as the backward pass makes it; 0 where it is added in place
    optimizer: Number
    step_temporary: Number
    bucket: Number
    host: Number  # what waits in host memory
    # shares
    kept_gradients: Number  # 1: gradient buffers live all the time
    held_gradients: Number  # 0: each gradient leaves the card at once (step inside backward, offload)
    # bytes, whatever the layout
    largest_temporary: Number
    dequantised: Number
    # bytes per logit, with the input that a soft cap keeps
    loss_bytes: Number
    backward_bytes: Number
    # bytes per token
    residual: Number
    kept: TokenBytes
    selective: TokenBytes
    mlp_backward: TokenBytes
    attention_backward: TokenBytes
    attention_forward: TokenBytes
    first_layer_saving: TokenBytes  # not kept by a first layer whose input needs no gradient
    final: Number
    mask_per_key: Number


@dataclass(frozen=True, slots=True)
class MemoryRecipe:
    """The numbers of one model, job and software, in three variants by how the state is shared.

    `plain`: not at all; `zero`: stages 1 to 3; `fsdp`: units gathered layer by layer. `names` are the recipes of the
    three ("autocast", "deepspeed-bf16", "fsdp-mixed").
    """

    plain: MemoryVariant
    zero: MemoryVariant
    fsdp: MemoryVariant
    names: tuple[str, str, str]
    # trained parameters
    block_trained: Number
    expert_trained: Number
    mlp_trained: Number  # of one block, experts included
    root_trained: Number
    end_trained: Number
    late_root_trained: Number  # root parameters whose gradient exists when the first block runs backward
    head_trained: Number  # of the matrix that makes the logits
    tied: Number
    kept_logit_bytes: Number  # per logit, the input of a soft cap
    # bytes per token and hidden element or token
    tp_gather_bytes: Number
    input_bytes: Number
    # shares
    resident_weights: Number  # 0: weights wait in host memory
    resident_boundaries: Number  # 0: block boundaries wait in host memory
    full_copies: Number  # 1: FSDP loads and saves the whole model on one GPU
    loaded_bytes: Number  # of the whole model when it is loaded that way
    family_unknown: Number
    # communication buckets of the `zero` variant, bytes
    bucket_low: Number
    bucket_central: Number
    bucket_high: Number


def recipe_from(
    spec: ModelSpec, shape: Shape, plain: MemoryOptions, zero: MemoryOptions, fsdp: MemoryOptions
) -> MemoryRecipe:
    """The recipe of one model under the options of its three variants; what is trained is that of `plain`."""
    family = family_of(spec)
    variants: list[tuple[MemoryOptions, MemoryVariant]] = []
    for options in (plain, zero, fsdp):
        same = [variant for known, variant in variants if known == options]
        variants.append((options, same[0] if same else _variant(spec, shape, family, options)))
    return MemoryRecipe(
        plain=variants[0][1],
        zero=variants[1][1],
        fsdp=variants[2][1],
        names=(plain.precision.recipe, zero.precision.recipe, fsdp.precision.recipe),
        **_trained(spec, shape, plain.adapters),
        tied=shape.tied,
        kept_logit_bytes=plain.precision.compute_bytes * spec.logit_softcap,
        tp_gather_bytes=constant("tp_gather_bytes") * spec.hidden_size,
        input_bytes=constant("input_bytes"),
        resident_weights=float(not plain.offloaded_weights),
        resident_boundaries=float(not plain.offloaded_activations),
        full_copies=float(fsdp.full_copies),
        loaded_bytes=shape.params_total
        * (4.0 if fsdp.base_bytes is None else fsdp.base_bytes),  # fp32, the old default
        family_unknown=float(spec.family not in families()),
        bucket_low=zero.bucket_elements * constant("deepspeed_bucket_low_bytes"),
        bucket_central=zero.bucket_elements * constant("deepspeed_bucket_bytes"),
        bucket_high=zero.bucket_elements * constant("deepspeed_bucket_high_bytes"),
    )


def _trained(spec: ModelSpec, shape: Shape, adapters: AdapterOptions | None) -> dict[str, Number]:
    """How many parameters are trained, by place; copies of embedding and head count by the bytes of an adapter."""
    if adapters is None:
        root = shape.params_total - shape.layers * shape.params_block
        return {
            "block_trained": shape.params_block - shape.params_block_experts,
            "expert_trained": shape.params_block_experts,
            "mlp_trained": shape.params_block_mlp,
            "root_trained": root,
            "end_trained": root - shape.params_head,
            "late_root_trained": root - shape.params_embedding - shape.params_positions,
            "head_trained": shape.params_embedding,
        }
    matrix = shape.params_embedding * adapters.embedding_bytes / adapters.weight_bytes
    head = shape.params_head * adapters.embedding_bytes / adapters.weight_bytes
    outside, inside = adapter_params(spec, adapters)
    return {
        "block_trained": outside,
        "expert_trained": inside,
        "mlp_trained": 0.0,
        "root_trained": matrix + head,
        "end_trained": matrix,
        "late_root_trained": head,
        "head_trained": matrix,
    }


def _variant(spec: ModelSpec, shape: Shape, family: Family, options: MemoryOptions) -> MemoryVariant:
    block = block_bytes(spec, family, options)
    capped = options.precision.compute_bytes * spec.logit_softcap
    return MemoryVariant(
        **_weights(spec, shape, options),
        **_per_parameter(options),
        largest_temporary=options.optimizer.largest_tensor_temporaries
        * options.own_weight_bytes
        * shape.params_largest_tensor,
        dequantised=options.dequantised_bytes * spec.hidden_size * spec.ffn_size
        + options.dequantised_block_bytes * (shape.params_block - shape.params_block_experts),
        loss_bytes=options.loss_bytes + capped,
        backward_bytes=options.backward_bytes + capped,
        residual=options.precision.residual_bytes * spec.hidden_size,
        kept=block.kept,
        selective=block.selective,
        mlp_backward=block.mlp_backward,
        attention_backward=block.attention_backward,
        attention_forward=block.attention_forward,
        first_layer_saving=_unread(block, options),
        final=block.final,
        mask_per_key=block.mask_per_key,
    )


def _weights(spec: ModelSpec, shape: Shape, options: MemoryOptions) -> dict[str, Number]:
    """Bytes of weights: as they are kept, as FSDP gathers them, and the 16-bit copies that autocast makes of fp32."""
    precision, adapters = options.precision, options.adapters
    c, weight, own = precision.compute_bytes, precision.weight_bytes, options.own_weight_bytes
    inner = weight if options.base_bytes is None else options.base_bytes
    outer = weight if options.outer_bytes is None else options.outer_bytes
    inner_unit = c if options.base_bytes is None else options.base_bytes
    outer_unit = c if options.outer_bytes is None else options.outer_bytes
    block = shape.params_block - shape.params_block_experts
    root = shape.params_total - shape.layers * shape.params_block
    own_head = shape.params_embedding * shape.tied * options.untied_head
    root += own_head
    smaller = (shape.params_head + own_head) * (outer - inner) * options.quantised_head
    outside, inside = adapter_params(spec, adapters) if adapters else (0.0, 0.0)
    experts = shape.params_block_experts
    again = (shape.params_embedding + shape.params_head) * adapters.embedding_bytes if adapters else 0.0
    casts = 2.0 * (precision.autocast and own == 4.0)
    copied = block if options.expert_bytes == weight else shape.params_block
    return {
        "block_weights": block * (inner + options.fp8_copy_bytes) + outside * own,
        "expert_weights": experts * (inner + options.fp8_copy_bytes) + inside * own,
        "root_weights": root * outer + again - smaller,
        "end_weights": (root - shape.params_head) * outer + again,
        "block_gathered": block * inner_unit + outside * own,
        "expert_gathered": (experts * inner_unit + inside * own) * shape.layers / max(shape.moe_layers, 1),
        "root_gathered": (shape.params_embedding if options.outer_units else root) * outer_unit + again,
        "end_gathered": (shape.params_embedding if options.outer_units else root - shape.params_head) * outer_unit
        + again,
        "blocks_root": float(not options.outer_units),
        "head_gathered": shape.params_embedding * c * (options.trains_base and not options.outer_units),
        "block_copies": casts * (copied if adapters is None else outside + inside),
        "root_copies": (casts * options.trains_base + c * options.quantised_head) * shape.params_embedding,
    }


def _per_parameter(options: MemoryOptions) -> dict[str, Number]:
    """Bytes per trained parameter. Adapters keep gradient and states in their own type unless there is a master."""
    precision, optimizer, own = options.precision, options.optimizer, options.own_weight_bytes
    gradient = precision.gradient_bytes if options.trains_base else own
    state = precision.state_bytes if options.trains_base or precision.master_bytes else own
    states = optimizer.states * (state if optimizer.bytes_per_state is None else optimizer.bytes_per_state)
    fixed = precision.master_bytes + precision.accumulator_bytes
    offloaded = options.offloaded_optimizer
    on_host = gradient + fixed + states if offloaded else states * optimizer.paged
    product = gradient if precision.unsharded_gradient_bytes is None else precision.unsharded_gradient_bytes
    return {
        "gradient": gradient,
        "product": 0.0 if precision.fused_accumulation else product,
        "optimizer": 0.0 if offloaded else fixed + states * (not optimizer.paged),
        "step_temporary": 0.0 if offloaded else optimizer.temporaries * own,
        "bucket": gradient * precision.bucket_copies,
        "host": on_host,
        "kept_gradients": float(precision.kept_gradients),
        "held_gradients": float(not (options.step_in_backward or offloaded)),
    }


def _unread(block: BlockBytes, options: MemoryOptions) -> TokenBytes:
    """What the first layer does not keep when its input needs no gradient: first norm, untrained attention."""
    if options.adapters is None or options.base_keeps_inputs or options.adapters.embedding_bytes:
        return TokenBytes()
    saved = TokenBytes(whole=block.first_norm)
    return saved if adapts_attention(options.adapters) else saved + block.attention
