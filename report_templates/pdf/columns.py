"""Columns of a table: what stands in them, and how wide they are, so that no number is ever broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reportlab.platypus import Flowable

from report_templates.pdf.fonts import has_han, width
from report_templates.pdf.lines import may_break
from report_templates.pdf.style import TYPES, Align

RowLook = Literal["plain", "base", "loose", "ask", "group", "note"]

PADDING_X = 5.0
_MOST_FIXED = 0.72  # share of the table that columns without weight may take; beyond, their words wrap
_COMFORT = 0.9  # of the type, for texts that would wrap else
_SCALES = tuple(1 - step / 40 for step in range(19))  # of the type; the least is 0.55: 5 points
_LONGEST = 0.2  # share of the table; longer words are broken, unless they are numbers
_NUMBER = re.compile(r"[\d.,+−-]*\d[\d.,%]*")
_ROUNDING = 0.1  # points; or the widest text of a column would wrap


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading (lines divided by a line break), how it is aligned, and its width.

    `weight` is its part of the space that is left; 0 makes it as wide as its widest text. `room` is the share of the
    table that it has at least, for texts of several lines.
    """

    head: str
    align: Align = "left"
    weight: float = 0.0
    room: float = 0.0


@dataclass(frozen=True, slots=True)
class Cell:
    """A text with a look of its own: a kind of pdf_style."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `base` stands under a line and is bold, `loose` has no line above, `ask` is bold and tinted.

    `group` is a heading over the whole width, `note` a remark under the table that stays with its last rows.
    """

    cells: tuple[str | Cell | Flowable, ...]
    look: RowLook = "plain"


def fitted(columns: Sequence[Column], rows: Sequence[Row], across: float) -> tuple[list[float], float]:
    """The width of each column, and the scale of the type.

    The type is a little smaller where that keeps texts of columns without weight on one line, and as small as it must
    be to keep numbers whole.
    """
    texts = [_texts(rows, number) for number in range(len(columns))]
    measured = [_Measured.of(columns, texts, scale, across) for scale in _SCALES]
    best = next((found for found in measured if found.scale >= _COMFORT and found.roomy(across)), None)
    best = best or next((found for found in measured if sum(found.least) <= across), measured[-1])
    sizes = best.widths(columns, across)
    over = max(1.0, sum(sizes) / across)  # more columns than any type could hold: the page is as wide as it is
    return [size / over for size in sizes], best.scale


@dataclass(frozen=True, slots=True)
class _Measured:
    """What the columns ask for in one size of the type: the width to be whole on one line, and the least."""

    scale: float
    natural: list[float]
    least: list[float]
    kept: list[float]  # of the columns with weight, what they need before the others may have the rest; else 0

    @classmethod
    def of(cls, columns: Sequence[Column], texts: Sequence[Sequence[str]], scale: float, across: float) -> _Measured:
        natural = [_natural(column, cells, scale) for column, cells in zip(columns, texts, strict=True)]
        least = [
            max(_least(column, cells, scale, across), across * column.room)
            for column, cells in zip(columns, texts, strict=True)
        ]
        weights = sum(column.weight for column in columns) or 1.0
        kept = [
            max(low, min(whole, across * (1 - _MOST_FIXED) * column.weight / weights)) if column.weight else 0.0
            for column, whole, low in zip(columns, natural, least, strict=True)
        ]
        return cls(scale, natural, least, kept)

    def roomy(self, across: float) -> bool:
        """Whether nothing in the columns without weight has to wrap."""
        return sum(kept or whole for kept, whole in zip(self.kept, self.natural, strict=True)) <= across

    def widths(self, columns: Sequence[Column], across: float) -> list[float]:
        """Columns without weight as wide as their texts, down to their longest word; the others share the rest."""
        fixed = [0.0 if column.weight else size for column, size in zip(columns, self.natural, strict=True)]
        lows = [0.0 if column.weight else size for column, size in zip(columns, self.least, strict=True)]
        limit, taken, narrow = across - sum(self.kept), sum(fixed), sum(lows)
        if taken > limit:
            part = max(0.0, (limit - narrow) / (taken - narrow)) if taken > narrow else 0.0
            fixed = [low + (size - low) * part for size, low in zip(fixed, lows, strict=True)]
            taken = sum(fixed)
        if not sum(self.kept):
            return [size * across / taken for size in fixed]
        return _shared(columns, fixed, self.least, across - taken)


def _shared(columns: Sequence[Column], fixed: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """The columns with weight share the room; one whose longest word needs more than its part gets that first."""
    open_, sizes = {number for number, column in enumerate(columns) if column.weight}, list(fixed)
    while open_:
        part = room / sum(columns[number].weight for number in open_)
        short = {number for number in open_ if columns[number].weight * part < least[number]}
        for number in short or open_:
            sizes[number] = least[number] if short else columns[number].weight * part
        room -= sum(sizes[number] for number in short)
        open_ = open_ - short if short else set()
    return sizes


def _texts(rows: Sequence[Row], number: int) -> list[str]:
    """What stands in a column, but for headings and notes that span the table."""
    cells = [row.cells[number] for row in rows if row.look not in ("group", "note")]
    return [cell.text if isinstance(cell, Cell) else cell for cell in cells if not isinstance(cell, Flowable)]


def _natural(column: Column, texts: Sequence[str], scale: float) -> float:
    """The width in which no text of the column wraps."""
    head = _widest(column.head.split("\n"), "head")
    return max(head, _widest([line for text in texts for line in text.split("\n")], "cell")) * scale + _margins()


def _least(column: Column, texts: Sequence[str], scale: float, across: float) -> float:
    """The width in which no number of the column breaks, and no word but a very long one."""
    room = across * _LONGEST
    head = min(_widest(_words(column.head), "head") * scale, room)
    words = [word for text in texts for word in _words(text)]
    numbers = _widest([word for word in words if _NUMBER.fullmatch(word)], "cell") * scale
    others = max((size for word in words if (size := _widest([word], "cell") * scale) <= room), default=0.0)
    return max(head, numbers, others) + _margins()


def _words(text: str) -> list[str]:
    """The parts of a text that stay on one line."""
    if not has_han(text):
        return re.split(r"[ \n]", text)
    words, start = [], 0
    for position in range(1, len(text)):
        if text[position - 1] == "\n" or may_break(text[position - 1], text[position]):
            words.append(text[start:position].strip())
            start = position
    return [*words, text[start:].strip()]


def _widest(texts: Sequence[str], kind: str) -> float:
    return max((width(text, TYPES[kind].size, bold=True) for text in texts), default=0.0)


def _margins() -> float:
    return 2 * PADDING_X + _ROUNDING
