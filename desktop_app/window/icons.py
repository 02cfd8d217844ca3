"""The window's own icons: line drawings on a grid of 20 units, and the filled shapes that are kept for verdicts."""

from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

Icon = Literal[
    "model", "job", "cluster", "price", "beside", "energy", "undo", "redo", "reset", "globe", "sheet", "page", "copy",
    "close", "up", "down", "right",
]  # fmt: skip
Shape = Literal["yes", "tight", "no", "unknown"]

_GRID = 20
_STROKE = 1.5

# Straight strokes as lists of points. Circles: x, y, radius. Boxes: x, y, width, height, corner radius.
_STROKES: dict[Icon, tuple[tuple[tuple[float, float], ...], ...]] = {
    "model": (((5.5, 7), (9.5, 10)), ((5.5, 13), (9.5, 10)), ((12.5, 10), (15, 6.5)), ((12.5, 10), (15, 13.5))),
    "job": (((3, 8), (17, 8)), ((7, 2.5), (7, 5.5)), ((13, 2.5), (13, 5.5)), ((7, 12.5), (9.2, 14.5), (13, 10.8))),
    "cluster": (((9.5, 6), (14, 6)), ((9.5, 14), (14, 14))),
    "price": (((10, 4.8), (10, 15.2)),),
    "beside": (((10, 6.5), (10, 13.5)), ((6.5, 10), (13.5, 10))),
    "energy": (((11.5, 2), (4, 11.5), (9.5, 11.5), (8.5, 18), (16, 8.5), (10.5, 8.5), (11.5, 2)),),
    "undo": (((7.5, 3.5), (4, 7), (7.5, 10.5)),),
    "redo": (((12.5, 3.5), (16, 7), (12.5, 10.5)),),
    "reset": (((4, 3.5), (4, 7.5), (8, 7.5)),),
    "globe": (((2.8, 10), (17.2, 10)),),
    "sheet": (((3, 8), (17, 8)), ((3, 12.5), (17, 12.5)), ((8, 8), (8, 17))),
    "page": (((11.5, 2.5), (11.5, 6.5), (15.5, 6.5)), ((7.5, 10.5), (12.5, 10.5)), ((7.5, 13.5), (12.5, 13.5)),
             ((11.5, 2.5), (4.5, 2.5), (4.5, 17.5), (15.5, 17.5), (15.5, 6.5), (11.5, 2.5))),
    "copy": (((4, 13), (3, 13), (3, 3), (13, 3), (13, 4)),),
    "close": (((4.5, 4.5), (15.5, 15.5)), ((15.5, 4.5), (4.5, 15.5))),
    "up": (((5, 12.5), (10, 7.5), (15, 12.5)),),
    "down": (((5, 7.5), (10, 12.5), (15, 7.5)),),
    "right": (((7.5, 5), (12.5, 10), (7.5, 15)),),
}  # fmt: skip
_CIRCLES: dict[Icon, tuple[tuple[float, float, float], ...]] = {
    "model": ((4, 5.8, 1.8), (4, 14.2, 1.8), (11, 10, 1.8), (16, 5, 1.8), (16, 15, 1.8)),
    "cluster": ((6.2, 6, 0.7), (6.2, 14, 0.7)),
    "price": ((10, 10, 7.2),),
    "globe": ((10, 10, 7.2),),
}
_BOXES: dict[Icon, tuple[tuple[float, float, float, float, float], ...]] = {
    "job": ((3, 4, 14, 13, 2),),
    "beside": ((3, 3, 14, 14, 2),),
    "cluster": ((3, 3, 14, 6, 1.5), (3, 11, 14, 6, 1.5)),
    "sheet": ((3, 3, 14, 14, 1.5),),
    "copy": ((7, 7, 10, 10, 1.5),),
}


def draw_icon(painter: QPainter, icon: Icon, rect: QRect, colour: QColor) -> None:
    """The line drawing `icon`, filling `rect`."""
    painter.save()
    _to_grid(painter, rect)
    painter.setPen(QPen(colour, _STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(_path(icon))
    painter.restore()


def _to_grid(painter: QPainter, rect: QRect) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / _GRID, rect.height() / _GRID)


def _path(icon: Icon) -> QPainterPath:
    path = QPainterPath()
    for points in _STROKES.get(icon, ()):
        path.moveTo(QPointF(*points[0]))
        for point in points[1:]:
            path.lineTo(QPointF(*point))
    for x, y, radius in _CIRCLES.get(icon, ()):
        path.addEllipse(QPointF(x, y), radius, radius)
    for x, y, width, height, radius in _BOXES.get(icon, ()):
        path.addRoundedRect(QRectF(x, y, width, height), radius, radius)
    _add_curves(path, icon)
    return path


def _add_curves(path: QPainterPath, icon: Icon) -> None:
    """The few icons that are not made of straight lines alone."""
    if icon == "undo":
        path.moveTo(4, 7)
        path.lineTo(11.5, 7)
        path.cubicTo(QPointF(18, 7), QPointF(18, 16), QPointF(11.5, 16))
        path.lineTo(8, 16)
    elif icon == "redo":
        path.moveTo(16, 7)
        path.lineTo(8.5, 7)
        path.cubicTo(QPointF(2, 7), QPointF(2, 16), QPointF(8.5, 16))
        path.lineTo(12, 16)
    elif icon == "reset":
        path.moveTo(4.3, 7.3)
        path.arcTo(QRectF(3.5, 3.5, 13, 13), 155, -310)
    elif icon == "globe":
        path.addEllipse(QPointF(10, 10), 3.2, 7.2)
    elif icon == "price":
        path.moveTo(12.6, 7.6)
        path.cubicTo(QPointF(11.6, 5.8), QPointF(7.4, 5.8), QPointF(7.4, 8.2))
        path.cubicTo(QPointF(7.4, 10.6), QPointF(12.8, 9.4), QPointF(12.8, 12))
        path.cubicTo(QPointF(12.8, 14.4), QPointF(8.2, 14.2), QPointF(7.2, 12.4))


def draw_shape(painter: QPainter, shape: Shape, rect: QRect, colour: QColor, mark: QColor) -> None:
    """The filled shape of a verdict: disc with tick, triangle with bar, octagon with cross, square with ?."""
    painter.save()
    _to_grid(painter, rect)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPath(_outline(shape))
    painter.setPen(QPen(mark, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(_mark(shape))
    if shape in ("tight", "unknown"):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark)
        painter.drawEllipse(QPointF(10, 15.2 if shape == "tight" else 14.8), 1.25, 1.25)
    painter.restore()


def _outline(shape: Shape) -> QPainterPath:
    path = QPainterPath()
    if shape == "yes":
        path.addEllipse(QPointF(10, 10), 9.2, 9.2)
    elif shape == "unknown":
        path.addRoundedRect(QRectF(1.5, 1.5, 17, 17), 3.5, 3.5)
    else:
        corners = (
            [(10, 1.6), (19.2, 18), (0.8, 18)]
            if shape == "tight"
            else [(6.2, 1), (13.8, 1), (19, 6.2), (19, 13.8), (13.8, 19), (6.2, 19), (1, 13.8), (1, 6.2)]
        )
        path.moveTo(*corners[0])
        for corner in corners[1:]:
            path.lineTo(*corner)
        path.closeSubpath()
    return path


def _mark(shape: Shape) -> QPainterPath:
    path = QPainterPath()
    if shape == "yes":
        path.moveTo(5.8, 10.4)
        path.lineTo(8.8, 13.3)
        path.lineTo(14.3, 7)
    elif shape == "tight":
        path.moveTo(10, 7.4)
        path.lineTo(10, 11.8)
    elif shape == "no":
        path.moveTo(6.8, 6.8)
        path.lineTo(13.2, 13.2)
        path.moveTo(13.2, 6.8)
        path.lineTo(6.8, 13.2)
    else:
        path.moveTo(7.4, 8)
        path.cubicTo(QPointF(7.2, 4.4), QPointF(12.8, 4.4), QPointF(12.6, 8))
        path.cubicTo(QPointF(12.5, 9.8), QPointF(10, 9.8), QPointF(10, 11.8))
    return path


def draw_brand(painter: QPainter, rect: QRect, background: QColor, bars: QColor) -> None:
    """The brand mark: three rising bars on a round square."""
    painter.save()
    _to_grid(painter, rect)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(background)
    painter.drawRoundedRect(QRectF(0, 0, _GRID, _GRID), 4.5, 4.5)
    painter.setBrush(bars)
    for x, top in ((4.6, 11.2), (8.6, 8.2), (12.6, 5)):
        painter.drawRoundedRect(QRectF(x, top, 2.8, 15 - top), 0.6, 0.6)
    painter.restore()
