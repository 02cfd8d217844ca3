"""Where the user's own prices live: prices.json in the settings folder of the user, or wherever a variable says."""

from __future__ import annotations

import os
from datetime import date
from functools import lru_cache
from pathlib import Path

from platformdirs import user_config_path

from desktop_app.budget.project import FORMAT
from desktop_app.foundation.files import name_text, path_text, read_text, replace_file
from desktop_app.foundation.problems import UserError, user_error
from pricing.catalogue import Catalogue, load_catalogue
from pricing.price_book import PriceBook

PLACE_VARIABLE = "TRAINING_BUDGET_PRICE_BOOK"
"""Names another file: a book that a team shares, or none of the user's own in a test."""

_LARGEST_BYTES = 100_000_000  # the longest machine list that is imported makes about 70 MB of entries


def book_path() -> Path:
    """The file of the book; it need not exist."""
    stated = os.environ.get(PLACE_VARIABLE, "").strip()
    return Path(stated) if stated else user_config_path(FORMAT, appauthor=False) / "prices.json"


def load_book() -> PriceBook:
    """The user's book; an empty one where there is no file. Read once for each state of the file.

    Raises UserError naming the file when it cannot be read or is no price book; the file is not touched.
    """
    path = book_path()
    try:
        state = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return PriceBook()
    except (OSError, ValueError) as error:
        raise user_error("", "problem.not_read", file=name_text(path), reason=str(error)) from None
    return _read(path, state.st_mtime_ns, state.st_size)


def save_book(book: PriceBook) -> Path:
    """Write the book beside its file and exchange the two; the path. Raises UserError, and the old book stands."""
    from pricing.price_book_text import book_to_text

    path, content = book_path(), book_to_text(book).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise user_error("", "problem.no_folder", folder=path_text(path.parent)) from None

    def fill(target: Path) -> None:
        target.write_bytes(content)

    replace_file(path, fill)
    _read.cache_clear()
    return path


def catalogue_on(today: date) -> Catalogue:
    """The shipped tables with the user's own prices, discounts and credits that hold on a day. Raises UserError."""
    book = load_book()
    return load_catalogue() if book.is_empty else _with_book(book, today)


@lru_cache(maxsize=4)  # books and days of one session
def _with_book(book: PriceBook, today: date) -> Catalogue:
    return load_catalogue().with_book(book, today)


@lru_cache(maxsize=4)
def _read(path: Path, _changed_ns: int, _size: int) -> PriceBook:
    from pricing.price_book_text import BookError, book_from_text

    text = read_text(path, _LARGEST_BYTES)
    try:
        return book_from_text(text)
    except BookError as error:
        raise _refusal(path_text(path), error.reason, error.place, error.detail) from None


def _refusal(file: str, reason: str, place: str, detail: str) -> UserError:
    if reason == "newer":
        return user_error("", "problem.book_newer", files=file, version=detail)
    if reason == "bad_entry":
        return user_error("", "problem.book_entry", files=file, place=place, detail=detail)
    return user_error("", "problem.book_broken", files=file)
