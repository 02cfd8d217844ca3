"""Arithmetic that a reader of the documents would do by hand, done before they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, WorkPlan, work_plan

_CENT, _TENTH = 0.005, 0.05  # half of the last printed decimal
_RANGED = ("cost.total", "wall_days", "gpu_hours", "energy_facility_kwh", "co2e_kg_location")
_PERCENTILES = ("p10", "p50", "p80", "p90")


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """One check. Its words are `self_check.<key>`; `passes` is None where a figure it needs is not known."""

    key: str
    passes: bool | None


def self_checks(dossier: Dossier, plan: WorkPlan | None = None) -> tuple[SelfCheck, ...]:
    """All checks, in order. `plan` is that of the base where it is at hand."""
    base = dossier.base
    return (
        SelfCheck("lines", _lines_add_up(base)),
        SelfCheck("ask", _ask_adds_up(base)),
        SelfCheck("shares", _shares_add_up(base)),
        SelfCheck("options", _all(_lines_add_up(one) for one in _others(dossier))),
        SelfCheck("months", _months_add_up(dossier)),
        SelfCheck("plan", _plan_adds_up(plan or work_plan(base))),
        SelfCheck("percentiles", _all(_in_order(base, key) for key in _RANGED)),
        SelfCheck("risks", _risks_add_up(dossier)),
    )


def _others(dossier: Dossier) -> tuple[Budget, ...]:
    return (*dossier.budgets[1:], *dossier.purchases, *(one.budget for one in dossier.alternatives))


def _all(found: Iterable[bool | None]) -> bool | None:
    """Whether all that are known pass; None where none is known."""
    known = [passes for passes in found if passes is not None]
    return all(known) if known else None


def _close(parts: Iterable[float | None], whole: float | None, tolerance: float = _CENT) -> bool | None:
    if whole is None:
        return None
    return abs(sum(part for part in parts if part is not None) - whole) < tolerance


def _lines_add_up(budget: Budget) -> bool | None:
    return _close((line.amount for line in budget.cost_lines), budget.ledger.value("cost.total"))


def _ask_adds_up(budget: Budget) -> bool | None:
    parts = [budget.ledger.value(key) for key in ("cost.total", "contingency")]
    return None if None in parts else _close(parts, budget.ledger.value("cost.ask"))


def _shares_add_up(budget: Budget) -> bool | None:
    shares = [line.share for line in budget.cost_lines if line.share is not None]
    return _close(shares, 1.0, 1e-6) if shares else None


def _months_add_up(dossier: Dossier) -> bool | None:
    """All months come to the total, line by line, and the last cumulative amount is the total."""
    schedule, base = dossier.schedule, dossier.base
    values, total = schedule.values, base.ledger.value("cost.total")
    if total is None:
        return None
    keys = (("total", "cost.total"), *((line.key, line.key) for line in base.cost_lines))
    sums = [_close((values[month.keys[name]] for month in schedule.months), values[key]) for name, key in keys]
    return _all([*sums, _close([values[schedule.months[-1].keys["cumulative"]]], total)])


def _plan_adds_up(plan: WorkPlan) -> bool | None:
    values = plan.values
    return _all(
        (
            _close((values[work.gpu_hours] for work in plan.works), values[GPU_HOURS], _TENTH),
            _close((values[work.node_hours] for work in plan.works), values[NODE_HOURS], _TENTH),
        )
    )


def _in_order(budget: Budget, key: str) -> bool | None:
    """P10 is no more than P50, that no more than P80, that no more than P90."""
    values = [value for name in _PERCENTILES if (value := budget.ledger.value(f"{key}.{name}")) is not None]
    if len(values) < len(_PERCENTILES):
        return None
    return all(low <= high for low, high in pairwise(values))


def _risks_add_up(dossier: Dossier) -> bool | None:
    values = dossier.risks.values
    expected = (values[risk.expected] for risk in dossier.risks.risks if risk.expected)
    return _close(expected, values["risk.expected"], 0.01)
