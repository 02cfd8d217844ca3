"""Whole budgets worked out on paper: every number of a comment was computed without the program."""

from dataclasses import replace

import pytest
from paper_budgets import PHYSICAL, QUOTE, RATING, REGION, TODAY, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.facts import age_days
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of


def amounts(budget):
    """The lines that are not 0, and the total."""
    lines = {line.key: line.amount for line in budget.cost_lines if line.amount != 0}
    return lines | {"cost.total": budget.ledger.value("cost.total")}


def problem_keys(budget):
    return [problem.key for problem in budget.problems]


# 1e9 tokens / (1000 x 1000) = 1,000 steps x 36 s = 10 h on 16 GPUs.
SMALL = {"job": {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}, "cluster": {"gpus": 16}}


def test_a_small_budget_in_usd_and_cents():
    budget = make_paper_budget(make_scenario(**SMALL), step_time_s=36.0)
    value = budget.ledger.value
    assert value("steps") == 1000
    assert value("net_hours") == 10.0
    assert value("mtbf_hours") == 3168.75  # 50,700 / 16
    # A checkpoint of 13e9 x 14 B = 182 GB from 2 nodes of 1 GB/s: 5 s + 91 s.
    assert (value("checkpoint_gb"), value("checkpoint_write_gb_per_s"), value("checkpoint_write_s")) == (182, 2, 96)
    # sqrt(2 x 96 s x 3168.75 h x 3600) = 46,800 s = 13 h. On the clock, with 10 minutes to restart:
    # 3168.75 x exp(1/6 / 3168.75) x (exp((13 + 96/3600) / 3168.75) - 1) = 13.05414 h; 0.99 x 13 / 13.05414 = 0.98589215
    assert value("checkpoint_interval_minutes") == pytest.approx(780, abs=1e-9)
    assert value("steady_goodput") == pytest.approx(0.98589215, abs=1e-8)
    # 10 h / 0.98589215 and 2 minutes for the start: 10.17643 h; 10 / 10.17643
    assert value("goodput") == pytest.approx(0.98266282, abs=1e-8)
    assert value("wall_hours") == pytest.approx(10.1764306, abs=1e-7)
    assert value("wall_days") == pytest.approx(0.42818461, abs=1e-8)  # with 0.1 h of evaluation
    assert value("failures") == pytest.approx(0.0032115, abs=1e-7)  # 10.17643 / 3168.75
    assert amounts(budget) == {
        "cost.run": 640.00,  # 16 x 10 h x 4 USD
        "cost.lost": 11.29,  # 16 x 0.1764306 h x 4 USD = 11.2916
        "cost.evaluation": 6.40,  # 1 %
        "cost.checkpoints": 0.15,  # 182 GB x 3 x 10.2764/730 = 7.6862 GB-months x 0.02 = 0.1537
        "cost.total": pytest.approx(657.84, abs=1e-9),
    }
    # 657.84: 97.288 %, 1.716 %, 0.973 %, 0.023 % -> 97.2 + 1.7 + 0.9 + 0.0 = 998 tenths; the two largest remainders
    # (.88 and .73 of a tenth) go up: the run and the evaluation.
    assert [line.share for line in budget.cost_lines if line.amount] == [0.973, 0.017, 0.010, 0.000]
    assert value("training_flops") == 1e20  # 1e9 x 100e9
    assert value("tokens_per_s_per_gpu") == pytest.approx(1736.111, abs=0.001)  # 1e6 / 36 / 16
    assert value("mfu") == pytest.approx(0.556446, abs=1e-6)  # 100e9 x 1736.111 / 312e12
    # (162.82289 + 1.6) GPU-h x 4.8/8 kW = 98.6537 kWh; x 1.25; x 250 g; water 0.12 L on IT energy
    assert value("energy_it_kwh") == pytest.approx(98.65373, abs=1e-5)
    assert value("energy_facility_kwh") == pytest.approx(123.31717, abs=1e-5)
    assert value("co2e_kg_location") == pytest.approx(30.82929, abs=1e-5)
    assert value("water_l") == pytest.approx(11.83845, abs=1e-5)
    assert value("co2e_kg_embodied") == pytest.approx(1.87697, abs=1e-5)  # (150 + 250) x 164.42289 / 35,040
    assert value("co2e_kg_market") is None
    assert budget.not_priced == ()
    assert problem_keys(budget) == ["problem.no_market_factor", "problem.grid_old"]  # the factor is of 2023


def test_a_large_budget_in_cny_and_whole_units():
    scenario = make_scenario(
        job={"tokens": 1e12, "sequence_length": 2000, "global_batch": 500},
        cluster={"gpus": 256},
        price={"currency": "CNY"},
    )
    # 1e12 / 1e6 = 1e6 steps x 3.6 s = 1,000 h; goodput 0.98372872 -> 1,016.54042 h; 1 USD = 8 CNY
    budget = make_paper_budget(scenario, step_time_s=3.6)
    value = budget.ledger.value
    assert value("fx_rate") == 8.0
    assert value("wall_days") == pytest.approx(42.772517, abs=1e-6)  # and 10 h of evaluation
    assert value("gpu_hours") == pytest.approx(260_234.347, abs=0.001)
    assert amounts(budget) == {
        "cost.run": 8_192_000,  # 256,000 x 4 x 8
        "cost.lost": 135_499,  # 256 x 16.5404168 x 4 x 8 = 135,499.09
        "cost.evaluation": 81_920,
        "cost.checkpoints": 123,  # 546 GB x 1,026.540/730 x 0.02 x 8 = 122.85
        "cost.total": 8_409_542,
    }
    assert value("usd.total") == pytest.approx(1_051_192.743, abs=0.01)  # before rounding
    assert budget.currency == "CNY"
    assert value("contingency") == pytest.approx(value("cost.ask") - 8_409_542)
    assert sum(line.share for line in budget.cost_lines) == pytest.approx(1.0, abs=1e-12)


def test_nine_gpus_on_spot_are_billed_as_sixteen():
    spot = replace(QUOTE, purchase="spot", usd_per_instance_hour=16.0, usd_per_gpu_hour=2.0, as_of="2026-10-20")
    scenario = make_scenario(
        job={"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000},
        cluster={"gpus": 9},
        price={"purchase": "spot"},
    )
    # 1,000 steps x 180 s = 50 h; with 9 GPUs goodput 0.98627884 -> 50.695602 h
    budget = make_paper_budget(scenario, make_catalogue(quotes=(QUOTE, spot)), step_time_s=180.0)
    value = budget.ledger.value
    assert (value("instances"), value("billed_gpus")) == (2, 16)
    assert amounts(budget) == {
        "cost.run": 1600.00,  # 16 x 50 x 2
        "cost.lost": 22.26,  # 16 x 0.695602 x 2 = 22.2593
        "cost.interruptions": None,  # nobody says how often
        "cost.evaluation": 16.00,
        "cost.checkpoints": 0.77,  # 546 x 51.195602/730 x 0.02 = 0.76583
        "cost.total": pytest.approx(1639.03),
    }
    assert value("gpu_hours") == pytest.approx(456.26042, abs=1e-5)  # 9 x 50.695602: the GPUs that work
    # 41 days old: fine for a list price, old for a spot price
    assert budget.cost_lines[0].age_days == 41
    assert budget.cost_lines[0].old
    assert {"problem.price_old", "problem.spot_unknown_pays", "problem.whole_instances"} <= set(problem_keys(budget))
    assert "problem.spot_above" not in problem_keys(budget)


def test_a_lora_job_on_one_gpu():
    card = replace(QUOTE, provider="runpod", region="unspecified", instance_type="3090", gpu_count=1,
                   usd_per_instance_hour=0.22, usd_per_gpu_hour=0.22)  # fmt: skip
    scenario = make_scenario(
        job={"method": "lora", "tokens": 1e6, "sequence_length": 500, "global_batch": 20},
        cluster={"gpus": 1, "gpus_per_node": 1},
        price={"provider": "runpod"},
        energy={"node_power_kw": 0.6, "pue": 1.0, "grid_g_per_kwh": 400},
    )
    # 100 steps x 180 s = 5 h; goodput 0.98326448 -> 5.08510181 h, two minutes of it for the start
    budget = make_paper_budget(
        scenario, make_catalogue(quotes=(card,), storage=()), step_time_s=180.0, params_trainable=40e6
    )
    value = budget.ledger.value
    assert amounts(budget) == {
        "cost.run": 1.10,  # 5 x 0.22
        "cost.lost": 0.02,  # 0.08510 x 0.22 = 0.0187
        "cost.evaluation": 0.01,  # 0.011
        "cost.checkpoints": None,  # nobody sells storage there
        "cost.total": pytest.approx(1.13),
    }
    assert budget.not_priced == ("cost.checkpoints",)
    assert "problem.storage_not_priced" in problem_keys(budget)
    assert value("checkpoint_gb") == pytest.approx(0.56)  # 40e6 x 14 B: adapters only
    assert value("energy_facility_kwh") == pytest.approx(3.0810611, abs=1e-7)  # (5.08510181 + 0.05) x 0.6
    assert value("co2e_kg_location") == pytest.approx(1.23242, abs=1e-5)  # x 400 g
    # The region was not chosen: the seller has one price for all places.
    assert budget.ledger["price_usd_per_gpu_hour"].row_text == "runpod 3090, on-demand"


def test_without_a_price_everything_else_is_answered():
    scenario = make_scenario(**SMALL, price={"region": "eu-central-1"})
    regions = (REGION, replace(REGION, region="eu-central-1", pue=None, grid_g_co2e_per_kwh=None, grid_zone=None))
    budget = make_paper_budget(scenario, make_catalogue(regions=regions), step_time_s=36.0)
    assert set(amounts(budget).values()) == {None}
    assert {"cost.run", "cost.lost", "cost.evaluation", "cost.checkpoints", "cost.pilot"} <= set(budget.not_priced)
    assert not {"cost.data", "cost.egress", "cost.staff"} & set(budget.not_priced)  # none of it, whatever it costs
    assert budget.quote is None
    for key in ("usd.total", "cost.ask", "contingency", "usd.total.p50", "cost.total.p90"):
        assert budget.ledger.value(key) is None
    assert budget.ranged("wall_days").p80 > budget.ledger.value("wall_days")
    assert budget.ranged("cost.total").base is None
    # PUE of the industry, said aloud; grid unknown, so carbon unknown and never 0.
    assert budget.ledger.value("energy_facility_kwh") == pytest.approx(98.65373 * 1.56, abs=1e-4)
    assert budget.ledger.value("co2e_kg_location") is None
    assert budget.ranged("co2e_kg_location").p90 is None
    keys = problem_keys(budget)
    assert {"problem.no_price", "problem.pue_assumed", "problem.no_grid"} <= set(keys)
    assert "pue" in budget.defaults_used
    no_price = next(problem for problem in budget.problems if problem.key == "problem.no_price")
    assert no_price.values == {"gpu": "A100-80GB-SXM", "region": "aws eu-central-1"}


def test_a_typed_price_of_zero_is_a_price():
    scenario = make_scenario(**SMALL, price={"price_usd_per_gpu_hour": 0, "checkpoints_kept": 0})
    budget = make_paper_budget(scenario, step_time_s=36.0)
    assert amounts(budget) == dict.fromkeys(amounts(budget), 0)
    assert budget.not_priced == ()
    assert budget.ledger.value("contingency") == 0
    assert {line.share for line in budget.cost_lines} == {None}
    assert "problem.free_gpus" in problem_keys(budget)


def test_a_typed_price_is_the_users_and_has_no_range_or_age():
    scenario = make_scenario(**SMALL, price={"price_usd_per_gpu_hour": 2.5})
    budget = make_paper_budget(scenario, step_time_s=36.0)
    line = budget.ledger["price_usd_per_gpu_hour"]
    assert (line.tag, line.source.name, line.source.as_of) == ("yours", "source.yours", TODAY.isoformat())
    assert amounts(budget)["cost.run"] == 400.00
    assert budget.ledger.value("driver.price.high") == 1
    assert budget.cost_lines[0].age_days is None
    # Instances of 8 are rented whole whatever the price of one GPU.
    nine = make_scenario(**{**SMALL, "cluster": {"gpus": 9}}, price={"price_usd_per_gpu_hour": 2.5})
    assert make_paper_budget(nine, step_time_s=36.0).ledger.value("billed_gpus") == 16


def test_own_hardware_needs_a_price_and_stands_nowhere():
    own = make_scenario(**{**SMALL, "cluster": {"gpus": 9}}, price={"purchase": "owned"})
    budget = make_paper_budget(own, step_time_s=36.0)
    assert budget.ledger.value("cost.total") is None
    assert {"problem.own_needs_price", "problem.own_no_place", "problem.pue_assumed"} <= set(problem_keys(budget))
    priced = make_scenario(
        **{**SMALL, "cluster": {"gpus": 9}}, price={"purchase": "owned", "price_usd_per_gpu_hour": 1.5}
    )
    budget = make_paper_budget(priced, step_time_s=36.0)
    assert amounts(budget)["cost.run"] == 135.00  # 9 x 10 x 1.5: one's own machines are not rented whole
    assert amounts(budget)["cost.checkpoints"] is None


def test_a_reservation_longer_than_the_run_shows_what_the_contract_costs():
    reserved = replace(QUOTE, purchase="reserved-1y", usd_per_instance_hour=24.0, usd_per_gpu_hour=3.0)
    scenario = make_scenario(**SMALL, price={"purchase": "reserved-1y"})
    budget = make_paper_budget(scenario, make_catalogue(quotes=(reserved,)), step_time_s=36.0)
    assert amounts(budget)["cost.run"] == 480.00
    assert budget.ledger.value("usd.committed") == 420_480  # 16 x 8,760 h x 3
    problem = next(problem for problem in budget.problems if problem.key == "problem.reservation_commits")
    # The run takes ten hours: a day or less, never "0 months".
    assert problem.values["term"].values == {"count": 12}
    assert (problem.values["count"], problem.values["amount"]) == (1, 420_480)
    assert words_of("en").sentence(problem).startswith("The contract commits 420,480 USD over 12 months")
    assert "usd.committed" not in make_paper_budget(make_scenario(**SMALL), step_time_s=36.0).ledger


def test_an_old_list_price_is_said_to_be_old_and_its_range_is_wider():
    fresh = make_paper_budget(make_scenario(**SMALL), step_time_s=36.0)
    old_quote = replace(QUOTE, as_of="2026-07-20")
    old = make_paper_budget(make_scenario(**SMALL), make_catalogue(quotes=(old_quote,)), step_time_s=36.0)
    problem = next(problem for problem in old.problems if problem.key == "problem.price_old")
    assert problem.values == {"item": "p4de.24xlarge", "days": 133}
    assert problem.severity == "warning"
    assert old.ledger.value("driver.price.high") > fresh.ledger.value("driver.price.high")
    assert "problem.price_old" not in problem_keys(fresh)


def test_a_spot_price_above_on_demand_is_said_aloud():
    spot = replace(QUOTE, purchase="spot", usd_per_instance_hour=40.0, usd_per_gpu_hour=5.0, as_of="2026-11-20")
    scenario = make_scenario(**SMALL, price={"purchase": "spot"})
    budget = make_paper_budget(scenario, make_catalogue(quotes=(QUOTE, spot)), step_time_s=36.0)
    assert "problem.spot_above" in problem_keys(budget)


def test_unknown_power_leaves_energy_and_carbon_unknown():
    catalogue = make_catalogue(ratings=(), cards=(replace(PHYSICAL, tdp_w=None, embodied_kg_co2e=None),))
    budget = make_paper_budget(make_scenario(**SMALL), catalogue, step_time_s=36.0)
    for key in ("energy_it_kwh", "energy_facility_kwh", "co2e_kg_location", "co2e_kg_embodied", "water_l"):
        assert budget.ledger.value(key) is None
    assert budget.ledger.value("energy_it_kwh.p80") is None
    assert {"problem.no_power", "problem.no_embodied"} <= set(problem_keys(budget))
    assert amounts(budget)["cost.total"] == pytest.approx(657.84)


def test_storage_billed_in_binary_gigabytes_costs_less_per_decimal_one():
    budget = make_paper_budget(
        make_scenario(**SMALL), make_catalogue(storage=(replace(_storage(), unit="GiB-month"),)), step_time_s=36.0
    )
    assert budget.ledger.value("storage_usd_per_gb_month") == pytest.approx(0.02 / 1.073741824)


def _storage():
    return make_catalogue().storage_rows["aws"][0]


def test_a_residual_mix_gives_the_market_based_figure(catalogue_of_germany):
    budget = make_paper_budget(make_scenario(**SMALL), catalogue_of_germany, step_time_s=36.0)
    assert budget.ledger.value("co2e_kg_market") == pytest.approx(123.31717 * 0.7, abs=1e-4)  # 700 g
    assert "problem.no_market_factor" not in problem_keys(budget)


@pytest.fixture
def catalogue_of_germany():
    from pricing.records import GridIntensity

    mix = GridIntensity("RES-DE", "Germany residual mix", "residual_mix", "market", 700.0, 2025, "residual mix",
                        "direct CO2", "AIB", "2026", "DEU")  # fmt: skip
    return make_catalogue(regions=(replace(REGION, country="DE"),), grids=(mix,))


@pytest.mark.parametrize(
    ("price", "field", "key"),
    [
        ({"provider": "asw"}, "provider", "problem.unknown_provider"),
        ({"region": "us-esat-1"}, "region", "problem.unknown_region"),
        ({"currency": "EUX"}, "currency", "problem.no_fx_rate"),
    ],
)
def test_a_name_that_does_not_exist_is_refused(price, field, key):
    with pytest.raises(UserError) as caught:
        make_paper_budget(make_scenario(**SMALL, price=price), step_time_s=36.0)
    (problem,) = caught.value.problems
    assert (problem.field, problem.key) == (field, key)


def test_a_seller_that_the_tables_do_not_know_can_be_used_with_a_price():
    scenario = make_scenario(**SMALL, price={"provider": "our centre", "price_usd_per_gpu_hour": 1.0})
    budget = make_paper_budget(scenario, step_time_s=36.0)
    assert amounts(budget)["cost.run"] == 160.00
    assert budget.ledger.value("co2e_kg_location") is None


def test_a_typed_rate_needs_no_table():
    scenario = make_scenario(**SMALL, price={"currency": "XAF", "fx_rate": 600})
    budget = make_paper_budget(scenario, step_time_s=36.0)
    # 640 x 600 = 384,000: whole units; 11.29156 x 600 = 6,774.93; 3,840; 0.15372 x 600 = 92.2
    assert list(amounts(budget).values()) == [384_000, 6_775, 3_840, 92, 394_707]
    assert budget.ledger["fx_rate"].tag == "yours"


@pytest.mark.parametrize(("as_of", "days"), [("2026-11-01", 29), ("2026-11", 29), ("2026", 333), ("2027-01-01", 0)])
def test_a_bare_month_or_year_is_as_old_as_it_can_be(as_of, days):
    assert age_days(as_of, TODAY) == days


def test_defaults_are_those_that_nobody_chose():
    budget = make_paper_budget(make_scenario(**SMALL, energy={"pue": 1.1}), step_time_s=36.0)
    used = set(budget.defaults_used)
    assert {"model", "gpu", "provider", "evaluation_percent", "micro_batch", "tp"} <= used
    assert {"gpus_per_node", "network_gbit_per_node", "grid_g_per_kwh", "node_power_kw"} <= used  # filled in
    assert not {"tokens", "gpus", "global_batch", "pue", "mfu", "fx_rate", "base_precision"} & used
    adapters = make_scenario(**{**SMALL, "job": {**SMALL["job"], "method": "lora"}})
    assert "base_precision" in make_paper_budget(adapters, step_time_s=36.0).defaults_used
    assert budget.ledger["tokens"].tag == "yours"
    assert budget.ledger["tp"].source.name == "source.chosen"
    assert budget.ledger["evaluation_percent"].source.name == "source.choice_evaluation"


def test_the_node_of_another_rating_is_not_needed():
    budget = make_paper_budget(
        make_scenario(**SMALL, energy={"node_power_kw": 6.4}), make_catalogue(ratings=(RATING,)), step_time_s=36.0
    )
    assert budget.ledger.value("it_kw_per_gpu") == 0.8  # 6.4 kW / 8
    assert budget.ledger.value("driver.power.high") == 1
