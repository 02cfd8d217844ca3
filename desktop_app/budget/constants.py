"""The constants of a budget that are nobody's choice, with their sources: rows of tables/budget_constants.csv."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from desktop_app.foundation.records import Source


@dataclass(frozen=True, slots=True)
class Constant:
    """One row. `low` and `high` are its P10 and P90, where it has a range."""

    key: str
    value: float
    low: float | None
    high: float | None
    unit: str
    source: Source


@lru_cache(maxsize=1)
def constants() -> Mapping[str, Constant]:
    """All rows by key. ValueError for a row without source or date, or whose range does not hold its value: our bug."""
    text = (resources.files(__package__) / "tables" / "budget_constants.csv").read_text("utf-8")
    rows = {row["key"]: _constant(row) for row in csv.DictReader(text.splitlines())}
    if len(rows) != len(text.splitlines()) - 1:
        raise ValueError("budget_constants.csv has a key twice")
    return rows


def _constant(row: dict[str, str]) -> Constant:
    if not row["source"] or not row["as_of"]:
        raise ValueError(f"constant {row['key']} has no source or no date")
    value, low, high = float(row["value"]), _number(row["low"]), _number(row["high"])
    if (low is None) != (high is None) or (low is not None and high is not None and not low <= value <= high):
        raise ValueError(f"constant {row['key']}: {low} <= {value} <= {high} does not hold")
    return Constant(row["key"], value, low, high, row["unit"], Source(row["source"], row["as_of"]))


def _number(text: str) -> float | None:
    return float(text) if text else None
