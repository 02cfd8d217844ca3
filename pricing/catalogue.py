"""The catalogue: every lookup of prices, power, carbon and currency, from the tables that ship with the program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any

from pricing.egress import by_volume
from pricing.node_power import gpu_power_of, node_power_of
from pricing.price_book import Credit, Discount, PriceBook, best_discount, credits_of, provider_slug
from pricing.quotes import ANYWHERE, NO_INSTANCE, WORLDWIDE, best, newest, offer, rank, spread
from pricing.records import (
    CloudRegion,
    Commitment,
    FxRate,
    GpuPhysical,
    GpuPower,
    GridIntensity,
    NodePower,
    NodeRating,
    PowerShare,
    PriceQuote,
    Provider,
    SpotInterruption,
    StoragePrice,
)
from pricing.table_files import Rows, Table, package_tables


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Rows of every table, grouped by the column in the comment. Words for providers and regions may be aliases.

    The user's own prices (`book`) go before the rows of the same seller, GPU and purchase type.
    """

    price_rows: Rows[PriceQuote] = field(default_factory=dict)  # gpu
    provider_rows: Rows[Provider] = field(default_factory=dict)  # provider
    cloud_region_rows: Rows[CloudRegion] = field(default_factory=dict)  # provider
    grid_rows: Rows[GridIntensity] = field(default_factory=dict)  # zone
    rating_rows: Rows[NodeRating] = field(default_factory=dict)  # gpu
    share_rows: Rows[PowerShare] = field(default_factory=dict)  # share_class
    physical_rows: Rows[GpuPhysical] = field(default_factory=dict)  # gpu
    storage_rows: Rows[StoragePrice] = field(default_factory=dict)  # provider
    fx_rows: Rows[FxRate] = field(default_factory=dict)  # currency
    commitment_rows: Rows[Commitment] = field(default_factory=dict)  # provider
    interruption_rows: Rows[SpotInterruption] = field(default_factory=dict)  # provider
    book: PriceBook = field(default_factory=PriceBook)

    def with_book(self, book: PriceBook, today: date) -> Catalogue:
        """This catalogue with the user's own prices, discounts and credits, less those that have expired by `today`."""
        return replace(self, book=book.valid_on(today))

    # Prices

    def quote(
        self, gpu: str, provider: str | None, region: str | None, purchase: str, *, gpus_at_least: int = 1
    ) -> PriceQuote | None:
        """The price of one seller for a job of `gpus_at_least` GPUs; None is "not priced".

        The user's own row of the region, else one without a region, goes before the tables. The newest row of each
        offer, suspect ones never; see pricing.quotes.best for the order of preference. A seller whose prices hold in
        all its regions answers for each of them. There is no price without a seller.
        """
        code = self.provider_code(provider or "")
        if code is None:
            return None
        place = (region or "").strip().lower()
        own = [row for row in self.book.prices if self._sells(row, gpu, code, purchase)]
        if own and (mine := self._own_here(own, code, place)):
            return best(newest(mine), gpus_at_least)
        rows = [row for row in self.price_rows.get(gpu, ()) if self._sells(row, gpu, code, purchase)]
        here = [row for row in rows if row.region.lower() == place]
        if not here:
            named = self.region_code(code, place) if place else None
            here = [row for row in rows if row.region == named]
            if not here and (named or not place):
                here = [row for row in rows if row.region in self._groups_of(code, named)]
        return best(newest(here), gpus_at_least)

    @staticmethod
    def _sells(row: PriceQuote, gpu: str, provider: str, purchase: str) -> bool:
        return row.gpu == gpu and row.provider == provider and row.purchase == purchase

    def _own_here(self, own: list[PriceQuote], code: str, place: str) -> list[PriceQuote]:
        """Of the user's rows those of the region, else those that name none and so hold in all."""
        names = {place, (self.region_code(code, place) or place).lower()} if place else set()
        return [row for row in own if row.region.lower() in names] or [row for row in own if row.region in WORLDWIDE]

    def quotes(
        self,
        gpu: str | None = None,
        provider: str | None = None,
        region: str | None = None,
        purchase: str | None = None,
    ) -> tuple[PriceQuote, ...]:
        """The newest quote of every offer that matches, the user's own first; suspect ones never.

        A row of the tables is left out where the user has a price of the very same offer.
        """
        code = None if provider is None else self.provider_code(provider)
        place = None if region is None else (self.region_code(code or "", region) or region)
        groups = self.price_rows.values() if gpu is None else (self.price_rows.get(gpu, ()),)

        def matches(row: PriceQuote) -> bool:
            return (
                (gpu is None or row.gpu == gpu)
                and (provider is None or row.provider == code)
                and (place is None or row.region == place)
                and (purchase is None or row.purchase == purchase)
            )

        own = newest(filter(matches, self.book.prices))
        listed = newest(row for rows in groups for row in rows if matches(row))
        mine = {offer(row) for row in own}
        return (*own, *(row for row in listed if offer(row) not in mine)) if own else listed

    # Negotiated terms

    def discount(self, provider: str, gpu: str, region: str | None, purchase: str, today: date) -> Discount | None:
        """The negotiated discount on the tables' price of that; None when there is none. See price_book.best_discount.

        A price from the user's own book is what is paid: no discount belongs on it.
        """
        code = self.provider_code(provider) or ""
        place = (self.region_code(code, region) or region) if region else None
        return best_discount(self.book.discounts, code, gpu, place, purchase, today)

    def credits(self, provider: str, today: date) -> tuple[Credit, ...]:
        """The credits that can be spent with a seller on a day, those that end first in front."""
        return credits_of(self.book.credits, self.provider_code(provider) or "", today)

    def ranked(
        self,
        gpu: str | None = None,
        provider: str | None = None,
        region: str | None = None,
        purchase: str | None = None,
    ) -> tuple[PriceQuote, ...]:
        """As `quotes`, cheapest first by USD per GPU-hour.

        Equals stand by provider, region, instance type, GPU, number of GPUs and purchase, in the order of the
        alphabet, and a seller's own machines before those of strangers: no two offers are equal in all of these.
        """
        return tuple(sorted(self.quotes(gpu, provider, region, purchase), key=rank))

    def price_spread(self, gpu: str, purchase: str, provider: str | None = None) -> tuple[float, float] | None:
        """Low and high USD per GPU-hour among sellers of the class of `provider` (all real sellers when None).

        None when fewer than two prices are known. Prices whose source names no instance are left out.
        """
        seller = self._seller(provider) if provider else None
        return spread(
            [
                row
                for row in newest(row for row in self.price_rows.get(gpu, ()) if row.purchase == purchase)
                if row.instance_type != NO_INSTANCE and self._comparable(row.provider, seller)
            ]
        )

    def _groups_of(self, code: str, region: str | None) -> tuple[str, ...]:
        """The regions of the price table whose prices hold in `region` (None: wherever the seller has room)."""
        site = self.region(code, region) if region else None
        return ANYWHERE if site is None or site.country == "CN" else WORLDWIDE

    def _seller(self, provider: str) -> Provider | None:
        rows = self.provider_rows.get(self.provider_code(provider) or "", ())
        return rows[0] if rows else None

    def _comparable(self, provider: str, seller: Provider | None) -> bool:
        rows = self.provider_rows.get(provider, ())
        if not rows or rows[0].seller_class == "reference":
            return False
        return seller is None or rows[0].seller_class == seller.seller_class

    def gpus(self) -> tuple[str, ...]:
        """The GPUs that have a price."""
        return tuple(sorted({*self.price_rows, *(row.gpu for row in self.book.prices)}))

    # Sellers and places

    def provider_code(self, name: str) -> str | None:
        """The code of a provider from its code, its name or what people call it; None when there is none."""
        word = name.strip().lower()
        if word in self.provider_rows:
            return word
        for (row,) in self.provider_rows.values():
            if word == row.name.lower() or word in (row.aliases or "").lower().split(";"):
                return row.provider if word else None
        if word in self.providers():
            return word
        return code if (code := provider_slug(word)) in self._own_providers() else None

    def providers(self) -> tuple[str, ...]:
        """The codes of the sellers that have a price or a region, the user's own among them."""
        priced = {row.provider for rows in self.price_rows.values() for row in rows}
        return tuple(sorted(priced | self._own_providers() | set(self.cloud_region_rows)))

    def _own_providers(self) -> set[str]:
        return {row.provider for row in self.book.prices}

    def regions(self, provider: str, gpu: str | None = None) -> tuple[str, ...]:
        """The regions of a provider: all that are known, or only those with a price for `gpu`."""
        code = self.provider_code(provider)
        groups: Iterable[tuple[PriceQuote, ...]]
        groups = self.price_rows.values() if gpu is None else (self.price_rows.get(gpu, ()),)
        priced = {row.region for rows in groups for row in rows if row.provider == code and row.quality != "suspect"}
        own = {row.region for row in self.book.prices if row.provider == code and gpu in (None, row.gpu)}
        listed = {row.region for row in self.cloud_region_rows.get(code or "", ())} if gpu is None else set()
        return tuple(sorted(priced | own | listed))

    def region_code(self, provider: str, name: str) -> str | None:
        """The code of a region from its code or from its city, where the provider has one region there."""
        code = self.provider_code(provider) or ""
        word = name.strip().lower()
        listed = self.cloud_region_rows.get(code, ())
        codes = [row.region for row in listed if row.region.lower() == word]
        codes = codes or [region for region in self.regions(code) if region.lower() == word]
        codes = codes or [row.region for row in listed if row.city.lower() == word]
        return codes[0] if len(codes) == 1 else None

    def region(self, provider: str, region: str) -> CloudRegion | None:
        """The site, grid and overheads of a cloud region; None when unknown. Never an average of others."""
        rows = {row.region: row for row in self.cloud_region_rows.get(self.provider_code(provider) or "", ())}
        row = rows.get(region) or rows.get(self.region_code(provider, region) or "")
        return self._with_grid(row) if row else None

    def region_rows(self, provider: str | None = None) -> tuple[CloudRegion, ...]:
        """Every region of one provider, or of all."""
        codes = list(self.cloud_region_rows) if provider is None else [self.provider_code(provider) or ""]
        return tuple(self._with_grid(row) for code in codes for row in self.cloud_region_rows.get(code, ()))

    def _with_grid(self, row: CloudRegion) -> CloudRegion:
        """The region with the intensity of its zone where its own may not ship."""
        grid = self.grid(row.grid_zone or "") if row.grid_g_co2e_per_kwh is None else None
        if grid is None:
            return row
        return replace(
            row,
            grid_g_co2e_per_kwh=grid.grid_g_co2e_per_kwh,
            intensity_year=grid.year,
            intensity_method=grid.method,
            gas_scope=grid.gas_scope,
            source=f"{grid.zone_name} ({grid.zone}): {grid.source}; {row.source}",
            as_of=str(grid.year),
        )

    # Carbon

    def grid(self, zone: str) -> GridIntensity | None:
        """The location-based intensity of a zone in its newest year; None when unknown or only a residual mix."""
        rows = [row for row in self.grid_rows.get(zone, ()) if row.basis == "location"]
        return max(rows, key=lambda row: row.year, default=None)

    def grids(self) -> tuple[GridIntensity, ...]:
        """The newest location-based row of every zone."""
        return tuple(row for zone in self.grid_rows if (row := self.grid(zone)))

    def residual_mix(self, country: str) -> GridIntensity | None:
        """The residual mix of a country (ISO alpha-2 or alpha-3), for market-based accounting only; None if unknown."""
        word = country.strip().upper()
        rows = [
            row
            for rows in self.grid_rows.values()
            for row in rows
            if row.basis == "market" and word in (row.country, row.zone.removeprefix("RES-").removesuffix("-residual"))
        ]
        return max(rows, key=lambda row: row.year, default=None)

    # Power

    def node_power(self, gpu: str, gpus_per_node: int) -> NodePower | None:
        """What a node of so many GPUs draws while training, with its range and basis; None for an unknown GPU."""
        return node_power_of(gpu, gpus_per_node, self.rating_rows.get(gpu, ()), self.physical(gpu), self.share_rows)

    def gpu_power(self, gpu: str) -> GpuPower | None:
        """What one GPU alone draws while training, by its own meter; None when its TDP is unknown."""
        return gpu_power_of(self.physical(gpu), self.share_rows)

    def physical(self, gpu: str) -> GpuPhysical | None:
        """Board power and embodied carbon of a GPU; None when unknown."""
        rows = self.physical_rows.get(gpu, ())
        return rows[0] if rows else None

    # Storage, currency, commitments, interruptions

    def storage(self, provider: str, region: str, kind: str = "object_storage") -> StoragePrice | None:
        """The standard tier of a kind of storage in a region; None is "not priced".

        A price of the whole provider ("all"), of its country group ("us-region", "cn") counts where it has none for
        the region itself. Newest first, then the dearest: the first step of a price list that falls with volume.
        """
        return max(self._stored(provider, region, kind), key=lambda row: (row.as_of, row.usd), default=None)

    def egress(self, provider: str, region: str, gb: float) -> StoragePrice | None:
        """The mean price of moving `gb` GB out of a region in one month; None is "not priced"."""
        return by_volume(self._stored(provider, region, "egress"), gb)

    def _stored(self, provider: str, region: str, kind: str) -> list[StoragePrice]:
        """The standard rows of a kind of storage, of the nearest group that the region belongs to."""
        code = self.provider_code(provider) or ""
        place = self.region_code(code, region) or region
        site = self.region(code, place)
        country = site.country if site else ""
        rows = [row for row in self.storage_rows.get(code, ()) if row.kind == kind and row.standard]
        groups = (place, {"US": "us-region", "CN": "cn"}.get(country, ""), "all")
        return next((here for group in groups if (here := [row for row in rows if row.region == group])), [])

    def fx(self, currency: str) -> FxRate | None:
        """The newest rate of a currency (ISO 4217); None when unknown."""
        return max(self.fx_rows.get(currency.strip().upper(), ()), key=lambda row: row.as_of, default=None)

    def commitments(self, provider: str) -> tuple[Commitment, ...]:
        """The discounts a provider gives for a commitment."""
        return self.commitment_rows.get(self.provider_code(provider) or "", ())

    def spot_interruption(self, provider: str, region: str, instance_type: str) -> SpotInterruption | None:
        """How often spot instances of a type are reclaimed in a region; None when unknown."""
        rows = self.interruption_rows.get(self.provider_code(provider) or "", ())
        here = [row for row in rows if row.region == region and row.instance_type == instance_type]
        return max(here, key=lambda row: row.as_of, default=None)

    def check(self) -> None:
        """Read and validate every row of every table. Raises TableError for the first that is wrong."""
        for table in fields(self):
            if table.name == "book":
                continue  # validated when it was read
            rows: Rows[Any] = getattr(self, table.name)
            for group in rows:
                rows[group]


def catalogue_of(folder: Traversable) -> Catalogue:
    """The catalogue of a folder of tables. Nothing is read before it is asked for."""
    return Catalogue(
        price_rows=Table(folder / "gpu_prices.csv", PriceQuote, "gpu"),
        provider_rows=Table(folder / "providers.csv", Provider, "provider"),
        cloud_region_rows=Table(folder / "cloud_regions.csv", CloudRegion, "provider"),
        grid_rows=Table(folder / "grid_intensity.csv", GridIntensity, "zone"),
        rating_rows=Table(folder / "node_power.csv", NodeRating, "gpu"),
        share_rows=Table(folder / "node_power_shares.csv", PowerShare, "share_class"),
        physical_rows=Table(folder / "gpu_physical.csv", GpuPhysical, "gpu"),
        storage_rows=Table(folder / "storage_prices.csv", StoragePrice, "provider"),
        fx_rows=Table(folder / "fx_rates.csv", FxRate, "currency"),
        commitment_rows=Table(folder / "commitments.csv", Commitment, "provider"),
        interruption_rows=Table(folder / "spot_interruption.csv", SpotInterruption, "provider"),
    )


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """The catalogue of the tables that ship with the program."""
    return catalogue_of(package_tables())
