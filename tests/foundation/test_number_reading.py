"""Numbers as people type them."""

import pytest

from desktop_app.foundation.number_reading import Reading, read_number, shown_number, without_dollars


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("2.49", 2.49),
        ("2,49", 2.49),
        ("0,125", 0.125),
        ("0.125", 0.125),
        (",5", 0.5),
        ("5.", 5.0),
        ("1e12", 1e12),
        ("10^12", 1e12),
        ("2×10^12", 2e12),
        ("1.5E-3", 0.0015),
        ("1T", 1e12),
        ("1,5 T", 1.5e12),
        ("13B", 13e9),
        ("2.3m", 2_300_000.0),
        ("300k", 300_000.0),
        ("1万亿", 1e12),
        ("1.5亿", 150_000_000.0),
        ("３万", 30_000.0),
        ("1,234,567.89", 1_234_567.89),
        ("1.234.567,89", 1_234_567.89),
        ("1 000 000", 1_000_000.0),
        ("12'500", 12_500.0),
        ("−5", -5.0),
        ("256 GPUs", 256.0),
        ("12,3456", 12.3456),
        ("1.234T", 1.234e12),
    ],
)
def test_one_reading(typed: str, value: float) -> None:
    assert read_number(typed, ("GPUs",)) == Reading(value)


@pytest.mark.parametrize(("typed", "value", "other"), [("1,234", 1234.0, 1.234), ("1.234", 1.234, 1234.0)])
def test_a_separator_before_three_digits_has_two_readings(typed: str, value: float, other: float) -> None:
    assert read_number(typed) == Reading(value, other)


@pytest.mark.parametrize(
    "typed", ["", "abc", "1.2.3", "1,23,456", "1e", "--5", "5 apples", "1e999", "nan", "inf", "=1+1", "1" * 100, "50%"]
)
def test_what_is_no_number(typed: str) -> None:
    assert read_number(typed) is None


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (1e12, "1T", "1万亿"),
        (13e9, "13B", "130亿"),
        (2048, "2,048", "2,048"),
        (1_234_567, "1,234,567", "1,234,567"),
        (3.430881, "3.430881", "3.430881"),
    ],
)
def test_shown_numbers_read_back_to_the_same(value: float, english: str, chinese: str) -> None:
    assert shown_number(value, "en") == english
    assert shown_number(value, "zh") == chinese
    for text in (english, chinese):
        reading = read_number(text)
        assert reading is not None
        assert reading.value == value


@pytest.mark.parametrize("typed", ["$3.10", "US$3.10", "US$ 3.10", "USD 3.10", "＄3.10", "$ 3,10"])
def test_a_price_may_have_its_dollar_in_front(typed: str) -> None:
    reading = read_number(without_dollars(typed))
    assert reading is not None
    assert reading.value == 3.10


def test_another_currency_in_front_is_no_price_in_dollars() -> None:
    assert read_number(without_dollars("¥3.10")) is None
