"""The whole way from choices to figures, with the models, GPUs and tables that ship."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.explain import explain
from desktop_app.budget.project import drift, new_project, open_project, save_project
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import LANGUAGES, words_of
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)


def budget_of_choices(**parts):
    return make_budget(validated(Scenario, {"today": TODAY, **parts}), load_catalogue())


@pytest.fixture(scope="module")
def default():
    return budget_of_choices()


def test_the_default_job_costs_what_such_runs_cost(default):
    value = default.ledger.value
    # 1T tokens of a 13B model: published 135,168 A100-hours (LLaMA paper), 184,000 (half of Llama 2).
    assert 100_000 < value("gpu_hours") < 200_000
    # 4.9 kW a node, 15 % network, PUE 1.15: 0.82 kW a GPU-hour; Virginia about 245 g.
    assert 0.65 < value("energy_facility_kwh") / value("gpu_hours") < 0.95
    assert 200 < value("co2e_kg_location") / value("energy_facility_kwh") * 1000 < 300
    assert value("usd.total") == pytest.approx(value("energy_gpu_hours") * value("price_usd_per_gpu_hour"), rel=1e-3)
    assert value("checkpoint_gb") == pytest.approx(156.2, abs=0.1)  # 13.016e9 x 12 B: FSDP, fp32 weights and moments
    assert default.not_priced == tuple(
        f"cost.{name}" for name in ("pilot", "idle", "development", "egress", "cpu_hosts", "support", "tax", "staff")
    )  # each visible, and 0 only where 0 is stated
    assert default.quote.instance_type == "p4de.24xlarge"


def test_eight_gpus_take_about_two_years():
    budget = budget_of_choices(cluster={"gpus": 8})
    assert 500 < budget.ledger.value("wall_days") < 1000
    assert budget.ledger.value("instances") == 1


def test_a_node_draws_more_than_its_gpus(default):
    assert default.ledger.value("node_power_kw") > 8 * 0.3


def test_printed_lines_add_up(default):
    priced = [line for line in default.cost_lines if line.amount is not None]
    assert sum(line.amount for line in priced) == default.ledger.value("cost.total")
    assert sum(line.share for line in priced) == pytest.approx(1.0, abs=1e-9)


def test_a_small_job_on_a_card_from_a_small_seller():
    budget = budget_of_choices(
        model={"model": "Llama-2-7B"},
        job={"method": "lora", "base_precision": "int8", "tokens": 1e7, "sequence_length": 512, "recompute": "full"},
        cluster={"gpu": "RTX-3090", "gpus": 1},
        price={"provider": "runpod"},
    )
    value = budget.ledger.value
    assert 0 < value("cost.total") < 100
    assert value("money_digits") == 2
    assert value("params_trainable") < 0.05 * value("params_total")
    assert value("co2e_kg_location") is None
    assert any(problem.key == "problem.no_grid" for problem in budget.problems)


def test_a_gpu_that_is_not_sold_there_is_not_priced_and_everything_else_is_answered():
    budget = budget_of_choices(cluster={"gpu": "MI300X-192GB", "gpus": 8})
    assert budget.ledger.value("cost.total") is None
    assert "cost.run" in budget.not_priced
    assert budget.ledger.value("wall_days") > 0
    assert budget.ledger.value("energy_facility_kwh") > 0


@pytest.mark.parametrize("provider", ["gcp", "azure", "oci", "runpod", "autodl", "nebius"])
def test_another_seller_takes_its_own_region_when_none_is_named(provider):
    budget = budget_of_choices(price={"provider": provider})
    row = budget.ledger["price_usd_per_gpu_hour"]
    keys = {problem.key for problem in budget.problems}
    assert row.row_text.startswith(provider) or "problem.no_price" in keys
    assert keys & {"problem.region_chosen", "problem.region_chosen_unpriced", "problem.region_anywhere"}
    assert budget.place.region != "us-east-1"


def test_european_regions_have_a_market_based_figure():
    budget = budget_of_choices(price={"region": "eu-central-1"})
    assert budget.ledger.value("co2e_kg_market") > 0
    assert "problem.no_market_factor" not in {problem.key for problem in budget.problems}


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"model": {"model": "Llama-99B"}}, "model"),
        ({"cluster": {"gpu": "Z9000"}}, "gpu"),
        ({"price": {"provider": "amazonia"}}, "provider"),
        ({"price": {"region": "us-moon-1"}}, "region"),
        ({"price": {"currency": "???"}}, "currency"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_at_its_field(parts, field):
    with pytest.raises(UserError) as caught:
        budget_of_choices(**parts)
    (problem,) = caught.value.problems
    assert problem.field == field
    for language in LANGUAGES:
        assert words_of(language).sentence(problem)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_and_problem_has_words(default, language):
    words = words_of(language)
    for line in default.ledger:
        assert explain(default, line.key, words).value
    assert all(words.sentence(problem) for problem in default.problems)


def test_a_project_of_today_has_not_drifted(default, tmp_path):
    path = tmp_path / "a.tbudget"
    save_project(new_project([default]), path)
    project = open_project(path)
    assert drift(project.snapshots[0], make_budget(project.scenarios[0], load_catalogue())) == ()
