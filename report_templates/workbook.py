"""The budget as an Excel workbook: every figure a live formula with its result stored beside it."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.wording import Language
from report_templates.excel.book import Book
from report_templates.excel.self_check import check_stored
from report_templates.excel.sheets import write_sheets


def write_workbook(dossier: Dossier, path: Path, language: Language) -> None:
    """Write the workbook whole or not at all. Raises UserError when the file cannot be written."""
    data = workbook_bytes(dossier, language)
    replace_file(path, lambda beside: _write(beside, data))


def workbook_bytes(dossier: Dossier, language: Language) -> bytes:
    """The workbook as a file's bytes; the same dossier and language give the same bytes."""
    book = Book(dossier, language)
    write_sheets(book)
    data = book.finished()
    check_stored(data, book)
    return data


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
