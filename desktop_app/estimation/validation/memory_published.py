"""Published peaks of real GPUs against ours: memory_published.csv."""

from __future__ import annotations

from pathlib import Path

from desktop_app.estimation.memory import allowance
from desktop_app.estimation.memory_moments import peak_memory
from desktop_app.estimation.memory_recipe import recipe_from
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.validation.memory_setup import plan_of, sharing_of, source_options, source_recipe
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB

_COLUMNS = (
    "id", "source", "model", "method", "micro_batch", "grad_accum", "seq", "grad_checkpointing", "lora_r",
    "lora_targets", "sharding", "n_gpus", "peak_gb_per_gpu", "is_measurement", "note",
)  # fmt: skip
_TABLE = Table("memory_published", _COLUMNS, "peak_gb_per_gpu", source_group="source")
_ALLOCATED_SHARE = 0.03  # central slack of figures that count allocated tensors only: MEMORY_MODEL section 5


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
