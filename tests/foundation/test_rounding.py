"""Rounding as spreadsheets do it: on the decimal that is shown, halves away from zero."""

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.foundation.rounding import round_half_away, round_up

# ROUND in Excel and LibreOffice; Python's round gives 2.67, 1.0 and -1.0 for the first, third and fourth.
SPREADSHEET = [(2.675, 2, 2.68), (1.005, 2, 1.01), (0.5, 0, 1.0), (-0.5, 0, -1.0), (1234.5, -2, 1200.0), (0.0, 2, 0.0)]


@pytest.mark.parametrize(("value", "digits", "expected"), SPREADSHEET)
def test_halves_go_away_from_zero(value, digits, expected):
    assert round_half_away(value, digits) == expected


def test_a_product_that_is_a_half_on_paper_is_rounded_up():
    # 1.115 * 100 is 111.50000000000001 and 8.845 * 100 is 884.4999999999999 in binary; both are halves on paper.
    assert [round_half_away(value, 2) for value in (1.115, 8.845)] == [1.12, 8.85]


@given(st.integers(min_value=-(10**11), max_value=10**11), st.integers(min_value=1, max_value=999))
def test_agrees_with_decimal_rounding_of_the_15_digits_shown(mills, rate):
    product = (mills / 1000) * (rate / 100)
    shown = Decimal(f"{product:.15g}")
    assert round_half_away(product, 2) == pytest.approx(float(shown.quantize(Decimal("0.01"), ROUND_HALF_UP)), abs=1e-9)


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, 1), (1.125, 2), (2.0000000000000004, 2), (0.1 * 3 * 10, 3), (-1.2, -2), (0.0, 0)]
)
def test_rounding_up_forgives_the_last_bit(value, expected):
    assert round_up(value, 0) == expected


def test_columns_are_rounded_like_numbers():
    values = np.array([2.675, -0.5, 1.005, 8.845])
    assert list(round_half_away(values, 2, np)) == [round_half_away(value, 2) for value in values]
    assert list(round_up(values, 0, np)) == [round_up(value, 0) for value in values]


@pytest.mark.parametrize("value", [1e15, 1e16, 4.5e15, 1e300, -1e308, 1.7e308, float("inf")])
def test_where_no_digits_are_left_nothing_is_rounded(value):
    assert round_half_away(value, 2) == value
    assert round_up(value, 2) == value
    with np.errstate(over="ignore"):  # NumPy warns where Python's floats quietly become infinite
        assert list(round_half_away(np.array([value, 1.005]), 2, np)) == [value, 1.01]


@pytest.mark.parametrize("whole", [5.6e12, 6e12, 6_799_086_503_160.0, 5.6e14, 1e15, 2.5e15, 2.0**52 - 1])
def test_a_large_whole_number_stays_what_it_is(whole: float) -> None:
    for digits in (0, 2):
        assert round_half_away(whole, digits) == whole
        assert round_up(whole, digits) == whole
