"""Which line of tables/activation_families.csv a model has, or what its configuration says where it has none."""

from __future__ import annotations

from desktop_app.estimation.memory_tables import Family, Layout, MlpKernel, NormKind, QkNorm, QkvPacking, families
from desktop_app.estimation.model_spec import ModelSpec

# LayerNorm networks without a gate were released with dropout 0.1 (GPT-2, OPT, StarCoder2) as often as without (NeoX,
# BLOOM, Nemotron); a mask is 2 bytes per hidden element of a block, so half of it is at most 1 byte off.
_PERHAPS_DROPOUT = 1.0


def family_of(spec: ModelSpec) -> Family:
    """The line of the model's family, or the block that its configuration describes (the allowance is wider then)."""
    return families().get(spec.family) or described(spec)


def described(spec: ModelSpec) -> Family:
    """A block worked out from norm, number of norms, activation, projections and q/k norms alone.

    What no configuration says takes the usual case: a gate with gelu and RMS norms is Gemma's line, which multiplies
    its norms in fp32; q/k norms over the whole width in a dense network are OLMo-2's, which does too.
    """
    wide_qk_norm = spec.qk_norm_params > 0 and spec.qk_norm_params == (spec.heads + spec.kv_heads) * spec.head_dim
    in_fp32 = spec.norm == "rms" and (
        (spec.gated_mlp and spec.activation == "gelu") or (wide_qk_norm and spec.moe is None)
    )
    eager = 8.0 if spec.logit_softcap else 6.0  # a soft cap on the scores keeps its 16-bit input: Gemma-2
    return Family(
        model_type="",
        norm=_norm(spec, in_fp32),
        layout=_layout(spec),
        mlp=_mlp(spec),
        qkv=_packing(spec),
        mask_bytes=_PERHAPS_DROPOUT if spec.norm == "layer" and not spec.gated_mlp else 0.0,
        qk_norm=_qk_norm(spec, in_fp32),
        score_bytes_16bit=eager,
        score_bytes_autocast=eager,
        score_bytes_fp32=8.0 if spec.logit_softcap else 4.0,
        softmax_bytes_16bit=4.0,
        proof="derived",
        source="the model's configuration",
        as_of=spec.as_of,
    )


def _norm(spec: ModelSpec, in_fp32: bool) -> NormKind:
    match spec.norm:
        case "rms":
            return "rms_fp32" if in_fp32 else "rms"
        case "none":
            return "layer_fp32"
        case "layer_weight_only" if spec.gated_mlp:
            return "layer_python"  # no fused kernel in PyTorch 2.0 has a weight without a bias: Cohere
    return "layer"


def _layout(spec: ModelSpec) -> Layout:
    """Two norms may stand one after the other or on one input, which keeps the same within a few bytes."""
    return "parallel" if spec.norms_per_block <= 1 else "sandwich" if spec.norms_per_block >= 4 else "sequential"


def _mlp(spec: ModelSpec) -> MlpKernel:
    if spec.gated_mlp:
        return "gated"
    return "gelu" if spec.activation == "silu" else spec.activation


def _packing(spec: ModelSpec) -> QkvPacking:
    """One packed projection is rotated afterwards unless positions are learned."""
    if not spec.packed_qkv:
        return "separate"
    return "packed" if spec.position_rows else "packed_rotary"


def _qk_norm(spec: ModelSpec, in_fp32: bool) -> QkNorm:
    if spec.qk_norm_params == 0 or spec.norm == "layer":  # a fused layer norm keeps its input, a view of the packed one
        return "none"
    if spec.norm == "layer_weight_only":
        return "layer_python"
    return "rms_fp32" if in_fp32 else "rms"
