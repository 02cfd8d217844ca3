"""Where the money goes: bars from zero, value and share at the bar's end, and the finding as the title."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.window import paint
from desktop_app.window.figures import CostRow
from desktop_app.window.look import Look

_MOST_BARS = 6
_FEWEST_BARS = 3
_TALLEST_ROW = 42


class CostChart(QWidget):
    """The bars of the cost lines, dearest first. A click selects the line; Up and Down move, F1 explains."""

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        """Empty until `show_bars`."""
        super().__init__()
        self._look = look
        self._title = self._unit = self._others_words = ""
        self._rows: tuple[CostRow, ...] = ()
        self._selected = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        look.changed.connect(self.update)

    def show_bars(self, title: str, unit: str, rows: tuple[CostRow, ...], selected: str) -> None:
        """Show the finding and the bars; `selected` is a line's key."""
        words = self._look.words
        priced = [row for row in rows if row.value is not None and row.value >= 0]  # credits are no bar
        self._rows = tuple(sorted(priced, key=lambda row: -(row.value or 0)))
        self._title, self._unit, self._selected = title, unit, selected
        told = words("list.comma").join(f"{row.item} {row.amount}" for row in self._rows)
        self.setAccessibleName(words("chart.name"))
        self.setAccessibleDescription(words("chart.spoken", title=title, lines=told))
        self.setMaximumHeight(self._look.px(44 + 8) + max(_FEWEST_BARS, len(self._rows)) * self._look.px(_TALLEST_ROW))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Title and a bar for each line."""
        look = self._look
        bars = min(_MOST_BARS, max(_FEWEST_BARS, len(self._rows)))
        return QSize(look.px(400), look.px(44) + bars * look.px(22) + look.px(8))

    def minimumSizeHint(self) -> QSize:
        """Title and the fewest bars."""
        return QSize(self._look.px(260), self._look.px(44 + 8) + _FEWEST_BARS * self._look.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Title, axis, bars."""
        look, painter = self._look, QPainter(self)
        inner = self.rect().adjusted(look.px(16), look.px(8), -look.px(16), -look.px(6))
        head = QRect(inner.left(), inner.top(), inner.width(), look.px(28))
        unit_width = look.metrics("small").horizontalAdvance(self._unit)
        title = head.adjusted(0, 0, -unit_width - look.px(8), 0)
        paint.text(painter, title, self._title, look.font("finding", semibold=True), look.colour("text"))
        paint.text(painter, head, self._unit, look.font("small"), look.colour("text2"), paint.RIGHT)
        if self.hasFocus():
            paint.ring(painter, self.rect().adjusted(2, 2, -2, -2), look.px(8), look)
        shown = self._shown()
        if not shown:
            hint = QRect(head.left(), head.bottom(), head.width(), look.px(24))
            paint.text(painter, hint, look.words("chart.no_price"), look.font(), look.colour("text2"))
            return
        top = head.bottom() + look.px(6)
        label_width, scale, axis = self._columns(inner, shown)
        height = self._row_height()
        painter.fillRect(QRect(axis, top - look.px(3), 1, len(shown) * height + look.px(6)), look.colour("control"))
        for index, row in enumerate(shown):
            line = QRect(inner.left(), top + index * height, inner.width(), height)
            self._paint_bar(painter, line, row, (label_width, scale, axis))

    def _shown(self) -> tuple[CostRow, ...]:
        """As many bars as there is room for."""
        look = self._look
        room = (self.height() - look.px(44 + 8)) // look.px(22)
        return self._rows[: max(_FEWEST_BARS, min(_MOST_BARS, room))]

    def _row_height(self) -> int:
        """Rows take the room there is, up to a limit."""
        look, count = self._look, max(1, len(self._shown()))
        return max(look.px(22), min(look.px(_TALLEST_ROW), (self.height() - look.px(44 + 8)) // count))

    def _columns(self, inner: QRect, shown: tuple[CostRow, ...]) -> tuple[int, float, int]:
        """Width of the labels, pixels per unit of money, and where the axis stands."""
        look = self._look
        labels = look.metrics("body", semibold=True)
        label_width = min(max(labels.horizontalAdvance(row.item) for row in shown), inner.width() * 2 // 5)
        ends = max(
            labels.horizontalAdvance(row.amount) + look.metrics("small").horizontalAdvance(row.share_text)
            for row in shown
        )
        axis = inner.left() + label_width + look.px(12)
        room = inner.right() - axis - ends - look.px(30)
        largest = max(row.value or 0 for row in shown)
        return label_width, max(room, look.px(20)) / largest if largest > 0 else 0, axis

    def _paint_bar(self, painter: QPainter, line: QRect, row: CostRow, columns: tuple[int, float, int]) -> None:
        look = self._look
        label_width, scale, axis = columns
        selected = row.key == self._selected
        body = look.font("body", semibold=selected)
        label = QRect(line.left(), line.top(), label_width, line.height())
        paint.text(painter, label, row.item, body, look.colour("text"))
        thick = max(look.px(13), min(look.px(20), line.height() // 2))
        width = max(1, round((row.value or 0) * scale))
        bar = QRect(axis + 1, line.center().y() - thick // 2, width, thick)
        painter.fillRect(bar, look.colour("series_a" if selected else "barsoft"))
        amount_width = look.metrics("body", semibold=selected).horizontalAdvance(row.amount)
        amount = QRect(bar.right() + look.px(8), line.top(), amount_width + 2, line.height())
        paint.text(painter, amount, row.amount, body, look.colour("text"))
        share = QRect(amount.right() + look.px(7), line.top(), line.right() - amount.right(), line.height())
        paint.text(painter, share, row.share_text, look.font("small"), look.colour("text3"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a bar selects its line."""
        top = self._look.px(8 + 28 + 6)
        index = int(event.position().y() - top) // self._row_height()
        shown = self._shown()
        if event.position().y() >= top and 0 <= index < len(shown):
            self.chosen.emit(shown[index].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down go from bar to bar."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        shown = self._shown()
        if step is None or not shown:
            super().keyPressEvent(event)
            return
        keys = [row.key for row in shown]
        at = keys.index(self._selected) if self._selected in keys else -1
        self.chosen.emit(keys[max(0, min(len(keys) - 1, at + step))])
