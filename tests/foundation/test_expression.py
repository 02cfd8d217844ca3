"""The formula language: values, unknowns, columns, Excel text and words all from one tree."""

import math

import formualizer
import numpy as np
import openpyxl
import pytest

from desktop_app.foundation.expression import (
    Literal,
    exponential,
    largest,
    logarithm,
    ref,
    rounded,
    rounded_up,
    smallest,
    square_root,
    total,
    when,
)
from desktop_app.foundation.wording import words_of

A, B, C = ref("a"), ref("b"), ref("c")
VALUES = {"a": 7.0, "b": 2.0, "c": 3.0}
# The value by hand, with a = 7, b = 2, c = 3.
FORMULAS = [
    (A + B * C, 13.0),
    ((A + B) * C, 27.0),
    (A - (B - C), 8.0),
    (A - B - C, 2.0),
    (A / (B / C), 10.5),
    (A / B / C, 7 / 6),
    ((A * B) ** C, 2744.0),
    ((B**C) ** 2, 64.0),
    (B ** (C**2), 512.0),
    (1 - A / 100, 0.93),
    (2 / B + 10 - C, 8.0),
    (rounded(A / C, 2), 2.33),
    (rounded_up(A / B), 4.0),
    (smallest(A, B, C), 2.0),
    (largest(A, B, C, 11), 11.0),
    (total(A, B, C) * 2, 24.0),
    (exponential(B), math.exp(2)),
    (logarithm(A), math.log(7)),
    (square_root(A + B), 3.0),
    (when(A > B, C, 0), 3.0),
    (when(A < B, C, A * B), 14.0),
    (when(A >= 7, 1, 0) + when(B <= 1, 1, 0), 1.0),
]


@pytest.mark.parametrize(("formula", "expected"), FORMULAS)
def test_value_by_hand(formula, expected):
    assert formula.evaluate(VALUES) == pytest.approx(expected, rel=1e-15)


def test_the_spreadsheet_gives_the_same(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for column, key in enumerate(VALUES, 1):
        sheet.cell(1, column, VALUES[key])
    for row, (formula, _) in enumerate(FORMULAS, 2):
        sheet.cell(row, 1, "=" + formula.excel(lambda key: f"{key.upper()}1"))
    book.save(tmp_path / "formulas.xlsx")
    formualizer.recalculate_xlsx_file(str(tmp_path / "formulas.xlsx"), str(tmp_path / "results.xlsx"))
    results = openpyxl.load_workbook(tmp_path / "results.xlsx", data_only=True).active
    for row, (formula, _) in enumerate(FORMULAS, 2):
        assert results.cell(row, 1).value == pytest.approx(formula.evaluate(VALUES), rel=1e-12), sheet.cell(
            row, 1
        ).value


@pytest.mark.parametrize(("formula", "expected"), FORMULAS)
def test_a_column_gives_what_each_number_gives(formula, expected):
    columns = {"a": np.array([7.0, 1.0, 5.0]), "b": np.array([2.0, 4.0, 1.0]), "c": np.array([3.0, 2.0, 6.0])}
    one_by_one = [formula.evaluate({key: column[index] for key, column in columns.items()}) for index in range(3)]
    assert list(formula.evaluate(columns, np)) == pytest.approx(one_by_one, rel=1e-14)


def test_unknown_spreads_but_a_sum_leaves_it_out():
    values = {**VALUES, "b": None}
    assert (A + B).evaluate(values) is None
    assert rounded(B, 0).evaluate(values) is None
    assert smallest(A, B).evaluate(values) is None
    assert when(B > 1, A, C).evaluate(values) is None
    assert total(A, B, C).evaluate(values) == 10.0
    assert total(B, B).evaluate(values) is None


def test_only_lines_and_numbers_can_be_summed():
    with pytest.raises(ValueError):
        total(A, B * 2)


def test_a_condition_looks_at_one_branch_only():
    assert when(A > 0, C, B / 0).evaluate(VALUES) == 3.0
    assert when(A < 0, C, B / 0).evaluate(VALUES) is None  # a division by nothing is unknown


def test_a_column_of_conditions_with_an_unknown_branch_is_unknown():
    values = {"a": np.array([1.0, -1.0]), "b": None, "c": 2.0}
    assert when(A > 0, B, C).evaluate(values, np) is None


def test_a_hopeless_power_is_huge_and_never_an_overflow():
    assert exponential(A * 1000).evaluate(VALUES) == math.exp(700)


def test_a_missing_key_is_our_bug():
    with pytest.raises(KeyError):
        (A + ref("d")).evaluate(VALUES)


def test_references_come_in_reading_order_and_once():
    assert list((C * A + when(B > A, C, ref("d"))).references()) == ["c", "a", "b", "d"]


def test_excel_text_has_the_brackets_that_are_needed_and_no_others():
    cells = {"a": "B2", "b": "B3", "c": "B4"}.__getitem__
    assert ((A + B) * C / (A - (B - C))).excel(cells) == "(B2+B3)*B4/(B2-(B3-B4))"
    assert (A * B / 3600).excel(cells) == "B2*B3/3600"
    assert (A**2 + 0.5).excel(cells) == "B2^2+0.5"
    assert when(total(A, B) > 0, rounded(A / B, 2), 0).excel(cells) == "IF(SUM(B2,B3)>0,ROUND(B2/B3,2),0)"


@pytest.mark.parametrize(
    ("formula", "english", "chinese"),
    [
        (A * B / Literal(1e9), "Hours × Price ÷ 1,000,000,000", "Hours × Price ÷ 1,000,000,000"),
        (A + total(B, C), "Hours + (Price + Rest)", "Hours + (Price + Rest)"),
        (A * (B + total(C, Literal(0))), "Hours × (Price + Rest)", "Hours × (Price + Rest)"),
        (A + total(Literal(0)), "Hours + 0", "Hours + 0"),
        (rounded(A * B, C), "Hours × Price", "Hours × Price"),
        (rounded_up(A / B) * C, "(Hours ÷ Price, rounded up) × Rest", "(Hours ÷ Price，向上取整) × Rest"),
        (A / exponential(B * C), "Hours ÷ e ^ (Price × Rest)", "Hours ÷ e ^ (Price × Rest)"),
        (when(A > 0, B, 0), "Price if Hours > 0, otherwise 0", "若Hours > 0则为Price，否则为0"),
        (A - (B - 1), "Hours − (Price − 1)", "Hours − (Price − 1)"),
    ],
)
def test_told_in_words(formula, english, chinese):
    names = {"a": "Hours", "b": "Price", "c": "Rest"}.__getitem__
    for language, expected in (("en", english), ("zh", chinese)):
        words = words_of(language)
        assert formula.tell(names, lambda function, words=words: words(f"formula.{function.lower()}")) == expected
