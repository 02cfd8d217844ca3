"""Ranges: the closed form on paper, against draws, and in the order it must have."""

from math import exp, hypot, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper_budgets import make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.lines_range import DRIVERS, PERCENTILES, RANGED
from desktop_app.budget.uncertainty import driven, tornado

JOB = {"job": {"tokens": 1e12, "sequence_length": 2000, "global_batch": 500}, "cluster": {"gpus": 256}}
WIDE = {  # drivers wider and more skewed than the tables have them
    "driver.speed.low": 1 / 1.35, "driver.speed.high": 1.35, "driver.overhead.low": 0.97, "driver.overhead.high": 1.3,
    "driver.price.low": 0.75, "driver.price.high": 1.4, "driver.power.low": 0.8, "driver.power.high": 1.25,
    "driver.pue.low": 0.9, "driver.pue.high": 1.15, "driver.grid.low": 0.76, "driver.grid.high": 1.23,
}  # fmt: skip


def paper_budget(**changes):
    return make_paper_budget(make_scenario(**JOB), step_time_s=3.6, **changes)


def test_two_drivers_by_hand():
    ledger = paper_budget().ledger
    values = ledger.evaluate({**WIDE, "driver.overhead.low": 1.0, "driver.overhead.high": 1.21})
    # speed: shift 0, sigma ln(1.35) / 1.2816 = 0.234164; overhead: shift ln(1.21)/2 = 0.0953102, sigma 0.0743681
    assert values["driver.speed.sigma"] == pytest.approx(0.234164, abs=1e-6)
    assert values["driver.overhead.shift"] == pytest.approx(0.0953102, abs=1e-7)
    assert values["driver.overhead.sigma"] == pytest.approx(0.0743681, abs=1e-6)
    # sqrt(0.234164^2 + 0.0743681^2) = 0.245690; exp(0.0953102) = 1.1
    base = values["gpu_hours"]
    assert values["gpu_hours.p50"] == pytest.approx(1.1 * base)
    assert values["gpu_hours.p90"] == pytest.approx(1.1 * base * exp(1.2816 * 0.245690), rel=1e-6)
    assert values["gpu_hours.p80"] == pytest.approx(1.1 * base * exp(0.8416 * 0.245690), rel=1e-6)
    assert values["gpu_hours.p10"] == pytest.approx(1.1 * base / exp(1.2816 * 0.245690), rel=1e-6)
    # Of the wall time, 1,000 h x 1 % of evaluation do not follow what the run loses.
    weight = values["wall_hours"] / (values["wall_hours"] + 10)
    assert values["wall_days.p50"] == pytest.approx(values["wall_days"] * 1.1**weight)


def test_limits_of_one_driver_are_its_p10_and_p90():
    ledger = paper_budget(speed_factor_80=1.5).ledger
    assert ledger.value("step_time_s.p10") == pytest.approx(3.6 / 1.5)
    assert ledger.value("step_time_s.p90") == pytest.approx(3.6 * 1.5)
    assert ledger.value("mfu.p10") == pytest.approx(ledger.value("mfu") / 1.5)
    assert ledger.value("tokens_per_s_per_gpu.p90") == pytest.approx(ledger.value("tokens_per_s_per_gpu") * 1.5)


@pytest.mark.parametrize("figure", [*RANGED, "cost.total"])
def test_draws_agree_with_the_closed_form(figure):
    ledger = paper_budget().ledger
    draws = np.random.default_rng(20261130)
    factors = {}
    for driver in DRIVERS:
        low, high = WIDE[f"driver.{driver}.low"], WIDE[f"driver.{driver}.high"]
        sigma = log(high / low) / (2 * 1.2815515655446004)
        factors[driver] = draws.lognormal(log(low * high) / 2, sigma, 40_000)
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = ledger.evaluate(driven(ledger, factors), np)[figure]
    closed = ledger.evaluate(WIDE)
    for name, share in zip(PERCENTILES, (0.1, 0.5, 0.8, 0.9), strict=True):
        assert closed[f"{figure}.{name}"] == pytest.approx(np.quantile(drawn, share), rel=0.02)


def test_the_range_of_a_total_that_scales_is_the_closed_form():
    # Storage at nothing, no evaluation: all of it follows hours and price.
    scenario = make_scenario(**JOB, price={"checkpoints_kept": 0, "evaluation_percent": 0})
    values = make_paper_budget(scenario, step_time_s=3.6).ledger.values
    sigma = hypot(*(values[f"driver.{name}.sigma"] for name in ("speed", "overhead", "price")))
    median = values["usd.total"] * exp(sum(values[f"driver.{name}.shift"] for name in ("speed", "overhead", "price")))
    assert values["usd.total.p50"] == pytest.approx(median)
    assert values["usd.total.p90"] == pytest.approx(median * exp(1.2816 * sigma))
    assert values["usd.total.p10"] == pytest.approx(median / exp(1.2816 * sigma))
    assert values["usd.total.p80"] == pytest.approx(median * exp(0.8416 * sigma))


factor = st.floats(min_value=1.0, max_value=3.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(factor, min_size=12, max_size=12))
def test_percentiles_are_in_order_whatever_the_drivers(sizes):
    ledger = paper_budget().ledger
    limits = {}
    for driver, below, above in zip(DRIVERS, sizes[::2], sizes[1::2], strict=True):
        limits |= {f"driver.{driver}.low": 1 / below, f"driver.{driver}.high": above}
    values = ledger.evaluate(limits)
    for figure in (*RANGED, "cost.total"):
        p10, p50, p80, p90 = (values[f"{figure}.{name}"] for name in PERCENTILES)
        assert p10 <= p50 <= p80 <= p90


@pytest.mark.parametrize(
    ("figure", "spread", "drivers"),
    [("energy_it_kwh", "energy", ("speed", "overhead"))],
)
def test_development_moves_with_what_moves_the_run(figure, spread, drivers):
    scenario = make_scenario(**JOB, price={"development_multiplier": 3})
    ledger = make_paper_budget(scenario, step_time_s=3.6).ledger
    for driver in drivers:
        moved = ledger.evaluate(driven(ledger, {driver: 1.01}))[figure] / ledger.value(figure)
        key = f"weight.{driver}.{spread}"
        weight = ledger.value(key) if key in ledger else 1.0
        assert log(moved) / log(1.01) == pytest.approx(weight, abs=1e-3)


def test_the_base_lies_inside_and_the_amount_to_approve_above_it():
    budget = paper_budget()
    for figure in (*RANGED, "cost.total"):
        ranged = budget.ranged(figure)
        assert ranged.p10 < ranged.base < ranged.p90
    value = budget.ledger.value
    assert value("cost.ask") == value("cost.total.p80") > value("cost.total")
    assert value("contingency") == value("cost.ask") - value("cost.total")


def test_a_tornado_is_sorted_and_its_ends_are_re_evaluations():
    ledger = paper_budget().ledger
    bars = tornado(ledger, "co2e_kg_location")
    assert {bar.driver for bar in bars} <= set(DRIVERS) - {"price"}
    assert [bar.width for bar in bars] == sorted((bar.width for bar in bars), reverse=True)
    speed = next(bar for bar in bars if bar.driver == "speed")
    assert (speed.input_low, speed.input_high) == (pytest.approx(3.0), pytest.approx(4.32))
    base = ledger.value("co2e_kg_location")
    assert (speed.figure_low, speed.figure_high) == (
        pytest.approx(base / 1.2, rel=1e-4),  # but for the two minutes of the start
        pytest.approx(base * 1.2, rel=1e-4),
    )


def test_hours_against_the_prediction_are_shown_as_a_share_and_never_as_a_goodput_above_one():
    ledger = paper_budget().ledger
    low, high = ledger.value("driver.overhead.low"), ledger.value("driver.overhead.high")
    hours = next(bar for bar in tornado(ledger, "wall_days") if bar.driver == "overhead")
    assert (hours.input_unit, hours.input_low, hours.input_high) == ("share", low, high)
    evaluation_days = ledger.value("evaluation_hours") / 24
    run_days = ledger.value("wall_days") - evaluation_days
    assert hours.figure_high == pytest.approx(run_days * high + evaluation_days)
    assert all(bar.figure_high < 1 and bar.driver != "overhead" for bar in tornado(ledger, "goodput"))
    assert all(bar.figure_low >= 0 for bar in tornado(ledger, "usd.lost"))


def test_an_unknown_figure_has_no_tornado_and_an_unmoved_one_no_bars():
    assert tornado(paper_budget().ledger, "co2e_kg_market") == ()
    assert tornado(paper_budget().ledger, "params_total") == ()
    unpriced = make_paper_budget(make_scenario(**JOB), make_catalogue(quotes=()), step_time_s=3.6)
    assert tornado(unpriced.ledger, "cost.total") == ()


def test_a_free_job_has_no_weights_and_no_division_by_zero():
    scenario = make_scenario(**JOB, price={"price_usd_per_gpu_hour": 0, "checkpoints_kept": 0})
    values = make_paper_budget(scenario, step_time_s=3.6).ledger.values
    assert values["cost.total.p90"] == 0
    assert values["moves.size"] == 0
