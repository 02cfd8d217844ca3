"""Rows of source files as the refresh program reads them, and short ways to clean a few."""

from __future__ import annotations

from pricing.refresh.prices import clean_prices
from pricing.refresh.rows import Cleaned, SourceRow

PRICE = {
    "provider": "aws",
    "region": "us-east-1",
    "country": "US",
    "instance_type": "p4de.24xlarge",
    "gpu": "A100-80GB-SXM",
    "gpu_count": "8",
    "price_type": "on_demand",
    "usd_per_hour": "27.44705",
    "usd_per_gpu_hour": "3.430881",
    "currency_original": "USD",
    "source": "a price file",
    "source_date": "2026-07-20",
    "date_precision": "day",
    "price_nature": "list",
    "quality": "good",
    "notes": "",
    "may_ship": "yes",
}
GRID = {
    "zone": "FRA",
    "zone_name": "France",
    "zone_type": "country",
    "parent_country": "FRA",
    "gco2e_per_kwh": "44.2",
    "year": "2024",
    "method": "average, location based",
    "gas_scope": "lifecycle CO2e",
    "source": "Ember",
    "source_date": "2025-08-03",
    "may_ship": "yes",
}
REGION = {
    "provider": "aws",
    "region": "eu-west-3",
    "city": "Paris",
    "country": "FR",
    "grid_zone": "FRA",
    "gco2e_per_kwh": "44.2",
    "intensity_method": "average",
    "intensity_year": "2024",
    "pue": "1.15",
    "pue_basis": "default",
    "source": "grid_intensity.csv FRA",
    "as_of": "2024",
    "intensity_may_ship": "yes",
}


def rows(base: dict[str, str], *changes: dict[str, str], file: str = "gpu_prices.csv") -> list[SourceRow]:
    return [SourceRow(file, number, {**base, **change}) for number, change in enumerate(changes, 2)]


def prices(*changes: dict[str, str], **more: object) -> Cleaned:
    return clean_prices(rows(PRICE, *changes), {"A100-80GB-SXM"}, {"aws"}, **more)  # type: ignore[arg-type]


def priced(usd_per_gpu_hour: float, **more: str) -> dict[str, str]:
    return {"usd_per_gpu_hour": str(usd_per_gpu_hour), "usd_per_hour": str(8 * usd_per_gpu_hour), **more}


def reasons(cleaned: Cleaned) -> list[tuple[int, str]]:
    return [(drop.row.number, drop.reason) for drop in cleaned.drops]
