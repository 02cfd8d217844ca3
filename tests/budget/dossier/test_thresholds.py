"""Training compute against published thresholds, by hand."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.thresholds import counted_flop, modifies, thresholds_of
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

CATALOGUE = load_catalogue()


def budget_of(**choices):
    return make_budget(with_choices(Scenario(today=date(2026, 11, 30)), choices), CATALOGUE)


def test_llama_13b_on_a_trillion_tokens_stays_below_the_first():
    found = thresholds_of(budget_of())
    assert [line.flop for line in found] == [1e23, 1e25, 1e26, 1e26]
    # 6 x 12.85e9 matrix parameters and 12 x 40 x 5120 x 2048 for attention: 8.2e10 per token
    assert found[0].share == pytest.approx(0.822, abs=0.001)
    assert [line.reached for line in found] == [False] * 4


def test_development_runs_count():
    assert counted_flop(budget_of(development_multiplier=2)) == 2 * counted_flop(budget_of())
    assert thresholds_of(budget_of(development_multiplier=2))[0].reached


def test_llama_405b_reaches_the_second():
    found = {
        line.key: line
        for line in thresholds_of(budget_of(model="Llama-3.1-405B", gpu="H100", gpus=16384, tokens=15.6e12))
    }
    assert found["eu_systemic"].share == pytest.approx(3.86, abs=0.01)  # the model card says 3.8e25
    assert found["eu_systemic"].reached and not found["ca_frontier"].reached


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, False),
        ({"model": "Llama-2-7B", "method": "lora", "gpus": 1, "tokens": 1e8}, True),
        ({"model": "Llama-3.1-8B", "gpus": 8, "tokens": 1e9}, True),
        ({"model": "GPT-2 124M", "gpus": 8, "tokens": 2.5e9}, False),  # 20 per parameter, few as they are
        ({"tokens": 5.5e10}, False),
    ],
)
def test_few_tokens_for_the_parameters_mean_an_existing_model(choices, expected):
    assert modifies(budget_of(**choices)) == expected


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_threshold_is_told_with_status_and_date(language):
    words = words_of(language)
    for line in thresholds_of(budget_of()):
        assert words(f"threshold.{line.key}") != words(f"threshold.{line.key}.status")
        assert line.source.name and line.source.as_of


def test_what_was_not_read_again_says_so():
    assert "not checked again" in words_of("en")("threshold.eu_general.status")
