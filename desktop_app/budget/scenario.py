"""All choices of one column of the budget, and how a single choice is set or reset."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field
from pydantic.fields import FieldInfo

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.records import Record, choice, replaced, reset

Purchase = Literal["on-demand", "spot", "capacity-block", "reserved-1y", "reserved-3y", "owned"]


class ModelChoice(Record):
    """The model: a preset by name, or the shape read from a config.json."""

    model: str = choice("LLaMA-13B", card="model")
    custom_model: ModelSpec | None = None


class PriceChoice(Record):
    """Who sells the GPUs, how, and in which currency the report is written."""

    provider: str | None = choice("aws", card="price")
    region: str | None = choice("us-east-1", card="price")
    purchase: Purchase = choice("on-demand", card="price")
    price_usd_per_gpu_hour: float | None = choice(card="price", unit="usd_per_gpu_hour", ge=0, le=1_000_000)
    currency: str = choice("USD", card="price", detail=True)
    fx_rate: float | None = choice(card="price", unit="currency_per_usd", detail=True, gt=0, le=1e9)
    evaluation_percent: float = choice(1.0, card="price", unit="percent", detail=True, ge=0, le=1000)
    checkpoints_kept: int = choice(3, card="price", detail=True, ge=0, le=100_000)


class EnergyChoice(Record):
    """Overhead of the building and carbon of the grid."""

    pue: float | None = choice(card="energy", unit="ratio", ge=1, le=5)
    grid_g_per_kwh: float | None = choice(card="energy", unit="g_per_kwh", ge=0, le=5000)
    node_power_kw: float | None = choice(card="energy", unit="kw", detail=True, gt=0, le=10_000)


class Scenario(Record):
    """One column of the budget. `today` is an input like any other: the same scenario gives the same bytes."""

    name: str = Field(default="A", max_length=200)
    model: ModelChoice = Field(default_factory=ModelChoice)
    job: TrainingJob = Field(default_factory=TrainingJob)
    cluster: ClusterChoice = Field(default_factory=ClusterChoice)
    price: PriceChoice = Field(default_factory=PriceChoice)
    energy: EnergyChoice = Field(default_factory=EnergyChoice)
    today: date


PARTS: dict[str, type[Record]] = {
    "model": ModelChoice,
    "job": TrainingJob,
    "cluster": ClusterChoice,
    "price": PriceChoice,
    "energy": EnergyChoice,
}


_PART_OF = {
    key: part for part, record in PARTS.items() for key, info in record.model_fields.items() if info.json_schema_extra
}


def choices() -> dict[str, tuple[str, FieldInfo]]:
    """Every choice: its key -> (the part of the scenario it stands in, its field). Keys are unique over all parts."""
    return {key: (part, PARTS[part].model_fields[key]) for key, part in _PART_OF.items()}


def value_of(scenario: Scenario, key: str) -> Any:
    """The value of the choice `key`."""
    return getattr(getattr(scenario, _PART_OF[key]), key)


def is_set(scenario: Scenario, key: str) -> bool:
    """Whether the user set the choice, as against a default."""
    return key in getattr(scenario, _PART_OF[key]).model_fields_set


def with_choice(scenario: Scenario, key: str, value: Any) -> Scenario:
    """The scenario with one choice set. Raises UserError."""
    if key not in _PART_OF:
        raise user_error(key, "problem.unknown_key", name=key)
    part = _PART_OF[key]
    return scenario.model_copy(update={part: replaced(getattr(scenario, part), **{key: value})})


def without_choice(scenario: Scenario, key: str) -> Scenario:
    """The scenario with one choice back at its default."""
    part = _PART_OF[key]
    return scenario.model_copy(update={part: reset(getattr(scenario, part), key)})
