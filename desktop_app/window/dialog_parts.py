"""What the larger dialogs are built of: the frame, labelled boxes, a row of buttons at the foot."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop_app.window.buttons import PushButton
from desktop_app.window.labels import TextLabel
from desktop_app.window.look import Look


class HouseDialog(QDialog):
    """A dialog over the window, in its colours, no larger than the screen. It is gone when it is closed."""

    def __init__(self, look: Look, parent: QWidget, title: str, width: int, height: int) -> None:
        """`width` and `height` are lengths of the design."""
        super().__init__(parent)
        self.look = look
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.is_open = True
        self.finished.connect(self._forget)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(look.px(12), look.px(12), look.px(12), look.px(8))
        self.column.setSpacing(look.px(8))
        screen = parent.screen() or QGuiApplication.primaryScreen()
        room = screen.availableSize()
        self.resize(min(look.px(width), room.width()), min(look.px(height), room.height()))

    def add_foot(self, *parts: QWidget | None) -> QHBoxLayout:
        """A row of buttons; None is the gap between what stands left and what stands right."""
        row = QHBoxLayout()
        row.setSpacing(self.look.px(4))
        for part in parts:
            if part is None:
                row.addStretch(1)
            else:
                row.addWidget(part)
        self.column.addLayout(row)
        return row

    def button(self, words_key: str, primary: bool = False) -> PushButton:
        """A button with the words of the catalogue."""
        button = PushButton(self.look, None, primary)
        button.set_words(self.look.words(words_key))
        return button

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter belongs to the part that has the focus: no button answers to it from afar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _forget(self) -> None:
        self.is_open = False


class LabelledGrid(QWidget):
    """Boxes with their labels in rows of so many pairs."""

    def __init__(self, look: Look, pairs: int) -> None:
        """Empty, with `pairs` beside each other."""
        super().__init__()
        self._look, self._pairs, self._count = look, pairs, 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(look.px(8))
        self._grid.setVerticalSpacing(look.px(4))
        for pair in range(pairs):
            self._grid.setColumnStretch(2 * pair + 1, 1)

    def add(self, words: str, box: QWidget, spoken: str = "") -> QLabel:
        """A box behind its label, which is its buddy and its name."""
        label = TextLabel(self._look, "body", "text2")
        label.setText(words)
        label.setBuddy(box)
        box.setAccessibleName(spoken or words)
        row, pair = divmod(self._count, self._pairs)
        self._grid.addWidget(label, row, 2 * pair)
        self._grid.addWidget(box, row, 2 * pair + 1)
        self._count += 1
        return label

    def clear(self) -> None:
        """Take out everything."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._count = 0


def text_box(look: Look, placeholder: str = "") -> QLineEdit:
    """A line for free text, into which no file is dropped."""
    box = QLineEdit()
    box.setFont(look.font())
    box.setPlaceholderText(placeholder)
    box.setMaxLength(200)
    box.setAcceptDrops(False)
    return box
