"""The sheet Inputs: every given figure and every choice, once, with unit, source, date and what it was at export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from desktop_app.budget.uncertainty import DRIVEN
from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, quoted_text, with_number
from report_templates.excel.entries import Entry, choice_entries, line_entries, size_entries
from report_templates.excel.look import (
    GROUP,
    INPUT,
    KIND,
    LABEL,
    LOCKED,
    PREDICTED,
    SMALL,
    UNIT,
    Look,
)
from report_templates.excel.validation import Validations
from report_templates.figures import first_day

_WIDTHS = {"B": 7, "C": 40, "D": 23, "E": 18, "F": 12, "G": 23, "H": 16, "I": 72, "J": 13}
_TYPED_OVER = ("price", "power", "pue", "grid")  # drivers whose input a table gives and a reader may type
_HEADINGS = ("kind", "item", "value", "unit", "origin", "exported", "changed", "source", "as_of")


@dataclass(frozen=True, slots=True)
class InputRow:
    """One input on the sheet: its cell, what it was at export, and the cell that is 1 when they differ."""

    entry: Entry
    value: Place
    exported: Place
    changed: Place


def write_inputs(book: Book, sheet: Sheet) -> tuple[InputRow, ...]:
    """Fill the sheet and give its rows; the cells of the ledger's given lines go into `book.places`."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.inputs"), words("workbook.inputs_note"))
    headings = {column: words(f"head.{key}") for column, key in zip("BCDEFGHIJ", _HEADINGS, strict=True)}
    sheet.table_header(headings, numbers=("D", "G"), freeze="D")
    validations = Validations(words)
    rows, changed = [_report_date(book, sheet, validations)], dict[str, Place]()
    for entry in (*choice_entries(book), *size_entries(book)):
        rows.append(_put(book, sheet, entry, validations))
    for group, entries in groupby(line_entries(book), _group_of):
        _band(sheet, words(f"group.{group}"))
        for entry in entries:
            rows.append(_put(book, sheet, entry, validations, _limit(entry, changed, sheet.row)))
            book.places[entry.key], changed[entry.key] = rows[-1].value, rows[-1].changed
    validations.attach(sheet.page)
    _mark_changes(sheet, rows)
    return tuple(rows)


def _limit(entry: Entry, changed: Mapping[str, Place], row: int) -> Formula | None:
    """The limit of a driver whose input may be typed over: a typed figure is taken at its word, so its factor is 1.

    None where the input is computed from others, such as the price of own hardware: typing one of these leaves a range.
    """
    _, _, driver = entry.key.removesuffix(".low").removesuffix(".high").partition("driver.")
    if driver not in _TYPED_OVER or DRIVEN[driver] not in changed:
        return None
    assert isinstance(entry.value, str | float), "a limit is a factor or not known"
    return Formula(f"IF({changed[DRIVEN[driver]].address}=1,1,G{row})", entry.value)


def _group_of(entry: Entry) -> str:
    assert entry.line is not None, "only lines of the ledger are grouped"
    return entry.line.group


def _report_date(book: Book, sheet: Sheet, validations: Validations) -> InputRow:
    """The day that ages are counted to."""
    words, today = book.words, book.budget.scenario.today
    _band(sheet, words("group.choices"))
    entry = Entry("today", words("doc.report_date"), today, "date", "yours", words("source.yours"), "", False)
    row = _put(book, sheet, entry, None)
    validations.allow_date(row.value.address)
    book.places["today"] = row.value
    return row


def _band(sheet: Sheet, title: str) -> None:
    sheet.put_row({"B": (title, GROUP), **dict.fromkeys("CDEFGHIJ", (None, GROUP))}, height=20)


def _put(
    book: Book, sheet: Sheet, entry: Entry, validations: Validations | None, shown: Formula | None = None
) -> InputRow:
    """One row; `shown` stands in the place of the value where it follows another input."""
    words, row = book.words, sheet.row
    number = book.number_format(entry.unit, entry.value)
    mark = words("workbook.rerun" if entry.needs_app else "workbook.changed")
    day = first_day(entry.as_of) if len(entry.as_of) == len("2026-11-30") else None
    places = sheet.put_row(
        {
            "B": ("C" if entry.locked else "I", KIND),
            "C": (entry.label, LABEL),
            "D": (shown or entry.value, replace(_look(entry), number=number, wrap=isinstance(entry.value, str))),
            "E": (entry.unit_words or book.unit_word(entry.unit), UNIT),
            "F": (words(f"tag.{entry.tag}"), SMALL),
            "G": (entry.value, replace(LOCKED, number=number, wrap=isinstance(entry.value, str))),
            "H": (Formula(f"IF(D{row}=G{row},0,1)", 0), replace(SMALL, number=f'{quoted_text(mark)};;""')),
            "I": (entry.source, SMALL),
            "J": (day or entry.as_of, with_number(SMALL, book.number_format("date", day))),
        }
    )
    if validations is not None and not entry.locked:
        validations.allow(places["D"].address, entry.info)
    return InputRow(entry, places["D"], places["G"], places["H"])


def _look(entry: Entry) -> Look:
    if entry.tag == "predicted":
        return PREDICTED
    return LOCKED if entry.locked else INPUT


def _mark_changes(sheet: Sheet, rows: list[InputRow]) -> None:
    """A changed input is coloured; the word beside it says so too."""
    area = f"D{rows[0].value.row}:H{rows[-1].value.row}"
    sheet.highlight(area, f"$H{rows[0].value.row}=1", "warn")
