"""What is run, in the unit that an allocation panel asks for: whole nodes times hours.

Hours are rounded before they are added up, so that a reader who adds up a column gets its total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.budget.budget import Budget
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import computed
from desktop_app.foundation.expression import Expression, Literal, ref, rounded, rounded_up, total
from desktop_app.foundation.scalar_ops import Number

WORKS = ("run", "lost", "evaluation", "pilot", "idle", "development")
_DIGITS = 1  # decimals of printed hours
NODES, GPU_HOURS, NODE_HOURS = "plan.nodes", "plan.gpu_hours", "plan.node_hours"


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work, with the keys of its lines; its words are `ledger.cost.<name>`."""

    name: str
    hours: str  # on all nodes together
    node_hours: str
    gpu_hours: str


@dataclass(frozen=True, slots=True)
class WorkPlan:
    """All work of a budget, the lines behind it and their values; the sums stand under NODE_HOURS and GPU_HOURS."""

    works: tuple[Work, ...]
    lines: tuple[Line, ...]
    values: Mapping[str, Number | None]


def work_plan(budget: Budget) -> WorkPlan:
    """The work of `budget`; an amount that nobody stated is None and in no sum."""
    works = tuple(
        Work(name, *(f"plan.{name}.{what}" for what in ("hours", "node_hours", "gpu_hours"))) for name in WORKS
    )
    nodes = computed(NODES, "number", "cluster", rounded_up(ref("gpus") / ref("gpus_per_node")))
    lines = (
        nodes,
        *(line for work in works for line in _lines(work)),
        computed(NODE_HOURS, "node_hour", "run", _sum([work.node_hours for work in works])),
        computed(GPU_HOURS, "gpu_hour", "run", _sum([work.gpu_hours for work in works])),
    )
    return WorkPlan(works, lines, evaluated(lines, budget.ledger.values))


def _lines(work: Work) -> tuple[Line, ...]:
    gpu_hours = ref(f"{work.name}_gpu_hours")
    hours = rounded(gpu_hours / ref("gpus"), _DIGITS)
    return (
        computed(work.hours, "hours", "run", hours),
        computed(work.node_hours, "node_hour", "run", rounded(gpu_hours / ref("gpus") * ref(NODES), _DIGITS)),
        computed(work.gpu_hours, "gpu_hour", "run", rounded(gpu_hours, _DIGITS)),
    )


def _sum(keys: list[str]) -> Expression:
    """Of what is known; nothing where the end of the run is not."""
    first, second, *rest = map(ref, keys)
    return rounded(first + second + total(*rest, Literal(0)), _DIGITS)
