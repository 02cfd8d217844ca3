"""The sheet Data: every figure of every case as exported, as one long table of plain numbers."""

from __future__ import annotations

from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Sheet, with_number
from report_templates.excel.look import LOCKED, SMALL, UNIT, Look
from report_templates.excel.tables import add_table
from report_templates.tidy_rows import HEADINGS, TidyRow, tidy_rows

_COLUMNS = "BCDEFGHIJK"
_WIDTHS = {"B": 8, "C": 34, "D": 44, "E": 11, "F": 20, "G": 15, "H": 18, "I": 34, "J": 12, "K": 80}

_TEXT = Look(SMALL.color, size=SMALL.size)


def write_data(book: Book, sheet: Sheet) -> None:
    """Fill the sheet. Nothing on it is a formula: programs that do not calculate read it, and pivot tables do."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.data"), words("workbook.data_note"))
    heads = {column: words(key) for column, key in zip(_COLUMNS, HEADINGS, strict=True)}
    header = sheet.table_header(heads, numbers="F", freeze="E")
    for row in tidy_rows(book.cases, words):
        sheet.put_row(_cells(book, row))
    sheet.page.print_area = f"A1:{_COLUMNS[-1]}{sheet.row - 1}"
    add_table(sheet, "figures", header, _COLUMNS[0], _COLUMNS[-1])


def _cells(book: Book, row: TidyRow) -> dict[str, tuple[Content, Look]]:
    contents: tuple[tuple[Content, Look], ...] = (
        (row.case.mark, _TEXT),
        (row.case.title, SMALL),
        (row.metric, SMALL),
        (row.percentile, _TEXT),
        (row.value, with_number(LOCKED, book.number_format(row.unit, row.value))),
        (row.unit_word, UNIT),
        (row.remark, _TEXT),
        (row.key, _TEXT),
        (row.as_of, _TEXT),
        (row.source, SMALL),
    )
    return dict(zip(_COLUMNS, contents, strict=True))
