"""The one catalogue of words, for window, core and documents, in English and Simplified Chinese.

A key such as "field.tokens" names a word or a sentence with {placeholders}. The catalogues stand in words/ as .po files
(edit them with packaging/words.py, which also compiles the .mo files that are read here).
"""

import gettext
from functools import lru_cache
from importlib import resources
from typing import Literal

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.problems import Problem, shown

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_LONG_VALUES = frozenset(["columns", "files", "folder", "formula", "message", "names", "options", "suggestions"])
_SHORT, _LONG = 60, 600  # characters: of a value, and of lists of our own names and of paths


class Words:
    """The words of one language."""

    def __init__(self, language: Language) -> None:
        """Read the compiled catalogue of `language`."""
        self.language: Language = language
        with (resources.files(__package__) / "words" / f"{language}.mo").open("rb") as file:
            self._catalogue = gettext.GNUTranslations(file)

    def __call__(self, key: str, **values: object) -> str:
        """The words of `key` with its placeholders filled; numbers are formatted for reading.

        A `count` of 1 takes the singular, "key.one", where the catalogue has one. KeyError for an unknown key.
        """
        if values.get("count") == 1 and self.has(f"{key}.one"):
            key = f"{key}.one"
        if not self.has(key):
            raise KeyError(f"the catalogue has no {key!r}")
        text = self._catalogue.gettext(key)
        return text.format(**{name: _told(value) for name, value in values.items()}) if values else text

    def has(self, key: str) -> bool:
        """Whether the catalogue knows `key`."""
        return self._catalogue.gettext(key) != key

    def sentence(self, problem: Problem) -> str:
        """The sentence of a problem. Text that somebody else wrote is told on one line, printable and short."""
        values = {name: self._safe(name, value) for name, value in problem.values.items()}
        return self(problem.key, **values)

    def _safe(self, name: str, value: str | float | Problem) -> str | float:
        if isinstance(value, Problem):
            return self.sentence(value)
        return shown(value, _LONG if name in _LONG_VALUES else _SHORT) if isinstance(value, str) else value


@lru_cache(maxsize=len(LANGUAGES))
def words_of(language: Language) -> Words:
    """The words of `language`, read once."""
    return Words(language)


def _told(value: object) -> object:
    return plain(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
