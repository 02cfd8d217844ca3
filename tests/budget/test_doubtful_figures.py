"""What is said of figures that are implausible or have aged: the row is named, and no figure is changed."""

from dataclasses import replace
from datetime import date

import pytest
from paper_budgets import PHYSICAL, QUOTE, REGION, STORAGE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue


def paper(scenario=None, **catalogue):
    return make_paper_budget(
        scenario or make_scenario(cluster={"gpus": 16}), make_catalogue(**catalogue), step_time_s=36
    )


def entered(**parts):
    return paper(make_scenario(cluster={"gpus": 16}, **parts))


def told(budget, key, language="en"):
    """Severity, field and sentence of each problem of that key."""
    sentence = words_of(language).sentence
    return [(found.severity, found.field, sentence(found)) for found in budget.problems if found.key == key]


def implausible(budget):
    return [*told(budget, "problem.implausible_row"), *told(budget, "problem.implausible_entry")]


def test_plausible_rows_and_entries_raise_no_doubt():
    assert implausible(paper()) == []
    typed = entered(
        price={"price_usd_per_gpu_hour": 40},
        energy={"pue": 2.5, "grid_g_per_kwh": 1200, "node_power_kw": 8 * 3.5},
    )
    assert implausible(typed) == []


def test_a_row_outside_the_bounds_is_used_and_named():
    dear = paper(quotes=(replace(QUOTE, usd_per_instance_hour=328.0, usd_per_gpu_hour=41.0),))
    assert dear.ledger.value("price_usd_per_gpu_hour") == 41  # nothing is clamped
    ((severity, field, sentence),) = implausible(dear)
    assert (severity, field) == ("warning", "price_usd_per_gpu_hour")
    assert sentence == (
        "Price per GPU-hour (USD/GPU-hour) of aws us-east-1 p4de.24xlarge is 41; plausible is 0.05 to 40. "
        "Check this row before the figures are used."
    )
    dirty = paper(regions=(replace(REGION, grid_g_co2e_per_kwh=1306.0, pue=2.6),))
    rows = {field: sentence for _, field, sentence in implausible(dirty)}
    assert list(rows) == ["pue", "grid_g_per_kwh"]
    assert "of aws us-east-1 is 1,306; plausible is 5 to 1,200" in rows["grid_g_per_kwh"]
    assert dirty.ledger.value("grid_g_per_kwh") == 1306


def test_power_is_judged_by_the_class_of_the_card():
    for power_class in ("sxm", "module", "pcie", "consumer"):
        assert implausible(paper(cards=(replace(PHYSICAL, power_class=power_class),))) == []  # 4.8 kW for eight
    strong = make_scenario(cluster={"gpus": 16}, energy={"node_power_kw": 9.6})  # 1.2 kW each
    assert implausible(paper(strong)) == []
    ((_, field, sentence),) = implausible(paper(strong, cards=(replace(PHYSICAL, power_class="pcie"),)))
    assert field == "node_power_kw"
    assert "IT power per GPU (kW) comes to 1.2 by what was entered; plausible is 0.05 to 1." in sentence


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"price": {"price_usd_per_gpu_hour": 0.04}}, "price_usd_per_gpu_hour"),
        ({"price": {"price_usd_per_gpu_hour": 40.1}}, "price_usd_per_gpu_hour"),
        ({"energy": {"pue": 2.51}}, "pue"),
        ({"energy": {"grid_g_per_kwh": 0.38}}, "grid_g_per_kwh"),  # kg instead of g
        ({"energy": {"grid_g_per_kwh": 1201}}, "grid_g_per_kwh"),
        ({"energy": {"node_power_kw": 0.7}}, "node_power_kw"),  # one GPU's power for the node's
        ({"energy": {"node_power_kw": 29}}, "node_power_kw"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_entry_outside_the_bounds_is_named(parts, field, language):
    ((severity, at, sentence),) = told(entered(**parts), "problem.implausible_entry", language)
    assert (severity, at) == ("warning", field)
    assert "{" not in sentence


def test_zeros_that_are_meant_are_legal_and_named():
    sun = entered(energy={"grid_g_per_kwh": 0})
    assert sun.ledger.value("co2e_kg_location") == 0
    ((severity, field, sentence),) = told(sun, "problem.grid_zero")
    assert (severity, field) == ("note", "grid_g_per_kwh")
    assert "solar" in sentence
    free = entered(price={"price_usd_per_gpu_hour": 0})
    assert told(free, "problem.free_gpus")
    assert implausible(sun) == implausible(free) == []


def test_rack_scale_systems_may_cost_more():
    scenario = validated(
        Scenario,
        {
            "today": date(2026, 11, 30),
            "cluster": {"gpu": "GB200", "gpus": 72},
            "price": {"provider": "azure", "region": "brazilsouth"},
        },
    )
    budget = make_budget(scenario, load_catalogue())
    assert budget.ledger.value("price_usd_per_gpu_hour") == pytest.approx(54.08)
    assert implausible(budget) == []


def test_an_old_rate_of_the_tables_is_told_with_ten_per_cent_and_an_entered_one_is_not():
    for today, days in ((date(2027, 1, 28), None), (date(2027, 1, 29), 91)):
        budget = entered(today=today, price={"currency": "CNY"})  # rates of 2026-10-30
        found = told(budget, "problem.fx_old")
        assert bool(found) is (days is not None)
    assert found == [
        (
            "warning",
            "fx_rate",
            "The exchange rate of CNY is 91 days old (2026-10-30): amounts in CNY may be 10 % higher or lower. "
            "Enter the rate of the day.",
        )
    ]
    late = date(2028, 1, 1)
    assert told(entered(today=late, price={"currency": "CNY", "fx_rate": 7.0}), "problem.fx_old") == []
    assert told(entered(today=late), "problem.fx_old") == []  # USD


def test_an_old_grid_factor_is_told_by_its_year():
    assert told(paper(regions=(replace(REGION, intensity_year=2024),)), "problem.grid_old") == []
    old = told(paper(), "problem.grid_old")  # of 2023
    sentence = "The carbon intensity of aws us-east-1 is of 2023; look for a newer one."
    assert old == [("note", "grid_g_per_kwh", sentence)]
    assert told(entered(energy={"grid_g_per_kwh": 300}), "problem.grid_old") == []


def test_an_old_storage_price_is_told_where_checkpoints_are_kept():
    new = paper()
    assert [sentence for _, field, sentence in told(new, "problem.price_old") if field == "checkpoints_kept"] == []
    storage = (replace(STORAGE, as_of="2026-01"),)
    old = told(paper(storage=storage), "problem.price_old")
    assert old == [("note", "checkpoints_kept", "The price of S3 Standard is 333 days old.")]
    none_kept = make_scenario(cluster={"gpus": 16}, price={"checkpoints_kept": 0})
    assert told(paper(none_kept, storage=storage), "problem.price_old") == []


def test_a_price_that_comes_back_to_its_own_currency_at_another_rate_says_so():
    yuan = replace(
        QUOTE, currency_original="CNY", amount_original=227.2, usd_per_original=1 / 7.1, rate_as_of="2026-10-30"
    )
    # 32 USD at 8 CNY per USD are 256 CNY
    ((severity, field, sentence),) = told(
        paper(make_scenario(cluster={"gpus": 16}, price={"currency": "CNY"}), quotes=(yuan,)), "problem.converted_twice"
    )
    assert (severity, field) == ("note", "fx_rate")
    assert "p4de.24xlarge is sold at 227.2 CNY per hour" in sentence
    assert "counts as 256 CNY here" in sentence
    assert "enter 7.1 as the exchange rate" in sentence
    for price in ({"currency": "CNY", "fx_rate": 7.1}, {"currency": "USD"}, {"currency": "JPY"}):
        scenario = make_scenario(cluster={"gpus": 16}, price=price)
        assert told(paper(scenario, quotes=(yuan,)), "problem.converted_twice") == []
