"""Published peaks of real GPUs against ours: memory_published.csv."""

from __future__ import annotations

import math
from pathlib import Path

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.memory import allowance
from desktop_app.estimation.memory_moments import peak_memory
from desktop_app.estimation.memory_recipe import recipe_from
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import FIGURE, Rules, Words, like, one_of, require
from desktop_app.estimation.validation.memory_setup import plan_of, sharing_of, source_options, source_recipe, splits
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB

_COLUMNS = (
    "id", "source", "model", "method", "micro_batch", "grad_accum", "seq", "grad_checkpointing", "lora_r",
    "lora_targets", "sharding", "n_gpus", "peak_gb_per_gpu", "is_measurement", "note",
)  # fmt: skip
_BYTES = {"bytes": 1.0, "MiB": 2.0**20, "GB": BYTES_PER_GB, "GiB": BYTES_PER_GIB}
_TARGET = r"query|key|value|projection|mlp|head|q|v|[qkvo]_proj|(gate|up|down)_proj|\w*norm"
_RULES: Rules = {
    "quantization": one_of("nf4", "bnb.nf4", "bnb.nf4-dq", "gptq-int4", "int8"),
    "precision": Words(
        r"(bf16|fp16|fp32|bfloat16|float16|float32)\b.*|amp|mixed|autocast", "bf16, fp16 or fp32 and a remark",
    ),
    "optimizer": Words(
        r"(?i:(paged[ _-]?)?adamw?([ _-]?\(?(8-?bit|fused|foreach)\)?)?|sgd|see note)",
        "AdamW, AdamW (fused), AdamW 8-bit, paged AdamW 8-bit, SGD, see note",
    ),
    "micro_batch": like(TrainingJob, "micro_batch"),
    "grad_accum": like(TrainingJob, "global_batch"),
    "seq": like(TrainingJob, "sequence_length"),
    "attention": Words(r"(sdpa|eager|flash-attention-2|flash)( \(.*\))?", "sdpa, eager, flash-attention-2"),
    "grad_checkpointing": Words(r"(yes|no|full|selective)( \(.*\))?|see note", "yes, no, full, selective, see note"),
    "lora_r": like(TrainingJob, "lora_rank"),
    "lora_targets": Words(rf"all[- ]linear.*|({_TARGET})(\+({_TARGET}))*", "all-linear, or modules with + between"),
    "sharding": Words(
        r"none|DDP(/FSDP)?|DeepSpeed ZeRO-[0-3]|FSDP2?( [1-9]\d*)?(, (TP|CP|PP) [1-9]\d*)*( \((interleaved )?1F1B\))?",
        "none, DDP, FSDP with TP, CP and PP, DeepSpeed ZeRO-0 to ZeRO-3",
    ),
    "n_gpus": like(ClusterChoice, "gpus"),
    "peak_published": FIGURE,
    "unit": one_of(*_BYTES),
    "peak_gb_per_gpu": FIGURE,
}  # fmt: skip
_ROUNDING = 0.01  # two or three digits are printed
_ALLOCATED_SHARE = 0.03  # central slack of figures that count allocated tensors only: MEMORY_MODEL section 5


def _check(cells: Cells) -> None:
    """Raise UnansweredError for cells that cannot be, alone or together."""
    require(cells, _RULES)
    gpus, split = value(cells, "n_gpus"), math.prod(splits(cells["sharding"]))
    if gpus is not None and gpus % split:
        raise UnansweredError("refused", f"n_gpus is {gpus:g}, no multiple of TP x PP x CP = {split}")
    peak, printed = value(cells, "peak_gb_per_gpu"), cells.get("peak_published") and value(cells, "peak_published")
    if peak and printed and cells.get("unit"):
        ratio = printed * _BYTES[cells["unit"]] / BYTES_PER_GB / peak  # the number of GPUs where all are added up
        if all(abs(ratio / wanted - 1) > _ROUNDING for wanted in (1.0, gpus or 1.0)):
            raise UnansweredError(
                "refused", f"peak_gb_per_gpu is {peak:g} where {printed:g} {cells['unit']} is printed"
            )


_TABLE = Table("memory_published", _COLUMNS, "peak_gb_per_gpu", source_group="source", check=_check)


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each published peak. Raises UserError for a table that cannot be read."""
    return _TABLE.rows(folder, lambda cells: (_answered(cells),))


def _answered(cells: Cells) -> ValidationRow:
    published = value(cells, "peak_gb_per_gpu")
    try:
        low, central, high = predicted_gb(cells)
    except UnansweredError as error:
        return _row(cells, published, None, None, None, error.status, error.reason)
    return _row(cells, published, central, low, high, "ok", "")


def predicted_gb(cells: Cells) -> tuple[float, float, float]:
    """Low, central and high peak of one row in GB. Raises UnansweredError."""
    if cells["is_measurement"] != "yes":
        raise UnansweredError("refused", "an estimate or a doubtful figure, no measurement")
    source, length = source_recipe(cells), value(cells, "seq")
    micro_batch = value(cells, "micro_batch") or (source.micro_batch if source else None)
    if micro_batch is None or length is None:
        raise UnansweredError("refused", "sequence length or micro-batch not stated")
    if source is None:
        raise UnansweredError("unsupported", f"{cells['method']} as this publication does it")
    try:
        spec = model_named(cells["model"])
        shape = shape_of(spec)
    except UserError:
        raise UnansweredError("unsupported", f"{cells['model']} is not a decoder that we model") from None
    plan = plan_of(cells, micro_batch, source)
    options = source_options(spec, cells, source, sharing_of(cells["sharding"]))
    recipe = recipe_from(spec, shape, options, options, options)
    memory = peak_memory(shape, recipe, plan, length)
    live = max(memory.peak.total, memory.save if recipe.full_copies else 0.0)
    more = allowance(live, recipe, plan, -(-int(value(cells, "n_gpus") or 1) // 8))
    central = {
        "allocated": live * _ALLOCATED_SHARE,
        "reserved": more.central - constant("allowance_gib") * BYTES_PER_GIB,  # the context is not the allocator's
        "device": more.central,
    }[source.counted]
    low = 0.0 if source.counted != "device" else more.low
    return (live + low) / BYTES_PER_GB, (live + central) / BYTES_PER_GB, (live + more.high) / BYTES_PER_GB


def _row(
    cells: Cells, published: float | None, predicted: float | None, low: float | None, high: float | None,
    status: Status, note: str,
) -> ValidationRow:  # fmt: skip
    return ValidationRow(
        table=_TABLE.name,
        id=cells["id"],
        source_group=cells["source"],
        quantity="peak_gb_per_gpu",
        published=published,
        predicted=predicted,
        low=low,
        high=high,
        status=status,
        note=note,
    )
