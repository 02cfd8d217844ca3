"""The sheet Budget: every computed line of the ledger as a live formula, with its unit and its formula in words."""

from __future__ import annotations

from report_templates.excel.book import Book
from report_templates.excel.cells import Place, Sheet, with_number
from report_templates.excel.formulas import line_formula
from report_templates.excel.look import GROUP, KIND, LABEL, NUMBER, SMALL, UNIT
from report_templates.figures import formula_in_words

_WIDTHS = {"B": 7, "C": 44, "D": 20, "E": 16, "F": 78}
_HEADINGS = ("kind", "item", "value", "unit", "how")


def write_budget(book: Book, sheet: Sheet) -> tuple[Place, ...]:
    """Fill the sheet and give its formula cells, which also go into `book.places`. Memory has its own sheet."""
    words, ledger = book.words, book.budget.ledger
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.budget"), words("workbook.budget_note"))
    headings = {column: words(f"head.{key}") for column, key in zip("BCDEF", _HEADINGS, strict=True)}
    sheet.table_header(headings, numbers=("D",), freeze="D")
    group = ""
    places: list[Place] = []
    for line in ledger:
        if line.expression is None or line.group == "memory":
            continue
        if line.group != group:
            group = line.group
            sheet.put_row({"B": (words(f"group.{group}"), GROUP), **dict.fromkeys("CDEF", (None, GROUP))}, height=20)
        places.append(_put(book, sheet, line.key))
        book.places[line.key] = places[-1]
    return tuple(places)


def _put(book: Book, sheet: Sheet, key: str) -> Place:
    ledger, line = book.budget.ledger, book.budget.ledger[key]
    unknown = book.unknown_word(line)
    formula = line_formula(line, ledger, book.unsure, lambda other: book.cell_of(sheet, other), unknown)
    look = with_number(NUMBER, book.number_format(line.unit, ledger.value(key)))
    places = sheet.put_row(
        {
            "B": ("C", KIND),
            "C": (book.words(f"ledger.{key}"), LABEL),
            "D": (formula, look),
            "E": (book.unit_word(line.unit), UNIT),
            "F": (formula_in_words(line, book.words), SMALL),
        }
    )
    return places["D"]
