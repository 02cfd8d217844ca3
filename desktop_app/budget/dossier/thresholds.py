"""Training compute against the thresholds of published rules. Facts with a date; never legal advice."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from desktop_app.budget.budget import Budget
from desktop_app.budget.constants import constants
from desktop_app.foundation.records import Source


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold. Its words are threshold.<key> (the rule) and threshold.<key>.status (in force, revoked ...)."""

    key: str
    flop: float
    share: float | None  # of it that this budget reaches, development runs included
    reached: bool | None
    source: Source


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """One row of compute_thresholds.csv."""

    key: str
    flop: float
    source: Source


def thresholds_of(budget: Budget) -> tuple[Threshold, ...]:
    """All thresholds, lowest first."""
    spent = counted_flop(budget)
    return tuple(
        Threshold(
            key=row.key,
            flop=row.flop,
            share=None if spent is None else spent / row.flop,
            reached=None if spent is None else spent >= row.flop,
            source=row.source,
        )
        for row in threshold_rows()
    )


def counted_flop(budget: Budget) -> float | None:
    """FLOP of the run, with development runs where they are stated; what went into a model it starts from is not in."""
    value = budget.ledger.value
    run = value("training_flops")
    return None if run is None else run * (value("development_multiplier") or 1.0)


def modifies(budget: Budget) -> bool:
    """Whether the job most likely trains an existing model further, whose own compute then counts as well.

    Adapters always do; full training does where its tokens are too few to train a model from nothing.
    """
    if budget.scenario.job.method != "full":
        return True
    tokens, parameters, rows = budget.estimate.job.tokens, budget.estimate.shape.params_active, constants()
    few = parameters * rows["fine_tuning_tokens_per_parameter"].value
    return bool(tokens < min(few, rows["fine_tuning_tokens"].value))


@lru_cache(maxsize=1)
def threshold_rows() -> tuple[ThresholdRow, ...]:
    """All rows, lowest first. ValueError for one without source or date, or that is no number: our bug."""
    text = (resources.files(__package__) / "tables" / "compute_thresholds.csv").read_text("utf-8")
    rows = [_row(cells) for cells in csv.DictReader(text.splitlines())]
    return tuple(sorted(rows, key=lambda row: row.flop))


def _row(cells: dict[str, str]) -> ThresholdRow:
    if not cells["source"] or not cells["as_of"]:
        raise ValueError(f"threshold {cells['key']} has no source or no date")
    return ThresholdRow(cells["key"], float(cells["flop"]), Source(cells["source"], cells["as_of"]))
