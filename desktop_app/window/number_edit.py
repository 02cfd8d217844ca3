"""The number box: reads what people type, shows the unit inside, and never changes by the wheel."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit

from desktop_app.window import paint
from desktop_app.window.look import Look

_FRAME, _GAP, _CURSOR = 9, 6, 4  # border with padding, space before the unit, room for the cursor
_SHORTEST_UNIT = 6  # letters, dots included


class NumberEdit(QLineEdit):
    """A line of text for one number. `typed` carries the text at every change by hand, `left` when it is done."""

    typed = Signal(str)
    left = Signal()

    def __init__(self, look: Look) -> None:
        """An empty box."""
        super().__init__()
        self._look = look
        self._unit = self._shown_unit = ""
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(look.font())
        self.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.textEdited.connect(self.typed)
        self.textChanged.connect(self._fit_unit)
        self.editingFinished.connect(self.left)

    def set_unit(self, unit: str) -> None:
        """The unit painted inside at the right; the number keeps clear of it."""
        if unit != self._unit:
            self._unit = unit
            self._fit_unit()

    def show_number(self, text: str, placeholder: str) -> None:
        """Put `text` into the box unless it stands there already; `placeholder` shows what the program chose."""
        self.setPlaceholderText(placeholder)
        self._fit_unit()
        if text != self.text():
            self.setText(text)

    def shown_unit(self) -> str:
        """The unit as far as the number leaves room for it."""
        return self._shown_unit

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower box cuts the unit."""
        super().resizeEvent(event)
        self._fit_unit()

    def _fit_unit(self) -> None:
        """Cut the unit before the number, and leave it out where only a stump would be left."""
        look, metrics = self._look, self._look.metrics("small")
        number = self.fontMetrics().horizontalAdvance(self.text() or self.placeholderText())
        room = self.width() - number - look.px(2 * _FRAME + _GAP + _CURSOR)
        unit = paint.elided(self._unit, metrics, room)
        self._shown_unit = unit if unit == self._unit or len(unit) >= _SHORTEST_UNIT else ""
        margin = metrics.horizontalAdvance(self._shown_unit) + look.px(_GAP) if self._shown_unit else 0
        if self.textMargins().right() != margin:
            self.setTextMargins(0, 0, margin, 0)
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling over a form must not change it: left to the scroll area."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Undo goes to the text first; when the text has nothing to undo, to the document."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable()
            redo = event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()
            if undo or redo:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo that the text does not have are passed on."""
        undo = event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable()
        redo = event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()
        if undo or redo:
            event.ignore()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Coming by the keyboard, the whole number is selected, ready to be typed over."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, then the unit."""
        super().paintEvent(event)
        if self._shown_unit:
            painter = QPainter(self)
            inner = QRect(0, 0, self.width() - self._look.px(_FRAME), self.height())
            paint.text(
                painter, inner, self._shown_unit, self._look.font("small"), self._look.colour("text3"), paint.RIGHT
            )
