"""The boxes for one of several options: a plain one, and one with search for long lists of names."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter

from desktop_app.window.form import Option
from desktop_app.window.icons import draw_icon
from desktop_app.window.look import Look


class ChoiceBox(QComboBox):
    """A combo box whose arrow is painted from the palette, and that the wheel cannot change without focus."""

    chosen = Signal(object)

    def __init__(self, look: Look) -> None:
        """Without options yet."""
        super().__init__()
        self._look = look
        self._options: tuple[Option, ...] = ()
        self.setProperty("part", "choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(14)
        self.setFont(look.font())
        self.setAcceptDrops(False)  # a file dropped here is meant for the window
        self.activated.connect(self._choose)

    def set_options(self, options: Sequence[Option], value: Any) -> None:
        """The options in order, and which one stands."""
        options = tuple(options)
        if options != self._options:
            self._options = options
            self.clear()
            self.addItems([words for _, words in options])
            self._widen_list()
        values = [option for option, _ in options]
        self.setCurrentIndex(values.index(value) if value in values else -1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Without focus the wheel scrolls the form."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box with its words, cut where they are too long, then the arrow."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if not self.isEditable():
            room = self.width() - self._look.px(8 + 26)
            option.currentText = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        side = self._look.px(14)
        rect = QRect(self.width() - side - self._look.px(7), (self.height() - side) // 2, side, side)
        draw_icon(painter, "down", rect, self._look.colour("text2"))

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._options):
            self.chosen.emit(self._options[index][0])

    def _widen_list(self) -> None:
        """The list is as wide as its longest words, whatever the box is."""
        widest = max((self.fontMetrics().horizontalAdvance(words) for _, words in self._options), default=0)
        self.view().setMinimumWidth(widest + self._look.px(36))


class SearchBox(ChoiceBox):
    """A choice box one can type into: any part of a name finds it. A text that is no name is passed on as `typed`."""

    typed = Signal(str)

    def __init__(self, look: Look) -> None:
        """Without names yet."""
        super().__init__(look)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        self.line.setFont(look.font())
        self.line.setAcceptDrops(False)
        self.line.editingFinished.connect(self._finish)

    @property
    def line(self) -> QLineEdit:
        """Where one types."""
        line = self.lineEdit()
        assert line is not None, "the box is editable"
        return line

    def set_options(self, options: Sequence[Option], value: Any) -> None:
        """As in the plain box; a value that is not in the list stands as its own words."""
        super().set_options(options, value)
        if self.currentIndex() < 0 and value is not None:
            self.setEditText(str(value))
        self.line.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        """Escape brings the name back that stands."""
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self.setEditText(self.itemText(self.currentIndex()))
        return super().event(event)

    def _finish(self) -> None:
        """A finished text: the option of that name, or the text itself for the scenario to judge."""
        text = self.line.text().strip()
        current = self.itemText(self.currentIndex()) if self.currentIndex() >= 0 else ""
        if not text or text == current:
            return
        for value, words in self._options:
            if words.lower() == text.lower():
                self.chosen.emit(value)
                return
        self.typed.emit(text)
