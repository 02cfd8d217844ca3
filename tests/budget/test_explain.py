"""The explanation of a figure: formula in words and numbers, inputs, source, what moves it."""

import pytest
from paper_budgets import make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.explain import explain, line_text, range_text
from desktop_app.foundation.wording import LANGUAGES, words_of

SMALL = {"job": {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}, "cluster": {"gpus": 16}}
EN, ZH = words_of("en"), words_of("zh")


@pytest.fixture(scope="module")
def budget():
    return make_paper_budget(make_scenario(**SMALL), step_time_s=36.0)


def test_a_cost_line_in_english(budget):
    told = explain(budget, "usd.run", EN)
    assert told.title == "Training run (USD)"
    assert told.value == "640.00 USD"
    assert told.formula == "Billed GPU-hours (training run) × Price per GPU-hour"
    assert told.numbers == "160 × 4.00"
    assert [(part.key, part.value, part.tag) for part in told.inputs] == [
        ("billed_gpu_hours.run", "160 GPU-hours", "computed"),
        ("price_usd_per_gpu_hour", "4.00 USD/GPU-hour", "table"),
    ]


def test_the_same_in_chinese(budget):
    told = explain(budget, "usd.run", ZH)
    assert told.title == "正式训练（美元）"
    assert told.formula == "计费 GPU·小时（正式训练） × 每 GPU·小时价格"
    assert told.value == "640.00美元"


def test_a_price_names_its_row_and_date(budget):
    told = explain(budget, "price_usd_per_gpu_hour", EN)
    assert (told.formula, told.inputs) == ("", ())
    assert (told.source, told.as_of) == ("AWS price list", "2026-10-31")
    assert told.row_text == "aws us-east-1 p4de.24xlarge, on-demand"
    assert told.field == "price_usd_per_gpu_hour"


def test_an_engine_figure_says_how_it_was_found(budget):
    told = explain(budget, "gpu_step_time_s", EN)
    assert told.tag == "predicted"
    assert told.how.startswith("Predicted from the size of every matrix product")
    assert explain(budget, "step_time_s", EN).range_text == "30.0 – 43.2 s"


def test_what_moves_the_total_most(budget):
    told = explain(budget, "cost.total", EN)
    assert len(told.movers) == 3
    speed = next(mover for mover in told.movers if mover.name == "Step time")
    assert (speed.input_low, speed.input_high) == ("30.0 s", "43.2 s")
    # 657.84 / 1.2 and x 1.2 but for the start, in cents: 533.33 + 9.77 + 5.33 + 0.13 and 768.00 + 13.12 + 7.68 + 0.18
    assert (speed.figure_low, speed.figure_high) == ("548.56 USD", "788.98 USD")


def test_an_unknown_figure_is_said_to_be_unknown(budget):
    told = explain(budget, "co2e_kg_market", EN)
    assert told.value == "Not known"
    assert told.movers == ()
    assert "Not known" in told.numbers


def test_amounts_of_one_budget_share_their_decimals():
    large = make_scenario(**{**SMALL, "cluster": {"gpus": 1600}}, price={"currency": "CNY"})
    budget = make_paper_budget(large, step_time_s=36.0)
    assert line_text(budget, "cost.run", EN) == "512,000 CNY"
    assert line_text(budget, "cost.checkpoints", EN) == "1 CNY"
    assert range_text(budget, "cost.total", EN).count(".") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_can_be_explained(language):
    words = words_of(language)
    for catalogue in (make_catalogue(), make_catalogue(quotes=(), ratings=(), cards=())):
        budget = make_paper_budget(make_scenario(**SMALL), catalogue, step_time_s=36.0)
        for line in budget.ledger:
            told = explain(budget, line.key, words)
            assert told.title
            assert told.value
            assert bool(told.formula) == bool(told.numbers) == (line.expression is not None)
            assert "{" not in told.formula + told.numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_sentence(language):
    words = words_of(language)
    own = make_scenario(**SMALL, price={"purchase": "owned"})
    nine = make_scenario(**{**SMALL, "cluster": {"gpus": 9}}, price={"provider": None})
    for scenario in (own, nine):
        for problem in make_paper_budget(scenario, make_catalogue(ratings=(), cards=()), step_time_s=36.0).problems:
            sentence = words.sentence(problem)
            assert sentence
            assert "{" not in sentence
