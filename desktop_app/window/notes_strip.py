"""The strip at the foot: how many notes, the first of them with a link to their field, and what the figures are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QWidget, QWidgetAction

from desktop_app.foundation.problems import Problem, Severity
from desktop_app.foundation.wording import Words
from desktop_app.window import paint
from desktop_app.window.buttons import LinkButton, PaintedButton
from desktop_app.window.form import sentence
from desktop_app.window.icons import Shape, draw_shape
from desktop_app.window.labels import ElidedLabel
from desktop_app.window.look import Look

_SHAPES: dict[Severity, tuple[Shape, str]] = {
    "error": ("no", "bad"),
    "warning": ("tight", "warn"),
    "note": ("unknown", "unk"),
}
_LINKS = {"price_usd_per_gpu_hour": "action.check_price"}  # where a link can say more than "Show field"
_MOST_SHOWN = 3
_MESSAGE_MS = 15_000
_MENU_WIDTH = 640
_ROW_LEFT, _ROW_RIGHT, _ROW_ABOVE = 30, 10, 5
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
_WORTH_CUTTING = 240  # a note cut shorter says nothing
_FOREMOST = (
    "problem.host_memory", "problem.does_not_fit", "problem.does_not_fit_alone", "problem.likely_too_large",
    "problem.wasted_failure", "problem.wasted_checkpoint",
    "problem.wasted_stall",
)  # fmt: skip
_ORDER: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence and the choice it is about."""

    sentence: str
    severity: Severity
    field: str


@dataclass(frozen=True, slots=True)
class Message:
    """What just happened to a file, as keys of the catalogue, and what its link does."""

    key: str
    file: str = ""
    link: str = ""
    follow: Callable[[], object] | None = None
    values: Mapping[str, object] = field(default_factory=dict)


def sorted_notes(problems: list[Problem], words: Words) -> list[Note]:
    """The notes of `problems`, the gravest first: of equals, those of a run that cannot start or is mostly waste."""
    found = sorted(problems, key=lambda problem: (_ORDER[problem.severity], not problem.key.startswith(_FOREMOST)))
    return [Note(sentence(problem, words), problem.severity, problem.field) for problem in found]


class NotesStrip(QFrame):
    """One line: the gravest notes that fit, each with a link to its field. A click on the count lists them all."""

    go_to = Signal(str)

    def __init__(self, look: Look) -> None:
        """Empty until `show_notes`."""
        super().__init__()
        self._look = look
        self._notes: list[Note] = []
        self._message: Message | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear_message)
        self.setProperty("part", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(32))
        row = QHBoxLayout(self)
        row.setContentsMargins(look.px(9), 0, look.px(12), 0)
        row.setSpacing(look.px(6))
        self.count = LinkButton(look, "small", semibold=True)
        self.count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.count.clicked.connect(self._list_all)
        row.addWidget(self.count)
        self.parts = [_NotePart(look) for _ in range(_MOST_SHOWN)]
        for part in self.parts:
            part.link.clicked.connect(lambda checked=False, part=part: self.go_to.emit(part.field))
            row.addWidget(part)
        row.addStretch(1)
        self.message = ElidedLabel(look, "small", "text2")
        self.message_link = LinkButton(look, "small")
        self.message_link.clicked.connect(self._follow_message)
        self.kind = ElidedLabel(look, "small", "text3", right=True)
        for label in (self.message, self.kind):
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        for widget in (self.message, self.message_link, self.kind):
            row.addWidget(widget)
        self.clear_message()

    def show_notes(self, notes: list[Note], kind: str) -> None:
        """Show how many notes there are and the gravest; `kind` says what the figures are."""
        words = self._look.words
        self._tell_message()
        self._notes = notes
        text = words("strip.notes", count=len(notes)) if notes else words("strip.none")
        self.count.set_words(text, f"{text}: {words('strip.all')}" if notes else text)
        self.count.setEnabled(bool(notes))
        for part, note in zip(self.parts, notes, strict=False):
            part.show_note(note)
        self.kind.set_text(kind)
        self._fit()

    def show_message(self, message: Message, lasts: bool = False) -> None:
        """Tell what just happened, for some seconds, or until the next message when it `lasts`."""
        self._message = message
        self._tell_message()
        self._fit()
        if lasts:
            self._timer.stop()
        else:
            self._timer.start(_MESSAGE_MS)

    def clear_message(self) -> None:
        """Nothing to tell any more."""
        self._message = None
        self._timer.stop()
        self._tell_message()
        self._fit()

    def all_notes_menu(self) -> QMenu:
        """A menu with every note in full; a click goes to its field."""
        menu, look = QMenu(self), self._look
        width = min(look.px(_MENU_WIDTH), self.width() - look.px(80))
        for note in self._notes:
            row = NoteRow(look, note, width)
            action = QWidgetAction(menu)
            action.setText(note.sentence)
            action.setDefaultWidget(row)
            row.clicked.connect(menu.close)
            if note.field:
                action.triggered.connect(lambda checked=False, field=note.field: self.go_to.emit(field))
                row.clicked.connect(action.trigger)
            menu.addAction(action)
        return menu

    def _tell_message(self) -> None:
        """The message in the language of the moment."""
        message, words = self._message, self._look.words
        self.message.set_text(words(message.key, file=message.file, **message.values) if message else "")
        self.message_link.set_words(words(message.link) if message and message.link else "")
        self.message.setVisible(message is not None)
        self.message_link.setVisible(message is not None and bool(message.link))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer notes fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show what fits: whole notes, and one more that is cut where that leaves enough of it."""
        others = [widget for widget in (self.message, self.message_link, self.kind) if not widget.isHidden()]
        room = self.width() - self.count.sizeHint().width() - self._look.px(40)
        room -= sum(widget.sizeHint().width() + self._look.px(6) for widget in others)
        for number, part in enumerate(self.parts):
            wanted = part.sizeHint().width() + self._look.px(6)
            shows = number < len(self._notes) and (number == 0 or min(wanted, self._look.px(_WORTH_CUTTING)) <= room)
            part.setVisible(shows)
            if shows:
                part.setFixedWidth(max(self._look.px(_WORTH_CUTTING) // 2, min(wanted, room)))
            room -= wanted

    def _follow_message(self) -> None:
        if self._message is not None and self._message.follow is not None:
            self._message.follow()

    def _list_all(self) -> None:
        menu = self.all_notes_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.count.mapToGlobal(QPoint(0, -menu.sizeHint().height())))


class _NotePart(QWidget):
    """A note and the link to its field."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.field = ""
        self.line, self.link = _NoteLine(look), LinkButton(look, "small")
        self.link.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # the sentence is cut, not the link
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, look.px(6), 0)
        row.setSpacing(look.px(4))
        row.addWidget(self.line)
        row.addWidget(self.link)

    def show_note(self, note: Note) -> None:
        """Show `note`."""
        words = self._look.words
        self.field = note.field
        self.line.show_note(note)
        self.link.setVisible(bool(note.field))
        if note.field:
            go = words(_LINKS.get(note.field, "strip.go"))
            self.link.set_words(go, f"{go}: {words(f'field.{note.field}')}")
        self.updateGeometry()


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


class NoteRow(PaintedButton):
    """A note in as many lines as it takes, in the list of all notes."""

    def __init__(self, look: Look, note: Note, width: int) -> None:
        """`width` pixels wide."""
        super().__init__(look)
        self._note = note
        self.set_words(note.sentence)
        if not note.field:
            self.unsetCursor()
        room = QRect(0, 0, width - look.px(_ROW_LEFT + _ROW_RIGHT), 10_000)
        height = look.metrics("small").boundingRect(room, _WRAPPED, note.sentence).height()
        self.setFixedSize(width, height + look.px(2 * _ROW_ABOVE))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shape and lines; tinted under the mouse or with the focus."""
        look, painter, side = self._look, QPainter(self), self._look.px(15)
        if self._note.field and (self.underMouse() or self.hasFocus()):
            paint.rounded(painter, self.rect(), look.px(4), look.colour("accentbg"))
        shape, tone = _SHAPES[self._note.severity]
        icon = QRect(look.px(8), look.px(_ROW_ABOVE + 1), side, side)
        draw_shape(painter, shape, icon, look.colour(tone), look.colour("surface"))
        painter.setFont(look.font("small"))
        painter.setPen(look.colour("text"))
        above = look.px(_ROW_ABOVE)
        lines = self.rect().adjusted(look.px(_ROW_LEFT), above, -look.px(_ROW_RIGHT), -above)
        painter.drawText(lines, _WRAPPED, self._note.sentence)
