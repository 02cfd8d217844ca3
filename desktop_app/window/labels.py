"""Text on the window: labels by step and tone, and one line that elides at its end."""

from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from desktop_app.window import paint
from desktop_app.window.look import Look, Step

Tone = Literal["text", "text2", "text3", "accent", "warn", "bad"]

_LAYOUT_DEPTH = 6  # row, body, card, column, scroll area, window
_TALLEST = 10_000  # more than any text takes
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class TextLabel(QLabel):
    """A label of one step of the type scale and one tone; both may change later."""

    def __init__(
        self, look: Look, step: Step = "body", tone: Tone = "text", semibold: bool = False, wrap: bool = False
    ) -> None:
        """An empty label; `wrap` lets it take several lines."""
        super().__init__()
        self.setFont(look.font(step, semibold))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.set_tone(tone)

    def set_tone(self, tone: Tone) -> None:
        """Change the colour by its token."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            repolish(self)


class ElidedLabel(QWidget):
    """One line of text that ends in three dots where it does not fit; the whole text is its tooltip."""

    def __init__(self, look: Look, step: Step, tone: Tone, right: bool = False, semibold: bool = False) -> None:
        """An empty line, on the left or the right of its place."""
        super().__init__()
        self._look, self._step, self._tone, self._semibold = look, step, tone, semibold
        self._flags = paint.RIGHT if right else paint.LEFT
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        look.changed.connect(self.update)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str, tone: Tone | None = None) -> None:
        """Show `text`."""
        self._text = text
        self._tone = tone or self._tone
        self.setAccessibleName(text)
        self._fit_tooltip()
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower line needs the tooltip."""
        super().resizeEvent(event)
        self._fit_tooltip()

    def _fit_tooltip(self) -> None:
        cut = self._look.metrics(self._step, self._semibold).horizontalAdvance(self._text) > self.width()
        self.setToolTip(self._text if cut else "")

    def sizeHint(self) -> QSize:
        """As wide as the text."""
        metrics = self._look.metrics(self._step, self._semibold)
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """It may shrink to a few letters."""
        return QSize(self._look.px(24), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, elided."""
        painter = QPainter(self)
        font = self._look.font(self._step, self._semibold)
        paint.text(painter, self.rect(), self._text, font, self._look.colour(self._tone), self._flags)


class WrappedText(QWidget):
    """Text in as many lines as it takes at one given width. Its height is settled when the text is, not by a layout."""

    def __init__(self, look: Look, step: Step, width: int) -> None:
        """Empty, `width` pixels wide."""
        super().__init__()
        self._look, self._step, self._width = look, step, width
        self._tone: Tone = "text2"
        self._text = ""
        look.changed.connect(self.update)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def tone(self) -> Tone:
        """Its colour by token."""
        return self._tone

    def show_text(self, text: str, tone: Tone) -> None:
        """Show `text`."""
        self._text, self._tone = text, tone
        room = QRect(0, 0, self._width, _TALLEST)
        used = self._look.metrics(self._step).boundingRect(room, int(_WRAPPED), text)
        self.setFixedHeight(used.height() if text else 0)
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """All lines."""
        painter = QPainter(self)
        painter.setFont(self._look.font(self._step))
        painter.setPen(self._look.colour(self._tone))
        painter.drawText(QRect(0, 0, self._width, self.height()), int(_WRAPPED), self._text)


class Hairline(QFrame):
    """A line one logical pixel thick."""

    def __init__(self, vertical: bool = False) -> None:
        """Across, or upright."""
        super().__init__()
        self.setProperty("part", "hairline")
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)


def repolish(widget: QWidget) -> None:
    """Have the stylesheet look at the dynamic properties of `widget` again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def settle_layouts() -> None:
    """Lay out now what has changed, layouts within layouts one after the other, so that no frame shows half of it."""
    for _ in range(_LAYOUT_DEPTH):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
