"""Reading the tables of this package: every row is a fact with its source and its date."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

Row = Mapping[str, str]


@lru_cache(maxsize=64)
def table(name: str) -> tuple[Row, ...]:
    """The rows of tables/`name`.csv. ValueError for a row without source or date, or of the wrong width: our bug."""
    text = (resources.files(__package__) / "tables" / f"{name}.csv").read_text("utf-8")
    rows = tuple(csv.DictReader(text.splitlines()))
    for row in rows:
        if None in row or None in row.values():
            raise ValueError(f"{name}.csv: the row {row} does not have the columns of its header")
        if not row["source"] or not row["as_of"]:
            raise ValueError(f"{name}.csv: the row {row} has no source or no date")
    return rows


def number(text: str) -> float | None:
    """The number in a cell; None for an empty cell, which is unknown."""
    return float(text) if text else None


def required(row: Row, column: str) -> float:
    """The number in a cell that must not be empty. ValueError otherwise: our bug."""
    if not row[column]:
        raise ValueError(f"the row {row} has no {column}")
    return float(row[column])
