"""The worked examples that ship: real jobs with a known answer nearby."""

from __future__ import annotations

import json
from datetime import date
from importlib import resources
from typing import Any

from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.records import Record, validated

FIRST = "llama_13b_256"  # the window opens with it


class Example(Record):
    """One example: its name is `example.<key>` in the catalogue."""

    key: str
    source: str
    as_of: str
    scenario: dict[str, Any]


def examples() -> tuple[Example, ...]:
    """All examples, the one the window opens with first."""
    text = (resources.files(__package__) / "tables" / "examples.json").read_text(encoding="utf-8")
    return tuple(validated(Example, row) for row in json.loads(text))


def example_scenario(key: str, today: date) -> Scenario:
    """The scenario of one example, made on `today`. StopIteration for a key that does not ship: our bug."""
    chosen = next(example for example in examples() if example.key == key)
    return validated(Scenario, {**chosen.scenario, "today": today})
