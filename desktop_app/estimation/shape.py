"""The numbers of a network that the equations of time and memory use, derived once from a ModelSpec."""

from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.model_spec import ModelSpec, require_decoder
from desktop_app.estimation.parameters import count, mlp_matrices
from desktop_app.foundation.scalar_ops import Number, Ops


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes in elements, counts of parameters. Plain numbers, or NumPy columns when many models are searched.

    Experts: a dense model has experts = experts_per_token = 0 and expert_size = 0.
    """

    layers: Number
    hidden: Number  # h
    heads: Number  # a
    kv_heads: Number
    head_dim: Number  # d
    query_width: Number  # a * d
    key_value_width: Number  # kv_heads * d, of keys alone
    attention_width: Number  # a * (query dimension + value dimension) / 2: a * d but for latent attention
    window: Number  # tokens of the sliding window, 0 without
    window_layers: Number  # layers that see no further
    attention_sinks: Number  # 1 when the softmax has learned sinks
    ffn: Number  # f, of the dense MLP; 0 when every layer is a mixture of experts
    mlp_matrices: Number  # g: 3 gated, 2 not
    vocab: Number  # V
    tied: Number  # 1 when the head shares the embedding
    experts: Number  # E
    experts_per_token: Number  # k
    expert_size: Number  # fe
    shared_expert_size: Number
    moe_layers: Number
    params_total: Number
    params_active: Number  # total less the routed experts that a token does not use
    params_embedding: Number  # input token embedding
    params_head: Number  # separate output head, 0 when tied
    params_positions: Number
    params_final_norm: Number
    params_block: Number  # of one average layer, all experts
    params_block_mlp: Number  # the MLP (or router and all experts) of one average layer
    params_block_experts: Number  # routed experts of one average layer
    params_largest_tensor: Number


@lru_cache(maxsize=256)
def shape_of(spec: ModelSpec) -> Shape:
    """The shape of a decoder. Where layers differ (first dense, interleaved experts) params_block* are averages.

    Raises UserError for an encoder or encoder-decoder: only their parameters are known.
    """
    require_decoder(spec)
    parts = count(spec)
    moe = spec.moe
    moe_layers = moe.moe_layers if moe else 0
    mlp = (spec.layers - moe_layers) * parts.mlp_dense + moe_layers * parts.mlp_moe
    return Shape(
        layers=spec.layers,
        hidden=spec.hidden_size,
        heads=spec.heads,
        kv_heads=spec.kv_heads,
        head_dim=spec.head_dim,
        query_width=spec.heads * spec.head_dim,
        key_value_width=spec.kv_heads * spec.head_dim,
        attention_width=_attention_width(spec),
        window=spec.sliding_window or 0,
        window_layers=spec.window_layers if spec.sliding_window else 0,
        attention_sinks=int(spec.attention_sinks),
        ffn=spec.ffn_size,
        mlp_matrices=mlp_matrices(spec),
        vocab=spec.vocab_size,
        tied=int(spec.tied_embeddings),
        experts=moe.experts if moe else 0,
        experts_per_token=moe.experts_per_token if moe else 0,
        expert_size=moe.expert_size if moe else 0,
        shared_expert_size=moe.shared_size if moe else 0,
        moe_layers=moe_layers,
        params_total=parts.total,
        params_active=parts.active,
        params_embedding=parts.embedding,
        params_head=parts.head,
        params_positions=parts.positions,
        params_final_norm=parts.final_norm,
        params_block=parts.blocks / spec.layers,
        params_block_mlp=mlp / spec.layers,
        params_block_experts=parts.experts / spec.layers,
        params_largest_tensor=parts.largest_tensor,
    )


def _attention_width(spec: ModelSpec) -> float:
    """Heads times the mean of the dimensions of the two attention products: scores over queries, sums over values."""
    if spec.mla is None:
        return spec.heads * spec.head_dim
    return spec.heads * (spec.mla.nope_head_dim + spec.mla.rope_head_dim + spec.mla.value_head_dim) / 2


def attended_share(shape: Shape, sequence_length: Number, ops: Ops) -> Number:
    """Share of full causal attention that is computed: less where layers see a sliding window only.

    A query sees min(position, window) keys: over a sequence s, a share (2 - w/s) * w/s of those of full attention.
    """
    reach = ops.minimum(1.0, shape.window / sequence_length)
    return 1.0 - shape.window_layers / shape.layers * (1.0 - (2.0 - reach) * reach)
