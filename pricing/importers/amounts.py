"""Prices, counts and dates as people write them into cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from pricing.importers.header import Per, Period, per_of, period_of
from pricing.importers.limits import MOST_GPUS
from pricing.importers.sheets import Cell, MarkedNumber, cell_text
from pricing.importers.words import currencies_in, plain, without, without_marks

_NO_PRICE = frozenset(
    ["", "-", "--", "–", "—", "/", "n/a", "na", "none", "null", "nan", "tbd", "?", "无", "暂无", "售罄", "缺货"]
)
_NUMBER = re.compile(
    r"(?P<before>[^\d.,+−-]*)(?P<number>[+−-]?\s*[.,]?\d[\d.,'’ ]*(?:e[+-]?\d+)?)(?P<after>.*)", re.DOTALL
)
_NOISE = re.compile(r"[\s/()*~]+|\b(?:per|pro|je)\b|每")  # what stands around units and marks
_COUNT = re.compile(r"[x×*]?\s*(\d{1,6})(?:\.0+)?\s*(?:[x×*]|gpus?|cards?|张|卡|块)?", re.IGNORECASE)
_COUNT_BEFORE = re.compile(r"\s*(\d{1,5})\s*[x×*]\s*(?P<rest>\D.*)", re.IGNORECASE | re.DOTALL)
_COUNT_BEHIND = re.compile(r"(?P<rest>.*\S)(?:\s+x|\s*[×*])\s*(\d{1,5})\s*", re.IGNORECASE | re.DOTALL)  # not RTX 4090


class Reading(Protocol):
    """A number as it was understood, and the other way to understand it where there is one."""

    @property
    def value(self) -> float:
        """The likelier reading."""

    @property
    def other(self) -> float | None:
        """The other reading; None where there is only one."""


ReadNumber = Callable[[str], Reading | None]


@dataclass(frozen=True, slots=True)
class Amount:
    """What a price cell says. `fault` is a reason code and then `value` is None."""

    value: float | None = None
    fault: str = ""
    other: float | None = None  # the second reading of a "two_readings"
    currencies: tuple[str, ...] = ()
    per: Per | None = None
    period: Period | None = None


def read_amount(cell: Cell, read_number: ReadNumber, decimal_sign: str | None) -> Amount:
    """The price in `cell`. A number with two readings is read by `decimal_sign`, that of its column, where known."""
    if isinstance(cell, float):
        return Amount(cell, currencies=currencies_in(cell.mark) if isinstance(cell, MarkedNumber) else ())
    if isinstance(cell, date):
        return Amount(fault="not_a_number")
    text = cell_text(cell or "").replace("US $", "US$")
    if text.strip().lower() in _NO_PRICE:
        return Amount(fault="no_price")
    words = plain(text)
    found = {"currencies": currencies_in(text), "per": per_of(words), "period": period_of(words)}
    number, rest = _number_in(text)
    reading = None if number is None or rest else read_number(number)
    if reading is None or number is None:
        return Amount(fault="not_a_number", **found)  # type: ignore[arg-type]
    value, other = reading.value, reading.other
    if other is not None:
        if decimal_sign is None:
            return Amount(fault="two_readings", value=value, other=other, **found)  # type: ignore[arg-type]
        value = (min if decimal_sign in number else max)(value, other, key=abs)
    return Amount(value, **found)  # type: ignore[arg-type]


def decimal_sign_of(cells: Iterable[Cell], read_number: ReadNumber) -> str | None:
    """The decimal sign that the numbers of a column show beyond doubt; None where none does or they disagree."""
    signs = set()
    for cell in cells:
        number = _number_in(cell_text(cell))[0] if isinstance(cell, str) else None
        if number is None or not ("," in number or "." in number):
            continue
        reading = read_number(number)
        if reading is None or reading.other is not None:
            continue
        last = "," if number.rfind(",") > number.rfind(".") else "."
        grouped = number.count(last) > 1  # 1.234.567: the sign makes groups
        signs.add({",": ".", ".": ","}[last] if grouped else last)
    return signs.pop() if len(signs) == 1 else None


def _number_in(text: str) -> tuple[str | None, str]:
    """The digits of a price cell, and what stands around them that is neither currency, unit nor period."""
    bare = without_marks(text)
    match = _NUMBER.fullmatch(bare)
    if match is None:
        return None, bare
    rest = plain(f"{match['before']} {match['after']}")
    for field in ("per_gpu", "per_instance", "per_hour", "per_month", "per_year"):
        rest = without(field, rest)
    return match["number"].strip(" "), _NOISE.sub("", rest)


def read_count(cell: Cell) -> int | None:
    """A number of GPUs, "8", "x8" or "8 GPUs"; None when it is no whole number from 1 on or an absurd one."""
    match = _COUNT.fullmatch(cell_text(cell)) if cell is not None and not isinstance(cell, date) else None
    count = int(match[1]) if match else 0
    return count if 1 <= count <= MOST_GPUS else None


def split_count(gpu: str) -> tuple[str, int | None]:
    """A GPU's name, and the number of GPUs in front of it or behind: "8x H100", "H100 x8"."""
    match = _COUNT_BEFORE.fullmatch(gpu) or _COUNT_BEHIND.fullmatch(gpu)
    if match is None:
        return gpu, None
    return match["rest"].strip(), read_count(next(part for part in match.groups() if part != match["rest"]))
