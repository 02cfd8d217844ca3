"""Published speeds as columns, so that a set of constants is judged on all of them at once."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.estimation.calibration import is_measured
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.speed_constants import (
    LayerConstants,
    ParallelConstants,
    layer_constants,
    parallel_constants,
)
from desktop_app.estimation.speed_settings import SpeedSettings
from desktop_app.estimation.step_time import step_time, tokens_per_s_per_gpu
from desktop_app.estimation.validation.reading import Cells, cells_of
from desktop_app.estimation.validation.throughput import COLUMNS, published_speed, row_class, unanswerable
from desktop_app.estimation.validation.throughput_setup import Setup, setup_of
from desktop_app.foundation.problems import UserError

Column = NDArray[np.float64]
_ONCE = ("layer", "parallel")  # parts of the settings that are the same for every row


@dataclass(frozen=True, slots=True)
class Observation:
    """One published speed, ready to be predicted."""

    cells: Cells
    setup: Setup
    kind: str  # pretrain-dense, pretrain-moe, finetune
    source: str  # the publication; the two files of one publication are one
    family: str  # of a mixture of experts: its model
    log_speed: float  # of published tokens per second and GPU


@dataclass(frozen=True, slots=True)
class Columns:
    """All observations as one shape and one plan of columns; the settings depend on the constants."""

    observations: Sequence[Observation]
    shape: Shape
    plan: Plan
    log_speed: Column

    def log_ratio(self, constants: Mapping[str, float]) -> Column:
        """ln(predicted / published speed) of every row."""
        settings = self._settings(constants)
        time = step_time(self.shape, settings, self.plan, np)
        speed = tokens_per_s_per_gpu(settings, self.plan, time.step_s)
        return np.asarray(np.log(speed) - self.log_speed, dtype=float)

    def _settings(self, constants: Mapping[str, float]) -> SpeedSettings:
        rows = [one.setup.settings(constants) for one in self.observations]
        names = [field.name for field in dataclasses.fields(SpeedSettings) if field.name not in _ONCE]
        layer: LayerConstants = layer_constants(constants)
        parallel: ParallelConstants = parallel_constants(constants)
        return SpeedSettings(**_stacked(rows, names), layer=layer, parallel=parallel)


def observations(tables: Sequence[Path]) -> list[Observation]:
    """The rows of throughput tables that can be predicted, suspect ones left out. Raises UserError for a bad file.

    Fine-tuning of mixtures of experts is left out too: a handful of verification runs with hardly a setting stated. So
    are jobs that offload: their time is the host's.
    """
    found = []
    for table in tables:
        for cells in cells_of(table, COLUMNS):
            if not unanswerable(cells):
                one = _observation(cells)
                if one and not (one.kind == "finetune" and one.setup.shape.experts) and one.setup.job.offload == "none":
                    found.append(one)
    return found


def columns_of(rows: Sequence[Observation]) -> Columns:
    """The columns of `rows`. ValueError when there is none."""
    if not rows:
        raise ValueError("no observations")
    shapes = [one.setup.shape for one in rows]
    plans = [one.setup.plan for one in rows]
    return Columns(
        observations=tuple(rows),
        shape=Shape(**_stacked(shapes, [field.name for field in dataclasses.fields(Shape)])),
        plan=Plan(**_stacked(plans, [field.name for field in dataclasses.fields(Plan)])),
        log_speed=np.array([one.log_speed for one in rows]),
    )


def is_shared(one: Observation) -> bool:
    """Whether a row stands in the shared table, not in ours."""
    return not (one.cells["id"][0] in "dm" and one.cells["id"][1:].isdigit())


def measured_elsewhere(rows: Sequence[Observation]) -> list[bool]:
    """For each row, whether another publication measured its class of GPU."""
    sources: dict[str, set[str]] = {}
    for one in rows:
        sources.setdefault(one.setup.cluster.gpu.efficiency_class, set()).add(one.source)
    return [
        len(sources[one.setup.cluster.gpu.efficiency_class]) > 1 and is_measured(one.setup.cluster.gpu) for one in rows
    ]


def weights(rows: Sequence[Observation], power: float) -> Column:
    """Weight of each row: (rows of its publication and kind) ** power, so that a long table does not decide alone.

    Half of that where the figure or its settings came at second hand.
    """
    counts = Counter((one.source, one.kind) for one in rows)
    halved = [0.5 if one.cells["quality"] == "secondary" else 1.0 for one in rows]
    return np.array(
        [half * float(counts[one.source, one.kind]) ** power for half, one in zip(halved, rows, strict=True)]
    )


def _observation(cells: Cells) -> Observation | None:
    try:
        setup = setup_of(cells)
        speed = published_speed(cells, setup)
    except (UserError, ValueError, ArithmeticError):
        return None
    if speed is None or speed <= 0:
        return None
    group = cells["source_group"]
    return Observation(
        cells=cells,
        setup=setup,
        kind=row_class(cells),
        source="vtrain" if group.startswith("vtrain") else group,
        family=_family(cells["model_name"]),
        log_speed=float(np.log(speed)),
    )


def _family(model: str) -> str:
    """A mixture of experts' family for leaving it out: "Qwen3-30B-A3B" -> qwen3."""
    words = model.lower().replace("_", "-").split("-")
    return "-".join(words[:2]) if words[0] in ("gpt", "deepseek", "kimi") else words[0]


def _stacked(rows: Sequence[object], names: Sequence[str]) -> dict[str, Column]:
    return {name: np.array([getattr(row, name) for row in rows], dtype=float) for name in names}
