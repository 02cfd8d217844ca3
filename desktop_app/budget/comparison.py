"""Two scenarios side by side."""

from __future__ import annotations

from typing import Any

from desktop_app.budget.scenario import Scenario, choices, value_of


def differences(a: Scenario, b: Scenario) -> tuple[tuple[str, Any, Any], ...]:
    """The choices in which two scenarios differ: (key, value in `a`, value in `b`); the model's shape counts as one."""
    found = [(key, value_of(a, key), value_of(b, key)) for key in choices()]
    found.append(("custom_model", a.model.custom_model, b.model.custom_model))
    return tuple(change for change in found if change[1] != change[2])
