"""Reading a validation table: text cells in, numbers or None out, and plain words for a file that is not one."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from pathlib import Path

from desktop_app.foundation.problems import user_error

Cells = Mapping[str, str]


def cells_of(path: Path, columns: tuple[str, ...]) -> list[Cells]:
    """The rows of a CSV file. Raises UserError when it cannot be read as text or lacks one of `columns`."""
    try:
        rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise user_error("", "problem.table_unreadable", file=path.name) from None
    missing = [column for column in columns if rows and column not in rows[0]]
    if missing or not rows:
        raise user_error("", "problem.table_columns", file=path.name, columns=", ".join(missing or columns))
    return [{key: value or "" for key, value in row.items() if key is not None} for row in rows]


def value(cells: Cells, column: str) -> float | None:
    """The number in a cell; None for an empty cell (not published) and for what no quantity here can be."""
    try:
        number = float(cells[column])
    except (KeyError, ValueError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
