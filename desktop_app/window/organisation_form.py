"""The boxes of the profile of an organisation, each with a line under it: what it is for, or what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.window import paint
from desktop_app.window.labels import TextLabel, Tone, repolish
from desktop_app.window.look import Look
from desktop_app.window.tokens import LIGHT

_LABEL_WIDTH = 132
_PREVIEW = (240, 72)
_SWATCH = (44, 30)

Box = QLineEdit | QPlainTextEdit


class ProfileRow(QWidget):
    """A label, what stands beside it, and a line of words under that."""

    def __init__(self, look: Look, label: str, box: QWidget, *beside: QWidget, hint: str = "") -> None:
        """`box` is what the label names; `hint` stands under it while nothing is wrong."""
        super().__init__()
        self._box, self._hint = box, hint
        self.label = TextLabel(look, "body", "text2", wrap=True)
        self.label.setText(label)
        self.label.setBuddy(box)
        self.label.setFixedWidth(look.px(_LABEL_WIDTH))
        self.label.setMinimumHeight(look.px(30))
        box.setAccessibleName(label)
        self.note = TextLabel(look, "small", "text3", wrap=True)
        line = QHBoxLayout()
        line.setSpacing(look.px(8))
        line.addWidget(box, 1)
        for part in beside:
            line.addWidget(part)
        line.addStretch(0 if box.maximumWidth() > box.minimumWidth() else 1)
        column = QVBoxLayout()
        column.setSpacing(look.px(2))
        column.addLayout(line)
        column.addWidget(self.note)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(look.px(8))
        row.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.say("")

    def say(self, problem: str) -> None:
        """What is wrong with the box; "" for nothing."""
        bad = bool(problem)
        self.tell(problem or self._hint, "bad" if bad else "text3")
        if self._box.property("bad") != bad:
            self._box.setProperty("bad", bad)
            repolish(self._box)

    def tell(self, words: str, tone: Tone) -> None:
        """A remark on the box, in the tone of a token."""
        self.note.setText(words)
        self.note.set_tone(tone)
        self.note.setVisible(bool(words))
        self._box.setAccessibleDescription(words)


class TextArea(QPlainTextEdit):
    """Several lines of plain text; Tab goes on to the next box."""

    def __init__(self, look: Look, lines: int) -> None:
        """So many lines high."""
        super().__init__()
        self.setFont(look.font())
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedHeight(lines * look.metrics().lineSpacing() + look.px(14))


class Swatch(QWidget):
    """A field of one colour; empty with a line across where there is none."""

    def __init__(self, look: Look) -> None:
        """Without a colour yet."""
        super().__init__()
        self._look, self.colour = look, ""
        self.setFixedSize(look.px(_SWATCH[0]), look.px(_SWATCH[1]))
        look.changed.connect(self.update)

    def show_colour(self, colour: str, name: str) -> None:
        """Six hexadecimal digits, or ""; `name` is what a screen reader says."""
        self.colour = colour
        self.setAccessibleName(name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The colour in a border that is seen on any."""
        look, painter = self._look, QPainter(self)
        fill = QColor(f"#{self.colour}") if self.colour else look.colour("surface")
        paint.rounded(painter, self.rect(), look.px(5), fill, look.colour("control"))
        if not self.colour:
            painter.setPen(look.colour("control"))
            painter.drawLine(self.rect().bottomLeft(), self.rect().topRight())


class LogoView(QWidget):
    """The logo on white, as paper is, whatever the colours of the window; takes the focus of its label."""

    changed = Signal()

    def __init__(self, look: Look) -> None:
        """Without a logo yet."""
        super().__init__()
        self._look, self.png, self._picture = look, b"", QPixmap()
        self.setFixedSize(look.px(_PREVIEW[0]), look.px(_PREVIEW[1]))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_logo(self, png: bytes, words: str) -> None:
        """A PNG, or b"" for none; `words` say what it is."""
        self.png, self._picture = png, QPixmap()
        if png:
            self._picture.loadFromData(png, "PNG")
        self.setToolTip(words)
        self.update()
        self.changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The logo as large as fits, or a line of words."""
        look, painter = self._look, QPainter(self)
        paint.rounded(painter, self.rect(), look.px(5), QColor(LIGHT.surface), look.colour("control"))
        inside = self.rect().adjusted(look.px(8), look.px(6), -look.px(8), -look.px(6))
        if self._picture.isNull():
            words = look.words("organisation.no_logo")
            paint.text(painter, inside, words, look.font("small"), QColor(LIGHT.text3), paint.CENTRE)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(_fitted(self._picture.size(), inside), self._picture)


def _fitted(size: QSize, room: QRect) -> QRect:
    """The largest rectangle of the shape of `size` in the middle of `room`."""
    scaled = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    rect = QRect(0, 0, scaled.width(), scaled.height())
    rect.moveCenter(room.center())
    return rect
