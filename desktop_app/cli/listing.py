"""`catalog`: the rows of the tables, as JSON objects or as plain text columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import date
from typing import Any

from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.estimation.gpus import Gpu, gpus, resolve_gpu
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import presets
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.records import Source
from desktop_app.foundation.wording import words_of
from pricing.catalogue import Catalogue
from pricing.records import GridIntensity, PriceQuote

Row = dict[str, Any]
_PRICE_KEYS = (
    "provider", "region", "instance_type", "gpu", "gpu_count", "purchase", "usd_per_instance_hour",
    "usd_per_gpu_hour", "source", "as_of", "quality", "price_nature", "currency_original", "amount_original",
    "usd_per_original", "rate_as_of",
)  # fmt: skip
_REGION_KEYS = (
    "provider", "region", "city", "country", "grid_zone", "grid_g_co2e_per_kwh", "intensity_year",
    "intensity_method", "pue", "wue_l_per_kwh", "source",
)  # fmt: skip
_FILTERS = {"models": (), "gpus": ("gpu",), "prices": ("gpu", "provider", "region", "purchase"),
            "regions": ("provider", "region"), "grids": ("region",)}  # fmt: skip
_GRID_KEYS = ("zone", "grid_g_co2e_per_kwh", "year", "gas_scope", "source")


def listing(
    table: str, gpu: str | None, provider: str | None, region: str | None, purchase: str | None = None
) -> list[Row]:
    """The rows of one table, filtered. Raises UserError for a name that is not known, or a filter that has no effect.

    A name that is known but has no row here gives no rows. Prices stand cheapest first.
    """
    asked = {"gpu": gpu, "provider": provider, "region": region, "purchase": purchase}
    idle = [name for name, text in asked.items() if text is not None and name not in _FILTERS[table]]
    if idle:
        raise UserError(*(Problem(name, "problem.filter_not_used", {"table": table}) for name in idle))
    gpu_name = None if gpu is None else resolve_gpu(gpu)[0].name
    if table == "models":
        return _models()
    if table == "gpus":
        return [_gpu(row) for row in gpus() if gpu_name in (None, row.name)]
    catalogue = catalogue_on(date.today())
    if table == "grids":
        return _picked(_grids(catalogue, region), _GRID_KEYS)
    code = None if provider is None else _provider(catalogue, provider)
    places = None if region is None else _places(catalogue, code, region)
    if table == "prices":
        quotes = catalogue.ranked(gpu=gpu_name, provider=code, purchase=purchase)
        return _prices([row for row in quotes if places is None or (row.provider, row.region) in places])
    sites = catalogue.region_rows(code)
    return _picked([row for row in sites if places is None or (row.provider, row.region) in places], _REGION_KEYS)


def _prices(quotes: Sequence[PriceQuote]) -> list[Row]:
    """The rows; where some are the user's own, "origin" is their row and file, and "" for a row of the tables."""
    rows = _picked(quotes, _PRICE_KEYS)
    if any(quote.origin for quote in quotes):
        for row, quote in zip(rows, quotes, strict=True):
            row["source"] = format_source(Source(quote.source, quote.as_of, quote.quality), words_of("en"))
            row["origin"] = quote.origin or ""
    return rows


def _provider(catalogue: Catalogue, text: str) -> str:
    """The code of a provider. Raises UserError."""
    code = catalogue.provider_code(text)
    if code is None:
        raise user_error("provider", "problem.no_provider_called", text=text, options=", ".join(catalogue.providers()))
    return code


def _places(catalogue: Catalogue, provider: str | None, text: str) -> set[tuple[str, str]]:
    """Provider and region of all regions of that code or in that city. Raises UserError when there is none."""
    codes = catalogue.providers() if provider is None else (provider,)
    found = {(code, region) for code in codes if (region := catalogue.region_code(code, text))}
    if not found:
        raise user_error("region", "problem.no_region_called", text=text)
    return found


def _grids(catalogue: Catalogue, zone: str | None) -> list[GridIntensity]:
    """The rows of one zone, or of all. Raises UserError."""
    rows = [row for row in catalogue.grids() if zone is None or row.zone.lower() == zone.strip().lower()]
    if not rows:
        raise user_error("region", "problem.no_zone_called", text=zone or "")
    return rows


def table_text(rows: list[Row]) -> str:
    """The rows as columns of text, numbers to the right."""
    if not rows:
        return "no rows"
    keys = list(rows[0])
    cells = [keys, *([_cell(row[key]) for key in keys] for row in rows)]
    widths = [min(40, max(len(line[column]) for line in cells)) for column in range(len(keys))]
    return "\n".join(
        "  ".join(text[:width].ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def _models() -> list[Row]:
    rows = []
    for spec in presets():
        counted = count(spec)
        row = spec.model_dump(mode="json")
        params = {"params_total": counted.whole, "params_active": counted.whole_active}
        rows.append({"name": row.pop("name"), **params, **row})
    return rows


def _gpu(row: Gpu) -> Row:
    """The row, and beside its name whether we can say how fast it trains."""
    fields = dataclasses.asdict(row)
    return {"name": fields.pop("name"), "speed_model": "no" if row.efficiency_class == "none" else "yes", **fields}


def _picked(records: Any, keys: tuple[str, ...]) -> list[Row]:
    return [{key: getattr(record, key) for key in keys} for record in records]


def _cell(value: Any) -> str:
    if value is None:
        return "unknown"
    return f"{value:g}" if isinstance(value, float) else str(value)
