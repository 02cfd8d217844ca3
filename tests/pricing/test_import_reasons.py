"""Every reason why a row is not taken, doubted or pointed at."""

from __future__ import annotations

import pytest
from sheet_tools import preview, reasons

HEAD = "provider;region;instance;gpu;gpu count;USD per instance hour;purchase;date;valid until;notes"


def row(**cells):
    usual = {
        "provider": "aws", "region": "us-east-1", "instance": "p5.48xlarge", "gpu": "H100 SXM", "count": "8",
        "price": "55.04", "purchase": "on-demand", "date": "2026-11-01", "until": "", "notes": "",
    }  # fmt: skip
    return ";".join((usual | cells).values())


def test_the_usual_row_has_nothing_against_it():
    found = preview([HEAD, row()])
    assert len(found.rows) == 1
    assert not found.findings


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"price": ""}, "no_price"),
        ({"price": "n/a"}, "no_price"),
        ({"price": "0"}, "zero_price"),
        ({"price": "-3"}, "negative_price"),
        ({"price": "call us"}, "not_a_number"),
        ({"price": "=1+1"}, "not_a_number"),
        ({"price": "1,2,3"}, "not_a_number"),
        ({"price": "9000"}, "absurd_price"),
        ({"price": "0.004"}, "absurd_price"),
        ({"price": "€55.04"}, "currency_conflict"),
        ({"gpu": "H900"}, "unknown_gpu"),
        ({"gpu": ""}, "no_gpu"),
        ({"count": "0"}, "bad_gpu_count"),
        ({"count": "1.5"}, "bad_gpu_count"),
        ({"count": "many"}, "bad_gpu_count"),
        ({"purchase": "barter"}, "unknown_purchase"),
        ({"purchase": ""}, "unknown_purchase"),
        ({"date": "soon"}, "bad_date"),
        ({"date": "2026-02-30"}, "bad_date"),
        ({"until": "2026-11-29"}, "expired"),
        ({"until": "2026-10"}, "expired"),
        ({"provider": ""}, "no_provider"),
        ({"provider": "..."}, "no_provider"),
        ({"provider": "=HYPERLINK(\"http://x\")"}, "formula_cell"),
        ({"instance": "@SUM(A1)"}, "formula_cell"),
        ({"region": "+cmd|' /c calc'!A0"}, "formula_cell"),
    ],
)  # fmt: skip
def test_why_a_row_is_dropped(cells, reason):
    found = preview([HEAD, row(**cells)])
    assert not found.rows
    assert reasons(found, "dropped") == [(2, reason)]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"price": "0.16"}, "outside_bounds"),  # 0.02 per GPU
        ({"price": "400"}, "outside_bounds"),  # 50 per GPU, on one server
        ({"date": "2026-12-24"}, "date_in_future"),
        ({"price": "6.88"}, "node_price_looks_per_gpu"),
        ({"price": "440.32"}, "gpu_price_looks_per_node"),
        ({"gpu": "8x H100", "count": "1", "price": "6.88"}, "node_price_looks_per_gpu"),
    ],
)
def test_what_is_pointed_at_but_taken(cells, reason):
    found = preview([HEAD, row(**cells)])
    assert len(found.rows) == 1
    assert (2, reason) in reasons(found, "warning")


def test_racks_may_cost_more():
    for gpu, warned in (("GB300", False), ("B300", True)):
        found = preview([HEAD, row(gpu=gpu, count="4", instance="x", price="216.16")])  # 54.04 per GPU
        assert ((2, "outside_bounds") in reasons(found, "warning")) is warned


def test_a_price_far_from_usual_that_no_unit_explains():
    found = preview([HEAD, row(count="1", price="0.90", instance="x")])
    assert reasons(found, "warning") == [(2, "far_from_usual")]


def test_notes_are_kept_without_what_would_make_them_a_formula():
    found = preview([HEAD, row(notes="=1+1 as agreed")])
    assert found.rows[0].quote.notes == "1+1 as agreed"


def test_validity_that_lasts_is_kept():
    assert preview([HEAD, row(until="2026-11-30")]).rows[0].quote.valid_until == "2026-11-30"


def test_spot_not_below_on_demand_is_doubtful():
    found = preview([HEAD, row(), row(purchase="spot", price="55.04"), row(region="us-west-2", purchase="spot")])
    assert reasons(found, "doubtful") == [(3, "spot_not_below_on_demand")]
    assert [preview_row.doubtful for preview_row in found.rows] == [False, True, False]
    assert len(found.quotes()) == 2
    assert len(found.quotes(with_doubtful=True)) == 3


def test_of_two_rows_for_the_same_the_newest_or_the_dearest_stays():
    twins = preview([HEAD, row(price="50"), row(price="52"), row(price="51")])
    assert [r.quote.usd_per_instance_hour for r in twins.rows] == [52.0]
    assert reasons(twins, "dropped") == [(2, "duplicate_key"), (4, "duplicate_key")]
    assert {finding.values["kept"] for finding in twins.said("dropped")} == {3}
    older = preview([HEAD, row(price="50"), row(price="60", date="2026-08-01")])
    assert [r.quote.usd_per_instance_hour for r in older.rows] == [50.0]
    assert reasons(older, "dropped") == [(3, "older_duplicate")]


def test_per_gpu_and_per_instance_must_agree():
    head = "provider,gpu,gpu count,USD per gpu hour,USD per instance hour"
    good = preview([head, "x,H100,8,3.43,27.44705"])  # rounded to cents
    assert good.rows[0].quote.usd_per_instance_hour == 27.44705
    bad = preview([head, "x,H100,8,6.88,68.80"])
    assert reasons(bad, "dropped") == [(2, "per_gpu_times_count_differs")]


def test_nobody_says_the_currency_or_the_seller():
    found = preview(["gpu,gpu count,price per gpu hour", "H100,8,3"], provider="aws")
    assert (reasons(found, "dropped"), reasons(found, "question")) == (
        [(2, "no_currency")],
        [(None, "currency_not_stated")],
    )
    found = preview(["gpu,gpu count,USD per gpu hour", "H100,8,3"])
    assert reasons(found, "question") == [(None, "provider_not_stated")]
    assert not found.rows


def test_lines_between_the_prices_are_no_prices():
    found = preview([HEAD, "European regions;;;;;;;;;", row(), "", ";;;;;;;;;all prices without tax"])
    assert len(found.rows) == 1
    assert not found.said("dropped")
