"""Published footprints recomputed by the ledger's own formulas."""

import csv
from pathlib import Path

import pytest
from paper_budgets import make_paper_budget, make_scenario

from desktop_app.budget.footprints import rows
from desktop_app.budget.lines_energy import CO2E_KG_LOCATION, ENERGY_FACILITY_KWH, ENERGY_IT_KWH
from desktop_app.foundation.problems import UserError

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data"
FILE = "published_footprints.csv"
HEADER = (
    "model",
    "gpu_hours",
    "power_w_per_gpu",
    "pue",
    "energy_mwh",
    "intensity_g_per_kwh",
    "tco2e_location",
    "source",
)


def write(folder, *records):
    with (folder / FILE).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, HEADER)
        writer.writeheader()
        writer.writerows(dict(zip(HEADER, record, strict=True)) for record in records)


def test_llama_1_65b_as_its_paper_has_it(tmp_path):
    # 1,022,362 h x 400 W x 1.1 = 449.84 MWh; x 385 g = 173.19 t; the paper prints 449 and 173.
    write(tmp_path, ("LLaMA-1 65B", 1022362, 400, 1.1, 449, 385, 173, "Touvron et al. 2023"))
    energy, carbon = rows(tmp_path)
    assert (energy.quantity, energy.predicted) == ("energy_mwh", pytest.approx(449.839, abs=0.001))
    assert (carbon.quantity, carbon.predicted) == ("tco2e_location", pytest.approx(173.188, abs=0.001))
    assert (energy.status, energy.ratio) == ("ok", pytest.approx(449.839 / 449, abs=1e-5))


def test_without_a_grid_factor_nothing_is_guessed(tmp_path):
    write(tmp_path, ("Llama 3 8B", 1300000, 700, "", "", "", 390, "model card"))
    (carbon,) = rows(tmp_path)
    assert (carbon.status, carbon.predicted, carbon.ratio) == ("refused", None, None)
    assert "no grid factor" in carbon.note


def test_a_folder_without_the_file_is_refused(tmp_path):
    with pytest.raises(UserError):
        rows(tmp_path)


needs_published = pytest.mark.skipif(
    not (PUBLISHED / FILE).exists(), reason="the reference data is not beside the project"
)
TOLERANCE = 0.005
DAYS_PRINTED_TO = {"GShard 619B": 0.05 / 3.1}  # its device-hours are 1,024 chips x "3.1 days": known to 1.6 %


def published() -> list[dict[str, str]]:
    with (PUBLISHED / FILE).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def printed_to(cell: str) -> float:
    """Half a unit of the last digit that a source prints: 449 -> 0.5, 30.84 -> 0.005, 1900 -> 0.5."""
    return 0.5 * 10 ** -len(cell.partition(".")[2])


@needs_published
def test_every_published_row_that_states_its_factors_comes_out():
    source = {record["model"]: record for record in published()}
    answered = [row for row in rows(PUBLISHED) if row.note.startswith("footprint")]
    assert len(answered) == 16
    for row in answered:
        cell = source[row.id][row.quantity]
        allowed = max(TOLERANCE, DAYS_PRINTED_TO.get(row.id, 0)) * float(cell)
        assert abs(row.predicted - float(cell)) <= max(allowed, printed_to(cell)), (row.id, row.quantity)


@needs_published
def test_the_other_rows_come_out_at_the_factor_that_they_imply_and_are_called_arithmetic():
    implied = {row.id: row for row in rows(PUBLISHED) if row.note.startswith("arithmetic")}
    assert set(implied) == {record["model"] for record in published() if not record["intensity_g_per_kwh"]}
    assert len(implied) == 12
    for row in implied.values():
        assert row.predicted == pytest.approx(row.published, rel=0.005)
    assert implied["Llama 3.1 405B"].predicted == pytest.approx(8930, abs=2)


@needs_published
@pytest.mark.parametrize("index", range(20))
def test_energy_of_the_devices_and_carbon_at_the_factor_that_a_row_implies(index):
    """GPU-hours x power, without PUE, and x the grams per GPU-kWh that hold PUE and grid together."""
    record = published()[index]
    energy = record["gpu_energy_mwh_before_pue"]
    values = {
        "energy_gpu_hours": float(record["gpu_hours"]),
        "it_kw_per_gpu": float(record["power_w_per_gpu"]) / 1000,
        "pue": 1.0,
        "grid_g_per_kwh": float(record["implied_g_per_kwh_of_gpu_energy"]),
    }
    values["energy_it_kwh"] = ENERGY_IT_KWH.evaluate(values)
    values["energy_facility_kwh"] = ENERGY_FACILITY_KWH.evaluate(values)
    assert values["energy_facility_kwh"] / 1000 == pytest.approx(float(energy), abs=1.01 * printed_to(energy))
    tonnes = CO2E_KG_LOCATION.evaluate(values) / 1000
    assert tonnes == pytest.approx(float(record["tco2e_location"]), rel=TOLERANCE)


@pytest.mark.parametrize(
    ("name", "gpu_hours", "watts", "pue", "grams", "mwh", "tonnes"),
    [
        ("LLaMA-1 65B", 1_022_362, 400, 1.1, 385, 449, 173),
        ("BLOOM", 1_082_990, 400, 1.0, 57, 433.2, 24.7),
        ("Llama 3.1 405B", 30_840_000, 700, 1.0, 413.66, 21_588, 8_930),  # grams with PUE inside
    ],
)
def test_a_scenario_with_the_factors_of_a_paper_gives_its_energy_and_carbon(
    name, gpu_hours, watts, pue, grams, mwh, tonnes
):
    """The whole ledger, with power, PUE and grid entered and the GPU-hours of the paper in place of ours."""
    scenario = make_scenario(
        cluster={"gpus": 8}, energy={"node_power_kw": 8 * watts / 1000, "pue": pue, "grid_g_per_kwh": grams}
    )
    values = make_paper_budget(scenario, step_time_s=36).ledger.evaluate({"energy_gpu_hours": gpu_hours})
    assert values["energy_facility_kwh"] / 1000 == pytest.approx(mwh, rel=TOLERANCE), name
    assert values["co2e_kg_location"] / 1000 == pytest.approx(tonnes, rel=TOLERANCE), name
