"""A figure with its unit as people read it, by unit code, so that window, documents and command line agree.

A unit code such as "kwh" or "usd_per_gpu_hour" is the end of a catalogue key `unit.<code>`; "currency" is the currency
of the report. Big kWh are shown as MWh, kg of carbon as tonnes, bytes always as GiB.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.foundation.formatting import compact, percent, plain, scientific, significant, span
from desktop_app.foundation.records import Source
from desktop_app.foundation.serial_days import day_of_serial
from desktop_app.foundation.units import BYTES_PER_GIB, KG_PER_TONNE
from desktop_app.foundation.wording import Words

_COMPACT_FROM = 1e6  # parameters and tokens: 2,048 in full, 6.74B in short
_WHOLE_MONEY_FROM = 10_000  # below, cents matter
_SCALES: dict[str, tuple[float, float, str]] = {  # code: from which value on, divided by what, shown as
    "kwh": (10_000, 1000, "mwh"),
    "kg_co2e": (KG_PER_TONNE, KG_PER_TONNE, "tco2e"),
    "byte": (0, BYTES_PER_GIB, "gib"),
}
_UNITLESS = ("number", "ratio", "factor", "date")
_OF_THE_CURRENCY = ("currency_per_usd", "currency_per_gpu_hour")


def format_value(value: float | None, unit: str, words: Words, currency: str = "USD", digits: int | None = None) -> str:
    """The figure with its unit: "573,115 USD", "23.4 days", "83.2 %"; "Not known" for None.

    `digits` fixes the decimals of money, so that the amounts of one column have the same.
    """
    if value is None:
        return words("state.not_known")
    shown, code = _scaled(value, value, unit)
    return _joined(_number(shown, code, words.language, digits), code, words, currency)


def format_span(
    low: float | None,
    high: float | None,
    unit: str,
    words: Words,
    currency: str = "USD",
    digits: int | None = None,
    measure: float | None = None,
) -> str:
    """A range with one unit for both ends: "512 – 684 MWh"; "Not known" when an end is unknown.

    The scale is that of `measure`, the figure the range belongs to, or else of the high end.
    """
    if low is None or high is None:
        return words("state.not_known")
    measure = high if measure is None else measure
    (first, code), (last, _) = _scaled(low, measure, unit), _scaled(high, measure, unit)
    ends = (_number(end, code, words.language, digits) for end in (first, last))
    if code in ("share", "percent"):
        return span(*(_joined(end, code, words, currency) for end in ends))
    return _joined(span(*ends), code, words, currency)


def format_parts(
    values: tuple[float, ...], unit: str, words: Words, currency: str = "USD", digits: int | None = None
) -> tuple[tuple[str, ...], str]:
    """Several figures on the scale of the first, and apart the unit they share: ("109", "96", "127"), "MWh"."""
    scaled = [_scaled(value, values[0], unit) for value in values]
    code = scaled[0][1]
    numbers = tuple(_number(value, code, words.language, digits) for value, _ in scaled)
    if code in ("share", "percent"):
        return numbers, "%"
    return numbers, "" if code in _UNITLESS else format_unit(code, words, currency)


def format_number(value: float | None, unit: str, words: Words, digits: int | None = None) -> str:
    """The figure as it stands in a formula: unscaled but for bytes, without its unit, the sign of a share kept."""
    if value is None:
        return words("state.not_known")
    if unit == "byte":
        return _number(value / BYTES_PER_GIB, "gib", words.language, digits)
    text = _number(value, unit, words.language, digits)
    return percent_text(text, words) if unit == "share" else text


def format_unit(unit: str, words: Words, currency: str = "USD") -> str:
    """The head of a column in `unit`, values unscaled but for bytes; "" for a pure number."""
    if unit in _UNITLESS:
        return ""
    if unit == "currency":
        return _currency(currency, words)
    if unit in _OF_THE_CURRENCY:
        gap = "" if words.language == "zh" else " "
        return f"{_currency(currency, words)}{gap}{words(f'unit.{unit}')}"
    return words(f"unit.{'gib' if unit == 'byte' else unit}")


def format_source(source: Source, words: Words) -> str:
    """Where a figure comes from: the citation, or the catalogue's words where the name is a key of it.

    The user's own prices name a file and its line, "prices.csv:17".
    """
    file, _, row = source.name.rpartition(":")
    if source.quality == "own" and file:
        return words("source.price_book", file=file, row=row)
    return words(source.name) if source.name.startswith("source.") else source.name


def percent_text(number: str, words: Words) -> str:
    """A number with the sign for a hundredth: set apart in English, close in Chinese."""
    return f"{number}%" if words.language == "zh" else f"{number} %"


def _scaled(value: float, measure: float, unit: str) -> tuple[float, str]:
    """The value and unit to show, with the scale that suits `measure`."""
    start, divisor, shown = _SCALES.get(unit, (0.0, 1.0, unit))
    return (value / divisor, shown) if abs(measure) >= start else (value, unit)


def _joined(number: str, unit: str, words: Words, currency: str) -> str:
    """Number and unit. In Chinese digits touch Han characters; a Latin unit is set apart in both languages."""
    if unit in _UNITLESS:
        return number
    if unit in ("share", "percent"):
        return percent_text(number, words)
    name = format_unit(unit, words, currency)
    counted = f"unit.{unit}.{'one' if number == '1' else 'many'}"
    if words.has(counted):
        name = words(counted)
    close = words.language == "zh" and not name[0].isascii()
    return f"{number}{name}" if close else f"{number} {name}"


def _currency(code: str, words: Words) -> str:
    key = f"unit.{code.lower()}"
    return words(key) if words.has(key) else code


def _number(value: float, unit: str, language: str, digits: int | None) -> str:
    if unit in ("usd", "currency"):
        return plain(value, _money_digits(value) if digits is None else digits)
    return _FORMATS.get(unit, _whole)(value, language)


def _money_digits(value: float) -> int:
    return 0 if abs(value) >= _WHOLE_MONEY_FROM else 2


def _whole(value: float, language: str) -> str:
    return plain(value) if value == int(value) else significant(value)


def _counted(value: float, language: str) -> str:
    return compact(value, language) if abs(value) >= _COMPACT_FROM else plain(value, 0)


def _measured(value: float, language: str) -> str:
    return significant(value)


def _power_of_ten(value: float, language: str) -> str:
    return scientific(value, 3)


def _share(value: float, language: str) -> str:
    return percent(value).removesuffix(" %")


def _tenths(value: float, language: str) -> str:
    return plain(value, 0 if abs(value) >= 100 else 1) if abs(value) >= 1 else significant(value, 2)


def _price(value: float, language: str) -> str:
    return plain(value, 2) if round(value, 4) == round(value, 2) else plain(value, 4)


def _exact(value: float, language: str) -> str:
    return plain(round(value, 4))


def _factor(value: float, language: str) -> str:
    return plain(round(value, 2 if abs(value) >= 1 else 3))


def _day(value: float, language: str) -> str:
    """A day of a spreadsheet's calendar: 2026-12-01."""
    return day_of_serial(value).isoformat()


_FORMATS: dict[str, Callable[[float, str], str]] = {
    "token": _counted,
    "parameter": _counted,
    "flop": _power_of_ten,
    "flop_per_s": _power_of_ten,
    "flop_per_token": _power_of_ten,
    "share": _share,
    "percent": _exact,
    "days": _tenths,
    "gib": _tenths,
    "gpu_hour": _measured,
    "hours": _measured,
    "s": _measured,
    "kw": _measured,
    "kwh": _measured,
    "mwh": _measured,
    "kg_co2e": _measured,
    "tco2e": _measured,
    "number": _exact,
    "failure": _tenths,
    "ratio": _exact,
    "factor": _factor,
    "currency_per_usd": _exact,
    "usd_per_gpu_hour": _price,
    "currency_per_gpu_hour": _price,
    "date": _day,
    "usd_per_instance_hour": _price,
    "usd_per_gb_month": _exact,
}
