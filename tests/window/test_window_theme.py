"""Light and dark: contrast recomputed from the tokens, one palette, no colour elsewhere."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

import desktop_app.window
from desktop_app.window.main_window import MainWindow
from desktop_app.window.theme import palette_of
from desktop_app.window.tokens import TOKENS, Theme

_BACKGROUNDS = ("surface", "canvas", "sunken", "hover", "accentbg")


def luminance(colour: str) -> float:
    """WCAG 2.2 relative luminance."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    bright, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("text", ["text", "text2", "text3", "accent", "ok", "warn", "bad", "unk"])
def test_text_has_contrast_on_every_background(theme: Theme, text: str) -> None:
    tokens = TOKENS[theme]
    worst = min(contrast(getattr(tokens, text), getattr(tokens, background)) for background in _BACKGROUNDS)
    assert worst >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("word", ["ok", "warn", "bad", "unk"])
def test_tags_have_contrast_on_their_own_background(theme: Theme, word: str) -> None:
    tokens = TOKENS[theme]
    assert contrast(getattr(tokens, word), getattr(tokens, f"{word}bg")) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_controls_bars_and_the_filled_button(theme: Theme) -> None:
    tokens = TOKENS[theme]
    assert contrast(tokens.control, tokens.surface) >= 3
    assert contrast(tokens.barsoft, tokens.surface) >= 3
    assert contrast(tokens.series_a, tokens.surface) >= 4.5
    assert contrast(tokens.onprimary, tokens.primary) >= 4.5
    assert contrast(tokens.accent, tokens.surface) >= 3  # the focus ring


def test_the_table_of_the_design_is_met() -> None:
    """Some cells of look/TOKENS section 1, to the decimal it prints."""
    light, dark = TOKENS["light"], TOKENS["dark"]
    smallest = {
        (theme, text): min(contrast(getattr(tokens, text), getattr(tokens, back)) for back in _BACKGROUNDS)
        for theme, tokens in (("light", light), ("dark", dark))
        for text in ("text", "text3", "accent")
    }
    assert smallest["light", "text"] == pytest.approx(14.1, abs=0.06)
    assert smallest["light", "text3"] == pytest.approx(4.9, abs=0.06)
    assert smallest["light", "accent"] == pytest.approx(6.4, abs=0.06)
    assert smallest["dark", "text"] == pytest.approx(11.1, abs=0.06)
    assert smallest["dark", "text3"] == pytest.approx(5.1, abs=0.06)
    assert smallest["dark", "accent"] == pytest.approx(5.9, abs=0.06)


def test_no_colour_stands_outside_the_tokens() -> None:
    folder = Path(desktop_app.window.__file__).parent
    found = {
        file.name: re.findall(r"#[0-9A-Fa-f]{6}\b|QColor\(\s*\d|Qt\.GlobalColor", file.read_text(encoding="utf-8"))
        for file in folder.glob("*.py")
        if file.name != "tokens.py"
    }
    assert {name: colours for name, colours in found.items() if colours} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_palette_says_every_role_that_dialogs_read(theme: Theme) -> None:
    palette, tokens = palette_of(TOKENS[theme]), TOKENS[theme]
    assert palette.color(QPalette.ColorRole.WindowText) == QColor(tokens.text)
    assert palette.color(QPalette.ColorRole.Base) == QColor(tokens.surface)
    assert palette.color(QPalette.ColorRole.PlaceholderText) == QColor(tokens.text3)
    assert palette.color(QPalette.ColorRole.Link) == QColor(tokens.accent)


def test_switching_repaints_everything(window: MainWindow, qapp: QApplication) -> None:
    def corner() -> str:
        return window.grab().toImage().pixelColor(3, window.height() // 2).name().upper()

    assert corner() == TOKENS["light"].canvas
    window.set_theme("dark")
    qapp.processEvents()
    assert corner() == TOKENS["dark"].canvas
    assert window.settings.theme == "dark"
    assert qapp.palette().color(QPalette.ColorRole.Base) == QColor(TOKENS["dark"].surface)
    window.set_theme("light")
    qapp.processEvents()
    assert corner() == TOKENS["light"].canvas


def test_the_choice_is_marked_in_the_menu(window: MainWindow) -> None:
    window.set_theme("dark")
    marked = [action.data() for action in window.menus.themes.actions() if action.isChecked()]
    assert marked == ["dark"]
