"""The columns of a grid sheet: how wide they are, and what stands over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import shorten

from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Sheet
from report_templates.excel.grid import HEADER_ROW, GridSheet, TextColumn
from report_templates.excel.look import HEADER, HEADER_NUMBER, Look

WITH_INPUTS: tuple[GridSheet, ...] = ("inputs", "prices", "power")
"""Sheets that keep what their inputs were at export."""

_WIDTHS: dict[str, float] = {"B": 6, "C": 44, "D": 15}
_VALUE, _CASE = 22.0, 19.0
_TITLE = 42  # characters of the name of a case beside the scenarios; its whole name stands on a sheet of its own
_TEXTS: dict[TextColumn, float] = {"origin": 12, "how": 68, "as_of": 14, "changed": 15, "key": 30}
_HEADS: dict[TextColumn, str] = {
    "origin": "head.origin", "how": "head.source_or_how", "as_of": "head.as_of", "changed": "head.changed",
    "key": "head.key",
}  # fmt: skip
_UNUSED = 2.0  # width of a column of text that a sheet has no use for
_ALWAYS: tuple[TextColumn, ...] = ("how", "key")

Extra = Mapping[TextColumn, str]
"""Heads of columns of text that the sheet fills in its own way."""


def set_widths(book: Book, sheet: Sheet, key: GridSheet, extra: Extra) -> None:
    """Widths of all columns; the cases beside the scenarios are an outline that can be folded."""
    grid, widths = book.grid, dict(_WIDTHS)
    for index in range(len(grid.cases)):
        widths[grid.column(index)] = _VALUE if index < grid.scenarios else _CASE
    for name, width in _TEXTS.items():
        used = key in WITH_INPUTS or name in _ALWAYS or name in extra
        widths[grid.text_column(name)] = width if used else _UNUSED
    if key in WITH_INPUTS:
        widths |= {grid.exported_column(index): _CASE for index in range(grid.scenarios)}
    sheet.widths(widths)
    for index in range(grid.scenarios, len(grid.cases)):
        sheet.page.column_dimensions[grid.column(index)].outlineLevel = 1
    sheet.page.sheet_format.outlineLevelCol = 1


def put_header(book: Book, sheet: Sheet, key: GridSheet, extra: Extra) -> None:
    """The header row, as high as the longest name of a case asks for."""
    cells = dict(_headings(book, key, extra))
    longest = sheet.height_of(cells)
    sheet.put_row(cells, height=max(46.0 if len(book.cases) > 1 else 32.0, longest))
    sheet.page.freeze_panes = f"{book.grid.column(0)}{sheet.row}"
    sheet.page.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"


def _headings(book: Book, key: GridSheet, extra: Extra) -> Iterator[tuple[str, tuple[Content, Look]]]:
    words, grid = book.words, book.grid
    for column, word in (("B", "head.kind"), ("C", "head.item"), ("D", "head.unit")):
        yield column, (words(word), HEADER)
    for index, case in enumerate(grid.cases):
        title = case.title if case.kind == "scenario" else shorten(case.title, _TITLE, placeholder=" ...")
        yield grid.column(index), (case.mark if title == case.mark else f"{case.mark}\n{title}", HEADER_NUMBER)
    for name, word in _HEADS.items():
        if name in extra:
            yield grid.text_column(name), (extra[name], HEADER_NUMBER)
            continue
        used = key in WITH_INPUTS or name in _ALWAYS
        shown = word if key in WITH_INPUTS or name != "how" else "head.how"
        yield grid.text_column(name), (words(shown) if used else "", HEADER)
    for index in range(grid.scenarios if key in WITH_INPUTS else 0):
        told = words("workbook.exported_of", scenario=grid.cases[index].mark)
        yield grid.exported_column(index), (told, HEADER_NUMBER)
