"""Published whole runs against ours: GPU-hours and wall days of runs.csv, by the program's own estimate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_app.estimation.calibration import gpu_hours_range, speed_range_factor
from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.goodput import values_of, whole_run
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import FIGURE, QUALITY, Number, Rules, like, require
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.row_faults import MOST_PARAMS_B
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow
from desktop_app.estimation.validation.run_setup import params_of, setup_of_run, tokens_of
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

COLUMNS = (
    "id", "source_group", "model", "params_b", "active_params_b", "tokens_b", "seq_len", "gpu", "n_gpus", "gpu_hours",
    "wall_days", "notes", "kind", "quality", "derived_fields",
)  # fmt: skip
RULES: Rules = {
    **dict.fromkeys(("params_b", "active_params_b"), Number(FIGURE.low, MOST_PARAMS_B)),
    "tokens_b": Number(FIGURE.low, like(TrainingJob, "tokens").high / 1e9),
    "seq_len": like(TrainingJob, "sequence_length"),
    "n_gpus": like(ClusterChoice, "gpus"),
    **dict.fromkeys(("gpu_hours", "wall_days"), FIGURE),
    "quality": QUALITY,
}
_TRAINING = ("pretrain", "pretrain small", "finetune")


@dataclass(frozen=True, slots=True)
class RunGuess:
    """What is predicted for a run, the P10 and P90 over it, and what was assumed."""

    gpu_hours: float
    wall_days: float
    low: float
    high: float
    note: str


def check(cells: Cells) -> None:
    """Raise UnansweredError for a cell that cannot be, and for more active parameters than there are."""
    require(cells, RULES)
    active, params = value(cells, "active_params_b"), value(cells, "params_b")
    if active and params and active > params:
        raise UnansweredError("refused", f"active_params_b is {active:g}, more than params_b = {params:g}")


_TABLE = Table("runs", COLUMNS, "gpu_hours", check=check)


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
    sizes = {"size": params_of(cells), "number of tokens": tokens_of(cells)}
    missing = [name for name, size in sizes.items() if not size]
    return f"{' and '.join(missing)} not published" if missing else ""


def predicted_run(cells: Cells) -> RunGuess:
    """GPU-hours and days of one run. Raises UserError for an accelerator without a speed model."""
    setup = setup_of_run(cells)
    estimated = estimate(setup.model, setup.job, setup.cluster)
    run = whole_run(values_of(estimated))
    guessed_mixture = setup.hours_factor != 1
    low, high = gpu_hours_range(speed_range_factor("moe") if guessed_mixture else estimated.speed_factor_80)
    hours, days = (setup.hours_factor * float(run[key] or 0) for key in ("gpu_hours", "wall_days"))
    return RunGuess(hours, days, low, high, setup.note)


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
    return [_row(cells, quantity, guess, "ok", guess.note) for quantity in quantities]


def _row(cells: Cells, quantity: str, guess: RunGuess | None, status: Status, reason: str) -> ValidationRow:
    kind = "finetune" if cells["kind"] == "finetune" else "pretrain-dense"
    note = f"{'pretrain-moe' if value(cells, 'active_params_b') else kind}; {reason}"
    if guess is None:
        return _TABLE.row(cells, quantity, note, status)
    predicted = float(getattr(guess, quantity))
    return _TABLE.row(cells, quantity, note, status, predicted, (predicted * guess.low, predicted * guess.high))
