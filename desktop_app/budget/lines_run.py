"""The lines of the run: from steps to days and GPU-hours, by the formulas of the estimation core."""

from __future__ import annotations

from functools import lru_cache

from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import computed
from desktop_app.estimation.calibration import constants
from desktop_app.estimation.goodput import CONSTANTS, FORMULAS


@lru_cache(maxsize=1)
def run_lines() -> tuple[Line, ...]:
    """Failures, checkpoints and restarts as constants with their sources, then every formula of the run."""
    rows = [constants()[key] for key in CONSTANTS]
    given = (
        Line(row.name, _UNITS.get(row.unit, row.unit), "run", row.source, given=row.value, tag="default")
        for row in rows
    )
    return (*given, *(computed(line.key, line.unit, "run", line.expression) for line in FORMULAS))


_UNITS = {"hour": "hours"}  # unit codes of the estimation tables -> those of the catalogue
