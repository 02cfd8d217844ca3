"""Figures as people read them, by unit code, in both languages."""

from datetime import date

import pytest

from desktop_app.foundation.quantities import (
    format_number,
    format_parts,
    format_source,
    format_span,
    format_unit,
    format_value,
)
from desktop_app.foundation.records import Source
from desktop_app.foundation.serial_days import day_of_serial, serial_day
from desktop_app.foundation.wording import words_of

EN, ZH = words_of("en"), words_of("zh")


@pytest.mark.parametrize(
    ("value", "unit", "english", "chinese"),
    [
        (573_114.6, "usd", "573,115 USD", "573,115美元"),
        (46_372, "date", "2026-12-16", "2026-12-16"),
        (654.5, "usd", "654.50 USD", "654.50美元"),
        (154_040.2, "gpu_hour", "154,040 GPU-hours", "154,040 GPU·小时"),
        (1, "gpu_hour", "1.00 GPU-hours", "1.00 GPU·小时"),
        (23.44, "days", "23.4 days", "23.4天"),
        (0.4219, "days", "0.42 days", "0.42天"),
        (0.8321, "share", "83.2 %", "83.2%"),
        (1.0, "percent", "1 %", "1%"),
        (1e12, "token", "1.00T tokens", "1万亿 token"),
        (2048, "token", "2,048 tokens", "2,048 token"),
        (13_015_864_320, "parameter", "13.0B parameters", "130亿个参数"),
        (7.8e22, "flop", "7.800e22 FLOP", "7.800e22 FLOP"),
        (9_999, "kwh", "9,999 kWh", "9,999千瓦时"),
        (476_793, "kwh", "477 MWh", "477兆瓦时"),
        (641.2, "kg_co2e", "641 kgCO2e", "641千克 CO2e"),
        (41_234, "kg_co2e", "41.2 tCO2e", "41.2吨 CO2e"),
        (52 * 2**30, "byte", "52.0 GiB", "52.0 GiB"),
        (3.43088125, "usd_per_gpu_hour", "3.4309 USD/GPU-hour", "3.4309美元/GPU·小时"),
        (2.0, "usd_per_gpu_hour", "2.00 USD/GPU-hour", "2.00美元/GPU·小时"),
        (1.15, "ratio", "1.15", "1.15"),
        (-1250.0, "usd", "−1,250.00 USD", "−1,250.00美元"),
        (None, "kwh", "Not known", "未知"),
    ],
)
def test_value_with_unit(value, unit, english, chinese):
    assert format_value(value, unit, EN) == english
    assert format_value(value, unit, ZH) == chinese


def test_report_currency_and_its_rate():
    assert format_value(4_070_000, "currency", EN, "CNY") == "4,070,000 CNY"
    assert format_value(4_070_000, "currency", ZH, "CNY") == "4,070,000人民币元"
    assert format_value(100.5, "currency", ZH, "SGD") == "100.50 SGD"
    assert format_value(7.1, "currency_per_usd", EN, "CNY") == "7.1 CNY per USD"
    assert format_value(7.1, "currency_per_usd", ZH, "CNY") == "7.1人民币元/美元"


def test_amounts_of_one_column_share_their_decimals():
    assert format_value(12.4, "currency", EN, "EUR", digits=0) == "12 EUR"
    assert format_value(12_345.678, "currency", EN, "EUR", digits=2) == "12,345.68 EUR"


def test_both_ends_of_a_range_have_one_unit():
    assert format_span(9_000, 11_000, "kwh", EN) == "9.00 – 11.0 MWh"
    assert format_span(9_000, 11_000, "kwh", EN, measure=9_900) == "9,000 – 11,000 kWh"
    assert format_span(0.36, 0.45, "share", EN) == "36.0 % – 45.0 %"
    assert format_span(0.36, 0.45, "share", ZH) == "36.0% – 45.0%"
    assert format_span(None, 1, "kwh", EN) == "Not known"
    assert format_parts((109_000.0, 96_000.0, 127_000.0), "kwh", EN) == (("109", "96.0", "127"), "MWh")


def test_numbers_in_a_formula_are_not_scaled_away():
    assert format_number(476_793, "kwh", EN) == "476,793"
    assert format_number(641_000, "kg_co2e", EN) == "641,000"
    assert format_number(0.5, "share", ZH) == "50.0%"
    assert format_number(1.0, "percent", EN) == "1"
    assert format_number(None, "kwh", EN) == "Not known"


def test_every_unit_of_a_head_has_words():
    assert format_unit("ratio", EN) == ""
    assert format_unit("byte", EN) == "GiB"
    assert format_unit("currency", EN, "CNY") == "CNY"


def test_a_source_is_a_citation_or_words_of_the_catalogue():
    assert format_source(Source("Uptime Institute 2024", "2024"), ZH) == "Uptime Institute 2024"
    assert format_source(Source("source.yours", "2026-11-30"), EN) == "entered by the user"
    assert format_source(Source("source.yours", "2026-11-30"), ZH) == "用户填写"


def test_an_own_price_is_told_with_its_file_and_row_in_both_languages():
    own = Source("a: b.csv:17", "2026-11-30", "own")
    assert format_source(own, words_of("en")) == "your price book: a: b.csv, row 17"
    assert format_source(own, words_of("zh")) == "您的价格簿：a: b.csv，第17行"
    assert format_source(Source("a page: 17", "2026", "good"), words_of("en")) == "a page: 17"


def test_a_price_in_the_currency_of_the_report():
    assert format_value(2.5, "currency_per_gpu_hour", EN, "EUR") == "2.50 EUR per GPU-hour"
    assert format_unit("currency_per_gpu_hour", ZH, "EUR") == "EUR/GPU·小时"


def test_days_are_counted_as_spreadsheets_do():
    assert serial_day(date(2000, 1, 1)) == 36_526  # what Excel and LibreOffice show for it as a number
    assert day_of_serial(36_526.75) == date(2000, 1, 1)
