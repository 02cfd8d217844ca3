"""Low-rank adapters: which linear layers get one and how many parameters they add.

An adapter of rank r beside a linear layer of n inputs and m outputs has r(n + m) parameters (Hu et al. 2021, arXiv
2106.09685). Which layers: as Hugging Face's PEFT finds them by its usual target names.
"""

from dataclasses import dataclass

from desktop_app.estimation.model_spec import MlaSpec, ModelSpec, require_decoder
from desktop_app.estimation.parameters import count
from desktop_app.estimation.training_job import LoraTargets, TrainingJob


@dataclass(frozen=True, slots=True)
class Linear:
    """A kind of linear layer that gets an adapter, and how often the whole network has it."""

    name: str  # as in Hugging Face's Llama, DeepSeek and OPT classes
    inputs: int
    outputs: int
    count: int

    def adapter_params(self, rank: int) -> int:
        """The parameters of all adapters of this kind: rank (inputs + outputs) each."""
        return rank * (self.inputs + self.outputs) * self.count


def adapted_linears(spec: ModelSpec, targets: LoraTargets) -> tuple[Linear, ...]:
    """The linear layers that `targets` adapts.

    "qv": the query and value projections, or the packed projection where a family has only that. "attention": all
    projections of the attention. "all-linear": these and every linear layer of the MLPs, of each routed and shared
    expert too; not the router, embeddings and head. (Versions of PEFT that find the experts stacked in one tensor give
    them fewer adapters, or none.) Latent attention has no value projection of its own: its kv_b_proj counts as one.
    The vision part of a multimodal network and the indexer of sparse attention get none.
    Raises UserError for encoders and encoder-decoders.
    """
    require_decoder(spec)
    attention = _latent_attention(spec, spec.mla) if spec.mla else _attention(spec)
    if targets == "qv":
        wanted = {"q_proj", "q_b_proj", "v_proj", "kv_b_proj", "qkv_proj"}
        return tuple(linear for linear in attention if linear.name in wanted)
    if targets == "attention":
        return attention
    return (*attention, *_mlps(spec), *_embedding_projections(spec))


def lora_params(spec: ModelSpec, rank: int, targets: LoraTargets) -> int:
    """The parameters of all adapters: the sum of rank (inputs + outputs) over the adapted layers."""
    return sum(linear.adapter_params(rank) for linear in adapted_linears(spec, targets))


def params_trainable(spec: ModelSpec, job: TrainingJob) -> int:
    """The parameters that the job trains: all, or the adapters alone."""
    if job.method == "full":
        return count(spec).total
    return lora_params(spec, job.lora_rank, job.lora_targets)


def _attention(spec: ModelSpec) -> tuple[Linear, ...]:
    h, query, key = spec.hidden_size, spec.heads * spec.head_dim, spec.kv_heads * spec.head_dim
    output = [Linear("o_proj", query, h, spec.layers)]
    if spec.attention_gate:
        output.append(Linear("gate_proj", h, query, spec.layers))
    if spec.packed_qkv:
        return (Linear("qkv_proj", h, query + 2 * key, spec.layers), *output)
    return (
        Linear("q_proj", h, query, spec.layers),
        Linear("k_proj", h, key, spec.layers),
        Linear("v_proj", h, key, spec.layers),
        *output,
    )


def _latent_attention(spec: ModelSpec, mla: MlaSpec) -> tuple[Linear, ...]:
    h, a, layers = spec.hidden_size, spec.heads, spec.layers
    query = a * (mla.nope_head_dim + mla.rope_head_dim)
    if mla.query_rank:
        queries: tuple[Linear, ...] = (
            Linear("q_a_proj", h, mla.query_rank, layers),
            Linear("q_b_proj", mla.query_rank, query, layers),
        )
    else:
        queries = (Linear("q_proj", h, query, layers),)
    return (
        *queries,
        Linear("kv_a_proj", h, mla.key_value_rank + mla.rope_head_dim, layers),
        Linear("kv_b_proj", mla.key_value_rank, a * (mla.nope_head_dim + mla.value_head_dim), layers),
        Linear("o_proj", a * mla.value_head_dim, h, layers),
    )


def _mlps(spec: ModelSpec) -> tuple[Linear, ...]:
    """Dense MLPs, routed experts and shared experts."""
    moe = spec.moe
    if moe is None:
        return _mlp(spec, "", spec.ffn_size, spec.layers)
    return (
        *_mlp(spec, "", spec.ffn_size, spec.layers - moe.moe_layers),
        *_mlp(spec, "experts.", moe.expert_size, moe.experts * moe.moe_layers),
        *_mlp(spec, "shared_expert.", moe.shared_size, moe.moe_layers),
    )


def _mlp(spec: ModelSpec, prefix: str, width: int, how_many: int) -> tuple[Linear, ...]:
    if width == 0 or how_many == 0:
        return ()
    h = spec.hidden_size
    down = Linear(f"{prefix}down_proj", width, h, how_many)
    up = Linear(f"{prefix}up_proj", h, width, how_many)
    if not spec.gated_mlp:
        return (up, down)
    if spec.packed_gate_up:
        return (Linear(f"{prefix}gate_up_proj", h, 2 * width, how_many), down)
    return (Linear(f"{prefix}gate_proj", h, width, how_many), up, down)


def _embedding_projections(spec: ModelSpec) -> tuple[Linear, ...]:
    """Where the token embedding is narrower than the network, two linear layers stand between (OPT-350M)."""
    if spec.embedding_width is None:
        return ()
    return (
        Linear("project_in", spec.embedding_width, spec.hidden_size, 1),
        Linear("project_out", spec.hidden_size, spec.embedding_width, 1),
    )
