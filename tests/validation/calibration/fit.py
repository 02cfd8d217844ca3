"""Least squares for the logarithms of the speed constants: published speeds, and a prior for every constant."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from calibration.observations import Column, Columns, weights
from desktop_app.estimation.calibration import shipped

SCALE = 0.10  # of the logarithm: residuals beyond it count linearly, as misread settings do
SOURCE_POWER = -0.35  # weight of a row: rows of its publication to this power, so that long tables do not decide alone
EVALUATIONS = 20  # of the whole table; the sum of squares no longer moves in its fourth digit after ten


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a constant before any row: centre, width (standard deviation of its logarithm) and bounds."""

    name: str
    centre: float
    width: float
    low: float
    high: float
    reason: str


@dataclass(frozen=True, slots=True)
class Fit:
    """Every constant after a fit, and the standard error of the logarithm of the fitted ones."""

    constants: Mapping[str, float]
    errors: Mapping[str, float]


def read_priors() -> tuple[Prior, ...]:
    """priors.csv beside this file."""
    bounds = ("centre", "width", "low", "high")
    return tuple(Prior(row["name"], *(float(row[key]) for key in bounds), row["reason"]) for row in _rows("priors"))


def fit(
    columns: Columns, priors: Sequence[Prior], start: Mapping[str, float] | None = None, evaluations: int = EVALUATIONS
) -> Fit:
    """The constants that fit `columns` best, from the priors' centres or from `start`."""
    base, ties = shipped(), _rows("ties")
    centres, widths = np.log([prior.centre for prior in priors]), np.array([prior.width for prior in priors])
    bounds = np.log([prior.low for prior in priors]), np.log([prior.high for prior in priors])
    row_weights = weights(columns.observations, SOURCE_POWER)

    def residuals(logs: Column) -> Column:
        ratio = columns.log_ratio(_with_values(priors, logs, base, ties)) / SCALE
        robust = np.sign(ratio) * np.sqrt(2 * (np.sqrt(1 + ratio**2) - 1))  # pseudo-Huber
        return np.concatenate([row_weights * robust, (logs - centres) / widths])

    begin = centres if start is None else np.log([start[prior.name] for prior in priors])
    inside = np.clip(begin, bounds[0] + 1e-9, bounds[1] - 1e-9)
    found = least_squares(
        residuals, inside, bounds=bounds, x_scale=widths, max_nfev=evaluations, diff_step=1e-4, ftol=1e-5, xtol=1e-4
    )
    covariance = np.linalg.inv(found.jac.T @ found.jac)
    errors = dict(zip((prior.name for prior in priors), np.sqrt(np.diag(covariance)).tolist(), strict=True))
    return Fit(_with_values(priors, found.x, base, ties), errors)


def _with_values(
    priors: Sequence[Prior], logs: Column, base: Mapping[str, float], ties: Sequence[Mapping[str, str]]
) -> dict[str, float]:
    """All constants: those of `base`, the fitted ones, and those that follow another one (ties.csv)."""
    fitted = {prior.name: float(np.exp(log)) for prior, log in zip(priors, logs, strict=True)}
    values = {**base, **fitted}
    for tie in ties:
        values[tie["name"]] = values[tie["follows"]]
        if tie["times"]:
            values[tie["name"]] *= values[tie["times"]] / values[tie["over"]]
    return values


def _rows(table: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / f"{table}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
