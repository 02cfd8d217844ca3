"""The bar at the top: brand mark, menus, project with its state, undo and redo, language, the two documents."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenuBar, QSizePolicy, QWidget

from desktop_app.window.buttons import IconButton, PushButton
from desktop_app.window.icons import draw_brand
from desktop_app.window.labels import ElidedLabel
from desktop_app.window.look import Look


class TopBar(QFrame):
    """Parts of the bar; the window connects them."""

    def __init__(self, look: Look, menu_bar: QMenuBar) -> None:
        """With `menu_bar` in it; on systems with one menu bar for all programs that stays empty here."""
        super().__init__()
        self._look, self._menu_bar = look, menu_bar
        self.setProperty("part", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(44))
        self.name = ElidedLabel(look, "body", "text", semibold=True)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.state = ElidedLabel(look, "small", "text3")
        self.undo, self.redo = IconButton(look, "undo", 17, 30), IconButton(look, "redo", 17, 30)
        self.language = IconButton(look, "globe", 16, 30)
        self.excel, self.pdf = PushButton(look, "sheet"), PushButton(look, "page", primary=True)
        menu_bar.setFixedHeight(look.px(32))
        row = QHBoxLayout(self)
        row.setContentsMargins(look.px(12), 0, look.px(8), 0)
        row.setSpacing(look.px(8))
        row.addWidget(_Brand(look))
        row.addWidget(menu_bar)
        row.addSpacing(look.px(16))
        row.addWidget(self.name, 1)
        row.addWidget(self.state, 1)
        for part in (self.undo, self.redo, self.language):
            row.addWidget(part)
        row.addWidget(self.excel)
        row.addSpacing(-look.px(8))
        row.addWidget(self.pdf)

    def refresh(self, name: str, state: str) -> None:
        """Words of the language, name and state of the project."""
        words = self._look.words
        self.name.set_text(name)
        self.state.set_text(state)
        self.language.set_words(words("action.language"), words("menu.language"))
        self.excel.set_words(words("action.excel"))
        self.pdf.set_words(words("action.pdf"))

    def show_steps(self, undo: str, redo: str) -> None:
        """What undo and redo would do; "" when there is nothing."""
        words = self._look.words
        for button, step, named, bare in (
            (self.undo, undo, "action.undo", "action.undo_bare"),
            (self.redo, redo, "action.redo", "action.redo_bare"),
        ):
            button.setEnabled(bool(step))
            button.set_words("", words(named, step=step) if step else words(bare))

    def fit_menus(self) -> None:
        """Room for all menus: with too little, Qt folds them silently into an arrow."""
        metrics = self._menu_bar.fontMetrics()
        titles = [action.text().replace("&", "") for action in self._menu_bar.actions()]
        width = sum(metrics.horizontalAdvance(title) + self._look.px(24) for title in titles)
        self._menu_bar.setFixedWidth(0 if self._menu_bar.isNativeMenuBar() else width + self._look.px(8))


class _Brand(QWidget):
    """The brand mark."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedSize(QSize(look.px(24), look.px(24)))
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Three rising bars."""
        look = self._look
        draw_brand(QPainter(self), QRect(self.rect()), look.colour("primary"), look.colour("onprimary"))
