"""Published footprints recomputed by the ledger's own formulas."""

import csv
from pathlib import Path

import pytest

from desktop_app.budget.footprints import rows
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


@pytest.mark.skipif(not (PUBLISHED / FILE).exists(), reason="the reference data is not beside the project")
def test_all_published_rows_that_state_their_factors_come_out():
    answered = [row for row in rows(PUBLISHED) if row.status == "ok"]
    assert len(answered) >= 14
    for row in answered:
        assert row.ratio == pytest.approx(1, abs=0.02), row.id  # printed to two digits, device-hours of some derived
