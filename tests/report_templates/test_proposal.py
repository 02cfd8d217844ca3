"""The proposal says what the budget says: every figure read back from the file, in both languages."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from proposal_tools import (
    CASES,
    TODAY,
    budget_of,
    dossier_of,
    page_texts,
    proposal_of,
    reader,
    scenario_of,
    section_text,
    squeezed,
    whole_text,
    written,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.explain import explain, line_text
from desktop_app.budget.scenario import with_choice
from desktop_app.budget.uncertainty import tornado
from desktop_app.foundation.formatting import compact, percent, plain
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.figures import by_amount, sources_used
from report_templates.fingerprint import result_mark
from report_templates.proposal import write_proposal
from report_templates.sections.appendix import is_told, told_by
from report_templates.sections.story import APPENDICES, SECTIONS
from report_templates.settings_shown import settings

PRICED = ("dense", "small", "too_big", "renminbi")
PROJECT = Path(__file__).resolve().parents[2]


def amount(case: str, value: float) -> str:
    digits = budget_of(case).ledger.value("money_digits")
    return plain(value, int(digits))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_cover_asks_for_the_amount_of_the_budget(case: str, language: Language) -> None:
    cover, ledger = page_texts(written(case, language))[0], budget_of(case).ledger
    ask = ledger.value("cost.ask")
    big = compact(ask, "zh") if language == "zh" and ask >= 10_000 else amount(case, ask)
    runs = budget_of(case).estimate.fits != "no"
    assert squeezed(words_of(language)("figure.ask" if runs else "proposal.ask_if_it_ran")) in squeezed(cover)
    assert squeezed(cover).count(squeezed(amount(case, ask))) >= 2  # in the sentence and in the box
    assert big in cover
    for key in ("cost.total", "contingency"):
        assert amount(case, ledger.value(key)) in cover


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_cover_says_days_energy_carbon_and_until_when(case: str, language: Language) -> None:
    cover, budget, words = page_texts(written(case, language))[0], budget_of(case), words_of(language)
    for key in ("wall_days", "energy_facility_kwh", "co2e_kg_location"):
        assert squeezed(line_text(budget, key, words)) in squeezed(cover)
    assert words(f"proposal.fits_{budget.estimate.fits}") in cover
    assert (TODAY + timedelta(days=30)).isoformat() in cover
    assert squeezed(words("proposal.market", value="")) in squeezed(cover)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_cost_line_is_printed_with_its_figures(case: str, language: Language) -> None:
    text, budget, words = squeezed(section_text(written(case, language), "cost")), budget_of(case), words_of(language)
    lines = budget.cost_lines
    digits = 0 if max(line.quantity or 0 for line in lines) >= 10_000 else 3
    for line in lines:
        none = words("line.not_priced")
        age = "–" if line.age_days is None else plain(line.age_days)
        unit_price = none if line.unit_price_usd is None else plain(line.unit_price_usd, 6)
        cells = (
            words(f"ledger.{line.key}"),
            "–" if line.quantity is None else plain(line.quantity, digits),
            words(f"unit.{line.quantity_unit}"),
            "–" if line.unit_price_line is None else unit_price,
            none if line.amount is None else amount(case, line.amount),
            "–" if line.share is None else plain(line.share * 100, 1),
            words("table.old", days=line.age_days) if line.old else age,
        )
        assert squeezed("".join(cells)) in text
        mark = sources_used(budget).get(line.basis.source)
        if mark and line.amount is not None and line.basis.tag != "yours":
            assert squeezed(f"{cells[-1]}{mark.mark}") in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", PRICED)
def test_printed_sums_add_up(case: str, language: Language) -> None:
    text, words, ledger = (
        squeezed(section_text(written(case, language), "cost")),
        words_of(language),
        budget_of(case).ledger,
    )
    total, extra, ask = (ledger.value(key) for key in ("cost.total", "contingency", "cost.ask"))
    printed = sum(line.amount for line in budget_of(case).cost_lines if line.amount is not None)
    assert printed == pytest.approx(total, abs=1e-6)
    assert total + extra == pytest.approx(ask, abs=1e-6)
    shares = plain(extra / total * 100, 1), plain(100 + round(extra / total * 100, 1), 1)
    assert squeezed(f"{words('proposal.base_row')}{amount(case, total)}100.0") in text
    assert squeezed(f"{words('proposal.contingency_row')}{amount(case, extra)}{shares[0]}") in text
    assert squeezed(f"{words('figure.ask')}{amount(case, ask)}{shares[1]}") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_development_is_printed_as_a_line_and_no_longer_left_out(language: Language) -> None:
    budget, words = budget_of("developed"), words_of(language)
    line = next(line for line in budget.cost_lines if line.key == "cost.development")
    text = squeezed(section_text(written("developed", language), "cost"))
    assert line.amount is not None and line.quantity is not None
    assert squeezed(f"{words('ledger.cost.development')}{plain(line.quantity, 0)}") in text
    assert amount("developed", line.amount) in text
    whole = squeezed(whole_text(written("developed", language)))
    assert "cost.development" not in budget.not_priced and "cost.pilot" in budget.not_priced
    left_out = words("proposal.sum_leaves_out", items="")[:8]
    assert squeezed(left_out) in squeezed(page_texts(written("developed", language))[0])
    assert squeezed(words("ledger.development_gpu_hours")) in whole
    assert squeezed(words("problem.development_left_out")) not in whole
    assert squeezed(words("problem.development_left_out")) in squeezed(whole_text(written("dense", language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_price_no_amount_is_printed_and_the_total_says_what_is_missing(language: Language) -> None:
    texts, words = page_texts(written("unpriced", language)), words_of(language)
    none = words("line.not_priced")
    assert texts[0].count(none) >= 2
    money = section_text(written("unpriced", language), "cost")
    assert f"{words('figure.ask')} {none}" in money
    assert squeezed(words("doc.excludes", count=len(budget_of("unpriced").not_priced))) in squeezed(money)
    assert squeezed(words("proposal.sum_no_cost")) in squeezed(texts[0])
    assert squeezed(words("proposal.next_step_unpriced", date="2026-12-30")) in squeezed(texts[0])
    assert "0.00" not in texts[0] + money.split(words("doc.options"))[0]


def test_a_line_without_a_price_is_named_beside_priced_ones() -> None:
    budget, text = budget_of("small"), section_text(written("small", "en"), "cost")
    assert {"cost.checkpoints", "cost.data", "cost.staff"} < set(budget.not_priced)
    assert f"* leaves out {len(budget.not_priced)} lines that are not priced." in text
    assert "Storage of checkpoints and data is not priced here" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_line_of_the_ledger_stands_in_register_or_appendix(case: str, language: Language) -> None:
    budget, words = budget_of(case), words_of(language)
    text, alike = squeezed(whole_text(written(case, language))), told_by(budget.ledger)
    for line in budget.ledger:
        told = explain(budget, line.key, words)
        if line.expression is None and line.given is None and line.group in ("run", "cost"):
            continue  # a choice that nobody made is no assumption
        known = budget.ledger.value(line.key) is not None
        shown = told.value if known or not line.is_money else words("line.not_priced")
        name = line.key.rpartition(".")[-1]
        if line.expression is not None and not is_told(budget.ledger, line):
            assert squeezed(f"{name.upper()}{shown}") in text, line.key  # beside the P80 of the same figure
            continue
        assert squeezed(f"{told.title}{shown}") in text, line.key
        if told.formula and known:
            assert squeezed(f"={told.numbers}") in text, line.key
        if told.formula:
            like = alike.get(line.key)
            how = told.formula if like is None else words("proposal.as_first", name=words(f"ledger.{like}"))
            assert squeezed(how) in text, line.key


def test_only_lines_of_the_same_formula_stand_for_each_other() -> None:
    alike = told_by(budget_of("dense").ledger)
    assert alike["cost.lost"] == "cost.run" and alike["driver.price.shift"] == "driver.speed.shift"
    assert "usd.bill" not in alike and "cost.total" not in alike and "gpu_hours.p80" not in alike


@pytest.mark.parametrize("case", ["dense", "unpriced"])
def test_ranges_and_drivers_are_those_of_the_ledger(case: str) -> None:
    budget, text = budget_of(case), squeezed(whole_text(written(case, "en")))
    days = [plain(budget.ledger.value(f"wall_days{end}"), 1) for end in ("", ".p10", ".p50", ".p80", ".p90")]
    assert squeezed(f"Wall timedays{''.join(days)}") in text
    if case == "dense":
        money = [plain(budget.ledger.value(f"cost.total{end}"), 0) for end in ("", ".p10", ".p50", ".p80", ".p90")]
        assert squeezed(f"TotalUSD{''.join(money)}") in text
        for swing in tornado(budget.ledger, "cost.total"):
            assert f"{plain(swing.figure_low, 0)}{plain(swing.figure_high, 0)}" in text


def test_settings_say_who_made_them() -> None:
    budget, words = budget_of("dense"), words_of("en")
    text = squeezed(whole_text(written("dense", "en")))
    shown = {setting.key: setting for setting in settings(budget, words)}
    assert shown["gpus"].value == "256 GPUs"
    assert shown["gpus"].origin == "tag.yours"
    assert shown["tp"].origin == "proposal.from_program"
    assert shown["precision"].value == "bf16 mixed"
    for setting in shown.values():
        assert squeezed(f"{setting.name}{setting.value}{words(setting.origin)}") in text, setting.key


def test_a_choice_that_nobody_made_shows_what_it_comes_to() -> None:
    words = words_of("en")
    shown = {setting.key: setting for setting in settings(budget_of("dense"), words)}
    assert shown["host_memory_gib_per_node"].value == "not stated"
    assert shown["native_attention"].value == shown["tp_overlap"].value == "yes"
    assert not {"moe_stack", "capacity_factor", "mfu", "lora_rank"} & set(shown)
    assert not [setting for setting in shown.values() if setting.value == words("parallel.chosen")]
    mixed = make_budget(with_choice(scenario_of("dense"), "model", "Mixtral-8x7B"), load_catalogue())
    experts = {setting.key: setting.value for setting in settings(mixed, words)}
    assert experts["moe_stack"] == "current"
    assert experts["capacity_factor"] == "no limit"


def test_partial_recomputation_tells_its_share() -> None:
    budget = make_budget(with_choice(scenario_of("dense"), "recompute", "partial"), load_catalogue())
    share = percent(float(budget.estimate.plan.full_recompute))
    shown = {setting.key: setting.value for setting in settings(budget, words_of("en"))}
    assert shown["recompute"] == f"partial ({share})"


@pytest.mark.parametrize("language", LANGUAGES)
def test_speed_and_hours_are_told_with_the_factor_between_them(language: Language) -> None:
    budget = budget_of("dense")
    ledger = budget.ledger
    assert ledger.value("practice_factor") == 1.28
    times = {"en": "times 1.28", "zh": "再乘以1.28"}[language]
    text = squeezed(whole_text(written("dense", language)))
    assert text.count(squeezed(times)) == 2
    hours = ledger.value("tokens") / ledger.value("tokens_per_s_per_gpu") / ledger.value("gpus") / 3600
    assert ledger.value("net_hours") == pytest.approx(1.28 * hours, rel=1e-4)
    stated = scenario_of("dense")
    for key, value in {"tp": 2, "pp": 1, "micro_batch": 1, "recompute": "none", "software": "tuned-fused"}.items():
        stated = with_choice(stated, key, value)
    told = squeezed(whole_text(proposal_of(make_budget(stated, load_catalogue()), language)))
    assert squeezed(times.split("1.28")[0] + "1.") not in told


def test_sources_are_cited_by_the_numbers_of_the_workbook() -> None:
    budget, text = budget_of("dense"), squeezed(whole_text(written("dense", "en")))
    for use in sources_used(budget).values():
        assert use.mark in text
    price = by_amount(budget.cost_lines)[0].basis.source
    assert squeezed(f"{sources_used(budget)[price].mark}aws us-east-1 p4de.24xlarge, on-demand, {price.as_of}") in text


def test_another_currency_names_its_rate() -> None:
    text = section_text(written("renminbi", "en"), "cost")
    rate = budget_of("renminbi").ledger["fx_rate"]
    assert f"Converted at {plain(rate.given, 4)} CNY per USD of {rate.source.as_of}." in text
    assert "entered by the user on 2026-11-30" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_which_it_is_and_what_it_rests_on(language: Language) -> None:
    words, texts = words_of(language), page_texts(written("dense", language))
    mark = result_mark(budget_of("dense"))
    for number, text in enumerate(texts, 1):
        assert words("doc.page", page=number, pages=len(texts)) in text
        assert squeezed(words("proposal.edition", date="2026-11-30")) in squeezed(text)
        assert mark in text


def test_result_mark_follows_the_figures_alone() -> None:
    assert result_mark(budget_of("dense")) == result_mark(budget_of("dense"))
    renamed = replace(budget_of("dense"), scenario=with_choice(budget_of("dense").scenario, "tp", 2))
    assert result_mark(renamed) == result_mark(budget_of("dense"))
    assert result_mark(budget_of("dense")) != result_mark(budget_of("renminbi"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_file_says_what_it_is(language: Language) -> None:
    file, words = reader(written("dense", language)), words_of(language)
    root, information = file.trailer["/Root"], file.metadata
    assert information.author == words("title.program")
    assert words("doc.estimate") in information.subject
    assert "LLaMA-13B" in information.title
    assert information.creation_date.date() == TODAY
    assert root["/Lang"] == {"en": "en-US", "zh": "zh-CN"}[language]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True


def test_outline_leads_to_the_pages_of_the_sections() -> None:
    content, words = written("dense", "en"), words_of("en")
    file, texts = reader(content), page_texts(content)
    entries = [entry for entry in file.outline if not isinstance(entry, list)]
    assert [entry.title.split(" ", 1)[0] for entry in entries[1:]] == [*map(str, range(1, 13)), *"ABCDE"]
    assert [entry.title.split(" ", 1)[1] for entry in entries[1:]] == [
        words(section.title) for section in (*SECTIONS, *APPENDICES)
    ]
    for entry in entries:
        assert squeezed(entry.title) in squeezed(texts[file.get_destination_page_number(entry)])


def test_same_budget_gives_the_same_bytes() -> None:
    assert written.__wrapped__("dense", "zh") == written("dense", "zh")
    code = (
        "import sys, hashlib\n"
        "sys.path.insert(0, 'tests/report_templates')\n"
        "from proposal_tools import written\n"
        "print(hashlib.sha256(written('dense', 'zh')).hexdigest(), hashlib.sha256(written('dense', 'en')).hexdigest())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [hashlib.sha256(written("dense", name)).hexdigest() for name in ("zh", "en")]


def test_door_is_light_until_it_is_used() -> None:
    code = "import sys, report_templates.proposal\nsys.exit('reportlab' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False).returncode == 0


def test_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "proposal.pdf"
    write_proposal(dossier_of("dense"), target, "en", "a4")
    assert target.read_bytes() == written("dense", "en")
    with pytest.raises(UserError):
        write_proposal(dossier_of("dense"), tmp_path / "gone" / "proposal.pdf", "en", "a4")
    assert [path.name for path in tmp_path.iterdir()] == ["proposal.pdf"]


def test_the_cover_says_which_percentile_a_figure_is() -> None:
    cover, value = page_texts(written("dense", "en"))[0], budget_of("dense").ledger.value
    assert cover.count("base; P80: ") == 3  # days, electricity, carbon
    assert f"base; P80: {value('wall_days.p80'):.1f} P10–P90: {value('wall_days.p10'):.1f} –" in cover
