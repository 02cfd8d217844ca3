"""The menus: a place for everything the window can do, with the usual keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop_app.foundation.wording import LANGUAGES, Language, Words

_MENUS = {"file": "F", "edit": "E", "view": "V", "tools": "T", "help": "H"}  # name -> the letter that opens it with Alt
_THEMES = ("system", "light", "dark")


class Menus:
    """The menu bar and its actions, by name."""

    def __init__(self, window: QWidget) -> None:
        """Actions belong to `window`, so that their keys work wherever the focus is."""
        self.bar = QMenuBar()
        self._window = window
        self._menus: dict[str, QMenu] = {name: self.bar.addMenu("") for name in _MENUS}
        self._inner: list[str] = []  # those of them that stand inside another menu
        self.actions: dict[str, QAction] = {}
        self._keys: dict[str, str] = {}  # action -> key of its words
        self.examples = QMenu(self.bar)
        self.languages, self.themes = QMenu(self.bar), QMenu(self.bar)

    def add(
        self,
        menu: str,
        name: str,
        words_key: str,
        do: Callable[[], object],
        keys: QKeySequence | QKeySequence.StandardKey | None = None,
    ) -> QAction:
        """One entry of a menu."""
        action = QAction(self._window)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda checked=False: do())
        self._menus[menu].addAction(action)
        self._window.addAction(action)
        self.actions[name], self._keys[name] = action, words_key
        return action

    def separate(self, menu: str) -> None:
        """A line between entries."""
        self._menus[menu].addSeparator()

    def add_menu(self, menu: str, name: str) -> None:
        """A menu inside another, which entries are added to by its name."""
        self._menus[name] = QMenu(self.bar)
        self._menus[menu].addMenu(self._menus[name])
        self._inner.append(name)

    def add_examples(self, keys: tuple[str, ...], do: Callable[[str], object]) -> None:
        """The sub-menu of worked examples."""
        self._menus["file"].addMenu(self.examples)
        for key in keys:
            action = self.examples.addAction("")
            action.setData(key)
            action.triggered.connect(lambda checked=False, key=key: do(key))

    def add_choices(self, set_language: Callable[[Language], object], set_theme: Callable[[str], object]) -> None:
        """The sub-menus of languages and colours."""
        for menu, names, do in ((self.languages, LANGUAGES, set_language), (self.themes, _THEMES, set_theme)):
            self._menus["view"].addMenu(menu)
            group = QActionGroup(menu)
            for name in names:
                action = menu.addAction("")
                action.setCheckable(True)
                action.setData(name)
                group.addAction(action)
                action.triggered.connect(lambda checked=False, name=name, do=do: do(name))

    def refresh(self, words: Words, language: str, theme: str) -> None:
        """Words of the language, and which language and colours are in force."""
        for name, letter in _MENUS.items():
            self._menus[name].setTitle(_with_letter(words(f"menu.{name}"), letter, words))
        for name in self._inner:
            self._menus[name].setTitle(words(f"menu.{name}"))
        for name, action in self.actions.items():
            action.setText(words(self._keys[name]))
        self.examples.setTitle(words("menu.examples"))
        for action in self.examples.actions():
            action.setText(words(f"example.{action.data()}"))
        self.languages.setTitle(words("menu.language"))
        self.themes.setTitle(words("menu.theme"))
        for action in self.languages.actions():
            action.setText(words(f"language.{action.data()}"))
            action.setChecked(action.data() == language)
        for action in self.themes.actions():
            action.setText(words(f"action.{action.data()}"))
            action.setChecked(action.data() == theme)

    def show_steps(self, words: Words, undo: str, redo: str) -> None:
        """Name what undo and redo would do."""
        for name, step in (("undo", undo), ("redo", redo)):
            action = self.actions[name]
            action.setEnabled(bool(step))
            action.setText(words(f"action.{name}", step=step) if step else words(f"action.{name}_bare"))


def _with_letter(title: str, letter: str, words: Words) -> str:
    """The title with its Alt letter: inside the English word, in brackets behind the Chinese one."""
    return f"{title}(&{letter})" if words.language == "zh" else title.replace(letter, f"&{letter}", 1)
