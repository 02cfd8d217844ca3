"""Every legal layout of a job at once, as NumPy columns through the same equations as a single estimate."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from desktop_app.estimation.layout import grids, plans, shardings
from desktop_app.estimation.layout_choice import Question, wide
from desktop_app.estimation.memory import allowance, peak_memory
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.step_time import step_time
from desktop_app.estimation.training_job import Recompute

RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


@dataclass(frozen=True, slots=True)
class PlanColumns:
    """Plans and what they come to; every field a column of the same length."""

    plans: Plan  # each field a column
    step_time_s: Any
    live_peak_bytes: Any
    peak_high_bytes: Any  # with the cautious allowance

    def fastest_that_fits(self, usable_bytes: float) -> int | None:
        """The row of the fastest plan whose cautious peak fits; None when none does."""
        import numpy as np

        times = np.where(self.peak_high_bytes <= usable_bytes, self.step_time_s, np.inf)
        row = int(np.argmin(times))
        return row if np.isfinite(times[row]) else None


def legal_plans(question: Question) -> list[Plan]:
    """All legal plans that the job leaves open, without the pruning of a single choice."""
    job = question.job
    recomputes = (job.recompute,) if job.recompute else RECOMPUTES
    return [
        plan
        for grid in grids(question.shape, job, question.cluster, wide(question.software))
        for sharding in shardings(job, grid, question.software)
        for recompute in recomputes
        for plan in plans(question.shape, job, grid, question.global_batch, sharding, recompute)
    ]


def columns_of(rows: list[Plan]) -> Plan:
    """One plan whose fields are columns of floats. ValueError when there is no plan."""
    import numpy as np

    if not rows:
        raise ValueError("no plans")
    names = [field.name for field in dataclasses.fields(Plan)]
    return Plan(**{name: np.array([getattr(row, name) for row in rows], dtype=float) for name in names})


def evaluate_columns(question: Question, columns: Plan) -> PlanColumns:
    """Step time and memory of a column of plans."""
    import numpy as np

    time = step_time(question.shape, question.settings, columns, np)
    peak = peak_memory(question.shape, question.recipe, columns, question.job.sequence_length, np)
    live = peak.peak.total
    more = allowance(live, question.recipe, columns, question.cluster.nodes, np)
    return PlanColumns(columns, time.step_s, live, live + more.high)
