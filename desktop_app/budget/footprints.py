"""Published footprints against our sums: GPU-hours x power x PUE x grid, through the formulas of the ledger."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from desktop_app.budget.lines_energy import CO2E_KG_LOCATION, ENERGY_FACILITY_KWH, ENERGY_IT_KWH
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.units import KG_PER_TONNE, WATTS_PER_KW

FILE = "published_footprints.csv"
_KWH_PER_MWH = 1000  # SI


def rows(folder: Path) -> list[ValidationRow]:
    """Two rows (energy_mwh, tco2e_location) for each footprint that states them; [] without the file.

    Where a source states no PUE its energy is that of the devices, and so is ours. A source that states neither an
    energy nor a grid factor cannot be recomputed and is refused: an average would prove nothing.
    """
    path = folder / FILE
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for record in csv.DictReader(file) for row in _rows_of(record)]


def _rows_of(record: Mapping[str, str]) -> list[ValidationRow]:
    pue = record["pue"]
    values: dict[str, float | None] = {
        "energy_gpu_hours": float(record["gpu_hours"]),
        "it_kw_per_gpu": float(record["power_w_per_gpu"]) / WATTS_PER_KW,
        "pue": float(pue) if pue else 1.0,
        "grid_g_per_kwh": float(record["intensity_g_per_kwh"]) if record["intensity_g_per_kwh"] else None,
    }
    values["energy_it_kwh"] = ENERGY_IT_KWH.evaluate(values)
    values["energy_facility_kwh"] = ENERGY_FACILITY_KWH.evaluate(values)
    energy, carbon = values["energy_facility_kwh"], CO2E_KG_LOCATION.evaluate(values)
    found = []
    if record["energy_mwh"]:
        found.append(_row(record, "energy_mwh", energy / _KWH_PER_MWH if energy is not None else None))
    if record["tco2e_location"]:
        found.append(_row(record, "tco2e_location", carbon / KG_PER_TONNE if carbon is not None else None))
    return found


def _row(record: Mapping[str, str], quantity: str, predicted: float | None) -> ValidationRow:
    note = "footprint" if record["pue"] else "footprint, no PUE published: device energy"
    return ValidationRow(
        table="published_footprints",
        id=record["model"],
        source_group=record["source"],
        quantity=quantity,
        published=float(record[quantity]),
        predicted=predicted,
        low=None,
        high=None,
        status="ok" if predicted is not None else "refused",
        note=note if predicted is not None else f"{note}; no grid factor published",
    )
