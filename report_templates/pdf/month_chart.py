"""Spend over time: a bar for each month, and a step line of what was spent until its end, on one axis from zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from report_templates.pdf.draw import Drawn, Pen
from report_templates.pdf.fonts import width
from report_templates.style import LIGHT

_UP, _FOOT, _HEAD = 88.0, 16.0, 14.0  # points of the bars, below them and above them
_SMALL, _SMALLEST = 8.5, 8.0
_GAP = 3.0
_WIDE = 0.62  # of the room of a month: its bar
_MOST_TEXTS = 12  # months that all tell their amounts; of more, the selected one does
_INSIDE = 24.0  # points: a higher bar holds its amount


@dataclass(frozen=True, slots=True)
class MonthBar:
    """One month: its name, what is spent in it, and what was spent until its end; both with their texts."""

    label: str
    value: float
    text: str
    cumulative: float
    cumulative_text: str
    selected: bool = False  # the one that the title is about


def month_chart(months: Sequence[MonthBar], across: float) -> Drawn:
    """The months from left to right. Texts that would touch are left out: a table has them all."""
    highest = max((month.cumulative for month in months), default=0.0)
    scale = _UP / highest if highest > 0 else 0.0
    slot = across / len(months)

    def paint(pen: Pen) -> None:
        ends, before = (0.0, 0.0), 0.0
        for number, month in enumerate(months):
            place = (number * slot, slot)
            tone = LIGHT.primary if month.selected else LIGHT.bar_soft
            up = month.value * scale
            pen.fill(place[0] + slot * (1 - _WIDE) / 2, _FOOT, slot * _WIDE, max(up, 0.6), tone)
            _paint_steps(pen, place, before, month.cumulative, scale)
            middle, before = place[0] + slot / 2, month.cumulative
            end_of_label = _fitting(pen, month.label, (middle, 3.0), ends[0], across, LIGHT.text2)
            end_of_text = ends[1]
            if len(months) <= _MOST_TEXTS or month.selected:
                end_of_text = _paint_text(pen, month, (middle, up), end_of_text, across, tone)
            ends = (end_of_label, end_of_text)
        pen.line(0, _FOOT, across, _FOOT, LIGHT.control)
        last = months[-1]
        y = _FOOT + last.cumulative * scale + _GAP
        pen.text(across, y, last.cumulative_text, _SMALL, LIGHT.text, bold=True, anchor="end")

    return Drawn(across, _FOOT + _UP + _HEAD, paint)


def _paint_text(pen: Pen, month: MonthBar, at: tuple[float, float], end: float, across: float, tone: str) -> float:
    """The amount in the head of a high bar, above a low one; gives where the last text ends."""
    middle, up = at
    if month.value <= 0:
        return end
    if up > _INSIDE:
        shown = LIGHT.surface if tone == LIGHT.primary else LIGHT.text
        return _fitting(pen, month.text, (middle, _FOOT + up - _SMALLEST - _GAP), end, across, shown)
    return _fitting(pen, month.text, (middle, _FOOT + up + _GAP), end, across, LIGHT.text)


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
