"""What is said when a saved project is opened and its figures are others today: prices or the model moved on."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.budget.budget import Budget
from desktop_app.budget.project import Drift, Project, drift
from desktop_app.foundation.problems import Problem

REMEMBERED = ("cost.total", "wall_days", "energy_facility_kwh", "co2e_kg_location")
"""What a reader of a file remembers of it."""


def with_drift(budget: Budget, project: Project, scenario: int = 0) -> Budget:
    """The budget of an opened scenario, with a warning first where the figures in the file were others.

    The file keeps its own figures until it is saved again: nothing that was decided on changes unseen.
    """
    told = drift_problem(budget, project, scenario)
    return budget if told is None else replace(budget, problems=(told, *budget.problems))


def drift_problem(budget: Budget, project: Project, scenario: int = 0) -> Problem | None:
    """The warning where a figure of a scenario of `project` was another one when it was kept; None where none was."""
    if scenario >= len(project.snapshots):
        return None
    moved = {change.key: change for change in drift(project.snapshots[scenario], budget)}
    key = next((key for key in REMEMBERED if key in moved), None)
    return None if key is None else _problem(moved[key], budget)


def _problem(change: Drift, budget: Budget) -> Problem:
    unit = budget.ledger[change.key].unit
    values: dict[str, str | float | Problem] = {
        "figure": Problem("", f"ledger.{change.key}"),
        "unit": budget.currency if unit == "currency" else Problem("", f"unit.{unit}"),
        "stored": _told(change.stored),
        "fresh": _told(change.fresh),
    }
    return Problem("", "problem.saved_figure", values, "warning")


def _told(value: float | None) -> float | Problem:
    return Problem("", "source.not_known") if value is None else float(f"{value:.6g}")  # enough to see the difference
