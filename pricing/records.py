"""One frozen record for each kind of row in pricing/tables. Every row says where it comes from and how old it is.

The records are plain slotted dataclasses: cheap to import and to copy. Rows of a table are validated against the
bounds written here when the table is read (pricing/table_files.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
AsOf = Annotated[str, StringConstraints(pattern=r"^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$")]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Percent = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=1)]
Year = Annotated[int, Field(ge=1990, le=2100)]

PurchaseCode = Literal[
    "on-demand",
    "spot",
    "capacity-block",
    "flex-start",
    "reserved-1mo",
    "reserved-6mo",
    "reserved-1y",
    "reserved-3y",
    "reserved-5y",
]
Quality = Literal[
    "good", "volatile", "stale", "secondary", "marketplace", "estimated", "unverified", "proxy", "suspect", "own"
]
SellerClass = Literal["hyperscaler", "china-cloud", "specialist", "china-specialist", "marketplace", "reference"]
PowerBasis = Literal["measured", "rated_share", "tdp_factor"]
BoundedQuantity = Literal["usd_per_gpu_hour", "it_kw_per_gpu", "grid_g_co2e_per_kwh", "pue"]
PowerClass = Literal["sxm", "pcie", "small", "consumer", "module", "asic"]

HIGHEST_G_PER_KWH = 2000.0  # own limit, above the highest grid known: 1,306 (Turkmenistan)
HIGHEST_PUE = 5.0  # what a form accepts: far above the 2.5 at which a value is doubted (plausible_bounds.csv)
GramsPerKwh = Annotated[float, Field(gt=0, le=HIGHEST_G_PER_KWH)]

_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class PriceQuote:
    """One price of one instance type in one region under one purchase type.

    `usd_per_instance_hour` is what the seller bills for the whole instance; `usd_per_gpu_hour` is that divided by
    `gpu_count`. `price_nature` tells a list price from a spot market, a posted spot price or a reseller's tier.

    Of a price billed in another currency, `amount_original` is what the whole instance costs per hour in
    `currency_original`, and `usd_per_original` the rate that made `usd_per_instance_hour` of it. `rate_as_of` is the
    day of that rate; None where the source does not date it: then `as_of` stands for it. All three are None for USD.
    A row of the user's own price book has an `origin` and the quality "own".
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    region: Text
    instance_type: Text
    gpu: Text
    gpu_count: Count
    purchase: PurchaseCode
    usd_per_instance_hour: Positive
    usd_per_gpu_hour: Positive
    currency_original: Text
    source: Text
    as_of: AsOf
    quality: Quality
    price_nature: Text
    country: str | None = None
    notes: str | None = None
    amount_original: Positive | None = None
    usd_per_original: Positive | None = None
    rate_as_of: AsOf | None = None
    origin: str | None = None  # "prices.csv:17": file and line it was imported from; None for a row of the tables
    valid_until: Day | None = None  # the last day an own price holds; None is "not stated"


@dataclass(frozen=True, slots=True)
class Provider:
    """A seller of GPU time: its code in the tables, its name, what people call it, and the class it is compared in."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    name: Text
    seller_class: SellerClass
    source: Text
    as_of: AsOf
    aliases: str | None = None  # words divided by ";"


@dataclass(frozen=True, slots=True)
class NodeRating:
    """The power of one server, rack or cluster as its maker rates it or somebody measured it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    node_model: Text
    gpu: Text
    gpu_count: Count
    kind: Literal["node", "rack", "cluster"]
    rated_max_kw: Positive
    rating: Literal["maker", "sum"]  # the maker's maximum, or cards x TDP plus a guess at the host
    source: Text
    as_of: AsOf
    quality: Quality
    measured_training_kw: Positive | None = None
    measured_source: str | None = None
    idle_kw: Positive | None = None
    cooling: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class PowerShare:
    """What training draws, as a share of a rating, of a measured value or of TDP. Which one: see SOURCES.md."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    share_class: Text
    low: Positive
    central: Positive
    high: Positive
    source: Text
    as_of: AsOf
    quality: Quality


@dataclass(frozen=True, slots=True)
class NodePower:
    """What one node draws at its plugs while training, before PUE: GPUs, host, fans and losses; no network, no storage.

    Bill `training_kw`; `training_kw_low` to `training_kw_high` is its range. `basis` says how it was found and
    `scaled_from_gpus` that the figure was scaled, per GPU, from a node of another size.
    """

    node_model: str
    gpu: str
    gpu_count: int
    rated_max_kw: float | None
    measured_training_kw: float | None
    training_kw: float
    training_kw_low: float
    training_kw_high: float
    basis: PowerBasis
    idle_kw: float | None
    source: str
    as_of: str
    quality: str
    scaled_from_gpus: int | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class GpuPower:
    """What one GPU alone draws while training, by its own meter: no host, no network, before PUE.

    Publications that meter this print less than the machine draws; it serves to compare with them, not to bill.
    """

    gpu: str
    training_kw: float
    training_kw_low: float
    training_kw_high: float
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class GpuPhysical:
    """Board power, embodied carbon and list price of one accelerator.

    `embodied_kg_co2e` is the card alone; `host_embodied_kg_co2e` its share of the server around it.
    `list_price_usd` is one dated observation of what a card cost to buy, in USD per GPU. `list_price_quality` says of
    what: "secondary" the card itself, "proxy" a board or a server of several over their number, "estimated" a guess.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    gpu: Text
    power_class: PowerClass
    source: Text
    as_of: AsOf
    tdp_w: Positive | None = None
    node_max_kw: Positive | None = None
    embodied_kg_co2e: Positive | None = None
    embodied_quality: str | None = None
    embodied_source: str | None = None
    host_embodied_kg_co2e: Positive | None = None
    host_embodied_source: str | None = None
    notes: str | None = None
    list_price_usd: Positive | None = None
    list_price_as_of: AsOf | None = None
    list_price_source: Text | None = None
    list_price_quality: Quality | None = None


@dataclass(frozen=True, slots=True)
class GridIntensity:
    """Carbon intensity of one grid zone in one year.

    `basis` is "location" (grid average) or "market" (residual mix); a location-based sum never takes a market row.
    `gas_scope` (direct CO2, direct CO2e, life cycle) must be named beside every figure: scopes do not compare.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    zone: Text
    zone_name: Text
    zone_type: Text
    basis: Literal["location", "market"]
    grid_g_co2e_per_kwh: GramsPerKwh
    year: Year
    method: Text
    gas_scope: Text
    source: Text
    as_of: AsOf
    country: str | None = None  # ISO 3166 alpha-3


@dataclass(frozen=True, slots=True)
class CloudRegion:
    """One region of a cloud: its site, its grid, and the overheads of its buildings.

    An intensity that may not ship is absent from the table; the lookup then takes the newest row of `grid_zone`, and
    `source`, `as_of`, year, method and scope are those of that row. `listed_zone` is the zone in the source.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    region: Text
    city: Text
    country: Text  # ISO 3166 alpha-2
    source: Text
    as_of: AsOf
    pue_basis: Text
    grid_zone: str | None = None
    listed_zone: str | None = None
    grid_g_co2e_per_kwh: GramsPerKwh | None = None
    intensity_year: Year | None = None
    intensity_method: str | None = None
    gas_scope: str | None = None
    carbon_free_pct: Percent | None = None
    pue: Annotated[float, Field(ge=1, le=HIGHEST_PUE)] | None = None
    wue_l_per_kwh: NotNegative | None = None
    wue_basis: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class StoragePrice:
    """One storage or data-transfer price. `standard` marks the tier that is meant when none is named.

    Amount and rate of another currency are kept as in a PriceQuote, `amount_original` per `unit`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    region: Text
    service: Text
    tier: Text
    unit: Literal["GB-month", "GiB-month", "GB", "GiB"]
    usd: Positive
    kind: Literal["object_storage", "parallel_fs", "shared_fs", "block", "egress"]
    standard: bool
    source: Text
    as_of: AsOf
    quality: Quality
    currency_original: Text = "USD"
    amount_original: Positive | None = None
    usd_per_original: Positive | None = None
    rate_as_of: AsOf | None = None


@dataclass(frozen=True, slots=True)
class FxRate:
    """What one unit of a currency was worth in USD on a day."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
    usd_per_unit: Positive
    as_of: AsOf
    source: Text
    quality: Quality


@dataclass(frozen=True, slots=True)
class Commitment:
    """The discount range of one purchase scheme against on-demand. A low end of 0 means "up to": no floor is known."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    scheme: Text
    applies_to: Text
    discount_low_pct: Percent
    discount_high_pct: Percent
    min_term: Text
    payment: Text
    source: Text
    as_of: AsOf
    quality: Quality
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class SpotInterruption:
    """How often spot instances of a type were reclaimed within a month. A band that ends at 100 % is open-ended."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    provider: Text
    region: Text
    instance_type: Text
    savings_pct: Percent
    interruption_low_pct: Percent
    interruption_high_pct: Percent
    quality: Quality
    source: Text
    as_of: AsOf


@dataclass(frozen=True, slots=True)
class PlausibleBound:
    """Between which values a quantity is believed. `kind` is a GPU, a power class, or "any" for all the others."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    quantity: BoundedQuantity
    kind: Text
    low: Positive
    high: Positive
    unit: Text
    source: Text
    as_of: AsOf
