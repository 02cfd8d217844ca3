"""Predictions for publications and model families that the fit did not see."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from calibration.fit import Prior, fit
from calibration.observations import Column, Observation, columns_of, is_shared, measured_elsewhere
from desktop_app.estimation.calibration import regime_of
from desktop_app.estimation.results import Regime


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One row predicted by constants that were fitted without its publication (or its family of mixtures)."""

    observation: Observation
    regime: Regime
    log_ratio: float  # ln(predicted / published)


def group_of(one: Observation) -> str:
    """What is left out together with a row: its publication; of a mixture of experts its model's family."""
    return f"family {one.family}" if one.kind == "pretrain-moe" else one.source


def left_out(rows: Sequence[Observation], priors: Sequence[Prior], only: str = "") -> list[LeftOut]:
    """Every row (of the group `only`, if given) predicted unseen; each group costs one fit, from the priors."""
    elsewhere = measured_elsewhere(rows)
    groups = [only] if only else sorted({group_of(one) for one in rows})
    insides = [[index for index, one in enumerate(rows) if group_of(one) == group] for group in groups]
    found: list[LeftOut | None] = [None] * len(rows)
    with ProcessPoolExecutor() as workers:
        ratios = workers.map(_unseen, repeat(rows), insides, repeat(priors))
        for inside, group_ratios in zip(insides, ratios, strict=True):
            for index, ratio in zip(inside, group_ratios, strict=True):
                found[index] = LeftOut(rows[index], regime(rows[index], elsewhere[index]), float(ratio))
    return [one for one in found if one is not None]


def _unseen(rows: Sequence[Observation], inside: Sequence[int], priors: Sequence[Prior]) -> Column:
    hidden = rows[inside[0]]
    if hidden.kind == "pretrain-moe":
        seen = [one for one in rows if group_of(one) != group_of(hidden)]
    else:
        seen = [one for one in rows if one.source != hidden.source]
    constants = fit(columns_of(seen), priors).constants
    return columns_of([rows[index] for index in inside]).log_ratio(constants)


def regime(one: Observation, gpu_measured_elsewhere: bool) -> Regime:
    """The kind of estimate that the program would call a row, had nobody published it."""
    kind = regime_of(one.setup.job, one.setup.shape, one.setup.cluster.gpu, one.setup.layout_known)
    return kind if gpu_measured_elsewhere or kind in ("moe", "finetune") else "new_gpu"


def factor_80(rows: Sequence[LeftOut]) -> float:
    """The factor that holds four fifths of the rows: of the shared table and of all, half way between the two."""
    sizes = np.abs([one.log_ratio for one in rows])
    shared = np.array([is_shared(one.observation) for one in rows])
    return float(np.exp((np.quantile(sizes, 0.8) + np.quantile(sizes[shared], 0.8)) / 2))
