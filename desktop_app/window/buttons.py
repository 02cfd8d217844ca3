"""Painted buttons: with words, with an icon alone, and links. Each is a real QAbstractButton with a focus ring."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from desktop_app.window import paint
from desktop_app.window.icons import Icon, draw_icon
from desktop_app.window.look import Look, Step

LINK_PADDING = 3  # between a link's words and its focus ring; what stands above or below is moved by as much


class PaintedButton(QAbstractButton):
    """Base of all: pointing hand, keyboard focus, Enter presses, repaint when the look changes."""

    def __init__(self, look: Look) -> None:
        """Without words yet."""
        super().__init__()
        self._look = look
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        look.changed.connect(self._restyle)

    def set_words(self, text: str, spoken: str = "") -> None:
        """The words on it, and what a screen reader and the tooltip say where that is more."""
        self.setText(text)
        self.setAccessibleName(spoken or text)
        self.setToolTip(spoken if spoken != text else "")
        self.updateGeometry()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _shows_ring(self) -> bool:
        return self.hasFocus()


class PushButton(PaintedButton):
    """A button with words, and an icon or none; one of them on the window is filled."""

    def __init__(self, look: Look, icon: Icon | None, primary: bool = False) -> None:
        """`primary` fills it."""
        super().__init__(look)
        self._icon, self._primary = icon, primary
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Words, icon, and room for the ring around."""
        look, room = self._look, self._look.px(paint.RING_ROOM)
        words = look.metrics("body", semibold=self._primary).horizontalAdvance(self.text())
        beside = 18 + 8 + 24 if self._icon else 32
        return QSize(words + look.px(beside) + 2 * room, look.px(30) + 2 * room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Filled or outlined."""
        look, painter = self._look, QPainter(self)
        room = look.px(paint.RING_ROOM)
        body = self.rect().adjusted(room, room, -room, -room)
        if not self.isEnabled():
            ink = "text3"
        else:
            ink = "onprimary" if self._primary else "text"
        if self._primary:
            paint.rounded(painter, body, look.px(6), look.colour("primary" if self.isEnabled() else "hover"))
        else:
            fill = "hover" if self.underMouse() and self.isEnabled() else "surface"
            paint.rounded(painter, body, look.px(6), look.colour(fill), look.colour("control"))
        words, flags = body, paint.CENTRE
        if self._icon:
            side = look.px(16)
            icon = QRect(body.left() + look.px(12), body.center().y() - side // 2 + 1, side, side)
            draw_icon(painter, self._icon, icon, look.colour(ink if self._primary or ink == "text3" else "text2"))
            words, flags = body.adjusted(look.px(12) + side + look.px(8), 0, -look.px(6), 0), paint.LEFT
        font = look.font("body", semibold=self._primary)
        paint.text(painter, words, self.text(), font, look.colour(ink), flags)
        if self._shows_ring():
            paint.ring(painter, self.rect(), look.px(8), look)


class IconButton(PaintedButton):
    """A button that is an icon, perhaps with a word behind it. Name and tooltip say what it does."""

    def __init__(self, look: Look, icon: Icon, size: int = 16, hit: int = 28) -> None:
        """`size` of the drawing and `hit` area, in lengths of the design."""
        super().__init__(look)
        self._icon, self._size, self._hit = icon, size, hit
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The hit area, wider with a word."""
        hit = self._look.px(self._hit)
        words = self._look.metrics("body").horizontalAdvance(self.text()) if self.text() else 0
        return QSize(hit + (words + self._look.px(10) if words else 0), hit)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The drawing, on a tint under the mouse."""
        look, painter = self._look, QPainter(self)
        if self.underMouse() and self.isEnabled():
            paint.rounded(painter, self.rect(), look.px(6), look.colour("hover"))
        side = look.px(self._size)
        left = look.px(6) if self.text() else (self.width() - side) // 2
        rect = QRect(left, (self.height() - side) // 2, side, side)
        draw_icon(painter, self._icon, rect, look.colour("text2" if self.isEnabled() else "control"))
        if self.text():
            words = self.rect().adjusted(rect.right() + look.px(7), 0, 0, 0)
            paint.text(painter, words, self.text(), look.font(), look.colour("text2"))
        if self._shows_ring():
            paint.ring(painter, self.rect(), look.px(6), look)


class ParagraphLink(PaintedButton):
    """A link of as many lines as its words take."""

    def __init__(self, look: Look) -> None:
        """Of the small step of the type scale."""
        super().__init__(look)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The lines of its words in so much width, and at least 24 to be hit."""
        look = self._look
        inner = QRect(0, 0, width - 2 * look.px(LINK_PADDING), 10_000)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)
        lines = look.metrics("small").boundingRect(inner, flags, self.text()).height()
        return int(max(look.px(24), lines + look.px(4)))

    def sizeHint(self) -> QSize:
        """Of the width that it has."""
        width = max(self.width(), self._look.px(160))
        return QSize(width, self.heightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, underlined under the mouse."""
        look, painter = self._look, QPainter(self)
        font = QFont(look.font("small"))
        font.setUnderline(self.underMouse())
        inner = self.rect().adjusted(look.px(LINK_PADDING), look.px(2), -look.px(LINK_PADDING), 0)
        paint.wrapped(painter, inner, self.text(), font, look.colour("accent"))
        if self._shows_ring():
            paint.ring(painter, self.rect(), look.px(4), look)


class LinkButton(PaintedButton):
    """Words in accent that do something."""

    def __init__(self, look: Look, step: Step = "body", semibold: bool = False) -> None:
        """Of one step of the type scale."""
        super().__init__(look)
        self._step, self._semibold = step, semibold
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The words, and at least 24 high to be hit."""
        look, metrics = self._look, self._look.metrics(self._step, self._semibold)
        return QSize(
            metrics.horizontalAdvance(self.text()) + 2 * look.px(LINK_PADDING) + 1, max(look.px(24), metrics.height())
        )

    def minimumSizeHint(self) -> QSize:
        """It may shrink to a few letters and elide."""
        return QSize(min(self._look.px(40), self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, underlined under the mouse."""
        look, painter = self._look, QPainter(self)
        font = QFont(look.font(self._step, self._semibold))
        font.setUnderline(self.underMouse())
        inner = self.rect().adjusted(look.px(LINK_PADDING), 0, -look.px(LINK_PADDING), 0)
        paint.text(painter, inner, self.text(), font, look.colour("accent"))
        if self._shows_ring():
            paint.ring(painter, self.rect(), look.px(4), look)
