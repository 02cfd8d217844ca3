"""The ledger as a whole: every line has words, unit, source; its formulas say the same in a spreadsheet."""

from dataclasses import replace

import formualizer
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import printed_shares
from desktop_app.budget.constants import constants
from desktop_app.budget.ledger import Ledger, Line
from desktop_app.budget.scenario import PriceChoice, choices
from desktop_app.foundation.expression import ref
from desktop_app.foundation.quantities import format_source, format_unit
from desktop_app.foundation.records import Source
from desktop_app.foundation.wording import LANGUAGES, words_of

JOB = {"job": {"tokens": 1e12, "sequence_length": 2000, "global_batch": 500}, "cluster": {"gpus": 250}}
SPOT = replace(QUOTE, purchase="spot", usd_per_instance_hour=15.7, usd_per_gpu_hour=1.9625)
CASES = {
    "on demand": ({}, make_catalogue(), {}),
    "nothing known": ({"price": {"region": "nowhere"}}, make_catalogue(quotes=(), ratings=(), cards=()), {}),
    "own": ({"price": {"purchase": "owned", "price_usd_per_gpu_hour": 1.37}}, make_catalogue(), {}),
    "spot in yen": ({"price": {"purchase": "spot", "currency": "JPY"}}, make_catalogue(quotes=(SPOT,)), {}),
    "typed": ({"energy": {"pue": 1.07, "grid_g_per_kwh": 33, "node_power_kw": 5.1}}, make_catalogue(), {}),
}


def budget_of_case(name, **more):
    parts, catalogue, changes = CASES[name]
    if name == "nothing known":
        parts = {"price": {"provider": None}}
    return make_paper_budget(make_scenario(**{**JOB, **parts, **more}), catalogue, step_time_s=3.6, **changes)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_words_a_unit_and_a_source(name, language):
    words = words_of(language)
    for line in budget_of_case(name).ledger:
        assert words.has(f"ledger.{line.key}"), line.key
        assert format_source(line.source, words)
        assert not format_unit(line.unit, words).startswith("unit.")
        assert (line.expression is None) == (line.tag != "computed")
        if line.tag == "predicted":
            assert words.has(f"how.{line.key}"), line.key
        if line.tag in ("table", "yours"):
            assert line.source.as_of, line.key
        if line.tag == "yours":
            assert line.field in choices()


@pytest.mark.parametrize("name", ["nothing known", "typed", "own"])
def test_what_is_known_changes_no_line(name):
    """Lines follow from the way of purchase alone; a price that is typed in has no parts of its own."""
    found = [line.key for line in budget_of_case(name).ledger]
    assert found == [line.key for line in budget_of_case("on demand").ledger]


@pytest.mark.parametrize("name", CASES)
def test_the_spreadsheet_gives_the_same_ledger(name, tmp_path):
    ledger = budget_of_case(name).ledger
    cells = {line.key: f"B{row}" for row, line in enumerate(ledger, 1)}
    book = openpyxl.Workbook()
    for row, line in enumerate(ledger, 1):
        value = ledger.value(line.key)
        if value is None:
            shown = "unknown"
        elif line.expression is None:
            shown = value
        else:
            shown = "=" + line.expression.excel(cells.__getitem__)
        book.active.cell(row, 2, shown)
    book.save(tmp_path / "ledger.xlsx")
    formualizer.recalculate_xlsx_file(str(tmp_path / "ledger.xlsx"), str(tmp_path / "results.xlsx"))
    results = openpyxl.load_workbook(tmp_path / "results.xlsx", data_only=True).active
    for row, line in enumerate(ledger, 1):
        value = ledger.value(line.key)
        if value is not None:
            assert results.cell(row, 2).value == pytest.approx(value, rel=1e-9, abs=1e-12), line.key
            assert line.unit != "currency" or results.cell(row, 2).value == pytest.approx(value, abs=0.005)


def test_formulas_hold_no_hidden_constants():
    allowed = {0, 1, 2, 24, 60, 100, 700, 1000, 3600, 1e9}  # 700: the cap of EXP; 100, 1000, 1e9: percent, kilo, giga

    def numbers(expression):
        if hasattr(expression, "value"):
            yield expression.value
        for part in expression.children():
            yield from numbers(part)

    for line in budget_of_case("own").ledger:
        if line.expression is not None:
            assert set(numbers(line.expression)) <= allowed, line.key


def test_a_key_used_twice_or_too_early_is_our_bug():
    source = Source("test", "2026")
    a = Line("a", "", "cost", source, given=1.0, tag="table")
    b = Line("b", "", "cost", source, ref("a") * 2)
    assert Ledger((a, b)).value("b") == 2.0
    with pytest.raises(ValueError):
        Ledger((a, b, a))
    with pytest.raises(KeyError):
        Ledger((b, a))


def test_the_same_scenario_gives_the_same_figures():
    assert budget_of_case("spot in yen").ledger.values == budget_of_case("spot in yen").ledger.values


@given(st.lists(st.one_of(st.none(), st.floats(min_value=0, max_value=1e9)), min_size=1, max_size=12))
def test_printed_shares_add_up_to_the_whole(amounts):
    whole = sum(amount for amount in amounts if amount is not None)
    shares = printed_shares(amounts, whole)
    assert [share is None for share in shares] == [amount is None or whole == 0 for amount in amounts]
    if whole > 0:
        assert round(sum(share for share in shares if share is not None) * 1000) == 1000
        for share, amount in zip(shares, amounts, strict=True):
            assert share is None or abs(share - amount / whole) <= 0.001


def test_the_defaults_of_the_form_are_those_of_the_table():
    rows = constants()
    assert PriceChoice().evaluation_percent == rows["evaluation_percent"].value
    assert PriceChoice().checkpoints_kept == rows["checkpoints_kept"].value


def test_the_last_line_of_constants_is_read():
    assert constants()["z_90"].value == 1.2816
    assert constants()["pue_default"].value == 1.56
