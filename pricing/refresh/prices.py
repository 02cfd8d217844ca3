"""GPU prices: which rows go into the table, and which are refused as implausible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from pricing.refresh.originals import COLUMNS as ORIGINAL_COLUMNS
from pricing.refresh.originals import original_cells, original_fault
from pricing.refresh.rows import ROUNDING, Cleaned, Drop, SourceRow, as_of, days_apart, number_fault, origin_fault

COLUMNS = (
    "provider", "region", "country", "instance_type", "gpu", "gpu_count", "purchase", "usd_per_instance_hour",
    "usd_per_gpu_hour", "currency_original", "source", "as_of", "quality", "price_nature", "notes",
    *ORIGINAL_COLUMNS,
)  # fmt: skip
PURCHASE = {
    "on_demand": "on-demand",
    "spot": "spot",
    "capacity_block": "capacity-block",
    "flex_start": "flex-start",
    "reserved_1mo": "reserved-1mo",
    "reserved_6mo": "reserved-6mo",
    "reserved_1yr": "reserved-1y",
    "reserved_3yr": "reserved-3y",
    "reserved_5yr": "reserved-5y",
}
LARGEST_JUMP = 3.0  # the largest real change between two dates of the 2026 tables is 1.8
SAME_ERA_DAYS = 183  # spot and on-demand further apart than half a year do not judge each other

Row = dict[str, str]
Key = tuple[str, ...]


def clean_prices(
    source: Sequence[SourceRow],
    gpus: Collection[str],
    providers: Collection[str],
    previous: Iterable[Row] = (),
    accepted: Collection[str] = (),
) -> Cleaned:
    """The price table of `source`. Rows named in `accepted` pass the comparison with the `previous` table."""
    cleaned = Cleaned("gpu_prices.csv", COLUMNS)
    good: list[tuple[SourceRow, Row]] = []
    for row in source:
        drop = row_fault(row, gpus, providers)
        if drop is None:
            good.append((row, price_row(row)))
        else:
            cleaned.drops.append(drop)
    for drops in (
        twin_faults(good),
        spot_faults(good),
        [drop for drop in jump_faults(good, previous) if drop.row.name not in accepted],
    ):
        cleaned.drops += drops
        dropped = {drop.row.number for drop in drops}
        good = [(row, cells) for row, cells in good if row.number not in dropped]
    cleaned.rows = sorted((cells for _, cells in good), key=lambda cells: [cells[name] for name in _SORTED_BY])
    return cleaned


_SORTED_BY = (
    "gpu", "provider", "region", "instance_type", "purchase", "as_of", "price_nature", "usd_per_gpu_hour",
)  # fmt: skip


def price_row(row: SourceRow) -> Row:
    """The row in the columns and codes of the table."""
    cells = {name: row[name] for name in COLUMNS}
    cells["purchase"] = PURCHASE[row["price_type"]]
    cells["usd_per_instance_hour"] = row["usd_per_hour"]
    cells["as_of"] = as_of(row["source_date"], row["date_precision"])
    return cells | original_cells(row["notes"])


def row_fault(row: SourceRow, gpus: Collection[str], providers: Collection[str]) -> Drop | None:
    """What is wrong with a row taken alone, if anything."""
    fault = origin_fault(row, row["source"], row["source_date"])
    if fault:
        return fault
    if row["quality"] == "suspect":
        return Drop(row, "suspect", row["notes"])
    if row["may_ship"] != "yes":
        return Drop(row, "may_not_ship", row["source"])
    known: tuple[tuple[str, str, Collection[str]], ...] = (
        ("price_type", "unknown_purchase", PURCHASE),
        ("provider", "unknown_provider", providers),
        ("gpu", "unknown_gpu", gpus),
    )
    for column, reason, codes in known:
        if row[column] not in codes:
            return Drop(row, reason, row[column])
    return (
        number_fault(row, ("gpu_count", "usd_per_hour", "usd_per_gpu_hour"))
        or per_gpu_fault(row)
        or original_fault(row, row["currency_original"], row["notes"], row.value("usd_per_hour") or 0.0)
    )


def per_gpu_fault(row: SourceRow) -> Drop | None:
    """Refused when the price per GPU times the number of GPUs is not the price of the instance."""
    per_gpu, count, instance = (row.value(name) or 0.0 for name in ("usd_per_gpu_hour", "gpu_count", "usd_per_hour"))
    if abs(per_gpu * count - instance) <= ROUNDING * instance:
        return None
    return Drop(row, "per_gpu_times_count_differs", f"{per_gpu} x {count:g} is not {instance}")


def offer(cells: Row) -> Key:
    """What two rows share when they price the same thing, whatever the purchase and the date."""
    tier = cells["price_nature"] if cells["price_nature"] == "community" else ""
    return (cells["provider"], cells["region"], cells["instance_type"], cells["gpu"], cells["gpu_count"], tier)


def twin_faults(good: Sequence[tuple[SourceRow, Row]]) -> list[Drop]:
    """Rows that price the same thing on the same day, save the dearest: the table must not guess low."""
    twins = defaultdict(list)
    for row, cells in good:
        twins[(*offer(cells), cells["purchase"], cells["as_of"])].append(row)
    drops = []
    for rows in twins.values():
        kept = max(rows, key=lambda row: (row.value("usd_per_gpu_hour") or 0.0, row.number))
        drops += [Drop(row, "duplicate_key", f"row {kept.number} is dearer") for row in rows if row is not kept]
    return drops


def spot_faults(good: Sequence[tuple[SourceRow, Row]]) -> list[Drop]:
    """Spot rows that are not below the on-demand price of the same thing nearest in date."""
    on_demand = defaultdict(list)
    for _, cells in good:
        if cells["purchase"] == "on-demand":
            on_demand[offer(cells)].append(cells)
    drops = []
    for row, cells in good:
        if cells["purchase"] != "spot" or offer(cells) not in on_demand:
            continue
        nearest = min(on_demand[offer(cells)], key=lambda other: days_apart(cells["as_of"], other["as_of"]))
        if days_apart(cells["as_of"], nearest["as_of"]) > SAME_ERA_DAYS:
            continue
        if float(cells["usd_per_gpu_hour"]) >= float(nearest["usd_per_gpu_hour"]):
            detail = f"spot {cells['usd_per_gpu_hour']}, on demand {nearest['usd_per_gpu_hour']} of {nearest['as_of']}"
            drops.append(Drop(row, "spot_not_below_on_demand", detail))
    return drops


def jump_faults(good: Sequence[tuple[SourceRow, Row]], previous: Iterable[Row]) -> list[Drop]:
    """Rows at least as new as the table being replaced whose price is more than three times it, or under a third."""
    newest: dict[Key, Row] = {}
    for cells in previous:
        key = (*offer(cells), cells["purchase"])
        if key not in newest or cells["as_of"] > newest[key]["as_of"]:
            newest[key] = cells
    drops = []
    for row, cells in good:
        before = newest.get((*offer(cells), cells["purchase"]))
        if before is None or cells["as_of"] < before["as_of"]:
            continue
        ratio = float(cells["usd_per_gpu_hour"]) / float(before["usd_per_gpu_hour"])
        if not 1 / LARGEST_JUMP <= ratio <= LARGEST_JUMP:
            detail = f"{before['usd_per_gpu_hour']} of {before['as_of']} became {cells['usd_per_gpu_hour']}"
            drops.append(Drop(row, "price_jump", detail))
    return drops
