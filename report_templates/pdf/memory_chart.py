"""Memory of one GPU as a bar: its terms one after the other, the allowance striped, and the line of what is usable."""

from __future__ import annotations

from dataclasses import dataclass

from report_templates.pdf.draw import Drawn, Pen
from report_templates.pdf.fonts import clipped, one_line, width
from report_templates.style import LIGHT

_BAR, _SMALL = 24.0, 8.5
_TONES = (
    LIGHT.primary,
    LIGHT.accent,
    LIGHT.bar_middle,
    LIGHT.bar_soft,
    "A9BCCB",
    "CCD8E2",
)  # steps from primary to light
_DARK = 4  # so many of them need light digits
_LEGEND_ROW = 14.0
_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One term: its name, its size and the size as text."""

    name: str
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class MemoryPicture:
    """What the bar shows. `allowance` is striped up to `high`, its highest value; `usable` is the black line."""

    parts: tuple[Part, ...]
    allowance: Part
    high: float  # of the whole peak, with the highest allowance
    high_text: str
    usable: Part


def memory_bar(picture: MemoryPicture, across: float) -> Drawn:
    """The bar with numbers in its parts, and below it what each number is."""
    legend = [*picture.parts, picture.allowance]
    rows = -(-len(legend) // _COLUMNS)
    legend_height = rows * _LEGEND_ROW
    up = legend_height + _BAR + 40.0
    scale = across * 0.97 / max(picture.usable.size, picture.high)
    bottom = legend_height + 22.0

    def paint(pen: Pen) -> None:
        pen.fill(0, bottom, picture.usable.size * scale, _BAR, LIGHT.track)
        end = _paint_parts(pen, picture, scale, bottom)
        _paint_allowance(pen, picture, end, scale, bottom)
        _paint_usable(pen, picture, scale, bottom, across)
        for number, part in enumerate(legend):
            column, row = divmod(number, rows)
            place = (column * across / _COLUMNS, legend_height - (row + 1) * _LEGEND_ROW)
            _paint_entry(pen, number, part, place, across / _COLUMNS - 24.0, number == len(legend) - 1)

    return Drawn(across, up, paint)


def _paint_parts(pen: Pen, picture: MemoryPicture, scale: float, bottom: float) -> float:
    """The terms, divided by thin gaps; gives where they end."""
    x = 0.0
    for number, part in enumerate(picture.parts):
        size = part.size * scale
        pen.fill(x, bottom, size, _BAR, _TONES[number % len(_TONES)])
        if x > 0 and size > 1:
            pen.line(x, bottom, x, bottom + _BAR, LIGHT.surface, 0.8)
        if size > 12:
            tone = LIGHT.surface if number % len(_TONES) < _DARK else LIGHT.text
            pen.text(x + size / 2, bottom + _BAR / 2 - 3, str(number + 1), _SMALL, tone, bold=True, anchor="middle")
        x += size
    return x


def _paint_allowance(pen: Pen, picture: MemoryPicture, x: float, scale: float, bottom: float) -> None:
    """The usual allowance striped close, the rest up to the highest one as an outline."""
    usual, most = picture.allowance.size * scale, picture.high * scale - x
    beyond = x + usual > picture.usable.size * scale
    pen.fill(x, bottom, usual, _BAR, LIGHT.surface)
    pen.stripes(x, bottom, usual, _BAR, LIGHT.bad if beyond else LIGHT.primary)
    y = bottom + _BAR / 2
    pen.line(x + usual, y, x + most, y, LIGHT.text, 1.0)
    pen.line(x + most, y - 4, x + most, y + 4, LIGHT.text, 1.2)


def _paint_usable(pen: Pen, picture: MemoryPicture, scale: float, bottom: float, across: float) -> None:
    peak = sum(part.size for part in picture.parts) + picture.allowance.size
    if peak > picture.usable.size:
        pen.fill(picture.usable.size * scale, bottom - 4.5, (peak - picture.usable.size) * scale, 3.0, LIGHT.bad)
    x, high_x = picture.usable.size * scale, picture.high * scale
    pen.fill(x - 1.0, bottom - 5, 2.0, _BAR + 10, LIGHT.text)
    words = one_line(f"{picture.usable.name} {picture.usable.text}")
    half = width(words, _SMALL, bold=True) / 2
    centre = min(max(x, half), across - half)
    pen.text(centre, bottom + _BAR + 8, words, _SMALL, LIGHT.text, bold=True, anchor="middle")
    pen.text(0, bottom - 14, "0", _SMALL, LIGHT.text3)
    high = one_line(picture.high_text)
    half = width(high, _SMALL) / 2
    pen.text(min(max(high_x, half), across - half), bottom - 14, high, _SMALL, LIGHT.text2, anchor="middle")


def _paint_entry(
    pen: Pen, number: int, part: Part, place: tuple[float, float], room: float, is_allowance: bool
) -> None:
    """One line of the key: number, colour, name, size."""
    x, y = place
    pen.text(x + 8, y + 3, str(number + 1), _SMALL, LIGHT.text2, bold=True, anchor="end")
    if is_allowance:
        pen.stripes(x + 13, y + 2, 9, 9, LIGHT.primary)
    else:
        pen.fill(x + 13, y + 2, 9, 9, _TONES[number % len(_TONES)])
    end = x + room
    name_room = room - 28 - width(part.text, _SMALL) - 8
    pen.text(x + 28, y + 3, clipped(one_line(part.name), _SMALL, name_room), _SMALL, LIGHT.text2)
    pen.text(end, y + 3, part.text, _SMALL, LIGHT.text, anchor="end")
