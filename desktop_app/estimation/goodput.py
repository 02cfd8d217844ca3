"""From the time of one step to the days and GPU-hours of the whole run, as formulas that every document shares.

A run saves checkpoints, stops unexpectedly now and then, loses the work since the last checkpoint and restarts. The
interval between checkpoints is the one that loses least (Young 1974; Daly 2006). Evaluation is a budget line of its
own and not in here; the 1 % of stalls is loading data and the like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.estimation.calibration import constant, constants
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.expression import Expression, ref, rounded_up, square_root
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number, Ops
from desktop_app.foundation.units import HOURS_PER_DAY, SECONDS_PER_HOUR

GIVEN = ("tokens", "global_batch", "sequence_length", "step_time_s", "gpus")
"""What a run starts from: the job, the cluster and the speed."""

CONSTANTS = ("mtbf_gpu_hours", "checkpoint_write_s", "restart_hours", "stall_share")
"""Rows of constants.csv that a run needs; the ledger shows each as a line with its source."""


@dataclass(frozen=True, slots=True)
class RunFormula:
    """One computed line of a whole run."""

    key: str
    unit: str
    expression: Expression


def _goodput() -> Expression:
    """(1 - stalls) / (1 + write/interval + (interval/2 + restart)/mtbf): useful time over wall time."""
    interval_hours = ref("checkpoint_interval_s") / SECONDS_PER_HOUR
    writing = ref("checkpoint_write_s") / ref("checkpoint_interval_s")
    stopping = (interval_hours / 2 + ref("restart_hours")) / ref("mtbf_hours")
    return (1 - ref("stall_share")) / (1 + writing + stopping)


FORMULAS: tuple[RunFormula, ...] = (
    RunFormula("steps", "step", rounded_up(ref("tokens") / (ref("global_batch") * ref("sequence_length")))),
    RunFormula("net_hours", "hours", ref("steps") * ref("step_time_s") / SECONDS_PER_HOUR),
    RunFormula("mtbf_hours", "hours", ref("mtbf_gpu_hours") / ref("gpus")),
    RunFormula(
        "checkpoint_interval_s",
        "s",
        square_root(2 * ref("checkpoint_write_s") * (ref("mtbf_hours") * SECONDS_PER_HOUR)),
    ),
    RunFormula("goodput", "share", _goodput()),
    RunFormula("wall_hours", "hours", ref("net_hours") / ref("goodput")),
    RunFormula("wall_days", "days", ref("wall_hours") / HOURS_PER_DAY),
    RunFormula("run_gpu_hours", "gpu_hour", ref("net_hours") * ref("gpus")),
    RunFormula("gpu_hours", "gpu_hour", ref("wall_hours") * ref("gpus")),
    RunFormula("lost_gpu_hours", "gpu_hour", ref("gpu_hours") - ref("run_gpu_hours")),
)
"""Each line computed from `GIVEN`, `CONSTANTS` and earlier lines, in order."""


def run_constant(key: str) -> tuple[float, Source]:
    """The value and the source of one of `CONSTANTS`."""
    return constant(key), constants()[key].source


def whole_run(values: Mapping[str, Number | None], ops: Ops = scalar_ops) -> dict[str, Number | None]:
    """Every line of a run. `values` holds `GIVEN`, and may replace any of `CONSTANTS`. KeyError for a missing one."""
    known: dict[str, Number | None] = {key: constant(key) for key in CONSTANTS} | dict(values)
    for formula in FORMULAS:
        known[formula.key] = formula.expression.evaluate(known, ops)
    return known
