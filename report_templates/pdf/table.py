"""Tables of the proposal: a plain grid of texts whose rows may be split, so that no cell can break a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.platypus import Flowable, Table, TableStyle

from desktop_app.foundation.wording import Language
from report_templates.pdf.columns import PADDING_X, Cell, Column, Row, fitted
from report_templates.pdf.fonts import REGULAR
from report_templates.pdf.style import color, paragraph
from report_templates.style import LIGHT

_PADDING_Y, _TIGHT_Y = 4.2, 2.4
_END_HEIGHT = 150.0  # points of a long table that stand together at its end
_LONG = 10  # rows above those
_TALLEST_ROW = 400.0  # points; a page holds about 670


class RowTable(Table):
    """A table that is divided between rows; only where one is about as tall as a page, inside it."""

    closing = False  # the document ends with it
    start_rows = 3  # the head and the rows that stand together with it

    def start_height(self, across: float) -> float:
        """The height of the head and the first rows, which should stand together with the caption."""
        self._calc(across, _TALLEST_ROW)  # type: ignore[attr-defined]
        return min(float(sum(self._rowHeights[: self.start_rows])), _TALLEST_ROW)  # type: ignore[attr-defined]

    def split(self, across: float, up: float) -> list[Flowable]:
        """The parts, or [] when the table is to start on the next page."""
        self._calc(across, up)  # type: ignore[attr-defined]
        if self.closing:
            self._hold_end()
        if max(self._rowHeights) > _TALLEST_ROW:  # type: ignore[attr-defined]
            self.splitInRow = 1
            self._nosplitCmds: list[Any] = []  # rows that should stay together cannot, beside such a row
        parts = list(super().split(across, up))
        for part in parts:
            if isinstance(part, RowTable):
                part.closing = self.closing
        return parts

    def _hold_end(self) -> None:
        """Keep the last rows of a long table together, so that the last page is not all but empty."""
        heights: list[float] = self._rowHeights  # type: ignore[attr-defined]
        number, held = len(heights), 0.0
        while number > 0 and held < _END_HEIGHT:
            number -= 1
            held += heights[number]
        if number > _LONG and held < 2 * _END_HEIGHT:
            self._addCommand(("NOSPLIT", (0, number), (-1, len(heights) - 1)))  # type: ignore[attr-defined]
            self._calcNoSplitRanges()  # type: ignore[attr-defined]


def data_table(
    columns: Sequence[Column], rows: Sequence[Row], across: float, language: Language, tight: bool = False
) -> RowTable:
    """A table as wide as the text. Its head is repeated on every page; a row taller than a page goes on.

    `tight` takes space out of the rows, for tables that are looked up and not read.
    """
    widths, scale = fitted(columns, rows, across)
    heads = [paragraph(column.head, "head", language, column.align, scale) for column in columns]
    body = [
        [_content(cell, column, row, language, scale) for cell, column in zip(row.cells, columns, strict=True)]
        for row in rows
    ]
    table = RowTable(
        [heads, *body],
        colWidths=widths,
        repeatRows=1,
        style=TableStyle(_commands(rows, _TIGHT_Y if tight else _PADDING_Y)),
        spaceBefore=2,
        spaceAfter=6,
    )
    (_, first_end), (last_start, last) = _held(rows)
    table.start_rows = (last if last_start <= first_end else first_end) + 1
    return table


def _held(rows: Sequence[Row]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The rows that stand together at the start and at the end: none is alone on a page. The head is row 0."""
    last = len(rows)
    end_rows = 2 + sum(row.look == "note" for row in rows)
    return (0, min(2, last)), (max(0, last - end_rows + 1), last)


def grid(cells: Sequence[Sequence[Any]], widths: Sequence[float], commands: Sequence[tuple[Any, ...]] = ()) -> RowTable:
    """Pieces side by side without any lines, for the layout of a page."""
    style = [
        ("FONT", (0, 0), (-1, -1), REGULAR, 9, 11),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")),
        *commands,
    ]
    return RowTable([list(row) for row in cells], colWidths=list(widths), style=TableStyle(style))


def _content(cell: str | Cell | Flowable, column: Column, row: Row, language: Language, scale: float) -> Flowable:
    if isinstance(cell, Flowable):
        return cell
    if isinstance(cell, Cell):
        return paragraph(cell.text, cell.kind, language, column.align, scale)
    if row.look == "note":
        return paragraph(cell, "note", language)
    kind = "cell" if row.look in ("plain", "loose") else "cell_bold"
    return paragraph(cell, kind, language, column.align, scale)


def _commands(rows: Sequence[Row], padding_y: float) -> list[tuple[Any, ...]]:
    """The style: sunken head between two rules, hairlines between rows, emphasis of sums."""
    line, rule = color(LIGHT.line), color(LIGHT.bar_soft)
    commands: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, 9, 11),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "MIDDLE"),
        ("LEFTPADDING", (0, 0), (-1, -1), PADDING_X),
        ("RIGHTPADDING", (0, 0), (-1, -1), PADDING_X),
        ("TOPPADDING", (0, 0), (-1, -1), padding_y),
        ("BOTTOMPADDING", (0, 0), (-1, -1), padding_y),
        ("BACKGROUND", (0, 0), (-1, 0), color(LIGHT.sunken)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.4, line),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, rule),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, rule),
    ]
    last = len(rows)
    commands += [("NOSPLIT", (0, start), (-1, end)) for start, end in _held(rows)]
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
        if row.look == "note":
            commands += [("SPAN", *area), ("LINEBELOW", *area, 0.4, color(LIGHT.surface))]
            commands.append(("LEFTPADDING", *area, 0))
        if row.look == "group":
            first = next((column for column, cell in enumerate(row.cells) if cell), 0)
            commands.append(("SPAN", (first, number), (-1, number)))
            commands.append(("BACKGROUND", *area, color(LIGHT.sunken)))
            commands.append(("NOSPLIT", (0, number), (-1, min(number + 1, last))))
    return commands
