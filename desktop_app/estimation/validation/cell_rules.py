"""What the cells of a validation table may hold: plain numbers within bounds, and words of the table's vocabulary.

An empty cell is "not published". Every other cell must say something that can be: a row is not answered on the strength
of a cell that was passed over.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.foundation.problems import shown
from desktop_app.foundation.records import Record, bounds_of

_PLAIN = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?", re.ASCII)  # "1,000" but not "0,125" or "1,5"


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `low` to `high`, perhaps a whole one."""

    low: float
    high: float
    whole: bool = False
    needed: bool = False  # whether an empty cell is a fault

    def fault(self, text: str) -> str:
        """Why `text` is none of these numbers, or ""."""
        number = number_in(text)
        if number is None:
            return "no plain number of 0 or more"
        if self.whole and number % 1:
            return "not a whole number"
        if not self.low <= number <= self.high:
            return f"not from {_figure(self.low)} to {_figure(self.high)}"
        return ""


@dataclass(frozen=True, slots=True)
class Words:
    """One of some words: `pattern` fits them whole, `told` lists them."""

    pattern: str
    told: str
    needed: bool = False

    def fault(self, text: str) -> str:
        """Why `text` is none of these words, or ""."""
        return "" if re.fullmatch(self.pattern, text, re.ASCII) else f"none of: {self.told}"


Rules = Mapping[str, Number | Words]

FIGURE = Number(1e-9, 1e15)  # a published figure: bytes, hours, watts and dollars of no run come near either end
FIGURE_OR_ZERO = Number(0, 1e15)
SWITCH = Number(0, 1, whole=True)
QUALITY = Words("primary|secondary|suspect", "primary, secondary, suspect")


def one_of(*words: str, needed: bool = False) -> Words:
    """Exactly these words."""
    return Words("|".join(map(re.escape, words)), ", ".join(words), needed)


def like(record: type[Record], field: str) -> Number:
    """A number within the bounds that a field of a record has, whole where the field is."""
    info = record.model_fields[field]
    low, high = bounds_of(info)
    return Number(low, high, whole=int in (info.annotation, *get_args(info.annotation)))


def number_in(text: str) -> float | None:
    """The plain number that a text is: ASCII digits, thousands commas where they can be nothing else; else None."""
    bare = text.strip(" ")
    if _THOUSANDS.fullmatch(bare):
        bare = bare.replace(",", "")
    elif not _PLAIN.fullmatch(bare):
        return None
    number = float(bare)
    return number if math.isfinite(number) else None


def require(cells: Mapping[str, str], rules: Rules) -> None:
    """Raise UnansweredError for the first cell that breaks its rule, naming its column."""
    for column, rule in rules.items():
        text = cells.get(column, "")
        fault = rule.fault(text) if text else "not stated" if rule.needed else ""
        if fault:
            raise refused(column, text, fault)


def refused(column: str, text: str, fault: str) -> UnansweredError:
    """The refusal of a row for one of its cells."""
    return UnansweredError("refused", f'{column} is "{shown(text)}", {fault}' if text else f"{column} {fault}")


def _figure(number: float) -> str:
    return f"{number:,.0f}" if 1 <= number < 1e15 else f"{number:g}"
