"""Keeps the catalogues of words: add or change a key in both languages, and compile what the program reads.

python packaging/words.py add KEY ENGLISH CHINESE [NOTE]
python packaging/words.py remove KEY
python packaging/words.py compile
"""

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

FOLDER = Path(__file__).parent.parent / "desktop_app" / "foundation" / "words"
LANGUAGES = ("en", "zh")


def read(language: str) -> Catalog:
    """The catalogue of `language`, empty when its file does not exist yet."""
    path = FOLDER / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, project="Training Budget", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def write(language: str, catalogue: Catalog) -> None:
    """The .po file, sorted by key, and the .mo file."""
    catalogue.fuzzy = False
    with (FOLDER / f"{language}.po").open("wb") as file:
        write_po(file, catalogue, sort_output=True, omit_header=False, width=0, include_lineno=False)
    with (FOLDER / f"{language}.mo").open("wb") as file:
        write_mo(file, catalogue)


@contextmanager
def changing() -> Iterator[dict[str, Catalog]]:
    """Both catalogues, written back at the end; only one process at a time."""
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        catalogues = {language: read(language) for language in LANGUAGES}
        yield catalogues
        for language, catalogue in catalogues.items():
            write(language, catalogue)


def add(key: str, english: str, chinese: str, note: str = "") -> None:
    """Add `key` in both languages, or change its words."""
    add_all([(key, english, chinese, note)])


def add_all(rows: list[tuple[str, str, str, str]]) -> None:
    """Add or change many keys at once."""
    with changing() as catalogues:
        for key, english, chinese, note in rows:
            for language, text in zip(LANGUAGES, (english, chinese), strict=True):
                catalogues[language].delete(key)
                catalogues[language].add(key, text, auto_comments=[note] if note else [])


def remove(key: str) -> None:
    """Take `key` out of both languages."""
    with changing() as catalogues:
        for catalogue in catalogues.values():
            catalogue.delete(key)


def main(arguments: list[str]) -> None:
    """One of the three commands above."""
    match arguments:
        case ["add", key, english, chinese, *note]:
            add(key, english, chinese, *note)
        case ["remove", key]:
            remove(key)
        case ["compile"]:
            with changing():
                pass
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
