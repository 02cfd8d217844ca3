"""What a choice that was left open comes to, so that its box can show it."""

from collections.abc import Callable
from typing import Any

from desktop_app.budget.budget import Budget
from desktop_app.budget.place import place_of
from desktop_app.budget.scenario import value_of
from desktop_app.estimation.goodput import CHOICES
from desktop_app.estimation.memory_job import base_precision_of
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.software import software_of
from desktop_app.foundation.units import BITS_PER_BYTE
from pricing.catalogue import Catalogue

_OF_THE_ESTIMATE: dict[str, Callable[[Estimate], Any]] = {
    "sharding": lambda estimate: estimate.sharding,
    "recompute": lambda estimate: estimate.recompute,
    "software": lambda estimate: estimate.software,
    "interleave": lambda estimate: estimate.plan.interleave,
    "sequence_parallel": lambda estimate: bool(estimate.plan.sequence_parallel),
    "native_attention": lambda estimate: software_of(estimate.job).native_attention,
    "tp_overlap": lambda estimate: software_of(estimate.job).tp_overlap,
    "moe_stack": lambda estimate: software_of(estimate.job).moe_stack if estimate.shape.experts else None,
    "base_precision": lambda estimate: base_precision_of(estimate.job),
    "network_gbit_per_node": lambda estimate: _gbit_per_s(estimate.cluster.network_bytes_per_s_per_node),
}
_ROUNDED = ("checkpoint_interval_minutes", "checkpoint_write_gb_per_s")  # computed: three digits are enough to see
_OF_A_LINE = ("fx_rate", "mfu", *CHOICES)  # their lines of the ledger name another choice, or none


def effective(budget: Budget, catalogue: Catalogue, key: str) -> Any:
    """The value that the budget was computed with; None when there is none to show."""
    if key in _OF_THE_ESTIMATE:
        return _OF_THE_ESTIMATE[key](budget.estimate)
    if key == "region":
        return place_of(budget.scenario, budget.estimate.cluster.gpu.name, catalogue).region
    if key in budget.ledger and (budget.ledger[key].field == key or key in _OF_A_LINE):
        value = budget.ledger.value(key)
        return float(f"{value:.3g}") if key in _ROUNDED and value is not None else value
    return value_of(budget.scenario, key)


def _gbit_per_s(bytes_per_s: float) -> float:
    return float(f"{bytes_per_s * BITS_PER_BYTE / 1e9:.6g}")
