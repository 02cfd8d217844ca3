"""All choices of one column of the budget, and how a single choice is set or reset."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.records import Record, choice, iso_day, replaced, reset

DEFAULT_NAME = "A"
Purchase = Literal[
    "on-demand", "spot", "capacity-block", "flex-start",
    "reserved-1mo", "reserved-6mo", "reserved-1y", "reserved-3y", "reserved-5y", "owned",
]  # fmt: skip
EARLIEST_START, LATEST_START = date(2000, 1, 1), date(2199, 12, 31)
"""Between which a run may be stated to start: any plan does, and a spreadsheet counts the days."""


def _day_of(value: Any) -> date:
    """A day: a text must be YYYY-MM-DD; a number is no date."""
    if isinstance(value, str):
        try:
            return iso_day(value)
        except ValueError:
            raise PydanticCustomError("date_parsing", "not YYYY-MM-DD") from None
    if not isinstance(value, date) or isinstance(value, datetime):
        raise PydanticCustomError("date_type", "not a date")
    return value


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
    discount_percent: float | None = choice(card="price", unit="percent", detail=True, ge=0, le=100)
    spot_share_percent: float = choice(100.0, card="price", unit="percent", detail=True, ge=0, le=100)
    spot_interruptions_per_hour: float | None = choice(card="price", unit="per_hour", detail=True, ge=0, le=10_000)
    spot_wait_hours: float | None = choice(card="price", unit="hours", detail=True, ge=0, le=10_000)
    unused_elsewhere_percent: float = choice(0.0, card="price", unit="percent", detail=True, ge=0, le=100)
    currency: str = choice("USD", card="price", detail=True)
    fx_rate: float | None = choice(card="price", unit="currency_per_usd", detail=True, ge=1e-9, le=1e9)
    evaluation_percent: float = choice(1.0, card="beside", unit="percent", ge=0, le=1000)
    development_multiplier: float | None = choice(card="beside", unit="ratio", ge=1, le=1000)
    checkpoints_kept: int = choice(3, card="beside", detail=True, ge=0, le=100_000)

    @field_validator("currency")
    @classmethod
    def _code(cls, text: str) -> str:
        """ISO 4217: three letters."""
        code = text.strip().upper()
        if not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise PydanticCustomError("problem.not_a_currency", "not a currency code")
        return code

    @field_validator("fx_rate")
    @classmethod
    def _rate(cls, rate: float | None, info: ValidationInfo) -> float | None:
        if rate not in (None, 1) and info.data.get("currency") == "USD":
            raise PydanticCustomError("problem.fx_usd", "a rate of the dollar to itself")
        return rate


class OwnChoice(Record):
    """What a GPU-hour of one's own hardware is built from; nothing of it counts where its price is typed in."""

    own_server_usd_per_gpu: float | None = choice(card="price", unit="usd_per_gpu", ge=0, le=10_000_000)
    own_network_percent: float | None = choice(card="price", unit="percent", detail=True, ge=0, le=1000)
    own_residual_percent: float | None = choice(card="price", unit="percent", detail=True, ge=0, le=100)
    own_life_years: float | None = choice(card="price", unit="years", detail=True, ge=0.1, le=50)
    own_utilisation_percent: float | None = choice(card="price", unit="percent", detail=True, ge=0.1, le=100)
    own_electricity_usd_per_kwh: float | None = choice(card="price", unit="usd_per_kwh", ge=0, le=100)
    own_colocation_usd_per_kw_month: float | None = choice(card="price", unit="usd_per_kw_month", ge=0, le=1_000_000)
    own_colocation_has_power: bool = choice(False, card="price", detail=True)
    own_operations_usd_per_gpu_year: float | None = choice(card="price", unit="usd_per_gpu_year", ge=0, le=10_000_000)


class BesideChoice(Record):
    """The lines beside compute. None is "not priced": a line costs nothing only where 0 is stated."""

    pilot_percent: float | None = choice(card="beside", unit="percent", ge=0, le=100)
    idle_hours: float | None = choice(card="beside", unit="hours", ge=0, le=1_000_000)
    data_gb: float | None = choice(card="beside", unit="gb", detail=True, ge=0, le=1e12)
    kept_months: float = choice(0.0, card="beside", unit="month", detail=True, ge=0, le=1200)
    egress_gb: float | None = choice(card="beside", unit="gb", detail=True, ge=0, le=1e12)
    cpu_host_hours: float | None = choice(card="beside", unit="hours", detail=True, ge=0, le=1e9)
    cpu_host_usd_per_hour: float | None = choice(card="beside", unit="usd_per_hour", detail=True, ge=0, le=1_000_000)
    support_percent: float | None = choice(card="beside", unit="percent", detail=True, ge=0, le=100)
    staff_months: float | None = choice(card="beside", unit="month", ge=0, le=1_000_000)
    staff_usd_per_month: float | None = choice(card="beside", unit="usd_per_month", ge=0, le=10_000_000)
    credits_usd: float | None = choice(card="beside", unit="usd", detail=True, ge=0, le=1e12)
    tax_percent: float | None = choice(card="beside", unit="percent", ge=0, le=100)
    start_date: date | None = choice(card="beside", detail=True)

    @field_validator("start_date", mode="before")
    @classmethod
    def _start(cls, value: Any) -> Any:
        """A day within reach of a calendar of months."""
        day = None if value is None else _day_of(value.strip() if isinstance(value, str) else value)
        if day is not None and not EARLIEST_START <= day <= LATEST_START:
            raise PydanticCustomError("problem.start_date", "out of reach")
        return day


class EnergyChoice(Record):
    """Overhead of the building and carbon of the grid."""

    pue: float | None = choice(card="energy", unit="ratio", ge=1, le=5)
    grid_g_per_kwh: float | None = choice(card="energy", unit="g_per_kwh", ge=0, le=5000)
    market_g_per_kwh: float | None = choice(card="energy", unit="g_per_kwh", detail=True, ge=0, le=5000)
    node_power_kw: float | None = choice(card="energy", unit="kw", detail=True, ge=0.001, le=10_000)
    network_power_percent: float | None = choice(card="energy", unit="percent", detail=True, ge=0, le=1000)
    idle_node_kw: float | None = choice(card="energy", unit="kw", detail=True, ge=0, le=10_000)


class Scenario(Record):
    """One column of the budget. `today` is an input like any other: the same scenario gives the same bytes."""

    name: str = Field(default=DEFAULT_NAME)
    model: ModelChoice = Field(default_factory=ModelChoice)
    job: TrainingJob = Field(default_factory=TrainingJob)
    cluster: ClusterChoice = Field(default_factory=ClusterChoice)
    price: PriceChoice = Field(default_factory=PriceChoice)
    own: OwnChoice = Field(default_factory=OwnChoice)
    beside: BesideChoice = Field(default_factory=BesideChoice)
    energy: EnergyChoice = Field(default_factory=EnergyChoice)
    today: date

    @field_validator("today", mode="before")
    @classmethod
    def _day(cls, value: Any) -> Any:
        """As every day."""
        return _day_of(value)


PARTS: dict[str, type[Record]] = {
    "model": ModelChoice,
    "job": TrainingJob,
    "cluster": ClusterChoice,
    "price": PriceChoice,
    "own": OwnChoice,
    "beside": BesideChoice,
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
    return with_choices(scenario, {key: value})


def with_choices(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """The scenario with several choices set at once, so that they are judged together. Raises UserError.

    What belonged to the old value goes with it: another provider has other regions, another currency another rate, and
    a model chosen by name replaces one that was read from a file.
    """
    unknown = [Problem(key, "problem.unknown_key", {"name": key}) for key in values if key not in _PART_OF]
    if unknown:
        raise UserError(*unknown)
    changes: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        changes.setdefault(_PART_OF[key], {})[key] = value
    problems: list[Problem] = []
    parts: dict[str, Record] = {}
    for part, change in changes.items():
        try:
            parts[part] = replaced(_freed(getattr(scenario, part), change), **change)
        except UserError as error:
            problems.extend(error.problems)
    if problems:
        raise UserError(*problems)
    return scenario.model_copy(update=parts)


def with_model_file(scenario: Scenario, model: ModelSpec) -> Scenario:
    """The scenario with a model that was read from a file."""
    return scenario.model_copy(update={"model": ModelChoice(model=model.name, custom_model=model)})


def without_choice(scenario: Scenario, key: str) -> Scenario:
    """The scenario with one choice back at its default, and what belongs to it."""
    part = _PART_OF[key]
    record = reset(_freed(getattr(scenario, part), {key: PARTS[part].model_fields[key].default}), key)
    return scenario.model_copy(update={part: record})


BELONGS_TO = {"region": "provider", "fx_rate": "currency"}
"""Choices that go with another one: a change of the second takes back the first."""


def _freed(record: Record, change: Mapping[str, Any]) -> Record:
    """The record without what belongs to a choice that `change` gives another value."""
    if "model" in change:
        return reset(record, "custom_model")
    for key, owner in BELONGS_TO.items():
        if owner in change and key not in change and not _alike(change[owner], getattr(record, owner)):
            record = reset(record, key)
    return record


def _alike(new: Any, old: Any) -> bool:
    """Whether two names mean the same, however they are written."""
    return new == old or (isinstance(new, str) and isinstance(old, str) and new.strip().lower() == old.lower())
