"""The sections of the proposal beside cost and time say what the dossier says, read back in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from proposal_tools import (
    CASES,
    TODAY,
    dossier_for,
    dossier_of,
    page_texts,
    scenario_of,
    section_text,
    squeezed,
    whole_text,
    written,
)

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.purchases import option_of
from desktop_app.budget.scenario import with_choices
from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, work_plan
from desktop_app.foundation.formatting import compact, plain, scientific
from desktop_app.foundation.quantities import format_value
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.proposal import proposal_bytes
from report_templates.sections.glossary import TERMS

PRICED = ("dense", "small", "too_big", "renminbi")


def budget_with(**choices: object) -> Budget:
    return make_budget(with_choices(scenario_of("dense"), choices), load_catalogue())


def money(budget: Budget, value: float) -> str:
    return plain(value, int(budget.ledger.value("money_digits") or 0))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_cover_has_the_median_beside_base_and_amount_to_approve(case: str, language: Language) -> None:
    base, words = dossier_of(case).base, words_of(language)
    median = words("proposal.range_p50", amount=money(base, base.ledger.value("cost.total.p50")))
    assert squeezed(median) in squeezed(page_texts(written(case, language))[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_work_plan_prints_every_row_and_sums_that_add_up(case: str, language: Language) -> None:
    text, words = squeezed(section_text(written(case, language), "purpose")), words_of(language)
    plan = work_plan(dossier_of(case).base)
    for work in plan.works:
        hours = [plan.values[key] for key in (work.hours, work.node_hours, work.gpu_hours)]
        shown = words("proposal.not_stated") if None in hours else "".join(plain(value, 1) for value in hours)
        assert squeezed(words(f"ledger.cost.{work.name}")) in text
        assert squeezed(shown) in text
    sums = (plan.values[NODE_HOURS], plan.values[GPU_HOURS])
    assert squeezed(f"{words('line.total')}{''.join(plain(value, 1) for value in sums)}") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_purpose_is_what_the_notes_say_and_what_is_left_out_is_named(language: Language) -> None:
    words, dossier = words_of(language), dossier_of("dense")
    text = squeezed(section_text(written("dense", language), "purpose"))
    assert squeezed(words("proposal.no_purpose")) in text
    assert squeezed(words("ledger.cost.pilot").lower()) in text.lower()
    noted = replace(dossier, notes="For the assistant.\n<b>& second line\n\n=HYPERLINK(1)")
    text = squeezed(section_text(proposal_bytes(noted, language, "a4"), "purpose"))
    assert squeezed("For the assistant.<b>& second line=HYPERLINK(1)") in text
    assert squeezed(words("proposal.no_purpose")) not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_ways_of_purchase_stand_with_their_figures(case: str, language: Language) -> None:
    dossier, words = dossier_of(case), words_of(language)
    text = squeezed(section_text(written(case, language), "purchases"))
    for way in (dossier.base, *dossier.purchases):
        option, value = option_of(way), way.ledger.value
        digits = 1 if option.hours_used < 1000 else 0
        cells = [
            format_value(option.usd_per_gpu_hour, "number", words),
            plain(option.hours_used, digits),
            plain(option.hours_paid, digits),
            money(way, value("cost.total")),
            money(way, value("cost.total.p80")),
        ]
        assert squeezed("".join(cells)) in text, option.purchase
        if "cost.committed" in way.ledger:
            assert money(way, value("cost.committed")) in text
        for key in set(option.not_priced) - set(dossier.base.not_priced):
            assert squeezed(words(f"ledger.{key}")).lower() in text.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cheaper_way_is_told_with_what_it_takes(language: Language) -> None:
    words = words_of(language)

    def told(budget: Budget) -> str:
        return squeezed(section_text(proposal_bytes(dossier_for(budget), language, "a4"), "purchases"))

    spot = next(way for way in dossier_of("dense").purchases if way.scenario.price.purchase == "spot")
    amount = format_value(spot.ledger.value("cost.total"), "currency", words)
    assert squeezed(amount) in squeezed(section_text(written("dense", language), "purchases"))
    incomplete = budget_with(purchase="owned")  # electricity has no price
    own = words("purchase.owned")
    total = format_value(incomplete.ledger.value("cost.total"), "currency", words)
    assert squeezed(words("proposal.buy_incomplete", chosen=own, total=total)) in told(incomplete)
    chosen = words("purchase.flex_start")
    assert squeezed(words("proposal.buy_unknown", chosen=chosen)) in told(dossier_of("unpriced").base)
    never = words("proposal.buy_never", chosen=words("purchase.on_demand"))
    assert squeezed(never) in told(budget_with(mtbf_gpu_hours=1.0))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_months_add_up_to_the_total(case: str, language: Language) -> None:
    dossier, words = dossier_of(case), words_of(language)
    text = squeezed(section_text(written(case, language), "schedule"))
    values, base = dossier.schedule.values, dossier.base
    spent = 0.0
    for month in dossier.schedule.months:
        amount, until = values[month.keys["total"]], values[month.keys["cumulative"]]
        spent += amount
        if amount and month.first:
            assert f"{month.first:%Y-%m}" in text
            assert f"{money(base, amount)}{money(base, until)}" in text
    assert spent == pytest.approx(base.ledger.value("cost.total"), abs=0.005)
    sums = (plain(base.ledger.value("wall_days"), 1), plain(base.ledger.value("gpu_hours"), 0))
    assert squeezed(f"{words('line.total')}{''.join(sums)}{money(base, spent)}") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contract_is_billed_when_it_is_signed(language: Language) -> None:
    dossier, words = dossier_for(budget_with(purchase="reserved-1y", start_date="2027-03-15")), words_of(language)
    text = squeezed(section_text(proposal_bytes(dossier, language, "a4"), "schedule"))
    first = dossier.schedule.months[0]
    billed = dossier.schedule.values[first.keys["billed"]]
    assert billed > dossier.base.ledger.value("cost.committed") - 1
    assert money(dossier.base, billed) in text
    assert squeezed(words("proposal.months_note_contract")) in text
    assert "2027-03-15" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_alternatives_stand_with_their_own_ranges_and_what_they_give_up(case: str, language: Language) -> None:
    dossier, words = dossier_of(case), words_of(language)
    text = squeezed(section_text(written(case, language), "alternatives"))
    assert len(dossier.alternatives) >= 3
    for one in dossier.alternatives:
        ledger = one.budget.ledger
        ends = [ledger.value(f"cost.total.{end}") for end in ("p50", "p90")]
        none = words("line.not_priced")
        assert "".join(none if end is None else money(one.budget, end) for end in ends) in text, one.kind
        for key in (f"alternative.{one.kind}", f"alternative.{one.kind}.risk"):
            assert squeezed(words(key, **one.values)) in text
        dominated = f"{words(f'alternative.{one.kind}', **one.values)} ({words('verdict.dominated')})"
        assert (squeezed(dominated) in text) == one.dominated
    assert squeezed(f"{words('alternative.nothing')}{words('alternative.nothing.risk')}") in text


def with_scenarios(count: int) -> Dossier:
    """The base and further scenarios, under names that nobody foresaw."""
    base = scenario_of("dense").model_copy(update={"name": "<b>& base"})
    names = ("=HYPERLINK(1)", "A" * 200, "长" * 200, "<b>&</para>")
    others = [
        with_choices(base, {"gpus": 64 if number % 2 else 512}).model_copy(
            update={"name": f"{number} {names[number % len(names)]}"[:200]}
        )
        for number in range(1, count)
    ]
    budgets = {scenario.cluster.gpus: make_budget(scenario, load_catalogue()) for scenario in (base, *others[:2])}
    further = [replace(budgets[scenario.cluster.gpus], scenario=scenario) for scenario in others]
    return make_dossier([budgets[base.cluster.gpus], *further], load_catalogue(), notes="Why. 为什么。 " * 300)


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_scenarios_and_alternatives_are_all_printed(language: Language) -> None:
    dossier = with_scenarios(64)
    generated = (dossier.alternatives * 60)[:60]
    text = squeezed(whole_text(proposal_bytes(replace(dossier, alternatives=generated), language, "letter")))
    for budget in dossier.budgets:
        assert squeezed(budget.scenario.name) in text.replace(squeezed("<b>& base"), "<b>&base"), budget.scenario.name
    for kind in {one.kind for one in generated}:
        one = next(one for one in generated if one.kind == kind)
        count = sum(other.kind == kind for other in generated)
        assert text.count(squeezed(words_of(language)(f"alternative.{kind}.risk", **one.values))) >= count
    assert text.count("Why.为什么。") == 300


def test_a_worse_scenario_of_the_same_job_is_called_dominated() -> None:
    base = dossier_of("dense").base
    dearer = budget_with(discount_percent=0.0, price_usd_per_gpu_hour=9.0)
    worse = replace(dearer, scenario=dearer.scenario.model_copy(update={"name": "dearer"}))
    other = budget_with(tokens=2e12)
    dossier = make_dossier([base, worse, other], load_catalogue())
    text = section_text(proposal_bytes(dossier, "en", "a4"), "alternatives")
    assert "Scenario: dearer (dominated)" in text
    assert "9.00 USD/GPU-hour" in text  # what differs
    assert "Tokens 2.00T tokens" in text and "Scenario: 3 (dominated)" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_risks_stand_with_their_money_and_the_sum_against_the_contingency(case: str, language: Language) -> None:
    dossier, words = dossier_of(case), words_of(language)
    text, values = squeezed(section_text(written(case, language), "risks")), dossier.risks.values
    none = squeezed(words("line.not_priced"))
    for number, risk in enumerate(dossier.risks.risks, 1):
        assert squeezed(f"R{number}{words(f'risk.{risk.key}')}") in text
        owner = words(f"role.{risk.owner}")
        response = words("proposal.risk_response", owner=owner, text=words(f"risk.{risk.key}.response"))
        assert squeezed(response) in text
        if risk.money:
            amount = values[risk.money]
            assert (none if amount is None else money(dossier.base, amount)) in text
    expected = values["risk.expected"]
    shown = none if expected is None else money(dossier.base, expected)
    contingency = dossier.base.ledger.value("contingency")
    kept = none if contingency is None else money(dossier.base, contingency)
    assert squeezed(f"{words('proposal.expected_sum')}{shown}") in text
    assert squeezed(f"{words('proposal.contingency_row')}{kept}") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_thresholds_say_whether_they_are_reached_and_that_this_is_no_advice(language: Language) -> None:
    words = words_of(language)
    dossier = dossier_for(budget_with(tokens=3e13, development_multiplier=5.0))
    text = squeezed(section_text(proposal_bytes(dossier, language, "a4"), "thresholds"))
    assert [threshold.reached for threshold in dossier.thresholds] == [True, True, False, False]
    for threshold in dossier.thresholds:
        assert squeezed(scientific(threshold.flop, 0)) in text
        verdict = words("proposal.reached" if threshold.reached else "proposal.not_reached")
        sign = "%" if language == "zh" else " %"
        assert squeezed(f"{plain(threshold.share * 100, 1)}{sign}{verdict}") in text
        assert threshold.source.as_of in text
    assert squeezed(words("proposal.no_advice")) in text
    assert squeezed(words("proposal.counted_developed")) in text
    tuned = squeezed(section_text(written("small", language), "thresholds"))
    assert squeezed(words("proposal.counted_modifies")) in tuned
    assert squeezed(words("proposal.counted_modifies")) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_glossary_is_explained(language: Language) -> None:
    words, text = words_of(language), squeezed(section_text(written("dense", language), "glossary"))
    for term in TERMS:
        assert squeezed(f"{words(f'glossary.{term}')}{words(f'glossary.{term}.told')}") in text


def test_schedule_without_a_stated_start_says_so() -> None:
    text = section_text(written("dense", "en"), "schedule")
    assert "No start was stated" in text and TODAY.isoformat() in text
    assert compact(525_201, "en") in text  # at the end of the line of the chart
