"""The network of a published row: the preset of its name where the sizes agree, else a decoder of its columns."""

from __future__ import annotations

from typing import Any

from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated

_SIZES = {"layers": "layers", "hidden": "hidden", "heads": "heads", "experts": "moe_experts"}  # of a shape -> column
_EXPERT_HEAD_DIM = 128  # of the mixtures of experts published since 2023, whose heads are not hidden size over heads


def row_model(cells: Cells) -> ModelSpec:
    """The network of a row of throughput.csv. ValueError names a column that is needed and empty.

    UnansweredError for more heads than there is width.
    """
    return _preset(cells) or _of_columns(cells)


def _preset(cells: Cells) -> ModelSpec | None:
    """The preset that a row names; None where there is none, or the row states other sizes."""
    try:
        model = model_named(cells["model_name"])
        shape = shape_of(model)
    except UserError:
        return None
    stated = {name: value(cells, column) for name, column in _SIZES.items()}
    return model if all(size in (None, getattr(shape, name)) for name, size in stated.items()) else None


def _of_columns(cells: Cells) -> ModelSpec:
    sizes = {name: value(cells, name) for name in ("layers", "hidden", "heads", "vocab")}
    of_experts = ("moe_topk", "moe_ffn") if cells["moe_experts"] else ()
    empty = [name for name in (*sizes, *of_experts) if not value(cells, name)]
    if empty:
        raise ValueError(f"{', '.join(empty)} not stated")
    layers, hidden, heads, vocab = (int(size or 0) for size in sizes.values())
    if heads > hidden:
        raise UnansweredError("refused", f"heads is {heads}, more than hidden = {hidden}")
    experts = int(value(cells, "moe_experts") or 0)
    return decoder_model(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=int(value(cells, "kv_heads") or heads),
        head_dim=_EXPERT_HEAD_DIM if experts else None,
        ffn=int(value(cells, "ffn") or 4 * hidden),
        matrices=3 if cells["gated_mlp"] == "1" else 2,
        vocab=vocab,
        experts=experts,
        top=int(value(cells, "moe_topk") or 0),
        expert_size=int(value(cells, "moe_ffn") or 0),
        active=(value(cells, "active_params_b") or 0.0) * 1e9,
        name=cells["model_name"],
    )


def decoder_model(
    *, layers: int, hidden: int, heads: int, kv_heads: int, ffn: int, matrices: int, vocab: int,
    head_dim: int | None = None, experts: int = 0, top: int = 0, expert_size: int = 0, active: float = 0,
    name: str = "decoder",
) -> ModelSpec:  # fmt: skip
    """A decoder of plain sizes with untied embeddings: Llama-like when gated, GPT-like when not.

    `active` parameters of a mixture of experts beyond attention and routed experts are those that every token passes:
    they count as a shared expert.
    """
    dim = head_dim or max(1, hidden // heads)
    gated = matrices == 3
    values: dict[str, Any] = {
        "name": name[:200] or "decoder", "family": "llama" if gated else "gpt_neox", "layers": layers,
        "hidden_size": hidden,
        "heads": heads, "kv_heads": kv_heads, "head_dim": dim, "ffn_size": 0 if experts else ffn, "vocab_size": vocab,
        "gated_mlp": gated, "tied_embeddings": False, "norm": "rms" if gated else "layer",
        "activation": "silu" if gated else "gelu", "source": "sizes of a published row", "as_of": "2026-11-30",
    }  # fmt: skip
    if experts:
        every_token = (active - hidden * vocab) / layers - 2 * hidden * (heads + kv_heads) * dim
        shared = every_token / (matrices * hidden) - top * expert_size
        values["moe"] = {
            "experts": experts, "experts_per_token": top, "expert_size": expert_size, "moe_layers": layers,
            "shared_size": max(0, round(shared)),
        }  # fmt: skip
    return validated(ModelSpec, values)
