"""Published whole runs against ours: GPU-hours and wall days of runs.csv, by the program's own estimate.

A row gives little more than size, tokens and GPUs. The network is a plain decoder 128 times as wide as deep; layout,
batch and all else are what the program chooses for a user who states no more. The software is the class of the
framework that the makers name (run_frameworks.csv), else tuned, and legacy on cards without bf16; legacy software
recomputes above 10B. A mixture of experts is taken as a dense model of its active parameters, times the factor that
published ones needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from desktop_app.estimation.calibration import constant, gpu_hours_range
from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.goodput import whole_run
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.table_files import table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import Status, ValidationRow
from desktop_app.estimation.validation.throughput_setup import framework_row, stack_of_framework
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of

COLUMNS = (
    "id", "source_group", "model", "params_b", "active_params_b", "tokens_b", "seq_len", "gpu", "n_gpus", "gpu_hours",
    "wall_days", "notes", "kind", "quality",
)  # fmt: skip
_TABLE = Table("runs", COLUMNS, "gpu_hours")
_ASPECT = 128  # hidden size over layers: 32 x 4096, 40 x 5120, 96 x 12288 (LLaMA-7B and -13B, GPT-3)
_HEAD_DIM = 128  # of nearly all networks from 1B on
_VOCAB = 50_304  # GPT-2's 50,257 padded; half of the published tokenizers lie between 32,000 and 65,000
_TRAINING = ("pretrain", "pretrain small", "finetune")


@dataclass(frozen=True, slots=True)
class RunGuess:
    """What is predicted for a run, and the P10 and P90 over it."""

    gpu_hours: float
    wall_days: float
    low: float
    high: float


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each published figure: GPU-hours, and wall days where the GPUs are known. Raises UserError."""
    return _TABLE.rows(folder, _answered)


def unanswerable(cells: Cells) -> str:
    """Why a run is not to be predicted, or ""."""
    if cells["quality"] == "suspect":
        return "the row itself is marked suspect"
    if cells["kind"] not in _TRAINING:
        return f"{cells['kind']}: not one training run"
    if "encoder-decoder" in cells["notes"]:
        return "the speed of encoder-decoder models is not modelled"
    missing = [name for name in ("params_b", "tokens_b") if not value(cells, name)]
    return f"{', '.join(missing)} not published" if missing else ""


def model_of_size(params: float) -> ModelSpec:
    """A plain gated decoder of about `params` parameters: 12 * layers * width^2 and the embeddings, tied below 2B."""
    embeddings = 1 if params < 2e9 else 2  # GPT-2, SmolLM and Llama-3.2-1B tie; LLaMA-7B and larger do not
    width = (params * _ASPECT / 12) ** (1 / 3)
    for _ in range(8):  # a fixed point: the embeddings take their share of the parameters
        width = (max(params - embeddings * _VOCAB * width, params / 4) * _ASPECT / 12) ** (1 / 3)
    step = 8 * _HEAD_DIM if width > 8 * _HEAD_DIM else _HEAD_DIM  # heads of real networks split eight ways
    hidden = int(max(2, round(width / step))) * step if width > step else step
    layers = int(max(2, round((params - embeddings * _VOCAB * hidden) / (12 * hidden * hidden))))
    heads = hidden // _HEAD_DIM
    values = {
        "name": f"{params / 1e9:g}B", "family": "llama", "layers": layers, "hidden_size": hidden, "heads": heads,
        "kv_heads": heads, "head_dim": _HEAD_DIM, "ffn_size": round(hidden * 8 / 3), "vocab_size": _VOCAB,
        "gated_mlp": True, "tied_embeddings": embeddings == 1, "source": "derived from the size", "as_of": "2026-11-30",
    }  # fmt: skip
    return validated(ModelSpec, values)


def usual_gpus(params: float) -> int:
    """GPUs for a size when none are published: about 32 per billion parameters, in powers of two, 8 to 2,048."""
    return int(min(2048, max(8, 2 ** round(math.log2(32 * params / 1e9)))))


def predicted_run(cells: Cells) -> RunGuess:
    """GPU-hours and days of one run. Raises UserError for an accelerator without a speed model."""
    active = value(cells, "active_params_b")
    params = (active or value(cells, "params_b") or 0.0) * 1e9
    gpus = int(value(cells, "n_gpus") or usual_gpus(params))
    cluster = cluster_of(validated(ClusterChoice, {"gpu": cells["gpu"], "gpus": gpus}))
    job = _job(cells, params, cluster.gpu.supports_bf16)
    estimated = estimate(model_of_size(params), job, cluster)
    run = whole_run(
        {
            "tokens": job.tokens, "sequence_length": job.sequence_length, "step_time_s": estimated.step_time_s,
            "gpus": gpus, "global_batch": estimated.global_batch,
        }
    )  # fmt: skip
    factor = constant("moe_run_factor") if active else 1.0
    low, high = gpu_hours_range("moe" if active else estimated.regime, estimated.layout_slowdown > 1)
    return RunGuess(factor * float(run["gpu_hours"] or 0), factor * float(run["wall_days"] or 0), low, high)


def _job(cells: Cells, params: float, bf16: bool) -> TrainingJob:
    """What a run states of its job, and what its software did by itself."""
    stack = _stack(cells["model"])
    software = stack.software if stack else None if bf16 else "legacy"
    return validated(
        TrainingJob,
        {
            "tokens": (value(cells, "tokens_b") or 0.0) * 1e9,
            "sequence_length": int(value(cells, "seq_len") or 2048),
            "precision": "fp8" if cells["notes"].startswith("FP8") else "bf16-mixed" if bf16 else "fp16-mixed",
            "software": software,
            "native_attention": stack.native_attention if stack else None,
            "tp_overlap": stack.tp_overlap if stack else None,
            "recompute": "full" if software == "legacy" and params > 10e9 else None,
        },
    )


def _stack(model: str) -> SoftwareStack | None:
    """The stack of the framework that the makers of `model` name; None where they name none that we know."""
    for row in table("run_frameworks"):
        if model.startswith(row["model"]):
            return stack_of_framework(framework_row(row["framework"]), "")
    return None


def _answered(cells: Cells) -> list[ValidationRow]:
    quantities = [name for name in ("gpu_hours", "wall_days") if value(cells, name)]
    if not value(cells, "n_gpus"):
        quantities = [name for name in quantities if name == "gpu_hours"]
    if not quantities:
        return [_row(cells, "gpu_hours", None, "unsupported", "no GPU-hours published")]
    reason = unanswerable(cells)
    if reason:
        return [_row(cells, quantity, None, "unsupported", reason) for quantity in quantities]
    try:
        guess = predicted_run(cells)
    except UserError as error:
        return [_row(cells, name, None, "refused", words_of("en").sentence(error.problems[0])) for name in quantities]
    except (ArithmeticError, ValueError):
        return [_row(cells, name, None, "refused", "its sizes cannot be computed with") for name in quantities]
    return [_row(cells, quantity, guess, "ok", "layout and shape chosen from the size") for quantity in quantities]


def _row(cells: Cells, quantity: str, guess: RunGuess | None, status: Status, reason: str) -> ValidationRow:
    kind = "finetune" if cells["kind"] == "finetune" else "pretrain-dense"
    note = f"{'pretrain-moe' if value(cells, 'active_params_b') else kind}; {reason}"
    if guess is None:
        return _TABLE.row(cells, quantity, note, status)
    predicted = float(getattr(guess, quantity))
    return _TABLE.row(cells, quantity, note, status, predicted, (predicted * guess.low, predicted * guess.high))
