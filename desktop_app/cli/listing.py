"""`catalog`: the rows of the tables, as JSON objects or as plain text columns."""

from __future__ import annotations

import dataclasses
from typing import Any

from desktop_app.estimation.gpus import gpus, resolve_gpu
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import presets
from pricing.catalogue import Catalogue, load_catalogue

Row = dict[str, Any]
_PRICE_KEYS = (
    "provider", "region", "instance_type", "gpu", "gpu_count", "purchase", "usd_per_instance_hour",
    "usd_per_gpu_hour", "source", "as_of", "quality",
)  # fmt: skip
_REGION_KEYS = (
    "provider", "region", "city", "country", "grid_zone", "grid_g_co2e_per_kwh", "intensity_year",
    "intensity_method", "pue", "wue_l_per_kwh", "source",
)  # fmt: skip
_GRID_KEYS = ("zone", "grid_g_co2e_per_kwh", "year", "gas_scope", "source")


def listing(table: str, gpu: str | None, provider: str | None, region: str | None) -> list[Row]:
    """The rows of one table, filtered. Raises UserError for a GPU that is not known."""
    gpu_name = resolve_gpu(gpu)[0].name if gpu else None
    if table == "models":
        return _models()
    if table == "gpus":
        return [dataclasses.asdict(row) for row in gpus() if gpu_name in (None, row.name)]
    catalogue = load_catalogue()
    if table == "prices":
        return _picked(catalogue.quotes(gpu=gpu_name, provider=provider, region=region), _PRICE_KEYS)
    return _places(catalogue, table, provider, region)


def _places(catalogue: Catalogue, table: str, provider: str | None, region: str | None) -> list[Row]:
    if table == "regions":
        rows = catalogue.region_rows(provider)
        return _picked([row for row in rows if region in (None, row.region)], _REGION_KEYS)
    return _picked([row for row in catalogue.grids() if region in (None, row.zone)], _GRID_KEYS)


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
        rows.append({"name": row.pop("name"), "params_total": counted.total, "params_active": counted.active, **row})
    return rows


def _picked(records: Any, keys: tuple[str, ...]) -> list[Row]:
    return [{key: getattr(record, key) for key in keys} for record in records]


def _cell(value: Any) -> str:
    if value is None:
        return "unknown"
    return f"{value:g}" if isinstance(value, float) else str(value)
