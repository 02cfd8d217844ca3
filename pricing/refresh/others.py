"""The smaller tables: cards, node power, storage, exchange rates, commitments and spot interruptions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pricing.refresh.originals import COLUMNS as ORIGINAL_COLUMNS
from pricing.refresh.originals import USD, original_cells, original_fault, original_of
from pricing.refresh.rows import Cleaned, Drop, SourceRow, number_fault, origin_fault, percent_fault

PHYSICAL_COLUMNS = (
    "gpu", "power_class", "tdp_w", "node_max_kw", "embodied_kg_co2e", "embodied_quality", "embodied_source",
    "host_embodied_kg_co2e", "host_embodied_source", "source", "as_of", "notes", "list_price_usd", "list_price_as_of",
    "list_price_source", "list_price_quality",
)  # fmt: skip
NODE_COLUMNS = (
    "node_model", "gpu", "gpu_count", "kind", "rated_max_kw", "rating", "measured_training_kw", "measured_source",
    "idle_kw", "cooling", "source", "as_of", "quality", "notes",
)  # fmt: skip
STORAGE_COLUMNS = (
    "provider",
    "region",
    "service",
    "tier",
    "unit",
    "usd",
    "kind",
    "standard",
    "source",
    "as_of",
    "quality",
    "currency_original",
    *ORIGINAL_COLUMNS,
)
FX_COLUMNS = ("currency", "usd_per_unit", "as_of", "source", "quality")
COMMITMENT_COLUMNS = (
    "provider", "scheme", "applies_to", "discount_low_pct", "discount_high_pct", "min_term", "payment", "source",
    "as_of", "quality", "notes",
)  # fmt: skip
INTERRUPTION_COLUMNS = (
    "provider", "region", "instance_type", "savings_pct", "interruption_low_pct", "interruption_high_pct", "quality",
    "source", "as_of",
)  # fmt: skip
STANDARD_TIERS = ("Standard", "Hot LRS")  # tier names begin so where a vendor means ordinary object storage
ANY_SHEET = "vendor datasheet"  # how the source marks a data sheet; the table names the maker and the card
NO_FIGURE = ("power not published", "power is an outside estimate")  # in the notes of a power that no data sheet states
SEVERAL = ("/ 8", "per 8", "whole node")  # in the source of a card's list price: that of a board or server was divided
PUBLIC_EGRESS = "internet egress"


def clean_physical(source: Sequence[SourceRow], classes: Sequence[SourceRow]) -> Cleaned:
    """Power and embodied carbon of each card, with the class that says how its host is reckoned."""
    cleaned = Cleaned("gpu_physical.csv", PHYSICAL_COLUMNS)
    by_gpu = {row["gpu"]: row for row in classes}
    for row in source:
        drop = origin_fault(row, row["source"], row["as_of"])
        if drop is None and row["name"] not in by_gpu:
            drop = Drop(row, "unknown_gpu", f"{row['name']} has no row in gpu_classes.csv")
        if drop is None and row["tdp_w"]:
            drop = number_fault(row, ("tdp_w",))
        if drop is None and row["list_price_usd"]:
            drop = number_fault(row, ("list_price_usd",)) or origin_fault(row, row["price_source"], row["price_date"])
        if drop is not None:
            cleaned.drops.append(drop)
            continue
        own = by_gpu[row["name"]]
        cells = {name: row[name] or own[name] for name in PHYSICAL_COLUMNS}
        cells |= {name: own[name] for name in ("embodied_quality", "embodied_source") if own[name]}
        cells["gpu"], cells["embodied_kg_co2e"] = row["name"], row["embodied_kgco2e"]
        cells["source"] = _sheet_named(row)
        cells |= _list_price(row)
        cleaned.rows.append(cells)
    return cleaned


def _list_price(row: SourceRow) -> dict[str, str]:
    """What the card cost to buy, if that is known, with a word for what the price was of."""
    if not row["list_price_usd"]:
        return {}
    source = row["price_source"]
    shared = any(mark in source for mark in SEVERAL)
    return {
        "list_price_usd": row["list_price_usd"],
        "list_price_as_of": row["price_date"],
        "list_price_source": source,
        "list_price_quality": "estimated" if "estimate" in source else "proxy" if shared else "secondary",
    }


def _sheet_named(row: SourceRow) -> str:
    """The source of a card's power: which data sheet, or that no data sheet states it."""
    if ANY_SHEET not in row["source"]:
        return row["source"]
    if any(mark in row["notes"] for mark in NO_FIGURE):
        return f"no data sheet: {row['vendor']} publishes no power of {row['name']}"
    return row["source"].replace(ANY_SHEET, f"{row['vendor']} {row['name']} data sheet")


def clean_node_power(source: Sequence[SourceRow], gpus: Collection[str]) -> Cleaned:
    """Ratings and measurements of nodes, racks and clusters. A peak that somebody saw is no sustained power."""
    cleaned = Cleaned("node_power.csv", NODE_COLUMNS)
    for row in source:
        drop = origin_fault(row, row["source"], row["as_of"])
        if drop is None and row["gpu"] not in gpus:
            drop = Drop(row, "unknown_gpu", row["gpu"])
        if drop is None and row["notes"].startswith("peak"):
            drop = Drop(row, "peak_not_sustained", row["notes"])
        drop = drop or number_fault(row, ("gpu_count", "rated_max_kw"))
        if drop is not None:
            cleaned.drops.append(drop)
            continue
        cells = {name: row[name] for name in NODE_COLUMNS}
        summed = row["source"].startswith("estimate") or "sum of ratings" in row["source"]
        cells["rating"] = "sum" if summed else "maker"
        cleaned.rows.append(cells)
    return cleaned


def clean_storage(source: Sequence[SourceRow]) -> Cleaned:
    """Storage and transfer prices, with a mark on the tier that is meant when none is named."""
    cleaned = Cleaned("storage_prices.csv", STORAGE_COLUMNS)
    for row in source:
        original = original_of(row["source"])
        currency = original.currency if original else USD
        drop = (
            origin_fault(row, row["source"], row["source_date"])
            or number_fault(row, ("usd",))
            or original_fault(row, currency, row["source"], row.value("usd") or 0.0)
        )
        if drop is not None:
            cleaned.drops.append(drop)
            continue
        cells = {name: row[name] for name in STORAGE_COLUMNS}
        cells["as_of"] = row["source_date"]
        cells["standard"] = "yes" if _is_standard(row) else "no"
        cells |= {"currency_original": currency, **original_cells(row["source"])}
        cleaned.rows.append(cells)
    return cleaned


def _is_standard(row: SourceRow) -> bool:
    if row["kind"] == "object_storage":
        return row["tier"].startswith(STANDARD_TIERS) and not row["tier"].startswith("Standard-IA")
    if row["kind"] == "egress":
        return row["tier"].startswith(PUBLIC_EGRESS) or row["tier"].endswith("Standard egress")
    return True


def clean_fx(source: Sequence[SourceRow]) -> Cleaned:
    """Exchange rates."""
    return _copied("fx_rates.csv", FX_COLUMNS, source, {}, ("usd_per_unit",))


def clean_commitments(source: Sequence[SourceRow]) -> Cleaned:
    """Discounts of purchase schemes. A low end of 0 is kept: it means "up to"."""
    return _copied(
        "commitments.csv",
        COMMITMENT_COLUMNS,
        source,
        {},
        ("discount_high_pct",),
        ("discount_low_pct", "discount_high_pct"),
    )


def clean_interruptions(source: Sequence[SourceRow]) -> Cleaned:
    """Spot interruptions. A saving of 0 is kept; spot that costs more than on demand is refused."""
    renamed = {"savings_pct": "savings_pct_vs_on_demand", "as_of": "source_date"}
    return _copied("spot_interruption.csv", INTERRUPTION_COLUMNS, source, renamed, (), ("savings_pct_vs_on_demand",))


def _copied(
    table: str,
    columns: Sequence[str],
    source: Sequence[SourceRow],
    renamed: dict[str, str],
    positive: Sequence[str] = (),
    percent: Sequence[str] = (),
) -> Cleaned:
    """A table whose rows are taken as they are, but for the names of some columns."""
    cleaned = Cleaned(table, columns)
    for row in source:
        drop = origin_fault(row, row["source"], row[renamed.get("as_of", "as_of")])
        if drop is None and row["quality"] == "suspect":
            drop = Drop(row, "suspect")
        drop = drop or number_fault(row, positive) or percent_fault(row, percent)
        if drop is not None:
            cleaned.drops.append(drop)
        else:
            cleaned.rows.append({name: row[renamed.get(name, name)] for name in columns})
    return cleaned
