"""Takes changes into a scenario, as far as they go: what is refused keeps its reason, the rest is taken."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from desktop_app.budget.scenario import (
    BELONGS_TO,
    Scenario,
    choices,
    value_of,
    with_choice,
    with_choices,
    without_choice,
)
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.records import replaced
from report_templates.excel.entries import TODAY
from report_templates.returned.records import NOT_STATED

Check = Callable[[Scenario], object]
"""Raises UserError for a scenario that cannot be computed."""


def taken(scenario: Scenario, asked: Mapping[str, Any], check: Check) -> tuple[Scenario, dict[str, Problem]]:
    """The scenario with the choices of `asked`, and why some of them are not taken. They are judged together first."""
    remaining, problems = dict(asked), dict[str, Problem]()
    while remaining:
        try:
            return _with(scenario, remaining, check), problems
        except UserError as error:
            named = {problem.field: problem for problem in error.problems if problem.field in remaining}
            if not named:
                break
            problems |= named
            remaining = {key: value for key, value in remaining.items() if key not in named}
    for key, value in remaining.items():  # what is wrong names none of them: one after the other
        try:
            scenario = _with(scenario, {key: value}, check)
        except UserError as error:
            problems[key] = error.problems[0]
    return scenario, problems


def freed(before: Scenario, after: Scenario, asked: Container[str]) -> Iterator[tuple[str, str]]:
    """Choices that went with another one, and that one, though their cells still hold them."""
    for key, owner in BELONGS_TO.items():
        if key not in asked and owner in asked and value_of(before, owner) != value_of(after, owner):
            yield key, owner


def _with(scenario: Scenario, asked: Mapping[str, Any], check: Check) -> Scenario:
    """The scenario with all of `asked`. Raises UserError."""
    for key, value in asked.items():
        if value is NOT_STATED:
            scenario = _unstated(scenario, key)
    stated = {key: value for key, value in asked.items() if value is not NOT_STATED and key != TODAY}
    problems: list[Problem] = []
    if TODAY in asked:
        try:
            scenario = replaced(scenario, today=asked[TODAY])
        except UserError as error:
            problems.extend(error.problems)
    try:
        scenario = with_choices(scenario, stated)
    except UserError as error:
        problems.extend(error.problems)
    if problems:
        raise UserError(*problems)
    check(scenario)
    return scenario


def _unstated(scenario: Scenario, key: str) -> Scenario:
    """A choice that nobody makes: back at its default, or at None where the default is a value."""
    default = choices()[key][1].default
    return without_choice(scenario, key) if default is None else with_choice(scenario, key, None)
