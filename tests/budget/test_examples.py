"""The examples that ship, against what was published of them."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.examples import FIRST, example_scenario, examples
from desktop_app.foundation.wording import LANGUAGES, words_of
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)


def budget_of(key):
    """The budget of one example."""
    return make_budget(example_scenario(key, TODAY), load_catalogue())


def test_the_window_opens_with_the_first_and_all_have_names():
    assert examples()[0].key == FIRST
    for language in LANGUAGES:
        assert all(words_of(language).has(f"example.{example.key}") for example in examples())


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.key)
def test_every_example_is_computed_priced_and_fits(example):
    budget = budget_of(example.key)
    assert budget.estimate.fits == "yes"
    total = budget.ranged("cost.total")
    assert total.base > 0
    assert total.p10 < total.p50 < total.p80 < total.p90
    assert budget.ledger.value("energy_facility_kwh") > 0
    assert not [problem for problem in budget.problems if problem.severity == "error"]


def test_llama_13b_takes_what_its_makers_published():
    assert 100_000 < budget_of("llama_13b_256").ledger.value("gpu_hours") < 200_000  # 135,168 (arXiv 2302.13971)
    days = budget_of("llama_13b_8").ledger.value("wall_days")
    assert 500 < days < 1000  # about two years, not the six days of a popular article


def test_gpt3_takes_about_a_month_on_1024_a100():
    assert 25 < budget_of("gpt3_175b_1024").ledger.value("wall_days") < 45  # 34 days (arXiv 2104.04473)


def test_lora_on_one_3090_takes_hours_and_a_few_dollars():
    budget = budget_of("llama2_7b_lora")
    assert budget.estimate.memory.peak_high < 24e9
    assert 3 < budget.ledger.value("wall_hours") < 48
    assert budget.ledger.value("cost.total") < 20


def test_mixtral_trains_on_its_active_parameters():
    budget = budget_of("mixtral_8x7b_h100")
    assert budget.estimate.shape.params_active == pytest.approx(12.9e9, rel=0.01)
