"""The lines of the run: from steps to days and GPU-hours, by the formulas of the estimation core."""

from __future__ import annotations

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import chosen, computed, predicted, unknown, yours
from desktop_app.budget.scenario import value_of
from desktop_app.estimation.calibration import constants
from desktop_app.estimation.goodput import (
    CHOICES,
    CONSTANTS,
    FORMULAS,
    RunFormula,
    never_finishes,
    run_constants,
    values_of,
    whole_run,
)
from desktop_app.foundation.expression import ref
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import SECONDS_PER_HOUR

RUN_MFU = ref("training_flops") / (ref("gpu_hours") * SECONDS_PER_HOUR) / ref("peak_flops")


def run_lines(facts: Facts) -> tuple[Line, ...]:
    """Failures, checkpoints and stalls as constants or as stated, then every formula of the run.

    A run that makes no progress has no goodput: it and all that is computed from it are unknown, and the problems say
    that it never finishes.
    """
    stated = {key: value for key in CHOICES if (value := value_of(facts.scenario, key)) is not None}
    evaluation = facts.scenario.price.evaluation_percent
    hopeless = never_finishes(whole_run({**values_of(facts.estimate, evaluation), **stated})["steady_goodput"])
    idle = {name for formula in FORMULAS if formula.key in stated for name in formula.idle}
    return (
        chosen("evaluation_percent", "percent", "run", evaluation, facts),
        predicted(
            "checkpoint_bytes_per_parameter",
            "byte_per_parameter",
            "run",
            facts.estimate.checkpoint_bytes_per_parameter,
        ),
        _practice_line(facts.estimate.practice_factor),
        *(_constant_line(name, facts) for name in CONSTANTS if name not in idle),
        *(_formula_line(formula, facts, hopeless) for formula in FORMULAS),
        computed("run_mfu", "share", "run", RUN_MFU),
    )


def _practice_line(factor: float) -> Line:
    """What published runs took beyond the best layout in steady state; 1 where the settings are the user's own."""
    measured = Source("source.practice", constants()["practice_factor"].source.as_of)
    source = measured if factor > 1 else Source("source.layout_stated", "")
    return Line("practice_factor", "factor", "run", source, given=factor, tag="default")


def _constant_line(name: str, facts: Facts) -> Line:
    """A constant of the run, or what the user states in its place."""
    row = run_constants()[name]
    if name not in CHOICES:
        return Line(name, row.unit, "run", row.source, given=row.value, tag="default")
    typed = value_of(facts.scenario, name)
    if typed is not None:
        return yours(name, row.unit, "run", typed, facts)
    return Line(name, row.unit, "run", row.source, given=row.value, tag="default", field=name)


def _formula_line(formula: RunFormula, facts: Facts, hopeless: bool) -> Line:
    """A formula of the run, or what the user states in its place; no goodput where there is no progress."""
    typed = value_of(facts.scenario, formula.key) if formula.key in CHOICES else None
    if typed is not None:
        return yours(formula.key, formula.unit, "run", typed, facts)
    if hopeless and formula.key == "goodput":
        return unknown(formula.key, formula.unit, "run")
    return computed(formula.key, formula.unit, "run", formula.expression)


def development_lines(facts: Facts) -> tuple[Line, ...]:
    """Trial and failed runs as a multiple of the final run, where the user says so; they lengthen no wall time."""
    multiplier = facts.scenario.price.development_multiplier
    if multiplier is None:
        return ()
    return (
        yours("development_multiplier", "ratio", "run", multiplier, facts),
        computed("development_gpu_hours", "gpu_hour", "run", (ref("development_multiplier") - 1) * ref("gpu_hours")),
    )
