"""How cells of the workbook look: fonts, fills, lines and number formats, each named once."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from desktop_app.foundation.wording import Language
from report_templates.style import LIGHT

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.styles import Border
    from openpyxl.styles.cell_style import StyleArray

FONTS: dict[Language, str] = {"en": "Calibri", "zh": "Microsoft YaHei"}
LETTERS: dict[Language, float] = {"en": 0.85, "zh": 1.12}
"""Width of a letter in running text, on average, in digits of the font that columns are measured by (Calibri 11)."""
Line = Literal["none", "hair", "total"]
Tone = Literal["ok", "warn", "bad"]
TONES: dict[Tone, tuple[str, str]] = {  # type colour and fill of a cell that reports a state
    "ok": (LIGHT.ok, LIGHT.ok_background),
    "warn": (LIGHT.warn, LIGHT.warn_background),
    "bad": (LIGHT.bad, LIGHT.bad_background),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a cell looks, and whether it may be changed."""

    color: str = LIGHT.text
    fill: str = ""
    bold: bool = False
    size: float = 11
    number: str = "General"
    align: Literal["left", "right", "center"] = "left"
    wrap: bool = False
    shrink: bool = False  # smaller type rather than ### where a number is too long
    line: Line = "hair"
    locked: bool = True
    underline: bool = False  # of a link that leads somewhere


TITLE = Look(LIGHT.primary, bold=True, size=18, line="none")
SECTION = Look(bold=True, size=13, line="none")
NOTE = Look(LIGHT.text3, size=10, line="none")
WARNING = Look(LIGHT.bad, bold=True, size=10, line="none")
HEADER = Look(LIGHT.on_primary, LIGHT.primary, bold=True, size=10, wrap=True, line="none")
HEADER_NUMBER = Look(LIGHT.on_primary, LIGHT.primary, bold=True, size=10, align="right", wrap=True, line="none")
GROUP = Look(LIGHT.text2, LIGHT.sunken, bold=True, size=11)
KIND = Look(LIGHT.text3, size=10, align="center")
LABEL = Look(wrap=True)
LABEL_BOLD = Look(bold=True)
SMALL = Look(LIGHT.text2, size=10, wrap=True)
UNIT = Look(LIGHT.text3, size=10)
NUMBER = Look(align="right", shrink=True)
NUMBER_BOLD = Look(bold=True, align="right", shrink=True)
LINK = Look(LIGHT.ok, align="right", shrink=True)
INPUT = Look(LIGHT.accent, LIGHT.input_background, align="right", locked=False, shrink=True)
PREDICTED = Look(LIGHT.unknown, LIGHT.unknown_background, align="right", shrink=True)
LOCKED = Look(LIGHT.text2, align="right", shrink=True)
CHECK_LIGHT = Look(bold=True, align="left", line="none")
FIGURE = Look(LIGHT.ok, bold=True, align="right", shrink=True)
ASK = Look(LIGHT.text, LIGHT.accent_background, bold=True, size=16, align="right", shrink=True)
ASK_LABEL = Look(LIGHT.text, LIGHT.accent_background, bold=True)
OUTPUT = Look(LIGHT.text, LIGHT.accent_background, bold=True, align="right", line="total", shrink=True)
OUTPUT_LABEL = Look(LIGHT.text, LIGHT.accent_background, bold=True, line="total")
OUTPUT_UNIT = Look(LIGHT.text3, LIGHT.accent_background, size=10, line="total")
OUTPUT_NOTE = Look(LIGHT.warn, LIGHT.accent_background, size=10, line="total")

# Formats by unit; a unit that is not listed takes the format that its value asks for.
_FORMATS = {
    "usd_per_gpu_hour": "#,##0.000000",
    "usd_per_instance_hour": "#,##0.000000",
    "usd_per_gb_month": "#,##0.000000",
    "currency_per_usd": "#,##0.000000",
    "usd": "#,##0.00",
    "share": "0.0%",
    "ratio": "0.00",
    "percent": "#,##0.0#",
    "byte": "#,##0",
    "date": "yyyy-mm-dd",
}
_MEASURED = ("days", "month", "hours", "kwh", "kg_co2e", "tco2e", "gpu_hour", "gb", "gb_month", "litre")
_SCIENTIFIC = "0.000E+00"
_NOISE = 1e-12  # what rounding leaves of a difference that is nought
_LARGEST_PLAIN = 1e15  # from here on digits are noise


def number_format(unit: str, value: object) -> str:
    """The number format of a cell that holds `value` in `unit`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _FORMATS.get(unit, "General")
    size = abs(value)
    if size >= _LARGEST_PLAIN or unit.startswith("flop"):
        return _SCIENTIFIC
    if unit == "factor":
        return "0.00" if size >= 1 else "0.000"
    if unit in _FORMATS:
        return _FORMATS[unit]
    return _measure_format(size) if unit in _MEASURED else _plain_format(size)


def _measure_format(size: float) -> str:
    """Three figures at least, of a quantity that is never exact."""
    if size >= 0.1 or size < _NOISE:
        return "#,##0" if size >= 100 else "0.0" if size >= 10 else "0.00"
    return "0.0000" if size >= 0.001 else _SCIENTIFIC


def _plain_format(size: float) -> str:
    """Whole numbers whole, others with the digits that matter."""
    if float(size).is_integer() or size >= 10_000:
        return "#,##0"
    if size < _NOISE:
        return "0"
    return "#,##0.00" if size >= 100 else "0.0000" if size >= 0.01 else _SCIENTIFIC


class Painter:
    """Gives cells their look; remembers what openpyxl made of each look, for it makes them slowly."""

    def __init__(self, language: Language, tones: Mapping[str, str]) -> None:
        """Looks in the font of `language`; `tones` are the colours of an organisation for some of ours."""
        self.tones = tones
        self._font, self.letter = FONTS[language], LETTERS[language]
        self._known: dict[Look, StyleArray] = {}

    def paint(self, cell: Cell, look: Look) -> None:
        """Give `cell` the look."""
        if look not in self._known:
            self._make(cell, look)
            self._known[look] = copy(cell._style)  # type: ignore[attr-defined]  # the stubs leave it out
        cell._style = copy(self._known[look])  # type: ignore[attr-defined]

    def _tone(self, color: str) -> str:
        return self.tones.get(color, color)

    def _make(self, cell: Cell, look: Look) -> None:
        from openpyxl.styles import Alignment, Font, PatternFill, Protection

        color = self._tone(look.color)
        cell.font = Font(
            name=self._font, size=look.size, bold=look.bold, color=color, underline="single" if look.underline else None
        )
        if look.fill:
            cell.fill = PatternFill("solid", fgColor=self._tone(look.fill))
        indent = 0 if look.align == "center" else 1
        cell.alignment = Alignment(
            horizontal=look.align, vertical="center", indent=indent, wrap_text=look.wrap, shrink_to_fit=look.shrink
        )
        cell.border = _border(look.line)
        cell.number_format = look.number
        cell.protection = Protection(locked=look.locked)


@lru_cache(maxsize=4)
def _border(line: Line) -> Border:
    from openpyxl.styles import Border, Side

    if line == "none":
        return Border()
    hair = Side("thin", color=LIGHT.line)
    return Border(bottom=hair) if line == "hair" else Border(top=Side("medium", color=LIGHT.text), bottom=hair)
