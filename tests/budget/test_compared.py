"""The same job bought in every way and placed everywhere, against the budgets that each of these would be."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.elsewhere import offers_elsewhere
from desktop_app.budget.purchases import purchase_options
from desktop_app.budget.scenario import Scenario, with_choices
from pricing.catalogue import load_catalogue

CATALOGUE = load_catalogue()
JOB = with_choices(
    Scenario(today=date(2026, 11, 30)),
    {"gpu": "H100-80GB-SXM", "gpus": 64, "tokens": 8.7e11, "provider": "gcp", "region": "us-central1"},
)
BUDGET = make_budget(JOB, CATALOGUE)


def test_every_way_of_purchase_is_the_budget_that_one_gets_by_choosing_it():
    options = {option.purchase: option for option in purchase_options(BUDGET, CATALOGUE)}
    assert len(options) == 10
    for purchase, option in options.items():
        chosen = make_budget(with_choices(JOB, {"purchase": purchase}), CATALOGUE)
        assert option.cost == chosen.cost_usd, purchase
        assert option.usd_per_gpu_hour == chosen.ledger.value("price_usd_per_gpu_hour")
        assert option.not_priced == chosen.not_priced


def test_a_month_of_64_h100_in_iowa():
    """The prices of the Google Cloud page of October 2026: 11.06 on demand, 7.68 and 4.81 under contract, 6.29 spot."""
    options = {option.purchase: option for option in purchase_options(BUDGET, CATALOGUE)}
    assert options["on-demand"].usd_per_gpu_hour == pytest.approx(11.06, abs=0.01)
    assert options["reserved-1y"].hours_paid == 64 * 8760
    assert options["reserved-1y"].cost.base > 64 * 8760 * options["reserved-1y"].usd_per_gpu_hour
    assert options["capacity-block"].hours_paid % (64 * 24) == 0
    assert options["capacity-block"].hours_paid >= options["capacity-block"].hours_used
    assert options["flex-start"].break_even is None  # paid as it is used
    assert options["reserved-1y"].break_even == pytest.approx(7.673 / 11.061, abs=1e-3)
    assert options["reserved-1mo"].cost.base is None  # nobody sells it there: not known, never 0
    found = purchase_options(BUDGET, CATALOGUE)
    complete = [option.cost.base for option in found if option.complete and option.cost.base is not None]
    assert complete == sorted(complete) == [option.cost.base for option in found[: len(complete)]]
    assert not options["spot"].complete  # nobody says how often it is interrupted
    assert found[-1].cost.base is None


def test_a_typed_price_stays_with_the_way_it_was_typed_for():
    typed = make_budget(with_choices(JOB, {"price_usd_per_gpu_hour": 5}), CATALOGUE)
    options = {option.purchase: option for option in purchase_options(typed, CATALOGUE)}
    assert options["on-demand"].usd_per_gpu_hour == 5
    assert options["spot"].usd_per_gpu_hour != 5


def test_a_place_is_the_budget_that_one_gets_by_moving_there():
    offers = offers_elsewhere(BUDGET, CATALOGUE)
    assert [offer.rank_by_money for offer in offers] == list(range(1, len(offers) + 1))
    (here,) = (offer for offer in offers if offer.here)
    assert here.cost_usd == pytest.approx(BUDGET.ledger.value("usd.total"), rel=1e-9)
    assert here.co2e_kg_location == pytest.approx(BUDGET.ledger.value("co2e_kg_location"))
    for provider, region in (("aws", "us-east-1"), ("gcp", "europe-west4"), ("nebius", "eu-north1")):
        (offer,) = (offer for offer in offers if (offer.provider, offer.region) == (provider, region))
        moved = make_budget(with_choices(JOB, {"provider": provider, "region": region}), CATALOGUE).ledger.value
        hourly = sum(moved(f"usd.{name}") for name in ("run", "lost", "evaluation"))
        assert offer.cost_usd == pytest.approx(hourly, rel=1e-3)  # storage is a dollar or two
        assert offer.co2e_kg_location == pytest.approx(moved("co2e_kg_location"))


def test_ranks_by_carbon_are_of_known_grids_only():
    offers = offers_elsewhere(BUDGET, CATALOGUE)
    ranked = sorted((offer for offer in offers if offer.rank_by_carbon), key=lambda offer: offer.rank_by_carbon)
    carbon = [offer.co2e_kg_location for offer in ranked]
    assert carbon == sorted(carbon)
    assert len(ranked) > 20
    assert all(offer.rank_by_carbon is None for offer in offers if offer.grid_g_per_kwh is None)
    assert all(offer.gas_scope and offer.grid_year for offer in ranked)  # scopes differ: each is named
    assert len({(offer.provider, offer.region) for offer in offers}) == len(offers)
