"""The sheet FOCUS forecast: the rows of the forecast, their numbers live formulas over Schedule, Prices and Cost."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.budget.dossier.schedule import START_DAY
from desktop_app.budget.ledger import Line
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, column_letters, with_number
from report_templates.excel.formulas import guarded_formula, unsure_keys
from report_templates.excel.look import NOTE, NUMBER, SMALL, Look
from report_templates.excel.schedule import ScheduleCells, unknown_of_month
from report_templates.excel.tables import add_table
from report_templates.focus_items import COLUMNS, NUMBERS, PERIODS, VERSION
from report_templates.focus_rows import DONE_DAY, FocusForecast, FocusRow, focus_forecast

_FIRST = 2  # column B
_WIDTH, _NUMBER_WIDTH = 19.0, 16.0
_LETTER = 1.25  # digits of Calibri 11 that a letter of a heading is wide, in the wider of the fonts
_WIDTHS = {"ChargeDescription": 34.0, "SkuPriceId": 40.0, "Tags": 46.0}
_PAGES_WIDE = 4


@dataclass(frozen=True, slots=True)
class FocusCells:
    """The cells that the checks read: what each row charges; none where nothing is known."""

    effective: tuple[Place, ...]
    billed: tuple[Place, ...]


def write_focus(book: Book, sheet: Sheet, schedule: ScheduleCells) -> FocusCells:
    """Fill the sheet."""
    return _FocusWriter(book, sheet, schedule).write()


class _FocusWriter:
    def __init__(self, book: Book, sheet: Sheet, schedule: ScheduleCells) -> None:
        self._book, self._sheet, self._schedule = book, sheet, schedule
        self._forecast: FocusForecast = focus_forecast(book.dossier, book.words)
        self._lines = {line.key: line for line in self._forecast.lines}
        self._unsure = unsure_keys(self._forecast.lines, schedule.unsure)
        self._own: dict[str, str] = {}  # key of a line of the row that is being written -> its address

    def write(self) -> FocusCells:
        """Notes, header and rows."""
        sheet, words, forecast = self._sheet, self._book.words, self._forecast
        sheet.widths({_column(name): _WIDTHS.get(name, _default(name)) for name in COLUMNS})
        sheet.head(words("sheet.focus"), words("workbook.focus_note", version=VERSION))
        sheet.put("B", self._left_out(), NOTE, row=sheet.row - 1)
        sheet.page.row_dimensions[sheet.row - 1].height = 15
        header = sheet.table_header(
            {_column(name): name for name in COLUMNS}, numbers=[_column(name) for name in NUMBERS], freeze="D"
        )
        written = [self._put(row) for row in forecast.rows]
        add_table(sheet, "focus_forecast", header, _column(COLUMNS[0]), _column(COLUMNS[-1]))
        sheet.page.page_setup.fitToWidth = _PAGES_WIDE
        return FocusCells(tuple(places[0] for places in written), tuple(places[1] for places in written))

    def _left_out(self) -> str:
        """How many lines of money are no rows, and which."""
        words, keys = self._book.words, self._forecast.left_out
        if not keys:
            return words("workbook.focus_complete")
        names = words("list.pause").join(words(f"ledger.{key}") for key in keys)
        return words("workbook.focus_left_out", count=len(keys), names=names)

    def _put(self, row: FocusRow) -> tuple[Place, Place]:
        self._own = {key: f"{_column(name)}{self._sheet.row}" for name, key in row.numbers.items()}
        periods = self._periods(row)
        cells: dict[str, tuple[Content, Look]] = {}
        for name in COLUMNS:
            if name in row.numbers:
                cells[_column(name)] = self._number(name, row)
            else:
                cells[_column(name)] = (periods.get(name) or row.texts.get(name) or None, SMALL)
        places = self._sheet.put_row(cells)
        return places[_column("EffectiveCost")], places[_column("BilledCost")]

    # ---- cells

    def _number(self, name: str, row: FocusRow) -> tuple[Content, Look]:
        line = self._lines[row.numbers[name]]
        value = self._forecast.values[line.key]
        number = "#,##0.000000" if name.endswith("UnitPrice") else self._book.number_format(line.unit, value)
        return self._formula(line), with_number(NUMBER, number)

    def _formula(self, line: Line) -> Formula:
        assert line.expression is not None, "all are computed"
        value, unknown = self._forecast.values[line.key], unknown_of_month(self._book, line)
        return guarded_formula(line.expression, value, self._unsure, self._address, unknown)

    def _address(self, key: str) -> str:
        return self._own.get(key) or self._schedule.cell(self._book, self._sheet.title, key)

    def _periods(self, row: FocusRow) -> dict[str, Formula]:
        """The four days as ISO texts that follow the start date."""
        title, month = self._sheet.title, row.month
        begins = self._schedule.places[START_DAY if month.number == 1 else f"month.{month.number - 1}.ends"]
        ends = self._schedule.places[month.keys.get("ends", DONE_DAY)]
        first, after = begins.seen_from(title), ends.seen_from(title)
        if month.first is None:  # what is left when the last month begins, or nothing
            after = f"MAX({first},{after})"
        texts = dict(zip(PERIODS, self._forecast.periods(row), strict=True))
        return {
            "BillingPeriodStart": Formula(_iso(first, day='"01"'), texts["BillingPeriodStart"]),
            "BillingPeriodEnd": Formula(_iso(after), texts["BillingPeriodEnd"]),
            "ChargePeriodStart": Formula(_iso(first), texts["ChargePeriodStart"]),
            "ChargePeriodEnd": Formula(_iso(after), texts["ChargePeriodEnd"]),
        }


def _iso(cell: str, day: str = "") -> str:
    """A day as text; TEXT would take another format in another language of the spreadsheet program."""
    day = day or f'RIGHT("0"&DAY({cell}),2)'
    return f'YEAR({cell})&"-"&RIGHT("0"&MONTH({cell}),2)&"-"&{day}&"T00:00:00Z"'


def _column(name: str) -> str:
    return column_letters(_FIRST + COLUMNS.index(name))


def _default(name: str) -> float:
    """Wide enough for the name of the column, which has no place to break."""
    return max(_NUMBER_WIDTH if name in NUMBERS else _WIDTH, len(name) * _LETTER + 3.0)
