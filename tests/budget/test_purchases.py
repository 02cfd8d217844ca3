"""Ways of purchase worked out on paper: spot, mixed, contracts, capacity blocks, own hardware, discounts, the bill."""

from dataclasses import replace
from math import ceil, exp, log

import numpy as np
import pytest
from paper_budgets import PHYSICAL, QUOTE, TODAY, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.lines_spot import most_interruptions_per_hour
from desktop_app.budget.purchases import purchase_budgets, purchase_options
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.budget.uncertainty import driven
from desktop_app.estimation.goodput import run_constants
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from pricing.price_book import Credit, PriceBook
from pricing.records import SpotInterruption

CARD = replace(PHYSICAL, list_price_usd=20_000.0, list_price_as_of="2025-01", list_price_source="a shop")
JOB = {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}  # 1,000 steps
SPOT = replace(QUOTE, purchase="spot", usd_per_instance_hour=11.2, usd_per_gpu_hour=1.4)  # 65 % off 4 USD
BAND = SpotInterruption(
    provider="aws", region="us-east-1", instance_type="p4de.24xlarge", savings_pct=65, interruption_low_pct=5,
    interruption_high_pct=10, quality="good", source="advisor", as_of="2025-07-28",
)  # fmt: skip


def budget_of(price, *, beside=None, step_time_s=360.0, gpus=16, quotes=(QUOTE, SPOT), band=(), own=None, **parts):
    """100 useful hours unless stated otherwise, on 16 GPUs: two instances of 8 at 4 USD a GPU-hour."""
    scenario = make_scenario(
        beside, job={**JOB, **parts.pop("job", {})}, cluster={"gpus": gpus, **parts.pop("cluster", {})},
        price={"checkpoints_kept": 0, "evaluation_percent": 0, **price}, **({"own": own} if own else {}), **parts,
    )  # fmt: skip
    catalogue = make_catalogue(quotes=quotes, cards=(CARD,))
    catalogue = replace(catalogue, interruption_rows={"aws": band} if band else {})
    return make_paper_budget(scenario, catalogue, step_time_s=step_time_s)


def amounts(budget):
    return {line.key.removeprefix("cost."): line.amount for line in budget.cost_lines if line.amount != 0}


def told(budget, key):
    return next(words_of("en").sentence(problem) for problem in budget.problems if problem.key == f"problem.{key}")


def keys(budget):
    return {problem.key.removeprefix("problem.") for problem in budget.problems}


# A job of 48.5 h, interrupted 0.15 times an hour, at 65 % off. Nothing else stops or delays it.
ALONE = {
    "cluster": {"mtbf_gpu_hours": 1e9, "restart_minutes": 0, "checkpoint_write_gb_per_s": 1000},
    "step_time_s": 48.5 * 3600 / 1000,
}


def on_demand_hours(budget):
    """The bill in hours at the price on demand, of 16 GPUs."""
    return budget.ledger.value("usd.total") / (16 * 4)


def test_a_spot_job_with_checkpoints_costs_what_the_exponential_law_says():
    # 97 intervals of half an hour: (exp(0.15 x 0.5) - 1) / 0.15 = 0.51923 h each -> 50.365 h; x 0.35 = 17.63 h.
    # Published for it: 17.9 (agentcore-public-stack PR 1025). Writing 182 GB at 1,000 GB/s takes 5 s of each interval.
    job = {"checkpoint_interval_minutes": 30, "data_stall_share": 0}
    budget = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 0.15}, job=job, **ALONE)
    assert budget.ledger.value("net_hours") == pytest.approx(48.5)
    written = 0.5 + (5 + 0.182) / 3600
    expected = 97 * (exp(0.15 * written) - 1) / 0.15 * 0.35
    assert on_demand_hours(budget) == pytest.approx(expected, rel=1e-7)
    assert 17 < on_demand_hours(budget) < 18.5


def test_the_same_job_without_checkpoints_costs_thousands_of_hours():
    # (exp(0.15 x 48.5) - 1) / 0.15 = 9,618 h; x 0.35 = 3,366 (published 3,366 and 3,198)
    job = {"checkpoint_interval_minutes": 48.5 * 60, "data_stall_share": 0}
    budget = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 0.15}, job=job, **ALONE)
    assert on_demand_hours(budget) == pytest.approx(3366.42, rel=2e-3)  # and the 5 s of the one checkpoint
    assert "wasted_failure" in keys(budget)
    twice = {**job, "checkpoint_interval_minutes": 97 * 60, "tokens": 2e9}  # 97 h: exp(14.55) hours of trying
    endless = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 0.15}, job=twice, **ALONE)
    assert endless.ledger.value("cost.total") is None
    assert "never_finishes" in keys(endless)


def test_the_break_even_is_where_both_cost_the_same():
    job = {"checkpoint_interval_minutes": 30, "data_stall_share": 0}
    budget = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 0.15}, job=job, **ALONE)
    # (exp(x) - 1) / x = 1 / 0.35 at x = 1.8284; an interval with its checkpoint is 0.501439 h -> one per 0.2742 h
    pays = budget.ledger.value("spot_break_even_hours")
    assert pays == pytest.approx(0.501439 / 1.8284, rel=2e-4)
    at = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 1 / pays}, job=job, **ALONE)
    on_demand = budget_of({}, job=job, **ALONE)
    assert at.ledger.value("usd.total") == pytest.approx(on_demand.ledger.value("usd.total"), rel=1e-6)
    assert "One interruption per 6.67 hours is expected; spot wins while they stay under one per 0.274 hours" in told(
        budget, "spot_pays"
    )
    worse = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 5}, job=job, **ALONE)
    assert "on demand is cheaper" in told(worse, "spot_dearer")
    assert worse.ledger.value("usd.total") > on_demand.ledger.value("usd.total")


def test_spot_never_pays_without_a_discount_or_a_price_to_compare_with():
    run = {name: run_constants()[name].value for name in run_constants()}
    assert most_interruptions_per_hour(run, 4.0, 4.0, 1.0) is None
    assert most_interruptions_per_hour(run, 1.4, None, 1.0) is None


def test_the_band_of_the_seller_becomes_a_rate_of_the_whole_cluster():
    budget = budget_of({"purchase": "spot"}, band=(BAND,))
    value = budget.ledger.value
    # 5 to 10 % of instances a month: -ln(1 - 0.075) / 730 h for each of two instances
    assert value("spot_interruptions_per_hour") == pytest.approx(-2 * log(0.925) / 730)
    assert value("interruptions") == pytest.approx(value("wall_hours") * value("spot_interruptions_per_hour"))
    assert value("waiting_hours") == pytest.approx(1.3 * value("interruptions"))
    assert value("wall_days") == pytest.approx((value("wall_hours") + value("waiting_hours")) / 24)
    assert value("cost.interruptions") > 0
    # What interruptions take is their share of what stops take: of 1 / 3,168.75 h and the rate.
    rate = value("spot_interruptions_per_hour")
    share = rate / (rate + 1 / 3168.75)
    assert value("interruption_hours") == pytest.approx(value("failure_hours") * share)
    assert value("mtbf_hours") == pytest.approx(1 / (rate + 1 / 3168.75))


def test_an_open_ended_band_is_no_rate_and_nothing_is_not_zero():
    open_ended = replace(BAND, interruption_low_pct=20, interruption_high_pct=100)
    budget = budget_of({"purchase": "spot"}, band=(open_ended,))
    assert budget.ledger.value("spot_interruptions_per_hour") is None
    assert amounts(budget)["interruptions"] is None
    assert "cost.interruptions" in budget.not_priced
    assert "Spot wins while interruptions stay under one per" in told(budget, "spot_unknown_pays")
    none = budget_of({"purchase": "spot", "spot_interruptions_per_hour": 0})
    assert none.ledger.value("cost.interruptions") == 0
    assert none.not_priced == ()


def test_a_run_bought_half_as_spot_pays_the_mean_price_and_half_the_interruptions():
    mixed = {"purchase": "spot", "spot_share_percent": 50, "spot_interruptions_per_hour": 0.02}
    budget = budget_of(mixed)
    assert budget.ledger.value("price_usd_per_gpu_hour") == pytest.approx(2.7)  # (1.4 + 4) / 2
    assert budget.ledger.value("spot_hazard_per_hour") == pytest.approx(0.01)
    assert amounts(budget)["run"] == 4320.0  # 16 x 100 h x 2.7
    without = budget_of({**mixed, "spot_share_percent": 0})
    assert without.ledger.value("price_usd_per_gpu_hour") == 4.0
    assert without.ledger.value("interruptions") == 0


def reserved(purchase, per_gpu):
    return replace(QUOTE, purchase=purchase, usd_per_instance_hour=8 * per_gpu, usd_per_gpu_hour=per_gpu)


def test_a_reservation_is_paid_whether_used_or_not():
    budget = budget_of({"purchase": "reserved-1y"}, quotes=(QUOTE, reserved("reserved-1y", 3.0)))
    value = budget.ledger.value
    assert value("paid_gpu_hours") == 16 * 8760
    assert value("usd.total") == pytest.approx(16 * 8760 * 3.0)  # 420,480: all of it, not the 100 hours
    assert amounts(budget)["unused"] == round(420_480 - 3 * value("used_gpu_hours"), 2)
    assert value("break_even_utilisation") == 0.75  # 3 of 4 USD
    assert "1 % are used" in told(budget, "contract_dearer") and "75 %" in told(budget, "contract_dearer")
    # Nothing that the run may do changes what is paid: only the price moves the total.
    assert budget.ranged("cost.total").p90 < 1.1 * value("cost.total")


def test_hours_that_other_work_takes_are_not_charged_here():
    shared = {"purchase": "reserved-1y", "unused_elsewhere_percent": 100}
    budget = budget_of(shared, quotes=(QUOTE, reserved("reserved-1y", 3.0)))
    assert amounts(budget)["run"] == 4800.0
    assert "unused" not in amounts(budget)
    assert budget.ledger.value("usd.committed") == 420_480
    assert "contract_pays" in keys(budget)


def test_a_run_longer_than_its_contract_needs_two():
    # 800 h and what is lost: more than the 730 of a month
    month = reserved("reserved-1mo", 2.0)
    budget = budget_of({"purchase": "reserved-1mo"}, quotes=(QUOTE, month), step_time_s=2880.0)
    assert budget.ledger.value("contracts") == 2
    assert budget.ledger.value("usd.total") == pytest.approx(2 * 16 * 730 * 2.0)
    assert "over 2 months" in told(budget, "reservation_commits")


def test_a_capacity_block_is_paid_by_the_day():
    block = reserved("capacity-block", 2.5)
    budget = budget_of({"purchase": "capacity-block"}, quotes=(QUOTE, block))
    # 100 h and what is lost are 4.2 days: five are paid
    assert budget.ledger.value("contracts") == 5
    assert budget.ledger.value("usd.total") == pytest.approx(5 * 24 * 16 * 2.5)
    assert budget.ranged("cost.total").p90 >= 7 / 5 * budget.ledger.value("cost.total")  # a longer run pays more days
    long = budget_of({"purchase": "capacity-block"}, quotes=(QUOTE, block), step_time_s=18_000.0)
    assert "at most 182 days" in told(long, "longest_capacity_block")
    wide = budget_of({"purchase": "capacity-block"}, quotes=(QUOTE, block), gpus=8 * 65)
    assert "at most 64 instances" in told(wide, "most_instances")


OWN = {
    "own_server_usd_per_gpu": 255_000 / 8, "own_network_percent": 25, "own_life_years": 4,
    "own_utilisation_percent": 80, "own_electricity_usd_per_kwh": 0.1, "own_colocation_usd_per_kw_month": 200,
    "own_operations_usd_per_gpu_year": 1562.5,
}  # fmt: skip


def test_own_hardware_by_the_worked_example():
    """255 k x 1.25, no residual, 4 years, 80 % used: 1.42; power 0.13; one engineer at 200 k for 128 GPUs 0.22."""
    energy = {"node_power_kw": 8.4, "pue": 1.3}
    budget = budget_of({"purchase": "owned"}, own=OWN, energy=energy)
    value = budget.ledger.value
    assert value("price_usd_per_gpu_hour") == pytest.approx(1.4214, abs=1e-4)  # 318,750 / 8 / 28,032
    assert value("own_operations_usd_per_gpu_hour") == pytest.approx(0.2230, abs=1e-4)
    assert value("own_colocation_usd_per_gpu_hour") == pytest.approx(0.3596, abs=1e-4)  # 1.05 kW x 200 / 730 / 0.8
    hours = value("own_gpu_hours")
    # 1.05 kW x 1.3 x 0.1 = 0.1365 USD an hour: each cost stands in one line, none in two
    assert value("usd.electricity") == pytest.approx(0.1365 * hours)
    assert value("usd.total") / hours == pytest.approx(1.4214 + 0.2230 + 0.3596 + 0.1365, abs=2e-4)
    idle = budget_of({"purchase": "owned"}, own={**OWN, "own_utilisation_percent": 30}, energy=energy)
    assert idle.ledger.value("price_usd_per_gpu_hour") == pytest.approx(3.790, abs=1e-3)


def test_rent_that_holds_the_electricity_is_not_charged_twice():
    budget = budget_of({"purchase": "owned"}, own={**OWN, "own_colocation_has_power": True})
    assert "electricity" not in {line.key.removeprefix("cost.") for line in budget.cost_lines}
    unpaid = budget_of({"purchase": "owned"}, own={"own_colocation_has_power": True})
    assert "own_no_colocation" in keys(unpaid)


def test_own_hardware_without_figures_takes_the_dated_price_and_says_what_is_missing():
    budget = budget_of({"purchase": "owned"}, own={"own_life_years": 4})
    assert budget.ledger.value("own_server_usd_per_gpu") == 20_000
    assert "20,000 USD per A100-80GB-SXM, a single price of 2025-01" in told(budget, "own_table_price")
    assert "own_no_electricity" in keys(budget)
    assert {"cost.electricity", "cost.colocation", "cost.operations"} <= set(budget.not_priced)
    assert budget.ranged("cost.total").p90 > 1.3 * budget.ledger.value("cost.total")  # one old price is no tight range


def test_a_typed_price_of_own_hardware_holds_everything():
    budget = budget_of({"purchase": "owned", "price_usd_per_gpu_hour": 2.0}, own=OWN)
    assert amounts(budget)["run"] == 3200.0
    assert "own_electricity" in keys(budget)
    assert "not_this_purchase" in keys(budget)
    assert not {"electricity", "colocation", "operations"} & {line.key[5:] for line in budget.cost_lines}


def test_a_discount_shows_the_list_price_and_what_is_left():
    budget = budget_of({"discount_percent": 22})
    value = budget.ledger.value
    assert (value("list_price_usd_per_gpu_hour"), value("price_usd_per_gpu_hour")) == (4.0, pytest.approx(3.12))
    assert amounts(budget)["run"] == 4992.0
    run = budget.cost_lines[0]
    assert (run.unit_price_usd, run.price_line.key, run.age_days) == (
        pytest.approx(3.12), "list_price_usd_per_gpu_hour", 30,
    )  # fmt: skip
    spot = budget_of({"purchase": "spot", "discount_percent": 10})
    assert spot.ledger.value("on_demand_usd_per_gpu_hour") == pytest.approx(3.6)


def test_the_lines_beside_compute_and_the_order_of_the_bill():
    beside = {
        "pilot_percent": 5, "idle_hours": 10, "data_gb": 7300, "kept_months": 1, "egress_gb": 100,
        "cpu_host_hours": 200, "cpu_host_usd_per_hour": 0.5, "support_percent": 10, "staff_months": 2,
        "staff_usd_per_month": 9000, "credits_usd": 1000, "tax_percent": 20,
    }  # fmt: skip
    budget = budget_of({"development_multiplier": 1.5}, beside=beside)
    value, found = budget.ledger.value, amounts(budget)
    lost = value("usd.lost")
    months = value("wall_days") * 24 / 730 + 1
    assert found["pilot"] == 320.0  # 5 % of 6,400
    assert found["idle"] == 640.0  # 16 x 10 x 4
    assert value("usd.development") == pytest.approx((6400 + lost) / 2)
    assert value("usd.data") == pytest.approx(7300 * months * 0.02)
    assert found["cpu_hosts"] == 100.0
    assert found["egress"] is None  # nobody's price there
    assert found["staff"] == 18_000.0
    bill = 6400 + lost + 320 + 640 + (6400 + lost) / 2 + value("usd.data") + 100
    assert value("usd.support") == pytest.approx(0.1 * bill)
    assert found["credits"] == -1000.0
    assert value("usd.tax") == pytest.approx(0.2 * (1.1 * bill - 1000))  # no tax on staff
    assert value("usd.total") == pytest.approx(1.2 * (1.1 * bill - 1000) + 18_000)
    assert budget.not_priced == ("cost.egress",)
    assert sum(line.share for line in budget.cost_lines if line.share is not None) == pytest.approx(1)


def test_credits_never_turn_a_bill_around():
    budget = budget_of({}, beside={"credits_usd": 1e9, "tax_percent": 19})
    assert budget.ledger.value("cost.total") == 0
    assert budget.ledger.value("usd.tax") == 0


def test_a_contract_holds_all_that_is_billed_by_the_hour():
    """Development, a pilot and waiting use the contract too: what they need beyond it is another term."""
    block = {"purchase": "capacity-block"}
    plain = budget_of(block, quotes=(QUOTE, reserved("capacity-block", 2.5)))
    more = budget_of({**block, "development_multiplier": 2}, beside={"idle_hours": 30}, quotes=plain_quotes())
    days = (2 * plain.ledger.value("wall_hours") + 30) / 24
    assert more.ledger.value("contracts") == ceil(days)
    assert more.ledger.value("usd.total") == pytest.approx(ceil(days) * 24 * 16 * 2.5)
    assert more.ledger.value("contract_used_share") <= 1


def plain_quotes():
    return (QUOTE, reserved("capacity-block", 2.5))


def test_development_is_interrupted_as_often_as_the_run():
    price = {"purchase": "spot", "spot_interruptions_per_hour": 0.1, "development_multiplier": 2}
    value = budget_of(price).ledger.value
    assert value("usd.development") == pytest.approx(
        sum(value(f"usd.{name}") for name in ("run", "lost", "interruptions"))
    )


def test_credits_of_a_seller_do_not_pay_for_hardware_of_ones_own():
    book = PriceBook(credits=(Credit("aws", 1e6, "contract", "2026-11-01"),))
    catalogue = make_catalogue(cards=(CARD,)).with_book(book, TODAY)
    for purchase, expected in (("on-demand", 0.0), ("owned", None)):
        scenario = make_scenario(job=JOB, cluster={"gpus": 16}, price={"purchase": purchase, "provider": "aws"})
        budget = make_paper_budget(scenario, catalogue, step_time_s=36.0)
        assert ("cost.credits" in {line.key for line in budget.cost_lines}) == (purchase == "on-demand")
        total = budget.ledger.value("cost.total")
        assert total == expected if expected is not None else total > 0


STAFF = {"staff_months": 10, "staff_usd_per_month": 900, "tax_percent": 20, "support_percent": 5}
RANGES = {
    "on demand": ({}, {}),
    "staff, tax and support": ({}, STAFF),
    "credits that may not suffice": ({}, {"credits_usd": 6000}),
    "data kept for a year": ({"checkpoints_kept": 3}, {"data_gb": 200_000, "kept_months": 12}),
    "half as spot": ({"purchase": "spot", "spot_share_percent": 50, "spot_interruptions_per_hour": 0.01}, {}),
    "block": ({"purchase": "capacity-block"}, {}),
    "a month that holds": ({"purchase": "reserved-1mo"}, {}),
    "a month that may not hold": ({"purchase": "reserved-1mo", "development_multiplier": 6}, {}),
    "two months or one": ({"purchase": "reserved-1mo", "development_multiplier": 8}, {}),
    "others take the rest": ({"purchase": "reserved-1mo", "unused_elsewhere_percent": 100}, {}),
}


@pytest.mark.parametrize("name", RANGES)
def test_the_range_of_the_total_agrees_with_draws(name):
    """200,000 draws of the drivers, each through the whole ledger: whole terms, credits, what is kept."""
    price, beside = RANGES[name]
    quotes = (QUOTE, SPOT, reserved("capacity-block", 2.5), reserved("reserved-1mo", 2.5))
    ledger = budget_of(price, beside=beside, quotes=quotes).ledger
    draws, changes = np.random.default_rng(20261201), {}
    for driver in ("speed", "overhead", "price"):
        low, high = ledger.value(f"driver.{driver}.low"), ledger.value(f"driver.{driver}.high")
        changes[driver] = draws.lognormal(log(low * high) / 2, log(high / low) / (2 * 1.2816), 200_000)
    changed = driven(ledger, changes)
    drawn = ledger.evaluate(changed, np)["usd.total"]
    for percentile, share in (("p10", 0.1), ("p50", 0.5), ("p80", 0.8), ("p90", 0.9)):
        # where a whole term more or less is paid, the draws just beside the percentile are as good an answer
        near = np.quantile(drawn, [max(0, share - 0.03), share + 0.03])
        figure = ledger.value(f"usd.total.{percentile}")
        assert near[0] * 0.97 - 1 <= figure <= near[1] * 1.03 + 1, percentile


def test_a_contract_for_nothing_has_no_break_even_and_no_crash():
    budget = budget_of(
        {"purchase": "reserved-1y", "discount_percent": 100}, quotes=(QUOTE, reserved("reserved-1y", 3.0))
    )
    assert budget.ledger.value("cost.total") == 0
    assert budget.ledger.value("break_even_utilisation") is None


@pytest.mark.parametrize("credit", [0.0836, 6000, 6464.99, 6465.01, 1e6, 1e12])
def test_credits_leave_no_less_than_nothing_and_a_range_in_order(credit):
    budget = budget_of({}, beside={"credits_usd": credit, "support_percent": 1})
    ranged = budget.ranged("cost.total")
    assert ranged.base >= 0
    assert 0 <= ranged.p10 <= ranged.p50 <= ranged.p80 <= ranged.p90 < 20_000
    assert ranged.base == pytest.approx(sum(line.amount for line in budget.cost_lines), abs=1e-9)


def test_the_hours_that_others_take_do_not_make_a_dear_contract_worth_it():
    """80 % of a year goes to others: a fifth of it is still 17 times the hours of the run."""
    price = {"purchase": "reserved-1y", "unused_elsewhere_percent": 80}
    budget = budget_of(price, quotes=(QUOTE, reserved("reserved-1y", 3.0)))
    assert budget.ledger.value("usd.total") > 10 * 6400
    assert "contract_dearer" in keys(budget)


def test_half_of_a_line_is_said_to_lack_the_other_half():
    budget = budget_of({}, beside={"staff_months": 6})
    assert "Staff is entered, but Cost per person-month is not" in told(budget, "half_stated")
    assert "cost.staff" in budget.not_priced


def test_a_seller_that_no_table_knows_sells_in_the_typed_in_way_alone():
    scenario = with_choices(Scenario(today=TODAY), {"provider": "The Cellar", "price_usd_per_gpu_hour": 2.5})
    budget = make_budget(scenario, load_catalogue())
    assert purchase_budgets(budget, load_catalogue()) == (budget,)
    assert [option.purchase for option in purchase_options(budget, load_catalogue())] == ["on-demand"]
