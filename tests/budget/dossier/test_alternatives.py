"""Other ways to the aim: real budgets of their own, judged beside the base; those that cannot be are left out."""

from dataclasses import replace
from datetime import date

import pytest
from paper_budgets import QUOTE, STORAGE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.alternatives import alternatives_of, dominates
from desktop_app.budget.elsewhere import offers_elsewhere
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from pricing.price_book import PriceBook

TODAY = date(2026, 11, 30)
CATALOGUE = load_catalogue()
JOBS = {
    "default": {},
    "one GPU with adapters": {"model": "Llama-2-7B", "method": "lora", "gpus": 1, "tokens": 1e8},
    "fine-tuning": {"model": "Llama-3.1-8B", "gpu": "H100", "gpus": 8, "tokens": 1e9},
    "experts": {"model": "Qwen3-30B-A3B", "gpu": "H100", "gpus": 64, "tokens": 2e12, "provider": "gcp"},
    "a year reserved": {"purchase": "reserved-1y", "currency": "EUR"},
    "owned": {"purchase": "owned"},
    "typed": {"price_usd_per_gpu_hour": 1.5, "tp": 4, "micro_batch": 2, "mfu": 0.45},
    "no price": {"provider": "coreweave", "gpu": "V100-16GB", "gpus": 64},
    "does not fit": {"model": "Llama-2-70B", "gpus": 8},
    "in China": {"provider": "alibaba", "region": "cn-beijing", "gpus": 64},
}


def budget_of(**choices):
    return make_budget(with_choices(Scenario(today=TODAY), choices), CATALOGUE)


def found(**choices):
    return {one.kind: one for one in alternatives_of(budget_of(**choices), CATALOGUE)}


@pytest.mark.parametrize("name", JOBS)
def test_every_job_has_three_alternatives_that_differ_and_are_told(name):
    base = budget_of(**JOBS[name])
    alternatives = alternatives_of(base, CATALOGUE)
    assert len(alternatives) >= 3
    assert len({one.kind for one in alternatives}) == len(alternatives)
    for one in alternatives:
        assert one.budget.scenario != base.scenario
        assert one.budget.currency == base.currency
        for language in ("en", "zh"):
            words = words_of(language)
            assert "{" not in words(f"alternative.{one.kind}", **one.values)
            assert words(f"alternative.{one.kind}.risk")


@pytest.mark.parametrize("name", JOBS)
def test_money_of_an_alternative_is_that_of_the_budget_that_one_gets_by_choosing_it(name):
    for one in alternatives_of(budget_of(**JOBS[name]), CATALOGUE):
        again = make_budget(one.budget.scenario, CATALOGUE).ledger
        for key in ("cost.total", "wall_days", "co2e_kg_location"):
            figure = one.budget.ledger.value(key)
            assert again.value(key) == (None if figure is None else pytest.approx(figure, rel=1e-12)), one.kind


def test_alternatives_stand_in_the_order_of_cost_and_incomplete_sums_last():
    alternatives = alternatives_of(budget_of(), CATALOGUE)
    complete = [one.budget.ledger.value("cost.total") for one in alternatives if one.complete]
    assert len(complete) >= 3
    assert complete == sorted(complete)
    assert [one.complete for one in alternatives] == sorted((one.complete for one in alternatives), reverse=True)
    place = next(one for one in alternatives if not one.complete)
    assert set(place.budget.not_priced) - set(budget_of().not_priced) == {"cost.checkpoints", "cost.data"}


def test_the_default_job_has_the_alternatives_that_a_panel_asks_for():
    alternatives = found()
    assert alternatives["smaller_model"].values["model"] == "LLaMA-7B"
    assert alternatives["half_gpus"].budget.estimate.cluster.gpus == 128
    tokens = alternatives["fewer_tokens"]
    assert tokens.budget.estimate.job.tokens == 2.6e11  # 20 x 13.0e9
    assert tokens.values["billions"] == 260
    assert not tokens.same_scope and not alternatives["smaller_model"].same_scope
    gpu = alternatives["gpu"]
    assert gpu.same_scope and gpu.budget.estimate.cluster.gpu.name != "A100-80GB-SXM"
    assert gpu.budget.estimate.global_batch == budget_of().estimate.global_batch
    assert gpu.budget.ledger.value("wall_days") <= 2 * budget_of().ledger.value("wall_days")


def test_the_cheapest_place_is_the_cheapest_that_a_plan_can_rest_on():
    base = budget_of()
    place = found()["place"].budget
    cheaper = [
        offer
        for offer in offers_elsewhere(base, CATALOGUE)
        if offer.cost_usd is not None and offer.cost_usd < place.ledger.value("usd.total") and not offer.here
    ]
    for offer in cheaper:  # by the card, of strangers, or in another market
        quote = CATALOGUE.quote("A100-80GB-SXM", offer.provider, offer.region, "on-demand", gpus_at_least=256)
        assert quote.gpu_count < 8 or quote.quality not in ("good", "secondary") or offer.region == "cn", offer


def test_the_cleanest_place_emits_least_of_those_whose_grid_is_known():
    cleanest = found()["cleanest"].budget.ledger.value("co2e_kg_location")
    known = [offer.co2e_kg_location for offer in offers_elsewhere(budget_of(), CATALOGUE)]
    assert cleanest == pytest.approx(min(carbon for carbon in known if carbon is not None))


def test_a_job_in_china_stays_there():
    for one in alternatives_of(budget_of(**JOBS["in China"]), CATALOGUE):
        if one.kind in ("place", "cleanest", "place_on_demand", "gpu"):
            place = one.budget.place
            site = CATALOGUE.region(place.provider, place.region)
            assert (site.country if site else "CN") == "CN"


def test_adapters_for_fine_tuning_and_fewer_tokens_for_training_from_nothing():
    assert found(**JOBS["fine-tuning"])["lora"].budget.scenario.job.method == "lora"
    assert found(**JOBS["one GPU with adapters"])["qlora"].budget.scenario.job.method == "qlora"
    assert "lora" not in found()
    assert "fewer_tokens" not in found(**JOBS["fine-tuning"])
    assert "fewer_tokens" not in found(tokens=2.6e11)  # as few already


def test_a_job_that_does_not_fit_is_offered_what_fits():
    more = found(**JOBS["does not fit"])["more_gpus"]
    assert more.budget.estimate.fits in ("yes", "tight")
    assert more.budget.estimate.cluster.gpus > 8


def test_layout_and_efficiency_of_one_machine_do_not_go_to_another():
    typed = found(**JOBS["typed"])
    half, gpu = typed["half_gpus"].budget.scenario.job, typed["gpu"].budget.scenario.job
    assert (half.tp, half.mfu) == (None, 0.45)
    assert (gpu.tp, gpu.mfu) == (None, None)
    assert typed["place"].budget.scenario.price.price_usd_per_gpu_hour is None


@pytest.mark.parametrize("name", JOBS)
def test_dominated_is_what_another_of_the_same_scope_beats(name):
    """The rule once more: no dearer, no slower, no dirtier where that is known, and better in one of them."""
    base = budget_of(**JOBS[name])
    alternatives = alternatives_of(base, CATALOGUE)
    rivals = [one.budget for one in alternatives if one.same_scope and one.complete]

    def figures(budget):
        return [budget.ledger.value(key) for key in ("cost.total", "wall_days", "co2e_kg_location")]

    def beats(rival, other):
        (cost, days, carbon), (cost_2, days_2, carbon_2) = figures(rival), figures(other)
        if None in (cost, days, cost_2, days_2) or rival.estimate.fits not in ("yes", "tight"):
            return False
        dirtier = carbon is not None and carbon_2 is not None and carbon > carbon_2
        cleaner = carbon is not None and carbon_2 is not None and carbon < carbon_2
        return cost <= cost_2 and days <= days_2 and not dirtier and (cost < cost_2 or days < days_2 or cleaner)

    for one in alternatives:
        others = [base, *(rival for rival in rivals if rival is not one.budget)]
        assert one.dominated == (one.same_scope and any(beats(other, one.budget) for other in others)), one.kind


JOB = {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}


def paper(usd=4.0, step_time_s=360.0, grid=None, storage=(STORAGE,)):
    quote = replace(QUOTE, usd_per_instance_hour=8 * usd, usd_per_gpu_hour=usd)
    scenario = make_scenario(job=JOB, cluster={"gpus": 16}, energy={"grid_g_per_kwh": grid} if grid else {})
    return make_paper_budget(scenario, make_catalogue(quotes=(quote,), storage=storage), step_time_s=step_time_s)


def test_one_budget_beats_another_by_hand():
    base = paper()
    assert dominates(paper(usd=3.0), base)
    assert dominates(paper(step_time_s=300.0), base)
    assert not dominates(base, base)
    assert not dominates(paper(usd=3.0, step_time_s=400.0), base)  # cheaper, but slower
    assert not dominates(paper(usd=3.0, grid=300), base)  # cheaper, but dirtier than 250 g/kWh
    assert dominates(paper(grid=200), base)
    assert not dominates(paper(usd=5.0, step_time_s=300.0), base)  # dearer, but sooner


def test_a_budget_without_a_price_beats_nothing():
    scenario = make_scenario(job=JOB, cluster={"gpus": 16})
    unpriced = make_paper_budget(scenario, make_catalogue(quotes=()), step_time_s=36.0)
    assert not dominates(unpriced, paper())
    assert not dominates(paper(), unpriced)


def test_a_sum_that_leaves_a_line_out_beats_nothing():
    """The cheapest place prices no storage: nothing is called worse for being dearer than that."""
    alternatives = found()
    place, half = alternatives["place"], alternatives["half_gpus"]
    assert dominates(place.budget, half.budget)
    assert not place.complete and not half.dominated


def test_prices_of_ones_own_count_as_reliable():
    own = replace(
        QUOTE, provider="lambda", region="us-west-1", usd_per_instance_hour=4.0, usd_per_gpu_hour=0.5,
        quality="own", origin="prices.csv:2", as_of="2026-11-01",
    )  # fmt: skip
    catalogue = CATALOGUE.with_book(PriceBook(prices=(own,)), TODAY)
    place = next(
        one for one in alternatives_of(make_budget(Scenario(today=TODAY), catalogue), catalogue) if one.kind == "place"
    )
    assert place.budget.ledger.value("price_usd_per_gpu_hour") == 0.5
