"""Published footprints against our sums: GPU-hours x power x PUE x grid, through the formulas of the ledger."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.lines_energy import CO2E_KG_LOCATION, ENERGY_FACILITY_KWH, ENERGY_IT_KWH
from desktop_app.budget.scenario import EnergyChoice
from desktop_app.estimation.validation.cell_rules import FIGURE, FIGURE_OR_ZERO, Rules, like, require
from desktop_app.estimation.validation.reading import Cells, Table, needed, value
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.units import KG_PER_TONNE, WATTS_PER_KW

_COLUMNS = (
    "model", "gpu_hours", "power_w_per_gpu", "pue", "energy_mwh", "intensity_g_per_kwh", "tco2e_location", "source",
)  # fmt: skip
_RULES: Rules = {
    **dict.fromkeys(("gpu_hours", "power_w_per_gpu", "energy_mwh"), FIGURE),
    **dict.fromkeys(("intensity_g_per_kwh", "tco2e_location"), FIGURE_OR_ZERO),
    "pue": like(EnergyChoice, "pue"),
}
_KWH_PER_MWH = 1000  # SI
_IMPLIED = "implied_g_per_kwh_of_gpu_energy"


def _check(cells: Cells) -> None:
    """Raise UnansweredError for a figure that cannot be."""
    require(cells, _RULES)


_TABLE = Table("published_footprints", _COLUMNS, "energy_mwh", id="model", source_group="source", check=_check)


def rows(folder: Path) -> list[ValidationRow]:
    """Two rows (energy_mwh, tco2e_location) for each footprint that states them. Raises UserError.

    Where a source states no PUE its energy is that of the devices, and so is ours. A source that states neither an
    energy nor a grid factor cannot be recomputed and is refused: an average would prove nothing.
    """
    return _TABLE.rows(folder, _rows_of)


def _rows_of(cells: Cells) -> list[ValidationRow]:
    asked = [quantity for quantity in ("energy_mwh", "tco2e_location") if cells[quantity]]
    try:
        predicted = _predicted(cells)
    except ValueError as error:
        return [_row(cells, quantity, None, str(error)) for quantity in asked]
    return [_row(cells, quantity, predicted[quantity], "no grid factor published") for quantity in asked]


def _predicted(cells: Cells) -> dict[str, float | None]:
    """Energy and carbon of one footprint. ValueError names what it does not state."""
    values: dict[str, float | None] = {
        "energy_gpu_hours": needed(cells, "gpu_hours"),
        "it_kw_per_gpu": needed(cells, "power_w_per_gpu") / WATTS_PER_KW,
        "pue": needed(cells, "pue") if cells["pue"] else 1.0,
        "grid_g_per_kwh": _grid(cells),
    }
    values["energy_it_kwh"] = ENERGY_IT_KWH.evaluate(values)
    values["energy_facility_kwh"] = ENERGY_FACILITY_KWH.evaluate(values)
    energy, carbon = values["energy_facility_kwh"], CO2E_KG_LOCATION.evaluate(values)
    return {
        "energy_mwh": None if energy is None else energy / _KWH_PER_MWH,
        "tco2e_location": None if carbon is None else carbon / KG_PER_TONNE,
    }


def _grid(cells: Cells) -> float | None:
    """Grams per kWh: as stated, else as the hours and tonnes of the source imply, PUE included; None of neither."""
    for column in ("intensity_g_per_kwh", _IMPLIED):
        if cells.get(column):
            return needed(cells, column)
    return None


def _row(cells: Cells, quantity: str, predicted: float | None, reason: str) -> ValidationRow:
    note = "footprint" if cells["pue"] else "footprint, no PUE published: device energy"
    if not cells["intensity_g_per_kwh"] and cells.get(_IMPLIED) and quantity == "tco2e_location":
        note = "arithmetic; the factor is the one that the source's own hours and tonnes imply"
    return ValidationRow(
        table=_TABLE.name,
        id=cells["model"],
        source_group=cells["source"],
        quantity=quantity,
        published=value(cells, quantity),
        predicted=predicted,
        low=None,
        high=None,
        status="ok" if predicted is not None else "refused",
        note=note if predicted is not None else f"{note}; {reason}",
    )
