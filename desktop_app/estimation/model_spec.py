"""The shape of a network, as its config.json or a preset states it."""

from typing import Literal, Self

from pydantic import Field, model_validator

from desktop_app.foundation.problems import Problem, UserError, shown, user_error
from desktop_app.foundation.records import Record

Kind = Literal["decoder", "encoder", "encoder_decoder"]
Norm = Literal["rms", "layer", "layer_weight_only", "none"]
Activation = Literal["silu", "gelu", "gelu_python", "relu", "relu2"]


class MoeSpec(Record):
    """The mixture-of-experts part: which layers have it and how wide its experts are."""

    experts: int = Field(ge=1, le=4096)
    experts_per_token: int = Field(ge=1, le=256)
    expert_size: int = Field(ge=1, le=1_000_000)
    shared_size: int = Field(default=0, ge=0, le=1_000_000)  # width of all shared experts together
    shared_gate: bool = False
    router_bias: bool = False
    expert_bias: bool = False
    moe_layers: int = Field(ge=1, le=10_000)  # the other layers keep the dense MLP of ffn_size

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.experts_per_token > self.experts:
            raise user_error("model", "problem.config_experts", top=self.experts_per_token, experts=self.experts)
        return self


class MlaSpec(Record):
    """Multi-head latent attention (DeepSeek-V2 and later): ranks and head sizes."""

    query_rank: int | None = Field(default=None, ge=1, le=1_000_000)
    key_value_rank: int = Field(ge=1, le=1_000_000)
    nope_head_dim: int = Field(ge=1, le=65_536)
    rope_head_dim: int = Field(ge=1, le=65_536)
    value_head_dim: int = Field(ge=1, le=65_536)


class TowerSpec(Record):
    """The vision part of a multimodal network: an encoder, and the layers that hand its output to the text part."""

    kind: str  # the `model_type` of the encoder
    layers: int = Field(ge=1, le=10_000)
    hidden_size: int = Field(ge=1, le=1_000_000)
    encoder_params: int = Field(ge=1, le=10**15)
    projector_params: int = Field(ge=0, le=10**15)  # 0 where the encoder's own last layers do it


class ModelSpec(Record):
    """One network. Every field is what the released file says or what its model class does when the file is silent."""

    name: str = Field(min_length=1, max_length=200)
    family: str  # the `model_type` of config.json, of its text part where it has one
    kind: Kind = "decoder"  # of the others only the parameters are counted
    layers: int = Field(ge=1, le=10_000)
    hidden_size: int = Field(ge=1, le=1_000_000)
    heads: int = Field(ge=1, le=10_000)
    kv_heads: int = Field(ge=1, le=10_000)
    head_dim: int = Field(ge=1, le=65_536)  # with latent attention: of a query or key without its rotary part
    ffn_size: int = Field(ge=0, le=10_000_000)  # of the dense MLP; 0 when every layer is a mixture of experts
    vocab_size: int = Field(ge=1, le=10_000_000)
    gated_mlp: bool
    tied_embeddings: bool
    norm: Norm = "rms"
    norms_per_block: int = Field(default=2, ge=0, le=6)
    final_norm: bool = True
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    packed_qkv: bool = False  # one linear layer makes queries, keys and values
    packed_gate_up: bool = False  # one linear layer makes both inputs of a gated MLP
    qk_norm_params: int = Field(default=0, ge=0, le=10**12)  # weights of the query and key norms of one layer
    attention_gate: bool = False  # one more linear layer, as wide as the queries, gates what the attention hands on
    attention_extra_params: int = Field(default=0, ge=0, le=10**12)  # per layer, such as attention sinks
    position_rows: int = Field(default=0, ge=0, le=10**9)  # rows of a learned position table
    embedding_extra_params: int = Field(default=0, ge=0, le=10**15)  # embedding norm, projections, type embeddings ...
    embedding_width: int | None = Field(default=None, ge=1, le=1_000_000)  # where it is not hidden_size (OPT-350M)
    activation: Activation = "silu"
    sliding_window: int | None = Field(default=None, ge=1, le=10**9)
    window_layers: int = Field(default=0, ge=0, le=10_000)  # layers that see only the sliding window
    attention_sinks: bool = False  # learned sinks in the softmax (gpt_oss): older fused kernels cannot do them
    logit_softcap: bool = False
    max_sequence_length: int | None = Field(default=None, ge=1, le=10**9)
    moe: MoeSpec | None = None
    mla: MlaSpec | None = None
    encoder_layers: int = Field(default=0, ge=0, le=10_000)  # of an encoder-decoder, beside its decoder's `layers`
    sparse_attention: bool = False  # an indexer picks the tokens that are looked at; timed as if all were
    tower: TowerSpec | None = None  # the vision part, where it is counted
    text_part_only: bool = False  # there is a vision or audio part that is not counted ...
    uncounted_because: str = ""  # ... for want of this key, or because it is of this kind
    source: str
    as_of: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.heads % self.kv_heads:
            raise user_error("model", "problem.config_kv_heads", heads=self.heads, kv_heads=self.kv_heads)
        moe_layers = self.moe.moe_layers if self.moe else 0
        if moe_layers > self.layers:
            raise user_error("model", "problem.config_moe_layers", moe_layers=moe_layers, layers=self.layers)
        if moe_layers < self.layers and self.ffn_size == 0:
            raise user_error("model", "problem.config_no_ffn")
        return self


def notes_of(spec: ModelSpec) -> tuple[Problem, ...]:
    """What a reader must know about how this network is counted: notes, no errors."""
    notes = []
    if spec.tower:
        params = spec.tower.encoder_params + spec.tower.projector_params
        notes.append(Problem("model", "problem.tower_counted", {"name": spec.name, "params": params}, "note"))
    if spec.text_part_only:
        values = {"name": spec.name, "missing": shown(spec.uncounted_because)}
        notes.append(Problem("model", "problem.text_part_only", values, "note"))
    if spec.sparse_attention:
        notes.append(Problem("model", "problem.sparse_attention", {"name": spec.name}, "note"))
    return tuple(notes)


def require_decoder(spec: ModelSpec) -> None:
    """Raise UserError unless speed and memory of `spec` are modelled, which they are for decoders alone."""
    if spec.kind != "decoder":
        raise UserError(Problem("model", "problem.model_not_modelled", {"name": spec.name}))
