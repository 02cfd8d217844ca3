"""The proposal as a thing on paper: fonts, characters, sizes, and texts that nobody foresaw."""

from __future__ import annotations

import re
from datetime import date
from itertools import cycle

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from proposal_tools import (
    CASES,
    TODAY,
    budget_of,
    characters,
    page_texts,
    proposal_of,
    reader,
    scenario_of,
    squeezed,
    written,
)

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.estimation.presets import model_named
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import LANGUAGES, Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.pdf.fonts import clipped, fonts, one_line, printable, width
from report_templates.pdf.style import PAPERS, SIDE, Paper

TEXTS = (
    "<b>& </para> <font color='red'>",
    '=HYPERLINK("http://example.org")',
    "A" * 200,
    "长" * 200,
    "中文 mixed with English words, " * 6,
    "tab\tnewline\nreturn\r\x00\x07 end",
    "🚀 émoji e\u0301 مرحبا \u200b\u202e reversed",
    "word " * 40,
    "（「『" * 60,
    "，。；：" * 50,
)
HOSTILE = st.sampled_from(TEXTS) | st.text(min_size=1, max_size=200)


def named(name: str, model: str, seller: str, gpus: int = 8) -> Budget:
    """A budget with strange texts wherever a user can put some; also those that no scenario takes any more."""
    spec = model_named("LLaMA-13B").model_copy(update={"name": model, "source": model, "as_of": "2026"})
    price = {"provider": "x", "region": "x", "price_usd_per_gpu_hour": 2.5}
    plain = validated(Scenario, {"today": TODAY, "cluster": {"gpus": gpus}, "price": price})
    texts = {
        "name": name,
        "model": plain.model.model_copy(update={"custom_model": spec}),
        "price": plain.price.model_copy(update={"provider": seller, "region": seller}),
    }
    return make_budget(plain.model_copy(update=texts), load_catalogue())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_font_is_in_the_file(case: str, language: Language) -> None:
    found = {}
    for page in reader(written(case, language)).pages:
        resources = [page["/Resources"]]
        resources += [form.get_object()["/Resources"] for form in page["/Resources"].get("/XObject", {}).values()]
        for resource in resources:
            found |= {font.get_object()["/BaseFont"]: font.get_object() for font in resource["/Font"].values()}
    assert {name.split("+")[1] for name in found} == {"NotoSansSC-Regular", "NotoSansSC-SemiBold"}
    for name, font in found.items():
        assert re.fullmatch(r"/[A-Z]{6}\+.+", name)
        assert "/FontFile2" in font["/FontDescriptor"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_every_character_has_a_glyph_and_stands_inside_the_margins(case: str, language: Language) -> None:
    paper: Paper = "letter" if case == "small" else "a4"
    known = fonts()[0].face.charToGlyph
    for page, sign, (left, bottom, right, top), (across, up) in characters(written(case, language, paper)):
        assert ord(sign) in known, (page, sign)
        assert sign != "□"
        assert left >= SIDE - 1, (page, sign)
        assert right <= across - SIDE + 1, (page, sign)
        assert bottom > 20, (page, sign)
        assert top < up - 20, (page, sign)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_paper_has_its_size(paper: Paper) -> None:
    pages = reader(written("dense", "en", paper)).pages
    assert {tuple(round(float(side), 1) for side in page.mediabox[2:]) for page in pages} == {
        tuple(round(side, 1) for side in PAPERS[paper])
    }
    assert PAPERS["a4"] == pytest.approx((595.276, 841.890), abs=0.001)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_length_is_sane_and_no_page_is_nearly_empty(case: str, language: Language) -> None:
    texts = page_texts(written(case, language))
    assert 15 <= len(texts) <= 23
    assert min(len(squeezed(text)) for text in texts[:-1]) > 300  # the last one holds the rest of two columns


_TITLES = (
    "doc.cost_by_line", "proposal.range_table", "proposal.drivers_table", "proposal.settings_table",
    "proposal.time_table", "proposal.runs_table", "proposal.energy_table", "doc.assumptions", "doc.energy",
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_no_title_is_the_last_thing_on_a_page(case: str, language: Language) -> None:
    words = words_of(language)
    for text in page_texts(written(case, language)):
        assert not [key for key in _TITLES if squeezed(text).endswith(squeezed(words(key)))]


@pytest.mark.parametrize(("text", "language"), list(zip(TEXTS, cycle(LANGUAGES), strict=False)))
def test_strange_names_are_printed_and_break_nothing(text: str, language: Language) -> None:
    content = proposal_of(named(text, text, text), language, "letter")
    shown = squeezed(one_line(text))
    assert shown[:20] in squeezed(page_texts(content)[0])
    for page, sign, (left, _, right, _), (across, _) in characters(content):
        assert left >= SIDE - 1, (page, sign)
        assert right <= across - SIDE + 1, (page, sign)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE, HOSTILE, HOSTILE, st.sampled_from(LANGUAGES), st.sampled_from(["a4", "letter"]))
@example("x", "长" * 200, "A" * 200, "zh", "letter")
def test_no_text_can_stop_the_writing(name: str, model: str, seller: str, language: Language, paper: Paper) -> None:
    assert proposal_of(named(name, model, seller), language, paper).startswith(b"%PDF")


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE, HOSTILE, HOSTILE, st.sampled_from(LANGUAGES), st.sampled_from(["a4", "letter"]))
def test_no_text_can_stop_the_writing_at_length(
    name: str, model: str, seller: str, language: Language, paper: Paper
) -> None:
    assert proposal_of(named(name, model, seller), language, paper).startswith(b"%PDF")


def test_a_source_longer_than_a_page_is_divided() -> None:
    spec = model_named("LLaMA-13B").model_copy(update={"source": "long 长文 " * 700, "as_of": ""})
    values = {"today": TODAY, "model": {"custom_model": spec.model_dump()}}
    content = proposal_of(make_budget(validated(Scenario, values), load_catalogue()), "zh", "letter")
    assert squeezed("".join(page_texts(content))).count("长文") >= 700


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tokens", 1.0),
        ("tokens", 1e18),
        ("gpus", 16_384),
        ("price_usd_per_gpu_hour", 1_000_000.0),
        ("price_usd_per_gpu_hour", 0.0),
        ("mfu", 0.4),
        ("purchase", "spot"),
        ("currency", "JPY"),
        ("grid_g_per_kwh", 0.0),
    ],
)
def test_extreme_choices_are_written_too(key: str, value: object) -> None:
    budget = make_budget(with_choice(scenario_of("dense"), key, value), load_catalogue())
    content = proposal_of(budget, "en", "a4")
    for page, sign, (left, _, right, _), (across, _) in characters(content):
        assert left >= SIDE - 1, (page, sign)
        assert right <= across - SIDE + 1, (page, sign)


def test_unknown_signs_become_question_marks_and_controls_become_spaces() -> None:
    assert printable("Zürich e\u0301 \u200b中文") == "Zürich é 中文"
    assert printable("a\tb\x00c\u00a0d") == "a b c\u00a0d"
    assert printable("🚀") == "?"
    assert printable("line\nline") == "line\nline"
    assert one_line(" two\n lines ") == "two lines"


def test_clipped_text_fits_and_ends_in_three_dots() -> None:
    long = "a very long name of a project " * 10
    cut = clipped(long, 8.5, 200.0)
    assert cut.endswith(" ...")
    assert width(cut, 8.5) <= 200.0
    assert clipped("short", 8.5, 200.0) == "short"


def test_dates_of_another_day_are_printed() -> None:
    scenario = scenario_of("dense").model_copy(update={"today": date(2027, 2, 28)})
    text = page_texts(proposal_of(make_budget(scenario, load_catalogue()), "en", "a4"))[0]
    assert "Valid until 2027-03-30" in text
    assert budget_of("dense").scenario.today == TODAY
