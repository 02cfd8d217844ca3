"""Published training speeds against ours: throughput.csv."""

from __future__ import annotations

import math
from pathlib import Path

from desktop_app.estimation.calibration import speed_factor_80
from desktop_app.estimation.flops import attention_flops_per_token, flops_per_token, mfu
from desktop_app.estimation.memory import recipe_of
from desktop_app.estimation.offload import offload_s
from desktop_app.estimation.step_time import step_time, tokens_per_s_per_gpu
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.row_faults import check_cells
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow
from desktop_app.estimation.validation.throughput_setup import Setup, setup_of
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

COLUMNS = (
    "id", "source", "source_group", "model_name", "layers", "hidden", "heads", "kv_heads", "ffn", "gated_mlp", "vocab",
    "seq_len",
    "moe_experts", "moe_topk", "moe_ffn", "active_params_b", "gpu", "n_gpus", "gpus_per_node", "interconnect",
    "precision", "framework", "tp", "pp", "cp", "ep", "virtual_pp", "sequence_parallel", "zero_stage", "micro_batch",
    "global_batch_sequences", "recompute", "flash_attention", "tflops_per_gpu", "mfu_pct", "tokens_per_s_per_gpu",
    "iter_time_s", "notes", "kind", "quality", "tflops_def",
)  # fmt: skip
_QUANTITIES = ("tokens_per_s_per_gpu", "tflops_per_gpu", "mfu_pct", "iter_time_s")  # the first one that a row publishes

_TABLE = Table("throughput", COLUMNS, _QUANTITIES[0], check=check_cells)
_ABSURD = "its sizes cannot be computed with"


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each published speed. Raises UserError when the table cannot be read."""
    return _TABLE.rows(folder, lambda cells: (_answered(cells),))


def row_class(cells: Cells) -> str:
    """pretrain-dense, pretrain-moe or finetune."""
    if cells["kind"] != "pretrain":
        return "finetune"
    return "pretrain-moe" if cells["moe_experts"] else "pretrain-dense"


def predicted_tokens_per_s(setup: Setup) -> float:
    """Our tokens per second and GPU for one setup."""
    settings = setup.settings()
    step_s = float(step_time(setup.shape, settings, setup.plan).step_s)
    if setup.job.offload != "none":
        recipe = recipe_of(setup.model, setup.shape, setup.job, setup.stack.software)
        step_s += offload_s(setup.shape, setup.job, setup.cluster, setup.plan, recipe, step_s)
    return float(tokens_per_s_per_gpu(settings, setup.plan, step_s))


def unanswerable(cells: Cells) -> str:
    """Why a row is not to be predicted, or "": the reason in plain words."""
    if cells["quality"] == "suspect":
        return "the row itself is marked suspect"
    if "Mamba" in cells["model_name"]:
        return "state-space layers are not modelled"
    if "dense dispatch" in cells["notes"]:
        return "experts that get their tokens by dense products with one-hot masks are not modelled"
    if not any(value(cells, quantity) for quantity in _QUANTITIES):
        return "no speed in tokens is published, and the sequence lengths of its steps vary"
    return ""


def _answered(cells: Cells) -> ValidationRow:
    quantity = next((name for name in _QUANTITIES if value(cells, name)), "iter_time_s")
    reason = unanswerable(cells)
    if reason:
        return _row(cells, quantity, None, None, "unsupported", reason)
    try:
        setup = setup_of(cells)
        predicted = _in_unit(cells, setup, quantity)
    except UnansweredError as error:
        return _row(cells, quantity, None, None, error.status, error.reason)
    except UserError as error:
        return _row(cells, quantity, None, None, "refused", words_of("en").sentence(error.problems[0]))
    except ValueError as error:
        return _row(cells, quantity, None, None, "unsupported", str(error))
    except ArithmeticError:
        return _row(cells, quantity, None, None, "refused", _ABSURD)
    gpu = setup.cluster.gpu
    factor = speed_factor_80(setup.job, setup.shape, gpu, setup.layout_known)
    return _row(cells, quantity, predicted, factor, "ok", setup.stack.software)


def _in_unit(cells: Cells, setup: Setup, quantity: str) -> float:
    """The predicted speed in the unit that the row publishes. ValueError where the row does not say enough for it."""
    speed = predicted_tokens_per_s(setup)
    if not math.isfinite(speed):
        raise ArithmeticError(f"{setup} has no speed")
    if quantity == "iter_time_s":
        return _step_tokens_per_gpu(cells) / speed
    return speed * _unit(cells, setup, quantity)


def _unit(cells: Cells, setup: Setup, quantity: str) -> float:
    """What one token per second and GPU comes to in the published unit.

    FLOPs and MFU are by our own definition, but attention counts half where the row says that its source does so.
    """
    if quantity == "tokens_per_s_per_gpu":
        return 1.0
    length = setup.job.sequence_length
    flops = flops_per_token(setup.shape, length, setup.job.method)
    if "half" in cells["tflops_def"]:
        flops -= attention_flops_per_token(setup.shape, length) / 2
    if quantity == "tflops_per_gpu":
        return float(flops / 1e12)
    return float(100 * mfu(flops, 1.0, setup.cluster.gpu.peak_dense_bf16_flops))


def _step_tokens_per_gpu(cells: Cells) -> float:
    """Tokens that one GPU's share of a step holds."""
    sizes = [value(cells, name) for name in ("global_batch_sequences", "seq_len", "n_gpus")]
    if not all(sizes):
        raise ValueError("a step time without batch, sequence length and number of GPUs says nothing of speed")
    batch, length, gpus = (size or 0.0 for size in sizes)
    return batch * length / gpus


def published_speed(cells: Cells, setup: Setup) -> float | None:
    """Tokens per second and GPU that a row publishes, in whichever unit; None when it publishes none."""
    quantity = next((name for name in _QUANTITIES if value(cells, name)), None)
    if quantity is None:
        return None
    published = value(cells, quantity) or 0.0
    if quantity == "iter_time_s":
        return _step_tokens_per_gpu(cells) / published
    return published / _unit(cells, setup, quantity)


def _row(
    cells: Cells, quantity: str, predicted: float | None, factor: float | None, status: Status, reason: str
) -> ValidationRow:
    span = (predicted / factor, predicted * factor) if predicted is not None and factor is not None else None
    return _TABLE.row(cells, quantity, f"{row_class(cells)}; {reason}", status, predicted, span)
