"""The rows of a FOCUS-shaped forecast: one for each line of money and month, its figures as lines of a ledger.

Effective cost is what the budget charges to the month, and adds up to its total. Billed cost is what the invoices of
the month show: under a contract, all of it in the month it is signed and nothing for the hours that it covers. List
cost is the public price, contracted cost the negotiated one without the contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.dossier.schedule import START_DAY, Month
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import computed
from desktop_app.foundation.expression import Expression, Literal, largest, ref, rounded_up, smallest
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.serial_days import day_of_serial, serial_day
from desktop_app.foundation.wording import Words
from report_templates.focus_items import COLUMNS
from report_templates.focus_numbers import COMMITTED, MONEY, FocusNumbers
from report_templates.focus_texts import FocusTexts

DONE_DAY = "focus.done_day"
_LAST_DAY = serial_day(date.max)  # of the calendar of spreadsheets and of Python


@dataclass(frozen=True, slots=True)
class FocusRow:
    """One charge of one month. A column that is neither in `texts` nor in `numbers` is empty, but for the periods."""

    cost_key: str  # of the ledger: "cost.run", or "cost.committed" where a contract is bought
    month: Month
    texts: Mapping[str, str]
    numbers: Mapping[str, str]  # column -> key of its line


@dataclass(frozen=True, slots=True)
class FocusForecast:
    """All rows, and the lines behind their numbers, which read those of the ledger and of the schedule."""

    rows: tuple[FocusRow, ...]
    lines: tuple[Line, ...]
    values: Mapping[str, Number | None]  # of the ledger, the schedule and these lines
    left_out: tuple[str, ...]  # keys of lines of money that have no price, or no month

    def periods(self, row: FocusRow) -> tuple[str, str, str, str]:
        """Start and end of billing and charge as ISO 8601 in UTC."""
        month = row.month
        begins = self._day(START_DAY if month.number == 1 else f"month.{month.number - 1}.ends")
        ends = max(begins, self._day(month.keys.get("ends", DONE_DAY)))
        return iso_time(begins.replace(day=1)), iso_time(ends), iso_time(begins), iso_time(ends)

    def _day(self, key: str) -> date:
        return day_of_serial(self.values[key] or 0)


def iso_time(day: date) -> str:
    """The beginning of a day in UTC."""
    return f"{day.isoformat()}T00:00:00Z"


def done_line() -> Line:
    """The day on which nothing is run and nothing is stored any more."""
    days = largest(ref("wall_days"), ref("schedule.stored_days"))
    done = smallest(rounded_up(ref(START_DAY) + days), Literal(_LAST_DAY))
    return computed(DONE_DAY, "date", "schedule", done)


def focus_forecast(dossier: Dossier, words: Words) -> FocusForecast:
    """The forecast of the base of a dossier; months in which a line has neither money nor quantity are left out."""
    schedule = dossier.schedule
    found = list(_rows(dossier, words))
    values = evaluated((done_line(), *(line for _, own in found for line in own)), schedule.values)
    used = [(row, own) for row, own in found if _is_used(row, values)]
    first = schedule.months[0]
    return FocusForecast(
        rows=tuple(row for row, _ in used),
        lines=(done_line(), *(line for _, own in used for line in own)),
        values=values,
        left_out=tuple(line.key for line in dossier.base.cost_lines if values[first.keys[line.key]] is None),
    )


def _rows(dossier: Dossier, words: Words) -> Iterator[tuple[FocusRow, tuple[Line, ...]]]:
    """Every row that may be one, with its lines."""
    budget, schedule = dossier.base, dossier.schedule
    numbers, texts = FocusNumbers(budget.ledger), FocusTexts(dossier, words)
    if numbers.signed and budget.ledger.value(COMMITTED) is not None:
        at = "focus.commitment"
        lines = tuple(_lines(at, numbers.of_commitment()))
        yield _row(COMMITTED, schedule.months[0], texts.of_commitment(), at, lines)
    told = {line.key: texts.of_line(line) for line in budget.cost_lines}
    for month in schedule.months:
        for line in budget.cost_lines:
            if schedule.values[month.keys[line.key]] is not None:
                name = line.key.removeprefix("cost.")
                at = f"focus.{month.number}.{name}"
                lines = (*_lines(at, numbers.of_line(line, month)), *numbers.footprint(at, name, month))
                yield _row(line.key, month, told[line.key], at, lines)


def _row(
    cost_key: str, month: Month, texts: Mapping[str, str], at: str, lines: tuple[Line, ...]
) -> tuple[FocusRow, tuple[Line, ...]]:
    keys = {line.key.removeprefix(f"{at}."): line.key for line in lines}
    return FocusRow(cost_key, month, texts, keys), lines


def _lines(at: str, numbers: Mapping[str, Expression]) -> Iterator[Line]:
    """The lines of a row, in the order of the columns; `at` begins their keys."""
    for column in COLUMNS:
        if column in numbers:
            yield computed(f"{at}.{column}", "currency" if column in MONEY else "number", "schedule", numbers[column])


def _is_used(row: FocusRow, values: Mapping[str, Number | None]) -> bool:
    return any(values[row.numbers[column]] for column in ("PricingQuantity", *MONEY) if column in row.numbers)
