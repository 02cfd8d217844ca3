"""`book`: shows the user's own prices, discounts and credits, and changes them."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any, get_args

from desktop_app.budget.price_book_file import book_path, load_book, save_book
from desktop_app.cli.arguments import day_of, number_of
from desktop_app.cli.listing import table_text
from desktop_app.cli.output import answer, json_text
from desktop_app.estimation.gpus import resolve_gpu
from desktop_app.foundation.files import path_text
from desktop_app.foundation.number_reading import without_dollars
from desktop_app.foundation.problems import UserError, user_error
from desktop_app.foundation.wording import Words, words_of
from pricing.catalogue import Catalogue, load_catalogue
from pricing.price_book import Change, Credit, Discount, PriceBook, id_of, is_valid, with_credit, with_discount, without
from pricing.records import PurchaseCode

_ANY = ("any", "*")
_LONGEST_SOURCE = 200  # characters, as of every name in the book
_PRICE_KEYS = (
    "provider", "region", "instance_type", "gpu", "gpu_count", "purchase", "usd_per_instance_hour", "usd_per_gpu_hour",
    "amount_original", "currency_original", "usd_per_original", "origin", "as_of", "valid_until",
)  # fmt: skip
_DISCOUNT_KEYS = ("provider", "gpu", "region", "purchase", "percent", "source", "as_of", "valid_until")
_CREDIT_KEYS = ("provider", "amount_usd", "source", "as_of", "valid_until")


def run_book(arguments: argparse.Namespace) -> None:
    """Change the book where that was asked, and print it. Raises UserError."""
    words, today = words_of("en"), day_of("today", arguments.today) or date.today()
    before = load_book()
    book, changes = _changed(arguments, before, today, words)
    if book != before:
        save_book(book)
    answer(json_text(_as_json(book, today)) if arguments.json else _as_text(book, changes, today, words))


def _changed(
    arguments: argparse.Namespace, book: PriceBook, today: date, words: Words
) -> tuple[PriceBook, tuple[Change, ...]]:
    """The book after everything that was asked: cleared, entries removed, then added. Raises UserError."""
    changes: list[Change] = []
    book = PriceBook() if arguments.clear else book
    for entry_id in arguments.remove:
        smaller = without(book, entry_id.strip().lower())
        if smaller is None:
            raise user_error("--remove", "problem.book_no_entry", text=entry_id)
        book = smaller
    terms = terms_of(arguments.source, arguments.valid_until, today, words)
    catalogue = load_catalogue().with_book(book, today)
    for text in arguments.discount:
        book, made = with_discount(book, _discount(text, terms, catalogue))
        changes += made
    for text in arguments.credit:
        book, made = with_credit(book, _credit(text, terms, catalogue))
        changes += made
    return book, tuple(changes)


def terms_of(source: str | None, valid_until: str | None, today: date, words: Words) -> dict[str, Any]:
    """What a discount and a credit state alike: where it is agreed, since when, until when. Raises UserError."""
    until = day_of("--valid-until", valid_until or None)
    if until is not None and until < today:
        raise user_error("--valid-until", "problem.book_expired", text=until.isoformat())
    return {
        "source": " ".join((source or "").split())[:_LONGEST_SOURCE] or words("source.yours"),
        "as_of": today.isoformat(),
        "valid_until": until.isoformat() if until else None,
    }


def percent_of(text: str) -> float:
    """The percent that a discount states. Raises UserError, also for "0.22", which may be a share."""
    percent = number_of("--discount", text, "%")
    if not 1 <= percent <= 100 and "%" not in text.replace("％", "%"):
        raise user_error("--discount", "problem.book_percent", text=text)
    if not 0 < percent <= 100:
        raise user_error("--discount", "problem.book_percent", text=text)
    return percent


def usd_of(text: str) -> float:
    """The amount of a credit, "$50,000" or "50k". Raises UserError."""
    usd = number_of("--credit", without_dollars(text), "USD")
    if usd <= 0:
        raise user_error("--credit", "problem.book_usd", text=text)
    return usd


def _discount(text: str, terms: dict[str, Any], catalogue: Catalogue) -> Discount:
    """The discount that "aws:H100-80GB-SXM:on-demand=22%" states. Raises UserError."""
    what, sign, amount = text.rpartition("=")
    names = [part.strip() for part in what.split(":") if part.strip()]
    if not sign or not names:
        raise user_error("--discount", "problem.book_discount", text=text)
    provider = _provider("--discount", names[0], catalogue)
    named: dict[str, str] = {}
    for name in names[1:]:
        kind, code = _term(name, provider, catalogue)
        if kind in named:
            raise user_error("--discount", "problem.book_discount", text=text)
        named[kind] = code
    return Discount(provider=provider, percent=percent_of(amount), **named, **terms)  # type: ignore[arg-type]


def _term(name: str, provider: str, catalogue: Catalogue) -> tuple[str, str]:
    """Whether a word of a discount is a purchase type, a GPU or a region, and its code. Raises UserError."""
    if name.lower() in get_args(PurchaseCode):
        return "purchase", name.lower()
    region = catalogue.region_code(provider, name)
    if region is not None:
        return "region", region
    try:
        return "gpu", resolve_gpu(name)[0].name
    except UserError:
        raise user_error("--discount", "problem.book_term", text=name, provider=provider) from None


def _credit(text: str, terms: dict[str, Any], catalogue: Catalogue) -> Credit:
    """The credit that "aws=50000" states. Raises UserError."""
    name, sign, amount = text.rpartition("=")
    if not sign or not name.strip():
        raise user_error("--credit", "problem.book_credit", text=text)
    usd = usd_of(amount)
    anyone = name.strip().lower() in _ANY
    return Credit(None if anyone else _provider("--credit", name, catalogue), usd, **terms)


def _provider(flag: str, name: str, catalogue: Catalogue) -> str:
    code = catalogue.provider_code(name)
    if code is None:
        options = ", ".join(catalogue.providers())
        raise user_error(flag, "problem.no_provider_called", text=name, options=options)
    return code


def _rows(entries: Any, keys: tuple[str, ...], today: date) -> list[dict[str, Any]]:
    return [
        {
            "id": id_of(entry),
            **{key: getattr(entry, key) for key in keys},
            "expired": not is_valid(entry.valid_until, today),
        }
        for entry in entries
    ]


def _as_json(book: PriceBook, today: date) -> dict[str, Any]:
    return {
        "file": path_text(book_path()),
        "prices": _rows(book.prices, _PRICE_KEYS, today),
        "discounts": _rows(book.discounts, _DISCOUNT_KEYS, today),
        "credits": _rows(book.credits, _CREDIT_KEYS, today),
    }


def _as_text(book: PriceBook, changes: tuple[Change, ...], today: date, words: Words) -> str:
    parts = [words("book.file", files=path_text(book_path()))]
    parts += [words(f"book.{change.kind}", name=id_of(change.entry)) for change in changes]
    if book.is_empty:
        return "\n".join([*parts, words("book.empty")])
    tables = (
        ("book.prices", _rows(book.prices, _PRICE_KEYS, today)),
        ("book.discounts", _rows(book.discounts, _DISCOUNT_KEYS, today)),
        ("book.credits", _rows(book.credits, _CREDIT_KEYS, today)),
    )
    for heading, rows in tables:
        if rows:
            parts += [words(heading, count=len(rows)), table_text([_told(row) for row in rows])]
    return "\n".join(parts)


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """A row for the terminal: what is not stated is a dash, for it means "every" or "no end", not "unknown"."""
    words = {None: "-", True: "yes", False: "no"}
    return {key: words[value] if value is None or isinstance(value, bool) else value for key, value in row.items()}
