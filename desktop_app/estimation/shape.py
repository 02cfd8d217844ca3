"""The numbers of a network that the equations of time and memory use, derived once from a ModelSpec."""

from dataclasses import dataclass

from desktop_app.foundation.scalar_ops import Number


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
    ffn: Number  # f, of the dense MLP
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
