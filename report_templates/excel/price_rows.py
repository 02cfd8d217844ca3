"""Below the prices of the scenarios: the rows of price tables that were used, each with its source, date and age."""

from __future__ import annotations

from desktop_app.budget.explain import row_words
from desktop_app.budget.facts import age_days
from desktop_app.budget.ledger import Line
from desktop_app.foundation.quantities import format_source
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Sheet, with_number
from report_templates.excel.entries import TODAY
from report_templates.excel.look import LABEL, LINK, LOCKED, SMALL, UNIT, Look
from report_templates.figures import first_day


def write_price_rows(book: Book, sheet: Sheet) -> None:
    """Every row of a price table that a scenario, a way of purchase or an alternative pays, once."""
    words, grid = book.words, book.grid
    sheet.skip()
    sheet.section(words("workbook.price_rows"))
    value, age = grid.column(0), grid.text_column("changed")
    heads = {
        "C": words("workbook.price_row"), "D": words("head.unit"), value: words("head.value"),
        grid.text_column("origin"): words("head.quality"), grid.text_column("how"): words("head.source"),
        grid.text_column("as_of"): words("head.as_of"), age: words("head.age_days"),
        grid.text_column("key"): words("workbook.used_in"),
    }  # fmt: skip
    sheet.table_header(heads, numbers=(value, age))
    today = grid.cell(sheet.title, TODAY, 0)
    for (index, line), marks in _rows(book).items():
        _put(book, sheet, index, line, marks, today)
    sheet.page.print_area = f"A1:{grid.text_column('key')}{sheet.row}"


def _rows(book: Book) -> dict[tuple[int, Line], list[str]]:
    """The given lines of prices that a table gives -> the columns that use the same row."""
    found: dict[tuple[str, str, object], tuple[int, Line]] = {}
    used: dict[tuple[int, Line], list[str]] = {}
    for index, case in enumerate(book.cases):
        if case.kind == "end":
            continue
        for line in case.budget.ledger.group("price"):
            if line.tag == "table" and line.is_money and line.given is not None:
                first = found.setdefault((line.source.name, line.row_text, line.given), (index, line))
                used.setdefault(first, []).append(case.mark)
    return used


def _put(book: Book, sheet: Sheet, index: int, line: Line, marks: list[str], today: str) -> None:
    words, grid = book.words, book.grid
    day = first_day(line.source.as_of)
    row, as_of = sheet.row, grid.text_column("as_of")
    age = None
    if day is not None:
        age = Formula(f"MAX(0,{today}-{as_of}{row})", age_days(line.source.as_of, book.budget.scenario.today))
    cells: dict[str, tuple[Content, Look]] = {
        "C": (row_words(line.row_text, words), LABEL),
        "D": (book.unit_word(line.unit), UNIT),
        grid.column(0): (
            book.link(sheet, book.place(line.key, index)),
            with_number(LINK, book.number_format(line.unit, line.given)),
        ),
        grid.text_column("origin"): (line.source.quality, SMALL),
        grid.text_column("how"): (format_source(line.source, words), SMALL),
        as_of: (day or line.source.as_of, with_number(SMALL, book.number_format("date", day))),
        grid.text_column("changed"): (age, with_number(LOCKED, "#,##0")),
        grid.text_column("key"): (words("list.comma").join(marks), SMALL),
    }
    sheet.put_row(cells)
