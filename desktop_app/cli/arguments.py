"""Flags of the command line, made from the choices of a scenario: one flag for each field, none written by hand."""

from __future__ import annotations

import argparse
import os
from datetime import date
from pathlib import Path
from typing import Any, NoReturn, get_args

from pydantic.fields import FieldInfo

from desktop_app.budget.scenario import Scenario, choices, with_choices, with_model_file
from desktop_app.budget.typed_choices import typed_value
from desktop_app.cli.output import answer
from desktop_app.foundation.number_reading import read_number
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import iso_day, meta_of, options_of, replaced
from desktop_app.foundation.wording import Words, words_of

_UNITLESS = ("", "ratio", "number", "factor", "currency_per_usd")


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are UserErrors like any other bad input. Flags are written out in full."""

    def __init__(self, **settings: Any) -> None:
        """As in argparse, but no flag may be shortened: a new flag must not change what an old script says."""
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage and leaving."""
        raise user_error("", "problem.command_line", message=message, command=self.prog)

    def print_help(self, file: Any = None) -> None:
        """Print the help as an answer like any other."""
        answer(self.format_help().rstrip())


def file_path(text: str) -> Path:
    """The path of a file or folder, as the type of an argument. Raises UserError for an empty one."""
    if not text.strip():
        raise user_error("", "problem.no_file_name")
    return Path(text)


def flag_of(field: str) -> str:
    """--tokens for the choice "tokens"; other fields (a file) stay as they are."""
    return f"--{field.replace('_', '-')}" if field in choices() or field == "today" else field


def add_choices(parser: argparse.ArgumentParser) -> None:
    """A flag for every choice of a scenario, and --today."""
    group = parser.add_argument_group("choices (each optional; what is left out is filled in and reported)")
    words = words_of("en")
    for key, (_, info) in choices().items():
        group.add_argument(
            flag_of(key), dest=_destination(key), metavar=_metavar(key, info), help=_help(key, info, words)
        )
    group.add_argument("--today", metavar="YYYY-MM-DD", help="the date the budget is made on; prices age against it")


def stated(arguments: argparse.Namespace) -> dict[str, str]:
    """The choices that stand on the command line, as they were typed."""
    typed = {key: _one(getattr(arguments, _destination(key))) for key in choices()}
    return {key: as_utf8(text) for key, text in typed.items() if text is not None}


def _one(typed: str | list[str] | None) -> str | None:
    """The text of a flag; argparse makes a list of the "--" in --tokens=--."""
    return " ".join(typed) or "--" if isinstance(typed, list) else typed


def day_of(flag: str, text: str | None) -> date | None:
    """The day that a flag names; None where it is not given. Raises UserError."""
    try:
        return iso_day(text.strip()) if text is not None else None
    except ValueError:
        raise user_error(flag, "problem.not_a_date", text=text or "") from None


def number_of(flag: str, text: str, unit: str = "") -> float:
    """The number that a flag states, as people write it, with `unit` behind it or not. Raises UserError."""
    reading = read_number(text, (unit,))
    if reading is None:
        raise user_error(flag, "problem.not_a_number", text=text)
    if reading.other is not None:
        raise user_error(flag, "problem.two_readings", text=text, value=reading.value, other=reading.other)
    return reading.value


def model_file(arguments: argparse.Namespace) -> Path | None:
    """The config.json that --model names; None where it names a model.

    A preset's name means the preset, whatever lies in the current folder, unless it is written as a path that exists.
    """
    text = _one(getattr(arguments, _destination("model"), None))
    if not text:
        return None
    named_as_path = any(sign in text for sign in (os.sep, os.altsep) if sign)
    explicit = text.lower().endswith(".json") or text.startswith((".", "~", os.sep))
    if explicit or (os.path.exists(text) and (named_as_path or not _is_preset(text))):  # noqa: PTH110 (never raises)
        return Path(text)
    return None


def scenario_of(arguments: argparse.Namespace, start: Scenario | None) -> Scenario:
    """The scenario that the flags describe, on top of `start` (a project's) or of the defaults. Raises UserError."""
    scenario = start or Scenario(today=date.today())
    typed, config = stated(arguments), model_file(arguments)
    problems: list[Problem] = []
    today = _one(arguments.today)
    if today is not None:
        try:
            scenario = replaced(scenario, today=today.strip())
        except UserError as error:
            problems.extend(error.problems)
    if config is not None:
        from desktop_app.estimation.huggingface import read_config

        del typed["model"]
        try:
            scenario = with_model_file(scenario, read_config(config))
        except UserError as error:
            problems.extend(error.problems)
    try:
        scenario = with_choices(scenario, {key: typed_value(key, text) for key, text in typed.items()})
    except UserError as error:
        problems.extend(error.problems)
    if problems:
        raise UserError(*problems)
    return scenario


def _is_preset(name: str) -> bool:
    from desktop_app.estimation.presets import model_named

    try:
        model_named(name)
    except UserError:
        return False
    return True


def as_utf8(text: str) -> str:
    """An argument that the system handed over as bytes, read as UTF-8 where it is; else as it came, to be refused."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def _destination(key: str) -> str:
    return f"choice_{key}"


def _metavar(key: str, info: FieldInfo) -> str:
    options = options_of(info)
    if key == "model":
        return "NAME|config.json"
    if options:
        return "|".join(options)
    kinds = get_args(info.annotation) or (info.annotation,)
    if date in kinds:
        return "YYYY-MM-DD"
    return "yes|no" if bool in kinds else "NAME" if str in kinds else "N"


def _help(key: str, info: FieldInfo, words: Words) -> str:
    """What a choice means, in which unit it is stated, and what stands when it is not."""
    unit, value = meta_of(info).unit, info.default
    told = [f"{words(f'field.{key}')}."]
    if words.has(f"help.{key}"):
        told.append(words(f"help.{key}"))
    if unit == "share":
        told.append(words("cli.share"))
    elif unit not in _UNITLESS:
        many = f"unit.{unit}.many"
        told.append(words("cli.unit", unit=words(many if words.has(many) else f"unit.{unit}")))
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, float):
        value = f"{value:g}".replace("e+", "e")  # 1e12, as one types it
    default = "" if value is None else f" (default {value})"
    return f"{' '.join(told)}{default}".replace("%", "%%")
