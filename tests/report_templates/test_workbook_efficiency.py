"""What is typed into the workbook gives what the program gives for the same choices."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

import pytest
from workbook_tools import changed, named, recalculated

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.scenario import Scenario, with_choices
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes

_TODAY = date(2026, 12, 1)
_SCENARIOS: dict[str, dict[str, Any]] = {
    "dense": {},
    "LoRA": {"model": "Llama-2-7B", "method": "lora", "gpus": 1, "tokens": 1e8},
    "experts": {"model": "Mixtral-8x7B", "gpus": 256, "gpu": "H100-80GB-SXM"},
    "spot in euro": {"purchase": "spot", "currency": "EUR"},
    "owned": {"purchase": "owned"},
    "contract": {"purchase": "reserved-3y"},
    "efficiency stated": {"mfu": 0.5},
    "offloaded": {"model": "Llama-2-7B", "gpus": 8, "offload": "optimizer", "tokens": 50e9},
}
_CHOICES = {"in_mfu": "mfu", "in_tokens": "tokens", "in_price_gpu_h": "price_usd_per_gpu_hour"}
_OUTPUTS = {
    "out_cost_base": "cost.total", "out_cost_p10": "cost.total.p10", "out_cost_p50": "cost.total.p50",
    "out_cost_p90": "cost.total.p90", "out_request": "cost.ask", "out_gpu_hours": "gpu_hours",
    "out_wall_days": "wall_days", "out_kwh": "energy_facility_kwh", "out_mfu": "mfu", "out_flop": "training_flops",
}  # fmt: skip


@lru_cache(maxsize=16)
def _exported(name: str) -> tuple[Scenario, bytes]:
    scenario = with_choices(Scenario(today=_TODAY), _SCENARIOS[name])
    dossier = make_dossier([make_budget(scenario, load_catalogue())], load_catalogue())
    return scenario, workbook_bytes(dossier, "en")


@pytest.mark.parametrize("name", _SCENARIOS)
@pytest.mark.parametrize(
    "typed",
    [
        {"in_mfu": 0.3},
        {"in_tokens": 2.0},
        {"in_price_gpu_h": 2.22},
        {"in_mfu": 0.44, "in_tokens": 1.5, "in_price_gpu_h": 1.9},
    ],
    ids=("efficiency", "tokens", "price", "all three"),
)
def test_a_typed_input_gives_what_the_program_gives(name: str, typed: dict[str, float]) -> None:
    """The efficiency is that of --mfu. Tokens are typed as a multiple of what was exported."""
    scenario, data = _exported(name)
    values = {**typed, **({"in_tokens": typed["in_tokens"] * scenario.job.tokens} if "in_tokens" in typed else {})}
    again = recalculated(changed(data, **values))
    budget: Budget = make_budget(
        with_choices(scenario, {_CHOICES[key]: value for key, value in values.items()}), load_catalogue()
    )
    for output, key in _OUTPUTS.items():
        found, expected = named(again, output), budget.ledger.value(key)
        assert found == pytest.approx(expected, rel=1e-6), (output, found, expected)
    assert named(again, "out_checks_ok") == 1


def test_the_efficiency_as_exported_changes_nothing() -> None:
    """It already holds what practice takes, so typing it again is no jump."""
    scenario, data = _exported("dense")
    shown = named(data, "in_mfu")
    budget = make_budget(with_choices(scenario, {"mfu": shown}), load_catalogue())
    assert budget.ledger.value("gpu_hours") == pytest.approx(named(data, "out_gpu_hours"), rel=1e-6)


def test_few_tokens_for_the_batch_of_the_program_turn_the_checks_red() -> None:
    """The program would have chosen a smaller batch: the workbook cannot know what that does to a step."""
    again = recalculated(changed(_exported("dense")[1], in_tokens=1e9))
    assert named(again, "out_checks_ok") == 0
