"""`catalog`, `validate`, `new` and `report` as another program calls them."""

import csv
import json
from pathlib import Path

import pytest

from desktop_app.cli import main

TODAY = ["--today", "2026-11-30"]
SHARED = Path(__file__).resolve().parents[3] / "shared"


def listed(capsys, *arguments):
    """The rows of `catalog ... --json`."""
    assert main(["catalog", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_prices_are_listed_by_gpu_provider_and_region(capsys):
    rows = listed(capsys, "prices", "--gpu", "A100 80G", "--provider", "AWS", "--region", "us-east-1")
    on_demand = [row for row in rows if row["purchase"] == "on-demand" and row["instance_type"] == "p4de.24xlarge"]
    assert [row["usd_per_instance_hour"] for row in on_demand] == [27.44705]
    assert on_demand[0]["usd_per_gpu_hour"] == pytest.approx(27.44705 / 8)
    assert on_demand[0]["as_of"] == "2026-07-20"


def test_prices_of_one_purchase_stand_cheapest_first_with_the_sellers_own_amount(capsys):
    rows = listed(capsys, "prices", "--gpu", "A10", "--purchase", "On-Demand")
    prices = [row["usd_per_gpu_hour"] for row in rows]
    assert len(prices) > 20
    assert prices == sorted(prices)
    assert {row["purchase"] for row in rows} == {"on-demand"}
    tokyo = next(row for row in rows if row["region"] == "ap-northeast-1" and row["gpu_count"] == 2)
    assert (tokyo["currency_original"], tokyo["amount_original"]) == ("CNY", 42.29)
    assert tokyo["amount_original"] * tokyo["usd_per_original"] == pytest.approx(tokyo["usd_per_instance_hour"])


def test_models_and_gpus_carry_their_sources(capsys):
    models = {row["name"]: row for row in listed(capsys, "models")}
    assert models["Llama-2-7B"]["params_total"] == 6_738_415_616
    gpus = {row["name"]: row for row in listed(capsys, "gpus")}
    assert gpus["H100-80GB-SXM"]["peak_dense_bf16_flops"] == pytest.approx(989.4e12, rel=1e-3)
    assert all(row["source"] and row["as_of"] for row in (*models.values(), *gpus.values()))
    assert (gpus["Gaudi3"]["speed_model"], gpus["H100-80GB-SXM"]["speed_model"]) == ("no", "yes")


def test_regions_and_grids_name_their_zone_and_year(capsys):
    region = listed(capsys, "regions", "--provider", "aws", "--region", "us-east-1")[0]
    assert region["grid_g_co2e_per_kwh"] > 100
    assert region["intensity_year"]
    grids = listed(capsys, "grids")
    assert not [row for row in grids if row["grid_g_co2e_per_kwh"] == 0]
    assert not [row for row in grids if row["zone"].startswith("EM:")]


def test_an_unknown_gpu_is_refused_in_the_catalog_too(capsys):
    assert main(["catalog", "prices", "--gpu", "H900"]) == 2
    assert "--gpu" in capsys.readouterr().err


def test_a_project_whose_figures_moved_says_so_until_a_choice_changes_it(capsys, tmp_path):
    path = tmp_path / "a.tbudget"
    assert main(["new", str(path), *TODAY]) == 0

    def told(*choices):
        assert main(["estimate", str(path), *choices, "--json"]) == 0
        answered = json.loads(capsys.readouterr().out)
        return answered, [one["message"] for one in answered["problems"] if one["message"].startswith("When this file")]

    capsys.readouterr()
    answered, moved = told()
    assert moved == []
    document = json.loads(path.read_text("utf-8"))
    line = next(line for line in document["snapshots"][0]["lines"] if line["key"] == "cost.total")
    line["value"] = 123_456.0  # what it was when prices were others
    path.write_text(json.dumps(document), "utf-8")
    again, moved = told()
    assert again["cost_usd"] == answered["cost_usd"]
    assert len(moved) == 1
    assert "Total (USD) came to 123,456;" in moved[0]
    assert told("--gpus", "64")[1] == []


def test_a_new_project_is_opened_again_and_never_overwritten(capsys, tmp_path):
    path = tmp_path / "预算 A.tbudget"
    assert main(["new", str(path), *TODAY, "--gpus", "64"]) == 0
    before = path.read_bytes()
    capsys.readouterr()
    assert main(["estimate", str(path), "--json"]) == 0
    layout = json.loads(capsys.readouterr().out)["layout"]
    assert layout["tp"] * layout["pp"] * layout["cp"] * layout["dp"] == 64
    assert main(["new", str(path)]) == 2
    assert path.read_bytes() == before


def test_report_writes_the_figures_as_csv(capsys, tmp_path):
    path = tmp_path / "figures.csv"
    assert main(["report", "--csv", str(path), *TODAY]) == 0
    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    base = {row["Key"]: row for row in rows if row["Case"] == "A" and row["Percentile"] == "base"}
    beside = ("cost.total", "cost.ask")
    lines = [row for key, row in base.items() if key.startswith("cost.") and key not in beside]
    amounts = [float(row["Value"]) for row in lines if row["Value"]]
    assert len(amounts) == 5  # run, lost, evaluation, checkpoints, data
    assert sum(amounts) == pytest.approx(float(base["cost.total"]["Value"]))
    assert base["cost.tax"]["Value"] == "" and base["cost.tax"]["Remark"] == "not priced"
    assert {row["Case"] for row in rows} > {"A", "P1", "X1"}  # ways of purchase and alternatives too


def test_report_without_a_file_and_into_a_missing_folder_is_refused(capsys, tmp_path):
    assert main(["report"]) == 2
    assert main(["report", "--csv", str(tmp_path / "gone" / "lines.csv")]) == 2
    assert "gone" in capsys.readouterr().err


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published tables are not beside the project")
def test_validate_answers_the_published_tables(capsys, tmp_path):
    out = tmp_path / "rows.csv"
    assert main(["validate", str(SHARED / "validation"), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "inside p10-p90" in told
    reasons = told.partition("rows without an answer, by reason")[2]
    assert "sequence length not stated" in reasons
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "table", "id", "source_group", "quantity", "published", "predicted", "low", "high", "ratio", "status", "note",
    ]  # fmt: skip
    params = [row for row in rows if row["table"] == "params" and row["status"] == "ok"]
    assert len(params) == 258
    assert {row["ratio"] for row in params} == {"1.0"}
    fits = [row for row in rows if row["quantity"] == "fits" and row["published"] == "0.0"]
    assert fits
    assert not [row for row in fits if float(row["predicted"]) == 1]  # never a false "it fits"
    dense = [row for row in rows if row["note"].startswith("pretrain-dense") and row["table"] == "throughput"]
    errors = sorted(abs(float(row["ratio"]) - 1) for row in dense if row["status"] == "ok")
    assert errors[len(errors) // 2] < 0.10


def test_validate_of_something_that_is_no_folder_is_refused(capsys, tmp_path):
    assert main(["validate", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
