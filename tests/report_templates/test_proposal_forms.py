"""The short forms, the profile of the organisation, sign-off and how to rebuild."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from proposal_tools import (
    CASES,
    characters,
    dossier_for,
    dossier_of,
    page_texts,
    reader,
    scenario_of,
    section_text,
    squeezed,
    whole_text,
    written,
)
from test_proposal_sections import budget_with, with_scenarios

from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.explain import line_text, range_text
from desktop_app.budget.project import app_version
from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, work_plan
from desktop_app.estimation.presets import model_named
from desktop_app.foundation.colours import contrast
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.brand import brand_tones
from report_templates.command_line import command_line
from report_templates.fingerprint import result_mark
from report_templates.pdf.style import SIDE, Paper
from report_templates.proposal import Form, card_text, proposal_bytes
from report_templates.style import LIGHT

SHORT: tuple[tuple[Form, int], ...] = (("memo", 1), ("card", 1), ("panel", 2))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_short_forms_keep_to_their_pages(case: str, language: Language, paper: Paper) -> None:
    for form, pages in SHORT:
        content = written(case, language, paper, form)
        assert len(reader(content).pages) == pages
        assert result_mark(dossier_of(case).base) in page_texts(content)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_forms_hold_the_longest_texts_on_their_pages(language: Language) -> None:
    dossier = with_scenarios(3)
    organisation = Organisation(name="长" * 200, cost_centre="W" * 200, disclaimer="To be read. " * 160)
    dossier = replace(dossier, organisation=organisation, notes="x" * 1500)
    for form, pages in SHORT:
        content = proposal_bytes(dossier, language, "letter", form)
        assert len(reader(content).pages) == pages
        assert squeezed(whole_text(content)).count("Tobereadnot") == 0
        assert squeezed(whole_text(content)).count("Toberead.") == 160
        for _, _, (left, bottom, right, top), (across, up) in characters(content):
            assert left >= SIDE - 1 and right <= across - SIDE + 1 and bottom > 20 and top < up - 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", ["dense", "small", "renminbi"])
def test_memo_has_ask_lines_sums_and_three_risks(case: str, language: Language) -> None:
    words, dossier = words_of(language), dossier_of(case)
    text, base = squeezed(whole_text(written(case, language, "a4", "memo"))), dossier.base
    digits = int(base.ledger.value("money_digits"))
    for line in base.cost_lines:
        if line.amount is not None:
            assert squeezed(f"{words(f'ledger.{line.key}')}{plain(line.amount, digits)}") in text
    sums = (
        ("proposal.base_row", "cost.total"),
        ("proposal.contingency_row", "contingency"),
        ("figure.ask", "cost.ask"),
    )
    for name, key in sums:
        assert squeezed(f"{words(name)}{plain(base.ledger.value(key), digits)}") in text
    for key in base.not_priced:
        assert squeezed(words(f"ledger.{key}").lower()) in text.lower()
    for risk in dossier.risks.risks[:3]:
        assert squeezed(words(f"risk.{risk.key}")) in text
    assert squeezed(words("sign_off.signature")) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_says_that_it_was_estimated_before_training(language: Language) -> None:
    words, base = words_of(language), dossier_of("dense").base
    page, markdown = whole_text(written("dense", language, "a4", "card")), card_text(dossier_of("dense"), language)
    values = {"date": "2026-11-30", "version": app_version(), "mark": result_mark(base)}
    for text in (squeezed(page), squeezed(markdown.replace("\\", ""))):
        assert squeezed(words("proposal.card_made", **values)) in text
        for key in ("gpu_hours", "energy_facility_kwh", "co2e_kg_location"):
            assert squeezed(line_text(base, key, words)) in text
            assert squeezed(range_text(base, key, words)) in text
        for key in ("it_kw_per_gpu", "co2e_kg_market", "co2e_kg_embodied", "pue", "training_flops"):
            assert squeezed(line_text(base, key, words)) in text
        assert "A100-80GB-SXM" in text and "us-east-1" in text


def test_card_markdown_is_a_table_in_which_no_name_does_anything() -> None:
    name = "<b>&|`x` [a](http://b) *c* =HYPERLINK(1)"
    spec = model_named("LLaMA-13B").model_copy(update={"name": name})
    base = dossier_of("dense").base
    dossier = replace(dossier_of("dense"), budgets=(replace(base, estimate=replace(base.estimate, model=spec)),))
    lines = card_text(dossier, "en").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 19
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert "<b>" not in card_text(dossier, "en")
    assert r"&lt;b&gt;&amp;\|\`x\` \[a\](http&#58;//b) \*c\*" in card_text(dossier, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_panel_has_hours_evidence_and_room_for_other_requests(language: Language) -> None:
    words, base = words_of(language), dossier_of("dense").base
    first, second = map(squeezed, page_texts(written("dense", language, "a4", "panel")))
    plan = work_plan(base)
    for key in (NODE_HOURS, GPU_HOURS):
        assert first.count(plain(plan.values[key], 1)) == 2  # in the request and in the table
    assert squeezed(line_text(base, "gpu_hours.p80", words)) in first
    for run in base.estimate.closest_measured_runs:
        assert squeezed(run.name) in second
    for key in ("data_gb", "checkpoint_gb", "checkpoint_interval_minutes"):
        assert squeezed(line_text(base, key, words)) in second
    assert "2026-12" in second
    assert squeezed(words("proposal.panel_pending")) in second


def test_panel_sends_long_notes_to_the_proposal() -> None:
    long = replace(dossier_of("dense"), notes="Reason. " * 400)
    content = proposal_bytes(long, "en", "a4", "panel")
    assert "The purpose is described in section 1 of the full proposal." in page_texts(content)[0]
    assert "Reason." not in whole_text(content)
    assert whole_text(proposal_bytes(long, "en", "a4")).count("Reason.") == 400


def png(across: int, up: int) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGBA", (across, up), (138, 28, 60, 255)).save(file, "PNG")
    return file.getvalue()


PROFILE = Organisation(
    name="Institute <b>& 研究所",
    cost_centre="KST 4711",
    accent_colour="8A1C3C",
    sign_off_roles=("Head of <research>", "法务"),
    disclaimer="For internal use only.",
    validity_days=10,
    logo_png=png(300, 60),
)


@pytest.mark.parametrize("form", ["proposal", "memo", "card", "panel"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_profile_of_the_organisation_is_used(language: Language, form: Form) -> None:
    dossier = make_dossier([dossier_of("dense").base], load_catalogue(), PROFILE)
    content = proposal_bytes(dossier, language, "a4", form)
    text = whole_text(content)
    assert squeezed(PROFILE.name) in squeezed(page_texts(content)[0])
    assert PROFILE.disclaimer in text
    assert reader(content).metadata.author == PROFILE.name
    images = [image for page in reader(content).pages for image in page.images]
    assert [image.image.size for image in images] == [(300, 60)]
    assert content == proposal_bytes(dossier, language, "a4", form)
    drawn = reader(content).pages[0].get_contents().get_data().decode("latin-1")
    red = " ".join(f"{part / 255:.6f}".lstrip("0")[:4] for part in bytes.fromhex("681530"))  # darker, for large areas
    assert re.search(rf"{red[:4]}\d* ", drawn)
    house = " ".join(f"{part / 255:.6f}" for part in bytes.fromhex(LIGHT.primary))
    assert house not in drawn
    if form == "proposal":
        signed = section_text(content, "sign_off")
        assert "KST 4711" in signed and "2026-12-10" in text
        assert squeezed("Head of <research>") in squeezed(signed) and "法务" in signed
        assert words_of(language)("sign_off.prepared") not in signed


def test_a_logo_keeps_its_aspect_and_its_room() -> None:
    for across, up, shown in ((300, 60, (150, 30)), (60, 300, (8, 40)), (8, 8, (40, 40)), (1200, 9, (150, 1.125))):
        profile = PROFILE.model_copy(update={"logo_png": png(across, up)})
        dossier = make_dossier([dossier_of("dense").base], load_catalogue(), profile)
        content = (
            reader(proposal_bytes(dossier, "en", "a4", "memo")).pages[0].get_contents().get_data().decode("latin-1")
        )
        sizes = [tuple(map(float, found)) for found in re.findall(r"([\d.]+) 0 0 ([\d.]+) 0 0 cm", content)]
        assert any(size == pytest.approx(shown, abs=0.01) for size in sizes), sizes


def test_a_broken_logo_leaves_the_mark_of_the_program() -> None:
    profile = PROFILE.model_copy(update={"logo_png": b"\x89PNG\r\n\x1a\nbroken"})
    content = proposal_bytes(make_dossier([dossier_of("dense").base], load_catalogue(), profile), "en", "a4", "memo")
    assert not [image for page in reader(content).pages for image in page.images]


def test_without_a_profile_nothing_but_vectors_is_drawn() -> None:
    assert not [image for page in reader(written("dense", "en")).pages for image in page.images]


@pytest.mark.parametrize("accent", ["8A1C3C", "000000", "0B5A8A", "1F5FA8"])
def test_a_readable_accent_takes_the_place_of_ours(accent: str) -> None:
    tones = brand_tones(accent)
    assert tones[LIGHT.accent] == accent
    assert contrast(tones[LIGHT.primary], LIGHT.surface) >= contrast(accent, LIGHT.surface)
    assert contrast(accent, tones[LIGHT.accent_background]) >= 4.5


@pytest.mark.parametrize("accent", ["", "FFFF00", "FFFFFF", "7FC4FF"])
def test_an_accent_that_nobody_could_read_is_not_used(accent: str) -> None:
    assert brand_tones(accent) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sign_off_names_result_amounts_and_when_to_estimate_again(language: Language) -> None:
    words, base = words_of(language), dossier_of("dense").base
    text = squeezed(section_text(written("dense", language), "sign_off"))
    for key in ("cost.ask", "cost.total", "contingency"):
        assert squeezed(line_text(base, key, words)) in text
    for role in ("prepared", "technical", "finops", "sustainability", "approved"):
        assert squeezed(words(f"sign_off.{role}")) in text
    assert squeezed(words("proposal.sign_triggers", date="2026-12-30")) in text
    assert text.count(result_mark(base)) >= 2
    assert squeezed(words("proposal.cost_centre") + words("proposal.to_fill")) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_says_how_to_rebuild_it_and_what_it_cannot_do(language: Language) -> None:
    words, dossier = words_of(language), dossier_of("dense")
    text = squeezed(section_text(written("dense", language), "rebuild"))
    told = words("proposal.rebuild_lead", version=app_version(), mark=result_mark(dossier.base))
    assert squeezed(told) in text
    assert squeezed(command_line(dossier.base.scenario, language)) in text
    assert squeezed(words("proposal.accessibility")) in text
    assert squeezed(words("self_check.passes") + words("self_check.lines")) in text


def test_a_run_without_an_end_asks_a_panel_for_nothing() -> None:
    content = proposal_bytes(dossier_for(budget_with(mtbf_gpu_hours=1.0)), "en", "a4", "panel")
    assert "As planned the run would never finish, so no hours can be asked for." in page_texts(content)[0]
    assert "There are none for a run without an end." in page_texts(content)[1]


def test_the_default_proposal_is_short() -> None:
    assert scenario_of("dense").price.purchase == "on-demand"
    assert [len(reader(written("dense", language)).pages) for language in LANGUAGES] == [20, 20]


@pytest.mark.parametrize("language", LANGUAGES)
def test_twelve_long_roles_are_all_printed(language: Language) -> None:
    roles = tuple(f"{number} {'Verantwortliche ' * 12}"[:199].strip() for number in range(1, 13))
    dossier = make_dossier([dossier_of("dense").base], load_catalogue(), Organisation(sign_off_roles=roles))
    text = squeezed(section_text(proposal_bytes(dossier, language, "letter"), "sign_off"))
    assert all(squeezed(role) in text for role in roles)
