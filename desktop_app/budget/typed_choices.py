"""What a text says for a choice, typed on the command line or into a cell of a spreadsheet."""

from __future__ import annotations

from typing import Any, cast, get_args

from annotated_types import Le

from desktop_app.budget.scenario import choices
from desktop_app.foundation.number_reading import read_number
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.records import meta_of, options_of

_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def typed_value(key: str, text: str) -> Any:
    """What `text` says for the choice `key`: an option or yes and no in any capitals, a number as people write it.

    What is none of these stays text, for the record to refuse. Raises UserError for a number with two readings.
    """
    info = choices()[key][1]
    kinds = get_args(info.annotation) or (info.annotation,)
    if bool in kinds:
        return _YES_NO.get(text.lower(), text)
    if int not in kinds and float not in kinds:
        return next((word for word in options_of(info) if word.lower() == text.lower()), text)
    unit = meta_of(info).unit
    reading = read_number(text, ("%",) if unit in ("share", "percent") else ())
    if reading is None:
        return text
    if reading.other is not None:
        raise user_error(key, "problem.two_readings", text=text, value=reading.value, other=reading.other)
    if unit == "share":
        return _share(key, text, reading.value)
    return int(reading.value) if int in kinds and reading.value.is_integer() else reading.value


def _share(key: str, text: str, value: float) -> float:
    """A share as a fraction: 0.1 and 10% are the same. Raises UserError for a 10 that may mean either."""
    fraction = float(f"{value / 100:.12g}")
    if text.rstrip().endswith(("%", "％")):
        return fraction
    most = max([1.0, *(cast(float, rule.le) for rule in choices()[key][1].metadata if isinstance(rule, Le))])
    if most < value <= 100:
        raise user_error(key, "problem.share_above_one", text=text.strip(), fraction=f"{fraction:g}")
    return value
