"""The flat heads that all tables of the window share: words in text2 on the sunken ground, a hairline below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from desktop_app.window import paint
from desktop_app.window.look import Look


class FlatHead(QHeaderView):
    """Heads aligned as their column."""

    def __init__(self, look: Look, parent: QWidget, is_right: Callable[[int], bool]) -> None:
        """`is_right` says of a column whether it is aligned to the right."""
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.look, self._is_right = look, is_right
        self.setMinimumSectionSize(look.px(24))
        self.setFont(look.font("small"))

    def sizeHint(self) -> QSize:
        """27 of the design."""
        return QSize(super().sizeHint().width(), self.look.px(27))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """One head."""
        look, right = self.look, self._is_right(section)
        painter.fillRect(rect, look.colour("sunken"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), look.colour("line"))
        words = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        inner = rect.adjusted(look.px(8), 0, -look.px(8), 0)
        self.paint_mark(painter, inner, section, words, right)
        flags = paint.RIGHT if right else paint.LEFT
        paint.text(painter, inner, words, look.font("small"), look.colour("text2"), flags)

    def paint_mark(self, painter: QPainter, inner: QRect, section: int, words: str, right: bool) -> None:
        """What stands beside the words of a head; nothing where a table has no marks."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The strip behind the heads, then the heads."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.look.colour("sunken"))
        painter.end()
        super().paintEvent(event)
