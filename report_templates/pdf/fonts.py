"""The two fonts of the proposal: embedded in every file, the same in both languages, and what they can print."""

from __future__ import annotations

import io
import unicodedata
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont

REGULAR = "NotoSansSC"
BOLD = "NotoSansSC-Bold"
_FILES = {REGULAR: "NotoSansSC-Regular.ttf", BOLD: "NotoSansSC-SemiBold.ttf"}  # 700 is too black in Chinese
_SPACES = "\u00a0\u3000"  # wide spaces that are meant
_STAND_IN = "?"  # for a character that the fonts do not have
_HAN_FROM = "\u2e80"  # CJK radicals: from here on, text may be broken between any two characters


@lru_cache(maxsize=1)
def fonts() -> tuple[TTFont, TTFont]:
    """The regular and the bold font, read and registered once."""
    from reportlab.lib.fonts import addMapping
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = resources.files("report_templates") / "fonts"
    regular, bold = (TTFont(name, io.BytesIO((folder / file).read_bytes())) for name, file in _FILES.items())
    for font in (regular, bold):
        pdfmetrics.registerFont(font)
    addMapping(REGULAR, 0, 0, REGULAR)
    addMapping(REGULAR, 1, 0, BOLD)
    return regular, bold


def width(text: str, size: float, bold: bool = False) -> float:
    """Points that `text` takes on a line."""
    return float(fonts()[bold].stringWidth(text, size))


def clipped(text: str, size: float, room: float, bold: bool = False) -> str:
    """`text`, or its beginning and three dots where it does not fit into `room` points."""
    if width(text, size, bold) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(f"{text[:middle].rstrip()} ...", size, bold) <= room:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low].rstrip()} ..."


def printable(text: str) -> str:
    """`text` in characters that the fonts have: marks that draw nothing are dropped, others become a question mark.

    Line breaks stay; every other control character becomes a space.
    """
    known = fonts()[0].face.charToGlyph
    if text.isascii() and text.isprintable():
        return text
    return "".join(_printable(sign, known) for sign in unicodedata.normalize("NFC", text))


def one_line(text: str) -> str:
    """`text` in printable characters, without line breaks: for headers, outlines and labels of charts."""
    return " ".join(printable(text).split())


def _printable(sign: str, known: dict[int, int]) -> str:
    if sign == "\n" or (ord(sign) in known and (sign.isprintable() or sign in _SPACES)):
        return sign
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    return "" if kind in ("Cf", "Mn", "Me") else _STAND_IN


def is_han(sign: str) -> bool:
    """Whether a character is Chinese, or punctuation of Chinese text."""
    return sign >= _HAN_FROM


def has_han(text: str) -> bool:
    """Whether lines of `text` may be broken between characters, as in Chinese."""
    return any(map(is_han, text))
