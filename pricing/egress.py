"""What moving data out costs by volume: sellers bill the first terabytes of a month dearer than the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from pricing.records import StoragePrice

GB_PER_TB = 1000  # SI, as the sellers' lists count
_FIRST = re.compile(r"\bfirst ([\d.]+) TB")
_FROM_TO = re.compile(r"\b([\d.]+) to ([\d.]+) TB")
_OVER = re.compile(r"\bover ([\d.]+) TB")


def by_volume(rows: Sequence[StoragePrice], gb: float) -> StoragePrice | None:
    """The mean price per unit of moving `gb` GB in one month, in the row of the first step; None without rows.

    A seller without steps has one price. Below a step that the list calls free nothing is paid. The newest list counts.
    """
    day = max((row.as_of for row in rows), default="")
    newest = [(bounds, row) for row in rows if row.as_of == day and (bounds := _bounds(row)) is not None]
    steps = sorted(newest, key=lambda step: step[0])
    if not steps or gb <= 0:
        return max(rows, key=lambda row: (row.as_of, row.usd), default=None)
    paid = sum(max(0.0, min(gb, high) - low) * row.usd for (low, high), row in steps)
    first = steps[0][1]
    return first if paid == gb * first.usd else replace(first, usd=paid / gb, tier="internet egress by volume")


def _bounds(row: StoragePrice) -> tuple[float, float] | None:
    """The GB of a month between which a row's price holds; None where it names no step."""
    over, between, first = _OVER.search(row.tier), _FROM_TO.search(row.tier), _FIRST.search(row.tier)
    if over:
        return float(over[1]) * GB_PER_TB, inf
    if between:
        return float(between[1]) * GB_PER_TB, float(between[2]) * GB_PER_TB
    return (0.0, float(first[1]) * GB_PER_TB) if first else None
