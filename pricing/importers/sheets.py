"""A sheet as rows of cells, whatever file it came from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime

from pricing.importers.faults import SheetError
from pricing.importers.limits import MOST_CELL_CHARACTERS, MOST_COLUMNS, MOST_ROWS

Cell = str | float | date | None

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")  # Unicode: CJK unified ideographs and extension A
_KANA = re.compile(r"[\u3040-\u30ff]")  # Unicode: hiragana and katakana


class MarkedNumber(float):
    """A number of a workbook whose format shows a currency; `mark` is that format, "[$€-407] #,##0.00"."""

    __slots__ = ("mark",)

    def __new__(cls, value: float, mark: str) -> MarkedNumber:
        """The number with its mark."""
        number = super().__new__(cls, value)
        number.mark = mark
        return number

    mark: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of one line; `number` is that of the file, where the first line is 1. Empty cells are None."""

    number: int
    cells: tuple[Cell, ...]

    def text(self, position: int | None) -> str:
        """The cell as one line of text without surrounding blanks; "" where there is none."""
        cell = self.cell(position)
        return "" if cell is None else cell_text(cell)

    def cell(self, position: int | None) -> Cell:
        """The cell; None where it is empty or the row is shorter."""
        return self.cells[position] if position is not None and position < len(self.cells) else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows that hold anything. `name` is that of the sheet in a workbook, "" in a text file.

    `all_names` are those of every sheet of the workbook.
    """

    name: str
    rows: tuple[SheetRow, ...]
    all_names: tuple[str, ...] = ()

    @property
    def is_chinese(self) -> bool:
        """Whether its words are Chinese: Han characters and none that only Japanese has."""
        texts = [cell for row in self.rows[:200] for cell in row.cells if isinstance(cell, str)]  # as many as show it
        return any(map(_HAN.search, texts)) and not any(map(_KANA.search, texts))


def made_row(number: int, values: list[object]) -> SheetRow | None:
    """A row of `values` of a file; None when all are empty. Raises SheetError for too many or too long cells."""
    while values and values[-1] in (None, ""):
        values.pop()
    if len(values) > MOST_COLUMNS:
        raise SheetError("too_many_columns", row=number, limit=MOST_COLUMNS)
    cells = tuple(_cell(number, value) for value in values)
    return SheetRow(number, cells) if any(cell is not None for cell in cells) else None


def check_row_count(count: int) -> None:
    """Raise SheetError when a sheet has more rows than we read."""
    if count > MOST_ROWS:
        raise SheetError("too_many_rows", limit=MOST_ROWS)


def cell_text(cell: str | float | date) -> str:
    """A cell as one line of printable text: full-width signs as ASCII, whole numbers without ".0"."""
    if isinstance(cell, float):
        return f"{cell:.15g}"
    text = unicodedata.normalize("NFKC", cell.isoformat() if isinstance(cell, date) else cell)
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _cell(number: int, value: object) -> Cell:
    if value is None or isinstance(value, str):
        if value and len(value) > MOST_CELL_CHARACTERS:
            raise SheetError("cell_too_long", row=number, limit=MOST_CELL_CHARACTERS)
        return value if value and value.strip() else None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, MarkedNumber):
        return value
    return float(value) if abs(value) < 1e300 else str(value)[:60]  # beyond it is no price and no float
