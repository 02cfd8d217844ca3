"""Numbers as people read them. The only place where a figure becomes text.

Digits are grouped by commas in both languages, the minus sign is U+2212 (as wide as a digit), ranges use the en dash.
Chinese counts big figures in 万 (10^4) and 亿 (10^8).
"""

import math

MINUS = "−"
_ENGLISH_STEPS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_CHINESE_STEPS = ((1e12, "万亿"), (1e8, "亿"), (1e4, "万"))
_PLAIN_LIMIT = 1e15  # from here on digits are noise: use powers of ten


def plain(value: float, digits: int | None = None) -> str:
    """`value` with grouped digits: 476,793 or 3.430881; `digits` fixes the decimals, None drops needless ones."""
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if abs(value) >= _PLAIN_LIMIT or 0 < abs(value) < 1e-6:
        return scientific(value)
    if digits is None:
        digits = _needed_digits(value)
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def scientific(value: float, digits: int = 2) -> str:
    """1.23e22, as people write FLOP."""
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)


def significant(value: float, figures: int = 3) -> str:
    """`value` rounded to some significant figures, grouped: 23.4, 108,782 stays whole from 100 on."""
    if value == 0 or not math.isfinite(value):
        return plain(value)
    decimals = max(0, figures - 1 - math.floor(math.log10(abs(value))))
    return plain(value, decimals)


def compact(value: float, language: str, figures: int = 3) -> str:
    """A figure in few characters: 573k, 1.00T; in Chinese 57.3万, 1万亿."""
    for step, name in _CHINESE_STEPS if language == "zh" else _ENGLISH_STEPS:
        if abs(value) >= step * 0.9995:
            text = significant(value / step, figures)
            return f"{text.rstrip('0').rstrip('.') if language == 'zh' and '.' in text else text}{name}"
    return significant(value, figures)


def percent(share: float, digits: int = 1, language: str = "en") -> str:
    """0.832 as 83.2 %, the sign set apart by a space; in Chinese 83.2%."""
    return f"{plain(share * 100, digits)}{'' if language == 'zh' else ' '}%"


def span(low: str, high: str) -> str:
    """low – high."""
    return f"{low} – {high}"


def _needed_digits(value: float) -> int:
    text = f"{abs(value):.6f}" if abs(value) < 1e6 else f"{abs(value):.2f}"
    return len(text.rstrip("0").split(".")[1])
