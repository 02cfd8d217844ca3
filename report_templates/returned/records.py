"""Changes of a workbook that came back, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import choices
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import meta_of
from report_templates.excel.entries import MFU

NOT_STATED: Final = object()
"""What is asked for by a cell that says nothing."""

CHOICE_OF: Mapping[str, str] = {MFU: "mfu"}
"""Rows whose key is not that of their choice."""

CALCULATED: Final = "problem.returned_calculated"
"""Why a cell is not taken that is no input."""

Shown = float | int | str | None
"""The value of a cell to be told: None is "not stated", a day is ISO text."""


@dataclass(frozen=True, slots=True)
class InputChange:
    """One cell that is another one than at export.

    `scenario` counts from 0; `label` names the row, `place` the cell ("Inputs!E50"). `problem` says why the change is
    not taken; None where it is.
    """

    scenario: int
    key: str
    label: str | Problem
    unit: str
    old: Shown
    new: Shown
    place: str
    problem: Problem | None = None

    @property
    def taken(self) -> bool:
        """Whether the scenario has it."""
        return self.problem is None


@dataclass(frozen=True, slots=True)
class Asked:
    """A change and the value that its choice is to have, or NOT_STATED."""

    change: InputChange
    choice: str
    value: Any


def unit_of(key: str, budget: Budget | None) -> str:
    """The unit of a row; "" where it has none or it is not known."""
    choice = CHOICE_OF.get(key, key)
    if choice in choices():
        return meta_of(choices()[choice][1]).unit
    return budget.ledger[key].unit if budget is not None and key in budget.ledger else ""
