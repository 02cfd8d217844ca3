"""The command that gives the figures of a scenario again: all choices that were set, quoted for a shell."""

from __future__ import annotations

import shlex
from typing import Any

from desktop_app.budget.scenario import Scenario, choices, is_set, value_of
from desktop_app.foundation.wording import Language

_MODEL_FILE = "config.json"  # what the shape of a model of one's own was read from


def command_line(scenario: Scenario, language: Language) -> str:
    """`training-budget report --pdf ...`; a choice that was not set is left to the program, as it was."""
    parts = ["training-budget", "report", "--pdf", "proposal.pdf", "--language", language]
    parts += ["--today", scenario.today.isoformat()]
    for key in choices():
        value = value_of(scenario, key)
        if key == "model" and scenario.model.custom_model is not None:
            parts += ["--model", _MODEL_FILE]
        elif is_set(scenario, key) and value is not None:
            parts += [f"--{key.replace('_', '-')}", _typed(value)]
    return shlex.join(parts)


def _typed(value: Any) -> str:
    """A value as it is typed: every digit, yes and no for a switch."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)
