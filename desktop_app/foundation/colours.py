"""Colours as six hexadecimal digits, and how well one is read on another."""

from __future__ import annotations

import re

READABLE = 4.5  # contrast that text needs: WCAG 2.2, success criterion 1.4.3

_HEX = re.compile(r"#?([0-9A-F]{3}|[0-9A-F]{6})", re.IGNORECASE | re.ASCII)


def colour_of(text: str) -> str | None:
    """The six digits of "#0b5a8a", "0B5A8A" or "#05A"; "" of nothing, None of what is no colour."""
    bare = text.strip()
    match = _HEX.fullmatch(bare)
    if match is None:
        return None if bare else ""
    digits = match[1].upper()
    return digits if len(digits) == 6 else "".join(2 * digit for digit in digits)


def contrast(first: str, second: str = "FFFFFF") -> float:
    """The contrast of two colours by WCAG 2.2, from 1 (the same) to 21 (black on white)."""
    dark, bright = sorted((_luminance(first), _luminance(second)))
    return (bright + 0.05) / (dark + 0.05)  # WCAG 2.2, contrast ratio


def _luminance(colour: str) -> float:
    """The relative luminance by WCAG 2.2."""
    shares = (int(colour[start : start + 2], 16) / 255 for start in (0, 2, 4))
    linear = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)  # sRGB
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))  # sRGB
