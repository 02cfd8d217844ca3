"""A workbook comes back: unchanged it gives the scenarios it was made of, edited it gives the edited ones, told."""

from __future__ import annotations

import shutil
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from returned_tools import (
    FIRST,
    SCENARIOS,
    embedded,
    forged,
    loaded,
    part_with,
    read,
    reasons,
    resaved,
    row_of,
    saved,
    scenario,
    typed,
    with_part,
    workbook,
    workbook_of,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.scenario import Scenario, is_set, with_choice, with_choices, without_choice
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.returned.telling import notices, told
from report_templates.workbook import workbook_bytes

LIBREOFFICE = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice (soffice) is not installed")


# ---- there and back


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_an_unchanged_workbook_is_the_scenarios_it_was_made_of(name, language, tmp_path):
    returned = read(workbook(name, language), tmp_path)
    assert returned.scenarios == SCENARIOS[name] == returned.original.scenarios
    assert [one.model_dump(exclude_unset=True) for one in returned.scenarios] == [
        one.model_dump(exclude_unset=True) for one in SCENARIOS[name]
    ]  # "yours" and "default" too
    assert (returned.changes, returned.notes, set(returned.moved)) == ((), (), {None})


def test_columns_of_other_ways_are_no_scenarios(tmp_path):
    budgets = [make_budget(one, load_catalogue()) for one in SCENARIOS["two"]]
    dossier = make_dossier(budgets, load_catalogue())
    assert dossier.purchases and dossier.alternatives
    data = typed(workbook_bytes(dossier, "en"), {"price_usd_per_gpu_hour": 2.25}, number=1)
    returned = read(data, tmp_path)
    assert returned.scenarios == (SCENARIOS["two"][0], with_choice(SCENARIOS["two"][1], "price_usd_per_gpu_hour", 2.25))
    assert (reasons(returned), returned.notes) == ({"price_usd_per_gpu_hour": ""}, ())


@pytest.mark.slow
@LIBREOFFICE
@pytest.mark.parametrize(("name", "language"), [("two", "en"), ("euro", "zh"), ("owned", "en")])
def test_libreoffice_saves_it_and_it_is_the_same(name, language, tmp_path):
    returned = read(resaved(workbook(name, language), tmp_path), tmp_path)
    assert (returned.scenarios, returned.changes, returned.notes) == (SCENARIOS[name], (), ())


@pytest.mark.slow
@LIBREOFFICE
def test_formulas_that_are_typed_count_once_a_program_computed_them(tmp_path):
    data = typed(workbook("two"), {"tokens": "=2*1.5e12", "price_usd_per_gpu_hour": "=1.1+1.4", "gpus": 64})
    assert reasons(read(data, tmp_path)) == {
        "tokens": "returned_formula", "price_usd_per_gpu_hour": "returned_formula", "gpus": "",
    }  # fmt: skip
    returned = read(resaved(data, tmp_path), tmp_path)
    wanted = with_choices(SCENARIOS["two"][0], {"tokens": 3e12, "price_usd_per_gpu_hour": 2.5, "gpus": 64})
    assert returned.scenarios == (wanted, SCENARIOS["two"][1])
    assert returned.notes == ()


EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "numbers": ("dense", {"tokens": 2e12, "gpus": 512, "evaluation_percent": 3, "pue": 1.3, "padding_share": 0.1}),
    "prices": ("dense", {"price_usd_per_gpu_hour": 2.5, "currency": "CNY", "staff_months": 4}),
    "names": ("dense", {"model": "Llama-2-7B", "gpu": "H100-80GB-SXM", "provider": "gcp", "region": "us-central1"}),
    "words": ("LoRA", {"method": "full", "recompute": "selective", "optimizer": "sgd", "fused_backward": True}),
    "layout": ("dense", {"tp": 2, "pp": 2, "micro_batch": 1}),
    "purchase": ("dense", {"purchase": "owned"}),
    "own hardware": ("owned", {"own_server_usd_per_gpu": 20_000, "own_colocation_has_power": True}),
    "price over a formula": ("owned", {"price_usd_per_gpu_hour": 1.9}),
    "rate": ("euro", {"fx_rate": 0.85}),
    "own model": ("own model", {"model": "Llama-2-13B"}),
    "MoE": ("MoE", {"capacity_factor": 1.25, "even_routing": True, "global_batch": 512}),
}


@pytest.mark.parametrize("case", EDITS)
def test_edited_cells_are_the_edited_scenario(case, tmp_path):
    name, edits = EDITS[case]
    cells = {key: ("no", "yes")[value] if isinstance(value, bool) else value for key, value in edits.items()}
    returned = read(typed(workbook(name, "zh"), cells), tmp_path)
    changed = {key: value for key, value in edits.items() if reasons(returned).get(key) == ""}
    assert {one.key for one in returned.changes if not one.taken} <= {"fx_rate", "region"}
    assert returned.scenarios == (with_choices(SCENARIOS[name][0], changed),)
    assert len(changed) >= len(edits) - 1  # one of them says what was chosen already


def test_the_efficiency_of_the_workbook_is_the_one_of_the_scenario(tmp_path):
    returned = read(typed(workbook("dense"), {"stated_mfu": 0.37}), tmp_path)
    assert returned.scenarios == (with_choice(SCENARIOS["dense"][0], "mfu", 0.37),)
    assert [(one.key, one.new, one.taken) for one in returned.changes] == [("stated_mfu", 0.37, True)]


@pytest.mark.parametrize("value", [date(2026, 12, 15), datetime(2026, 12, 15), "2026-12-15", " 2026-12-15 "])
def test_days_are_days_or_texts(value, tmp_path):
    returned = read(typed(workbook("dense"), {"today": value, "start_date": value}), tmp_path)
    edited = returned.scenarios[0]
    assert (edited.today, edited.beside.start_date) == (date(2026, 12, 15),) * 2
    assert [(one.old, one.new) for one in returned.changes] == [("2026-11-30", "2026-12-15")] * 2


def test_each_scenario_has_its_own_column(tmp_path):
    returned = read(typed(workbook("two"), {"tokens": 7e11}, number=1), tmp_path)
    first, second = SCENARIOS["two"]
    assert returned.scenarios == (first, with_choice(second, "tokens", 7e11))
    change = returned.changes[0]
    assert (change.scenario, change.key, change.old, change.new) == (1, "tokens", 2.5e12, 7e11)
    assert change.place.startswith("Inputs!F")
    assert returned.project.scenarios == returned.scenarios


# ---- what a person types


@pytest.mark.parametrize(
    ("key", "text", "choice", "value"),
    [
        ("tokens", "2T", "tokens", 2e12),
        ("price_usd_per_gpu_hour", "2,49", "price_usd_per_gpu_hour", 2.49),
        ("padding_share", "12%", "padding_share", 0.12),
        ("purchase", "Spot", "purchase", "spot"),
        ("sequence_parallel", True, "sequence_parallel", True),
        ("gpus", 512.0, "gpus", 512),
        ("support_percent", "4.5", "support_percent", 4.5),
    ],
)
def test_texts_are_read_as_people_write_them(key, text, choice, value, tmp_path):
    returned = read(typed(workbook("dense"), {key: text}), tmp_path)
    assert returned.scenarios == (with_choice(SCENARIOS["dense"][0], choice, value),)
    assert type(getattr(returned.scenarios[0].cluster, "gpus")) is int  # noqa: B009


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("tokens", "abc", "not_a_number"),
        ("tokens", "#DIV/0!", "not_a_number"),
        ("tokens", -1, "at_least"),
        ("tokens", True, "not_a_number"),
        ("tokens", date(2026, 4, 3), "not_a_number"),
        ("tokens", None, "returned_empty"),
        ("today", None, "returned_empty"),
        ("today", "next week", "not_a_date"),
        ("gpus", 255.5, "not_whole"),
        ("gpus", "1.234", "two_readings"),
        ("price_usd_per_gpu_hour", -2, "at_least"),
        ("model", "Nope-7B", "model_name_like"),
        ("gpu", "H900", "unknown_gpu"),
        ("precision", "fp7", "not_an_option"),
        ("fused_backward", "perhaps", "not_yes_no"),
        ("currency", "Euro", "not_a_currency"),
        ("currency", "XXX", "no_fx_rate"),
        ("fx_rate", 2, "fx_usd"),
        ("peak_flops", 1e15, "returned_follows"),
        ("layers", 80, "returned_follows"),
        ("params_total", 7e9, "returned_follows"),
        ("warm_up_minutes", 9, "returned_no_choice"),
        ("driver.price.low", 0.5, "returned_no_choice"),
        ("cost.total", 1, "returned_calculated"),
        ("gpu_hours", 1, "returned_calculated"),
        ("memory.peak", 1, "returned_calculated"),
        ("tokens", "=1+", "returned_formula"),
    ],
)
def test_what_cannot_be_taken_is_told_and_the_rest_is_taken(key, value, reason, tmp_path):
    returned = read(typed(workbook("dense"), {key: value, "checkpoints_kept": 5}), tmp_path)
    assert reasons(returned) == {key: reason, "checkpoints_kept": ""}
    assert returned.scenarios == (with_choice(SCENARIOS["dense"][0], "checkpoints_kept", 5),)
    for language in ("en", "zh"):
        words = words_of(language)
        shown = [told(change, returned.scenarios, words) for change in returned.changes]
        assert [bool(one.why_not) for one in shown].count(True) == 1
        sentences = [words.sentence(problem) for problem in notices(returned, 0)]
        assert any(one.why_not in sentences[0] for one in shown if one.why_not)
        assert len(sentences) == 2


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e999", "-1e999"])
def test_numbers_beyond_all_numbers_are_told(number, tmp_path):
    data = typed(workbook("dense"), {"tokens": 987654321})
    part = part_with(data, b"987654321")
    returned = read(with_part(data, part, lambda xml: xml.replace(b"987654321", number.encode())), tmp_path)
    assert reasons(returned) == {"tokens": "not_a_number"}
    assert isinstance(returned.changes[0].new, str)


def test_an_emptied_cell_is_not_stated(tmp_path):
    before = with_choices(scenario(), {"price_usd_per_gpu_hour": 2.0, "staff_months": 3})
    data = saved(loaded(workbook_of(before)))
    returned = read(typed(data, {"price_usd_per_gpu_hour": None, "staff_months": "not stated", "region": ""}), tmp_path)
    after = without_choice(without_choice(before, "price_usd_per_gpu_hour"), "staff_months")
    assert returned.scenarios == (with_choice(after, "region", None),)
    assert not is_set(returned.scenarios[0], "price_usd_per_gpu_hour")
    assert [one.new for one in returned.changes] == [None] * 3


def test_words_for_nothing_say_nothing_in_either_language(tmp_path):
    for text in ("", "Not known", "not priced", "未填写", None):
        assert read(typed(workbook("dense"), {"staff_months": text}), tmp_path).changes == ()


def test_a_percentage_in_a_cell_of_percent_is_not_read_a_hundredfold_wrong(tmp_path):
    book = loaded(workbook("dense"))
    title, row = row_of(book, "evaluation_percent")
    book[title].cell(row, FIRST).value = 0.05
    book[title].cell(row, FIRST).number_format = "0%"
    returned = read(saved(book), tmp_path)
    assert reasons(returned) == {"evaluation_percent": "returned_percent"}
    assert returned.scenarios == SCENARIOS["dense"]


def test_what_goes_with_another_choice_is_told(tmp_path):
    returned = read(typed(workbook("euro"), {"currency": "GBP"}), tmp_path)
    assert reasons(returned) == {"currency": "", "fx_rate": "returned_freed"}
    assert returned.scenarios == (with_choice(SCENARIOS["euro"][0], "currency", "GBP"),)


def test_changes_that_go_together_only_are_judged_together(tmp_path):
    returned = read(typed(workbook("dense"), {"gpus": 96, "global_batch": 1536, "tp": 4, "pp": 3}), tmp_path)
    assert set(reasons(returned).values()) == {""}
    assert returned.scenarios[0].cluster.gpus == 96


def test_a_likelihood_of_the_register_of_risks_stays_in_the_workbook(tmp_path):
    book = loaded(workbook("dense"))
    sheet = book["Risks"]
    cell = next(
        cell for row in sheet.iter_rows() for cell in row if cell.value is not None and not cell.protection.locked
    )
    cell.value = 0.77
    returned = read(saved(book), tmp_path)
    assert [(one.place, one.new, one.problem.key) for one in returned.changes] == [
        (f"Risks!{cell.coordinate}", 0.77, "problem.returned_beside")
    ]
    assert returned.scenarios == SCENARIOS["dense"]


def test_calculated_cells_that_were_typed_over_are_told(tmp_path):
    book = loaded(workbook("dense"))
    summary = [cell for row in book["Summary"].iter_rows() for cell in row if cell.data_type == "f"][:3]
    for cell in summary:
        cell.value = 1
    returned = read(saved(book), tmp_path)
    assert [(note.key, dict(note.values)) for note in returned.notes] == [
        ("problem.returned_typed_over", {"sheet": "Summary", "count": 3})
    ]
    assert returned.scenarios == SCENARIOS["dense"]


def test_figures_that_moved_since_the_export_are_told(tmp_path):
    old = workbook("dense")
    text = embedded(loaded(old))[1].value
    total = text.partition('"key":"cost.total"')[2].partition('"value":')[2].partition(",")[0]
    returned = read(forged(old, f'"value":{total},', '"value":123.0,'), tmp_path)
    (moved,) = returned.moved
    assert moved is not None and (moved.key, moved.values["stored"]) == ("problem.returned_moved", 123.0)
    assert "123" in words_of("en").sentence(moved)
    assert moved in notices(returned, 0)


def test_notes_and_names_come_back(tmp_path):
    notes = 'First line\n=HYPERLINK("x") _x0041_ \U0001f600 ' + "long " * 20_000
    returned = read(workbook("two", "en", notes), tmp_path)
    assert returned.original.notes == returned.project.notes == notes
    assert [one.name for one in returned.scenarios] == ["A", "B spot & <more>"]


# ---- moved about


def test_sheets_may_be_renamed_and_moved_and_rows_sorted(tmp_path):
    book = loaded(typed(workbook("two"), {"tokens": 3e12}))
    for number, sheet in enumerate(book.worksheets):
        sheet.title = f"Tab {number}"
    book.move_sheet("Tab 1", offset=5)
    book.move_sheet("Tab 0", offset=3)
    inputs = book["Tab 1"]
    rows = [[cell.value for cell in row] for row in inputs.iter_rows(min_row=5)]
    for number, values in enumerate(reversed(rows), 9):  # four rows further down, in the opposite order
        for column, value in enumerate(values, 1):
            inputs.cell(number, column).value = value
    for number in range(5, 9):
        for column in range(1, inputs.max_column + 1):
            inputs.cell(number, column).value = None
    returned = read(saved(book), tmp_path)
    assert returned.scenarios == (with_choice(SCENARIOS["two"][0], "tokens", 3e12), SCENARIOS["two"][1])
    assert reasons(returned) == {"tokens": ""}


def test_rows_and_columns_of_ones_own_do_no_harm(tmp_path):
    book = loaded(workbook("two"))
    inputs = book["Inputs"]
    inputs.insert_rows(8, 3)
    inputs.insert_cols(3)
    inputs["A9"], inputs["C10"] = "our remark", 12
    inputs.cell(inputs.max_row + 2, 3).value = "tokens are still being discussed"
    returned = read(saved(book), tmp_path)
    assert (returned.scenarios, returned.changes) == (SCENARIOS["two"], ())


# ---- whatever stands in the cells


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), max_size=30
    ),
    st.dates(date(1901, 1, 1), date(2300, 1, 1)),
    st.sampled_from(["#REF!", "=1/0", "=", "1e999", "yes", "２．５", "1,234", "12%", "1T"]),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.dictionaries(st.integers(1, 125), VALUES, min_size=1, max_size=12), column=st.integers(4, 6))
def test_damage_is_taken_or_told_and_never_a_fault_of_ours(values, column, tmp_path):
    book = loaded(workbook("dense"))
    for row, value in values.items():
        book["Inputs"].cell(row, column).value = value
    try:
        returned = read(saved(book), tmp_path)
    except UserError as error:
        assert all(words_of(language).sentence(one) for one in error.problems for language in ("en", "zh"))
        return
    assert all(isinstance(one, Scenario) for one in returned.scenarios)
    for language in ("en", "zh"):
        words = words_of(language)
        assert all(told(change, returned.scenarios, words).name for change in returned.changes)
        assert all(words.sentence(problem) for problem in notices(returned, 0))
