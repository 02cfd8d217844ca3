"""The sheet Memory: what fills the fullest GPU at the peak, term by term, against what it can hold, for every case."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.foundation.units import BYTES_PER_GIB
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, with_number
from report_templates.excel.look import KIND, NUMBER, OUTPUT, OUTPUT_LABEL, SMALL, Look
from report_templates.excel.rows import GridWriter, Written

_PEAK, _USABLE = "memory.peak", "memory.usable"


@dataclass(frozen=True, slots=True)
class MemoryCells:
    """The cells that other sheets and names point to."""

    verdict: Place
    peak_gib: Place
    written: Written


def write_memory(book: Book, sheet: Sheet) -> MemoryCells:
    """Fill the sheet, which is where the lines of memory stand."""
    words, grid = book.words, book.grid
    moment = words(book.budget.estimate.memory.moment)
    heads = {"origin": words("head.gib"), "as_of": words("head.share_usable")}
    note = words("workbook.memory_note", moment=moment)
    written = GridWriter(book, sheet, "memory").write(note, heads)  # type: ignore[arg-type]
    gib = grid.text_column("origin")
    places = {}
    for planned in grid.plans["memory"]:
        if planned.kind == "line" and planned.key in book.places:
            for column, text, divisor, number in _beside(book, planned.key):
                content = _ratio(text, book.budget.ledger.value(planned.key), divisor)
                place = sheet.put(column, content, with_number(NUMBER, number), row=planned.row)
                places[planned.key, column] = place
    return MemoryCells(_put_verdict(book, sheet), places[_PEAK, gib], written)


def _beside(book: Book, key: str) -> tuple[tuple[str, str, float | None, str], ...]:
    """GiB and the share of what is usable, of the base."""
    grid = book.grid
    cell, usable = grid.address(key, 0), grid.address(_USABLE, 0)
    return (
        (grid.text_column("origin"), f"{cell}/1024^3", BYTES_PER_GIB, "#,##0.00"),
        (grid.text_column("as_of"), f"{cell}/{usable}", book.budget.ledger.value(_USABLE), "0.0%"),
    )


def _put_verdict(book: Book, sheet: Sheet) -> Place:
    """Whether it fits, in a word for each case; gives that of the base."""
    words, grid = book.words, book.grid
    cells: dict[str, tuple[Content, Look]] = {
        "B": ("C", KIND),
        "C": (words("memory.fits"), OUTPUT_LABEL),
        "D": (None, OUTPUT),
    }
    for index, case in enumerate(grid.cases):
        shown = None if case.kind == "end" else words(f"verdict.{case.budget.estimate.fits}")
        cells[grid.column(index)] = (shown, OUTPUT)
    cells[grid.text_column("how")] = (words("workbook.verdict_rule"), SMALL)
    places = sheet.put_row(cells, height=32)
    return places[grid.column(0)]


def _ratio(text: str, value: float | None, divisor: float | None) -> Formula | None:
    """A quotient of two cells that hold numbers; nothing where one is not known."""
    return None if value is None or not divisor else Formula(text, value / divisor)
