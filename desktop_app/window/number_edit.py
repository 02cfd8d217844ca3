"""The number box: reads what people type, shows the unit inside, and never changes by the wheel."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit

from desktop_app.window import paint
from desktop_app.window.look import Look


class NumberEdit(QLineEdit):
    """A line of text for one number. `typed` carries the text at every change by hand, `left` when it is done."""

    typed = Signal(str)
    left = Signal()

    def __init__(self, look: Look) -> None:
        """An empty box."""
        super().__init__()
        self._look = look
        self._unit = ""
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(look.font())
        self.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.textEdited.connect(self.typed)
        self.editingFinished.connect(self.left)

    def set_unit(self, unit: str) -> None:
        """The unit painted inside at the right; the number keeps clear of it."""
        if unit != self._unit:
            self._unit = unit
            advance = self._look.metrics("small").horizontalAdvance(unit)
            self.setTextMargins(0, 0, advance + self._look.px(6) if unit else 0, 0)
            self.update()

    def show_number(self, text: str, placeholder: str) -> None:
        """Put `text` into the box unless it stands there already; `placeholder` shows what the program chose."""
        self.setPlaceholderText(placeholder)
        if text != self.text():
            self.setText(text)

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
        if self._unit:
            painter = QPainter(self)
            inner = QRect(0, 0, self.width() - self._look.px(9), self.height())
            paint.text(painter, inner, self._unit, self._look.font("small"), self._look.colour("text3"), paint.RIGHT)
