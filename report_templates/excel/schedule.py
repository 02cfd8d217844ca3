"""The sheet Schedule: the months of the base in columns, all of them live from the start date on, and two charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from desktop_app.budget.dossier.schedule import START_DAY, Month
from desktop_app.budget.explain import never_ends
from desktop_app.budget.ledger import Group, Line
from desktop_app.foundation.serial_days import serial_day
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, column_letters, quoted_text, with_number
from report_templates.excel.entries import START
from report_templates.excel.formulas import guarded_formula, shown_value, unsure_keys
from report_templates.excel.look import (
    GROUP,
    HEADER,
    HEADER_NUMBER,
    KIND,
    LABEL,
    LINK,
    NUMBER,
    OUTPUT,
    OUTPUT_LABEL,
    OUTPUT_UNIT,
    UNIT,
    Look,
)
from report_templates.excel.schedule_charts import put_charts
from report_templates.focus_rows import DONE_DAY, done_line

_WIDTHS = {"B": 6, "C": 44, "D": 13, "E": 18}
_MONTH_WIDTH = 15.0
_WHOLE = "E"  # column of what all months come to
_FIRST = 6  # F: the first month
_TOP = 5  # the first row below the header
_PER_PAGE = 12  # months that can be read on one printed page
_UPRIGHT = 5  # months that fit on one upright page, with the charts below them
_STORED_DAYS = "schedule.stored_days"
_SINGLE = {START_DAY: "field.start_date", _STORED_DAYS: f"ledger.{_STORED_DAYS}", DONE_DAY: "schedule.done_day"}
"""Figures that are no months, and their words."""
_LEDGER_KEYS = {"days": "wall_days", "total": "cost.total"}  # where the whole is not called as its part of a month
_OUTPUTS = ("total", "cumulative")
_NO_WHOLE = ("ends", "run_share", "stored_share", "cumulative")


@dataclass(frozen=True, slots=True)
class Compared:
    """One row: what its months come to, and the line of the ledger that they share out."""

    name: str
    months: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class ScheduleCells:
    """The cells that other sheets read."""

    places: Mapping[str, Place]  # by the keys of the lines of the schedule
    rows: tuple[Compared, ...]
    unsure: frozenset[str]  # lines of the ledger and the schedule that may be unknown

    def cell(self, book: Book, sheet: str, key: str) -> str:
        """The address of a line of the schedule or of the base on the sheet called `sheet`."""
        return (self.places.get(key) or book.places[key]).seen_from(sheet)


def write_schedule(book: Book, sheet: Sheet) -> ScheduleCells:
    """Fill the sheet."""
    return _ScheduleWriter(book, sheet).write()


def unknown_of_month(book: Book, line: Line) -> str:
    """What a figure of a month says that is not known."""
    if never_ends(book.budget, "wall_days"):
        return book.words("state.never_finishes")
    return book.words("line.not_priced" if line.is_money else "state.not_known")


class _ScheduleWriter:
    def __init__(self, book: Book, sheet: Sheet) -> None:
        self._book, self._sheet, self._words = book, sheet, book.words
        schedule = book.dossier.schedule
        self._months = schedule.months
        self._lines = {line.key: line for line in (*schedule.lines, done_line())}
        done = done_line().expression
        assert done is not None, "it is computed"
        self._values = {**schedule.values, DONE_DAY: done.evaluate(schedule.values)}
        self._unsure = unsure_keys(self._lines.values(), book.unsure)
        self._plan = _plan(self._months)
        self._places = dict(self._planned())

    def write(self) -> ScheduleCells:
        """Header, rows and charts."""
        book, sheet, words = self._book, self._sheet, self._words
        sheet.widths({**_WIDTHS, **{_column(month): _MONTH_WIDTH for month in self._months}})
        sheet.head(words("sheet.schedule"), words("workbook.schedule_note", currency=book.budget.currency))
        self._put_header()
        assert sheet.row == _TOP, "the plan counts rows from here"
        compared = tuple(found for name in self._plan if (found := self._put(name)) is not None)
        last = self._put_charts()
        sheet.page.print_area = f"A1:{_column(self._months[-1])}{last}"
        self._set_pages()
        return ScheduleCells(self._places, compared, self._unsure)

    def _set_pages(self) -> None:
        """One upright page where that can be read; else as many as the months need beside each other."""
        page, count = self._sheet.page, len(self._months)
        if count <= _UPRIGHT:
            page.page_setup.orientation, page.page_setup.fitToHeight = "portrait", 1
            return
        page.page_setup.fitToWidth, page.page_setup.fitToHeight = ceil(count / _PER_PAGE), 2
        page.print_title_cols = f"A:{_WHOLE}"

    def _planned(self) -> Iterator[tuple[str, Place]]:
        """Where each line will stand, for formulas that read lines below them."""
        for row, name in enumerate(self._plan, _TOP):
            if name in _SINGLE:
                yield name, self._place(name, f"{_WHOLE}{row}")
            elif not name.startswith("band."):
                for month in self._months:
                    if name in month.keys:
                        yield month.keys[name], self._place(month.keys[name], f"{_column(month)}{row}")

    def _place(self, key: str, address: str) -> Place:
        return Place(self._sheet.title, address, shown_value(self._values[key], self._unknown(self._lines[key])))

    def _unknown(self, line: Line) -> str:
        return unknown_of_month(self._book, line)

    # ---- rows

    def _put_header(self) -> None:
        words, sheet = self._words, self._sheet
        cells: dict[str, tuple[Content, Look]] = {
            "B": (words("head.kind"), HEADER), "C": (words("head.item"), HEADER), "D": (words("head.unit"), HEADER),
            _WHOLE: (words("schedule.whole"), HEADER_NUMBER),
        }  # fmt: skip
        for month in self._months:
            cells[_column(month)] = (self._month_name(month), HEADER_NUMBER)
        sheet.put_row(cells, height=32)
        sheet.page.freeze_panes = f"{column_letters(_FIRST)}{sheet.row}"
        sheet.page.print_title_rows = f"{sheet.row - 1}:{sheet.row - 1}"

    def _month_name(self, month: Month) -> Content:
        """The month as a text that follows the start date: "2026-12"."""
        if month.first is None:
            return self._words("schedule.later")
        cell = self._begins(month)
        return Formula(f'YEAR({cell})&"-"&RIGHT("0"&MONTH({cell}),2)', f"{month.first:%Y-%m}")

    def _begins(self, month: Month) -> str:
        """The cell of the day on which a month begins: its first day, or that of the run."""
        return self._places[START_DAY if month.number == 1 else f"month.{month.number - 1}.ends"].address

    def _put(self, name: str) -> Compared | None:
        """One row of the plan."""
        if name.startswith("band."):
            self._put_band(name.removeprefix("band."))  # type: ignore[arg-type]
        elif name in _SINGLE:
            self._put_single(name)
        else:
            return self._put_months(name)
        return None

    def _put_band(self, group: Group) -> None:
        columns = ("C", "D", _WHOLE, *map(_column, self._months))
        cells: dict[str, tuple[Content, Look]] = dict.fromkeys(columns, (None, GROUP))
        self._sheet.put_row({"B": (self._words(f"group.{group}"), GROUP), **cells}, height=20)

    def _put_single(self, key: str) -> None:
        line, look = self._lines[key], NUMBER
        if key == START_DAY:
            cell = self._book.grid.cell(self._sheet.title, START, 0)
            content, look = Formula(cell, float(serial_day(self._book.dossier.schedule.start))), LINK
        else:
            content = self._computed(line)
        number = self._book.number_format(line.unit, self._values[key])
        self._sheet.put_row(
            {
                "B": ("L" if look is LINK else "C", KIND),
                "C": (self._words(_SINGLE[key]), LABEL),
                "D": (self._book.unit_word(line.unit), UNIT),
                _WHOLE: (content, with_number(look, number)),
            }
        )

    def _put_months(self, name: str) -> Compared | None:
        output = name in _OUTPUTS
        first = self._lines[self._months[0].keys[name]]
        look = self._look(name, first.unit, output)
        label = self._words(f"ledger.{name}" if name.startswith("cost.") else f"schedule.{name}")
        cells: dict[str, tuple[Content, Look]] = {
            "B": ("O" if output else "C", KIND),
            "C": (label, OUTPUT_LABEL if output else LABEL),
            "D": (self._book.unit_word(first.unit), OUTPUT_UNIT if output else UNIT),
            _WHOLE: (None if name in _NO_WHOLE else self._whole(name), look),
        }
        for month in self._months:
            if name in month.keys:
                cells[_column(month)] = (self._content(self._lines[month.keys[name]], month), look)
        places = self._sheet.put_row(cells)
        key = _LEDGER_KEYS.get(name, name)
        if name in _NO_WHOLE or key not in self._book.places:
            return None
        return Compared(name, places[_WHOLE], self._book.places[key])

    # ---- cells

    def _content(self, line: Line, month: Month) -> Formula:
        if line.expression is None:  # the end of a month, which follows the start date
            cell = self._begins(month)
            return Formula(f"DATE(YEAR({cell}),MONTH({cell})+1,1)", float(line.given or 0))
        return self._computed(line)

    def _computed(self, line: Line) -> Formula:
        assert line.expression is not None, "given lines of the schedule are days"
        return guarded_formula(
            line.expression, self._values[line.key], self._unsure, self._address, self._unknown(line)
        )

    def _address(self, key: str) -> str:
        return (self._places.get(key) or self._book.places[key]).seen_from(self._sheet.title)

    def _look(self, name: str, unit: str, output: bool) -> Look:
        """One number format for all months, that of the largest of them."""
        values = (self._values[month.keys[name]] for month in self._months if name in month.keys)
        largest = max((value for value in values if value is not None), default=None)
        return with_number(OUTPUT if output else NUMBER, self._book.number_format(unit, largest))

    def _whole(self, name: str) -> Formula:
        """What all months of a row come to."""
        keys = [month.keys[name] for month in self._months]
        values = [self._values[key] for key in keys]
        area = f"{self._places[keys[0]].address}:{self._places[keys[-1]].address}"
        text, known = f"SUM({area})", [value for value in values if value is not None]
        if keys[0] not in self._unsure:
            return Formula(text, float(sum(known)))
        unknown = self._unknown(self._lines[keys[0]])
        result = float(sum(known)) if known else unknown
        return Formula(f"IF(COUNT({area})>0,{text},{quoted_text(unknown)})", result)

    def _put_charts(self) -> int:
        """The charts of what the months come to; none where that is not known. Gives the last row they cover."""
        spent, until = ([self._places[month.keys[name]] for month in self._months] for name in _OUTPUTS)
        if any(isinstance(place.value, str) for place in spent):
            return self._sheet.row
        return put_charts(self._book, self._sheet, spent, until, _TOP - 1)


def _column(month: Month) -> str:
    return column_letters(_FIRST + month.number - 1)


def _plan(months: tuple[Month, ...]) -> tuple[str, ...]:
    """The rows in their order: headings, single figures, and figures of the months by their names."""
    keys = months[0].keys
    costs = tuple(name for name in keys if name.startswith("cost."))
    billed = ("billed",) * (keys["billed"] != keys["total"])
    return (
        "band.schedule", START_DAY, _STORED_DAYS, DONE_DAY, "ends", "run_share", "stored_share",
        "band.run", "days", "gpu_hours",
        "band.cost", *costs, "total", *billed, "cumulative",
    )  # fmt: skip
