"""What column names, purchase types and currencies are called, in English, Chinese and German: three small tables."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

_LATIN = "a-z0-9"
_GAP = r"[\s/_.()-]*"


def plain(name: str) -> str:
    """A name as it is compared: NFKC, small letters, "pricePerGpu" as three words, one blank between words."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", name))
    return " ".join(spaced.casefold().replace("_", " ").split())


def field_named(name: str) -> str | None:
    """The field that a column of this name holds; None for a price and for what we do not know."""
    full = plain(name).rstrip(":*")
    bare = re.sub(r"\s*[(\[].*?[)\]]", "", full).strip()
    fields = _whole_names()
    return fields.get(full) or fields.get(bare)


def says(field: str, text: str) -> bool:
    """Whether `text` holds a word of a row of column_words.csv, such as "per_gpu"."""
    return _word_pattern(field).search(plain(text)) is not None


def without(field: str, text: str) -> str:
    """`text` (already plain) without the words of a row of column_words.csv."""
    return _word_pattern(field).sub(" ", text)


def purchase_of(text: str) -> str | None:
    """The code of a purchase type from a cell that says nothing else; None when it is not known."""
    squeezed = _squeezed(text)
    return _purchases().get(squeezed) if squeezed else None


def purchase_in(name: str) -> str | None:
    """The purchase type that a column name speaks of, the longest word first; None when it names none."""
    found = [match for match in _purchase_pattern().finditer(plain(name)) if match.group()]
    return _purchases()[_squeezed(max(found, key=lambda match: len(match.group())).group())] if found else None


def currencies_in(text: str) -> tuple[str, ...]:
    """The currencies that `text` may be in, by the mark in it; several for a sign that several share, () for none."""
    found: list[tuple[str, ...]] = []
    for match in _mark_pattern().finditer(_signs(text)):
        codes = _marks()[match.group().lower()]
        if codes not in found:
            found.append(codes)
    if len(found) == 2:  # "¥31 CNY": the sign and the code agree
        shared = tuple(code for code in found[0] if code in found[1])
        found = [shared] if shared else found
    return found[0] if len(found) == 1 else tuple(code for codes in found for code in codes)


def without_marks(text: str) -> str:
    """`text` without marks of currencies, small letters."""
    return _mark_pattern().sub(" ", _signs(text)).lower()


def _signs(text: str) -> str:
    return unicodedata.normalize("NFKC", text)  # the full-width yen and dollar signs become the usual ones


def _squeezed(text: str) -> str:
    return re.sub(r"[\s_()/-]+", "", plain(text))


def _table(name: str) -> list[list[str]]:
    text = (resources.files("pricing.importers") / name).read_text(encoding="utf-8")
    return list(csv.reader(io.StringIO(text)))[1:]


@lru_cache(maxsize=1)
def _fields() -> Mapping[str, Sequence[str]]:
    return {field: words.split(";") for field, words in _table("column_words.csv")}


@lru_cache(maxsize=1)
def _whole_names() -> Mapping[str, str]:
    names = {field: words for field, words in _fields().items() if not field.startswith(("per_", "price_", "other_"))}
    return {plain(word): field for field, words in names.items() for word in words}


@lru_cache(maxsize=16)
def _word_pattern(field: str) -> re.Pattern[str]:
    return _any_of(_fields()[field])


@lru_cache(maxsize=1)
def _purchases() -> Mapping[str, str]:
    codes = {_squeezed(code): code for code, _ in _table("purchase_words.csv")}
    return codes | {_squeezed(word): code for code, words in _table("purchase_words.csv") for word in words.split(";")}


@lru_cache(maxsize=1)
def _purchase_pattern() -> re.Pattern[str]:
    """Column names that only say "standard" or "monthly" speak of no purchase type."""
    vague = {"standard", "regular", "monthly", "od", "按小时"}
    return _any_of(
        [word for _, words in _table("purchase_words.csv") for word in words.split(";") if word not in vague]
    )


@lru_cache(maxsize=1)
def _marks() -> Mapping[str, tuple[str, ...]]:
    return {
        _signs(mark).lower(): tuple(codes.split(";"))
        for marks, codes in _table("currency_marks.csv")
        for mark in marks.split(";")
    }


@lru_cache(maxsize=1)
def _mark_pattern() -> re.Pattern[str]:
    return _any_of(list(_marks()))


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    """Any of `words`, the longest first; Latin ones not inside a longer Latin word."""
    parts = []
    for word in sorted(map(plain, words), key=len, reverse=True):
        body = _GAP.join(map(re.escape, word.split(" ")))
        before = rf"(?<![{_LATIN}])" if re.match(rf"[{_LATIN}]", word) else ""
        after = rf"(?![{_LATIN}])" if re.search(rf"[{_LATIN}]$", word) else ""
        parts.append(f"{before}{body}{after}")
    return re.compile("|".join(parts), re.IGNORECASE)
