"""The strip at the foot: how many notes, the first of them with a link to their field, and what the figures are."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QWidget

from desktop_app.foundation.problems import Problem, Severity
from desktop_app.foundation.wording import Words
from desktop_app.window import paint
from desktop_app.window.buttons import LinkButton
from desktop_app.window.icons import Shape, draw_shape
from desktop_app.window.labels import ElidedLabel
from desktop_app.window.look import Look

_SHAPES: dict[Severity, tuple[Shape, str]] = {
    "error": ("no", "bad"),
    "warning": ("tight", "warn"),
    "note": ("unknown", "unk"),
}
_ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence and the choice it is about."""

    sentence: str
    severity: Severity
    field: str


def sorted_notes(problems: list[Problem], words: Words) -> list[Note]:
    """The notes of `problems`, the gravest first."""
    notes = [Note(words.sentence(problem), problem.severity, problem.field) for problem in problems]
    return sorted(notes, key=lambda note: _ORDER[note.severity])


class NotesStrip(QFrame):
    """One line. A click on the count lists all notes; a link goes to the field of a note."""

    go_to = Signal(str)

    def __init__(self, look: Look) -> None:
        """Empty until `show_notes`."""
        super().__init__()
        self._look = look
        self._notes: list[Note] = []
        self.setProperty("part", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(32))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(look.px(12), 0, look.px(12), 0)
        self._row.setSpacing(look.px(8))
        self.count = LinkButton(look, "small", semibold=True)
        self.count.clicked.connect(self._list_all)
        self.line = _NoteLine(look)
        self.link = LinkButton(look, "small")
        self.link.clicked.connect(lambda: self.go_to.emit(self._notes[0].field))
        self.message = ElidedLabel(look, "small", "text2")
        self.message.hide()
        self.message_link = LinkButton(look, "small")
        self.message_link.hide()
        self.kind = ElidedLabel(look, "small", "text3", right=True)
        self.kind.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        for widget in (self.count, self.line, self.link):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        for widget in (self.message, self.message_link, self.kind):
            self._row.addWidget(widget)

    def show_notes(self, notes: list[Note], kind: str) -> None:
        """Show how many notes there are and the gravest; `kind` says what the figures are."""
        words = self._look.words
        self._notes = notes
        text = words("strip.notes", count=len(notes)) if notes else words("strip.none")
        self.count.set_words(text, words("strip.all") if notes else text)
        self.count.setEnabled(bool(notes))
        self.line.setVisible(bool(notes))
        self.link.setVisible(bool(notes) and bool(notes[0].field))
        if notes:
            self.line.show_note(notes[0])
            go = words("strip.go")
            self.link.set_words(go, f"{go}: {words(f'field.{notes[0].field}')}" if notes[0].field else go)
        self.kind.set_text(kind)

    def all_notes_menu(self) -> QMenu:
        """A menu with every note; a click goes to its field."""
        menu = QMenu(self)
        for note in self._notes:
            action = menu.addAction(note.sentence.replace("&", "&&"))
            action.setEnabled(bool(note.field))
            action.triggered.connect(lambda checked=False, field=note.field: self.go_to.emit(field))
        return menu

    def _list_all(self) -> None:
        menu = self.all_notes_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.count.mapToGlobal(QPoint(0, -menu.sizeHint().height())))


class _NoteLine(QWidget):
    """Shape and sentence of one note."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._note: Note | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        look.changed.connect(self.update)

    def show_note(self, note: Note) -> None:
        """Show `note`."""
        self._note = note
        self.setAccessibleName(note.sentence)
        self.setToolTip(note.sentence)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Shape and the whole sentence."""
        look = self._look
        words = look.metrics("small").horizontalAdvance(self._note.sentence) if self._note else 0
        return QSize(words + look.px(15 + 6) + 4, look.px(24))

    def minimumSizeHint(self) -> QSize:
        """It may be cut."""
        return QSize(self._look.px(60), self._look.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shape, then sentence."""
        if self._note is None:
            return
        look, painter, side = self._look, QPainter(self), self._look.px(15)
        shape, tone = _SHAPES[self._note.severity]
        icon = QRect(0, (self.height() - side) // 2, side, side)
        draw_shape(painter, shape, icon, look.colour(tone), look.colour("surface"))
        words = self.rect().adjusted(side + look.px(6), 0, 0, 0)
        paint.text(painter, words, self._note.sentence, look.font("small"), look.colour("text"))

