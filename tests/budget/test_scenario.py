"""Choices: set, reset, compared, refused."""

from datetime import date

import pytest
from paper_budgets import MODEL, make_paper_budget, make_scenario

from desktop_app.budget.comparison import differences
from desktop_app.budget.scenario import (
    PARTS,
    Scenario,
    choices,
    is_set,
    value_of,
    with_choice,
    with_choices,
    with_model_file,
    without_choice,
)
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import LANGUAGES, words_of


def test_a_choice_is_set_and_reset():
    scenario = make_scenario()
    assert not is_set(scenario, "gpus")
    changed = with_choice(scenario, "gpus", 64)
    assert (value_of(changed, "gpus"), is_set(changed, "gpus")) == (64, True)
    assert value_of(scenario, "gpus") == 256
    back = without_choice(changed, "gpus")
    assert (value_of(back, "gpus"), is_set(back, "gpus")) == (256, False)


@pytest.mark.parametrize(("key", "value"), [("gpus", 0), ("gpus", -3), ("tokens", 1e30), ("pue", 0.5), ("tp", "many")])
def test_a_wrong_value_is_refused_by_its_field(key, value):
    with pytest.raises(UserError) as caught:
        with_choice(make_scenario(), key, value)
    assert [problem.field for problem in caught.value.problems] == [key]


@pytest.mark.parametrize("day", ["2026-13-01", "20261201", "1.12.2026", "", "1999-12-31", "2200-01-01", 46357])
def test_a_start_is_a_day_within_reach(day):
    with pytest.raises(UserError) as caught:
        with_choice(make_scenario(), "start_date", day)
    (problem,) = caught.value.problems
    assert problem.field == "start_date"
    assert all(words_of(language).sentence(problem) for language in LANGUAGES)


def test_a_start_is_set_reset_and_kept_in_a_document():
    scenario = with_choice(make_scenario(), "start_date", " 2027-01-15 ")
    assert scenario.beside.start_date == date(2027, 1, 15)
    assert Scenario.model_validate_json(scenario.model_dump_json(), strict=True) == scenario
    assert without_choice(scenario, "start_date").beside.start_date is None


def test_a_start_before_the_report_is_warned_of():
    for day, warned in (("2026-11-29", True), ("2026-11-30", False)):
        budget = make_paper_budget(with_choice(make_scenario(), "start_date", day), step_time_s=10.0)
        assert ("problem.start_past" in {problem.key for problem in budget.problems}) == warned


def test_an_unknown_choice_is_refused():
    with pytest.raises(UserError):
        with_choice(make_scenario(), "gpu_number", 3)


def test_keys_are_unique_over_all_parts():
    scenario = make_scenario()
    assert len(choices()) == sum(
        1 for part in PARTS for info in type(getattr(scenario, part)).model_fields.values() if info.json_schema_extra
    )


def test_differences_name_what_is_not_the_same():
    a = make_scenario()
    b = with_choice(with_choice(a, "gpus", 64), "region", "us-west-2")
    assert differences(a, b) == (("gpus", 256, 64), ("region", "us-east-1", "us-west-2"))
    assert differences(a, a) == ()


def test_a_model_by_name_replaces_one_from_a_file():
    custom = with_model_file(make_scenario(), MODEL)
    assert custom.model.custom_model is not None
    assert with_choice(custom, "model", "GPT-2").model.custom_model is None
    assert without_choice(custom, "model").model.custom_model is None
    assert with_choice(custom, "gpus", 8).model.custom_model is not None


def test_a_rate_belongs_to_its_currency_and_a_region_to_its_provider():
    euro = with_choices(make_scenario(), {"currency": "eur", "fx_rate": 0.9})
    assert (euro.price.currency, euro.price.fx_rate) == ("EUR", 0.9)
    assert with_choice(euro, "currency", "CNY").price.fx_rate is None
    assert with_choice(euro, "currency", "EUR").price.fx_rate == 0.9
    assert with_choices(euro, {"currency": "CNY", "fx_rate": 7}).price.fx_rate == 7
    assert without_choice(euro, "currency").price.fx_rate is None
    west = with_choice(make_scenario(), "region", "us-west-2")
    assert with_choice(west, "provider", "gcp").price.region == "us-east-1"
    assert not is_set(with_choice(west, "provider", "gcp"), "region")
    assert with_choice(west, "provider", "AWS").price.region == "us-west-2"
    assert with_choices(west, {"provider": "gcp", "region": "us-central1"}).price.region == "us-central1"


@pytest.mark.parametrize(
    ("values", "field", "key"),
    [
        ({"fx_rate": 7}, "fx_rate", "problem.fx_usd"),
        ({"fx_rate": 0.9, "currency": "usd"}, "fx_rate", "problem.fx_usd"),
        ({"currency": "EURO"}, "currency", "problem.not_a_currency"),
        ({"currency": "€UR"}, "currency", "problem.not_a_currency"),
        ({"mfu": 1e-320}, "mfu", "problem.at_least"),
        ({"tp_overlap": "maybe"}, "tp_overlap", "problem.not_yes_no"),
        ({"provider": "a\x1b[31m"}, "provider", "problem.not_printable"),
        ({"model": "\udce4"}, "model", "problem.not_printable"),
        ({"gpu": "x" * 201}, "gpu", "problem.too_long"),
    ],
)
def test_what_no_choice_can_be_is_refused(values, field, key):
    with pytest.raises(UserError) as caught:
        with_choices(make_scenario(), values)
    (problem,) = caught.value.problems
    assert (problem.field, problem.key) == (field, key)
    assert all(len(words_of(language).sentence(problem)) < 300 for language in LANGUAGES)


def test_the_dollar_is_a_dollar():
    assert with_choice(make_scenario(), "fx_rate", 1).price.fx_rate == 1


def test_minus_nothing_is_nothing():
    assert str(with_choice(make_scenario(), "evaluation_percent", "-0.0").price.evaluation_percent) == "0.0"


@pytest.mark.parametrize("today", ["", "20261130", "2026-W48-1", "2026-11-30T00:00:00", "２０２６-11-30", 0, True])
def test_a_day_is_written_in_one_way(today):
    with pytest.raises(UserError) as caught:
        make_scenario(today=today)
    assert [(problem.field, problem.key) for problem in caught.value.problems] == [("today", "problem.not_a_date")]
    assert make_scenario(today="2026-11-30").today.day == 30
