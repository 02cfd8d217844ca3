"""Frozen records, validated at the door, and the metadata that form, tooltip, command line and report share."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from desktop_app.foundation.problems import Problem, UserError, shown

LONGEST_NAME = 200  # characters of a choice that is a text: no provider, GPU or model has half as many
_UNREADABLE = frozenset(["Cc", "Cs", "Zl", "Zp"])  # Unicode: control characters, halves of pairs, line separators
_NO_CHARACTERS = "\ufffe\uffff"  # Unicode: never characters, and no XML file may hold them
_BREAKS = "\n\r\t"

Card = Literal["model", "job", "cluster", "price", "beside", "energy"]


class Record(BaseModel):
    """A frozen record. Unknown keys are refused, and texts that nobody can read; -0.0 becomes 0.0."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*", mode="after")
    @classmethod
    def _tidied(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str):
            field = cls.model_fields[info.field_name or ""]
            return readable(value, one_line=bool(field.json_schema_extra) or info.field_name == "name")
        return 0.0 if isinstance(value, float) and value == 0 else value


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from. `as_of` is an ISO date, a month or a year; `quality` a word of its table.

    `name` is a citation, or a key "source.<word>" of the catalogue (quantities.format_source tells either).
    """

    name: str
    as_of: str
    quality: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceMeta:
    """What a form needs to know of a choice beside its type and bounds."""

    card: Card
    unit: str = ""  # a unit of the catalogue, "" for a pure number or a name
    detail: bool = False  # hidden until "More detail"


def choice(
    default: Any = None,
    *,
    card: Card,
    unit: str = "",
    detail: bool = False,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
) -> Any:
    """A field of a record of choices. None as default means: not stated, the program chooses and says so."""
    return Field(default=default, ge=ge, gt=gt, le=le, json_schema_extra={"card": card, "unit": unit, "detail": detail})


def meta_of(info: FieldInfo) -> ChoiceMeta:
    """The metadata that `choice` put into a field."""
    extra = info.json_schema_extra
    assert isinstance(extra, dict), "the field was not made with choice()"
    return ChoiceMeta(**extra)  # type: ignore[arg-type]


def options_of(info: FieldInfo) -> tuple[str, ...]:
    """The words a field accepts, when its type is a Literal (optional or not); else ()."""
    for candidate in (info.annotation, *get_args(info.annotation)):
        words = get_args(candidate)
        if words and all(isinstance(word, str) for word in words):
            return tuple(words)
    return ()


def bounds_of(info: FieldInfo) -> tuple[float, float]:
    """The smallest and the largest number that a field accepts; 0 and infinity where it states none."""
    bounds = {name: getattr(mark, name) for mark in info.metadata for name in ("ge", "le") if hasattr(mark, name)}
    return bounds.get("ge", 0), bounds.get("le", math.inf)


RecordT = TypeVar("RecordT", bound=BaseModel)


def validated(record_type: type[RecordT], values: dict[str, Any]) -> RecordT:
    """The record of `values`. Raises UserError with one problem for each field that is wrong."""
    try:
        return record_type.model_validate(values)
    except ValidationError as error:
        raise UserError(*problems_of(error)) from None


def validated_json(record_type: type[RecordT], document: Mapping[str, Any]) -> RecordT:
    """The record of a JSON object, whose types must be the right ones: true is no number. Raises as `validated` does.

    The field of each problem is the whole way to the fault: "scenarios.0.cluster.gpus".
    """
    try:
        return record_type.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise UserError(*(_problem_of(dict(fault), ".".join(map(str, fault["loc"]))) for fault in faults)) from None


def iso_day(text: str) -> date:
    """The day that YYYY-MM-DD names. ValueError for every other spelling, of which fromisoformat takes several."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise ValueError(f"{text!r} is not YYYY-MM-DD")
    return date.fromisoformat(text)


def readable(text: str, one_line: bool) -> str:
    """`text`, if it can be printed and stored; a choice or a name is one line of at most LONGEST_NAME characters."""
    if one_line and len(text) > LONGEST_NAME:
        raise PydanticCustomError("string_too_long", "too long", {"max_length": LONGEST_NAME})
    allowed = "" if one_line else _BREAKS
    if any(sign in _NO_CHARACTERS or unicodedata.category(sign) in _UNREADABLE for sign in text if sign not in allowed):
        raise PydanticCustomError("not_printable", "not printable")
    return text


def replaced(record: RecordT, **changes: Any) -> RecordT:
    """The record with some fields changed, validated again, remembering which fields were ever set by hand.

    A change to None means "not stated". Raises UserError.
    """
    values = {name: getattr(record, name) for name in record.model_fields_set}
    values.update(changes)
    return validated(type(record), values)


def reset(record: RecordT, name: str) -> RecordT:
    """The record with one field back at its default and no longer counted as set by hand."""
    values = {key: getattr(record, key) for key in record.model_fields_set if key != name}
    return validated(type(record), values)


def problems_of(error: ValidationError) -> list[Problem]:
    """One Problem for each fault that pydantic found, with the catalogue sentence that fits it."""
    return [_problem_of(dict(fault)) for fault in error.errors(include_url=False)]


_BOUNDS = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}
_SENTENCES = {
    "greater_than_equal": "problem.at_least",
    "greater_than": "problem.more_than",
    "less_than_equal": "problem.at_most",
    "less_than": "problem.less_than",
    "literal_error": "problem.not_an_option",
    "missing": "problem.missing",
    "extra_forbidden": "problem.unknown_key",
    "finite_number": "problem.not_a_number",
    "int_from_float": "problem.not_whole",
    "int_parsing": "problem.not_whole",
    "string_too_long": "problem.too_long",
    "not_printable": "problem.not_printable",
}
_SENTENCES_BY_KIND = {
    "int": "problem.not_a_number",
    "float": "problem.not_a_number",
    "date": "problem.not_a_date",
    "bool": "problem.not_yes_no",
}


def _problem_of(fault: dict[str, Any], field: str = "") -> Problem:
    """The problem of one fault that pydantic found. A fault of our own making says its sentence itself: its type."""
    names = [part for part in fault["loc"] if isinstance(part, str)]
    name = names[-1] if names else ""
    kind, context = fault["type"], fault.get("ctx", {})
    by_kind = _SENTENCES_BY_KIND.get(kind.split("_")[0], "problem.not_valid")
    key = kind if kind.startswith("problem.") else _SENTENCES.get(kind) or by_kind
    if kind == "int_type" and isinstance(fault.get("input"), float):
        key = "problem.not_whole"
    values: dict[str, str | float | Problem] = {"text": shown(fault.get("input")), "name": name}
    if kind in _BOUNDS:
        values["limit"] = float(context[_BOUNDS[kind]])
    if key == "problem.too_long":
        values["limit"] = float(context["max_length"])
    if kind == "literal_error":
        values["options"] = str(context["expected"]).replace("'", "").replace(" or ", ", ")
    return Problem(field or name, key, values)
