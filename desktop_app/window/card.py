"""A card of the form: header with summary, rows, and "More detail". Bodies and details are built when first shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.foundation.records import Card as CardKey
from desktop_app.window import paint
from desktop_app.window.buttons import LINK_PADDING, LinkButton, PaintedButton
from desktop_app.window.field_row import FieldRow, FieldState
from desktop_app.window.form import FieldSpec
from desktop_app.window.icons import Icon, draw_icon
from desktop_app.window.look import Look
from desktop_app.window.slider import SLIDERS, PowerSlider

_ICONS: dict[CardKey, Icon] = {
    "model": "model",
    "job": "job",
    "cluster": "cluster",
    "price": "price",
    "beside": "beside",
    "energy": "energy",
}


class Card(QFrame):
    """One card. Closed: the header. Open: the basic rows; with detail: all rows."""

    edited = Signal(str, object, str)
    faulty = Signal(str, str, object)
    reset_asked = Signal(str)
    finished = Signal()
    folded = Signal()

    def __init__(
        self,
        look: Look,
        key: CardKey,
        specs: tuple[FieldSpec, ...],
        state_of: Callable[[str], FieldState],
        differs: Callable[[FieldSpec], bool],
        applies: Callable[[str], bool],
    ) -> None:
        """A closed card; `state_of` tells what a row shows, `differs` whether it is not at its default.

        `applies` says whether a choice matters at all now: one that does not has no row, unless it is asked for.
        """
        super().__init__()
        self._look, self.key, self._specs, self._state_of, self._differs = look, key, specs, state_of, differs
        self._applies = applies
        self.setProperty("part", "panel")
        self.is_open = self.shows_detail = False
        self.rows: dict[str, FieldRow] = {}
        self.sliders: dict[str, PowerSlider] = {}
        self.header = _Header(look, _ICONS[key])
        self.header.clicked.connect(lambda: self.set_open(not self.is_open))
        self.body: QWidget | None = None
        self._detail: QWidget | None = None
        self._more: LinkButton | None = None
        self._hidden: LinkButton | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(look.px(12 - LINK_PADDING), look.px(5), look.px(10), look.px(5))
        column.setSpacing(0)
        column.addWidget(self.header)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_open(self, is_open: bool) -> None:
        """Open or close the card."""
        if is_open and self.body is None:
            self._build_body()
        self.is_open = is_open
        if self.body is not None:
            self.body.setVisible(is_open)
        self.refresh(self.header.summary)
        self.folded.emit()

    def set_detail(self, shows: bool) -> None:
        """Show or hide the detail rows."""
        if self.body is None:
            self._build_body()
        if shows and self._detail is None:
            self._build_detail()
        self.shows_detail = shows
        if self._detail is not None:
            self._detail.setVisible(shows)
        self.refresh(self.header.summary)
        self.folded.emit()

    def reveal(self, key: str) -> FieldRow | None:
        """Open what is needed to show the row of `key`; None when it is not of this card."""
        spec = next((spec for spec in self._specs if spec.key == key), None)
        if spec is None:
            return None
        if not self.is_open:
            self.set_open(True)
        if spec.detail and not self.shows_detail:
            self.set_detail(True)
        self.rows[key].show()
        return self.rows[key]

    def refresh(self, summary: str) -> None:
        """Bring header, visible rows and foot up to date."""
        words = self._look.words
        self.header.show_header(words(f"card.{self.key}"), summary, self.is_open)
        if not self.is_open:
            return
        for spec in self._specs:
            row = self.rows.get(spec.key)
            if row is not None and (not spec.detail or self.shows_detail):
                state = self._state_of(spec.key)
                row.show_state(state)
                row.setVisible(self._applies(spec.key) or state.entry is not None)
                if spec.key in self.sliders:
                    self._refresh_slider(spec, state)
        self._refresh_foot()

    def _refresh_slider(self, spec: FieldSpec, state: FieldState) -> None:
        slider = self.sliders[spec.key]
        slider.show_number(state.value)
        slider.setAccessibleName(self._look.words("slider.name", field=self._look.words(f"field.{spec.key}")))

    def _refresh_foot(self) -> None:
        words = self._look.words
        details = [spec for spec in self._specs if spec.detail and self._applies(spec.key)]
        if self._more is None or self._hidden is None:
            return
        name = words(f"card.{self.key}")
        text = words("action.less") if self.shows_detail else words("action.more", count=len(details))
        self._more.set_words(text, f"{name}: {text}")
        hidden = sum(self._differs(spec) for spec in details)
        self._hidden.setVisible(bool(hidden) and not self.shows_detail)
        text = words("action.hidden", count=hidden)
        self._hidden.set_words(text, f"{name}: {text}")

    def _build_body(self) -> None:
        look = self._look
        self.body = QWidget()
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for spec in self._specs:
            if not spec.detail:
                self._add_row(column, spec)
        details = [spec for spec in self._specs if spec.detail]
        if details:
            foot = QHBoxLayout()
            foot.setContentsMargins(0, 0, 0, 0)
            self._more, self._hidden = LinkButton(look), LinkButton(look, "small", semibold=True)
            self._more.clicked.connect(lambda: self.set_detail(not self.shows_detail))
            self._hidden.clicked.connect(self._go_to_hidden)
            foot.addWidget(self._more)
            foot.addStretch(1)
            foot.addWidget(self._hidden)
            column.addLayout(foot)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.body)

    def _build_detail(self) -> None:
        assert self.body is not None
        self._detail = QWidget()
        column = QVBoxLayout(self._detail)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for spec in self._specs:
            if spec.detail:
                self._add_row(column, spec)
        layout = self.body.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.count() - 1, self._detail)

    def _add_row(self, column: QVBoxLayout, spec: FieldSpec) -> None:
        row = FieldRow(self._look, spec)
        row.edited.connect(self.edited)
        row.faulty.connect(self.faulty)
        row.reset_asked.connect(self.reset_asked)
        row.finished.connect(self.finished)
        self.rows[spec.key] = row
        column.addWidget(row)
        if spec.key in SLIDERS:
            slider = PowerSlider(self._look, SLIDERS[spec.key])
            slider.dragged.connect(lambda value, key=spec.key: self.edited.emit(key, value, str(value)))
            slider.sliderReleased.connect(self.finished)
            self.sliders[spec.key] = slider
            column.addWidget(slider)

    def _go_to_hidden(self) -> None:
        """Open the detail at the first hidden change."""
        for spec in self._specs:
            if spec.detail and self._applies(spec.key) and self._differs(spec):
                row = self.reveal(spec.key)
                assert row is not None
                row.box.setFocus()
                return


class _Header(PaintedButton):
    """Icon, title, summary, chevron: the whole line is the button."""

    def __init__(self, look: Look, icon: Icon) -> None:
        super().__init__(look)
        self._icon = icon
        self.summary = ""
        self._is_open = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_header(self, title: str, summary: str, is_open: bool) -> None:
        """Show what the card is and holds."""
        self.summary, self._is_open = summary, is_open
        self.set_words(title)
        self.setAccessibleDescription(summary)
        self.setToolTip(summary)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(self._look.px(200), self._look.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """From left to right."""
        look, painter = self._look, QPainter(self)
        side, middle = look.px(18), self.height() // 2
        start = look.px(LINK_PADDING)
        draw_icon(painter, self._icon, QRect(start, middle - side // 2, side, side), look.colour("accent"))
        left = start + side + look.px(8)
        width = look.metrics("panel", semibold=True).horizontalAdvance(self.text())
        title = QRect(left, 0, width + 2, self.height())
        paint.text(painter, title, self.text(), look.font("panel", semibold=True), look.colour("text"))
        arrow = look.px(14)
        chevron = QRect(self.width() - arrow - look.px(2), middle - arrow // 2, arrow, arrow)
        draw_icon(painter, "up" if self._is_open else "right", chevron, look.colour("text2"))
        summary = QRect(title.right() + look.px(10), 0, chevron.left() - title.right() - look.px(20), self.height())
        paint.text(painter, summary, self.summary, look.font("small"), look.colour("text3"), paint.RIGHT)
        if self._shows_ring():
            paint.ring(painter, self.rect(), look.px(6), look)
