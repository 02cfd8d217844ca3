"""The whole run in a budget: development, failures and storage as stated, and a run that never finishes."""

import pytest
from paper_budgets import make_paper_budget, make_scenario

from desktop_app.budget.explain import line_text
from desktop_app.foundation.wording import words_of

# 1e9 tokens / (1000 x 1000) = 1,000 steps x 36 s = 10 h on 16 GPUs.
SMALL = {"job": {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}, "cluster": {"gpus": 16}}


def amounts(budget):
    return {line.key: line.amount for line in budget.cost_lines} | {"cost.total": budget.ledger.value("cost.total")}


def problem_keys(budget):
    return [problem.key for problem in budget.problems]


def test_development_is_a_line_of_its_own():
    """2.5 times the final run in all: 1.5 times its 16 x 10.1764306 h beside it, at the same price and power."""
    plain = make_paper_budget(make_scenario(**SMALL), step_time_s=36.0)
    budget = make_paper_budget(make_scenario(**SMALL, price={"development_multiplier": 2.5}), step_time_s=36.0)
    value = budget.ledger.value
    assert value("development_gpu_hours") == pytest.approx(244.23433, abs=1e-5)
    assert value("billed_gpu_hours.development") == value("development_gpu_hours")  # two whole instances
    assert amounts(budget) == {
        **amounts(plain),
        "cost.development": 976.94,  # 244.23433 x 4
        "cost.total": pytest.approx(1634.78, abs=1e-9),  # 657.84 + 976.94
    }
    assert sum(line.share for line in budget.cost_lines) == pytest.approx(1, abs=1e-12)
    for key in ("gpu_hours", "wall_days", "goodput", "lost_gpu_hours", "training_flops", "cost.run"):
        assert value(key) == plain.ledger.value(key)  # the final run stays what it is
    more = {"energy_it_kwh": 146.54060, "energy_facility_kwh": 183.17575, "co2e_kg_location": 45.79394}
    for key, amount in more.items():  # 244.23433 GPU-h x 0.6 kW; x 1.25; x 250 g
        assert value(key) == pytest.approx(plain.ledger.value(key) + amount, abs=1e-5)
    assert value("development_energy_kwh") == pytest.approx(more["energy_facility_kwh"], abs=1e-5)
    assert value("development_co2e_kg") == pytest.approx(more["co2e_kg_location"], abs=1e-5)
    assert "problem.development_left_out" not in problem_keys(budget)
    assert budget.not_priced == ()


def test_a_multiplier_of_one_says_that_there_is_no_development():
    budget = make_paper_budget(make_scenario(**SMALL, price={"development_multiplier": 1}), step_time_s=36.0)
    assert amounts(budget)["cost.development"] == 0
    assert "problem.development_left_out" not in problem_keys(budget)


def test_what_the_user_knows_of_failures_and_storage_replaces_the_constants():
    stated = {
        "job": {**SMALL["job"], "data_stall_share": 0.04, "checkpoint_interval_minutes": 30},
        "cluster": {"gpus": 16, "mtbf_gpu_hours": 1600, "restart_minutes": 30, "checkpoint_write_gb_per_s": 1},
    }
    budget = make_paper_budget(make_scenario(**stated), step_time_s=36.0)
    value = budget.ledger.value
    assert (value("mtbf_hours"), value("checkpoint_write_s")) == (100, 187)  # 1600 / 16; 5 + 182
    # 100 x exp(0.5 / 100) x (exp((0.5 + 187/3600) / 100) - 1) = 0.5562447 h; 0.96 x 0.5 / 0.5562447 = 0.8629295
    assert value("attempt_hours") == pytest.approx(0.5562447, abs=1e-7)
    assert value("steady_goodput") == pytest.approx(0.8629295, abs=1e-7)
    assert value("wall_hours") == pytest.approx(10 / value("steady_goodput") + 2 / 60)
    parts = ("net_hours", "stall_hours", "checkpoint_hours", "failure_hours", "warm_up_hours")
    assert sum(value(key) for key in parts) == pytest.approx(value("wall_hours"))
    assert value("checkpoint_hours") == pytest.approx(20 * 187 / 3600)  # 10 h / 30 minutes
    for key in ("data_stall_share", "checkpoint_interval_minutes", "mtbf_gpu_hours", "restart_minutes",
                "checkpoint_write_gb_per_s"):  # fmt: skip
        assert (budget.ledger[key].tag, budget.ledger[key].source.name) == ("yours", "source.yours")
        assert key not in budget.defaults_used
    assert "node_write_gb_per_s" not in budget.ledger  # nothing reads it any more
    by_default = make_paper_budget(make_scenario(**SMALL), step_time_s=36.0)
    assert {"data_stall_share", "checkpoint_interval_minutes", "mtbf_gpu_hours", "restart_minutes",
            "checkpoint_write_gb_per_s"} <= set(by_default.defaults_used)  # fmt: skip


def test_a_run_that_makes_no_progress_never_finishes():
    """Sixteen GPUs that stop every 6 minutes, and 10 minutes to restart: three hours are never had in one piece."""
    stated = {
        "job": {**SMALL["job"], "checkpoint_interval_minutes": 180},
        "cluster": {"gpus": 16, "mtbf_gpu_hours": 1.6},
    }
    budget = make_paper_budget(make_scenario(**stated), step_time_s=36.0)
    for key in ("goodput", "wall_days", "gpu_hours", "cost.total", "cost.lost", "energy_it_kwh", "wall_days.p90"):
        assert budget.ledger.value(key) is None
    assert budget.ledger.value("net_hours") == 10
    problem = next(problem for problem in budget.problems if problem.key == "problem.never_finishes")
    assert problem.severity == "error"
    told = words_of("en").sentence(problem)
    assert "every 6 minutes" in told and "180 minutes between checkpoints" in told
    assert "never finishes" in words_of("en").sentence(problem)
    assert "problem.interval_above_mtbf" in problem_keys(budget)
    assert line_text(budget, "wall_days", words_of("en")) == "Never finishes"
    assert line_text(budget, "co2e_kg_market", words_of("en")) == "Never finishes"
    assert line_text(budget, "market_g_per_kwh", words_of("en")) == "Not known"


def test_a_checkpoint_that_takes_longer_than_its_interval_is_said():
    stated = {"job": {**SMALL["job"], "checkpoint_interval_minutes": 1}, "cluster": {"gpus": 16}}
    budget = make_paper_budget(make_scenario(**stated), step_time_s=36.0)
    problem = next(problem for problem in budget.problems if problem.key == "problem.write_above_interval")
    assert problem.field == "checkpoint_interval_minutes"
    assert "takes 1.6 minutes" in words_of("en").sentence(problem)  # 96 s
    assert "(1 minute)" in words_of("en").sentence(problem)
    assert budget.ledger.value("goodput") < 0.4
