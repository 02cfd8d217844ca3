"""What the CSV files share: plain numbers, texts that no spreadsheet runs as a formula, files written whole."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop_app.foundation.files import replace_file

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run such a text as a formula
BYTE_ORDER_MARK = "\ufeff"
"""Tells Excel that a file is UTF-8; without it Chinese is garbled there."""


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A heading row and the others."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(headings)
    writer.writerows(rows)
    return text.getvalue()


def number_cell(value: float | None) -> str:
    """All digits that a spreadsheet keeps, without groups; nothing for what is not known."""
    return "" if value is None else f"{value:.15g}"


def text_cell(text: str) -> str:
    """The text, marked as one where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def write_csv(text: str, target: Path) -> None:
    """Write the file whole or not at all. Raises UserError."""
    replace_file(target, lambda path: _write(path, text))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
