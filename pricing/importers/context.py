"""What an importer needs from its caller, and what it looks up again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from statistics import median

from pricing.catalogue import Catalogue
from pricing.importers.amounts import ReadNumber
from pricing.importers.header import Per
from pricing.importers.limits import MOST_NAME_CHARACTERS
from pricing.price_book import provider_slug
from pricing.quotes import newest


@dataclass(frozen=True, slots=True)
class Helpers:
    """What the importer asks its caller, because `pricing` is a leaf.

    `resolve_gpu`: the name of the tables for what people write, and the other GPUs it may mean ("" for none); None for
    an unknown one. `usd_per_unit`: USD for one unit of a currency (ISO 4217) and the day of that rate; None for an
    unknown one. `catalogue`: sellers, and the shipped prices to compare with.
    """

    read_number: ReadNumber
    resolve_gpu: Callable[[str], tuple[str, str] | None]
    usd_per_unit: Callable[[str], tuple[float, str] | None]
    catalogue: Catalogue


@dataclass(frozen=True, slots=True)
class Options:
    """What the user states beside the file. None is "as the file says"; the file goes before all but the mapping.

    `provider`, `currency`, `purchase`, `price_per` fill in what the rows do not say. `as_of` (ISO) dates rows without a
    date; None means `today`, against which validity is judged too. `folder` is the name of the folder that the file
    stands in, which names the cloud of a SkyPilot file. `mapping` is field to column name, see header.FIELDS.
    """

    today: date
    provider: str | None = None
    folder: str = ""
    sheet: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    currency: str | None = None
    purchase: str | None = None
    price_per: Per | None = None
    as_of: str | None = None

    @property
    def import_day(self) -> str:
        """The date of a row that has none."""
        return self.as_of or self.today.isoformat()


class Lookups:
    """Answers of the helpers, asked once for each word of a file."""

    def __init__(self, helpers: Helpers) -> None:
        """Nothing is looked up yet."""
        self.helpers = helpers
        self._gpus: dict[str, tuple[str, str] | None] = {}
        self._providers: dict[str, str] = {}
        self._regions: dict[tuple[str, str], str] = {}
        self._rates: dict[str, tuple[float, str] | None] = {}
        self._usual: dict[tuple[str, str, str], float | None] = {}

    def gpu(self, text: str) -> tuple[str, str] | None:
        """The GPU that `text` names and what else it may mean; None when it is unknown."""
        if text not in self._gpus:
            self._gpus[text] = self.helpers.resolve_gpu(text[:MOST_NAME_CHARACTERS])
        return self._gpus[text]

    def provider(self, text: str) -> str:
        """The code of a seller: that of the tables or, for one they do not know, made of its name; "" for no name."""
        if text not in self._providers:
            self._providers[text] = self.helpers.catalogue.provider_code(text) or provider_slug(text)
        return self._providers[text]

    def region(self, provider: str, text: str) -> str:
        """The code of a region that `text` names by its code or city; a text that the tables do not know as it is."""
        if (provider, text) not in self._regions:
            self._regions[provider, text] = self.helpers.catalogue.region_code(provider, text) or text
        return self._regions[provider, text]

    def rate(self, currency: str) -> tuple[float, str] | None:
        """USD for one unit of a currency, and the day of the rate; None when it is unknown."""
        if currency not in self._rates:
            self._rates[currency] = (1.0, "") if currency == "USD" else self.helpers.usd_per_unit(currency)
        return self._rates[currency]

    def usual_usd_per_gpu_hour(self, gpu: str, provider: str, purchase: str) -> float | None:
        """The seller's own median shipped price; of a seller without one the median over all sellers'. None if none.

        Under the purchase type, else on demand. A seller counts once, however many regions it lists: the same card
        costs the fourfold with some sellers, but hardly one seller asks a third or the threefold of its usual price.
        """
        key = (gpu, provider, purchase)
        if key not in self._usual:
            rows = newest(self.helpers.catalogue.price_rows.get(gpu, ()))
            sold = [row for row in rows if row.purchase == purchase]
            sellers: dict[str, list[float]] = {}
            for row in sold or [row for row in rows if row.purchase == "on-demand"]:
                sellers.setdefault(row.provider, []).append(row.usd_per_gpu_hour)
            prices = sellers.get(provider) or [median(prices) for prices in sellers.values()]
            self._usual[key] = median(prices) if prices else None
        return self._usual[key]

    @cached_property
    def gpus_per_instance(self) -> Mapping[tuple[str, str], int]:
        """GPUs in the instance types that the tables know, by GPU and instance type in small letters."""
        rows = self.helpers.catalogue.price_rows
        return {(row.gpu, row.instance_type.lower()): row.gpu_count for gpu in rows for row in rows[gpu]}
