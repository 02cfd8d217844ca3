"""The choices of a scenario as a reader sees them: what each came to, in words, and who made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import choices, is_set, value_of
from desktop_app.estimation.goodput import CHOICES
from desktop_app.foundation.quantities import format_value
from desktop_app.foundation.records import meta_of
from desktop_app.foundation.units import BITS_PER_BYTE
from desktop_app.foundation.wording import Words

_ENGINE_PARTS = ("model", "job", "cluster")
_ADAPTERS_ONLY = ("lora_rank", "lora_targets", "base_precision")


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice: its name, its value in words, and a key of the catalogue for who made it."""

    key: str
    name: str
    value: str
    origin: str  # "tag.yours", "tag.default" or "proposal.from_program"


def settings(budget: Budget, words: Words) -> tuple[Setting, ...]:
    """The choices of model, job and cluster, in the order of the form; those of LoRA only where they matter."""
    full = budget.scenario.job.method == "full"
    shown = []
    for key, (part, _) in choices().items():
        value = resolved_choice(budget, key)
        if part in _ENGINE_PARTS and value is not None and not (full and key in _ADAPTERS_ONLY):
            name = words(f"field.{key}")
            shown.append(Setting(key, name, choice_words(key, value, words), _origin(budget, key)))
    return tuple(shown)


def choice_words(key: str, value: Any, words: Words) -> str:
    """A value of the choice `key` with its unit; an option by its name, a name from a table as it stands."""
    if isinstance(value, bool):
        return words("option.yes" if value else "option.no")
    if isinstance(value, str):
        name = f"{key}.{value.replace('-', '_')}"
        return words(name) if words.has(name) else value
    return format_value(value, meta_of(choices()[key][1]).unit or "number", words)


def _origin(budget: Budget, key: str) -> str:
    if key in budget.estimate.chosen:
        return "proposal.from_program"
    return "tag.yours" if is_set(budget.scenario, key) else "tag.default"


def resolved_choice(budget: Budget, key: str) -> Any:
    """The value that a choice came to; None where nothing states it."""
    estimate = budget.estimate
    settled = {
        "model": estimate.model.name,
        "gpu": estimate.cluster.gpu.name,
        "gpus_per_node": estimate.cluster.gpus_per_node,
        "network_gbit_per_node": estimate.cluster.network_bytes_per_s_per_node * BITS_PER_BYTE / 1e9,
        "global_batch": estimate.global_batch,
        "sharding": estimate.sharding,
        "recompute": estimate.recompute,
        "software": estimate.software,
        **{name: int(getattr(estimate.plan, name)) for name in ("tp", "pp", "cp", "ep", "interleave", "micro_batch")},
        "sequence_parallel": bool(estimate.plan.sequence_parallel),
        "provider": budget.place.provider,
        "region": budget.place.region,
    }
    if key in settled:
        return settled[key]
    if key in CHOICES:
        return budget.ledger.value(key)
    from_job = getattr(estimate.job, key, None)
    return value_of(budget.scenario, key) if from_job is None else from_job
