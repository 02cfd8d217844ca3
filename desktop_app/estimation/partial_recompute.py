"""As much recompute as the memory needs: so many of a stage's layers, not all of them or none.

Megatron-Core, NeMo and torchtitan recompute a stated number of layers or modules; scripts that know only a switch
cannot. Memory lies between that of none and that of full recompute, in proportion to the layers.
"""

from __future__ import annotations

import math

from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape


def smallest_share(shape: Shape, plan: Plan, missing_bytes: float, spare_bytes: float) -> float:
    """The share of layers to recompute, in whole layers of a stage, so that the peak fits.

    `missing_bytes` is what lacks without recompute, `spare_bytes` what is left with all of it; both positive.
    """
    layers = math.ceil(float(shape.layers / plan.pp))
    return min(1.0, math.ceil(layers * missing_bytes / (missing_bytes + spare_bytes)) / layers)


def next_share(shape: Shape, plan: Plan, share: float) -> float:
    """The share with one more layer of a stage recomputed, 1 at most."""
    layers = math.ceil(float(shape.layers / plan.pp))
    return min(1.0, (round(share * layers) + 1) / layers)
