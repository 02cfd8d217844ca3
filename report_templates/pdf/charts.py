"""The charts of the proposal, as vectors: bars from zero, a tornado, the range of the total.

Titles stand above them as text and state the finding. Labels stand at the bars, so that no legend is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from report_templates.pdf.draw import Drawn, Pen
from report_templates.pdf.fonts import clipped, one_line, width
from report_templates.style import LIGHT

_TEXT, _SMALL = 9.5, 8.5
_ROW, _BAR = 20.0, 12.5
_LABEL_SHARE = 0.34  # of the chart, at most, for the labels at the left
_GAP = 6.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its label, its length, the texts at its end, and whether it is the one that the title is about."""

    label: str
    value: float
    text: str
    extra: str
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Whisker:
    """The range of the last bar: P10, P90 and the amount to approve."""

    low: float
    high: float
    ask: float


@dataclass(frozen=True, slots=True)
class Swing:
    """One bar of a tornado: the figure with the input at its low and at its high, and the texts at both ends."""

    label: str
    low: float
    high: float
    low_text: str
    high_text: str
    inputs: str


def bars(rows: Sequence[Bar], across: float, total: Bar | None = None, whisker: Whisker | None = None) -> Drawn:
    """Bars from zero, one below the other; `total` stands last, under a line, with its whisker."""
    shown = [*rows, *([total] if total else [])]
    label_room = _label_room([bar.label for bar in shown], across)
    end_room = max(width(bar.text, _TEXT, bold=True) + _GAP + width(bar.extra, _SMALL) for bar in shown) + 2 * _GAP
    longest = max(*(bar.value for bar in shown), whisker.high if whisker else 0.0)
    scale = (across - label_room - end_room) / longest if longest > 0 else 0.0
    rule = 6.0 if total else 0.0
    up = len(shown) * _ROW + rule + 4.0

    def paint(pen: Pen) -> None:
        for number, bar in enumerate(shown):
            is_total = bar is total
            y = up - 2.0 - (number + 1) * _ROW - (rule if is_total else 0.0)
            _paint_bar(pen, bar, (label_room, y), scale, whisker if is_total else None, is_total)
        pen.line(label_room, 0, label_room, up, LIGHT.control)
        if total:
            pen.line(0, _ROW + rule / 2 + 2.0, across, _ROW + rule / 2 + 2.0, LIGHT.line)

    return Drawn(across, up, paint)


def _paint_bar(
    pen: Pen, bar: Bar, start: tuple[float, float], scale: float, whisker: Whisker | None, strong: bool
) -> None:
    x, y = start
    bold = bar.selected or strong
    base, middle = y + (_ROW - _BAR) / 2, y + _ROW / 2
    text_y = middle - _TEXT * 0.36
    pen.text(0, text_y, clipped(one_line(bar.label), _TEXT, x - _GAP, bold), _TEXT, LIGHT.text, bold)
    pen.fill(x, base, max(bar.value * scale, 0.6), _BAR, LIGHT.primary if bar.selected else LIGHT.bar_soft)
    end = x + bar.value * scale
    if whisker is not None:
        end = max(end, x + whisker.high * scale)
        _paint_whisker(pen, (x, middle), scale, whisker, bar.value)
    after = pen.text(end + _GAP, text_y, bar.text, _TEXT, LIGHT.text, bold)
    pen.text(after + _GAP, text_y, bar.extra, _SMALL, LIGHT.text3)


def _paint_whisker(pen: Pen, start: tuple[float, float], scale: float, whisker: Whisker, bar: float) -> None:
    """Light inside the bar, dark outside, or it would vanish in one of the two."""
    x, y = start
    low, high, edge = (x + value * scale for value in (whisker.low, whisker.high, bar))
    if low < edge:
        pen.line(low, y, min(high, edge), y, LIGHT.surface, 1.0)
    if high > edge:
        pen.line(max(low, edge), y, high, y, LIGHT.text, 1.0)
    for end in (low, high):
        pen.line(end, y - 3.5, end, y + 3.5, LIGHT.surface if end < edge else LIGHT.text, 1.2)
    pen.diamond(x + whisker.ask * scale, y, 4.4, LIGHT.primary, LIGHT.surface)


def tornado(swings: Sequence[Swing], base: float, base_text: str, across: float) -> Drawn:
    """What the figure becomes when one driver at a time stands at its low or its high; widest first."""
    label_room = _label_room([swing.label for swing in swings], across)
    input_room = min(across * 0.38, max(width(swing.inputs, _SMALL) for swing in swings) + 2 * _GAP)
    end_room = max(width(text, _SMALL) for swing in swings for text in (swing.low_text, swing.high_text)) + _GAP
    left, right = label_room + end_room, across - input_room - end_room
    low = min(base, *(min(swing.low, swing.high) for swing in swings))
    high = max(base, *(max(swing.low, swing.high) for swing in swings))
    scale = (right - left) / (high - low) if high > low else 0.0
    up = len(swings) * _ROW + 16.0

    def at(value: float) -> float:
        return left + (value - low) * scale

    def paint(pen: Pen) -> None:
        for number, swing in enumerate(swings):
            y = up - 16.0 - (number + 1) * _ROW
            text_y = y + _ROW / 2 - _TEXT * 0.36
            pen.text(0, text_y, clipped(one_line(swing.label), _TEXT, label_room - _GAP), _TEXT, LIGHT.text)
            ends = sorted(((swing.low, swing.low_text), (swing.high, swing.high_text)))
            _paint_swing(pen, [(at(value), text) for value, text in ends], at(base), y)
            inputs = clipped(one_line(swing.inputs), _SMALL, input_room - _GAP)
            pen.text(across, text_y, inputs, _SMALL, LIGHT.text2, anchor="end")
        pen.line(at(base), 0, at(base), up - 14.0, LIGHT.text, 1.0)
        pen.text(at(base), up - 9.0, base_text, _SMALL, LIGHT.text, bold=True, anchor="middle")

    return Drawn(across, up, paint)


def _paint_swing(pen: Pen, ends: Sequence[tuple[float, str]], base: float, y: float) -> None:
    """The part that costs less is light, the part that costs more is dark."""
    (low, low_text), (high, high_text) = ends
    bottom, text_y = y + (_ROW - _BAR) / 2, y + _ROW / 2 - _SMALL * 0.36
    if low < base:
        pen.fill(low, bottom, min(high, base) - low, _BAR, LIGHT.bar_soft)
    if high > base:
        pen.fill(max(low, base), bottom, high - max(low, base), _BAR, LIGHT.primary)
    pen.text(min(low, base) - 4, text_y, low_text, _SMALL, LIGHT.text, anchor="end")
    pen.text(max(high, base) + 4, text_y, high_text, _SMALL, LIGHT.text)


@dataclass(frozen=True, slots=True)
class RangeMarks:
    """The range of the total with its words: P10, base, amount to approve, P90."""

    low: float
    base: float
    ask: float
    high: float
    low_text: str
    base_text: str
    ask_text: str
    high_text: str


def range_line(marks: RangeMarks, across: float) -> Drawn:
    """The track from P10 to P90, a solid tick at the base, a hollow diamond at the amount to approve."""
    low, high = min(marks.low, marks.base, marks.ask), max(marks.high, marks.base, marks.ask)
    inset = 26.0
    scale = (across - 2 * inset) / (high - low) if high > low else 0.0

    def at(value: float) -> float:
        return inset + (value - low) * scale

    def paint(pen: Pen) -> None:
        y = 19.0
        pen.fill(at(marks.low), y - 3.2, at(marks.high) - at(marks.low), 6.4, LIGHT.track)
        for end in (marks.low, marks.high):
            pen.line(at(end), y - 7, at(end), y + 7, LIGHT.text, 1.2)
        pen.fill(at(marks.base) - 1.5, y - 8, 3, 16, LIGHT.primary)
        pen.diamond(at(marks.ask), y, 7, LIGHT.primary, LIGHT.surface)
        _spread_texts(pen, [(at(marks.base), marks.base_text), (at(marks.ask), marks.ask_text)], y + 12, across, True)
        _spread_texts(pen, [(at(marks.low), marks.low_text), (at(marks.high), marks.high_text)], y - 18, across, False)

    return Drawn(across, 48.0, paint)


def _spread_texts(
    pen: Pen, texts: Sequence[tuple[float, str]], y: float, across: float, bold: bool, size: float = 8.5
) -> None:
    """Two texts centred at their places, pushed apart where they would touch and held inside the picture."""
    (first_x, first), (second_x, second) = sorted(texts)
    first_half, second_half = width(first, size, bold) / 2, width(second, size, bold) / 2
    overlap = first_x + first_half + _GAP - (second_x - second_half)
    if overlap > 0:
        first_x, second_x = first_x - overlap / 2, second_x + overlap / 2
    shift = max(0.0, first_half - first_x)
    first_x, second_x = first_x + shift, max(second_x, first_x + shift + first_half + _GAP + second_half)
    back = max(0.0, second_x + second_half - across)
    second_x -= back
    first_x = min(first_x, second_x - second_half - _GAP - first_half)
    tone = LIGHT.text if bold else LIGHT.text2
    pen.text(first_x, y, first, size, tone, bold, anchor="middle")
    pen.text(second_x, y, second, size, LIGHT.accent if bold else LIGHT.text2, bold, anchor="middle")


def _label_room(labels: Sequence[str], across: float) -> float:
    widest = max(width(one_line(label), _TEXT, bold=True) for label in labels)
    return min(widest + 2 * _GAP, across * _LABEL_SHARE)
