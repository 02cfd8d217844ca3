"""What a cell says: nothing, a value as it is told, or a value as its choice takes it."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import Any, get_args

from desktop_app.budget.scenario import choices
from desktop_app.budget.typed_choices import typed_value
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.problems import Problem, UserError, shown
from desktop_app.foundation.wording import LANGUAGES, words_of
from report_templates.excel.entries import START, TODAY
from report_templates.returned.records import Shown
from report_templates.returned.structure import HUGE
from report_templates.settings_shown import empty_words

_LONGEST = 200  # characters of a text that is told


def is_empty(key: str, value: Any) -> bool:
    """Whether a cell says nothing, or in the words of either language that nothing is stated."""
    return value is None or (isinstance(value, str) and " ".join(value.split()).casefold() in _empty_words(key))


def told_value(value: Any) -> Shown:
    """The value of a cell to be told; a number beyond all numbers as text."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < HUGE
    return value if value is None or is_number else _text(value)


def choice_value(choice: str, value: Any, number_format: str, unit: str) -> Any:
    """The value of a cell as its choice takes it. Raises UserError for a kind that the choice has no use for."""
    if choice in (TODAY, START):
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else _text(value)
    if isinstance(value, str):
        return typed_value(choice, value.strip())
    annotation = choices()[choice][1].annotation
    kinds = get_args(annotation) or (annotation,)
    if bool in kinds or not (int in kinds or float in kinds):
        return value if isinstance(value, bool) else typed_value(choice, _text(value))
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < HUGE:
        raise UserError(Problem(choice, "problem.not_a_number", {"text": _text(value)}))
    if unit == "percent" and "%" in number_format:
        values: dict[str, str | float | Problem] = {"value": plain(value), "percent": plain(value * 100)}
        raise UserError(Problem(choice, "problem.returned_percent", values))
    return int(value) if int in kinds and float(value).is_integer() else value


@lru_cache(maxsize=512)
def _empty_words(key: str) -> frozenset[str]:
    told = {""}
    for language in LANGUAGES:
        words = words_of(language)
        told |= {words("state.not_known"), words("line.not_priced"), words("state.never_finishes")}
        told.add(empty_words(key, words))
    return frozenset(text.casefold() for text in told)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != datetime.min.time() else value.date().isoformat()
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return shown(value, _LONGEST)
