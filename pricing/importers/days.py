"""Dates in cells. A day that may be read in two ways is known to the year only, and the caller is told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from pricing.importers.sheets import Cell, cell_text

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_YEAR_FIRST = re.compile(r"(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?)?月?)?年?(?:[t ]\d.*)?", re.IGNORECASE)
_YEAR_LAST = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_NAMED = re.compile(r"(?:(\d{1,2})[. -]+)?([a-z]{3})[a-z]*\.?[ ,-]+(?:(\d{1,2}),? +)?(\d{4})", re.IGNORECASE)
_EXCEL_EPOCH = date(1899, 12, 30)  # day 0 of Excel's 1900 calendar, counting its leap day of 1900 that never was
_EXCEL_DAYS = (36526, 73050)  # 2000-01-01 to 2099-12-31: a date whose cell lost its format


def day_first_of(cells: Iterable[Cell]) -> bool | None:
    """Whether dates like 03/04/2026 of a column begin with the day; None where the column does not show it."""
    shown = set()
    for cell in cells:
        match = _YEAR_LAST.fullmatch(cell_text(cell)) if isinstance(cell, str) else None
        if match and match[2] == ".":
            shown.add(True)  # the point is used where the day stands first
        elif match and (int(match[1]) > 12) != (int(match[3]) > 12):
            shown.add(int(match[1]) > 12)
    return shown.pop() if len(shown) == 1 else None


def read_day(cell: Cell, day_first: bool | None) -> tuple[str | None, bool]:
    """The date as "2026-11-30", "2026-11" or "2026", and whether its day was lost to two readings; None for no date."""
    if isinstance(cell, float):
        return _from_excel(cell), False
    text = cell_text(cell) if cell is not None else ""
    match = _YEAR_FIRST.fullmatch(text)
    if match:
        return _told(match[1], match[2], match[3]), False
    match = _NAMED.fullmatch(text)
    if match and match[2].lower() in _MONTHS:
        return _told(match[4], str(_MONTHS[match[2].lower()]), match[1] or match[3]), False
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return None, False
    one, other, year = match[1], match[3], match[4]
    if day_first is None and int(one) <= 12 and int(other) <= 12 and int(one) != int(other):
        return _told(year, None, None), True
    first = day_first if day_first is not None else int(one) > 12
    return (_told(year, other, one) if first else _told(year, one, other)), False


def last_day_of(known: str) -> str:
    """The last day of a date that may be known to the month or the year only."""
    year, month, day = (*map(int, known.split("-")), 0, 0)[:3]
    if day:
        return known
    later = date(year + (month or 12) // 12, (month or 12) % 12 + 1, 1)
    return (later - timedelta(days=1)).isoformat()


def _told(year: str, month: str | None, day: str | None) -> str | None:
    """The date as precise as it is; None when there is no such day, or none since GPUs train."""
    try:
        found = date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    if not 2000 <= found.year <= 2100:  # the bounds of Year in the records, rounded to what a price list can carry
        return None
    return found.isoformat()[: 10 if day else 7 if month else 4]


def _from_excel(number: float) -> str | None:
    if number.is_integer() and 2000 <= number <= 2100:
        return str(int(number))
    if _EXCEL_DAYS[0] <= number <= _EXCEL_DAYS[1]:
        return (_EXCEL_EPOCH + timedelta(days=int(number))).isoformat()
    return None
