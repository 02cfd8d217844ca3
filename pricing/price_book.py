"""The user's own prices: quotes from sheets, negotiated discounts, credits. They go before the shipped tables."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import ConfigDict, Field, StringConstraints

from pricing.quotes import offer
from pricing.records import AsOf, Day, PriceQuote, PurchaseCode

OWN = "own"  # the quality of a quote of the user's
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)
_ID_CHARACTERS = 6  # of a hash: 16 million; two of a thousand entries meet once in thirty books

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


@dataclass(frozen=True, slots=True)
class Discount:
    """What a seller takes off the prices of the tables. None stands for "every"; `valid_until` is its last day."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Name
    percent: Annotated[float, Field(gt=0, le=100)]
    source: Name
    as_of: AsOf
    gpu: Name | None = None
    region: Name | None = None
    purchase: PurchaseCode | None = None
    valid_until: Day | None = None


@dataclass(frozen=True, slots=True)
class Credit:
    """Money of a seller that need not be paid. `provider` None is "with any seller"."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Name | None
    amount_usd: Annotated[float, Field(gt=0, le=1e12)]  # as much as a scenario may state
    source: Name
    as_of: AsOf
    valid_until: Day | None = None


@dataclass(frozen=True, slots=True)
class PriceBook:
    """Everything the user has stated. Every price has an `origin` and the quality OWN."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    prices: tuple[PriceQuote, ...] = ()
    discounts: tuple[Discount, ...] = ()
    credits: tuple[Credit, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stated."""
        return not (self.prices or self.discounts or self.credits)

    def valid_on(self, today: date) -> PriceBook:
        """The book without what has expired by `today`."""
        return PriceBook(
            tuple(row for row in self.prices if is_valid(row.valid_until, today)),
            tuple(row for row in self.discounts if is_valid(row.valid_until, today)),
            tuple(row for row in self.credits if is_valid(row.valid_until, today)),
        )


Entry = PriceQuote | Discount | Credit
EntryT = TypeVar("EntryT", PriceQuote, Discount, Credit)


@dataclass(frozen=True, slots=True)
class Change:
    """What adding an entry did. "kept_newer": the book's own was newer and stands; `before` is the other of the two."""

    kind: Literal["added", "replaced", "kept_newer"]
    entry: Entry  # as it stands in the book now
    before: Entry | None = None


def is_valid(valid_until: str | None, today: date) -> bool:
    """Whether something holds on `today`; what states no end holds."""
    return valid_until is None or valid_until >= today.isoformat()


def provider_slug(name: str) -> str:
    """The code of a seller that the tables do not know, made of its name: "My Cloud" is my-cloud; "" for no name."""
    text = unicodedata.normalize("NFKC", name).lower()
    return re.sub(r"[^\w.]+", "-", text).strip("-._")[:60]  # as long as a code that is still read


def with_prices(book: PriceBook, quotes: Iterable[PriceQuote]) -> tuple[PriceBook, tuple[Change, ...]]:
    """The book with these prices; of two for the same offer the newest stands, of one date the one that comes now."""
    prices, changes = _merged(book.prices, quotes)
    return replace(book, prices=prices), changes


def with_discount(book: PriceBook, discount: Discount) -> tuple[PriceBook, tuple[Change, ...]]:
    """The book with this discount; one on the same seller, GPU, region and purchase is replaced if it is not newer."""
    discounts, changes = _merged(book.discounts, (discount,))
    return replace(book, discounts=discounts), changes


def with_credit(book: PriceBook, credit: Credit) -> tuple[PriceBook, tuple[Change, ...]]:
    """The book with this credit; one of the same seller and source is replaced if it is not newer, never added up."""
    credits, changes = _merged(book.credits, (credit,))
    return replace(book, credits=credits), changes


def without(book: PriceBook, entry_id: str) -> PriceBook | None:
    """The book without the entry of that id; None when it has none."""
    kept = PriceBook(
        tuple(row for row in book.prices if id_of(row) != entry_id),
        tuple(row for row in book.discounts if id_of(row) != entry_id),
        tuple(row for row in book.credits if id_of(row) != entry_id),
    )
    return None if kept == book else kept


def id_of(entry: Entry) -> str:
    """A short name for an entry that stays while it is the same offer, rule or credit: "p-3fa9c1"."""
    digest = hashlib.sha256(repr(_key(entry)).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{_LETTERS[type(entry)]}-{digest[:_ID_CHARACTERS]}"


_LETTERS: dict[type, str] = {PriceQuote: "p", Discount: "d", Credit: "c"}


def best_discount(
    discounts: Iterable[Discount], provider: str, gpu: str, region: str | None, purchase: str, today: date
) -> Discount | None:
    """The rule that applies: the one that names most (GPU before region before purchase), then the newest, the largest.

    A special agreement goes before a general one even where it is smaller. None when there is none.
    """
    place = (region or "").lower()
    fitting = [
        rule
        for rule in discounts
        if rule.provider == provider
        and rule.gpu in (None, gpu)
        and (rule.region is None or rule.region.lower() == place)
        and rule.purchase in (None, purchase)
        and is_valid(rule.valid_until, today)
    ]

    def rank(rule: Discount) -> tuple[int, bool, bool, str, float]:
        named = [rule.gpu is not None, rule.region is not None, rule.purchase is not None]
        return (sum(named), named[0], named[1], rule.as_of, rule.percent)

    return max(fitting, key=rank, default=None)


def credits_of(credits: Iterable[Credit], provider: str, today: date) -> tuple[Credit, ...]:
    """The credits that can be spent with a seller, those that end first in front."""
    fitting = [row for row in credits if row.provider in (None, provider) and is_valid(row.valid_until, today)]
    return tuple(sorted(fitting, key=lambda row: row.valid_until or "9999"))  # one without an end is spent last


def _merged(old: tuple[EntryT, ...], new: Iterable[EntryT]) -> tuple[tuple[EntryT, ...], tuple[Change, ...]]:
    entries = {_key(entry): entry for entry in old}
    changes = []
    for entry in new:
        key = _key(entry)
        before = entries.get(key)
        if before is not None and before.as_of > entry.as_of:
            changes.append(Change("kept_newer", before, entry))
            continue
        entries[key] = entry
        changes.append(Change("replaced" if before is not None else "added", entry, before))
    return tuple(entries.values()), tuple(changes)


def _key(entry: Entry) -> tuple[str | None, ...]:
    """What two entries share of which only one may stand."""
    if isinstance(entry, PriceQuote):
        return offer(entry)
    if isinstance(entry, Discount):
        return (entry.provider, entry.gpu, entry.region, entry.purchase)
    return (entry.provider, entry.source)
