"""From the time of one step to the days and GPU-hours of the whole run, as formulas that every document shares.

A run waits for data, saves checkpoints, stops unexpectedly now and then, loses the work since the last checkpoint and
restarts. With failures at random, M hours apart on average, and a restart that takes R, an interval of useful work and
the checkpoint that ends it take M * exp(R / M) * (exp((interval + write) / M) - 1) on the clock (Daly 2006, Future
Generation Computer Systems 22, equation 13). The interval is the one that loses least, sqrt(2 * write * M) (Young
1974), unless it is stated. Evaluation is a budget line of its own and not in goodput; it runs on the same machines, so
it does lengthen the wall time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.results import Estimate
from desktop_app.estimation.table_files import number, required, table
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.expression import Expression, exponential, ref, rounded_up, smallest, square_root
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number, Ops
from desktop_app.foundation.units import (
    BYTES_PER_GB,
    HOURS_PER_DAY,
    MINUTES_PER_HOUR,
    SECONDS_PER_HOUR,
    SECONDS_PER_MINUTE,
)

GIVEN = (
    "tokens", "global_batch", "sequence_length", "step_time_s", "gpus", "gpus_per_node", "params_trainable",
    "checkpoint_bytes_per_parameter", "evaluation_percent",
    "practice_factor", "padding_share",
)  # fmt: skip
"""What a run starts from: the job, the cluster, the speed, and the state that a checkpoint holds."""

CONSTANTS = (
    "mtbf_gpu_hours", "restart_minutes", "warm_up_minutes", "data_stall_share", "checkpoint_pause_s",
    "node_write_gb_per_s", "storage_write_gb_per_s",
)  # fmt: skip
"""Rows of run_constants.csv that a run needs; the ledger shows each as a line with its source."""

CHOICES = (
    "mtbf_gpu_hours", "restart_minutes", "data_stall_share", "checkpoint_write_gb_per_s", "checkpoint_interval_minutes",
)  # fmt: skip
"""Lines of a run that are choices of the user too, under the same key."""


@dataclass(frozen=True, slots=True)
class RunConstant:
    """One row of run_constants.csv; `low` and `high` are the lowest and highest published (or plausible) values."""

    name: str
    value: float
    low: float | None
    high: float | None
    unit: str
    source: Source


@dataclass(frozen=True, slots=True)
class RunFormula:
    """One computed line of a whole run."""

    key: str
    unit: str
    expression: Expression
    idle: tuple[str, ...] = ()  # constants that nothing reads where the choice of this key is stated


def _interval_hours() -> Expression:
    return ref("checkpoint_interval_minutes") / MINUTES_PER_HOUR


def _stops_per_interval() -> Expression:
    exposed = _interval_hours() + ref("checkpoint_write_s") / SECONDS_PER_HOUR
    return smallest(exposed / ref("mtbf_hours"), _MOST_STOPS)


def _stops_per_restart() -> Expression:
    return smallest(ref("restart_minutes") / MINUTES_PER_HOUR / ref("mtbf_hours"), _MOST_STOPS)


def _attempt() -> Expression:
    """Hours on the clock for one interval of useful work and its checkpoint, failures and restarts included."""
    redone = exponential(ref("stops_per_interval")) - 1
    return ref("mtbf_hours") * exponential(ref("stops_per_restart")) * redone


def _interval() -> Expression:
    seconds = square_root(2 * ref("checkpoint_write_s") * (ref("mtbf_hours") * SECONDS_PER_HOUR))
    return seconds / SECONDS_PER_MINUTE


def _write_speed() -> Expression:
    nodes = rounded_up(ref("gpus") / ref("gpus_per_node"))
    return smallest(nodes * ref("node_write_gb_per_s"), ref("storage_write_gb_per_s"))


def _written() -> Expression:
    return ref("net_hours") / _interval_hours() * ref("checkpoint_write_s") / SECONDS_PER_HOUR


def _stalled() -> Expression:
    return ref("net_hours") * ref("data_stall_share") / (1 - ref("data_stall_share"))


def _failed() -> Expression:
    rest = ref("wall_hours") - ref("net_hours") - ref("stall_hours")
    return rest - ref("checkpoint_hours") - ref("warm_up_hours")


_MOST_STOPS = 100  # exp(100) is 1e43: hopeless already, and the product of two such still a number
_STATE_BYTES = ref("params_trainable") * ref("checkpoint_bytes_per_parameter")
FORMULAS: tuple[RunFormula, ...] = (
    RunFormula(
        "steps",
        "step",
        rounded_up(ref("tokens") / (ref("global_batch") * ref("sequence_length") * (1 - ref("padding_share")))),
    ),
    RunFormula("net_hours", "hours", ref("steps") * ref("step_time_s") * ref("practice_factor") / SECONDS_PER_HOUR),
    RunFormula("mtbf_hours", "hours", ref("mtbf_gpu_hours") / ref("gpus")),
    RunFormula("checkpoint_gb", "gb", _STATE_BYTES / BYTES_PER_GB),
    RunFormula(
        "checkpoint_write_gb_per_s", "gb_per_s", _write_speed(), ("node_write_gb_per_s", "storage_write_gb_per_s")
    ),
    RunFormula(
        "checkpoint_write_s",
        "s",
        ref("checkpoint_pause_s") + ref("checkpoint_gb") / ref("checkpoint_write_gb_per_s"),
    ),
    RunFormula("checkpoint_interval_minutes", "minute", _interval()),
    RunFormula("stops_per_interval", "failure", _stops_per_interval()),
    RunFormula("stops_per_restart", "failure", _stops_per_restart()),
    RunFormula("attempt_hours", "hours", _attempt()),
    RunFormula("steady_goodput", "share", (1 - ref("data_stall_share")) * _interval_hours() / ref("attempt_hours")),
    RunFormula("warm_up_hours", "hours", smallest(ref("warm_up_minutes"), ref("restart_minutes")) / MINUTES_PER_HOUR),
    RunFormula(
        "goodput",
        "share",
        ref("net_hours") / (ref("net_hours") / ref("steady_goodput") + ref("warm_up_hours")),
    ),
    RunFormula("wall_hours", "hours", ref("net_hours") / ref("goodput")),
    RunFormula("stall_hours", "hours", _stalled()),
    RunFormula("checkpoint_hours", "hours", _written()),
    RunFormula("failure_hours", "hours", _failed()),
    RunFormula("failures", "failure", ref("wall_hours") / ref("mtbf_hours")),
    RunFormula("evaluation_hours", "hours", ref("net_hours") * ref("evaluation_percent") / 100),
    RunFormula("wall_days", "days", (ref("wall_hours") + ref("evaluation_hours")) / HOURS_PER_DAY),
    RunFormula("run_gpu_hours", "gpu_hour", ref("net_hours") * ref("gpus")),
    RunFormula("gpu_hours", "gpu_hour", ref("wall_hours") * ref("gpus")),
    RunFormula("lost_gpu_hours", "gpu_hour", ref("gpu_hours") - ref("run_gpu_hours")),
)
"""Each line computed from `GIVEN`, `CONSTANTS` and earlier lines, in order."""

LEAST_GOODPUT = 0.001  # assumed: below, the clock runs a thousand times as long as the work: nobody sees the end


@lru_cache(maxsize=1)
def run_constants() -> Mapping[str, RunConstant]:
    """Every row of run_constants.csv by name."""
    return {
        row["name"]: RunConstant(
            row["name"],
            required(row, "value"),
            number(row["low"]),
            number(row["high"]),
            row["unit"],
            Source(row["source"], row["as_of"]),
        )
        for row in table("run_constants")
    }


def values_of(estimate: Estimate, evaluation_percent: float = 0.0) -> dict[str, Number | None]:
    """`GIVEN` of an estimate, for `whole_run`; the wall time then holds so much evaluation."""
    return {
        "tokens": estimate.job.tokens,
        "global_batch": estimate.global_batch,
        "sequence_length": estimate.job.sequence_length,
        "step_time_s": estimate.step_time_s,
        "gpus": estimate.cluster.gpus,
        "gpus_per_node": estimate.cluster.gpus_per_node,
        "params_trainable": estimate.params_trainable,
        "checkpoint_bytes_per_parameter": estimate.checkpoint_bytes_per_parameter,
        "evaluation_percent": evaluation_percent,
        "practice_factor": estimate.practice_factor,
        "padding_share": estimate.job.padding_share,
    }


def whole_run(values: Mapping[str, Number | None], ops: Ops = scalar_ops) -> dict[str, Number | None]:
    """Every line of a run. `values` holds `GIVEN` and may replace `CONSTANTS` and `CHOICES`. KeyError for one missing.

    Below `LEAST_GOODPUT` the run never finishes (`never_finishes`); the numbers are then as large as they come out.
    """
    known: dict[str, Number | None] = {name: run_constants()[name].value for name in CONSTANTS} | dict(values)
    for formula in FORMULAS:
        if formula.key not in values:
            known[formula.key] = formula.expression.evaluate(known, ops)
    return known


def never_finishes(steady_goodput: Number | None) -> bool:
    """Whether failures come so often that a run makes no progress worth the name, its start not counted."""
    return steady_goodput is not None and float(steady_goodput) < LEAST_GOODPUT
