"""The choices of a scenario as a reader sees them: what each came to, in words, and who made it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from desktop_app.budget.budget import Budget
from desktop_app.budget.effective import effective, matters
from desktop_app.budget.scenario import choices, is_set
from desktop_app.foundation.quantities import format_value
from desktop_app.foundation.records import meta_of
from desktop_app.foundation.wording import Words

_ENGINE_PARTS = ("model", "job", "cluster")
_RESULT_UNLESS_SET = ("mfu",)  # a figure of the estimate and no setting, unless it is stated


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice: its name, its value in words, and a key of the catalogue for who made it."""

    key: str
    name: str
    value: str
    origin: str  # "tag.yours", "tag.default" or "proposal.from_program"


def settings(budget: Budget, words: Words) -> tuple[Setting, ...]:
    """The choices of model, job and cluster, in the order of the form; those of LoRA and experts where they matter."""
    shown = []
    for key, (part, _) in choices().items():
        if part not in _ENGINE_PARTS or not matters(budget, key):
            continue
        if key in _RESULT_UNLESS_SET and not is_set(budget.scenario, key):
            continue
        shown.append(Setting(key, words(f"field.{key}"), _value_words(budget, key, words), _origin(budget, key)))
    return tuple(shown)


def choice_words(key: str, value: Any, words: Words) -> str:
    """A value of the choice `key` with its unit; an option by its name, a name from a table as it stands."""
    if value is None:
        return empty_words(key, words)
    if isinstance(value, bool):
        return words("option.yes" if value else "option.no")
    if isinstance(value, str):
        name = f"{key}.{value.replace('-', '_')}"
        return words(name) if words.has(name) else value
    if isinstance(value, date):
        return value.isoformat()
    return format_value(value, meta_of(choices()[key][1]).unit or "number", words)


def empty_words(key: str, words: Words) -> str:
    """What it means that nobody made the choice `key` and nothing follows from that: "no limit", "not stated"."""
    return words(f"empty.{key}" if words.has(f"empty.{key}") else "empty.other")


def recomputed_share(budget: Budget, words: Words) -> str:
    """The share of the layers that are recomputed where it is a part of them, else ""."""
    estimate = budget.estimate
    partial = estimate.recompute == "partial"
    return format_value(float(estimate.plan.full_recompute), "share", words) if partial else ""


def _value_words(budget: Budget, key: str, words: Words) -> str:
    share = recomputed_share(budget, words) if key == "recompute" else ""
    if share:
        return words("recompute.partial_share", share=share)
    return choice_words(key, effective(budget, key), words)


def _origin(budget: Budget, key: str) -> str:
    if key in budget.estimate.chosen:
        return "proposal.from_program"
    return "tag.yours" if is_set(budget.scenario, key) else "tag.default"
