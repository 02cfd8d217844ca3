"""Months worked out on paper: shares across the end of a year, sums to the last cent, contracts, what is not priced."""

from dataclasses import replace
from datetime import date

import pytest
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.names import line_title
from desktop_app.budget.dossier.schedule import MOST_MONTHS, schedule_of
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.foundation.rounding import round_half_away
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

# 1,000 steps of 3,456 s: 40 days. Next to nothing stops or delays them.
JOB = {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000, "data_stall_share": 0}
SURE = {"mtbf_gpu_hours": 1e9, "restart_minutes": 0, "checkpoint_write_gb_per_s": 1_000_000}
START = "2026-12-16"
YEAR = replace(QUOTE, purchase="reserved-1y", usd_per_instance_hour=24.0, usd_per_gpu_hour=3.0)
TODAY = date(2026, 11, 30)
CATALOGUE = load_catalogue()


def paper(beside=None, price=None, step_time_s=3456.0, quotes=(QUOTE, YEAR)):
    scenario = make_scenario(
        {"start_date": START, **(beside or {})}, job=JOB, cluster={"gpus": 16, **SURE},
        price={"checkpoints_kept": 0, "evaluation_percent": 0, **(price or {})},
    )  # fmt: skip
    return make_paper_budget(scenario, make_catalogue(quotes=quotes), step_time_s=step_time_s)


def budget_of(**choices):
    return make_budget(with_choices(Scenario(today=TODAY), choices), CATALOGUE)


def row(schedule, name):
    return [schedule.values[month.keys[name]] for month in schedule.months]


def test_forty_days_from_the_middle_of_december_are_two_fifths_of_this_year():
    schedule = schedule_of(paper())
    assert (schedule.start, schedule.stated) == (date(2026, 12, 16), True)
    firsts = [month.first for month in schedule.months]
    assert firsts == [date(2026, 12, 1), date(2027, 1, 1), date(2027, 2, 1), None]
    assert row(schedule, "run_share") == [pytest.approx(16 / 40, rel=1e-4), 1, 1, 1]  # the 16th to the 31st
    assert row(schedule, "days") == pytest.approx([16, 24, 0, 0], abs=0.01)
    assert row(schedule, "gpu_hours") == pytest.approx([16 * 24 * 16, 16 * 24 * 24, 0, 0], rel=1e-3)
    assert row(schedule, "cost.run") == [24_576, 36_864, 0, 0]  # of 16 x 960 h x 4 USD
    assert row(schedule, "cumulative")[1:] == [paper().ledger.value("cost.total")] * 3


def test_days_are_those_of_a_spreadsheet():
    schedule = schedule_of(paper())
    assert schedule.values["start_day"] == 46372  # 2026-12-16 as Excel has it
    assert [schedule.values[month.keys["ends"]] for month in schedule.months[:-1]] == [46388, 46419, 46447]


def test_what_is_stored_follows_the_storage_and_not_the_run():
    """40 days and a month of 730 hours are 70.4 days: 16 of them in December, 47 until the end of January."""
    schedule = schedule_of(paper({"data_gb": 73_000, "kept_months": 1}))
    whole = 73_000 * 0.02 * (960 / 730 + 1)
    days = 40 + 730 / 24
    until = [round(whole * share) for share in (16 / days, 47 / days, 1)]
    assert row(schedule, "cost.data") == [until[0], until[1] - until[0], until[2] - until[1], 0, 0]
    assert row(schedule, "stored_share")[-1] == 1


def test_data_leave_when_the_run_ends():
    schedule = schedule_of(budget_of(egress_gb=1000, start_date=date(2026, 12, 16)))
    egress = row(schedule, "cost.egress")
    assert [amount > 0 for amount in egress] == [False, True, False, False]


@pytest.mark.parametrize(
    "choices",
    [
        {"currency": "EUR", "tokens": 3.3e12, "credits_usd": 1234.56, "tax_percent": 19, "support_percent": 3},
        {"currency": "JPY", "tokens": 7e9},
        {"currency": "EUR", "model": "Llama-2-7B", "method": "lora", "gpus": 1, "tokens": 1e9},
        {"model": "Qwen3-30B-A3B", "gpu": "H100", "gpus": 64, "tokens": 9e12, "kept_months": 7},
        {"model": "Llama-3.1-405B", "gpu": "H100", "gpus": 16_384, "tokens": 15.6e12},
        {"gpus": 1, "tokens": 1e11, "kept_months": 100, "staff_months": 3, "staff_usd_per_month": 9999.99},
        {"purchase": "spot", "tokens": 4e12},
        {"purchase": "owned", "own_electricity_usd_per_kwh": 0.13, "tokens": 4e12},
    ],
)
@pytest.mark.parametrize("start", ["2026-12-31", "2027-02-14"])
def test_months_add_up_to_the_printed_lines(choices, start):
    budget = budget_of(**choices, start_date=start)
    schedule, digits = schedule_of(budget), int(budget.ledger.value("money_digits"))
    for line in budget.cost_lines:
        parts = row(schedule, line.key)
        if line.amount is None:
            assert parts == [None] * len(parts), line.key
            continue
        assert round_half_away(sum(parts), digits) == line.amount, line.key
        assert all(part == round_half_away(part, digits) for part in parts), line.key
    total = budget.ledger.value("cost.total")
    assert sum(row(schedule, "total")) == pytest.approx(total, rel=1e-12)
    assert row(schedule, "cumulative")[-1] == total
    assert row(schedule, "billed") == row(schedule, "total")
    assert sum(row(schedule, "gpu_hours")) == pytest.approx(budget.ledger.value("gpu_hours"), rel=1e-9)


def test_a_contract_is_invoiced_when_the_run_starts_and_charged_as_it_runs():
    budget = paper({"tax_percent": 20}, {"purchase": "reserved-1y"})
    schedule = schedule_of(budget)
    assert budget.ledger.value("cost.committed") == 16 * 8760 * 3
    tax = row(schedule, "cost.tax")
    assert tax[:2] == [pytest.approx(0.2 * 420_480 * 0.4, abs=9), pytest.approx(0.2 * 420_480 * 0.6, abs=9)]
    assert row(schedule, "billed") == [420_480 + tax[0], tax[1], 0, 0]
    assert row(schedule, "total")[0] == pytest.approx(0.4 * budget.ledger.value("cost.total"), abs=9)
    assert sum(row(schedule, "billed")) == sum(row(schedule, "total")) == budget.ledger.value("cost.total")


def test_what_other_work_pays_of_a_contract_is_invoiced_all_the_same():
    budget = paper(price={"purchase": "reserved-1y", "unused_elsewhere_percent": 100})
    schedule = schedule_of(budget)
    assert sum(row(schedule, "billed")) == 420_480
    assert sum(row(schedule, "total")) == budget.ledger.value("cost.total") < 50_000


def test_a_line_that_is_not_priced_is_in_no_month_and_no_sum():
    schedule = schedule_of(paper({"staff_months": None, "egress_gb": 50}))
    assert row(schedule, "cost.staff") == [None] * 4
    assert row(schedule, "cost.egress") == [None] * 4
    assert row(schedule, "total")[:2] == [24_576, 36_864]


def test_a_run_without_a_price_has_days_and_no_money():
    schedule = schedule_of(paper(quotes=()))
    assert row(schedule, "total") == [None] * 4
    assert row(schedule, "days")[0] == pytest.approx(16, abs=0.01)


def test_without_a_start_the_run_is_taken_to_start_on_the_day_of_the_report():
    schedule = schedule_of(budget_of())
    assert (schedule.start, schedule.stated) == (TODAY, False)
    start = next(line for line in schedule.lines if line.key == "start_day")
    assert (start.tag, start.source.name) == ("default", "source.start_today")
    stated = schedule_of(budget_of(start_date="2027-01-15")).lines[0]
    assert (stated.tag, stated.field, stated.source.as_of) == ("yours", "start_date", TODAY.isoformat())


def test_a_run_of_decades_has_36_months_and_the_rest():
    schedule = schedule_of(budget_of(model="Llama-3.1-70B", gpus=8, tokens=2e13))
    assert len(schedule.months) == MOST_MONTHS + 1
    assert schedule.months[-1].first is None
    assert row(schedule, "days")[-1] > 1000


def test_months_reach_to_the_end_of_a_run_that_takes_its_p90():
    budget = budget_of(tokens=6e12, start_date="2027-01-01")
    days = budget.ledger.value("wall_days.p90")
    assert 181 < days < 365
    last = [month.first for month in schedule_of(budget).months[:-1]][-1]
    assert last <= date(2027, 1, 1).replace(day=1).fromordinal(date(2027, 1, 1).toordinal() + int(days))
    assert (date(2027, 1, 1).toordinal() + days) - last.toordinal() <= 31


@pytest.mark.parametrize("today", [date(9999, 12, 31), date(9999, 10, 5), date(1, 1, 1)])
def test_the_ends_of_the_calendar_are_no_crash(today):
    budget = make_budget(with_choices(Scenario(today=today), {"kept_months": 100}), CATALOGUE)
    schedule = schedule_of(budget)
    assert schedule.months[0].first == today.replace(day=1)
    assert row(schedule, "cumulative")[-1] == budget.ledger.value("cost.total")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_line_has_a_name(language):
    words = words_of(language)
    budget = paper(price={"purchase": "reserved-1y"})
    names = {line_title(line.key, words) for line in schedule_of(budget).lines}
    assert len(names) == len(budget.cost_lines) + 10  # start, ends, days and shares, hours, three sums
    assert line_title("month.2.cost.run", words) == words("ledger.cost.run")
