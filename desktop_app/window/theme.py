"""From the tokens of a theme: the palette for Qt's own dialogs and menus, and the one stylesheet for shapes."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop_app.window.look import Look
from desktop_app.window.tokens import Theme, ThemeChoice, Tokens

_ROLES: dict[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "canvas",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "bad",
    QPalette.ColorRole.Highlight: "accentbg",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "control",
    QPalette.ColorRole.Dark: "control",
    QPalette.ColorRole.Shadow: "line",
}
_WHEN_DISABLED = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


def palette_of(tokens: Tokens) -> QPalette:
    """The full palette of a theme; what is disabled is told in text3."""
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, QColor(getattr(tokens, token)))
    for role in _WHEN_DISABLED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.text3))
    return palette


def stylesheet_of(look: Look) -> str:
    """Shapes only: radius, borders and padding of inputs, panels, menus and scroll bars."""
    t, px = look.tokens, look.px
    return f"""
QWidget[part="canvas"] {{ background: {t.canvas}; }}
QWidget[part="bar"] {{ background: {t.surface}; }}
QFrame[part="panel"] {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: {px(8)}px; }}
QFrame[part="box"] {{ background: {t.sunken}; border: 1px solid {t.line}; border-radius: {px(6)}px; }}
QFrame[part="hairline"] {{ background: {t.line}; border: none; }}
QLabel[tone="text"] {{ color: {t.text}; }}
QLabel[tone="text2"] {{ color: {t.text2}; }}
QLabel[tone="text3"] {{ color: {t.text3}; }}
QLabel[tone="warn"] {{ color: {t.warn}; }}
QLabel[tone="bad"] {{ color: {t.bad}; }}
QLineEdit, QComboBox[part="choice"] {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control};
  border-radius: {px(5)}px; padding: 0 {px(8)}px; min-height: {px(28)}px; }}
QLineEdit {{ selection-background-color: {t.accent}; selection-color: {t.surface}; }}
QLineEdit:focus, QComboBox[part="choice"]:focus {{ border: 2px solid {t.accent}; padding: 0 {px(8) - 1}px;
  min-height: {px(28) - 2}px; }}
QLineEdit[bad="true"], QComboBox[part="choice"][bad="true"] {{ border-color: {t.bad}; }}
QPlainTextEdit {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control};
  border-radius: {px(5)}px; padding: {px(2)}px {px(4)}px; selection-background-color: {t.accent};
  selection-color: {t.surface}; }}
QPlainTextEdit:focus {{ border: 2px solid {t.accent}; padding: {px(2) - 1}px {px(4) - 1}px; }}
QPlainTextEdit[bad="true"] {{ border-color: {t.bad}; }}
QComboBox[part="choice"] {{ padding-right: {px(2)}px; }}
QComboBox[part="choice"]:focus {{ padding-right: {px(2) - 1}px; }}
QComboBox[part="choice"]::drop-down {{ border: none; width: {px(22)}px; }}
QComboBox[part="choice"]::down-arrow {{ image: none; }}
QComboBox QLineEdit, QComboBox QLineEdit:focus {{ border: none; padding: 0; margin: 0; min-height: 0;
  background: transparent; }}
QAbstractItemView {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; outline: none;
  selection-background-color: {t.accentbg}; selection-color: {t.text}; }}
QAbstractItemView::item {{ min-height: {px(24)}px; padding: 0 {px(6)}px; }}
QTableView, QHeaderView {{ border: none; }}
QTableView::item {{ padding: 0; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QMenuBar {{ background: transparent; color: {t.text}; border: none; }}
QMenuBar::item {{ padding: {px(6)}px {px(8)}px; border-radius: {px(6)}px; background: transparent; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenu {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; padding: {px(4)}px; }}
QMenu::item {{ padding: {px(5)}px {px(24)}px; border-radius: {px(4)}px; }}
QMenu::item:selected {{ background: {t.accentbg}; }}
QMenu::item:disabled {{ color: {t.text3}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: {px(4)}px {px(8)}px; }}
QToolTip {{ background: {t.surface}; color: {t.text}; border: 1px solid {t.control}; padding: {px(4)}px; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
QScrollBar:vertical {{ background: transparent; width: {px(7)}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {px(8)}px; margin: 0; }}
QScrollBar::handle {{ background: {t.control}; border-radius: {px(3)}px;
  min-height: {px(24)}px; min-width: {px(24)}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def system_theme() -> Theme:
    """The theme that the system asks for; light where it does not say."""
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if dark else "light"


def resolved(choice: ThemeChoice) -> Theme:
    """The theme of a choice in the View menu."""
    return system_theme() if choice == "system" else choice


def apply(application: QApplication, look: Look) -> None:
    """Give the application the palette, stylesheet and font of the look."""
    application.setPalette(palette_of(look.tokens))
    application.setFont(look.font())
    application.setStyleSheet(stylesheet_of(look))
