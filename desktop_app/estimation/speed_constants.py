"""Constants of the speed model that no choice changes, as the equations read them: one record for the parts of a
layer, one for all that stands round the layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LayerConstants:
    """Of one layer: names of constants.csv, but for `accumulation_sharded_bytes`."""

    selective_recompute: float
    attention_half_sequence: float
    accumulation_sharded_bytes: float
    accumulation_single: float
    context_parallel_exposed: float
    expert_gemm: float
    expert_exchange_bytes: float
    expert_exchange_hidden_unpiped: float
    tensor_parallel_latency_s: float


@dataclass(frozen=True, slots=True)
class ParallelConstants:
    """Of everything round the layers: names of constants.csv."""

    logits_bytes: float
    pipeline_latency_s: float
    last_stage_head_share: float
    overlap_contention: float
    broadcast_latency_s: float
    broadcast_buckets: float
    ring_latency_s: float
    coalesced_rings: float
    optimizer_traversal: float
    optimizer_overhead_s: float


def layer_constants(values: Mapping[str, float]) -> LayerConstants:
    """The record of the layer's constants. KeyError for one that `values` lacks."""
    names = [name for name in LayerConstants.__slots__ if name != "accumulation_sharded_bytes"]
    found = {name: values[name] for name in names}
    return LayerConstants(accumulation_sharded_bytes=values["accumulation_bytes.sharded"], **found)


def parallel_constants(values: Mapping[str, float]) -> ParallelConstants:
    """The record of the constants round the layers. KeyError for one that `values` lacks."""
    return ParallelConstants(**{name: values[name] for name in ParallelConstants.__slots__})
