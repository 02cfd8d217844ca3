"""A slider over powers of ten for the number of tokens: rough setting by hand, the box beside it for the exact one."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider

from desktop_app.foundation.formatting import compact
from desktop_app.window import paint
from desktop_app.window.look import Look

_STEPS = 40  # positions per power of ten


@dataclass(frozen=True, slots=True)
class SliderScale:
    """From 10^low to 10^high, with a mark at each power named."""

    low: int
    high: int
    marks: tuple[int, ...]


# The choices that have a slider. Fine-tuning jobs see some million tokens, the largest runs some ten trillion.
SLIDERS: dict[str, SliderScale] = {"tokens": SliderScale(6, 14, (6, 8, 10, 12, 14))}


class PowerSlider(QSlider):
    """Positions are logarithms; `dragged` carries the number, rounded to two digits."""

    dragged = Signal(float)

    def __init__(self, look: Look, scale: SliderScale) -> None:
        """At its lowest."""
        super().__init__(Qt.Orientation.Horizontal)
        self._look, self._scale = look, scale
        self.setRange(scale.low * _STEPS, scale.high * _STEPS)
        self.setSingleStep(1)
        self.setPageStep(_STEPS // 2)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._moved)
        look.changed.connect(self.update)

    def show_number(self, value: float) -> None:
        """Move the handle without telling anybody; numbers off the scale stand at its end."""
        self.blockSignals(True)
        self.setValue(round(math.log10(max(value, 1)) * _STEPS))
        self.blockSignals(False)

    def sizeHint(self) -> QSize:
        """Track and the words of the marks."""
        return QSize(self._look.px(200), self._look.px(34))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Without focus the wheel scrolls the form."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, filled part, marks with words, handle."""
        look, painter = self._look, QPainter(self)
        left, right = self._ends()
        y = look.px(10)
        handle = self._place(self.value(), left, right)
        thick = look.px(4)
        paint.rounded(painter, QRect(left, y - thick // 2, right - left, thick), 2, look.colour("track"))
        paint.rounded(painter, QRect(left, y - thick // 2, handle - left, thick), 2, look.colour("accent"))
        for mark in self._scale.marks:
            x = self._place(mark * _STEPS, left, right)
            painter.fillRect(QRect(x, y + look.px(5), 1, look.px(4)), look.colour("control"))
            words = compact(10.0**mark, look.language, 1)
            start = max(0, min(x - look.px(30), self.width() - look.px(60)))
            rect = QRect(start, y + look.px(9), look.px(60), look.px(15))
            flags = paint.CENTRE if start == x - look.px(30) else paint.LEFT if start == 0 else paint.RIGHT
            paint.text(painter, rect, words, look.font("caption"), look.colour("text3"), flags)
        radius = look.px(6)
        ball = QRect(handle - radius, y - radius, 2 * radius, 2 * radius)
        paint.rounded(painter, ball, radius, look.colour("surface"), look.colour("accent"), 2)
        if self.hasFocus():
            paint.ring(painter, ball.adjusted(-4, -4, 4, 4), radius + 4, look)

    def _ends(self) -> tuple[int, int]:
        room = self._look.px(16)
        return room, self.width() - room

    def _place(self, position: int, left: int, right: int) -> int:
        return left + round((right - left) * (position - self.minimum()) / (self.maximum() - self.minimum()))

    def _moved(self, position: int) -> None:
        number = float(f"{10 ** (position / _STEPS):.1e}")
        self.dragged.emit(number)
