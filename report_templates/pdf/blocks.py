"""Building blocks of a page: texts of several looks, headings with an entry in the outline, boxes that may be split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from reportlab.platypus import Flowable

from desktop_app.foundation.wording import Language
from report_templates.pdf.draw import Pen
from report_templates.pdf.fonts import BOLD, REGULAR, has_han, one_line, printable
from report_templates.pdf.lines import Text
from report_templates.pdf.style import Align, text_style

WIDE = "\u00a0\u00a0 "
"""A wide gap between two looks on one line; plain spaces would be drawn together."""


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a text with a look of its own; None keeps that of the paragraph."""

    text: str
    bold: bool | None = None
    tone: str | None = None
    size: float | None = None


def runs(parts: Sequence[Run], kind: str, language: Language, align: Align = "left") -> Text:
    """A paragraph of several looks. Whatever looks like markup in a text is printed as it stands."""
    shown = [printable(part.text) for part in parts]
    markup = "".join(_marked(part, text) for part, text in zip(parts, shown, strict=True))
    return Text(markup, text_style(kind, language, align, any(map(has_han, shown))))


def _marked(part: Run, text: str) -> str:
    look = "" if part.bold is None else f' name="{BOLD if part.bold else REGULAR}"'
    look += f' color="#{part.tone}"' if part.tone else ""
    look += f' size="{part.size}"' if part.size else ""
    inner = escape(text).replace("\n", "<br/>")
    return f"<font{look}>{inner}</font>" if look else inner


class Heading(Text):
    """A heading that is also an entry of the outline. `entry` is its key, its words and its level from 0."""

    entry: tuple[str, str, int] | None = None

    def split(self, across: float, up: float) -> list[Flowable]:
        """The parts, of which the first keeps the entry."""
        parts: list[Flowable] = super().split(across, up)
        if parts and isinstance(parts[0], Heading):
            parts[0].entry = self.entry
        return parts

    def draw(self) -> None:
        """Mark the place, then draw the words."""
        if self.entry is not None:
            key, title, level = self.entry
            self.canv.bookmarkHorizontal(key, 0, self.height)
            self.canv.addOutlineEntry(title, key, level)
        super().draw()


def heading(parts: Sequence[Run], kind: str, language: Language, key: str, level: int = 0) -> Heading:
    """A heading of some looks with its outline entry."""
    plain = runs(parts, kind, language)
    made = Heading("", plain.style, frags=plain.frags)
    made.entry = (key, one_line(" ".join(part.text for part in parts)), level)
    return made


@dataclass(frozen=True, slots=True)
class BoxLook:
    """How a box looks: colour, corner radius, border, coloured edge at the left, space inside."""

    tone: str
    radius: float
    border: str | None = None
    edge: str | None = None
    left: float = 12.0
    right: float = 12.0
    top: float = 10.0
    bottom: float = 10.0


_EDGE = 4.0  # width of the coloured edge
_EDGE_INSET = 7.0  # it ends before the round corners


class Box(Flowable):
    """Content on a coloured panel. Where a page ends, the box is closed and opened again on the next one."""

    def __init__(self, content: Sequence[Flowable], look: BoxLook, before: float = 0.0, after: float = 0.0) -> None:
        """Hold `content`, with space around the box."""
        super().__init__()
        self._content, self._look = list(content), look
        self.spaceBefore, self.spaceAfter = before, after

    def wrap(self, across: float, up: float) -> tuple[float, float]:
        """As wide as the page allows, as high as the content needs."""
        self.width = across
        self._sizes = [self._wrapped(part, up) for part in self._content]
        gaps = sum(self._gap(number) for number in range(len(self._content)))
        self.height = sum(self._sizes) + gaps + self._look.top + self._look.bottom
        return self.width, self.height

    def split(self, across: float, up: float) -> list[Flowable]:
        """Two boxes, the first as full as `up` allows; [] when nothing fits."""
        self.wrap(across, up)
        room = up - self._look.top - self._look.bottom
        head: list[Flowable] = []
        tail = list(self._content)
        while tail:
            needed = self._sizes[len(head)] + self._gap(len(head))
            if needed > room:
                break
            room -= needed
            head.append(tail.pop(0))
        if tail:
            inside = across - self._look.left - self._look.right
            pieces: list[Any] = tail[0].splitOn(self.canv, inside, room - self._gap(len(head)))
            if len(pieces) > 1:
                head.append(pieces[0])
                tail[:1] = pieces[1:]
        if not head or not tail:
            return []
        return [Box(head, self._look, self.spaceBefore), Box(tail, self._look, 0.0, self.spaceAfter)]

    def draw(self) -> None:
        """Panel, edge, content."""
        look, pen = self._look, Pen(self.canv)
        pen.panel(0, 0, self.width, self.height, look.tone, look.radius, look.border)
        if look.edge:
            pen.fill(0, _EDGE_INSET, _EDGE, self.height - 2 * _EDGE_INSET, look.edge)
        y = self.height - look.top
        for number, (part, size) in enumerate(zip(self._content, self._sizes, strict=True)):
            y -= size + self._gap(number)
            part.drawOn(self.canv, look.left, y)

    def _wrapped(self, part: Flowable, room: float) -> float:
        return float(part.wrapOn(self.canv, self.width - self._look.left - self._look.right, room)[1])

    def _gap(self, number: int) -> float:
        """The space above a part: the larger of what it and the part before it ask for."""
        if number == 0:
            return 0.0
        return float(max(self._content[number - 1].getSpaceAfter(), self._content[number].getSpaceBefore()))
