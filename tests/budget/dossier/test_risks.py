"""The register: which risks apply, what each costs by hand, and the sum."""

from dataclasses import replace
from datetime import date

import pytest
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.names import line_title
from desktop_app.budget.dossier.risk_lines import EXPECTED
from desktop_app.budget.dossier.risk_rows import APPLIES, risk_rows
from desktop_app.budget.dossier.risks import risks_of
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

JOB = {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}
YEAR = replace(QUOTE, purchase="reserved-1y", usd_per_instance_hour=24.0, usd_per_gpu_hour=3.0)
MONTH = replace(QUOTE, purchase="reserved-1mo", usd_per_instance_hour=16.0, usd_per_gpu_hour=2.0)
SPOT = replace(QUOTE, purchase="spot", usd_per_instance_hour=11.2, usd_per_gpu_hour=1.4)
CATALOGUE = load_catalogue()


def paper(price=None, beside=None, step_time_s=3600.0, gpus=16):
    scenario = make_scenario(
        beside, job=JOB, cluster={"gpus": gpus}, price={"checkpoints_kept": 0, "evaluation_percent": 0, **(price or {})}
    )
    return make_paper_budget(scenario, make_catalogue(quotes=(QUOTE, YEAR, MONTH, SPOT)), step_time_s=step_time_s)


def budget_of(**choices):
    return make_budget(with_choices(Scenario(today=date(2026, 11, 30)), choices), CATALOGUE)


def amounts(budget):
    register = risks_of(budget)
    return {risk.key: register.values[risk.money] for risk in register.risks if risk.money}


def test_a_tenth_more_tokens_cost_a_tenth_more_hours_with_support_and_tax():
    budget = paper(beside={"support_percent": 10, "tax_percent": 20, "idle_hours": 100})
    hours = budget.ledger.value("billed_gpu_hours.run") + budget.ledger.value("billed_gpu_hours.lost")
    assert 16_000 < hours < 17_000
    found = amounts(budget)
    assert found["scope"] == round(0.1 * hours * 4 * 1.1 * 1.2)  # idle hours do not grow
    assert found["speed"] == round(0.2 * hours * 4 * 1.1 * 1.2)  # the paper estimate: 1.2 at its P90
    assert found["data"] == round(7 * 24 * 16 * 4 * 1.1 * 1.2)
    assert found["memory"] == pytest.approx(hours / 3 * 4 * 1.1 * 1.2, abs=1)


def test_a_short_job_waits_no_longer_for_its_data_than_it_takes():
    budget = paper(step_time_s=36.0)
    days = budget.ledger.value("wall_days")
    assert days < 1
    assert amounts(budget)["data"] == pytest.approx(days * 24 * 16 * 4, abs=0.01)


def test_failures_twice_as_often_take_what_failures_take_once_more():
    budget = paper()
    assert amounts(budget)["failures"] == round(budget.ledger.value("failure_hours") * 16 * 4)


def test_more_hours_first_use_up_a_contract():
    inside = paper({"purchase": "reserved-1y"})
    assert amounts(inside)["scope"] == 0
    # 700 h and what is lost of 730: a tenth more needs a second month, 16 x 730 h at 2 USD
    beyond = paper({"purchase": "reserved-1mo"}, step_time_s=2520.0)
    assert beyond.ledger.value("contracts") == 1
    assert amounts(beyond)["scope"] == 16 * 730 * 2


def test_hours_that_others_were_to_pay_for():
    shared = paper({"purchase": "reserved-1y", "unused_elsewhere_percent": 100})
    used = shared.ledger.value("used_gpu_hours")
    found = amounts(shared)
    assert found["unused"] == round((16 * 8760 - used) * 3)
    assert found["scope"] == pytest.approx(0.1 * used * 3, abs=1)  # hours that others do not pay then
    assert "unused" not in amounts(paper({"purchase": "reserved-1y"}))  # all of it stands in the budget


def test_spot_may_be_reclaimed_and_may_not_be_had():
    found = amounts(paper({"purchase": "spot", "spot_interruptions_per_hour": 0.05}))
    assert found["reclaim"] > 0
    moving = paper({"purchase": "spot", "spot_interruptions_per_hour": 0.05}).ledger
    hours = sum(moving.value(f"billed_gpu_hours.{name}") for name in ("run", "lost", "interruptions"))
    assert found["capacity"] == round(hours * (4 - 1.4))
    assert amounts(paper({"purchase": "spot"}))["reclaim"] is None  # nobody says how often: not known, never 0
    assert "reclaim" not in amounts(paper())


def test_the_expected_sum_leaves_out_what_is_not_known():
    register = risks_of(paper({"purchase": "spot"}))
    expected = [register.values[risk.expected] for risk in register.risks if risk.expected]
    known = [amount for amount in expected if amount is not None]
    assert len(known) < len(expected)
    assert register.values[EXPECTED] == pytest.approx(sum(known))
    assert known == sorted(known, reverse=True)
    assert expected[: len(known)] == known
    for risk in register.risks:
        if risk.expected and register.values[risk.expected] is not None:
            product = register.values[risk.probability] * register.values[risk.money]
            assert register.values[risk.expected] == pytest.approx(product, abs=0.5)  # rounded as it is printed


def test_impact_is_the_money_against_the_base():
    register = risks_of(budget_of())
    base = budget_of().ledger.value("cost.total")
    for risk in register.risks:
        money = register.values[risk.money] if risk.money else None
        if money is None:
            assert risk.impact is None
        else:
            share = money / base
            expected = 1 + sum(share >= least for least in (0.01, 0.03, 0.1, 0.3))
            assert risk.impact == expected, risk.key


def keys(**choices):
    return {risk.key: risk for risk in risks_of(budget_of(**choices)).risks}


def test_only_risks_that_apply_are_listed():
    default = keys()
    assert {"speed", "memory", "capacity", "failures", "spikes", "price", "scope", "data", "egress", "grid"} <= set(
        default
    )
    assert not {"reclaim", "unused", "currency"} & set(default)
    assert "capacity" not in keys(purchase="owned") and "egress" not in keys(purchase="owned")
    assert "price" not in keys(price_usd_per_gpu_hour=2.0)
    assert "egress" not in keys(egress_gb=0)
    assert "currency" in keys(currency="EUR")
    assert "threshold" in default  # 8.2e22 of 1e23
    assert "threshold" not in keys(tokens=1e10)
    assert keys(gpus=8, model="Llama-2-70B")["memory"].likelihood == 5
    assert default["memory"].likelihood == 2


def test_money_of_a_job_that_does_not_fit_is_not_known():
    risk = keys(gpus=8, model="Llama-2-70B")["memory"]
    assert risk.impact is None and risk.money


def test_rows_are_sound():
    by_class = {row.likelihood: row.probability for row in risk_rows()}
    assert all(by_class[row.likelihood] == row.probability for row in risk_rows())
    assert [by_class[step] for step in sorted(by_class)] == sorted(by_class.values())
    assert {row.applies for row in risk_rows()} == set(APPLIES)
    assert all(row.source.name and row.source.as_of for row in risk_rows())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_risk_is_told(language):
    words = words_of(language)
    for row in risk_rows():
        for key in (f"risk.{row.key}", f"risk.{row.key}.response", f"risk.{row.key}.trigger", f"role.{row.owner}"):
            assert words.has(key), key
    for choices in ({}, {"purchase": "spot"}, {"purchase": "owned"}, {"purchase": "reserved-1y", "currency": "CNY"}):
        register = risks_of(budget_of(**choices))
        assert all(line_title(line.key, words) for line in register.lines)
        assert len({line.key for line in register.lines}) == len(register.lines)
