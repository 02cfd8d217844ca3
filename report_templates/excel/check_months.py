"""Checks of the months: they add up to the lines of the budget, and the rows of the FOCUS forecast add up to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, range_of
from report_templates.excel.check import Check
from report_templates.excel.focus import FocusCells
from report_templates.excel.schedule import ScheduleCells

_CENT = 0.005


def month_checks(book: Book, sheet: Sheet, schedule: ScheduleCells, focus: FocusCells) -> Iterator[Check]:
    """The checks, addresses as seen from `sheet`."""
    yield _months_add_up(book, sheet, schedule)
    if focus.effective:
        yield _focus_adds_up(book, sheet, schedule, focus)


def _months_add_up(book: Book, sheet: Sheet, schedule: ScheduleCells) -> Check:
    """How many rows come to another sum than the line of the budget; a row that has no months is none of them."""
    terms = []
    for row in schedule.rows:
        months, whole = row.months.seen_from(sheet.title), row.whole.seen_from(sheet.title)
        terms.append(f"IF(COUNT({months},{whole})=2,IF(ROUND({months}-{whole},2)=0,0,1),0)")
    return Check(book.words("check.months"), Formula("+".join(terms), 0), 0, book.words("check.same_advice"))


def _focus_adds_up(book: Book, sheet: Sheet, schedule: ScheduleCells, focus: FocusCells) -> Check:
    """A notice: months that had no money at the export have no row in the forecast, and may have some now."""
    words = book.words
    costs = [row for row in schedule.rows if row.name.startswith("cost.")]
    area = range_of(focus.effective[0], focus.effective[-1], sheet.title)
    months = range_of(costs[0].months, costs[-1].months, sheet.title)
    return Check(
        words("check.focus"),
        Formula(f"SUM({area})", _sum(focus.effective)),
        Formula(f"SUM({months})", _sum([row.months for row in costs])),
        words("check.focus_advice"),
        _CENT,
        must=0,
        number=book.number_format("currency", None),
    )


def _sum(places: Sequence[Place]) -> float:
    return float(sum(place.value for place in places if isinstance(place.value, float)))
