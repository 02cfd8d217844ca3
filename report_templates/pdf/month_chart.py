"""Spend over time: a bar for each month, and a step line of what was spent until its end, on one axis from zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from report_templates.pdf.draw import Drawn, Pen
from report_templates.pdf.fonts import width
from report_templates.style import LIGHT

_UP, _FOOT, _HEAD = 108.0, 16.0, 14.0  # points of the bars, below them and above them
_SMALL, _SMALLEST = 8.5, 8.0
_GAP = 3.0
_MOST_WIDE = 46.0  # of one bar


@dataclass(frozen=True, slots=True)
class MonthBar:
    """One month: its name, what is spent in it, and what was spent until its end; both with their texts."""

    label: str
    value: float
    text: str
    cumulative: float
    cumulative_text: str


def month_chart(months: Sequence[MonthBar], across: float) -> Drawn:
    """The months from left to right. Texts that would touch are left out: the table below has them all."""
    highest = max((month.cumulative for month in months), default=0.0)
    scale = _UP / highest if highest > 0 else 0.0
    slot = across / len(months)
    wide = min(slot * 0.6, _MOST_WIDE)

    def paint(pen: Pen) -> None:
        end_of_text = end_of_label = before = 0.0
        for number, month in enumerate(months):
            left = number * slot
            _paint_steps(pen, (left, slot), before, month.cumulative, scale)
            pen.fill(left + (slot - wide) / 2, _FOOT, wide, max(month.value * scale, 0.6), LIGHT.bar_soft)
            before, middle = month.cumulative, left + slot / 2
            end_of_label = _fitting(pen, month.label, (middle, 3.0), end_of_label, across, LIGHT.text2)
            if month.value > 0:
                y = _FOOT + month.value * scale + _GAP
                end_of_text = _fitting(pen, month.text, (middle, y), end_of_text, across, LIGHT.text)
        pen.line(0, _FOOT, across, _FOOT, LIGHT.control)
        last = months[-1]
        y = _FOOT + last.cumulative * scale + _GAP
        pen.text(across, y, last.cumulative_text, _SMALL, LIGHT.text, bold=True, anchor="end")

    return Drawn(across, _FOOT + _UP + _HEAD, paint)


def _paint_steps(pen: Pen, place: tuple[float, float], before: float, after: float, scale: float) -> None:
    """The step line over one month: up at its start, then level."""
    left, slot = place
    low, high = _FOOT + before * scale, _FOOT + after * scale
    if high > low:
        pen.line(left, low, left, high, LIGHT.primary, 1.4)
    pen.line(left, high, left + slot, high, LIGHT.primary, 1.4)


def _fitting(pen: Pen, text: str, at: tuple[float, float], end: float, across: float, tone: str) -> float:
    """Write a text centred, unless it would touch the one before it, which ends at `end`; gives where the last ends."""
    half = width(text, _SMALLEST) / 2
    middle = min(max(at[0], half), across - half)
    if end and middle - half < end + _GAP:
        return end
    pen.text(middle, at[1], text, _SMALLEST, tone, anchor="middle")
    return middle + half
