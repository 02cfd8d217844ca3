"""The sheet Memory: what fills the fullest GPU at the peak, term by term, against what it can hold."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.budget.ledger import Line
from desktop_app.foundation.units import BYTES_PER_GIB
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, with_number
from report_templates.excel.formulas import line_formula, shown_value
from report_templates.excel.look import (
    GROUP,
    KIND,
    LABEL,
    LOCKED,
    NUMBER,
    OUTPUT,
    OUTPUT_LABEL,
    OUTPUT_UNIT,
    PREDICTED,
    SMALL,
    UNIT,
)
from report_templates.figures import formula_in_words

_WIDTHS = {"B": 7, "C": 42, "D": 20, "E": 11, "F": 12, "G": 14, "H": 74}
_HEADINGS = ("kind", "item", "value", "unit", "gib", "share_usable", "how")
_BLOCKS: dict[str, tuple[str, ...]] = {
    "memory.block_live": ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "live_peak"),
    "memory.block_allowance": ("allowance_low", "allowance", "allowance_high"),
    "memory.block_peak": ("peak_low", "peak", "peak_high"),
    "memory.block_fit": ("capacity", "usable", "headroom"),
}
_TOTALS = ("memory.live_peak", "memory.peak", "memory.headroom")
_USABLE = "memory.usable"


@dataclass(frozen=True, slots=True)
class MemoryCells:
    """The cells that other sheets and names point to."""

    verdict: Place
    peak_gib: Place


def write_memory(book: Book, sheet: Sheet) -> MemoryCells:
    """Fill the sheet, which is where the lines of memory stand."""
    words, estimate = book.words, book.budget.estimate
    sheet.widths(_WIDTHS)
    moment = words(estimate.memory.moment)
    sheet.head(words("sheet.memory"), words("workbook.memory_note", moment=moment))
    headings = {column: words(f"head.{key}") for column, key in zip("BCDEFGH", _HEADINGS, strict=True)}
    sheet.table_header(headings, numbers=("D", "F", "G"), freeze="D")
    rows = _rows_ahead(sheet.row)
    gib: dict[str, Place] = {}
    for block, terms in _BLOCKS.items():
        sheet.put_row({"B": (words(block), GROUP), **dict.fromkeys("CDEFGH", (None, GROUP))}, height=20)
        for term in terms:
            gib[term] = _put(book, sheet, book.budget.ledger[f"memory.{term}"], rows)
    verdict = words(f"verdict.{estimate.fits}")
    places = sheet.put_row(
        {
            "B": ("C", KIND),
            "C": (words("memory.fits"), OUTPUT_LABEL),
            "D": (verdict, OUTPUT),
            **dict.fromkeys("EFG", (None, OUTPUT)),
            "H": (words("workbook.verdict_rule"), SMALL),
        },
        height=24,
    )
    return MemoryCells(places["D"], gib["peak"])


def _rows_ahead(first: int) -> dict[str, int]:
    """The row each line will stand in, for the capacity is read by rows above it."""
    rows, row = {}, first
    for terms in _BLOCKS.values():
        row += 1
        for term in terms:
            rows[f"memory.{term}"] = row
            row += 1
    return rows


def _put(book: Book, sheet: Sheet, line: Line, rows: dict[str, int]) -> Place:
    """One line; gives the cell that shows it in GiB."""
    words, ledger, key, row = book.words, book.budget.ledger, line.key, sheet.row
    unknown = book.unknown_word(line)
    value: Content = shown_value(line.given, unknown)
    if line.expression is not None:
        value = line_formula(line, ledger, book.unsure, lambda other: f"D{rows[other]}", unknown)
    look = NUMBER if line.expression is not None else PREDICTED if line.tag == "predicted" else LOCKED
    label, number = (OUTPUT_LABEL, OUTPUT) if key in _TOTALS else (LABEL, look)
    places = sheet.put_row(
        {
            "B": ("C", KIND),
            "C": (words(f"ledger.{key}"), label),
            "D": (value, with_number(number, book.number_format(line.unit, ledger.value(key)))),
            "E": (book.unit_word(line.unit), OUTPUT_UNIT if key in _TOTALS else UNIT),
            "F": (_ratio(f"D{row}/1024^3", ledger.value(key), BYTES_PER_GIB), with_number(number, "#,##0.00")),
            "G": (
                _ratio(f"D{row}/D{rows[_USABLE]}", ledger.value(key), ledger.value(_USABLE)),
                with_number(number, "0.0%"),
            ),
            "H": (formula_in_words(line, words) or book.cited(line), SMALL),
        }
    )
    book.places[key] = places["D"]
    return places["F"]


def _ratio(text: str, value: float | None, divisor: float | None) -> Formula | None:
    """A quotient of two cells that hold numbers; nothing where one is not known."""
    return None if value is None or not divisor else Formula(text, value / divisor)
