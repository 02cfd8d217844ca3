"""What is to be said of a whole run: whether it ends, what eats its time, and what its sums leave out."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Ledger
from desktop_app.budget.scenario import is_set
from desktop_app.estimation.calibration import practice_factor
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import replaced
from desktop_app.foundation.units import MINUTES_PER_HOUR, SECONDS_PER_MINUTE

_WASTEFUL = 0.7  # assumed: of the time on the clock; published runs keep 0.8 and more (sources of run_constants.csv)
_TOLD_IN_HOURS = 10 * MINUTES_PER_HOUR  # "5,940 minutes" says less than "99 hours"
_OF_ADAPTERS = ("lora_rank", "lora_targets", "base_precision")
_OF_EXPERTS = ("moe_stack", "capacity_factor", "even_routing")  # expert parallel is refused: problem.ep_dense


def run_notices(facts: Facts, ledger: Ledger) -> Iterator[Problem]:
    """Checkpoints too rare or too slow for the failures, what eats the time, and what the sums leave out."""
    minutes, stated = _Minutes(ledger), facts.scenario.job.checkpoint_interval_minutes
    told = minutes.told()
    if ledger.value("goodput") is None:
        yield _endless(minutes, stated is not None)
    if stated is not None and minutes.interval > minutes.mtbf:
        yield Problem("checkpoint_interval_minutes", "problem.interval_above_mtbf", told, "warning")
    if minutes.write > minutes.interval:
        field = "checkpoint_write_gb_per_s" if stated is None else "checkpoint_interval_minutes"
        yield Problem(field, "problem.write_above_interval", told, "warning")
    yield from _wasted(ledger, told)
    yield from _without_effect(facts)
    yield from _steady(facts)
    if facts.scenario.price.development_multiplier is None:
        yield Problem("development_multiplier", "problem.development_left_out", {}, "note")
    start = facts.scenario.beside.start_date
    if start is not None and start < facts.scenario.today:
        yield Problem("start_date", "problem.start_past", {"text": start.isoformat()}, "warning")


class _Minutes:
    """The four times that a run lives by, in minutes."""

    def __init__(self, ledger: Ledger) -> None:
        """Read them from the ledger."""
        value = ledger.value
        self.mtbf = (value("mtbf_hours") or 0.0) * MINUTES_PER_HOUR
        self.write = (value("checkpoint_write_s") or 0.0) / SECONDS_PER_MINUTE
        self.interval = value("checkpoint_interval_minutes") or 0.0
        self.restart = value("restart_minutes") or 0.0
        self.attempt = (value("attempt_hours") or 0.0) * MINUTES_PER_HOUR  # what one interval takes on the clock

    def told(self) -> dict[str, str | float | Problem]:
        """The times as a sentence tells them."""
        times = {"mtbf": self.mtbf, "interval": self.interval, "write": self.write, "restart": self.restart}
        return {name: _time(minutes) for name, minutes in times.items()}


def _endless(minutes: _Minutes, interval_stated: bool) -> Problem:
    """Why a run never finishes: the checkpoints take the time, or failures come before the longest step is done."""
    failing = minutes.attempt - minutes.interval - minutes.write
    if minutes.write >= failing:
        field = "checkpoint_interval_minutes" if interval_stated else "checkpoint_write_gb_per_s"
        return Problem(field, "problem.never_finishes_writing", minutes.told(), "error")
    key = "problem.never_finishes"
    if minutes.interval < max(minutes.write, minutes.restart):
        key = f"{key}_restart" if minutes.restart >= minutes.write else f"{key}_write"
    return Problem("mtbf_gpu_hours", key, minutes.told(), "error")


def _wasted(ledger: Ledger, told: dict[str, str | float | Problem]) -> Iterator[Problem]:
    """What eats the time of a run that trains for less than `_WASTEFUL` of it, by the largest part."""
    goodput, wall = ledger.value("goodput"), ledger.value("wall_hours")
    if goodput is None or not wall or goodput >= _WASTEFUL:
        return
    parts = {
        name: (ledger.value(f"{name}_hours") or 0.0) / wall for name in ("failure", "checkpoint", "stall", "warm_up")
    }
    largest = max(parts, key=parts.__getitem__)
    fields = {
        "failure": "mtbf_gpu_hours",
        "checkpoint": "checkpoint_write_gb_per_s",
        "stall": "data_stall_share",
        "warm_up": "restart_minutes",
    }
    values = {**told, "share": round(100 * goodput), "part": round(100 * parts[largest])}
    yield Problem(fields[largest], f"problem.wasted_{largest}", values, "note" if largest == "warm_up" else "warning")


def _steady(facts: Facts) -> Iterator[Problem]:
    """A stated efficiency drops what whole runs take beyond a steady state."""
    job, estimate = facts.estimate.job, facts.estimate
    factor = practice_factor(1.0, replaced(job, mfu=None), estimate.shape, estimate.cluster.gpus)
    if job.mfu is not None and factor > 1:
        yield Problem("mfu", "problem.mfu_steady", {"factor": factor}, "note")


def _without_effect(facts: Facts) -> Iterator[Problem]:
    """Choices about experts made for a model without any, and about adapters where all weights are trained."""
    job, estimate = facts.scenario.job, facts.estimate
    if job.method == "full":
        for key in _OF_ADAPTERS:
            if is_set(facts.scenario, key) and getattr(job, key) is not None:
                yield Problem(key, "problem.no_adapters", {"choice": Problem("", f"field.{key}")}, "note")
    if estimate.shape.experts:
        return
    for key in _OF_EXPERTS:
        if getattr(job, key) not in (None, False):
            values: dict[str, str | float | Problem] = {
                "model": estimate.model.name,
                "choice": Problem("", f"field.{key}"),
            }
            yield Problem(key, "problem.no_experts", values, "note")


def _time(minutes: float) -> Problem:
    """A span of time to three digits, as a sentence of its own: one minute is no minutes."""
    if minutes >= _TOLD_IN_HOURS:
        return Problem("", "span.hours", {"count": float(f"{minutes / MINUTES_PER_HOUR:.3g}")})
    return Problem("", "span.minutes", {"count": float(f"{minutes:.3g}")})
