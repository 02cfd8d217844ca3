"""How the window looks now: colours, sizes, fonts and language, in one object that every part of it is given."""

from typing import Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics

from desktop_app.foundation.wording import Language, Words, words_of
from desktop_app.window.tokens import TOKENS, Theme, Tokens

Step = Literal["caption", "small", "body", "unit", "panel", "finding", "verdict", "figure"]

# Factors of the base size (look/TOKENS section 2). There are no other sizes.
_STEPS: dict[Step, float] = {
    "caption": 0.85,
    "small": 0.92,
    "body": 1.0,
    "unit": 1.08,
    "panel": 1.15,
    "finding": 1.23,
    "verdict": 1.54,
    "figure": 2.15,
}
_DESIGN_BASE = 13  # px: the base at which the lengths of look/TOKENS are given


class Look(QObject):
    """Tokens of the theme, words of the language, lengths and fonts. `changed` after any of them did."""

    changed = Signal()

    def __init__(self, theme: Theme, language: Language, family: str, base: int) -> None:
        """Start with `theme` and `language`; `base` is the height of body text in pixels."""
        super().__init__()
        self.theme: Theme = theme
        self.family = family
        self.base = base
        self._fonts: dict[tuple[Step, bool], QFont] = {}
        self._metrics: dict[tuple[Step, bool], QFontMetrics] = {}
        self.words: Words = words_of(language)

    @property
    def tokens(self) -> Tokens:
        """The colours of the theme."""
        return TOKENS[self.theme]

    @property
    def language(self) -> Language:
        """The language of every word on screen."""
        return self.words.language

    def set_language(self, language: Language) -> None:
        """Change every word."""
        if language != self.language:
            self.words = words_of(language)
            self.changed.emit()

    def px(self, length: float) -> int:
        """A length of the design, given at a base of 13, in logical pixels; at least 1."""
        return max(1, round(length * self.base / _DESIGN_BASE))

    def font(self, step: Step = "body", semibold: bool = False) -> QFont:
        """The font of one step of the type scale. Copy it before you change it: painting asks for it all the time."""
        if (step, semibold) not in self._fonts:
            font = QFont(self.family)
            font.setPixelSize(round(self.base * _STEPS[step]))
            font.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
            self._fonts[step, semibold] = font
        return self._fonts[step, semibold]

    def metrics(self, step: Step = "body", semibold: bool = False) -> QFontMetrics:
        """Measures of that font."""
        if (step, semibold) not in self._metrics:
            self._metrics[step, semibold] = QFontMetrics(self.font(step, semibold))
        return self._metrics[step, semibold]

    def colour(self, token: str) -> QColor:
        """The colour of a token by its name."""
        return QColor(getattr(self.tokens, token))
