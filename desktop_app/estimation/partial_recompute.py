"""As much recompute as the memory needs: so many of a stage's layers, not all of them or none.

Megatron-Core, NeMo and torchtitan recompute a stated number of layers or modules; scripts that know only a switch
cannot. Memory lies between that of none and that of full recompute, in proportion to the layers.
"""

from __future__ import annotations

import math
from dataclasses import replace

from desktop_app.estimation.memory import MemoryRecipe, PeakMemory, peak_memory
from desktop_app.estimation.memory_moments import Terms
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape


def peak_of(shape: Shape, recipe: MemoryRecipe, plan: Plan, sequence_length: int) -> PeakMemory:
    """The peak of one plan, also where `full_recompute` is a share of the layers between 0 and 1."""
    share = float(plan.full_recompute)
    if share in (0.0, 1.0):
        return peak_memory(shape, recipe, plan, sequence_length)
    none, full = (
        peak_memory(shape, recipe, replace(plan, full_recompute=switch), sequence_length) for switch in (0.0, 1.0)
    )
    moments = tuple(_between(low, high, share) for low, high in zip(full.moments, none.moments, strict=True))
    deciding = max(range(len(moments)), key=lambda index: float(moments[index].total))
    return replace(full, moments=moments, peak=moments[deciding], deciding=deciding)


def smallest_share(shape: Shape, plan: Plan, missing_bytes: float, spare_bytes: float) -> float:
    """The share of layers to recompute, in whole layers of a stage, so that the peak fits.

    `missing_bytes` is what lacks without recompute, `spare_bytes` what is left with all of it; both positive.
    """
    layers = math.ceil(float(shape.layers / plan.pp))
    return min(1.0, math.ceil(layers * missing_bytes / (missing_bytes + spare_bytes)) / layers)


def _between(full: Terms, none: Terms, share: float) -> Terms:
    """The terms of one moment when `share` of the layers recompute."""
    return Terms(*(share * float(a) + (1.0 - share) * float(b) for a, b in zip(full, none, strict=True)))
