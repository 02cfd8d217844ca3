"""One row of the form: label, box, and the tag that says default or yours; under it one line when there is need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.number_reading import Reading, read_number, without_dollars
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.records import iso_day
from desktop_app.foundation.wording import Words
from desktop_app.window import form, paint
from desktop_app.window.buttons import LINK_PADDING, IconButton, LinkButton
from desktop_app.window.choice_box import ChoiceBox, SearchBox
from desktop_app.window.form import FieldSpec, Option
from desktop_app.window.labels import TextLabel, Tone, WrappedText, repolish, settle_layouts
from desktop_app.window.look import Look
from desktop_app.window.number_edit import NumberEdit
from desktop_app.window.session import Entry

_LABEL_WIDTH = 102
_TAG_WIDTH = 62
_MESSAGE_WIDTH = 212  # of box, gap and tag together: a card has one width


@dataclass(frozen=True, slots=True)
class FieldState:
    """What a row shows: the value of the choice, what it comes to when left open, and an entry that waits."""

    value: Any
    is_set: bool
    effective: Any
    names: tuple[Option, ...] = ()
    entry: Entry | None = None
    notice: Problem | None = None  # of a value that was taken over all the same


class FieldRow(QWidget):
    """The row of one choice. It reads what people type; whether a value can be used, others judge."""

    edited = Signal(str, object, str)  # key, value, text
    faulty = Signal(str, str, object)  # key, text, Problem
    reset_asked = Signal(str)
    finished = Signal()

    def __init__(self, look: Look, spec: FieldSpec) -> None:
        """A row without a state yet."""
        super().__init__()
        self._look, self.spec = look, spec
        self._state: FieldState | None = None
        self._words: Words | None = None
        self._other: float | None = None  # the second reading of what was typed
        self.box = self._make_box()
        self.label = TextLabel(look, tone="text2", wrap=True)
        self.label.setBuddy(self.box)
        self.tag = _Tag(look)
        self.message = _Message(look)
        self.message.link_clicked.connect(self._use)
        self.tag.reset.clicked.connect(lambda: self.reset_asked.emit(spec.key))
        grid = QGridLayout(self)
        grid.setContentsMargins(look.px(LINK_PADDING), look.px(1), 0, look.px(1))
        grid.setHorizontalSpacing(look.px(8))
        grid.setVerticalSpacing(0)
        self.label.setFixedWidth(look.px(_LABEL_WIDTH))
        self.tag.setFixedWidth(look.px(_TAG_WIDTH))
        grid.addWidget(self.label, 0, 0)
        grid.addWidget(self.box, 0, 1)
        grid.addWidget(self.tag, 0, 2)
        grid.addWidget(self.message, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.box)

    def show_state(self, state: FieldState) -> None:
        """Bring the row up to date. A box that is being typed into keeps its text."""
        words = self._look.words
        if state == self._state and words is self._words:
            return
        self._state, self._words = state, words
        name = words(f"field.{self.spec.key}")
        unit = form.unit_words(self.spec.unit, words)
        self.label.setText(name)
        self.label.setFixedHeight(max(self._look.px(30), self.label.heightForWidth(self.label.width())))
        self.box.setAccessibleName(name)
        help_text = words(f"help.{self.spec.key}")
        self.box.setAccessibleDescription(f"{unit}. {help_text}" if unit else help_text)
        self.box.setToolTip(help_text)
        self.label.setToolTip(help_text)
        default = form.value_words(self.spec, self.spec.default, words)
        self.tag.show_tag(state.is_set or state.entry is not None, words("action.reset", value=default), name)
        self._fill_box(state, form.box_unit(self.spec.unit, words))
        if isinstance(self.box, ChoiceBox):  # a long name is cut in the box
            self.box.setToolTip(f"{self.box.currentText()}\n{help_text}")
        self._show_problem(state)

    def _make_box(self) -> NumberEdit | ChoiceBox:
        if self.spec.kind in ("number", "day"):
            edit = NumberEdit(self._look)
            edit.typed.connect(self._read)
            edit.left.connect(self._leave)
            return edit
        box = SearchBox(self._look, self.spec.key) if self.spec.kind == "names" else ChoiceBox(self._look)
        box.chosen.connect(self._choose)
        if isinstance(box, SearchBox):
            box.typed.connect(self._choose)
        return box

    def _fill_box(self, state: FieldState, unit: str) -> None:
        if isinstance(self.box, ChoiceBox):
            shown = state.entry.value if state.entry else state.value
            if state.names and not state.is_set and state.entry is None:
                shown = state.effective
            self.box.set_options(self._options(state), shown)
            return
        self.box.set_unit(unit)
        if state.effective is not None:
            chosen = form.in_grey(self.spec, state.effective, self._look.words)
        else:
            chosen = form.when_empty(self.spec, self._look.words)
        if state.entry is not None:
            text = state.entry.text
        else:
            text = form.in_box(self.spec, state.value, self._look.words) if state.value is not None else ""
        if self.box.hasFocus() and self._means(self.box.text(), state):
            text = self.box.text()
        self.box.show_number(text, chosen)

    def _means(self, text: str, state: FieldState) -> bool:
        """Whether `text` already says the value that stands: then it is left as it was typed."""
        if state.entry is not None:
            return text == state.entry.text
        if self.spec.kind == "day":
            return text.strip() == ("" if state.value is None else state.value.isoformat())
        reading = self._reading(text)
        return reading.value == state.value if reading else not text.strip() and state.value is None

    def _options(self, state: FieldState) -> list[Option]:
        words, spec = self._look.words, self.spec
        if state.names:
            return list(state.names)
        values = (True, False) if spec.yes_or_no else spec.options
        options: list[Option] = [(value, form.option_words(spec.key, value, words)) for value in values]
        if spec.optional and spec.kind == "options":
            if state.effective is None:
                chosen = words("option.auto_unknown")
            else:
                chosen = words("option.auto", value=form.option_words(spec.key, state.effective, words))
            options.insert(0, (None, chosen))
        return options

    def _choose(self, value: Any) -> None:
        if value is None:
            self.reset_asked.emit(self.spec.key)
        else:
            self.edited.emit(self.spec.key, value, str(value))
        self.finished.emit()

    def _reading(self, text: str) -> Reading | None:
        """What the box says, as values of the choice; of two readings the one that the bounds allow."""
        words, spec = self._look.words, self.spec
        units = (form.unit_words(spec.unit, words), form.box_unit(spec.unit, words))
        bare = without_dollars(text) if spec.unit.startswith("usd_per") else text
        reading = read_number(bare, (*units, "%" if spec.unit in form.PERCENT_UNITS else ""))
        if reading is None:
            return None
        candidates = [form.as_meant(spec, shown) for shown in (reading.value, reading.other) if shown is not None]
        if spec.unit == "share" and reading.value <= 1 and "%" not in text:
            candidates.append(reading.value)  # 0.51 typed into a box of percent
        usable = [value for value in candidates if spec.accepts(value)]
        first = usable[0] if usable else candidates[0]
        others = [value for value in usable if value != first]
        return Reading(first, others[0] if others else None)

    def _read(self, text: str) -> None:
        """Called at every keystroke."""
        words, spec = self._look.words, self.spec
        name = words(f"field.{spec.key}")
        self._other = None
        if not text.strip():
            if spec.optional:
                self.reset_asked.emit(spec.key)
            else:
                self.faulty.emit(spec.key, text, Problem(spec.key, "problem.missing", {"name": name}))
            return
        if spec.kind == "day":
            self._read_day(text)
            return
        reading = self._reading(text)
        if reading is None:
            self.faulty.emit(spec.key, text, Problem(spec.key, "problem.not_a_number", {"text": text}))
        elif spec.whole and reading.value != int(reading.value):
            self.faulty.emit(spec.key, text, Problem(spec.key, "problem.not_whole", {"text": text}))
        else:
            self._other = reading.other
            self.edited.emit(spec.key, int(reading.value) if spec.whole else reading.value, text)
            if self._state is not None and self._state.entry is None and self._state.notice is None:
                self._show_reading(reading)

    def _read_day(self, text: str) -> None:
        """A day stands as YYYY-MM-DD; whether a plan may start on it, the scenario judges."""
        try:
            self.edited.emit(self.spec.key, iso_day(text.strip()), text)
        except ValueError:
            self.faulty.emit(self.spec.key, text, Problem(self.spec.key, "problem.not_a_date", {"text": text}))

    def _show_reading(self, reading: Reading) -> None:
        words = self._look.words
        value = self._spelled(reading.value)
        if reading.other is None:
            self.message.show_line(words("edit.read_as", value=value), "text2")
        else:
            sentence = words("edit.read_as_this", value=value)
            use = words("edit.use_instead", value=self._spelled(reading.other))
            self.message.show_line(sentence, "warn", [(use, reading.other)])
        settle_layouts()

    def _spelled(self, value: float) -> str:
        """A number with all its digits and its unit, so that a slip by a thousand shows."""
        unit = form.unit_words(self.spec.unit, self._look.words)
        return f"{plain(form.as_shown(self.spec, value))} {unit}".strip()

    def _show_problem(self, state: FieldState) -> None:
        words = self._look.words
        bad = state.entry is not None
        problem = state.entry.problem if state.entry is not None else state.notice
        if self.box.property("bad") != bad:
            self.box.setProperty("bad", bad)
            repolish(self.box)
        if problem is None:
            if self._other is None:
                self.message.hide_line()
            return
        values = problem.values
        fixes = [fix for name in ("lower", "upper") if isinstance(fix := values.get(name), int | float)]
        links = [(words("action.use_value", value=fix), fix) for fix in fixes if float(fix) > 0]
        self.message.show_line(form.sentence(problem, words), "bad" if bad else "warn", links)
        self.box.setAccessibleDescription(form.sentence(problem, words))

    def _use(self, value: Any) -> None:
        """A link under the box: take its value."""
        self._other = None
        number = int(value) if self.spec.whole else float(value)
        self.edited.emit(self.spec.key, number, form.in_box(self.spec, number, self._look.words))
        self.finished.emit()
        self.box.setFocus()  # the link that was clicked is gone

    def _leave(self) -> None:
        """The box is left: an entry stays as typed, a value stands in its usual form."""
        self.finished.emit()
        if self._state is not None and isinstance(self.box, NumberEdit):
            state = self._state
            if state.entry is None and state.value is not None:
                self.box.show_number(form.in_box(self.spec, state.value, self._look.words), self.box.placeholderText())
            if state.entry is None and state.notice is None and self._other is None:
                self.message.hide_line()


class _Tag(QWidget):
    """ "default" in grey, or "yours" as a pill with an arrow back to the default."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._yours = look, False
        self.reset = IconButton(look, "reset", size=13, hit=24)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self.reset)
        look.changed.connect(self.update)

    def show_tag(self, yours: bool, reset_words: str, name: str) -> None:
        """Which of the two, and what the arrow says."""
        self._yours = yours
        self.reset.setVisible(yours)
        self.reset.setAccessibleName(f"{name}: {reset_words}")
        self.reset.setToolTip(reset_words)
        self.setAccessibleName(self._look.words("tag.yours" if yours else "tag.default"))
        self.update()

    def sizeHint(self) -> QSize:
        """As high as the arrow's hit area."""
        return QSize(self._look.px(_TAG_WIDTH), self._look.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The word."""
        look, painter = self._look, QPainter(self)
        word = look.words("tag.yours" if self._yours else "tag.default")
        if not self._yours:
            paint.text(painter, self.rect(), word, look.font("small"), look.colour("text3"))
            return
        font = look.metrics("small", semibold=True)
        width = min(font.horizontalAdvance(word) + look.px(10), self.width() - look.px(25))
        height = look.px(18)
        rect = QRect(0, (self.height() - height) // 2, width, height)
        paint.rounded(painter, rect, look.px(4), look.colour("accentbg"))
        paint.text(painter, rect, word, look.font("small", semibold=True), look.colour("accent"), paint.CENTRE)


class _Message(QWidget):
    """The lines under a box, and links: beside each other where they fit."""

    link_clicked = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._width = look.px(_MESSAGE_WIDTH)
        self.line = WrappedText(look, "small", self._width - look.px(LINK_PADDING))
        self.links: list[LinkButton] = []
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0)
        inset = QHBoxLayout()
        inset.addSpacing(look.px(LINK_PADDING))
        inset.addWidget(self.line, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, look.px(1), 0, look.px(3))
        column.setSpacing(0)
        column.addLayout(inset)
        column.addLayout(self._row)
        self.hide()

    def show_line(self, sentence: str, tone: Tone, links: list[tuple[str, Any]] | None = None) -> None:
        """Show `sentence` and its links."""
        for link in self.links:
            self._row.removeWidget(link)
            link.hide()
            link.deleteLater()
        self.links = []
        self.line.show_text(sentence, tone)
        for text, value in links or []:
            link = LinkButton(self._look, "small")
            link.set_words(text)
            link.clicked.connect(lambda checked=False, value=value: self.link_clicked.emit(value))
            self._row.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
            link.show()  # left to itself it appears one turn of the event loop late, and the row jumps
            self.links.append(link)
        beside = sum(link.sizeHint().width() for link in self.links) <= self._width
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.show()
        self.updateGeometry()

    def hide_line(self) -> None:
        """Nothing to say."""
        self.line.show_text("", "text2")
        self.hide()
