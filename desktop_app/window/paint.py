"""Small strokes that the painted parts share. Rectangles on whole pixels, antialiasing for round shapes only."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF, QTextLayout

from desktop_app.window.look import Look

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter

_DOTS = "..."
RING_ROOM = 4  # logical px around a control: a gap of 2 and a ring of 2 (look/TOKENS section 3)


def text(
    painter: QPainter, rect: QRect, words: str, font: QFont, colour: QColor, flags: Qt.AlignmentFlag = LEFT
) -> None:
    """One line of text, elided at the end when it is too long for `rect`."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, int(flags), elided(words, QFontMetrics(font), rect.width()))


def elided(words: str, metrics: QFontMetrics, width: int) -> str:
    """`words`, or as many letters as fit before three dots; "…" would stand at half height in a Chinese font."""
    if metrics.horizontalAdvance(words) <= width:
        return words
    room = width - metrics.horizontalAdvance(_DOTS)
    kept, beyond = 0, len(words)
    while beyond - kept > 1:
        middle = (kept + beyond) // 2
        if metrics.horizontalAdvance(words[:middle]) <= room:
            kept = middle
        else:
            beyond = middle
    return f"{words[:kept].rstrip()}{_DOTS}" if room > 0 else ""


def wrapped(painter: QPainter, rect: QRect, words: str, font: QFont, colour: QColor) -> None:
    """As many lines of text as `rect` is about high; the last one is elided where that is not enough."""
    metrics = QFontMetrics(font)
    lines = max(1, round(rect.height() / metrics.height()))
    layout, start = QTextLayout(words, font), 0
    layout.beginLayout()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(rect.width())
        last = number == lines - 1
        shown = words[start:] if last else words[start : start + line.textLength()].rstrip()
        start += line.textLength()
        place = QRect(rect.left(), rect.top() + number * metrics.height(), rect.width(), metrics.height())
        text(painter, place, shown, font, colour)
    layout.endLayout()


def rounded(
    painter: QPainter, rect: QRect, radius: float, fill: QColor | None, border: QColor | None = None, width: float = 1
) -> None:
    """A rectangle with round corners; the border runs inside `rect`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(border, width) if border else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill else Qt.BrushStyle.NoBrush)
    inset = width / 2 if border else 0.0
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def ring(painter: QPainter, rect: QRect, radius: float, look: Look) -> None:
    """The focus ring: 2 px of accent on the edge of `rect`."""
    rounded(painter, rect, radius, None, look.colour("accent"), 2)


def diamond(painter: QPainter, x: float, y: float, half: float, look: Look) -> None:
    """The hollow diamond of the amount to approve."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.colour("accent"), 1.6 * look.base / 13))
    painter.setBrush(look.colour("surface"))
    corners = [QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half), QPointF(x - half, y)]
    painter.drawPolygon(QPolygonF(corners))
    painter.restore()


def hatched(painter: QPainter, rect: QRect, colour: QColor, spacing: int) -> None:
    """Diagonal stripes inside `rect`, drawn as lines because Qt's brush patterns do not scale with the display."""
    painter.save()
    painter.setClipRect(rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.2))
    for x in range(rect.left() - rect.height(), rect.right() + rect.height(), max(3, spacing)):
        painter.drawLine(QPointF(x, rect.bottom() + 1), QPointF(x + rect.height(), rect.top()))
    painter.restore()


def pill(painter: QPainter, rect: QRect, words: str, look: Look, colour: str, background: str) -> None:
    """A small tag: words on a tinted round rectangle."""
    rounded(painter, rect, look.px(4), look.colour(background))
    text(painter, rect, words, look.font("caption", semibold=True), look.colour(colour), CENTRE)


def circle(x: float, y: float, radius: float) -> QPainterPath:
    """A circle as a path."""
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), radius, radius)
    return path
