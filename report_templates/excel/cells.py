"""Sheets and cells while a workbook is being written: text that stays text, formulas with their results, places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from report_templates.excel.look import HEADER, HEADER_NUMBER, NOTE, SECTION, TITLE, TONES, Look, Painter, Tone
from report_templates.excel.stored_results import Result

if TYPE_CHECKING:
    from openpyxl import Workbook

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")  # not allowed in XML 1.0
_LONGEST_TEXT = 32_767  # characters a cell holds, Excel specifications and limits
_LONGEST_SHEET_NAME = 31  # Excel specifications and limits
_LONGEST_TITLE = 68  # letters of the size of a title from the margin to the light of the checks
_FORMULA_START = ("=", "+", "-", "@", "\t", "\r")
_FIRST_WIDE = 0x2E7F  # from here on characters are as wide as they are high
_WIDE = 2.1  # digits that a Chinese character is wide
ROW_HEIGHT = 18.0  # points
_LINE_HEIGHT = 13.5  # points, of type of 10


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula without its "=", and what it comes to."""

    text: str
    result: Result


Content: TypeAlias = str | float | bool | date | Formula | None


@dataclass(frozen=True, slots=True)
class Place:
    """One cell that was written: where it stands and what it comes to."""

    sheet: str
    address: str
    value: Result | date | None

    def seen_from(self, sheet: str) -> str:
        """Its address in a formula on `sheet`."""
        return self.address if sheet == self.sheet else f"{quoted_sheet(self.sheet)}!{self.address}"

    @property
    def row(self) -> int:
        """Its row."""
        return int(self.address.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

    @property
    def absolute(self) -> str:
        """Its full address, fixed, as a defined name asks for."""
        column = self.address.removesuffix(str(self.row))
        return f"{quoted_sheet(self.sheet)}!${column}${self.row}"


class Sheet:
    """One sheet. `row` is where the next thing goes."""

    def __init__(
        self, workbook: Workbook, title: str, painter: Painter, results: dict[tuple[str, str], Result]
    ) -> None:
        """A new last sheet of `workbook` called `title`; the results of its formulas go into `results`."""
        self.title = sheet_name(title, workbook.sheetnames)
        self.page = workbook.create_sheet(self.title)
        self.page.sheet_view.showGridLines = False
        self.row = 1
        self._painter = painter
        self._results = results

    def put(self, column: str, content: Content, look: Look, row: int | None = None) -> Place:
        """Write one cell of `row` (default: the current one)."""
        row = row or self.row
        address = f"{column}{row}"
        cell = self.page.cell(row, column_number(column))
        self._painter.paint(cell, look)
        if isinstance(content, Formula):
            cell.value = f"={content.text}"
            self._results[self.title, address] = content.result
            return Place(self.title, address, content.result)
        if isinstance(content, str):
            content = clean_text(content)
            cell.value = content
            cell.data_type = "s"
            if content.startswith(_FORMULA_START):
                cell.quotePrefix = True
        else:
            cell.value = content
        return Place(self.title, address, content)

    def put_row(self, cells: Mapping[str, tuple[Content, Look]], height: float | None = None) -> dict[str, Place]:
        """Write the current row and go to the next; without a `height` it grows with its longest wrapped text."""
        places = {column: self.put(column, content, look) for column, (content, look) in cells.items()}
        self.page.row_dimensions[self.row].height = height or self.height_of(cells)
        self.row += 1
        return places

    def skip(self, height: float = 8) -> None:
        """Leave an empty row of `height`."""
        self.page.row_dimensions[self.row].height = height
        self.row += 1

    def widths(self, widths: Mapping[str, float]) -> None:
        """Set the width of each column, in characters."""
        for column, width in widths.items():
            self.page.column_dimensions[column].width = width

    def head(self, title: str, note: str) -> None:
        """The title of the sheet and the line under it."""
        self.put_row({"B": (_cut(title, _LONGEST_TITLE), TITLE)}, height=28)
        self.put_row({"B": (note, NOTE)}, height=18)
        self.skip()

    def section(self, title: str) -> None:
        """A heading over a table."""
        self.put_row({"B": (title, SECTION)}, height=22)

    def table_header(self, headings: Mapping[str, str], numbers: Sequence[str] = (), freeze: str = "") -> int:
        """The header row of a table, the columns in `numbers` aligned to the right. Gives its row.

        With `freeze`, the rows down to here and the columns left of `freeze` stay in view, and the row is printed again
        on every page.
        """
        cells = {column: (text, HEADER_NUMBER if column in numbers else HEADER) for column, text in headings.items()}
        self.put_row(cells, height=32)
        if freeze:
            self.page.freeze_panes = f"{freeze}{self.row}"
            self.page.print_title_rows = f"{self.row - 1}:{self.row - 1}"
        return self.row - 1

    def highlight(self, area: str, condition: str, tone: Tone) -> None:
        """Colour the cells of `area` while `condition` (a formula for its first cell) holds."""
        from openpyxl.formatting.rule import FormulaRule
        from openpyxl.styles import Font, PatternFill

        color, fill = TONES[tone]
        look = {"font": Font(color=color, bold=True), "fill": PatternFill("solid", bgColor=fill)}
        rule = FormulaRule([condition], **look)  # type: ignore[no-untyped-call]
        self.page.conditional_formatting.add(area, rule)

    def height_of(self, cells: Mapping[str, tuple[Content, Look]]) -> float:
        """The height in points that a row of these cells needs: that of its longest wrapped text."""
        lines = 1
        for column, (content, look) in cells.items():
            shown = content.result if isinstance(content, Formula) else content
            if look.wrap and isinstance(shown, str):
                width = self.page.column_dimensions[column].width * 11 / look.size  # digits of the size of the text
                lines = max(lines, wrapped_lines(shown, width, self._painter.letter))
        return ROW_HEIGHT if lines == 1 else lines * _LINE_HEIGHT + 5


@lru_cache(maxsize=1024)
def column_number(letters: str) -> int:
    """The number of a column from its letters: 1 for "A"."""
    from openpyxl.utils import column_index_from_string

    return column_index_from_string(letters)


@lru_cache(maxsize=1024)
def column_letters(number: int) -> str:
    """The letters of a column: "A" for 1."""
    from openpyxl.utils import get_column_letter

    return get_column_letter(number)


def clean_text(text: str) -> str:
    """The text as a cell can hold it: no control characters, not too long."""
    return _CONTROL.sub("", text)[:_LONGEST_TEXT]


def sheet_name(title: str, taken: Sequence[str]) -> str:
    """A name that spreadsheet programs accept and no sheet has yet."""
    wanted = re.sub(r"[\[\]:*?/\\]", " ", clean_text(title)).strip(" '")[:_LONGEST_SHEET_NAME] or "Sheet"
    name, number = wanted, 2
    while name.casefold() in {other.casefold() for other in taken}:
        suffix = f" {number}"
        name, number = wanted[: _LONGEST_SHEET_NAME - len(suffix)] + suffix, number + 1
    return name


def quoted_sheet(name: str) -> str:
    """The name of a sheet as a formula writes it."""
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name) else "'{}'".format(name.replace("'", "''"))


def range_of(first: Place, last: Place, sheet: str) -> str:
    """The cells from `first` to `last` of one sheet, as a formula on `sheet` writes them."""
    return f"{first.seen_from(sheet)}:{last.address}"


def quoted_text(text: str) -> str:
    """A text as a formula writes it."""
    return '"{}"'.format(text.replace('"', '""'))


def joined(template: str, parts: Mapping[str, Formula]) -> Formula:
    """A sentence of the catalogue as a formula: its {placeholders} are formulas, and it changes when they do.

    Whole numbers come out as a spreadsheet joins them to a text: without a decimal point.
    """
    pieces: list[str] = []
    result = ""
    for literal, name in re.findall(r"([^{]*)(?:\{(\w+)\})?", template):
        if literal:
            pieces.append(quoted_text(literal))
            result += literal
        if name:
            pieces.append(parts[name].text)
            result += _as_text(parts[name].result)
    return Formula("&".join(pieces), result)


def _as_text(value: Result) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


@lru_cache(maxsize=4096)
def wrapped_lines(text: str, width: float, letter: float) -> int:
    """How many lines a text takes in a column of `width` digits, with letters of `letter` digits on average.

    Words break at spaces, Chinese anywhere, and a word longer than the line where the line ends.
    """
    room = max(width - 2.0, 4.0)  # what the indent and the edges take
    lines, used = 1, 0.0
    for word in re.findall(r"\n|[!-~]+ ?|[^!-~\n]", text):
        if word == "\n":
            lines, used = lines + 1, 0.0
            continue
        size = sum(_WIDE if ord(sign) > _FIRST_WIDE else letter for sign in word)
        if used and used + size - letter * word.endswith(" ") > room:
            lines, used = lines + 1, 0.0
        lines += int(size // room)
        used = (used + size) % room if size > room else used + size
    return lines


def _cut(text: str, width: int) -> str:
    """The text, or its beginning where it would run into what stands to its right."""
    used = 0
    for index, sign in enumerate(text):
        used += 2 if ord(sign) > _FIRST_WIDE else 1
        if used > width:
            return text[:index].rstrip() + " ..."
    return text


def with_number(look: Look, number: str) -> Look:
    """The look with a number format."""
    return replace(look, number=number)
