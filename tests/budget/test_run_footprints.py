"""Energy, carbon and money of published runs, by the program's own power model and ledger."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.budget.run_footprints import COLUMNS, rows

ODD = ("", "0", "-1", "nan", "inf", "1e300", "1e-9", "99999999", "abc")
# Patterson et al., arXiv 2104.10350: metered system power, PUE and grid of the site.
GPT3 = {
    "id": "a", "source_group": "gpt3", "model": "GPT-3 175B", "params_b": "175", "tokens_b": "300", "seq_len": "2048",
    "gpu": "V100-32GB", "n_gpus": "10000", "gpu_hours": "3552000", "energy_mwh": "1287", "pue": "1.1",
    "grid_gco2_kwh": "429", "co2_t": "552.1", "co2_method": "measured system power 330 W per V100 incl. host share",
    "kind": "pretrain", "quality": "secondary",
}  # fmt: skip
# LLaMA, arXiv 2302.13971, table 15: GPU-hours x 400 W x 1.1 x 385 g.
LLAMA = {
    "id": "b", "source_group": "llama1", "model": "LLaMA-65B", "params_b": "65.2", "tokens_b": "1400",
    "gpu": "A100-80GB-SXM", "n_gpus": "2048", "gpu_hours": "1022362", "energy_mwh": "449", "pue": "1.1",
    "avg_power_w_per_gpu": "400", "grid_gco2_kwh": "385", "co2_t": "173",
    "co2_method": "GPU-hours x 400 W TDP x PUE 1.1", "kind": "pretrain", "quality": "primary",
}  # fmt: skip
# OLMo 2, arXiv 2501.00656, table 19: the GPUs' own meters, before PUE.
OLMO = {
    "id": "c", "source_group": "olmo2", "model": "OLMo 2 7B", "params_b": "7.3", "tokens_b": "4050", "seq_len": "4096",
    "gpu": "H100-80GB-SXM", "energy_mwh": "131", "pue": "1.2", "grid_gco2_kwh": "332", "co2_t": "52",
    "co2_method": "metered GPU power (25 ms) of one node extrapolated x PUE x grid",
    "notes": "energy column is GPU energy before PUE", "kind": "pretrain", "quality": "primary",
}  # fmt: skip


def found(folder: Path, *records: dict[str, str]) -> list:
    with (folder / "runs.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(records)
    return rows(folder)


def test_whole_nodes_that_were_metered_are_met_by_the_power_of_the_node(tmp_path: Path) -> None:
    energy, carbon = found(tmp_path, GPT3)
    # DGX-1: 3.5 kW x 0.76 / 8 = 332.5 W; 3,552,000 h x 0.3325 kW x 1.1 = 1,299 MWh
    assert energy.predicted == pytest.approx(3_552_000 * 0.3325 * 1.1 / 1000)
    assert energy.note.startswith("metered; whole node: 332 W per GPU (rated_share); 3,552,000 GPU-hours, as published")
    assert carbon.predicted == pytest.approx(energy.predicted * 0.429)
    assert energy.low < 1287 < energy.high


def test_a_source_that_multiplied_by_tdp_proves_arithmetic(tmp_path: Path) -> None:
    energy, carbon = found(tmp_path, LLAMA)
    assert energy.predicted == pytest.approx(449.84, abs=0.01)
    assert carbon.predicted == pytest.approx(173.19, abs=0.01)
    assert (energy.low, energy.high) == (None, None)
    assert energy.note.startswith("arithmetic; 400 W per GPU")


def test_gpus_that_were_metered_alone_are_compared_with_gpus_alone(tmp_path: Path) -> None:
    energy, carbon = found(tmp_path, OLMO)
    assert energy.note.startswith("metered; GPUs alone: 637 W each; our own ")
    assert carbon.predicted == pytest.approx(energy.predicted * 1.2 * 0.332)  # PUE enters the carbon, not the energy
    assert energy.low < energy.predicted < energy.high


def test_money_is_hours_times_the_published_rate(tmp_path: Path) -> None:
    (cost,) = found(
        tmp_path,
        {
            "id": "d", "source_group": "deepseek", "model": "DeepSeek-V3", "gpu": "H800-80GB-SXM", "n_gpus": "2048",
            "gpu_hours": "2664000", "cost_usd": "5328000", "price_usd_per_gpu_h": "2.0", "kind": "pretrain",
        },
    )  # fmt: skip
    assert (cost.predicted, cost.ratio) == (5_328_000, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "development"}, "not one training run"),
        ({"grid_gco2_kwh": "", "energy_mwh": ""}, "no grid factor"),
        ({"gpu": "Z1"}, "no GPU called"),
        ({"energy_mwh": "", "co2_t": "", "cost_usd": "100"}, "no rate published"),
    ],
)
def test_what_cannot_be_said_is_said(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    answers = found(tmp_path, {**LLAMA, **change})
    assert answers
    assert all(row.status != "ok" and row.predicted is None and reason in row.note for row in answers)


def test_the_grid_of_the_stated_country_stands_in(tmp_path: Path) -> None:
    (carbon,) = found(tmp_path, {**LLAMA, "energy_mwh": "", "grid_gco2_kwh": "", "pue": "", "location": "USA (Meta)"})
    assert "United States" in carbon.note
    assert carbon.predicted == pytest.approx(1_022_362 * 0.4 * 0.3836 / 1000, rel=0.001)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(COLUMNS)), st.sampled_from(ODD), max_size=4))
def test_odd_cells_never_raise(tmp_path_factory, change: dict[str, str]) -> None:
    for row in found(tmp_path_factory.mktemp("runs"), {**GPT3, **change}):
        assert (row.status == "ok") == (row.predicted is not None)
