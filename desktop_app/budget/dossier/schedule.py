"""When the money is spent: the run and what stands beside it, month by month of the calendar.

Each month holds what is done until its end less what was done until the end of the month before. Amounts are rounded
at the ends of months, so that the months of a line add up to the line as it is printed, to the last cent. What is
stored follows the time it is stored, data moved out the end of the run, everything else the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from math import ceil

from desktop_app.budget.budget import Budget
from desktop_app.budget.constants import constants
from desktop_app.budget.cost_items import ITEMS
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import computed
from desktop_app.foundation.expression import Expression, Literal, largest, ref, rounded, smallest, total, when
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.serial_days import serial_day
from desktop_app.foundation.units import HOURS_PER_DAY

FEWEST_MONTHS, MOST_MONTHS = 3, 36  # columns of a table; what lies beyond stands in "later"
_FARTHEST_DAYS = MOST_MONTHS * 31  # no need to look further
_LAST_MONTH = date.max.replace(day=1)
START_DAY = "start_day"
_STORED_DAYS = "schedule.stored_days"
_CALENDAR = Source("source.calendar", "")
_ALL_DONE = Literal(1)
_CENTS = 2  # decimals of a sum of amounts
_BY_THE_HOUR = ("hourly", "unused")  # kinds of lines that a contract pays for


@dataclass(frozen=True, slots=True)
class Month:
    """One month of the calendar; the last one may stand for all that is left ("later": `first` is None).

    `keys` has "days", "gpu_hours", "run_share" and "stored_share" (both since the start), each cost line of the budget
    under its own key, "total" (what the month is charged with), "cumulative" (its sum since the start), "billed" (what
    the invoices of the month show: another line than "total" where a contract is signed) and, but for "later", "ends".
    """

    number: int  # from 1
    first: date | None
    keys: Mapping[
        str, str
    ]  # name of a figure -> key of its line: "days", "gpu_hours", "total", "cumulative", "cost.run"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Months, and the lines that compute them from those of the ledger. Rows add up to the lines of the budget.

    Words of a line are `schedule.<name of the figure>`, those of a cost line `ledger.<its key>`.
    """

    start: date
    stated: bool  # whether the start was chosen; else it is the day of the report
    months: tuple[Month, ...]
    lines: tuple[Line, ...]
    values: Mapping[str, Number | None]  # of the lines of the ledger and of these


def schedule_of(budget: Budget) -> Schedule:
    """The months of `budget`: those of the calendar until the run ends at its P90 and nothing is stored any more."""
    stated = budget.scenario.beside.start_date
    start = stated or budget.scenario.today
    firsts = _months(start, _days_needed(budget))
    costs, contract = tuple(line.key for line in budget.cost_lines), "cost.committed" in budget.ledger
    numbers = range(1, len(firsts) + 2)
    ends = (_ends(number, first) for number, first in enumerate((*firsts[1:], _after(firsts[-1])), 1))
    lines = (
        _start_line(start, stated is not None, budget),
        *ends,
        *(_stored_days(),),
        *(line for number in numbers for line in _month_lines(number, number == numbers[-1], costs, contract)),
    )
    months = tuple(
        Month(number, first, _keys(number, first is None, costs, contract))
        for number, first in zip(numbers, (*firsts, None), strict=True)
    )
    return Schedule(start, stated is not None, months, lines, evaluated(lines, budget.ledger.values))


def _days_needed(budget: Budget) -> float:
    """Days until nothing is left to pay, where the run takes its P90; 0 where it is not known when it ends."""
    value = budget.ledger.value
    days, kept_months = value("wall_days.p90"), value("kept_months") or 0.0
    month_days = constants()["hours_per_month"].value / HOURS_PER_DAY
    return float(days or 0.0) + kept_months * month_days


def _months(start: date, days: float) -> tuple[date, ...]:
    """The first days of the months that are shown."""
    last = start.toordinal() + ceil(min(days, _FARTHEST_DAYS)) - 1
    firsts = [start.replace(day=1)]
    while len(firsts) < MOST_MONTHS:
        following = _after(firsts[-1])
        needed = len(firsts) < FEWEST_MONTHS or following.toordinal() <= last
        if not needed or following == date.max:
            break
        firsts.append(following)
    return tuple(firsts)


def _after(first: date) -> date:
    """The first day of the next month; the last day of all in the calendar's last month."""
    if first >= _LAST_MONTH:
        return date.max
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1)


def _start_line(start: date, stated: bool, budget: Budget) -> Line:
    given = serial_day(start)
    if stated:
        source = Source("source.yours", budget.scenario.today.isoformat())
        return Line(START_DAY, "date", "schedule", source, given=given, tag="yours", field="start_date")
    source = Source("source.start_today", "")
    return Line(START_DAY, "date", "schedule", source, given=given, tag="default", field="start_date")


def _ends(number: int, following: date) -> Line:
    """The day after the last one of a month."""
    return Line(f"month.{number}.ends", "date", "schedule", _CALENDAR, given=serial_day(following), tag="table")


@lru_cache(maxsize=1)
def _stored_days() -> Line:
    """How long checkpoints and data are stored."""
    days = ref("storage_months") * ref("hours_per_month") / HOURS_PER_DAY
    return computed(_STORED_DAYS, "days", "schedule", days)


def _keys(number: int, later: bool, costs: tuple[str, ...], contract: bool) -> dict[str, str]:
    names = ["run_share", "stored_share", "days", "gpu_hours", *costs, "total", "cumulative"]
    keys = {name: f"month.{number}.{name}" for name in (*([] if later else ["ends"]), *names)}
    return {**keys, "billed": f"month.{number}.{'billed' if contract else 'total'}"}


@lru_cache(maxsize=40 * MOST_MONTHS)  # formulas are the same for all budgets with the same lines of money
def _month_lines(number: int, later: bool, costs: tuple[str, ...], contract: bool) -> tuple[Line, ...]:
    """All figures of a month, in the order of their computation."""
    at = f"month.{number}"
    return (
        computed(f"{at}.run_share", "share", "schedule", _done(number, later, ref("wall_days"))),
        computed(f"{at}.stored_share", "share", "schedule", _done(number, later, ref(_STORED_DAYS))),
        computed(f"{at}.days", "days", "schedule", _part(number, "wall_days")),
        computed(f"{at}.gpu_hours", "gpu_hour", "schedule", _part(number, "gpu_hours")),
        *(computed(f"{at}.{key}", "currency", "schedule", _amount(number, key)) for key in costs),
        computed(f"{at}.total", "currency", "schedule", rounded(_charged(at, costs), _CENTS)),
        computed(f"{at}.cumulative", "currency", "schedule", _since_start(number)),
        *((computed(f"{at}.billed", "currency", "schedule", _billed(number, later, costs)),) * contract),
    )


def _done(number: int, later: bool, days: Expression) -> Expression:
    """The share of a span of days from the start on that has passed when a month ends."""
    if later:
        return _ALL_DONE
    return smallest(1, largest(0, (ref(f"month.{number}.ends") - ref(START_DAY)) / days))


def _part(number: int, key: str) -> Expression:
    """What of a figure that grows with the run falls into a month."""
    done = ref(f"month.{number}.run_share")
    return ref(key) * (done if number == 1 else done - ref(f"month.{number - 1}.run_share"))


def _amount(number: int, key: str) -> Expression:
    """What of a printed amount falls into a month: rounded sums since the start, one less the other."""
    until = _until(number, key)
    if number == 1:
        return until
    return rounded(until - _until(number - 1, key), ref("money_digits"))


def _until(number: int, key: str) -> Expression:
    return rounded(ref(key) * _share(number, key), ref("money_digits"))


def _share(number: int, key: str) -> Expression:
    """The share of a line of money that is spent when a month ends."""
    name = key.removeprefix("cost.")
    if ITEMS[name].moves == "stored":
        return ref(f"month.{number}.stored_share")
    done = ref(f"month.{number}.run_share")
    return when(done >= 1, 1, 0) if name == "egress" else done


def _charged(at: str, costs: tuple[str, ...]) -> Expression:
    """As in the total of the budget: where the run and what it loses have no price or no end, there is no sum."""
    rest = (ref(f"{at}.{key}") for key in costs if key not in ("cost.run", "cost.lost"))
    return ref(f"{at}.cost.run") + ref(f"{at}.cost.lost") + total(*rest, Literal(0))


def _since_start(number: int) -> Expression:
    charged = ref(f"month.{number}.total")
    return charged if number == 1 else rounded(ref(f"month.{number - 1}.cumulative") + charged, _CENTS)


def _billed(number: int, later: bool, costs: tuple[str, ...]) -> Expression:
    """What is invoiced under a contract: all that it binds in the month the run starts, and what it does not cover."""
    covered = [key for key in costs if ITEMS[key.removeprefix("cost.")].kind in _BY_THE_HOUR]
    rest = total(*(ref(f"month.{number}.{key}") for key in costs if key not in covered), Literal(0))
    return rounded(ref("cost.committed") * _signed(number, later) + rest, _CENTS)


def _signed(number: int, later: bool) -> Expression:
    """1 in the month of the start, else 0."""
    begun = when(ref(START_DAY) < ref(f"month.{number}.ends"), 1, 0) if not later else Literal(1)
    if number == 1:
        return begun
    return begun - when(ref(START_DAY) < ref(f"month.{number - 1}.ends"), 1, 0)
