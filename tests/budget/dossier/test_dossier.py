"""The whole dossier: purchases that have a price, how long it is valid, and the profile of an organisation."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.purchases import purchase_options
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)
CATALOGUE = load_catalogue()


def budget_of(**choices):
    return make_budget(with_choices(Scenario(today=TODAY), choices), CATALOGUE)


def test_purchases_are_the_other_ways_with_a_price():
    base = budget_of()
    dossier = make_dossier([base, budget_of(gpus=128)], CATALOGUE, notes="For the board.")
    options = purchase_options(base, CATALOGUE)
    priced = {option.purchase for option in options if option.usd_per_gpu_hour is not None} - {"on-demand"}
    assert {way.scenario.price.purchase for way in dossier.purchases} == priced
    assert "spot" in priced and "reserved-1mo" not in priced
    assert (dossier.base, len(dossier.budgets), dossier.notes) == (base, 2, "For the board.")


def test_a_base_without_a_price_may_be_bought_otherwise():
    base = budget_of(provider="coreweave", gpu="V100-16GB", gpus=8)
    dossier = make_dossier([base], CATALOGUE)
    assert [way.scenario.price.purchase for way in dossier.purchases] == ["owned"]


@pytest.mark.parametrize(("days", "until"), [(None, date(2026, 12, 30)), (14, date(2026, 12, 14))])
def test_prices_stand_for_a_month_unless_the_organisation_says_otherwise(days, until):
    assert make_dossier([budget_of()], CATALOGUE, Organisation(validity_days=days)).valid_until == until


def test_the_last_day_of_the_calendar_is_no_crash():
    base = make_budget(Scenario(today=date(9999, 12, 20)), CATALOGUE)
    assert make_dossier([base], CATALOGUE).valid_until == date.max


def test_the_same_scenario_gives_the_same_dossier():
    one, other = (make_dossier([budget_of()], CATALOGUE) for _ in range(2))
    assert one.schedule == other.schedule
    assert one.risks == other.risks
    told = [[(way.kind, way.values, way.dominated) for way in dossier.alternatives] for dossier in (one, other)]
    assert told[0] == told[1]


def test_a_dossier_needs_a_budget():
    with pytest.raises(ValueError, match="needs a budget"):
        make_dossier([], CATALOGUE)


@pytest.mark.parametrize(("typed", "kept"), [("#1f5fa8", "1F5FA8"), (" 1F5FA8 ", "1F5FA8"), ("", "")])
def test_colours_as_people_write_them(typed, kept):
    assert Organisation(accent_colour=typed).accent_colour == kept


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"accent_colour": "blue"}, "blue is not a colour"),
        ({"accent_colour": "#12345"}, "#12345 is not a colour"),
        ({"sign_off_roles": ["Director"] * 13}, "1 to 12 names"),
        ({"sign_off_roles": ["Director", " "]}, "leave out empty ones"),
        ({"validity_days": 0}, "1"),
        ({"cost_centre": "x" * 201}, "200"),
    ],
)
def test_what_is_wrong_with_a_profile_is_said(values, told):
    with pytest.raises(UserError) as caught:
        validated(Organisation, values)
    (problem,) = caught.value.problems
    assert problem.field == next(iter(values))
    assert told in words_of("en").sentence(problem)
    assert words_of("zh").sentence(problem)
