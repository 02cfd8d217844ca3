"""What low-rank adapters (LoRA) keep for backward and how many parameters they train, per average layer."""

from desktop_app.estimation.lora import Linear
from desktop_app.estimation.memory_options import AdapterOptions, MemoryOptions
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.memory_tokens import TokenBytes
from desktop_app.estimation.model_spec import ModelSpec

EXPERTS = "experts."  # prefix of routed experts in lora.adapted_linears
_ATTENTION_INPUT = frozenset(("q_proj", "k_proj", "v_proj", "qkv_proj", "q_a_proj", "kv_a_proj"))
_MLP_INPUT = frozenset(("gate_proj", "up_proj", "gate_up_proj"))
_DIVIDED_INPUT = frozenset(("o_proj", "down_proj"))  # tensor parallelism divides what these read


def adapter_bytes(spec: ModelSpec, options: MemoryOptions) -> TokenBytes:
    """Inputs and rank-wide outputs of the adapters, per token and average layer.

    Adapters in fp32 cast a copy of their own (4 bytes; 2 under autocast); those in 16 bit save the input once for all
    that read it, and the output of fused attention is kept anyway. With dropout each saves its own dropped input and
    the mask.
    """
    adapters = options.adapters
    total = TokenBytes()
    if adapters is None:
        return total
    autocast = options.precision.autocast
    total += TokenBytes(shared=adapters.padded_bytes * (spec.heads + 2 * spec.kv_heads) * spec.head_dim)
    read_before: set[str] = set()
    for linear in adapters.linears:
        uses = _uses(linear, spec)
        tensor = _input_of(linear)
        if adapters.weight_bytes == 4.0:
            inputs = (2.0 if autocast else 4.0) * linear.inputs
        else:
            kept = options.base_keeps_inputs or tensor == "o_proj" or tensor in read_before
            inputs = 0.0 if kept and not adapters.dropout else 2.0 * linear.inputs
        read_before.add(tensor)
        if adapters.dropout:
            inputs += constant("adapter_mask_bytes") * linear.inputs
        ranks = adapters.rank * (2.0 if autocast else adapters.weight_bytes)
        divided = linear.name.rpartition(".")[2] in _DIVIDED_INPUT
        total += TokenBytes(ranks, inputs).times(uses) if divided else TokenBytes(ranks + inputs).times(uses)
    return total


def adapter_params(spec: ModelSpec, adapters: AdapterOptions) -> tuple[float, float]:
    """Parameters of the adapters of one average layer: outside the routed experts, and inside them."""
    inside = sum(linear.adapter_params(adapters.rank) for linear in adapters.linears if _is_expert(linear))
    every = sum(linear.adapter_params(adapters.rank) for linear in adapters.linears)
    return (every - inside) / spec.layers, inside / spec.layers


def adapts_attention(adapters: AdapterOptions) -> bool:
    """Whether queries, keys or values have adapters: then even the first layer needs their gradients."""
    return any(linear.name in _ATTENTION_INPUT for linear in adapters.linears)


def _is_expert(linear: Linear) -> bool:
    return linear.name.startswith(EXPERTS)


def _uses(linear: Linear, spec: ModelSpec) -> float:
    """How often one token passes through this kind of layer in an average block; of the experts only some are used."""
    per_layer = linear.count / spec.layers
    if spec.moe is None or not _is_expert(linear):
        return per_layer
    return per_layer * spec.moe.experts_per_token / spec.moe.experts


def _input_of(linear: Linear) -> str:
    """The tensor that the layer reads, by a name of its own."""
    prefix, _, name = linear.name.rpartition(".")
    if name in _ATTENTION_INPUT:
        return "attention"
    return f"{prefix}.mlp" if name in _MLP_INPUT else linear.name
