"""The boxes for one of several options: a plain one, and one with search for long lists of names."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
)

from desktop_app.window import paint
from desktop_app.window.form import Option, meant
from desktop_app.window.icons import draw_icon
from desktop_app.window.look import Look
from desktop_app.window.name_search import found

_LINE_MARGIN = 2  # px that QLineEdit keeps left and right of its text


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
            option.currentText = paint.elided(self.currentText(), self.fontMetrics(), room)
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
    """A choice box one can type into: words of a name find it. A text that finds none is passed on as `typed`."""

    typed = Signal(str)

    def __init__(self, look: Look, key: str) -> None:
        """For the choice `key`, without names yet."""
        super().__init__(look)
        self._key = key
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._value: Any = None
        self.line = _NameLine()
        self.setLineEdit(self.line)
        self._matches = QStringListModel(self)
        self._finder = QCompleter(self._matches, self)
        self._finder.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._finder.setMaxVisibleItems(14)
        self._popup.installEventFilter(self)
        self._finder.activated.connect(self._take)
        self.line.setCompleter(self._finder)
        self.line.setFont(look.font())
        self.line.setAcceptDrops(False)
        self.line.textEdited.connect(self._search)
        self.line.returnPressed.connect(self._take_first)
        self.line.editingFinished.connect(self._finish)

    def set_options(self, options: Sequence[Option], value: Any) -> None:
        """As in the plain box; a value that is not in the list stands as its own words."""
        typing = self.line.hasFocus() and self.line.isModified() and value == self._value
        text, place = self.line.text(), self.line.cursorPosition()
        self._value = value
        super().set_options(options, value)
        self._popup.setMinimumWidth(self.view().minimumWidth())
        if typing:
            self.line.setText(text)
            self.line.setModified(True)
            self.line.setCursorPosition(place)
            return
        if self.currentIndex() < 0 and value is not None:
            self.setEditText(str(value))
        self.line.setCursorPosition(0)
        self.line.setModified(False)

    def event(self, event: QEvent) -> bool:
        """Escape brings the name back that stands."""
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self.setEditText(self.itemText(self.currentIndex()))
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return in the list of matches takes the first one where none was picked."""
        popup = self._popup
        if watched is popup and event.type() == QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not popup.currentIndex().isValid():
                popup.hide()
                self._take_first()
                return True
        return super().eventFilter(watched, event)

    @property
    def _popup(self) -> QAbstractItemView:
        popup = self._finder.popup()
        assert popup is not None, "a completer makes its list when it is asked for"
        return popup

    def _search(self, text: str) -> None:
        """The names that the text may mean, in the list under the box."""
        self._matches.setStringList(self._found(text))

    def _found(self, text: str) -> list[str]:
        """The names that the text may mean, first the one that it means to the estimate."""
        names = found(text, [words for _, words in self._options])
        usual = meant(self._key, text)
        return [usual, *(name for name in names if name != usual)] if usual else names

    def _take_first(self) -> None:
        """The likeliest name; a text that finds none goes on as it is."""
        text = self.line.text().strip()
        if text and text != self._standing():
            self._take(next(iter(self._found(text)), text))

    def _take(self, name: str) -> None:
        """The option of that name, or the text itself for the scenario to judge."""
        self.line.setModified(False)
        value = next((value for value, words in self._options if words.lower() == name.lower()), None)
        if value is None:
            self.typed.emit(name)
        else:
            self.chosen.emit(value)

    def _finish(self) -> None:
        """The box is left."""
        text = self.line.text().strip()
        if text and text != self._standing() and not self._popup.isVisible():
            self._take(text)

    def _standing(self) -> str:
        """The name that the box stands for, or the text that it was given in place of one."""
        if self.currentIndex() >= 0:
            return self.itemText(self.currentIndex())
        return "" if self._value is None else str(self._value)


class _NameLine(QLineEdit):
    """Where one types a name: a click selects all of it; left alone, a long name ends in three dots."""

    def __init__(self) -> None:
        super().__init__()
        self._entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Coming by a click, the whole name is to be selected when the button goes up."""
        super().focusInEvent(event)
        self._entered = event.reason() == Qt.FocusReason.MouseFocusReason

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click that first brings the window to the front comes before the focus does."""
        self._entered = self._entered or not self.hasFocus()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select all after the click that came in, unless it marked a part."""
        super().mouseReleaseEvent(event)
        if self._entered and not self.hasSelectedText():
            self.selectAll()
        self._entered = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """As usual while one types, else cut where it is too long."""
        room = self.contentsRect().adjusted(_LINE_MARGIN, 0, -_LINE_MARGIN, 0)
        if self.hasFocus() or self.fontMetrics().horizontalAdvance(self.text()) <= room.width():
            super().paintEvent(event)
            return
        colour = self.palette().color(self.foregroundRole())
        paint.text(QPainter(self), room, self.text(), self.font(), colour)
