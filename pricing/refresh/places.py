"""Grid intensities and cloud regions: where a job runs and what its electricity carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pricing.records import HIGHEST_G_PER_KWH, HIGHEST_PUE
from pricing.refresh.rows import Cleaned, Drop, SourceRow, number_fault, origin_fault

GRID_COLUMNS = (
    "zone", "zone_name", "zone_type", "country", "basis", "grid_g_co2e_per_kwh", "year", "method", "gas_scope",
    "source", "as_of",
)  # fmt: skip
REGION_COLUMNS = (
    "provider", "region", "city", "country", "grid_zone", "listed_zone", "grid_g_co2e_per_kwh", "intensity_year",
    "intensity_method", "gas_scope", "carbon_free_pct", "pue", "pue_basis", "wue_l_per_kwh", "wue_basis", "source",
    "as_of", "notes",
)  # fmt: skip
MARKET_ZONE_TYPES = ("residual_mix", "cn_residual")
GOOGLE_SCOPE = "CO2e, direct or life cycle not stated by Google"

Row = dict[str, str]
Grids = Mapping[tuple[str, str], Row]  # zone and year -> its row
Sites = Mapping[tuple[str, str], SourceRow]  # country and city ("": all of it) -> the zone that stands in


def clean_grids(source: Sequence[SourceRow]) -> Cleaned:
    """The grid table: averages for location-based sums, residual mixes for market-based ones, and nothing else."""
    cleaned = Cleaned("grid_intensity.csv", GRID_COLUMNS)
    for row in cleaned.sifted(source, grid_fault, ("zone", "year"), "has the same zone and year"):
        cells = {name: row[name] for name in GRID_COLUMNS}
        cells["country"] = row["parent_country"]
        cells["basis"] = "market" if row["zone_type"] in MARKET_ZONE_TYPES else "location"
        cells["grid_g_co2e_per_kwh"] = row["gco2e_per_kwh"]
        cells["as_of"] = row["source_date"]
        cleaned.rows.append(cells)
    cleaned.rows.sort(key=lambda cells: (cells["zone"], cells["year"]))
    return cleaned


def grid_fault(row: SourceRow) -> Drop | None:
    """What is wrong with a grid row, if anything."""
    fault = origin_fault(row, row["source"], row["source_date"])
    if fault:
        return fault
    if row["may_ship"] != "yes":
        return Drop(row, "may_not_ship", row["source"])
    if row["method"] == "fossil plants only":
        return Drop(row, "not_an_average", row["zone_name"])
    return number_fault(row, ("gco2e_per_kwh",), high=HIGHEST_G_PER_KWH) or number_fault(row, ("year",))


def clean_regions(source: Sequence[SourceRow], sites: Sequence[SourceRow], grids: Sequence[Row]) -> Cleaned:
    """The region table. Where the intensity may not ship it is left empty and a shippable zone named instead."""
    cleaned = Cleaned("cloud_regions.csv", REGION_COLUMNS)
    stand_ins = {(site["country"], site["city"]): site for site in sites}
    averages = {(cells["zone"], cells["year"]): cells for cells in grids if cells["basis"] == "location"}

    def fault(row: SourceRow) -> Drop | None:
        return region_fault(row, stand_ins, averages)

    for row in cleaned.sifted(source, fault, ("provider", "region"), "is the same region"):
        cells = {name: row[name] for name in REGION_COLUMNS}
        cells["listed_zone"] = row["grid_zone"]
        if row["intensity_may_ship"] == "yes":
            cells.update(_own_intensity(row, averages))
        else:
            cells.update(_no_intensity(row, _stand_in(row, stand_ins)))
        cleaned.rows.append(cells)
    cleaned.rows.sort(key=lambda cells: (cells["provider"], cells["region"]))
    return cleaned


def _is_google(row: SourceRow) -> bool:
    """Whether Google itself gives the intensity, for the hours and places it runs in; else it is a copied grid row."""
    return row["intensity_method"].startswith("Google")


def _own_intensity(row: SourceRow, averages: Grids) -> Row:
    """The cells of a region whose intensity may ship."""
    cells = {"grid_g_co2e_per_kwh": row["gco2e_per_kwh"], "gas_scope": GOOGLE_SCOPE}
    if not _is_google(row):
        grid = averages[row["grid_zone"], row["intensity_year"]]
        cells["gas_scope"] = grid["gas_scope"]
        _, *rest = row["source"].split("; ")
        cells["source"] = "; ".join([f"{grid['zone_name']} ({grid['zone']}): {grid['source']}", *rest])
    return cells


def _no_intensity(row: SourceRow, site: SourceRow) -> Row:
    """The cells of a region whose intensity may not ship: the zone to look it up in, and where the rest is from."""
    from_gsf = row["source"].startswith("GSF")
    return {
        "grid_zone": site["grid_zone"],
        "grid_g_co2e_per_kwh": "",
        "intensity_year": "",
        "intensity_method": "",
        "source": f"site: {'GSF real-time-cloud Cloud_Region_Metadata.csv (MIT)' if from_gsf else 'region list'}",
        "notes": "; ".join(filter(None, (f"grid factor: {site['note']}", row["notes"]))),
    }


def _stand_in(row: SourceRow, stand_ins: Sites) -> SourceRow:
    """The zone to use instead: that of the city, else of the country. Raises KeyError."""
    return stand_ins.get((row["country"], row["city"])) or stand_ins[row["country"], ""]


def region_fault(row: SourceRow, stand_ins: Sites, averages: Grids) -> Drop | None:
    """What is wrong with a region row, if anything."""
    fault = origin_fault(row, row["source"], row["as_of"])
    if fault is None and row["pue"] and not 1 <= (row.value("pue") or 0) <= HIGHEST_PUE:
        fault = Drop(row, "outside_bounds", f"pue is {row['pue']}")
    if fault is not None:
        return fault
    if row["intensity_may_ship"] == "yes":
        return number_fault(row, ("gco2e_per_kwh",), high=HIGHEST_G_PER_KWH) or _copy_fault(row, averages)
    try:
        zone = _stand_in(row, stand_ins)["grid_zone"]
    except KeyError:
        return Drop(row, "no_grid_zone_may_ship", f"{row['country']} {row['city']}")
    return None if any(zone == known for known, _ in averages) else Drop(row, "no_grid_zone_may_ship", zone)


def _copy_fault(row: SourceRow, averages: Grids) -> Drop | None:
    """Refused when a region says that its intensity is a grid row's and it is not: one grid taken for another."""
    if _is_google(row):
        return None
    grid = averages.get((row["grid_zone"], row["intensity_year"]))
    if grid is not None and float(grid["grid_g_co2e_per_kwh"]) == row.value("gco2e_per_kwh"):
        return None
    return Drop(row, "not_the_grid_row", f"{row['grid_zone']} {row['intensity_year']}: {row['gco2e_per_kwh']}")
