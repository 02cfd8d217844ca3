"""The recorded bars of speed: what left-out publications and families are predicted to, and ranges that hold it.

left_out.csv and the constants are what calibrate.py writes; a change of the model that moves them asks for a new run.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import pytest
from calibrate import TABLES
from calibration.accuracy import network_known
from calibration.fit import fit, read_priors
from calibration.left_out import left_out
from calibration.observations import Observation, columns_of, observations

from desktop_app.estimation.calibration import constants, shipped, speed_range_factor

HERE = Path(__file__).resolve().parent
needs_reference = pytest.mark.skipif(
    not TABLES[0].exists(), reason="the reference data (../shared/validation) is not here"
)


@dataclass(frozen=True)
class Unseen:
    id: str
    source_group: str
    kind: str
    regime: str
    log_ratio: float

    @property
    def shared(self) -> bool:
        return not (self.id[0] in "dm" and self.id[1:].isdigit())

    @property
    def error(self) -> float:
        return abs(math.expm1(self.log_ratio))


def unseen() -> list[Unseen]:
    with (HERE / "left_out.csv").open(newline="", encoding="utf-8") as file:
        return [Unseen(**{**row, "log_ratio": float(row["log_ratio"])}) for row in csv.DictReader(file)]


def p90(rows: list[Unseen]) -> float:
    return sorted(row.error for row in rows)[math.ceil(0.9 * len(rows)) - 1]


def median_of_sources(rows: list[Unseen]) -> float:
    groups = defaultdict(list)
    for row in rows:
        groups["vtrain" if row.source_group.startswith("vtrain") else row.source_group].append(row.error)
    return median(median(group) for group in groups.values())


def test_dense_publications_left_out() -> None:
    rows = [row for row in unseen() if row.shared and row.kind == "pretrain-dense"]
    assert len(rows) == 658
    assert median_of_sources(rows) <= 0.10
    assert p90(rows) <= 0.21


def test_families_of_mixtures_left_out() -> None:
    rows = [row for row in unseen() if row.shared and row.kind == "pretrain-moe"]
    assert len(rows) == 42
    assert median(row.error for row in rows) <= 0.18
    assert p90(rows) <= 0.45


def test_vtrain_left_out() -> None:
    """Mean errors on several nodes and on one; both files are left out together."""
    rows = unseen()
    assert mean(row.error for row in rows if row.source_group == "vtrain_multi") <= 0.125
    assert mean(row.error for row in rows if row.source_group == "vtrain_single") <= 0.14


@needs_reference
def test_fine_tuning_left_out() -> None:
    known = {one.cells["id"] for one in observations(TABLES[:1]) if one.kind == "finetune" and network_known(one)}
    rows = [row for row in unseen() if row.id in known]
    assert len(rows) > 70
    assert median_of_sources(rows) <= 0.08
    assert p90(rows) <= 0.36


@pytest.mark.parametrize(
    ("regime", "widest"),
    [("layout_known", 1.20), ("layout_chosen", 1.28), ("new_gpu", 1.35), ("moe", 1.60), ("finetune", 1.40)],
)
def test_ranges_hold_four_fifths_of_what_was_left_out(regime: str, widest: float) -> None:
    factor = speed_range_factor(regime)  # type: ignore[arg-type]
    rows = [row for row in unseen() if row.shared and row.regime == regime]
    assert factor <= widest
    assert 0.74 <= mean(abs(row.log_ratio) <= math.log(factor) for row in rows) <= 0.90


@needs_reference
def test_the_constants_are_what_the_rows_say() -> None:
    """A few steps of the fit from the shipped constants go nowhere."""
    rows = observations(TABLES)
    priors = read_priors()
    moved = fit(columns_of(rows), priors, start=shipped(), evaluations=3).constants
    for prior in priors:
        step = abs(math.log(moved[prior.name] / shipped()[prior.name]))
        assert step < 0.25 * (constants()[prior.name].width or prior.width), prior.name


@needs_reference
@pytest.mark.slow
def test_a_left_out_publication_is_reproduced() -> None:
    rows, priors = observations(TABLES), read_priors()
    recorded = {row.id: row.log_ratio for row in unseen()}
    for one in left_out(rows, priors, only="internevo"):
        assert one.log_ratio == pytest.approx(recorded[_id(one.observation)], abs=0.01)


def _id(one: Observation) -> str:
    return one.cells["id"]
