"""The panel "why this number": formula in words and in numbers, inputs as links, source, what moves it most."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.budget.explain import ExplainedInput
from desktop_app.budget.ledger import Tag
from desktop_app.window import paint
from desktop_app.window.buttons import LINK_PADDING, IconButton, LinkButton, ParagraphLink
from desktop_app.window.explain_view import ExplainView, MoverBar, RemedyLink, SourceBox
from desktop_app.window.labels import ElidedLabel, Hairline, TextLabel
from desktop_app.window.look import Look

_INPUT_ROOM = 275  # what name, value and tag of an input may take together on one line


class ExplainPanel(QFrame):
    """Shows one ExplainView. `follow` names a figure to explain next, `go_to` a choice, `remedy` a change to make."""

    follow = Signal(str)
    go_to = Signal(str)
    remedy = Signal(str, object)
    closed = Signal()

    def __init__(self, look: Look) -> None:
        """Empty until `show_view`."""
        super().__init__()
        self._look = look
        self._view: ExplainView | None = None
        self.setProperty("part", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head = TextLabel(look, "small", "text2")
        self.copy, self.close_button = IconButton(look, "copy", 15, 24), IconButton(look, "close", 13, 24)
        self.copy.clicked.connect(self.copy_text)
        self.close_button.clicked.connect(self.closed)
        bar = QHBoxLayout()
        bar.setContentsMargins(look.px(15), look.px(8), look.px(10), 0)
        bar.addWidget(self.head, 1)
        bar.addWidget(self.copy)
        bar.addWidget(self.close_button)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body = QWidget()
        self._fill_body()
        self.area.setWidget(self._body)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 1, look.px(6))
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.area, 1)

    def _fill_body(self) -> None:
        look = self._look
        column = QVBoxLayout(self._body)
        column.setContentsMargins(look.px(15 - LINK_PADDING), look.px(2), look.px(14), look.px(6))
        column.setSpacing(look.px(4))
        self.title = TextLabel(look, "panel", semibold=True, wrap=True)
        self.value = TextLabel(look, "panel", semibold=True)
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        top.addWidget(self.value, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(top)
        self.range = TextLabel(look, "small", "text2", wrap=True)
        self.formula = TextLabel(look, "body", "text2", wrap=True)
        self.numbers = TextLabel(look, "body", wrap=True)
        self.how = TextLabel(look, "body", "text2", wrap=True)
        self.field_link = LinkButton(look, "small")
        self.field_link.clicked.connect(lambda: self.go_to.emit(self._view.told.field if self._view else ""))
        self.inputs = _Section(look)
        self.source = _SourceFrame(look)
        self.source_section = _Section(look)
        self.source_section.body.addWidget(self.source)
        self.source_section.body.setContentsMargins(look.px(LINK_PADDING), 0, 0, 0)
        self.movers = _Section(look)
        self.bars = _Movers(look)
        self.movers.body.addWidget(self.bars)
        self.movers.body.setContentsMargins(look.px(LINK_PADDING), 0, 0, 0)
        self.remedies, self.runs = _Section(look), _Section(look)
        parts = (self.range, self.formula, self.numbers, self.how)
        for label in (self.title, *parts):
            label.setIndent(look.px(LINK_PADDING))
        sections = (self.remedies, self.inputs, self.source_section, self.movers, self.runs)
        for part in (*parts, self.field_link, *sections):
            column.addWidget(part)
        column.addStretch(1)
        self._input_rows: list[_InputRow] = []
        self._run_rows: list[_RunRow] = []
        self._remedy_links: list[ParagraphLink] = []

    def show_view(self, view: ExplainView) -> None:
        """Bring the panel up to date."""
        words, told = self._look.words, view.told
        if self._view is not None and self._view.told.key != told.key:
            self.area.verticalScrollBar().setValue(0)
        self._view = view
        self.head.setText(words("panel.explain"))
        self.copy.set_words("", words("action.copy_explain"))
        self.close_button.set_words("", words("action.close_panel"))
        self.setAccessibleName(f"{words('panel.explain')}: {told.title}, {told.value}")
        self.title.setText(told.title)
        self.value.setText(told.value)
        ranged = words("explain.range", range=told.range_text) if told.range_text else ""
        for label, text in (
            (self.range, ranged), (self.formula, told.formula), (self.numbers, told.numbers), (self.how, told.how),
        ):  # fmt: skip
            label.setText(text)
            label.setVisible(bool(text))
        self.field_link.setVisible(bool(told.field))
        if told.field:
            self.field_link.set_words(words("explain.show_input", field=words(f"field.{told.field}")))
        self._show_inputs(told.inputs)
        self._show_remedies(view.remedies)
        self._show_runs(view.runs)
        self.source_section.show_head(words("explain.source"), view.source is not None)
        if view.source is not None:
            self.source.show_source(view.source)
        self.movers.show_head(words("explain.moves"), bool(view.movers), view.movers_unit)
        self.bars.show_bars(view.base, view.movers)

    def copy_text(self) -> None:
        """Put the explanation on the clipboard."""
        if self._view is not None:
            QGuiApplication.clipboard().setText(self._view.as_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the panel."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _show_inputs(self, inputs: tuple[ExplainedInput, ...]) -> None:
        self.inputs.show_head(self._look.words("explain.inputs"), bool(inputs))
        while len(self._input_rows) < len(inputs):
            row = _InputRow(self._look)
            row.link.clicked.connect(lambda checked=False, row=row: self.follow.emit(row.key))
            self._input_rows.append(row)
            self.inputs.body.addWidget(row)
        for number, row in enumerate(self._input_rows):
            row.setVisible(number < len(inputs))
            if number < len(inputs):
                row.show_input(inputs[number])

    def _show_remedies(self, remedies: tuple[RemedyLink, ...]) -> None:
        self.remedies.show_head(self._look.words("explain.remedies"), bool(remedies))
        for link in self._remedy_links:
            self.remedies.body.removeWidget(link)
            link.deleteLater()
        self._remedy_links = []
        for remedy in remedies:
            link = ParagraphLink(self._look)
            link.set_words(remedy.words)
            link.clicked.connect(lambda checked=False, remedy=remedy: self.remedy.emit(remedy.field, remedy.value))
            self.remedies.body.addWidget(link)
            link.show()
            self._remedy_links.append(link)

    def _show_runs(self, runs: tuple[tuple[str, str], ...]) -> None:
        self.runs.show_head(self._look.words("explain.runs"), bool(runs))
        while len(self._run_rows) < len(runs):
            row = _RunRow(self._look)
            self._run_rows.append(row)
            self.runs.body.addWidget(row)
        for number, row in enumerate(self._run_rows):
            row.setVisible(number < len(runs))
            if number < len(runs):
                row.name.set_text(runs[number][0])
                row.figure.setText(runs[number][1])


class _Section(QWidget):
    """A head in capitals (in English only) and what stands below it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.head = TextLabel(look, "caption", "text3", semibold=True)
        self.head.setIndent(look.px(LINK_PADDING))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, look.px(6), 0, 0)
        column.setSpacing(look.px(3))
        column.addWidget(self.head)
        self.body = QVBoxLayout()
        self.body.setSpacing(0)
        column.addLayout(self.body)

    def show_head(self, words: str, visible: bool, unit: str = "") -> None:
        """Show the section under `words`, with the unit of what stands in it, or hide all of it."""
        head = words.upper() if self._look.language == "en" else words
        self.head.setText(f"{head}{self._look.words('list.comma')}{unit}" if unit else head)
        self.setVisible(visible)


class _InputRow(QWidget):
    """Name as a link, value, tag."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.key = ""
        self.link = LinkButton(look)
        self.value = TextLabel(look)
        self.tag = _TagPill(look)
        self._look = look
        figure = QHBoxLayout()
        figure.setSpacing(look.px(8))
        figure.addStretch(1)
        figure.addWidget(self.value)
        figure.addWidget(self.tag)
        name = QHBoxLayout()
        name.addWidget(self.link)
        name.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0)
        self._row.addLayout(name)
        self._row.addLayout(figure, 1)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row)
        below = QHBoxLayout()
        below.setContentsMargins(look.px(LINK_PADDING), 0, 0, 0)
        below.addWidget(Hairline())
        column.addLayout(below)

    def show_input(self, part: ExplainedInput) -> None:
        """Show one input."""
        self.key = part.key
        self.link.set_words(part.name)
        self.value.setText(part.value)
        self.tag.show_tag(part.tag)
        wanted = self.link.sizeHint().width() + self.value.sizeHint().width() + self.tag.sizeHint().width()
        narrow = wanted > self._look.px(_INPUT_ROOM)  # a long name has a line of its own
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._column.invalidate()
        self.updateGeometry()


class _TagPill(QWidget):
    """predicted, yours, table, default, computed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._tag: Tag = "computed"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_tag(self, tag: Tag) -> None:
        """Show `tag`."""
        self._tag = tag
        self.setAccessibleName(self._look.words(f"tag.{tag}"))
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for the longest of them, so that the values line up."""
        look = self._look
        metrics = look.metrics("caption", semibold=True)
        tags = ("predicted", "yours", "table", "default", "computed")
        widest = max(metrics.horizontalAdvance(look.words(f"tag.{tag}")) for tag in tags)
        return QSize(widest + look.px(12), look.px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The pill, at the right."""
        look, painter = self._look, QPainter(self)
        word = look.words(f"tag.{self._tag}")
        width = look.metrics("caption", semibold=True).horizontalAdvance(word) + look.px(10)
        rect = QRect(self.width() - width, 0, width, self.height())
        mine = self._tag == "yours"
        paint.pill(painter, rect, word, look, "accent" if mine else "unk", "accentbg" if mine else "unkbg")


class _RunRow(QWidget):
    """A published run and its figure."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.name = ElidedLabel(look, "small", "text2")
        self.figure = TextLabel(look, "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(look.px(LINK_PADDING), look.px(2), 0, look.px(2))
        row.addWidget(self.name, 1)
        row.addWidget(self.figure)


class _SourceFrame(QFrame):
    """Which row, of what, of when."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setProperty("part", "box")
        self.row = TextLabel(look, semibold=True, wrap=True)
        self.name = TextLabel(look, "small", "text2", wrap=True)
        self.date = TextLabel(look, "small", "text2")
        self.old = TextLabel(look, "small", "warn", semibold=True)
        foot = QHBoxLayout()
        foot.addWidget(self.date, 1)
        foot.addWidget(self.old)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.px(10), look.px(7), look.px(10), look.px(7))
        column.setSpacing(look.px(2))
        column.addWidget(self.row)
        column.addWidget(self.name)
        column.addLayout(foot)

    def show_source(self, source: SourceBox) -> None:
        """Show `source`; what it does not say takes no room."""
        texts = ((self.row, source.row), (self.name, source.name), (self.date, source.date), (self.old, source.old))
        for label, text in texts:
            label.setText(text)
            label.setVisible(bool(text))


class _Movers(QWidget):
    """A small tornado: name and inputs above each bar, the results at its ends."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._base = 0.0
        self._bars: tuple[MoverBar, ...] = ()
        look.changed.connect(self.update)

    def show_bars(self, base: float, bars: tuple[MoverBar, ...]) -> None:
        """Show `bars` around `base`."""
        self._base, self._bars = base, bars
        self.setFixedHeight(max(1, len(bars) * self._look.px(34)))
        self.setAccessibleName("; ".join(f"{bar.name} {bar.inputs}: {bar.low_text}, {bar.high_text}" for bar in bars))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """All bars on one scale, the base as an upright line."""
        if not self._bars:
            return
        look, painter = self._look, QPainter(self)
        small = look.metrics("small")
        ends = max(max(small.horizontalAdvance(t) for t in (bar.low_text, bar.high_text)) for bar in self._bars)
        room = self.width() - 2 * (ends + look.px(8))
        low = min(self._base, *(min(bar.low, bar.high) for bar in self._bars))
        high = max(self._base, *(max(bar.low, bar.high) for bar in self._bars))
        scale = room / (high - low) if high > low else 0
        start = ends + look.px(8)

        def place(value: float) -> int:
            return start + round((value - low) * scale)

        for number, bar in enumerate(self._bars):
            self._paint_bar(painter, number * look.px(34), bar, (place(bar.low), place(self._base), place(bar.high)))

    def _paint_bar(self, painter: QPainter, top: int, bar: MoverBar, places: tuple[int, int, int]) -> None:
        look = self._look
        line = QRect(0, top, self.width(), look.px(16))
        inputs = look.metrics("small").horizontalAdvance(bar.inputs)
        name = line.adjusted(0, 0, -inputs - look.px(8), 0)
        paint.text(painter, name, bar.name, look.font("small"), look.colour("text2"))
        paint.text(painter, line, bar.inputs, look.font("small"), look.colour("text3"), paint.RIGHT)
        at_low, base, at_high = places
        y, thick = top + look.px(19), look.px(10)
        for end, token in ((at_low, "barsoft"), (at_high, "series_a")):
            left, right = min(end, base), max(end, base)
            painter.fillRect(QRect(left, y, right - left, thick), look.colour(token))
        painter.fillRect(QRect(base, y - look.px(2), 1, thick + look.px(4)), look.colour("text"))
        ends = [(at_low, bar.low_text), (at_high, bar.high_text)]
        (left, left_text), (right, right_text) = sorted(ends)
        words = QRect(0, y - look.px(3), left - look.px(6), thick + look.px(6))
        paint.text(painter, words, left_text, look.font("small"), look.colour("text"), paint.RIGHT)
        words = QRect(right + look.px(6), y - look.px(3), self.width() - right, thick + look.px(6))
        paint.text(painter, words, right_text, look.font("small"), look.colour("text"))
