"""Vector drawing with the fonts and colours of the proposal: a pen, and the shapes of verdicts and marks.

Ticks, triangles and diamonds are paths, so that no font needs to have them; each stands beside a word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from desktop_app.estimation.results import Fits
from report_templates.pdf.fonts import BOLD, REGULAR, fonts, width
from report_templates.pdf.style import color
from report_templates.style import LIGHT

Anchor = Literal["start", "middle", "end"]


class Pen:
    """Draws on a canvas; lengths are points, y grows upwards."""

    def __init__(self, canvas: Canvas) -> None:
        """Draw on `canvas`, where it stands now."""
        fonts()
        self.canvas = canvas

    def text(
        self, x: float, y: float, text: str, size: float, tone: str, bold: bool = False, anchor: Anchor = "start"
    ) -> float:
        """Write one line with its baseline at `y`; gives the x where it ends."""
        length = width(text, size, bold)
        start = x - {"start": 0.0, "middle": length / 2, "end": length}[anchor]
        self.canvas.setFont(BOLD if bold else REGULAR, size)
        self.canvas.setFillColor(color(tone))
        self.canvas.drawString(start, y, text)
        return start + length

    def fill(self, x: float, y: float, across: float, up: float, tone: str) -> None:
        """A filled rectangle."""
        self.canvas.setFillColor(color(tone))
        self.canvas.rect(x, y, across, up, stroke=0, fill=1)

    def panel(
        self, x: float, y: float, across: float, up: float, tone: str, radius: float, border: str | None = None
    ) -> None:
        """A filled rectangle with round corners, with a border of 0.8 pt where one is named."""
        self.canvas.setFillColor(color(tone))
        if border:
            self.canvas.setStrokeColor(color(border))
            self.canvas.setLineWidth(0.8)
        self.canvas.roundRect(x, y, across, up, radius, stroke=int(border is not None), fill=1)

    def line(self, x1: float, y1: float, x2: float, y2: float, tone: str, thickness: float = 0.8) -> None:
        """A straight line."""
        self.canvas.setStrokeColor(color(tone))
        self.canvas.setLineWidth(thickness)
        self.canvas.line(x1, y1, x2, y2)

    def path(self, points: tuple[tuple[float, float], ...], tone: str, thickness: float = 0.0) -> None:
        """A filled polygon, or an open line of some thickness with round ends."""
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if thickness:
            self.canvas.setStrokeColor(color(tone))
            self.canvas.setLineWidth(thickness)
            self.canvas.setLineCap(1)
            self.canvas.setLineJoin(1)
            self.canvas.drawPath(path, stroke=1, fill=0)
            self.canvas.setLineCap(0)
            self.canvas.setLineJoin(0)
        else:
            path.close()
            self.canvas.setFillColor(color(tone))
            self.canvas.drawPath(path, stroke=0, fill=1)

    def circle(self, x: float, y: float, radius: float, tone: str) -> None:
        """A filled circle around a point."""
        self.canvas.setFillColor(color(tone))
        self.canvas.circle(x, y, radius, stroke=0, fill=1)

    def diamond(self, x: float, y: float, radius: float, tone: str, inside: str) -> None:
        """A hollow diamond around a point: the amount to approve."""
        self.path(_diamond(x, y, radius), tone)
        self.path(_diamond(x, y, radius - 1.9), inside)

    def stripes(self, x: float, y: float, across: float, up: float, tone: str) -> None:
        """Diagonal stripes, cut at the rectangle: what is set aside and not used for certain."""
        self.canvas.saveState()
        outline = self.canvas.beginPath()
        outline.rect(x, y, across, up)
        self.canvas.clipPath(outline, stroke=0, fill=0)
        start = x - up
        while start < x + across:
            self.line(start, y, start + up, y + up, tone, 0.9)
            start += 4.0
        self.canvas.restoreState()


class Drawn(Flowable):
    """A picture of a fixed size in the run of the text. `paint` draws it with (0, 0) at its lower left corner."""

    def __init__(self, across: float, up: float, paint: Callable[[Pen], None]) -> None:
        """Nothing is drawn before the page is."""
        super().__init__()
        self.width, self.height = across, up
        self._paint = paint

    def wrap(self, across: float, up: float) -> tuple[float, float]:
        """The size."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw it."""
        self._paint(Pen(self.canv))


def mark(pen: Pen, fits: Fits, x: float, y: float, side: float) -> None:
    """The shape of a verdict in a square whose lower left corner is (x, y).

    Yes is a disc with a tick, tight a triangle with a bar, no an octagon with a cross, unknown a square with a
    question mark.
    """
    middle, half = (x + side / 2, y + side / 2), side / 2
    stroke = side * 0.12
    if fits == "yes":
        pen.circle(*middle, half, LIGHT.ok)
        pen.path(_at(x, y, side, (0.28, 0.50), (0.44, 0.34), (0.73, 0.66)), LIGHT.surface, stroke)
    elif fits == "tight":
        warning(pen, x, y, side)
    elif fits == "no":
        cut = 0.29  # of a regular octagon
        corners = ((cut, 0), (1 - cut, 0), (1, cut), (1, 1 - cut), (1 - cut, 1), (cut, 1), (0, 1 - cut), (0, cut))
        pen.path(_at(x, y, side, *corners), LIGHT.bad)
        pen.path(_at(x, y, side, (0.32, 0.32), (0.68, 0.68)), LIGHT.surface, stroke)
        pen.path(_at(x, y, side, (0.32, 0.68), (0.68, 0.32)), LIGHT.surface, stroke)
    else:
        pen.panel(x, y, side, side, LIGHT.unknown, side * 0.15)
        pen.text(middle[0], y + side * 0.22, "?", side * 0.72, LIGHT.surface, bold=True, anchor="middle")


def warning(pen: Pen, x: float, y: float, side: float) -> None:
    """A triangle with an exclamation mark."""
    pen.path(_at(x, y, side, (0.5, 0.98), (1.0, 0.06), (0.0, 0.06)), LIGHT.warn)
    pen.path(_at(x, y, side, (0.5, 0.64), (0.5, 0.42)), LIGHT.surface, side * 0.1)
    pen.circle(x + side * 0.5, y + side * 0.21, side * 0.065, LIGHT.surface)


def brand(pen: Pen, x: float, y: float, side: float) -> None:
    """The mark of the program: three bars on a filled square."""
    pen.panel(x, y, side, side, LIGHT.primary, side * 0.23)
    for left, up in ((0.208, 0.25), (0.423, 0.417), (0.638, 0.583)):  # the icon of the program
        pen.fill(x + side * left, y + side * 0.208, side * 0.154, side * up, LIGHT.surface)


def _diamond(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    return ((x - radius, y), (x, y + radius), (x + radius, y), (x, y - radius))


def _at(x: float, y: float, side: float, *points: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Points of a unit square, placed."""
    return tuple((x + px * side, y + py * side) for px, py in points)
