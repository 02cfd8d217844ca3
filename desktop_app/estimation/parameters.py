"""How many parameters a network has, exactly: one counter for all families, driven by the switches of a ModelSpec.

Symbols as in the field's papers: h hidden size, a heads, k key/value heads, d head size, f MLP width, E experts,
e expert width, V vocabulary, L layers. All counts are whole numbers.
"""

from dataclasses import dataclass

from desktop_app.estimation.model_spec import MlaSpec, ModelSpec, MoeSpec

_NORM_VECTORS = {"rms": 1, "layer": 2, "layer_weight_only": 1, "none": 0}  # vectors of width h in one norm


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """The parameters of a network by part. Embedding to blocks add up to `total`."""

    total: int  # of the text part, which is what time and memory are about
    active: int  # total less the routed experts that a token does not use
    tower: int  # vision encoder and projector, 0 where there are none or they are not known
    embedding: int  # input token embedding
    head: int  # separate output head, 0 when tied
    head_bias: int
    positions: int  # learned absolute positions
    embedding_extra: int  # embedding norm, projections, type embeddings, relative position biases
    final_norm: int
    blocks: int  # all layers, encoder included
    experts: int  # routed experts of all layers; part of `blocks`
    attention_per_layer: int
    mlp_dense: int  # one dense MLP, 0 when there is none
    mlp_moe: int  # router, experts and shared experts of one layer, 0 when there are none
    norms_per_layer: int
    largest_tensor: int  # as the libraries store it: experts of one layer stacked

    @property
    def whole(self) -> int:
        """All parameters, with the vision part: what a model card prints."""
        return self.total + self.tower

    @property
    def whole_active(self) -> int:
        """Those that one token uses, with the vision part."""
        return self.active + self.tower


def count(spec: ModelSpec) -> ParameterCount:
    """The parameters of `spec` by part, tied tensors once, buffers not counted."""
    h, moe = spec.hidden_size, spec.moe
    width = spec.embedding_width or h
    embedding = spec.vocab_size * width
    head = 0 if spec.tied_embeddings else embedding
    head_bias = spec.vocab_size if spec.head_bias else 0
    positions = spec.position_rows * h
    final_norm = _norm(spec) * (2 if spec.kind == "encoder_decoder" else 1) if spec.final_norm else 0
    blocks = _blocks(spec)
    experts = moe.moe_layers * moe.experts * expert_params(spec, moe) if moe else 0
    total = embedding + head + head_bias + positions + spec.embedding_extra_params + final_norm + blocks
    idle = experts // moe.experts * (moe.experts - moe.experts_per_token) if moe else 0
    return ParameterCount(
        total=total,
        active=total - idle,
        tower=spec.tower.encoder_params + spec.tower.projector_params if spec.tower else 0,
        embedding=embedding,
        head=head,
        head_bias=head_bias,
        positions=positions,
        embedding_extra=spec.embedding_extra_params,
        final_norm=final_norm,
        blocks=blocks,
        experts=experts,
        attention_per_layer=attention_params(spec),
        mlp_dense=mlp_params(spec, spec.ffn_size) if spec.ffn_size else 0,
        mlp_moe=_moe_params(spec, moe) if moe else 0,
        norms_per_layer=spec.norms_per_block * _norm(spec),
        largest_tensor=_largest_tensor(spec),
    )


def attention_params(spec: ModelSpec) -> int:
    """One attention: h(a+2k)d + adh (+ had with a gate), biases, q/k norms and family extras (or the latent form)."""
    if spec.mla:
        return _latent_attention(spec, spec.mla) + spec.qk_norm_params + spec.attention_extra_params
    h, query = spec.hidden_size, spec.heads * spec.head_dim
    joint = query + 2 * spec.kv_heads * spec.head_dim
    biases = (joint if spec.qkv_bias else 0) + (h if spec.output_bias else 0)
    gate = h * query if spec.attention_gate else 0
    return h * joint + query * h + gate + biases + spec.qk_norm_params + spec.attention_extra_params


def mlp_params(spec: ModelSpec, width: int) -> int:
    """One MLP of `width`: m matrices of h by width (m = 3 gated, 2 not) and their biases."""
    matrices = mlp_matrices(spec)
    biases = (matrices - 1) * width + spec.hidden_size if spec.mlp_bias else 0
    return matrices * spec.hidden_size * width + biases


def mlp_matrices(spec: ModelSpec) -> int:
    """3 for a gated MLP, 2 for a plain one."""
    return 3 if spec.gated_mlp else 2


def expert_params(spec: ModelSpec, moe: MoeSpec) -> int:
    """One routed expert."""
    matrices = mlp_matrices(spec)
    biases = (matrices - 1) * moe.expert_size + spec.hidden_size if moe.expert_bias else 0
    return matrices * spec.hidden_size * moe.expert_size + biases


def _norm(spec: ModelSpec) -> int:
    return _NORM_VECTORS[spec.norm] * spec.hidden_size


def _latent_attention(spec: ModelSpec, mla: MlaSpec) -> int:
    """Low-rank queries (when they have a rank) and keys/values, each with its norm; the rotary key is shared."""
    h, a = spec.hidden_size, spec.heads
    query_width = a * (mla.nope_head_dim + mla.rope_head_dim)
    down = mla.key_value_rank + mla.rope_head_dim
    if mla.query_rank:
        query = h * mla.query_rank + mla.query_rank + mla.query_rank * query_width
    else:
        query = h * query_width
    key_value = h * down + mla.key_value_rank + mla.key_value_rank * a * (mla.nope_head_dim + mla.value_head_dim)
    # with a query rank only the two downward projections have the bias; without one the query projection never has
    biases = ((mla.query_rank or 0) + down if spec.qkv_bias else 0) + (h if spec.output_bias else 0)
    return query + key_value + a * mla.value_head_dim * h + biases


def _moe_params(spec: ModelSpec, moe: MoeSpec) -> int:
    router = moe.experts * (spec.hidden_size + (1 if moe.router_bias else 0))
    shared = mlp_params(spec, moe.shared_size) if moe.shared_size else 0
    gate = spec.hidden_size if moe.shared_gate and moe.shared_size else 0
    return router + moe.experts * expert_params(spec, moe) + shared + gate


def _blocks(spec: ModelSpec) -> int:
    """All layers. A decoder layer that reads an encoder has a second attention and one more norm."""
    moe_layers = spec.moe.moe_layers if spec.moe else 0
    per_layer = attention_params(spec) + spec.norms_per_block * _norm(spec)
    dense = per_layer + mlp_params(spec, spec.ffn_size)
    mixture = per_layer + _moe_params(spec, spec.moe) if spec.moe else 0
    cross = attention_params(spec) + _norm(spec) if spec.kind == "encoder_decoder" else 0
    decoder = (spec.layers - moe_layers) * dense + moe_layers * mixture + spec.layers * cross
    return decoder + spec.encoder_layers * dense


def _largest_tensor(spec: ModelSpec) -> int:
    h, d = spec.hidden_size, spec.head_dim
    up = 2 * spec.ffn_size if spec.packed_gate_up else spec.ffn_size
    joint = (spec.heads + 2 * spec.kv_heads) * d if spec.packed_qkv else spec.heads * d
    # the libraries stack all experts of a layer, gate and up together, in one tensor
    stacked = spec.moe.experts * (mlp_matrices(spec) - 1) * spec.moe.expert_size if spec.moe else 0
    return max(spec.vocab_size * (spec.embedding_width or h), h * up, h * joint, h * stacked)
