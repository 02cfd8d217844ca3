"""The price book as JSON text, strictly validated both ways."""

from __future__ import annotations

import json
from dataclasses import astuple
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pricing.price_book import OWN, PriceBook

FORMAT = "training-budget-prices"
SCHEMA = 1
_HEAD = ("format", "schema_number")


class BookError(ValueError):
    """A text that is no price book. `reason` is broken_json, not_a_book, newer (with its number) or bad_entry."""

    def __init__(self, reason: str, place: str = "", detail: str = "") -> None:
        """`place` is the way to the fault, "prices.3.gpu_count"; `detail` what is wrong, in English."""
        super().__init__(f"{reason} {place} {detail}")
        self.reason, self.place, self.detail = reason, place, detail


def book_to_text(book: PriceBook) -> str:
    """The book as JSON; fields that are not stated are left out."""
    entries = _adapter().dump_python(book, mode="json", exclude_defaults=True)
    document = {"format": FORMAT, "schema_number": SCHEMA, **entries}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def book_from_text(text: str) -> PriceBook:
    """The book in `text`. Raises BookError; a key that stands twice is a fault too."""
    try:
        document = json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise BookError("broken_json") from None
    number = document.get("schema_number") if isinstance(document, dict) else None
    if not isinstance(document, dict) or document.get("format") != FORMAT or type(number) is not int or number < 1:
        raise BookError("not_a_book")
    if number > SCHEMA:
        raise BookError("newer", detail=str(number))
    entries = {key: value for key, value in document.items() if key not in _HEAD}
    try:
        book = _adapter().validate_json(json.dumps(entries), strict=True)
    except (ValidationError, RecursionError) as error:
        if not isinstance(error, ValidationError):
            raise BookError("broken_json") from None
        fault = error.errors(include_url=False)[0]
        raise BookError("bad_entry", ".".join(map(str, fault["loc"])), fault["msg"]) from None
    for position, quote in enumerate(book.prices):
        if any(isinstance(text, str) and not text.isprintable() for text in astuple(quote)):
            raise BookError("bad_entry", f"prices.{position}", "a text that cannot be printed")
        if quote.quality != OWN or not quote.origin:
            raise BookError("bad_entry", f"prices.{position}.origin", "not a price of the user's own")
    return book


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[PriceBook]:
    return TypeAdapter(PriceBook)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key stands twice")
    return values


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
