"""What every choice came to: as stated, as the program chose it, or as it follows from other choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop_app.budget.applicability import applies
from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import value_of
from desktop_app.estimation.goodput import CHOICES
from desktop_app.estimation.memory_job import base_precision_of
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.software import software_of
from desktop_app.foundation.units import BITS_PER_BYTE

_OF_THE_PLAN = ("tp", "pp", "cp", "ep", "interleave", "micro_batch")
_OF_THE_ESTIMATE: dict[str, Callable[[Estimate], Any]] = {
    "model": lambda estimate: estimate.model.name,
    "gpu": lambda estimate: estimate.cluster.gpu.name,
    "gpus_per_node": lambda estimate: estimate.cluster.gpus_per_node,
    "global_batch": lambda estimate: estimate.global_batch,
    "sharding": lambda estimate: estimate.sharding,
    "recompute": lambda estimate: estimate.recompute,
    "software": lambda estimate: estimate.software,
    "sequence_parallel": lambda estimate: bool(estimate.plan.sequence_parallel),
    "native_attention": lambda estimate: software_of(estimate.job).native_attention,
    "tp_overlap": lambda estimate: software_of(estimate.job).tp_overlap,
    "moe_stack": lambda estimate: software_of(estimate.job).moe_stack if estimate.shape.experts else None,
    "base_precision": lambda estimate: base_precision_of(estimate.job),
    "network_gbit_per_node": lambda estimate: _gbit_per_s(estimate.cluster.network_bytes_per_s_per_node),
}
_ROUNDED = ("checkpoint_interval_minutes", "checkpoint_write_gb_per_s")  # computed: three digits are enough to see
_OF_A_LINE = ("fx_rate", "mfu", *CHOICES)  # their lines of the ledger name another choice, or none
_EXPERTS_ONLY = ("moe_stack", "capacity_factor", "even_routing")


def effective(budget: Budget, key: str) -> Any:
    """The value that the budget was computed with; None where nothing states it and nothing follows."""
    if key in _OF_THE_PLAN:
        return int(getattr(budget.estimate.plan, key))
    if key in _OF_THE_ESTIMATE:
        return _OF_THE_ESTIMATE[key](budget.estimate)
    if key in ("provider", "region"):
        return getattr(budget.place, key)
    if key in budget.ledger and (budget.ledger[key].field == key or key in _OF_A_LINE):
        value = budget.ledger.value(key)
        return float(f"{value:.3g}") if key in _ROUNDED and value is not None else value
    settled = getattr(budget.estimate.job, key, None)
    return value_of(budget.scenario, key) if settled is None else settled


def matters(budget: Budget, key: str) -> bool:
    """Whether a choice can change this budget: those of experts, say, only where there are any."""
    return applies(key, budget.scenario) and (key not in _EXPERTS_ONLY or budget.estimate.shape.experts > 0)


def _gbit_per_s(bytes_per_s: float) -> float:
    return float(f"{bytes_per_s * BITS_PER_BYTE / 1e9:.6g}")
