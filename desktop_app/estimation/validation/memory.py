"""Peak live bytes of real model classes against ours, in every phase of a step: memory.csv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.memory_job import options_of
from desktop_app.estimation.memory_moments import MOMENTS, Terms, peak_memory
from desktop_app.estimation.memory_options import AdapterOptions, MemoryOptions
from desktop_app.estimation.memory_recipe import MemoryRecipe, recipe_from
from desktop_app.estimation.memory_tables import constant, optimizers, precision_recipes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import Shape, shape_of
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import FIGURE, Number, Rules, Words, like, one_of, require
from desktop_app.estimation.validation.memory_setup import targeted
from desktop_app.estimation.validation.reading import Cells, Table, needed, value
from desktop_app.estimation.validation.rows import UnansweredError, ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import replaced
from desktop_app.foundation.wording import words_of

_COLUMNS = (
    "id", "model", "model_type", "method", "world_size", "micro_batch", "seq", "grad_accum", "precision", "attention",
    "padding_mask", "gradient_checkpointing", "optimizer", "lora_r", "lora_targets", "lora_adapter_dtype", "sharding",
    "peak_bytes", "act_end_of_forward_bytes", "fwd_peak_bytes", "bwd_peak_bytes", "step_peak_bytes",
)  # fmt: skip
_RECIPES = {"bf16": "bf16", "bf16_amp": "bf16-autocast", "amp_bf16": "autocast", "fp32": "fp32"}
_OPTIMIZERS = {
    "adamw_foreach": "adamw", "adamw_fused": "adamw-fused", "adamw_loop": "adamw-loop", "sgd": "sgd",
    "sgd_momentum": "sgd-momentum",
}  # fmt: skip
_PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
_PHASES = ("peak_bytes", "act_end_of_forward_bytes", "fwd_peak_bytes", "bwd_peak_bytes", "step_peak_bytes")
_RULES: Rules = {
    "method": one_of("full", "lora", needed=True),
    "world_size": like(ClusterChoice, "gpus"),
    "micro_batch": like(TrainingJob, "micro_batch"),
    "seq": like(TrainingJob, "sequence_length"),
    "grad_accum": like(TrainingJob, "global_batch"),
    "precision": Words(
        rf"{'|'.join(_RECIPES)}|fsdp2_mp_bf16(\(.*\))?", f"{', '.join(_RECIPES)}, fsdp2_mp_bf16", needed=True,
    ),
    "attention": one_of("sdpa", "eager", needed=True),
    "padding_mask": one_of("no", "yes"),
    "gradient_checkpointing": one_of("no", "yes", needed=True),
    "optimizer": one_of(*_OPTIMIZERS, needed=True),
    "lora_r": Number(0, like(TrainingJob, "lora_rank").high, whole=True),
    "lora_targets": Words(rf"all-linear|({'|'.join(_PROJECTIONS)})(\+({'|'.join(_PROJECTIONS)}))*",
                          f"all-linear, or with + between: {', '.join(_PROJECTIONS)}"),
    "lora_adapter_dtype": one_of("fp32", "base dtype"),
    "sharding": Words(r"none|FSDP2( \(.*\))?", "none, FSDP2", needed=True),
    **dict.fromkeys(_PHASES, FIGURE),
}  # fmt: skip
_BACKWARD = ("start_of_backward", "last_block", "first_block", "end_of_backward")
_LOG_SOFTMAX_BYTES = 4  # fp32, kept from the loss to its backward: PyTorch's log_softmax
_EXPECTED = 0.01  # what a correct sum of tensors is off by on a family without a measured row: MEMORY_MODEL section 0

# Two small mixtures of experts of the table exist nowhere else; their sizes follow from their parameters and bytes.
_SMALL: dict[str, tuple[str, dict[str, Any], dict[str, int]]] = {
    "mixtral-small-8x0.4b": (
        "Mixtral-8x7B",
        {"layers": 16, "hidden_size": 1024, "heads": 16, "kv_heads": 4, "head_dim": 64},
        {"expert_size": 3584, "moe_layers": 16},
    ),
    "qwen3-moe-small": (
        "Qwen3-30B-A3B",
        {"layers": 12, "hidden_size": 1024, "heads": 16, "kv_heads": 4, "head_dim": 64, "qk_norm_params": 128},
        {"experts": 32, "experts_per_token": 4, "expert_size": 512, "moe_layers": 12},
    ),
}


def _check(cells: Cells) -> None:
    """Raise UnansweredError for a set-up that cannot be, or that none of the measured classes is."""
    require(cells, _RULES)
    if cells["method"] == "lora" and not value(cells, "lora_r"):
        raise UnansweredError("refused", "lora_r not stated for LoRA")
    if cells["sharding"].startswith("FSDP") != cells["precision"].startswith("fsdp2"):
        raise UnansweredError("unsupported", f"precision {cells['precision']} with sharding {cells['sharding']}")


_TABLE = Table("memory", _COLUMNS, "peak_bytes", source_group="model_type", check=_check)


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each set-up and quantity. Raises UserError for a table that cannot be read."""
    return _TABLE.rows(folder, _answered)


def _answered(cells: Cells) -> Iterator[ValidationRow]:
    try:
        predicted = predicted_bytes(cells)
    except UserError as error:
        yield _row(cells, "peak_bytes", None, words_of("en").sentence(error.problems[0]))
        return
    except (KeyError, ValueError) as error:
        yield _row(cells, "peak_bytes", None, f"a setting is missing or not modelled: {error}")
        return
    for quantity, figure in predicted.items():
        if cells[quantity]:
            yield _row(cells, quantity, figure, "")


def predicted_bytes(cells: Cells) -> dict[str, float]:
    """Live bytes of one set-up: the peak, the peak of each phase, and what the forward pass leaves behind."""
    spec = small_or_named(cells["model"])
    shape, plan = shape_of(spec), _plan(cells)
    options = _options(spec, cells)
    recipe = recipe_from(spec, shape, options, options, options)
    memory = peak_memory(shape, recipe, plan, needed(cells, "seq"))
    at = dict(zip(MOMENTS, memory.moments, strict=True))
    return {
        "peak_bytes": memory.peak.total,
        "act_end_of_forward_bytes": _left_by_forward(at["start_of_backward"], shape, recipe, plan, cells),
        "fwd_peak_bytes": max(at["loss"].total, at["forward_block"].total),
        "bwd_peak_bytes": max(at[moment].total for moment in _BACKWARD),
        "step_peak_bytes": at["step"].total,
    }


def _left_by_forward(at: Terms, shape: Shape, recipe: MemoryRecipe, plan: Plan, cells: Cells) -> float:
    """Activations and the log-softmax of the logits."""
    logits = plan.micro_batch * needed(cells, "seq") * shape.vocab
    return float(at.activations + logits * (_LOG_SOFTMAX_BYTES + recipe.kept_logit_bytes))


def small_or_named(name: str) -> ModelSpec:
    """The preset of that name, or one of the two small mixtures of experts. Raises UserError."""
    if name not in _SMALL:
        return model_named(name)
    base, sizes, experts = _SMALL[name]
    spec = model_named(base)
    assert spec.moe is not None
    return replaced(spec, **sizes, moe=replaced(spec.moe, **experts))


def _options(spec: ModelSpec, cells: Cells) -> MemoryOptions:
    """Hugging Face's code with the row's precision, optimizer, attention and adapters."""
    fsdp = cells["sharding"].startswith("FSDP")
    recipe = precision_recipes()["fsdp-mixed" if fsdp else _RECIPES[cells["precision"]]]
    eager, wide = cells["attention"] == "eager", recipe.compute_bytes == 4
    options = options_of(spec, TrainingJob(), "stock", "plain")
    return replace(
        options,
        precision=recipe,
        optimizer=optimizers()[_OPTIMIZERS[cells["optimizer"]]],
        adapters=_adapters(spec, cells) if cells["method"] == "lora" else None,
        attention="eager" if eager else "flash",
        expanded_kv=eager or wide or cells["padding_mask"] == "yes",
        loss_bytes=constant("loss_bytes_fp32" if wide else "loss_bytes_16bit"),
    )


def _adapters(spec: ModelSpec, cells: Cells) -> AdapterOptions:
    return AdapterOptions(
        linears=targeted(spec, cells["lora_targets"]),
        rank=int(needed(cells, "lora_r")),
        weight_bytes=4.0 if cells["lora_adapter_dtype"] == "fp32" else 2.0,
        dropout=False,
        padded_bytes=0.0,
        embedding_bytes=0.0,
    )


def _plan(cells: Cells) -> Plan:
    fsdp = cells["sharding"].startswith("FSDP")
    return Plan(
        tp=1, pp=1, dp=int(needed(cells, "world_size")), cp=1, ep=1, interleave=1,
        micro_batch=int(needed(cells, "micro_batch")), accumulation=int(needed(cells, "grad_accum")),
        zero_stage=3 if fsdp else 0, full_shard=int(fsdp),
        full_recompute=int(cells["gradient_checkpointing"] == "yes"), selective_recompute=0, sequence_parallel=0,
    )  # fmt: skip


def _row(cells: Cells, quantity: str, predicted: float | None, why: str) -> ValidationRow:
    answered = predicted is not None
    sharding = "fsdp" if cells["sharding"].startswith("FSDP") else "one GPU"
    return ValidationRow(
        table=_TABLE.name,
        id=cells["id"],
        source_group=cells["model_type"],
        quantity=quantity,
        published=value(cells, quantity),
        predicted=predicted,
        low=predicted * (1 - _EXPECTED) if predicted is not None else None,
        high=predicted * (1 + _EXPECTED) if predicted is not None else None,
        status="ok" if answered else "unsupported",
        note=f"{cells['method']}, {sharding}" if answered else why,
    )
