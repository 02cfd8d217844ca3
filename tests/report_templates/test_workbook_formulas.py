"""Unknown in the ledger is unknown in the spreadsheet: every combination of missing inputs, judged by formualizer."""

from __future__ import annotations

import io
from itertools import product

import openpyxl
import pytest
from workbook_tools import load, recalculated

from desktop_app.budget.ledger import Ledger, Line
from desktop_app.foundation.expression import (
    Literal,
    exponential,
    largest,
    logarithm,
    ref,
    rounded,
    rounded_up,
    square_root,
    total,
    when,
)
from desktop_app.foundation.records import Source
from report_templates.excel.cells import Formula as CellFormula
from report_templates.excel.cells import joined, quoted_sheet, sheet_name, wrapped_lines
from report_templates.excel.formulas import guarded_formula, unsure_keys

SOURCE = Source("test", "")
A, B, C = ref("a"), ref("b"), ref("c")
EXPRESSIONS = {
    "product": A * B,
    "precedence": (A + B) / (A - B * 7) ** 2 - (A - (B - C)),
    "rounded": rounded(A * B, 2),
    "whole instances": rounded_up(A / B),
    "sum of lines": total(A, B),
    "first line must be known": C + total(A, B),
    "sum that is never unknown": when(total(A, Literal(0)) >= 3, 0, 2),
    "zero quantity needs no price": when(C > 0, C * A, 0),
    "branch inside": 2 * when(C > 2, A, B),
    "condition unknown": when(A > B, C, 1),
    "functions": exponential(logarithm(largest(A, B, 1)) / 2) + square_root(C),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_combination_of_missing_inputs(name):
    for given in product((None, 3.5), (None, 2.0), (None, 0.0, 4.0)):
        ledger = _ledger(dict(zip("abc", given, strict=True)), EXPRESSIONS[name])
        formula = _formula_of(ledger, "not priced")
        expected = ledger.value("x")
        assert formula.result == ("not priced" if expected is None else expected)
        found = _computed(given, formula.text)
        if expected is None:
            assert found == "not priced", (given, formula.text)
        else:
            assert found == pytest.approx(expected), (given, formula.text)


def test_a_formula_over_known_inputs_stays_short():
    ledger = _ledger({"a": 1.0, "b": 2.0, "c": 3.0}, A * B, group="job")
    assert _formula_of(ledger, "?").text == "A1*B1"


def test_doubt_is_handed_on_to_what_is_computed_from_it():
    lines = (
        Line("price", "usd", "price", SOURCE, given=None, tag="table"),
        Line("hours", "hours", "run", SOURCE, given=2.0, tag="predicted"),
        Line("cost", "usd", "cost", SOURCE, ref("price") * ref("hours")),
        Line("days", "days", "run", SOURCE, ref("hours") / 24),
        Line("ask", "usd", "range", SOURCE, ref("cost") * 2),
    )
    assert unsure_keys(Ledger(lines)) == {"price", "cost", "ask"}
    further = (
        Line("month", "usd", "schedule", SOURCE, ref("cost") / 2),
        Line("day", "date", "schedule", SOURCE, given=1),
    )
    assert unsure_keys(further, unsure_keys(Ledger(lines))) == {"price", "cost", "ask", "month"}


def _ledger(given, expression, group="price"):
    lines = [Line(key, "usd", group, SOURCE, given=value, tag="table") for key, value in given.items()]
    return Ledger((*lines, Line("x", "usd", "cost", SOURCE, expression)))


def _formula_of(ledger, unknown):
    expression = ledger["x"].expression
    return guarded_formula(expression, ledger.value("x"), unsure_keys(ledger), _cell_of, unknown)


def _cell_of(key):
    return f"{key.upper()}1"


def _computed(given, text):
    book = openpyxl.Workbook()
    page = book.active
    for column, value in zip("ABC", given, strict=True):
        page[f"{column}1"] = "not priced" if value is None else value
    page["D1"] = f"={text}"
    saved = io.BytesIO()
    book.save(saved)
    return load(recalculated(saved.getvalue()), values=True).active["D1"].value


def test_a_sentence_becomes_a_formula_that_a_spreadsheet_joins_alike():
    sentence = joined('{item} "is" {share} %', {"item": CellFormula("A1", "Run"), "share": CellFormula("B1*2", 84.0)})
    assert sentence == CellFormula('A1&" ""is"" "&B1*2&" %"', 'Run "is" 84 %')


def test_sheet_names_are_legal_and_unique():
    assert sheet_name("a[b]:c*?/\\d", []) == "a b  c    d"
    assert sheet_name("Budget", ["budget"]) == "Budget 2"
    assert len(sheet_name("x" * 99, ["x" * 31])) == 31
    assert sheet_name("'' ", []) == "Sheet"
    assert quoted_sheet("Budget") == "Budget"
    assert quoted_sheet("预算's") == "'预算''s'"


def test_wrapped_lines_count_wide_characters_and_long_words():
    assert wrapped_lines("short", 20, 0.9) == 1
    assert wrapped_lines("one two three four", 12, 1.0) == 2
    assert wrapped_lines("汉" * 20, 22, 1.1) == 3
    assert wrapped_lines("x" * 45, 22, 1.0) == 3
    assert wrapped_lines("a\nb\nc", 30, 1.0) == 3
