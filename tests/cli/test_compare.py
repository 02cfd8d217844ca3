"""`compare`: one job in every way and every place."""

import json

import pytest

from desktop_app.cli import main

JOB = ("--gpu", "H100", "--gpus", "64", "--tokens", "8.7e11", "--provider", "gcp", "--today", "2026-11-30")


def rows(capsys, by):
    assert main(["compare", by, *JOB, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_purchases_as_json_and_as_a_table(capsys):
    found = rows(capsys, "purchases")
    assert [row["purchase"] for row in found[:3]] == ["flex-start", "capacity-block", "on-demand"]
    assert "at most 7 days at a time; the run takes 31" in found[0]["notes"]
    hours = {row["purchase"]: row["gpu_hours_used"] for row in found if row["cost_usd"] is not None}
    assert len({round(used) for used in hours.values()}) == 1  # the same job, however it is bought
    incomplete = [row["purchase"] for row in found if not row["complete"] and row["cost_usd"] is not None]
    assert incomplete == ["owned", "spot"]  # cheaper, but without electricity and without interruptions
    assert {row["purchase"] for row in found} >= {"on-demand", "capacity-block", "reserved-1y", "owned"}
    unsold = next(row for row in found if row["purchase"] == "reserved-1mo")
    assert (unsold["cost_usd"], unsold["usd_per_gpu_hour"]) == (None, None)
    assert "run" in unsold["not_priced"]
    assert main(["compare", "purchases", *JOB]) == 0
    text = capsys.readouterr().out
    assert "unknown" in text and "capacity-block" in text


def test_places_by_money_with_the_rank_by_carbon(capsys):
    found = rows(capsys, "places")
    costs = [row["cost_usd"] for row in found]
    assert costs == sorted(costs)
    greenest = min((row for row in found if row["rank_by_carbon"]), key=lambda row: row["rank_by_carbon"])
    assert greenest["grid_g_per_kwh"] < 50
    assert sum(row["here"] for row in found) == 1


@pytest.mark.parametrize("arguments", [["compare"], ["compare", "prices"], ["compare", "places", "--gpus", "0"]])
def test_bad_input_is_told_in_one_sentence(capsys, arguments):
    assert main(arguments) == 2
    assert "Traceback" not in capsys.readouterr().err
