"""Where a job runs and how it is bought, with the tables that ship: what is taken, and what is said about it."""

from dataclasses import replace
from datetime import date

import pytest
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.explain import explain, row_words
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)


def budget_of(**parts):
    return make_budget(validated(Scenario, {"today": TODAY, **parts}), load_catalogue())


def told(budget, key, language="en"):
    """The sentence of a problem; "" where the budget does not say it."""
    words = words_of(language)
    return next((words.sentence(problem) for problem in budget.problems if problem.key == key), "")


def test_another_seller_is_not_tried_in_the_default_region_of_aws():
    budget = budget_of(price={"provider": "alibaba"}, cluster={"gpu": "A100"})
    assert budget.place.region == "cn-shenzhen"  # ecs.ebmgn7ex is priced in most regions of China, here most often
    assert budget.quote.region == "cn-shenzhen"
    sentence = "No region was chosen; cn-shenzhen of alibaba is used, where this GPU is sold."
    assert told(budget, "problem.region_chosen") == sentence
    stated = budget_of(price={"provider": "alibaba", "region": "us-east-1"}, cluster={"gpu": "A100"})
    assert stated.place.region == "us-east-1"


def test_an_aws_user_who_names_no_region_stays_in_virginia_without_a_note():
    budget = budget_of(price={"provider": "aws"})
    assert budget.place.region == "us-east-1"
    assert not told(budget, "problem.region_chosen")


def test_a_seller_without_regions_has_no_grid_and_not_that_of_virginia():
    budget = budget_of(price={"provider": "runpod"}, cluster={"gpus": 8})
    assert budget.place.cloud is None
    assert budget.ledger.value("grid_g_per_kwh") is None
    assert budget.ledger["pue"].tag == "default"
    assert "names no region" in told(budget, "problem.region_anywhere")


@pytest.mark.parametrize("gpu", ["A100-80GB-SXM", "H100-80GB-SXM", "RTX-4090", "L40S"])
def test_runpod_is_priced_at_its_own_machines_for_every_card_that_has_them(gpu):
    budget = budget_of(price={"provider": "runpod"}, cluster={"gpu": gpu, "gpus": 1}, job={"method": "lora"})
    row = budget.ledger["price_usd_per_gpu_hour"].row_text
    assert row.startswith("runpod ")
    assert "unspecified" not in row
    assert row.endswith(", secure, on-demand")
    assert row_words(row, words_of("zh")).endswith("，自营机房，按需")


def test_an_explanation_has_the_way_of_purchase_in_the_readers_language():
    row = explain(budget_of(), "price_usd_per_gpu_hour", words_of("zh")).row_text
    assert row == "aws us-east-1 p4de.24xlarge，按需"


def test_a_place_that_does_not_sell_the_gpu_is_an_assumption():
    budget = budget_of(cluster={"gpu": "RTX-4090", "gpus": 8}, model={"model": "Llama-2-7B"}, job={"method": "lora"})
    assert budget.ledger.value("co2e_kg_location") > 0
    assert "aws us-east-1 is not known to offer RTX-4090" in told(budget, "problem.place_assumed")
    assert not told(budget_of(), "problem.place_assumed")


def test_own_hardware_says_what_its_price_holds_and_why_there_is_no_carbon():
    budget = budget_of(price={"purchase": "owned", "price_usd_per_gpu_hour": 1.0})
    assert told(budget, "problem.own_electricity").startswith("Electricity is not added to the price of own hardware")
    assert told(budget, "problem.own_no_place").startswith("Own hardware stands in no known place")
    placed = budget_of(price={"purchase": "owned", "price_usd_per_gpu_hour": 1.0, "provider": "aws"})
    assert placed.ledger.value("co2e_kg_location") > 0


def test_one_gpu_of_eight_says_that_the_others_are_not_in_the_energy():
    budget = budget_of(cluster={"gpus": 1}, model={"model": "Llama-2-7B"}, job={"method": "lora", "tokens": 1e8})
    sentence = told(budget, "problem.whole_instances")
    assert sentence.startswith("1 GPU is billed as 8: instances of 8 are rented whole.")
    assert sentence.endswith("The power of the GPUs left idle (7) is not counted.")


def test_the_range_of_the_grid_reaches_the_published_values_of_virginia():
    value = budget_of().ledger.value
    base = value("grid_g_per_kwh")
    assert base == 244.8  # eGRID2023
    assert base * value("driver.grid.low") == pytest.approx(245, abs=1)
    assert base * value("driver.grid.high") == pytest.approx(396, abs=1)  # PJM
    frankfurt = budget_of(price={"region": "eu-central-1"}).ledger.value
    assert (frankfurt("driver.grid.low"), frankfurt("driver.grid.high")) == (0.83, 1.09)  # a national average
    ohio = budget_of(price={"region": "us-east-2"}).ledger.value
    assert (ohio("driver.grid.low"), ohio("driver.grid.high")) == (0.62, 1.62)
    typed = budget_of(energy={"grid_g_per_kwh": 300}).ledger.value
    assert (typed("driver.grid.low"), typed("driver.grid.high")) == (1, 1)


def test_embodied_carbon_of_two_cards_differs_by_the_cards():
    budgets = [budget_of(cluster={"gpu": gpu}, price={"provider": "aws"}) for gpu in ("A100-80GB-SXM", "H100-80GB-SXM")]
    rates = [budget.ledger.value("co2e_kg_embodied") / budget.ledger.value("energy_gpu_hours") for budget in budgets]
    # (150 + 712.5) / 35,040 and (164 + 712.5) / 35,040
    assert [rate * 1000 for rate in rates] == pytest.approx([24.61, 25.01], abs=0.01)
    card = budgets[0].ledger["embodied_kg_per_gpu"].source
    assert (card.quality, card.as_of) == ("proxy", "2023")  # Luccioni et al. 2023, not the day of the table


def test_the_formula_of_embodied_carbon_gives_bloom_from_the_inputs_of_its_paper():
    inputs = {"embodied_kg_per_gpu": 150, "embodied_kg_host": 312.5, "gpu_life_hours": 44_676}  # Luccioni et al. 2023
    values = budget_of().ledger.evaluate({**inputs, "energy_gpu_hours": 1_082_990})
    assert values["co2e_kg_embodied"] / 1000 == pytest.approx(11.2, abs=0.05)  # t


def test_amounts_in_usd_are_those_of_the_rounded_lines():
    budget = budget_of()
    assert budget.cost_usd == budget.ranged("cost.total")
    assert [line.amount_usd for line in budget.cost_lines] == [line.amount for line in budget.cost_lines]
    assert budget.cost_usd.base == sum(line.amount_usd for line in budget.cost_lines if line.amount_usd is not None)
    euro = budget_of(price={"currency": "EUR"})
    cents = [line.amount_usd for line in euro.cost_lines if line.amount_usd is not None]
    assert cents == [round(amount, 2) for amount in cents]
    assert euro.cost_usd.base == pytest.approx(sum(cents), abs=1e-6)
    assert euro.cost_usd.base == pytest.approx(euro.ledger.value("usd.total"), abs=0.02)


def test_what_a_contract_binds_is_printed_in_the_currency_of_the_report():
    reserved = replace(QUOTE, purchase="reserved-1y", usd_per_instance_hour=24.0, usd_per_gpu_hour=3.0)
    scenario = make_scenario(cluster={"gpus": 16}, price={"purchase": "reserved-1y", "currency": "CNY"})
    budget = make_paper_budget(scenario, make_catalogue(quotes=(reserved,)), step_time_s=36.0)
    assert budget.ledger.value("cost.committed") == 3_363_840  # 16 x 8,760 h x 3 x 8
    assert budget.committed_usd == 420_480
    assert "3,363,840 CNY" in told(budget, "problem.reservation_commits")
    unpriced = make_paper_budget(scenario, make_catalogue(quotes=()), step_time_s=36.0)
    assert unpriced.committed_usd is None
    assert told(unpriced, "problem.reservation_long")
