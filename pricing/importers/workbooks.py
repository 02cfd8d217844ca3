"""Excel workbooks (.xlsx, .xlsm): the stored results of one sheet. Macros, links and formulas are never run."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

from pricing.importers.faults import SheetError
from pricing.importers.limits import MOST_COLUMNS, MOST_SHEETS, MOST_UNZIPPED_BYTES, MOST_ZIP_PARTS
from pricing.importers.sheets import MarkedNumber, Sheet, SheetRow, check_row_count, made_row
from pricing.importers.words import currencies_in

ZIP_MARK = b"PK\x03\x04"
OLD_EXCEL_MARK = b"\xd0\xcf\x11\xe0"  # the compound files of Excel 97 to 2003, and of encrypted workbooks
_PROLOGUE_BYTES = 4096  # a document type stands in the first lines of an XML part


def read_workbook(data: bytes, sheet: str | None, score: Callable[[Sheet], int]) -> Sheet:
    """The sheet that is named, or the one with the best `score`. Raises SheetError."""
    check_zip(data)
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of features that are not read
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            tables = {table.title: table for table in book.worksheets[:MOST_SHEETS]}
            names = tuple(tables)
            if sheet is None:
                return max((_rows_of(table, names) for table in tables.values()), key=score, default=Sheet("", ()))
            name = next((title for title in tables if title.strip().lower() == sheet.strip().lower()), None)
            if name is not None:
                return _rows_of(tables[name], names)
    except SheetError:
        raise
    except Exception:  # openpyxl raises whatever the broken part makes it raise: KeyError, ParseError, TypeError, ...
        raise SheetError("broken_workbook") from None
    raise SheetError("no_such_sheet", sheet=sheet or "", names=", ".join(tables))


def _rows_of(table: Any, names: tuple[str, ...]) -> Sheet:
    rows: list[SheetRow] = []
    marks: dict[str, str] = {}
    for number, cells in enumerate(table.iter_rows(max_col=MOST_COLUMNS), 1):
        row = made_row(number, [_value(cell, marks) for cell in cells])
        if row is not None:
            rows.append(row)
            check_row_count(len(rows))
    return Sheet(table.title, tuple(rows), names)


def _value(cell: Any, marks: dict[str, str]) -> object:
    """What a cell holds; a number with the currency that its format shows. `marks` remembers those of formats."""
    value = cell.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    shown = cell.number_format
    if shown not in marks:
        named = re.sub(r"\[\$([^\]-]*)(-[^\]]*)?\]", r"\1", shown)  # [$-409] names a language, [$€-407] a currency too
        marks[shown] = named if currencies_in(named) else ""
    return MarkedNumber(value, marks[shown]) if marks[shown] and abs(value) < 1e300 else value


def check_zip(data: bytes) -> None:
    """Look at the contents and the beginning of each part before anything is unpacked whole. Raises SheetError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_ZIP_PARTS or sum(part.file_size for part in parts) > MOST_UNZIPPED_BYTES:
                raise SheetError("unpacks_too_large", limit=MOST_UNZIPPED_BYTES / 1e6)
            if "[Content_Types].xml" not in archive.namelist():
                raise SheetError("broken_workbook")
            for part in parts:
                if part.filename.endswith((".xml", ".rels")) and _has_document_type(archive, part):
                    raise SheetError("broken_workbook")  # Excel writes none; entities may unfold without end
    except SheetError:
        raise
    except Exception:  # zipfile: BadZipFile, NotImplementedError, RuntimeError (encrypted), zlib.error, EOFError, ...
        raise SheetError("broken_workbook") from None


def _has_document_type(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    with archive.open(part) as stream:
        return b"<!DOCTYPE" in stream.read(_PROLOGUE_BYTES).replace(b"\0", b"")
