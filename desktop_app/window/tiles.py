"""The four figure tiles and the verdict tile: painted buttons that explain their figure."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QRect, QSize, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStyle

from desktop_app.window import paint
from desktop_app.window.buttons import PaintedButton
from desktop_app.window.figures import TileFigure, Verdict
from desktop_app.window.icons import Shape, draw_shape
from desktop_app.window.labels import Hairline
from desktop_app.window.look import Look, Step

_WEIGHTS = (29, 20, 19, 18, 21)  # widths of the tiles (look/TOKENS section 4)
_FLASH_MS = 600
_LABEL_STEPS: tuple[Step, ...] = ("small", "caption")  # the whole label in smaller type before it is shortened
_PADDING = 6
_TONES: dict[Shape, str] = {"yes": "ok", "tight": "warn", "no": "bad", "unknown": "unk"}


class _Tile(PaintedButton):
    """What both kinds share: size, frame, label, flash after a change."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._flash = QVariantAnimation(self)
        self._flash.setDuration(_FLASH_MS)
        self._flash.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._flash.setStartValue(255)
        self._flash.setEndValue(0)
        self._flash.valueChanged.connect(self.update)

    def sizeHint(self) -> QSize:
        """Label, figure, whisker and range."""
        return QSize(self._look.px(150), self._look.px(104))

    def minimumSizeHint(self) -> QSize:
        """Room for the figure with few digits and its unit."""
        frame = 2 * self._look.px(paint.RING_ROOM) + 2 * self._look.px(_PADDING)
        return QSize(self._narrowest() + frame, self._look.px(104))

    def _narrowest(self) -> int:
        """Width that the content needs at the least."""
        return self._look.px(90)

    def _paint_label(self, painter: QPainter, line: QRect, label: str, short: str) -> None:
        """The label, or its short form where the tile is narrow."""
        look = self._look
        for step in _LABEL_STEPS:
            if look.metrics(step).horizontalAdvance(label) <= line.width():
                paint.text(painter, line, label, look.font(step), look.colour("text2"))
                return
        fits = look.metrics("small").horizontalAdvance(short) <= line.width()
        paint.text(painter, line, short, look.font("small" if fits else "caption"), look.colour("text2"))

    def _start_flash(self) -> None:
        """Tint the changed figure once, unless the system asks for no motion."""
        if self.isVisible() and self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) > 0:
            self._flash.start()

    def _paint_frame(self, painter: QPainter) -> QRect:
        """Tint, ring; returns the rectangle of the content."""
        look, room = self._look, self._look.px(paint.RING_ROOM)
        inner = self.rect().adjusted(room, room, -room, -room)
        if self._flash.state() == QVariantAnimation.State.Running:
            tint = QColor(look.colour("accentbg"))
            tint.setAlpha(int(self._flash.currentValue()))
            paint.rounded(painter, inner, look.px(6), tint)
        elif self.underMouse():
            paint.rounded(painter, inner, look.px(6), look.colour("hover"))
        if self.hasFocus():
            paint.ring(painter, self.rect().adjusted(1, 1, -1, -1), look.px(8), look)
        return inner.adjusted(look.px(_PADDING), 0, -look.px(_PADDING), 0)

    def _line(self, inner: QRect, top: float, height: float) -> QRect:
        """A line of the content, by lengths of the design."""
        return QRect(inner.left(), inner.top() + self._look.px(top), inner.width(), self._look.px(height))


class FigureTile(_Tile):
    """Label, figure with unit, whisker from P10 to P90, range in words."""

    def __init__(self, look: Look) -> None:
        """Empty until `show_figure`."""
        super().__init__(look)
        self._figure: TileFigure | None = None
        self._stale = ""

    def show_figure(self, figure: TileFigure, stale: str) -> None:
        """Show `figure`; `stale` is the reason why it is the last good one and not the newest."""
        if self._figure is not None and self._figure.key == figure.key and self._figure.base != figure.base:
            self._start_flash()
        self._figure, self._stale = figure, stale
        self.updateGeometry()
        self.setAccessibleName(figure.spoken)
        self.setAccessibleDescription(stale)
        self.setToolTip(stale or figure.reason)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """From top to bottom."""
        if self._figure is None:
            return
        look, painter, figure = self._look, QPainter(self), self._figure
        inner = self._paint_frame(painter)
        self._paint_label(painter, self._line(inner, 4, 18), figure.label, figure.short_label)
        if figure.base is None:
            self._paint_unknown(painter, inner, figure)
            return
        self._paint_value(painter, self._line(inner, 22, 36), figure)
        if self._stale:
            self._paint_stale(painter, inner)
            return
        _paint_whisker(painter, self._line(inner, 60, 12), figure, look)
        self._paint_foot(painter, self._line(inner, 76, 18), figure)

    def _narrowest(self) -> int:
        """The figure in its short form with its unit, and the short label."""
        if self._figure is None:
            return super()._narrowest()
        look, figure = self._look, self._figure
        big, small = look.metrics("figure", semibold=True), look.metrics("unit")
        units = sum(small.horizontalAdvance(unit) + look.px(5) for unit in (figure.before, figure.unit) if unit)
        label = look.metrics("caption").horizontalAdvance(figure.short_label)
        return max(big.horizontalAdvance(figure.short) + units, label)

    def _paint_value(self, painter: QPainter, line: QRect, figure: TileFigure) -> None:
        """Unit before, digits, unit after on one baseline; fewer digits where the tile is narrow."""
        look = self._look
        big, small = look.font("figure", semibold=True), look.font("unit")
        big_metrics, small_metrics = look.metrics("figure", semibold=True), look.metrics("unit")
        gap = look.px(5)
        before = small_metrics.horizontalAdvance(figure.before) + gap if figure.before else 0
        after = small_metrics.horizontalAdvance(figure.unit) + gap if figure.unit else 0
        value = figure.value
        if before + big_metrics.horizontalAdvance(value) + after > line.width():
            value = figure.short
        baseline = line.top() + (line.height() + big_metrics.ascent() - big_metrics.descent()) // 2
        x = line.left()
        painter.setPen(look.colour("text2"))
        painter.setFont(small)
        painter.drawText(x, baseline, figure.before)
        x += before
        painter.setFont(big)
        painter.setPen(look.colour("text3" if self._stale else "text"))
        painter.drawText(x, baseline, value)
        x += big_metrics.horizontalAdvance(value) + gap
        painter.setFont(small)
        painter.setPen(look.colour("text2"))
        painter.drawText(x, baseline, figure.unit)

    def _paint_foot(self, painter: QPainter, line: QRect, figure: TileFigure) -> None:
        """Range on the left; on the right what else belongs to the figure, where there is room."""
        look = self._look
        metrics, bold = look.metrics("small"), look.metrics("small", semibold=True)
        left, right = metrics.horizontalAdvance(figure.left), bold.horizontalAdvance(figure.right)
        shows_right = bool(figure.right) and left + right + look.px(8) <= line.width()
        if figure.accented and not shows_right:  # the amount to approve matters more than the range
            bare = figure.left.rpartition(":")[2].rpartition("：")[2].strip()
            shows_range = metrics.horizontalAdvance(bare) + right + look.px(8) <= line.width()
            paint.text(painter, line, bare if shows_range else "", look.font("small"), look.colour("text2"))
            shows_right = True
        else:
            paint.text(painter, line, figure.left, look.font("small"), look.colour("text2"))
        colour = look.colour("accent" if figure.accented else "text3")
        if not shows_right:  # it stands beside the label, where that leaves room
            line = line.translated(0, -look.px(76 - 4))
            if metrics.horizontalAdvance(figure.label) + right + look.px(8) > line.width():
                return
        paint.text(painter, line, figure.right, look.font("small", semibold=True), colour, paint.RIGHT)

    def _paint_stale(self, painter: QPainter, inner: QRect) -> None:
        """Why the figure is the last good one."""
        look, side = self._look, self._look.px(14)
        rect = self._line(inner, 60, 34)
        icon = QRect(rect.left(), rect.top() + look.px(2), side, side)
        draw_shape(painter, "tight", icon, look.colour("warn"), look.colour("surface"))
        words = rect.adjusted(side + look.px(5), 0, 0, 0)
        paint.wrapped(painter, words, self._stale, look.font("caption"), look.colour("warn"))

    def _paint_unknown(self, painter: QPainter, inner: QRect, figure: TileFigure) -> None:
        """A square with a question mark, the words, and the reason. Never 0."""
        look = self._look
        line, side = self._line(inner, 20, 27), look.px(20)
        icon = QRect(line.left(), line.center().y() - side // 2, side, side)
        draw_shape(painter, "unknown", icon, look.colour("unk"), look.colour("surface"))
        words = line.adjusted(side + look.px(7), 0, 0, 0)
        paint.text(painter, words, figure.value, look.font("verdict", semibold=True), look.colour("unk"))
        reason = self._line(inner, 46, 34 if figure.link else 48)
        paint.wrapped(painter, reason, figure.brief, look.font("caption"), look.colour("text2"))
        paint.text(painter, self._line(inner, 80, 16), figure.link, look.font("small"), look.colour("accent"))


class VerdictTile(_Tile):
    """Fits in GPU memory: shape, word, memory bar, one line of fact."""

    def __init__(self, look: Look) -> None:
        """Empty until `show_verdict`."""
        super().__init__(look)
        self._verdict: Verdict | None = None
        self._stale = ""

    def show_verdict(self, verdict: Verdict, stale: str) -> None:
        """Show `verdict`."""
        if self._verdict is not None and self._verdict.fits != verdict.fits:
            self._start_flash()
        self._verdict, self._stale = verdict, stale
        self.setAccessibleName(verdict.spoken)
        self.setAccessibleDescription(stale)
        self.setToolTip(stale)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """From top to bottom."""
        if self._verdict is None:
            return
        look, painter, verdict = self._look, QPainter(self), self._verdict
        inner = self._paint_frame(painter)
        self._paint_label(painter, self._line(inner, 4, 18), verdict.label, verdict.label)
        line, side = self._line(inner, 22, 36), look.px(21)
        icon = QRect(line.left(), line.center().y() - side // 2, side, side)
        tone = look.colour("text3" if self._stale else _TONES[verdict.fits])
        draw_shape(painter, verdict.fits, icon, tone, look.colour("surface"))
        words = line.adjusted(side + look.px(7), 0, 0, 0)
        paint.text(painter, words, verdict.word, look.font("verdict", semibold=True), tone)
        _paint_memory(painter, self._line(inner, 60, 12), verdict, look)
        foot = self._line(inner, 76, 18)
        fits = look.metrics("small").horizontalAdvance(verdict.fact) <= foot.width()
        fact = verdict.fact if fits else verdict.short_fact
        foot_tone = "warn" if self._stale else "text2"
        paint.text(painter, foot, self._stale or fact, look.font("small"), look.colour(foot_tone))


class TileRow(QFrame):
    """The panel with all tiles. `explain` names the ledger line of a clicked one; `mend` a choice that would help."""

    explain = Signal(str)
    mend = Signal(str)

    def __init__(self, look: Look) -> None:
        """Empty until `show_figures`."""
        super().__init__()
        self.setProperty("part", "panel")
        row = QHBoxLayout(self)
        row.setContentsMargins(look.px(4), look.px(4), look.px(4), look.px(4))
        row.setSpacing(0)
        self.tiles = [FigureTile(look) for _ in range(4)]
        self.verdict = VerdictTile(look)
        self._keys: list[tuple[str, str]] = [("", "")] * len(self.tiles)
        for index, (tile, weight) in enumerate(zip([*self.tiles, self.verdict], _WEIGHTS, strict=True)):
            if index:
                line = Hairline(vertical=True)
                row.addWidget(line)
            row.addWidget(tile, weight)
        for index, tile in enumerate(self.tiles):
            tile.clicked.connect(lambda checked=False, index=index: self._clicked(index))
        self.verdict.clicked.connect(lambda: self.explain.emit("memory.peak"))

    def show_figures(self, figures: tuple[TileFigure, ...], verdict: Verdict, stale: str, last_good: str) -> None:
        """Bring all tiles up to date. The first tells why its figure is not the newest, the others that it is not."""
        for index, (tile, figure) in enumerate(zip(self.tiles, figures, strict=True)):
            self._keys[index] = (figure.key, figure.link_field)
            tile.show_figure(figure, stale if index == 0 or not stale else last_good)
        self.verdict.show_verdict(verdict, last_good if stale else "")

    def all_tiles(self) -> tuple[PaintedButton, ...]:
        """The five tiles in reading order."""
        return (*self.tiles, self.verdict)

    def _clicked(self, index: int) -> None:
        key, field = self._keys[index]
        self.explain.emit(key)
        if field:
            self.mend.emit(field)


def _paint_whisker(painter: QPainter, line: QRect, figure: TileFigure, look: Look) -> None:
    """Track from P10 to P90 with end ticks, a solid tick at the base, a hollow diamond at the amount to approve."""
    if figure.low is None or figure.high is None or figure.base is None:
        return
    half, middle = look.px(5), line.center().y()
    left, right = line.left() + half, line.right() - half
    low = min(figure.low, figure.base)
    width = max(figure.high, figure.base) - low

    def place(value: float) -> int:
        return left + round((right - left) * ((value - low) / width if width > 0 else 0.5))

    track, tick = look.px(5), look.px(11)
    painter.fillRect(QRect(left, middle - track // 2, right - left + 1, track), look.colour("track"))
    for end in (left, right):
        painter.fillRect(QRect(end, middle - tick // 2, 1, tick), look.colour("control"))
    solid = look.px(4)
    painter.fillRect(QRect(place(figure.base) - solid // 2, middle - tick // 2, solid, tick), look.colour("series_a"))
    if figure.ask is not None:
        paint.diamond(painter, place(figure.ask) + 0.5, middle + 0.5, look.px(5), look)


def _paint_memory(painter: QPainter, line: QRect, verdict: Verdict, look: Look) -> None:
    """Steps of one colour for what is stored, hatched allowance, a line at capacity; past it the bar runs on in bad."""
    bar = QRect(line.left(), line.center().y() - look.px(5), line.width(), look.px(11))
    stored = sum(size for _, size in verdict.parts)
    whole = max(verdict.capacity, stored + verdict.allowance[0])
    if whole <= 0:
        return
    scale = (bar.width() - look.px(3)) / whole
    limit = bar.left() + round(verdict.capacity * scale)
    painter.fillRect(QRect(bar.left(), bar.top(), limit - bar.left(), bar.height()), look.colour("track"))
    start = 0.0
    shown = [size for _, size in verdict.parts if size * scale >= 1]
    for index, size in enumerate(shown):
        colour = QColor(look.colour("series_a"))
        colour.setAlphaF(max(0.35, 1 - 0.18 * index))
        left, right = bar.left() + round(start * scale), bar.left() + round((start + size) * scale)
        painter.fillRect(QRect(left, bar.top(), max(1, right - left - 1), bar.height()), colour)
        start += size
    left, right = bar.left() + round(stored * scale), bar.left() + round((stored + verdict.allowance[0]) * scale)
    paint.hatched(painter, QRect(left, bar.top(), right - left, bar.height()), look.colour("barsoft"), look.px(4))
    if right > limit:
        painter.fillRect(QRect(limit, bar.top(), right - limit, bar.height()), look.colour("bad"))
    edge = QRect(limit, bar.top() - look.px(3), look.px(2), bar.height() + 2 * look.px(3))
    painter.fillRect(edge, look.colour("text"))
