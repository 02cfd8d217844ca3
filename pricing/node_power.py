"""What a node draws while training: neither the TDP of its GPUs alone nor its nameplate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from pricing.records import GpuPhysical, GpuPower, NodePower, NodeRating, PowerShare

WATTS_PER_KW = 1000

Shares = Mapping[str, tuple[PowerShare, ...]]


def node_power_of(
    gpu: str, gpu_count: int, ratings: Sequence[NodeRating], physical: GpuPhysical | None, shares: Shares
) -> NodePower | None:
    """Training power of a node of `gpu_count` GPUs, best evidence first; None when nothing is known of the GPU.

    1. measured:     the measured training power of such a node
    2. rated_share:  maximum rating x share of it that training draws
    3. tdp_factor:   GPUs x TDP x factor for the host around that class of card
    A row for another number of GPUs is carried over per GPU, with a wider range.
    """
    nodes = [row for row in ratings if row.kind != "cluster"]
    if nodes:
        nearest = min(nodes, key=lambda row: (abs(log(row.gpu_count / gpu_count)), row.gpu_count))
        return _from_rating(nearest, gpu_count, shares)
    if physical is not None and physical.tdp_w is not None:
        return _from_tdp(physical, physical.tdp_w, gpu_count, shares)
    return None


def gpu_power_of(physical: GpuPhysical | None, shares: Shares) -> GpuPower | None:
    """Power of one GPU alone: TDP / 1000 x the share of it that its own meter shows; None when its TDP is unknown."""
    if physical is None or physical.tdp_w is None:
        return None
    share, tdp_kw = shares["gpu_alone"][0], physical.tdp_w / WATTS_PER_KW
    return GpuPower(
        gpu=physical.gpu,
        training_kw=share.central * tdp_kw,
        training_kw_low=share.low * tdp_kw,
        training_kw_high=share.high * tdp_kw,
        source=f"TDP {physical.tdp_w:g} W ({physical.source}); {share.source}",
        as_of=share.as_of,
    )


def _from_rating(row: NodeRating, gpu_count: int, shares: Shares) -> NodePower:
    """kW = (measured or rated) x share x GPUs wanted / GPUs of the row."""
    if row.measured_training_kw is not None:
        share, reference_kw = shares["measured"][0], row.measured_training_kw
    else:
        share, reference_kw = shares[f"rated_{row.rating}"][0], row.rated_max_kw
    scale = gpu_count / row.gpu_count
    widen = shares["scaled"][0]
    low, central, high = (reference_kw * scale * value for value in (share.low, share.central, share.high))
    same_size = gpu_count == row.gpu_count
    measured = row.measured_training_kw is not None
    return NodePower(
        node_model=row.node_model,
        gpu=row.gpu,
        gpu_count=gpu_count,
        rated_max_kw=row.rated_max_kw * scale,
        measured_training_kw=None if row.measured_training_kw is None else row.measured_training_kw * scale,
        training_kw=central if same_size else central * widen.central,
        training_kw_low=low if same_size else low * widen.low,
        training_kw_high=high if same_size else high * widen.high,
        basis="measured" if measured else "rated_share",
        idle_kw=None if row.idle_kw is None else row.idle_kw * scale,
        source=f"{row.measured_source or row.source}; {share.source}",
        as_of=row.as_of,
        quality=row.quality if measured and same_size else "estimated",
        scaled_from_gpus=None if same_size else row.gpu_count,
        notes=row.notes,
    )


def _from_tdp(physical: GpuPhysical, tdp_w: float, gpu_count: int, shares: Shares) -> NodePower:
    """kW = GPUs x TDP / 1000 x factor of the card's class."""
    share = shares[f"tdp_{physical.power_class}"][0]
    cards_kw = gpu_count * tdp_w / WATTS_PER_KW
    return NodePower(
        node_model=f"{gpu_count} x {physical.gpu}",
        gpu=physical.gpu,
        gpu_count=gpu_count,
        rated_max_kw=None,
        measured_training_kw=None,
        training_kw=cards_kw * share.central,
        training_kw_low=cards_kw * share.low,
        training_kw_high=cards_kw * share.high,
        basis="tdp_factor",
        idle_kw=None,
        source=f"TDP {tdp_w:g} W ({physical.source}); {share.source}",
        as_of=share.as_of,
        quality="estimated",
    )
