"""The lines of the run: from steps to days and GPU-hours, by the formulas of the estimation core."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import chosen, computed, predicted, unknown, yours
from desktop_app.budget.lines_price import PRICE
from desktop_app.budget.lines_spot import (
    BEFORE_DAYS,
    MTBF_HOURS,
    OVERRIDES,
    break_even_line,
    hazard_lines,
    hazard_per_hour,
    is_spot,
)
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
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.units import SECONDS_PER_HOUR

_COMPUTED = {formula.key: computed(formula.key, formula.unit, "run", formula.expression) for formula in FORMULAS}
RUN_MFU = ref("training_flops") / (ref("gpu_hours") * SECONDS_PER_HOUR) / ref("peak_flops")

_RUN_MFU_LINE = computed("run_mfu", "share", "run", RUN_MFU)


def run_lines(facts: Facts, priced: Mapping[str, Number | None]) -> tuple[Line, ...]:
    """Failures, checkpoints and stalls as constants or as stated, then every formula of the run.

    `priced` are the values of the lines of the price: interruptions of a spot run depend on its instances. A run that
    makes no progress has no goodput: it and all that is computed from it are unknown, and the problems say that it
    never finishes.
    """
    stated = {key: value for key in CHOICES if (value := value_of(facts.scenario, key)) is not None}
    evaluation = facts.scenario.price.evaluation_percent
    rows = {name: run_constants()[name].value for name in CONSTANTS}
    run = {**rows, **values_of(facts.estimate, evaluation), **stated}
    spot = is_spot(facts)
    if spot:
        hazard = hazard_per_hour(facts, priced)
        known = {**run, "mtbf_hours": MTBF_HOURS.evaluate({**run, "spot_hazard_per_hour": hazard})}
    hopeless = never_finishes(whole_run(known if spot else run)["steady_goodput"])
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
        *hazard_lines(facts),
        *chain.from_iterable(_formula_lines(formula, facts, hopeless) for formula in FORMULAS),
        _RUN_MFU_LINE,
        *((break_even_line(facts, run, priced[PRICE], priced.get("on_demand_usd_per_gpu_hour")),) if spot else ()),
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


def _formula_lines(formula: RunFormula, facts: Facts, hopeless: bool) -> tuple[Line, ...]:
    """A formula of the run, or what the user states in its place; no goodput where there is no progress."""
    key, unit = formula.key, formula.unit
    typed = value_of(facts.scenario, key) if key in CHOICES else None
    if typed is not None:
        return (yours(key, unit, "run", typed, facts),)
    if hopeless and key == "goodput":
        return (unknown(key, unit, "run"),)
    if is_spot(facts) and key in OVERRIDES:
        before = BEFORE_DAYS if key == "wall_days" else ()
        return (*before, computed(key, unit, "run", OVERRIDES[key]))
    return (_COMPUTED[key],)
