"""Numbers as people type them: either decimal sign, groups, k/M/B/T, 万/亿, 1e12. What may be misread is named.

A plain spin box takes a typed "2.49" as 249 in German and "2,49" as 249 in English: a price a hundred times too high,
without a sound. Here one separator that is not followed by exactly three digits is the decimal sign, whichever it is;
one that is has two readings, and the caller is told both.
"""

import math
import re
from dataclasses import dataclass

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.wording import Language

_ENGLISH_STEPS = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "billion": 1e9,
    "t": 1e12, "tn": 1e12, "trillion": 1e12,
}  # fmt: skip
_CHINESE_STEPS = {
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11,
    "万亿": 1e12,
}  # fmt: skip
_STEPS = _ENGLISH_STEPS | _CHINESE_STEPS
_SHOWN_STEPS: dict[Language, tuple[tuple[float, str], ...]] = {
    "en": ((1e12, "T"), (1e9, "B"), (1e6, "M")),
    "zh": ((1e12, "万亿"), (1e8, "亿")),
}
_FULL_WIDTH = str.maketrans("０１２３４５６７８９．，－＋％　", "0123456789.,-+% ")
_NUMBER = re.compile(
    r"(?P<sign>[-+−]?)(?P<body>\d[\d.,'’_\s]*|[.,]\d+)"
    r"(?:e(?P<power>[-+−]?\d{1,4})|(?:[x×*]\s*10\s*\^)(?P<ten>[-+−]?\d{1,4}))?\s*(?P<word>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TEN_POWER = re.compile(r"10\s*\^\s*(?P<power>[-+−]?\d{1,4})")
_WORTH_IT = 4  # characters that a short form must save, or the digits are plainer
_DOLLARS = re.compile(r"^(?P<sign>[-+−]?)\s*(?:US\s*\$|USD|\$)\s*", re.IGNORECASE)
_LONGEST = 60  # characters; nobody types a longer number


@dataclass(frozen=True, slots=True)
class Reading:
    """A typed number as it was understood, and the other way to understand it where there is one."""

    value: float
    other: float | None = None


def read_number(typed: str, unit_words: tuple[str, ...] = ()) -> Reading | None:
    """What `typed` says; None when it is not a number. `unit_words` may stand behind the number and change nothing."""
    text = typed.translate(_FULL_WIDTH).strip()
    if not text or len(text) > _LONGEST:
        return None
    power = _TEN_POWER.fullmatch(text)
    match = _NUMBER.fullmatch(f"1e{power['power']}" if power else text)
    if match is None:
        return None
    factor = _factor(match["word"], unit_words)
    bodies = _bodies(match["body"].strip(), has_step=factor not in (None, 1.0))
    if factor is None or not bodies:
        return None
    exponent = (match["power"] or match["ten"] or "0").replace("−", "-")
    sign = -1.0 if match["sign"] in ("-", "−") else 1.0
    values = [_tidy(sign * float(f"{body}e{exponent}") * factor) for body in bodies]
    if not all(map(math.isfinite, values)):
        return None
    return Reading(values[0], values[1] if len(values) > 1 else None)


def without_dollars(typed: str) -> str:
    """A price without the sign of its currency in front: "$3.10" and "US$ 3.10" are 3.10."""
    return _DOLLARS.sub(r"\g<sign>", typed.translate(_FULL_WIDTH).replace("＄", "$").strip())


def shown_number(value: float, language: Language) -> str:
    """`value` as it stands in a box: grouped digits, or 1T and 1万亿 where that says exactly the same."""
    for step, name in _SHOWN_STEPS[language]:
        if abs(value) >= step:
            short = f"{plain(value / step)}{name}"
            read = read_number(short)
            if read is not None and read.value == value and len(short) + _WORTH_IT <= len(plain(value)):
                return short
    return plain(value)


def _factor(word: str, unit_words: tuple[str, ...]) -> float | None:
    """What the word behind a number multiplies it by; None when it is no word of ours."""
    rest = word.strip()
    for unit in sorted(filter(None, unit_words), key=len, reverse=True):
        if rest.lower().endswith(unit.lower()) and rest.lower() not in _STEPS:
            rest = rest[: -len(unit)].strip()
            break
    return _STEPS.get(rest.lower()) if rest else 1.0


def _bodies(body: str, has_step: bool) -> list[str]:
    """The digits with a point as decimal sign, in the likeliest reading first; [] when the groups are wrong."""
    grouped = re.sub(r"(?<=\d)['’_\s](?=\d{3}(?!\d))", "", body)
    if not re.fullmatch(r"[\d.,]+", grouped):
        return []
    commas, points = grouped.count(","), grouped.count(".")
    if commas and points:
        return _both_signs(grouped)
    if commas + points == 0:
        return [grouped]
    sign = "," if commas else "."
    whole, _, rest = grouped.partition(sign)
    if commas + points > 1:
        return [grouped.replace(sign, "")] if _groups_of_three(grouped.split(sign)) else []
    decimal = f"{whole or '0'}.{rest or '0'}"
    may_group = len(rest) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    if not may_group or (sign == "." and has_step):
        return [decimal]
    readings = [decimal, whole + rest]
    return readings[::-1] if sign == "," else readings


def _both_signs(body: str) -> list[str]:
    """A body with commas and points: the last sign is the decimal one, the other makes groups of three."""
    decimal = "," if body.rfind(",") > body.rfind(".") else "."
    group = "." if decimal == "," else ","
    whole, _, rest = body.rpartition(decimal)
    if decimal in whole or group in rest or not _groups_of_three(whole.split(group)):
        return []
    return [f"{whole.replace(group, '')}.{rest or '0'}"]


def _groups_of_three(parts: list[str]) -> bool:
    return 1 <= len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])


def _tidy(value: float) -> float:
    """The float of the 15 digits that were meant: 2.3 times a million is 2300000."""
    return float(f"{value:.15g}")
