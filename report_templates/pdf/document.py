"""The document around the text: header and footer, "page x of y", outline, and what the file says of itself."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from report_templates.pdf.draw import Pen
from report_templates.pdf.fonts import REGULAR, clipped, fonts, one_line, width
from report_templates.pdf.style import (
    BAND,
    BOTTOM,
    FOOTER_BASELINE,
    FOOTER_RULE,
    HEADER_BASELINE,
    HEADER_RULE,
    SIDE,
    TOP,
    color,
)
from report_templates.style import LIGHT

_SMALL = 8.5  # size of header and footer
_COUNT_ROOM = 110.0  # points that "Page 100 of 100" may take in either language
COLUMN_GAP = 18.0  # between the two columns of an appendix


@dataclass(frozen=True, slots=True)
class Furniture:
    """What every page says, and what the file says of itself. `page_words` words "Page 3 of 12"."""

    project: str
    edition: str
    cover_foot: str
    foot: str
    page_words: Callable[[int, int], str]
    title: str
    author: str
    creator: str
    subject: str
    keywords: str
    lang: str
    made_on: date
    tones: Mapping[str, str] = field(default_factory=dict)  # colours that stand in place of the house's


class NumberedCanvas(Canvas):
    """A canvas whose pages tell how many there are: in forms that are placed at once and filled after the last page."""

    def __init__(self, *args: Any, furniture: Furniture, **kwargs: Any) -> None:
        """As the document makes it."""
        self._furniture = furniture
        self._counted = 0
        super().__init__(*args, **kwargs)
        if furniture.tones:
            self._enforceColorSpace = _Recoloured(furniture.tones)  # asked for every colour that is set
        self.setDateFormatter(lambda *now: f"D:{furniture.made_on:%Y%m%d}000000+00'00'")

    def put_count(self, x: float, y: float) -> None:
        """Place "page x of y" of the present page, ending at `x`."""
        self._counted += 1
        self.saveState()
        self.translate(x - _COUNT_ROOM, y)
        self.doForm(_form_name(self._counted))
        self.restoreState()

    def save(self) -> None:
        """Define the forms, now that the number of pages is known, and write the file."""
        for page in range(1, self._counted + 1):
            self.beginForm(_form_name(page), 0, -4, _COUNT_ROOM, _SMALL + 4)
            words = self._furniture.page_words(page, self._counted)
            Pen(self).text(_COUNT_ROOM, 0, words, _SMALL, LIGHT.text3, anchor="end")
            self.endForm()
        super().save()


class _Recoloured:
    """Prints some colours in others."""

    def __init__(self, tones: Mapping[str, str]) -> None:
        self._tones = {color(house).rgb(): color(theirs) for house, theirs in tones.items()}

    def __call__(self, asked: Any) -> Any:
        """The colour to print; what is no colour of the house stays."""
        return self._tones.get(asked.rgb(), asked) if isinstance(asked, Color) else asked


def _form_name(page: int) -> str:
    return f"page_{page}"


def built(story: list[Flowable], furniture: Furniture, size: tuple[float, float]) -> bytes:
    """The PDF of `story`. The bytes depend on the arguments alone."""
    fonts()
    file = io.BytesIO()
    document = BaseDocTemplate(
        file,
        pagesize=size,
        leftMargin=SIDE,
        rightMargin=SIDE,
        topMargin=TOP,
        bottomMargin=BOTTOM,
        title=furniture.title,
        author=furniture.author,
        subject=furniture.subject,
        keywords=[furniture.keywords],
        creator=furniture.creator,
        lang=furniture.lang,
        displayDocTitle=True,
        invariant=1,
        initialFontName=REGULAR,
        pageCompression=1,
    )
    document.addPageTemplates(
        [
            PageTemplate("cover", _frames(size, 1), onPage=partial(_cover, furniture), autoNextPageTemplate="page"),
            PageTemplate("page", _frames(size, 1), onPage=partial(_page, furniture)),
            PageTemplate("columns", _frames(size, 2), onPage=partial(_page, furniture)),
        ]
    )
    document.build(story, canvasmaker=partial(NumberedCanvas, furniture=furniture))
    return file.getvalue()


def column_width(across: float) -> float:
    """How wide one of two columns is in a text of the width `across`."""
    return (across - COLUMN_GAP) / 2


def _frames(size: tuple[float, float], columns: int) -> list[Frame]:
    """Where the text of a page stands."""
    across, up = size[0] - 2 * SIDE, size[1] - TOP - BOTTOM
    room = across if columns == 1 else column_width(across)
    return [
        Frame(SIDE + number * (room + COLUMN_GAP), BOTTOM, room, up, 0, 0, 0, 0, id=f"text-{columns}-{number}")
        for number in range(columns)
    ]


def _cover(furniture: Furniture, canvas: NumberedCanvas, document: BaseDocTemplate) -> None:
    """The first page: a band at the top, the footer says what kind of document it is."""
    across, up = document.pagesize
    pen = Pen(canvas)
    pen.fill(0, up - BAND, across, BAND, LIGHT.primary)
    canvas.showOutline()
    _footer(furniture, canvas, across, furniture.cover_foot)


def _page(furniture: Furniture, canvas: NumberedCanvas, document: BaseDocTemplate) -> None:
    """Every other page: header with the project, footer."""
    across, up = document.pagesize
    pen = Pen(canvas)
    y = up - HEADER_BASELINE
    edition = one_line(furniture.edition)
    room = across - 2 * SIDE - width(edition, _SMALL) - 16
    pen.text(SIDE, y, clipped(one_line(furniture.project), _SMALL, room, bold=True), _SMALL, LIGHT.text2, bold=True)
    pen.text(across - SIDE, y, edition, _SMALL, LIGHT.text3, anchor="end")
    pen.line(SIDE, up - HEADER_RULE, across - SIDE, up - HEADER_RULE, LIGHT.line)
    _footer(furniture, canvas, across, furniture.foot)


def _footer(furniture: Furniture, canvas: NumberedCanvas, across: float, foot: str) -> None:
    pen = Pen(canvas)
    pen.line(SIDE, FOOTER_RULE, across - SIDE, FOOTER_RULE, LIGHT.line)
    text = clipped(one_line(foot), _SMALL, across - 2 * SIDE - _COUNT_ROOM)
    pen.text(SIDE, FOOTER_BASELINE, text, _SMALL, LIGHT.text3)
    canvas.put_count(across - SIDE, FOOTER_BASELINE)
