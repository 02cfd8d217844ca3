"""The last look at a workbook before it is written: what the file holds is what the ledgers say."""

from __future__ import annotations

import io
import math
import re
import zipfile

from report_templates.excel.book import Book
from report_templates.excel.stored_results import sheet_names

_CELL = re.compile(rb'<c r="([A-Z]+[0-9]+)"([^>]*)>(?:<f>[^<]*</f>)?<v>([^<]*)</v>')
_TEXTS = (b't="s"', b't="str"', b't="inlineStr"', b't="e"')  # kinds of cells that hold no number
_CENT = 0.005  # half of the smallest printed step of money
_RELATIVE = 1e-9


def check_stored(data: bytes, book: Book) -> None:
    """Read the stored figures of every case back out of the file. ValueError where one is another: our bug."""
    cells = _cells(data)
    for index, case in enumerate(book.cases):
        for key, value in case.values.items():
            if not case.has(key):
                continue
            stored = cells[book.grid.title(key)].get(book.grid.address(key, index))
            if not _same(stored, value, case.budget.ledger[key].is_money):
                raise ValueError(f"{key} of column {case.mark} is {value} and stored as {stored}")


def _cells(data: bytes) -> dict[str, dict[str, float | None]]:
    """The numbers of each sheet by address; None for a text."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {title: _numbers(archive.read(part)) for part, title in sheet_names(archive).items()}


def _numbers(sheet: bytes) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for address, attributes, text in _CELL.findall(sheet):
        is_text = any(kind in attributes for kind in _TEXTS)
        found[address.decode()] = None if is_text else float(text)
    return found


def _same(stored: float | None, value: float | None, money: bool) -> bool:
    if value is None or not math.isfinite(value):
        return stored is None
    return stored is not None and abs(stored - value) <= (_CENT if money else 0.0) + _RELATIVE * abs(value)
