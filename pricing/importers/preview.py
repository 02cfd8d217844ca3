"""The one door of the importers: the bytes of a file in, a preview out. Nothing is stored here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pricing.importers.checks import PreviewRow, judged
from pricing.importers.context import Helpers, Lookups, Options
from pricing.importers.faults import Finding, Severity, SheetError
from pricing.importers.header import find_header, header_score
from pricing.importers.limits import MOST_BYTES
from pricing.importers.price_sheet import SheetReader
from pricing.importers.sheets import Sheet, cell_text
from pricing.importers.skypilot import SkyPilotReader, is_skypilot
from pricing.importers.text_files import read_text_file
from pricing.importers.workbooks import OLD_EXCEL_MARK, ZIP_MARK, read_workbook
from pricing.records import PriceQuote

_MOST_FILE_NAME = 100  # characters of a file's name that the origin of a price keeps
_SKYPILOT_SCORE = 100  # beats every count of column names


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file says, row by row. `sheet` is "" for a text file; `mapping` is field to column name as it was used."""

    file: str
    kind: Literal["price_sheet", "skypilot"]
    sheet: str
    header_row: int
    rows_read: int  # lines below the column names that hold anything
    mapping: Mapping[str, str]
    ignored_columns: tuple[str, ...]
    rows: tuple[PreviewRow, ...]
    findings: tuple[Finding, ...]

    def quotes(self, *, with_doubtful: bool = False) -> tuple[PriceQuote, ...]:
        """The prices to take."""
        return tuple(row.quote for row in self.rows if with_doubtful or not row.doubtful)

    def said(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of one severity, in the order of the file."""
        return tuple(finding for finding in self.findings if finding.severity == severity)

    @property
    def dropped_by_reason(self) -> Mapping[str, int]:
        """How many rows (or spot halves of rows) are not taken, by reason code."""
        return Counter(finding.reason for finding in self.said("dropped"))


def preview_of(file: str, data: bytes, helpers: Helpers, options: Options) -> Preview:
    """What the price sheet in `data` says. `file` is its name, kept as the origin of its prices.

    Raises SheetError, and nothing else, when it is none: too large, no text and no workbook, no line of column names,
    no column of GPUs or prices, two columns that may both be the price, a field, column or sheet that does not exist.
    """
    return preview_of_sheet(file, sheet_in(data, options), helpers, options)


def preview_of_sheet(file: str, sheet: Sheet, helpers: Helpers, options: Options) -> Preview:
    """What a sheet that was read before says under `options`, which may be others by now. Raises SheetError."""
    name = cell_text(file)[:_MOST_FILE_NAME] or "?"
    if sheet.name:
        name = f"{name} ({cell_text(sheet.name)})"
    lookups = Lookups(helpers)
    if is_skypilot(sheet) and not options.mapping:
        catalogue = SkyPilotReader(sheet, options, lookups)
        catalogue.read()
        rows, findings = judged(catalogue.drafts, lookups, name, unit_is_sure=True)
        return Preview(
            name, "skypilot", sheet.name, sheet.rows[0].number, len(sheet.rows) - 1, catalogue.mapping,
            catalogue.ignored, tuple(rows), _in_order([*catalogue.findings, *findings]),
        )  # fmt: skip
    header = find_header(sheet, options.mapping)
    reader = SheetReader(sheet, header, options, lookups)
    reader.read()
    rows, findings = judged(reader.drafts, lookups, name)
    below = sum(row.number > header.row for row in sheet.rows)
    return Preview(
        name, "price_sheet", sheet.name, header.row, below, header.mapping, header.ignored, tuple(rows),
        _in_order([*reader.findings, *findings]),
    )  # fmt: skip


def sheet_in(data: bytes, options: Options) -> Sheet:
    """The sheet of a text file or workbook, unread but for its cells. Raises SheetError."""
    if len(data) > MOST_BYTES:
        raise SheetError("file_too_large", limit=MOST_BYTES / 1e6)
    if not data.strip():
        raise SheetError("empty_file")
    if data.startswith(OLD_EXCEL_MARK):
        raise SheetError("old_excel")
    score = partial(_score, mapping=options.mapping)
    if data.startswith(ZIP_MARK):
        return read_workbook(data, options.sheet, score)
    if options.sheet is not None:
        raise SheetError("no_sheets_in_text", sheet=options.sheet)
    return read_text_file(data, score)


def _score(sheet: Sheet, mapping: Mapping[str, str]) -> int:
    return _SKYPILOT_SCORE if is_skypilot(sheet) else header_score(sheet, mapping)


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Of the whole file first, then by row."""
    return tuple(sorted(findings, key=lambda finding: finding.row or 0))
