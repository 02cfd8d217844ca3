"""Which line holds the column names, and what each column means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pricing.importers.faults import SheetError
from pricing.importers.limits import MOST_HEADER_ROWS
from pricing.importers.sheets import Sheet, SheetRow
from pricing.importers.words import currencies_in, field_named, plain, purchase_in, purchase_of, says

Per = Literal["gpu", "instance"]
Period = Literal["hour", "month", "year"]

TEXT_FIELDS = (
    "provider", "region", "zone", "instance", "gpu", "gpu_count", "currency", "purchase", "date", "valid_until",
    "notes",
)  # fmt: skip
PRICE_FIELDS: Mapping[str, tuple[Per, Period]] = {
    "price_per_instance_hour": ("instance", "hour"),
    "price_per_gpu_hour": ("gpu", "hour"),
    "price_per_instance_month": ("instance", "month"),
    "price_per_gpu_month": ("gpu", "month"),
}
FIELDS = (*TEXT_FIELDS, *PRICE_FIELDS)
"""What a caller may map to a column."""

_HIGHEST_SCORE_WITHOUT_PRICE = 1  # a line without a price column is a title or a legend
_ROWS_TO_JUDGE_BY = 500  # own choice: of a column whose name is not known
_LONGEST_NAME = 120  # characters of a column name; a longer cell is a sentence


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """A column of prices: per GPU or per instance, the period, purchase and currencies as far as its name says."""

    position: int
    name: str
    per: Per | None
    period: Period | None
    purchase: str | None
    currencies: tuple[str, ...]

    @property
    def field(self) -> str:
        """What the column was taken for, as in FIELDS; "price" where it does not say per what."""
        return f"price_per_{self.per}_{self.period or 'hour'}" if self.per else "price"


@dataclass(frozen=True, slots=True)
class Header:
    """The line of the column names, the column of each field, the price columns, and the names nobody uses."""

    row: int
    names: tuple[str, ...]
    columns: Mapping[str, int]
    prices: tuple[PriceColumn, ...]
    ignored: tuple[str, ...]

    @property
    def mapping(self) -> dict[str, str]:
        """Field to column name, as it was used."""
        prices: dict[str, list[str]] = {}
        for price in self.prices:
            prices.setdefault(price.field, []).append(price.name)
        texts = {field: self.names[position] for field, position in self.columns.items()}
        return texts | {field: "; ".join(names) for field, names in prices.items()}


def header_score(sheet: Sheet, mapping: Mapping[str, str] | None = None) -> int:
    """How many fields the best line of column names in `sheet` has; 0 where there is none."""
    return max((_score(row, mapping or {}) for row in sheet.rows[:MOST_HEADER_ROWS]), default=0)


def column_names(sheet: Sheet, mapping: Mapping[str, str]) -> tuple[str, ...]:
    """The names in the likeliest line of column names, each once; of a sheet without one its first line's.

    For whoever maps them by hand: find_header may refuse the sheet as it is.
    """
    row = max(sheet.rows[:MOST_HEADER_ROWS], key=lambda row: _score(row, mapping), default=SheetRow(0, ()))
    names = (row.text(position) for position in range(len(row.cells)))
    return tuple(dict.fromkeys(name for name in names if name and len(name) <= _LONGEST_NAME))


def find_header(sheet: Sheet, mapping: Mapping[str, str]) -> Header:
    """The column names of `sheet`. What `mapping` says (field to column name) goes before what names mean.

    A field that is mapped to "" has no column, whatever names mean. Raises SheetError: no line of column names, an
    unknown field or column, no column of GPUs or prices, or several columns that may all be the price.
    """
    unknown = [field for field in mapping if field not in FIELDS]
    if unknown:
        raise SheetError("no_such_field", field=unknown[0], options=", ".join(FIELDS))
    scored = [(_score(row, mapping), row) for row in sheet.rows[:MOST_HEADER_ROWS]]
    score, row = max(scored, key=lambda found: found[0], default=(0, SheetRow(0, ())))
    if score <= (0 if mapping else _HIGHEST_SCORE_WITHOUT_PRICE):
        raise SheetError("no_header")
    below = [other for other in sheet.rows if other.number > row.number][:_ROWS_TO_JUDGE_BY]
    return _header_of(row, mapping, below)


def _score(row: SheetRow, mapping: Mapping[str, str]) -> int:
    names = [row.text(position) for position, cell in enumerate(row.cells) if isinstance(cell, str)]
    names = [name for name in names if name and len(name) <= _LONGEST_NAME]
    wanted = {plain(name) for name in mapping.values() if name}
    mapped = sum(plain(name) in wanted for name in names)
    prices = any(_price_column(0, name) for name in names) or any(mapping.get(field) for field in PRICE_FIELDS)
    fields = {field for name in names if (field := field_named(name))}
    return mapped + (len(fields) + 1 if prices and fields else 0)


def _header_of(row: SheetRow, mapping: Mapping[str, str], below: Sequence[SheetRow]) -> Header:
    names = tuple(row.text(position) for position in range(len(row.cells)))
    stated = {field: _position(names, column) for field, column in mapping.items() if column}
    taken = set(stated.values())
    columns = {field: position for field, position in stated.items() if field in TEXT_FIELDS}
    guessed: list[PriceColumn] = []
    for position, name in enumerate(names):
        if not name or position in taken or len(name) > _LONGEST_NAME:
            continue
        field = field_named(name)
        if field is None:
            price = _price_column(position, name)
            guessed += [price] if price and price.field not in mapping else []
        elif field not in columns and field not in mapping:
            columns[field] = position
    prices = [_stated_price(field, at, names[at]) for field, at in stated.items() if field in PRICE_FIELDS]
    prices = prices or _without_idle(guessed)
    if not prices:
        raise SheetError("no_price_column", columns=", ".join(filter(None, names)))
    if "gpu" not in columns:
        raise SheetError("no_gpu_column", columns=", ".join(filter(None, names)))
    used = {*columns.values(), *(price.position for price in prices)}
    if "purchase" not in columns and "purchase" not in mapping:
        spoken = [at for at, name in enumerate(names) if name and at not in used and _all_purchases(below, at)]
        columns |= {"purchase": spoken[0]} if spoken else {}
        used.update(spoken[:1])
    ignored = tuple(name for position, name in enumerate(names) if name and position not in used)
    return Header(row.number, names, columns, tuple(prices), ignored)


def _all_purchases(rows: Sequence[SheetRow], position: int) -> bool:
    """Whether a column that nobody knows by its name says nothing but ways of purchase."""
    said = [text for row in rows if (text := row.text(position))]
    return bool(said) and all(purchase_of(text) for text in said)


def _position(names: Sequence[str], column: str) -> int:
    found = [position for position, name in enumerate(names) if name and plain(name) == plain(column)]
    if not found:
        raise SheetError("no_such_column", column=column, columns=", ".join(filter(None, names)))
    return found[0]


def _stated_price(field: str, position: int, name: str) -> PriceColumn:
    per, period = PRICE_FIELDS[field]
    return PriceColumn(position, name, per, period, purchase_in(name), currencies_in(name))


def _price_column(position: int, name: str) -> PriceColumn | None:
    """What a price column of this name holds; None where the name does not speak of a price of GPUs."""
    period = period_of(name)
    currencies, purchase = currencies_in(name), purchase_in(name)
    alone = purchase is not None and len(re.findall(r"\w+", plain(name))) <= 3  # "On-demand", "1 year reserved"
    if says("other_words", name) or not (
        says("price_words", name) or alone or (period and (currencies or per_of(name) or purchase)) or period_only(name)
    ):
        return None
    return PriceColumn(position, name, per_of(name), period, purchase, currencies)


def period_only(name: str) -> bool:
    """Whether a name says a period and nothing that would make it something else: "Hourly", "USD/h"."""
    return plain(name) in ("hourly", "monthly", "usd")


def per_of(text: str) -> Per | None:
    """Per GPU or per instance, where `text` says one of the two and not both."""
    gpu, instance = says("per_gpu", text), says("per_instance", text)
    return None if gpu == instance else "gpu" if gpu else "instance"


def period_of(text: str) -> Period | None:
    """The period that `text` names; a term ("1 year reserved, per hour") is none, so the hour goes first."""
    if says("per_hour", text):
        return "hour"
    return "month" if says("per_month", text) else "year" if says("per_year", text) else None


def _without_idle(found: Sequence[PriceColumn]) -> list[PriceColumn]:
    """One column for each thing that can be asked for. Raises SheetError where two columns may be the same price.

    Where a purchase type has a column that says per what, one that does not is a total or an old price: not used.
    """
    clear = {price.purchase for price in found if price.per}
    kept = [price for price in found if price.per or price.purchase not in clear]
    seen: dict[tuple[str | None, Per | None, Period], PriceColumn] = {}
    for price in kept:
        twin = seen.setdefault((price.purchase, price.per, price.period or "hour"), price)
        if twin is not price:
            raise SheetError("several_price_columns", columns=f"{twin.name}, {price.name}")
    return kept
