"""What the window remembers between two starts: language, colours, open cards, size. Never anything of a project."""

from __future__ import annotations

from typing import cast, get_args

from PySide6.QtCore import QByteArray, QLocale, QSettings

from desktop_app.foundation.wording import LANGUAGES, Language
from desktop_app.window.tokens import ThemeChoice


class WindowSettings:
    """Typed access to a QSettings. A value that makes no sense counts as absent."""

    def __init__(self, store: QSettings) -> None:
        """Over `store`."""
        self._store = store

    @property
    def language(self) -> Language:
        """The language chosen last, or the system's; English where that is neither."""
        stored = self._store.value("language")
        if stored in LANGUAGES:
            return cast(Language, stored)
        return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"

    @language.setter
    def language(self, language: Language) -> None:
        self._store.setValue("language", language)

    @property
    def theme(self) -> ThemeChoice:
        """Light, dark, or as the system."""
        stored = self._store.value("theme")
        return cast(ThemeChoice, stored) if stored in get_args(ThemeChoice) else "system"

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._store.setValue("theme", choice)

    @property
    def open_cards(self) -> tuple[str, ...] | None:
        """The cards that were open; None before the first time."""
        stored = self._store.value("open_cards")
        return tuple(stored.split(",")) if isinstance(stored, str) else None

    @open_cards.setter
    def open_cards(self, cards: tuple[str, ...]) -> None:
        self._store.setValue("open_cards", ",".join(cards))

    @property
    def geometry(self) -> QByteArray | None:
        """Place and size of the window."""
        stored = self._store.value("geometry")
        return stored if isinstance(stored, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)
