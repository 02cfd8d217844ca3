"""Flags of the command line, made from the choices of a scenario: one flag for each field, none written by hand."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Any, NoReturn, get_args

from pydantic.fields import FieldInfo

from desktop_app.budget.scenario import Scenario, choices, with_choice
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import options_of
from desktop_app.foundation.wording import words_of

_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are UserErrors like any other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing usage and leaving."""
        raise user_error("", "problem.command_line", text=message, command=self.prog)


def flag_of(field: str) -> str:
    """--tokens for the choice "tokens"; other fields (a file) stay as they are."""
    return f"--{field.replace('_', '-')}" if field in choices() or field == "today" else field


def add_choices(parser: argparse.ArgumentParser) -> None:
    """A flag for every choice of a scenario, and --today."""
    group = parser.add_argument_group("choices (each optional; what is left out is filled in and reported)")
    words = words_of("en")
    for key, (_, info) in choices().items():
        group.add_argument(
            flag_of(key), dest=f"choice_{key}", metavar=_metavar(info), help=_help(words(f"field.{key}"), info)
        )
    group.add_argument("--today", metavar="YYYY-MM-DD", help="the date the budget is made on; prices age against it")


def scenario_of(arguments: argparse.Namespace, start: Scenario | None) -> Scenario:
    """The scenario that the flags describe, on top of `start` (a project's) or of the defaults. Raises UserError."""
    today = _date(arguments.today) if arguments.today else (start.today if start else date.today())
    scenario = (start or Scenario(today=today)).model_copy(update={"today": today})
    problems: list[Problem] = []
    for key, (_, info) in choices().items():
        text = getattr(arguments, f"choice_{key}")
        if text is None:
            continue
        try:
            scenario = _with_text(scenario, key, text, info)
        except UserError as error:
            problems.extend(error.problems)
    if problems:
        raise UserError(*problems)
    return scenario


def _with_text(scenario: Scenario, key: str, text: str, info: FieldInfo) -> Scenario:
    if key == "model" and (text.endswith(".json") or Path(text).is_file()):
        from desktop_app.estimation.huggingface import read_config

        scenario = with_choice(scenario, "model", Path(text).stem)
        return scenario.model_copy(
            update={"model": scenario.model.model_copy(update={"custom_model": read_config(Path(text))})}
        )
    return with_choice(scenario, key, _value(text, info))


def _value(text: str, info: FieldInfo) -> Any:
    if bool in get_args(info.annotation) or info.annotation is bool:
        return _YES_NO.get(text.lower(), text)
    return text


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise user_error("today", "problem.not_a_date", text=text) from None


def _metavar(info: FieldInfo) -> str:
    options = options_of(info)
    if options:
        return "|".join(options)
    kinds = get_args(info.annotation) or (info.annotation,)
    return "yes|no" if bool in kinds else "NAME" if str in kinds else "N"


def _help(label: str, info: FieldInfo) -> str:
    default = "" if info.default is None else f" (default {info.default})"
    return f"{label}{default}".replace("%", "%%")
