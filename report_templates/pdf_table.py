"""Tables of the proposal: a plain grid of texts whose rows may be split, so that no cell can break a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reportlab.platypus import Flowable, Table, TableStyle

from desktop_app.foundation.wording import Language
from report_templates.pdf_fonts import REGULAR, width
from report_templates.pdf_style import TYPES, Align, color, paragraph
from report_templates.style import LIGHT

RowLook = Literal["plain", "base", "loose", "ask", "group"]

_PADDING_X, _PADDING_Y, _TIGHT_Y = 5.0, 4.2, 2.4
_TALLEST_ROW = 400.0  # points; a page holds about 670
_MOST_FIXED = 0.72  # share of the table that columns of numbers may take; beyond, they are narrowed and wrap


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading (lines divided by a line break), how it is aligned, and its width.

    `weight` is its part of the space that is left; 0 makes it as wide as its widest text.
    """

    head: str
    align: Align = "left"
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Cell:
    """A text with a look of its own: a kind of pdf_style."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `base` stands under a line and is bold, `loose` has no line above, `ask` is bold and tinted."""

    cells: tuple[str | Cell | Flowable, ...]
    look: RowLook = "plain"


class RowTable(Table):
    """A table that is divided between rows; only where one is about as tall as a page, inside it."""

    def start_height(self, across: float) -> float:
        """The height of the head and the first two rows, which should stand together with the caption."""
        self._calc(across, _TALLEST_ROW)  # type: ignore[attr-defined]
        return min(float(sum(self._rowHeights[:3])), _TALLEST_ROW)  # type: ignore[attr-defined]

    def split(self, across: float, up: float) -> list[Flowable]:
        """The parts, or [] when the table is to start on the next page."""
        self._calc(across, up)  # type: ignore[attr-defined]
        if max(self._rowHeights) > _TALLEST_ROW:  # type: ignore[attr-defined]
            self.splitInRow = 1
            self._nosplitCmds: list[Any] = []  # rows that should stay together cannot, beside such a row
        return list(super().split(across, up))


def data_table(
    columns: Sequence[Column], rows: Sequence[Row], across: float, language: Language, tight: bool = False
) -> RowTable:
    """A table as wide as the text. Its head is repeated on every page; a row taller than a page goes on.

    `tight` takes space out of the rows, for tables that are looked up and not read.
    """
    heads = [paragraph(column.head, "head", language, column.align) for column in columns]
    body = [
        [_content(cell, column, row, language) for cell, column in zip(row.cells, columns, strict=True)] for row in rows
    ]
    return RowTable(
        [heads, *body],
        colWidths=_widths(columns, rows, across),
        repeatRows=1,
        style=TableStyle(_commands(rows, _TIGHT_Y if tight else _PADDING_Y)),
        spaceBefore=2,
        spaceAfter=6,
    )


def grid(cells: Sequence[Sequence[Any]], widths: Sequence[float], commands: Sequence[tuple[Any, ...]] = ()) -> RowTable:
    """Pieces side by side without any lines, for the layout of a page."""
    style = [
        ("FONT", (0, 0), (-1, -1), REGULAR, 9, 11),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")),
        *commands,
    ]
    return RowTable([list(row) for row in cells], colWidths=list(widths), style=TableStyle(style))


def _content(cell: str | Cell | Flowable, column: Column, row: Row, language: Language) -> Flowable:
    if isinstance(cell, Flowable):
        return cell
    if isinstance(cell, Cell):
        return paragraph(cell.text, cell.kind, language, column.align)
    kind = {"plain": "cell", "loose": "cell", "base": "cell_bold", "ask": "cell_bold", "group": "cell_bold"}[row.look]
    return paragraph(cell, kind, language, column.align)


def _widths(columns: Sequence[Column], rows: Sequence[Row], across: float) -> list[float]:
    fixed = [_natural(column, [row.cells[number] for row in rows]) for number, column in enumerate(columns)]
    weights = sum(column.weight for column in columns)
    limit = across * (_MOST_FIXED if weights else 1.0)
    taken = sum(fixed)
    if taken > limit:
        fixed = [size * limit / taken for size in fixed]
        taken = limit
    if not weights:
        return [size * across / taken for size in fixed]
    return [size or (across - taken) * column.weight / weights for size, column in zip(fixed, columns, strict=True)]


def _natural(column: Column, cells: Sequence[str | Cell | Flowable]) -> float:
    """The width that the texts of a column without weight ask for."""
    if column.weight:
        return 0.0
    head = max(width(line, TYPES["head"].size, bold=True) for line in column.head.split("\n"))
    texts = [cell.text if isinstance(cell, Cell) else cell for cell in cells if not isinstance(cell, Flowable)]
    lines = [line for text in texts for line in text.split("\n")]
    widest = max((width(line, TYPES["cell"].size, bold=True) for line in lines), default=0.0)
    return max(head, widest) + 2 * _PADDING_X + 0.1  # or rounding would wrap the widest


def _commands(rows: Sequence[Row], padding_y: float) -> list[tuple[Any, ...]]:
    """The style: sunken head between two rules, hairlines between rows, emphasis of sums."""
    line, rule = color(LIGHT.line), color(LIGHT.bar_soft)
    commands: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, 9, 11),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), _PADDING_X),
        ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING_X),
        ("TOPPADDING", (0, 0), (-1, -1), padding_y),
        ("BOTTOMPADDING", (0, 0), (-1, -1), padding_y),
        ("BACKGROUND", (0, 0), (-1, 0), color(LIGHT.sunken)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.4, line),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, rule),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, rule),
    ]
    last = len(rows)
    for start, end in ((0, min(2, last)), (max(0, last - 1), last)):  # no row alone at the end or the start of a page
        commands.append(("NOSPLIT", (0, start), (-1, end)))
    for number, row in enumerate(rows, 1):
        area = ((0, number), (-1, number))
        if row.look == "base":
            commands.append(("LINEABOVE", *area, 1.0, color(LIGHT.text)))
        if row.look in ("base", "loose"):
            commands.append(("LINEBELOW", *area, 0.4, color(LIGHT.surface)))
        if row.look == "ask":
            commands += [
                ("LINEABOVE", *area, 1.0, color(LIGHT.text)),
                ("LINEBELOW", *area, 0.4, color(LIGHT.surface)),
                ("BACKGROUND", *area, color(LIGHT.accent_background)),
            ]
        if row.look == "group":
            first = next((column for column, cell in enumerate(row.cells) if cell), 0)
            commands.append(("SPAN", (first, number), (-1, number)))
            commands.append(("BACKGROUND", *area, color(LIGHT.sunken)))
            commands.append(("NOSPLIT", (0, number), (-1, min(number + 1, last))))
    return commands
