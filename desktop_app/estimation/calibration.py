"""The constants of the speed model with their provenance, and how sure an estimate is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.gpus import Gpu
from desktop_app.estimation.results import Regime
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.table_files import Row, number, required, table
from desktop_app.estimation.training_job import FULL_PRECISIONS, TrainingJob
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import Source


@dataclass(frozen=True, slots=True)
class Constant:
    """One row of constants.csv. `width` is one standard deviation of its logarithm; None: held or unknown."""

    name: str
    value: float
    unit: str
    width: float | None
    meaning: str
    pinned_by: str
    source: Source


@lru_cache(maxsize=1)
def constants() -> Mapping[str, Constant]:
    """Every constant by name. ValueError for a name used twice: our bug."""
    rows = table("constants")
    found = {
        row["name"]: Constant(
            row["name"],
            required(row, "value"),
            row["unit"],
            number(row["width"]),
            row["meaning"],
            row["pinned_by"],
            Source(row["source"], row["as_of"]),
        )
        for row in rows
    }
    if len(found) != len(rows):
        raise ValueError("constants.csv has a name twice")
    return found


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, float]:
    """The value of every constant by name: what an estimate is computed with unless a refit tries others."""
    return {name: row.value for name, row in constants().items()}


def constant(name: str) -> float:
    """The value of the constant `name`; KeyError when there is none."""
    return shipped()[name]


@lru_cache(maxsize=1)
def _efficiency_classes() -> Mapping[str, Row]:
    return {row["name"]: row for row in table("efficiency_classes")}


def is_measured(gpu: Gpu) -> bool:
    """Whether published training speeds of the GPU's class stand behind its efficiency."""
    row = _efficiency_classes().get(gpu.efficiency_class)
    return row is not None and row["measured"] == "yes"


def generation_of(gpu: Gpu) -> str:
    """The generation that attention and fp8 constants go by: "ampere", "hopper"; "" where there is no speed model."""
    row = _efficiency_classes().get(gpu.efficiency_class)
    return row["generation"] if row else ""


def regime_of(job: TrainingJob, shape: Shape, gpu: Gpu, layout_known: bool) -> Regime:
    """Which kind of estimate this is, the least certain kind first: it decides the width of the range."""
    if job.mfu is not None:
        return "efficiency_given"
    if shape.experts:
        return "moe"
    if not is_measured(gpu) or job.precision in FULL_PRECISIONS:
        return "new_gpu"
    if job.method != "full":
        return "finetune"
    return "layout_known" if layout_known else "layout_chosen"


def speed_notes(job: TrainingJob, gpu: Gpu) -> tuple[Problem, ...]:
    """What to say of an estimate that no published speed stands behind: a GPU or a precision never measured."""
    notes = []
    if generation_of(gpu) and not is_measured(gpu):
        notes.append(Problem("gpu", "problem.gpu_not_measured", {"gpu": gpu.name}, "note"))
    if job.precision in FULL_PRECISIONS:
        notes.append(Problem("precision", "problem.precision_not_measured", {"precision": job.precision}, "note"))
    return tuple(notes)


def speed_range_factor(regime: Regime) -> float:
    """The 80 % range of the step time as a factor up and down: P10 = time / factor, P90 = time * factor."""
    return constant(f"speed_factor_80.{regime}")


def speed_factor_80(job: TrainingJob, shape: Shape, gpu: Gpu, layout_known: bool) -> float:
    """The 80 % factor of an estimate. Experts and fine-tuning on a GPU never measured are less sure on both counts."""
    factor = speed_range_factor(regime_of(job, shape, gpu, layout_known))
    if job.mfu is not None or is_measured(gpu) or not (shape.experts or job.method != "full"):
        return factor
    kind, unmeasured = speed_range_factor("moe" if shape.experts else "finetune"), speed_range_factor("new_gpu")
    return math.exp(math.hypot(math.log(kind), math.log(unmeasured)))


def practice_factor(settings_left_open: float, job: TrainingJob, shape: Shape, gpus: int) -> float:
    """GPU-hours of whole published runs over those of the best layout in steady state, goodput counted apart.

    People run layouts that are not the best and software that is not the latest; how much of it is known to be
    otherwise is the share of deciding settings that a job states (`settings_left_open` is the share it does not).
    1 for adapters, on a single GPU, where the efficiency itself is stated, and for mixtures of experts, whose published
    runs took what the model says.
    """
    if job.method != "full" or job.mfu is not None or gpus == 1 or shape.experts:
        return 1.0
    return 1.0 + (constant("practice_factor") - 1.0) * settings_left_open


def run_overhead_range() -> tuple[float, float]:
    """P10 and P90 of published over predicted GPU-hours that the speed does not explain.

    Calendar time, unreported restarts, small models on too many GPUs; below 1 where makers count pure training time.
    """
    return constant("run_overhead.low"), constant("run_overhead.high")


def gpu_hours_range(speed_factor: float) -> tuple[float, float]:
    """P10 and P90 of a whole run's GPU-hours over the base: the log-normal product of speed and run overhead."""
    low, high = run_overhead_range()
    shift = (math.log(low) + math.log(high)) / 2
    spread = math.hypot(math.log(speed_factor), (math.log(high) - math.log(low)) / 2)
    return math.exp(shift - spread), math.exp(shift + spread)
