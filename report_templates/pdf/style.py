"""The look of the proposal as data: paper, margins, type and the paragraphs made of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.styles import ParagraphStyle

from desktop_app.foundation.wording import Language
from report_templates.pdf.fonts import BOLD, REGULAR, fonts, has_han, printable
from report_templates.pdf.lines import Text
from report_templates.style import LIGHT

Paper = Literal["a4", "letter"]
Align = Literal["left", "right", "centre"]

_ALIGNMENTS: dict[Align, Literal[0, 1, 2]] = {"left": 0, "centre": 1, "right": 2}  # reportlab.lib.enums
_MM = 72 / 25.4  # points in a millimetre
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210 * _MM, 297 * _MM), "letter": (612.0, 792.0)}  # ISO 216, ANSI A
SIDE = 20 * _MM  # margin left and right
TOP, BOTTOM = 62.0, 58.0  # where the text of a page ends
HEADER_BASELINE, HEADER_RULE = 36.0, 43.0  # from the top
FOOTER_BASELINE, FOOTER_RULE = 31.0, 43.0  # from the bottom
BAND = 8.0  # coloured band over the first page


@dataclass(frozen=True, slots=True)
class Type:
    """One kind of text: size and leading in points (Chinese needs more leading), weight, colour, space around."""

    size: float
    leading: float
    bold: bool = False
    color: str = LIGHT.text
    before: float = 0.0
    after: float = 0.0
    leading_zh: float | None = None
    indent: float = 0.0
    with_next: bool = False  # never the last thing on a page
    whole: bool = False  # not divided between two columns


TYPES: dict[str, Type] = {
    "title": Type(24, 30, bold=True, after=6),
    "lead": Type(12, 18, color=LIGHT.text2, after=10, leading_zh=19),
    "section": Type(18, 24, bold=True, before=20, after=6, with_next=True),
    "memo_title": Type(17, 22, bold=True, after=3),
    "memo_head": Type(11, 14, bold=True, before=7, after=2, with_next=True),
    "subhead": Type(14, 19, bold=True, before=12, after=3, with_next=True),
    "group": Type(10.5, 14, bold=True, color=LIGHT.accent, before=8, after=3, with_next=True),
    "group_small": Type(9, 11, bold=True, color=LIGHT.accent, before=5, after=1.5, with_next=True),
    "body": Type(10.5, 15.5, after=5, leading_zh=17),
    "caption": Type(10.5, 14, bold=True, before=8, after=4),
    "caption_unit": Type(8.5, 11, color=LIGHT.text3),
    "head": Type(8.5, 10.5, bold=True, color=LIGHT.text2),
    "cell": Type(9, 11, leading_zh=12.5),
    "cell_bold": Type(9, 11, bold=True, leading_zh=12.5),
    "cell_soft": Type(9, 11, color=LIGHT.text3, leading_zh=12.5),
    "cell_warn": Type(9, 11, color=LIGHT.warn, leading_zh=12.5),
    "note": Type(8.5, 12, color=LIGHT.text2, before=3, after=3),
    "small": Type(8.5, 11.5, after=3, leading_zh=12.5),
    "formula": Type(8, 9.4, after=2.2, leading_zh=10.8, whole=True),
    "command": Type(8, 11, color=LIGHT.text2, before=2, after=5, indent=8),
    "figure": Type(32, 39, bold=True),
    "middle": Type(17, 22, bold=True),
    "label": Type(9, 12, color=LIGHT.text2),
    "scenario": Type(9, 12, color=LIGHT.text2, after=6, leading_zh=14),
    "label_soft": Type(8.5, 11, color=LIGHT.text3),
    "box": Type(9.5, 14, color=LIGHT.text2, leading_zh=15),
    "box_warn": Type(9.5, 14, color=LIGHT.warn, leading_zh=15),
    "check_title": Type(11, 15, bold=True, color=LIGHT.warn, after=2),
    "check_item": Type(9.5, 13.5, before=2, leading_zh=15, indent=20),
}


@lru_cache(maxsize=64)  # more than there are colours
def color(digits: str) -> Color:
    """A colour of the palette."""
    return HexColor(f"#{digits}")


@lru_cache(maxsize=512)  # kinds of text, times three alignments, two languages and two ways to break lines
def text_style(
    kind: str, language: Language, align: Align = "left", han: bool = False, scale: float = 1.0
) -> ParagraphStyle:
    """The paragraph style of a kind of text. With `han`, lines may end between any two Chinese characters."""
    fonts()
    look = TYPES[kind]
    style = ParagraphStyle(
        f"{kind}-{align}-{han}-{scale}",
        fontName=BOLD if look.bold else REGULAR,
        bulletFontName=REGULAR,
        fontSize=look.size * scale,
        leading=(look.leading_zh if language == "zh" and look.leading_zh else look.leading) * scale,
        textColor=color(look.color),
        spaceBefore=look.before,
        spaceAfter=look.after,
        leftIndent=look.indent,
        keepWithNext=int(look.with_next),
        alignment=_ALIGNMENTS[align],
        allowWidows=0,
        allowOrphans=0,
        wordWrap="CJK" if han else None,
        splitLongWords=1,
    )
    style.kept_whole = look.whole  # read by lines.Text
    return style


def paragraph(text: str, kind: str, language: Language, align: Align = "left", scale: float = 1.0) -> Text:
    """Any text, whoever wrote it, as a paragraph: what looks like markup is printed as it stands."""
    shown = printable(text).replace(" %", "\u00a0%")
    markup = escape(shown).replace("\n", "<br/>")
    return Text(markup, text_style(kind, language, align, has_han(shown), scale))
