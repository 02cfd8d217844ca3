"""The cells of somebody's workbook, read within bounds; what is none is refused in words. Nothing in it is run."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from desktop_app.foundation.problems import Problem, UserError, user_error
from pricing.importers.faults import SheetError
from pricing.importers.workbooks import OLD_EXCEL_MARK, ZIP_MARK, check_zip
from report_templates.excel.cells import column_letters
from report_templates.excel.embedded import FORMAT

_MOST_SHEETS = 100  # we write 17; somebody may have added some
_MOST_ROWS = 60_000  # of a sheet: 64 scenarios with every line make about 20,000 rows of data
_MOST_ROWS_IN_ALL, _MOST_CELLS = 120_000, 6_000_000  # of all sheets together
_MOST_COLUMNS = 1_000  # of a sheet: 64 scenarios and 60 alternatives need about 250
_FEWEST_COLUMNS = 5  # what a sheet of ours has at least; a smaller size that a file states of itself is not believed
_NAMES = (b'"in_tokens"', b'"out_cost_base"')  # names of cells that every workbook of ours has
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # name of the stream that holds an encrypted workbook, MS-OFFCRYPTO
_TEXTS = ("xl/sharedStrings.xml", "xl/worksheets/")  # parts of a workbook that may hold the text of a cell
_PIECE = 1 << 20  # bytes unpacked at a time


@dataclass(frozen=True, slots=True)
class SheetCells:
    """One sheet: rows of cells as openpyxl reads them, the first row and column having the index 0."""

    title: str
    rows: tuple[tuple[Any, ...], ...]

    def cell(self, row: int, column: int) -> Any:
        """The cell at a place; None beyond the end of a row."""
        cells = self.rows[row] if row < len(self.rows) else ()
        return cells[column] if column < len(cells) else None

    def value(self, row: int, column: int) -> Any:
        """What it holds: the text of a formula where it is one."""
        cell = self.cell(row, column)
        return None if cell is None else cell.value

    def text(self, row: int, column: int) -> str:
        """The value where it is a text, without blanks around it; else ""."""
        value = self.value(row, column)
        return value.strip() if isinstance(value, str) else ""


def address(row: int, column: int) -> str:
    """The address of a cell from its indices."""
    return f"{column_letters(column + 1)}{row + 1}"


def is_formula(cell: Any) -> bool:
    """Whether a cell holds a formula."""
    return cell is not None and cell.data_type == "f"


class ReturnedCells:
    """All sheets of a workbook with their formulas; results of formulas are looked up where they are asked for."""

    def __init__(self, data: bytes, file: str) -> None:
        """Read the sheets. Raises UserError, and nothing else, where `data` is no workbook that can be read."""
        self.file, self._data = file, data
        _check_kind(data, file)
        self.sheets = self._read(formulas=True)
        self._results: dict[str, SheetCells] | None = None

    def result(self, sheet: str, row: int, column: int) -> Any:
        """What the formula in a cell came to when the file was saved; None where no program computed it."""
        if self._results is None:
            self._results = {found.title: found for found in self._read(formulas=False)}
        return self._results[sheet].value(row, column)

    def _read(self, *, formulas: bool) -> tuple[SheetCells, ...]:
        from openpyxl import load_workbook

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of features that are not read
                book = load_workbook(io.BytesIO(self._data), read_only=True, data_only=not formulas, keep_links=False)
                if len(book.sheetnames) > _MOST_SHEETS:
                    raise user_error("", "problem.workbook_sheets", file=self.file, limit=_MOST_SHEETS)
                return tuple(SheetCells(page.title, rows) for page, rows in self._all_rows(book.worksheets))
        except UserError:
            raise
        except (
            Exception
        ):  # openpyxl raises whatever the broken part makes it raise: KeyError, ParseError, TypeError, ...
            raise user_error("", "problem.import_broken_workbook", file=self.file) from None

    def _all_rows(self, pages: Iterable[Any]) -> Iterator[tuple[Any, tuple[tuple[Any, ...], ...]]]:
        """The rows of each sheet. Raises UserError as soon as all of them together hold too much."""
        rows = cells = 0
        for page in pages:
            kept = []
            for row in _rows_of(page):
                rows, cells = rows + 1, cells + len(row)
                if rows > _MOST_ROWS_IN_ALL or cells > _MOST_CELLS:
                    raise user_error("", "problem.workbook_rows", file=self.file, limit=_MOST_ROWS_IN_ALL)
                kept.append(row)
            yield page, tuple(kept)


def is_ours(data: bytes) -> bool:
    """Whether a file is a workbook that this program wrote, or what somebody left of one. Raises nothing."""
    if not data.startswith(ZIP_MARK):
        return False
    try:
        check_zip(data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return has_names(archive) or _holds(archive, FORMAT.encode())
    except Exception:  # zipfile and zlib raise a dozen kinds
        return False


def has_names(archive: zipfile.ZipFile) -> bool:
    """Whether cells of the workbook have the names that ours have."""
    parts = archive.namelist()
    head = archive.read("xl/workbook.xml") if "xl/workbook.xml" in parts else b""
    return all(name in head for name in _NAMES)


def names_are_ours(data: bytes) -> bool:
    """Whether cells of a workbook that was read have the names that ours have."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return has_names(archive)
    except Exception:  # it was read before, but not every part of it
        return False


def _holds(archive: zipfile.ZipFile, mark: bytes) -> bool:
    """Whether a text stands in any cell."""
    for part in archive.namelist():
        if part.startswith(_TEXTS) and part.endswith(".xml"):
            with archive.open(part) as stream:
                before = b""
                while piece := stream.read(_PIECE):
                    if mark in before + piece:
                        return True
                    before = piece[-len(mark) :]
    return False


def _check_kind(data: bytes, file: str) -> None:
    """Raise UserError for what is no workbook: an old or encrypted one, a text, an archive that unpacks without end."""
    if not data.strip():
        raise user_error("", "problem.import_empty_file", file=file)
    if data.startswith(OLD_EXCEL_MARK):
        key = "problem.workbook_password" if _ENCRYPTED in data else "problem.import_old_excel"
        raise user_error("", key, file=file)
    if not data.startswith(ZIP_MARK):
        raise user_error("", "problem.not_a_workbook", file=file)
    try:
        check_zip(data)
    except SheetError as error:
        too_large = error.reason == "unpacks_too_large"
        key = "problem.workbook_too_large" if too_large else "problem.import_broken_workbook"
        raise UserError(Problem("", key, {"file": file, **error.values})) from None


def _rows_of(page: Any) -> Iterator[tuple[Any, ...]]:
    columns = page.max_column or 0
    most = columns if _FEWEST_COLUMNS <= columns <= _MOST_COLUMNS else _MOST_COLUMNS
    found: Iterator[tuple[Any, ...]] = page.iter_rows(max_row=_MOST_ROWS, max_col=most)
    return found
