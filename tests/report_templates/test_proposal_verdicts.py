"""What the proposal says against itself: a job that does not fit, a contract, a price without its interruptions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from proposal_tools import (
    TODAY,
    budget_of,
    dossier_of,
    page_texts,
    proposal_of,
    scenario_of,
    section_text,
    squeezed,
    whole_text,
    written,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.explain import line_text
from desktop_app.budget.scenario import with_choice, with_choices
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.proposal import proposal_bytes

FIT = "5"  # the number of the section on memory


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_job_that_does_not_fit_is_not_to_be_approved(language: Language) -> None:
    budget, words = budget_of("too_big"), words_of(language)
    assert budget.estimate.fits == "no"
    text = squeezed(whole_text(written("too_big", language)))
    assert squeezed(words("proposal.next_step_no", section=FIT, date="2026-12-30")) in text
    first = squeezed(words("proposal.ask_no_fit", section=FIT))
    assert text.index(first) < text.index(squeezed(f"{budget.ledger.value('cost.ask'):,.0f}"))
    assert (
        squeezed(words("proposal.ask_full", amount="", model="", params="", cluster="", days=""))[:6] not in text[:500]
    )
    for remedy in budget.estimate.remedies:
        assert squeezed(words(f"field.{remedy.field}")) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_job_that_most_likely_does_not_fit_is_not_to_be_approved(language: Language) -> None:
    """LoRA of a 7B model on RTX 4090: more than the card holds is usual, though less is possible."""
    words, tuned = words_of(language), scenario_of("small")
    changes = {"gpu": "RTX-4090", "gpus": 8, "sequence_length": 4096, "micro_batch": 8, "price_usd_per_gpu_hour": 0.5}
    budget = make_budget(with_choices(tuned, changes), load_catalogue())
    memory = budget.estimate.memory
    assert budget.estimate.fits == "tight" and memory.peak > budget.estimate.cluster.gpu.usable_memory_bytes
    text = squeezed(whole_text(proposal_of(budget, language)))
    date = (TODAY + timedelta(days=30)).isoformat()
    assert squeezed(words("proposal.next_step_too_large", section=FIT, date=date)) in text
    assert squeezed(words("proposal.next_step_text", section=5, date=date))[:12] not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_way_out_is_promised_where_there_is_none(language: Language) -> None:
    words, tuned = words_of(language), scenario_of("small")
    changes = {"model": "Llama-3.1-405B", "method": "qlora", "gpu": "T4", "gpus": 1, "price_usd_per_gpu_hour": 0.5}
    budget = make_budget(with_choices(tuned, changes), load_catalogue())
    assert budget.estimate.fits == "no" and not budget.estimate.remedies
    text = squeezed(whole_text(proposal_of(budget, language)))
    assert squeezed(words("proposal.next_step_no_remedy", date=(TODAY + timedelta(days=30)).isoformat())) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contract_names_all_that_it_binds(language: Language) -> None:
    words = words_of(language)
    budget = make_budget(with_choice(scenario_of("dense"), "purchase", "reserved-1y"), load_catalogue())
    bound = line_text(budget, "cost.committed", words)
    (warning,) = (problem for problem in budget.problems if problem.key == "problem.reservation_commits")
    content = proposal_of(budget, language)
    assert squeezed(words("proposal.committed", amount=bound)) in squeezed(page_texts(content)[0])
    assert squeezed(words.sentence(warning)) in squeezed(section_text(content, "cost"))
    assert "4,877,951" in words.sentence(warning)
    assert words("proposal.committed", amount="")[:6] not in page_texts(written("dense", language))[0]


@pytest.mark.parametrize(("fits", "key"), [("tight", "proposal.check_tight"), ("unknown", "proposal.check_unknown")])
def test_memory_that_may_not_suffice_is_the_first_thing_to_check(fits: str, key: str) -> None:
    sure = budget_of("dense")
    budget = replace(sure, estimate=replace(sure.estimate, fits=fits))
    memory, words = sure.estimate.memory, words_of("en")
    values = {name: f"{size / 2**30:.1f}" for name, size in (("peak", memory.peak), ("high", memory.peak_high))}
    usable = f"{sure.estimate.cluster.gpu.usable_memory_bytes / 2**30:.1f}"
    text = section_text(proposal_of(budget, "en"), "cost")
    assert f"before signing {words(key, usable=usable, **values)}" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spot_run_does_not_promise_eight_in_ten(language: Language) -> None:
    words = words_of(language)
    scenario = with_choices(scenario_of("dense"), {"purchase": "spot", "provider": "gcp"})
    budget = make_budget(scenario, load_catalogue())  # of which nobody says how often it is interrupted
    cover = squeezed(page_texts(proposal_of(budget, language))[0])
    promise = squeezed(words("proposal.eight_in_ten"))[-12:]
    assert promise not in cover
    assert promise in squeezed(page_texts(written("dense", language))[0])
    assert squeezed(words("proposal.spot_range"))[-12:] in cover


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_stands_out_only_where_nothing_is_marked(language: Language) -> None:
    """A typed-in price leaves no warning, but eight lines without a price and old ones."""
    words, base = words_of(language), dossier_of("renminbi").base
    assert base.not_priced and any(line.old for line in base.cost_lines)
    unregulated = replace(dossier_of("renminbi"), thresholds=())  # its compute is near to one of them
    text = squeezed(section_text(proposal_bytes(unregulated, language, "a4"), "cost"))
    assert squeezed(words("proposal.no_more_checks")) in text
    assert squeezed(words("proposal.no_checks")) not in text
