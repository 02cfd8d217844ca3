"""The program that rebuilds the tables: each reason to leave out or refuse a row."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from source_rows import GRID, PRICE, REGION, priced, prices, reasons, rows

from pricing.refresh import __main__ as program
from pricing.refresh.others import (
    clean_commitments,
    clean_fx,
    clean_interruptions,
    clean_node_power,
    clean_physical,
)
from pricing.refresh.places import clean_grids, clean_regions
from pricing.refresh.rows import Cleaned, Drop, SourceRow, as_of, days_apart, period


def test_a_good_row_gets_our_columns_and_codes():
    cleaned = prices({"price_type": "reserved_1yr", "source_date": "2026-01-01", "date_precision": "year"})
    assert cleaned.drops == []
    (row,) = cleaned.rows
    assert (row["purchase"], row["as_of"]) == ("reserved-1y", "2026")
    assert (row["usd_per_instance_hour"], row["usd_per_gpu_hour"]) == ("27.44705", "3.430881")
    assert (row["quality"], row["price_nature"], row["currency_original"]) == ("good", "list", "USD")
    assert tuple(row) == tuple(cleaned.columns)
    assert "may_ship" not in row


@pytest.mark.parametrize(
    ("change", "reason", "refused"),
    [
        ({"source": ""}, "missing_source", True),
        ({"source_date": ""}, "missing_date", True),
        ({"source_date": "2026-02-30"}, "bad_date", True),
        ({"source_date": "yesterday"}, "bad_date", True),
        ({"quality": "suspect"}, "suspect", False),
        ({"may_ship": "no"}, "may_not_ship", False),
        ({"may_ship": ""}, "may_not_ship", False),
        ({"price_type": "raffle"}, "unknown_purchase", True),
        ({"provider": "acme"}, "unknown_provider", True),
        ({"gpu": "A101"}, "unknown_gpu", True),
        ({"usd_per_gpu_hour": "3.43 USD"}, "not_a_number", True),
        ({"usd_per_gpu_hour": "nan"}, "not_a_number", True),
        ({"usd_per_gpu_hour": "0", "usd_per_hour": "0"}, "not_positive", True),
        ({"usd_per_gpu_hour": "-3", "usd_per_hour": "-24"}, "not_positive", True),
        ({"usd_per_gpu_hour": "27.44705"}, "per_gpu_times_count_differs", True),  # the node's price as a GPU's
        ({"gpu_count": "4"}, "per_gpu_times_count_differs", True),
        ({"currency_original": "CNY"}, "original_amount_missing", True),
        ({"currency_original": "CNY", "notes": "CNY 194.87/h"}, "original_amount_missing", True),
        ({"notes": "CNY 194.8741/h converted at 7.1 CNY per USD"}, "original_currency_differs", True),
        (
            {"currency_original": "CNY", "notes": "CNY 194.8741/h converted at 7.0 CNY per USD"},
            "original_amount_differs",
            True,
        ),
        (
            {"currency_original": "CNY", "notes": "CNY 24.3593/h converted at 7.1 CNY per USD"},  # of one GPU, not of 8
            "original_amount_differs",
            True,
        ),
    ],
)
def test_each_reason_to_drop_a_price(change, reason, refused):
    cleaned = prices(change, {"instance_type": "another"})
    assert reasons(cleaned) == [(2, reason)]
    assert cleaned.drops[0].refused is refused
    assert [row["instance_type"] for row in cleaned.rows] == ["another"]


def test_spot_at_or_above_on_demand_of_the_same_era_is_refused():
    for spot, dropped in ((3.430881, True), (4.0, True), (3.4, False)):
        cleaned = prices({}, priced(spot, price_type="spot", source_date="2026-09-01"))
        assert reasons(cleaned) == ([(3, "spot_not_below_on_demand")] if dropped else [])


def test_spot_is_compared_with_the_on_demand_price_nearest_in_date_and_not_with_another_era():
    raised = prices(priced(1.9, source_date="2026-05-24"), priced(2.5), priced(2.0, price_type="spot"))
    assert raised.drops == []
    long_ago = prices(priced(2.0, source_date="2024-10-09"), priced(2.5, price_type="spot", source_date="2026-07-20"))
    assert long_ago.drops == []
    elsewhere = prices({}, priced(5.0, price_type="spot", region="us-west-2"))
    assert elsewhere.drops == []


def test_of_two_prices_for_the_same_thing_on_the_same_day_the_dearer_stays():
    cleaned = prices(priced(1.0), priced(1.5), priced(1.2))
    assert reasons(cleaned) == [(2, "duplicate_key"), (4, "duplicate_key")]
    assert [row["usd_per_gpu_hour"] for row in cleaned.rows] == ["1.5"]
    assert prices(priced(1.0, price_nature="community"), priced(1.5)).drops == []  # another tier


def test_a_jump_against_the_table_being_replaced_is_refused_until_somebody_accepts_it():
    before = prices({"source_date": "2026-01-21"}).rows
    for now, dropped in ((3.0 * 3.43, False), (3.2 * 3.43, True), (3.43 / 2.9, False), (3.43 / 3.1, True)):
        cleaned = prices(priced(now), previous=before)
        assert reasons(cleaned) == ([(2, "price_jump")] if dropped else [])
    assert "of 2026-01-21 became" in prices(priced(20), previous=before).drops[0].detail
    assert prices(priced(20), previous=before, accepted=["gpu_prices.csv:2"]).drops == []
    assert prices(priced(20, source_date="2024-11-06"), previous=before).drops == []  # history, not a change


def test_grid_rows():
    residual = {"zone": "RES-FR", "zone_type": "residual_mix", "method": "residual mix, market based"}
    cleaned = clean_grids(
        rows(
            GRID,
            {},
            residual,
            {"zone": "EM:FR", "may_ship": "no"},
            {"zone": "CN-fossil", "method": "fossil plants only"},
            {"zone": "CAF", "gco2e_per_kwh": "0.0"},
            {"zone": "KWH", "gco2e_per_kwh": "44200"},
            {"year": "2024", "gco2e_per_kwh": "56"},
            {"zone": "DEU", "source": ""},
            {"zone": "DEU", "source_date": ""},
            file="grid_intensity.csv",
        )
    )
    assert {row["zone"]: row["basis"] for row in cleaned.rows} == {"FRA": "location", "RES-FR": "market"}
    assert reasons(cleaned) == [
        (4, "may_not_ship"),
        (5, "not_an_average"),
        (6, "not_positive"),
        (7, "outside_bounds"),
        (8, "duplicate_key"),
        (9, "missing_source"),
        (10, "missing_date"),
    ]


def regions(*changes: dict[str, str]) -> Cleaned:
    site = {"country": "FR", "city": "", "grid_zone": "FRA", "note": "country average"}
    lost = {"country": "XX", "grid_zone": "RES-FR"}
    grids = clean_grids(rows(GRID, {}, {"zone": "RES-FR", "zone_type": "residual_mix"})).rows
    return clean_regions(rows(REGION, *changes), rows(site, {}, lost), grids)


def test_a_region_whose_factor_may_not_ship_names_another_zone_and_no_figure():
    em = {"grid_zone": "EM:FR", "gco2e_per_kwh": "52.87", "intensity_may_ship": "no", "notes": "odd"}
    (row,) = regions({**em, "source": "GSF real-time-cloud file (Electricity Maps annual average)"}).rows
    assert (row["grid_zone"], row["listed_zone"], row["grid_g_co2e_per_kwh"]) == ("FRA", "EM:FR", "")
    assert row["notes"] == "grid factor: country average; odd"
    assert "Electricity Maps" not in row["source"]
    (own,) = regions({}).rows
    assert (own["grid_g_co2e_per_kwh"], own["gas_scope"]) == ("44.2", "lifecycle CO2e")
    assert own["source"] == "France (FRA): Ember"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"gco2e_per_kwh": "56.0"}, "not_the_grid_row"),
        ({"grid_zone": "DEU"}, "not_the_grid_row"),
        ({"grid_zone": "RES-FR"}, "not_the_grid_row"),  # a residual mix is no location-based factor
        ({"gco2e_per_kwh": "0"}, "not_positive"),
        ({"pue": "0.9"}, "outside_bounds"),
        ({"pue": "25"}, "outside_bounds"),
        ({"source": ""}, "missing_source"),
        ({"as_of": ""}, "missing_date"),
        ({"intensity_may_ship": "no", "country": "ZZ"}, "no_grid_zone_may_ship"),
        ({"intensity_may_ship": "no", "country": "XX"}, "no_grid_zone_may_ship"),
    ],
)
def test_each_reason_to_refuse_a_region(change, reason):
    cleaned = regions(change)
    assert reasons(cleaned) == [(2, reason)]
    assert cleaned.rows == []


def test_the_same_region_twice_is_taken_once():
    assert reasons(regions({}, {})) == [(3, "duplicate_key")]


def test_the_smaller_tables():
    origin = {"source": "somebody", "as_of": "2026", "quality": "good"}
    node = {**origin, "gpu": "H100", "gpu_count": "8", "rated_max_kw": "10.2", "notes": ""}
    cleaned = clean_node_power(
        rows(
            node,
            {},
            {"gpu": "A101"},
            {"notes": "peak, not average"},
            {"rated_max_kw": ""},
            {"source": "estimate: 8 x 400 W"},
        ),
        {"H100"},
    )
    assert [row["rating"] for row in cleaned.rows] == ["maker", "sum"]
    assert reasons(cleaned) == [(3, "unknown_gpu"), (4, "peak_not_sustained"), (5, "not_a_number")]
    cards = clean_physical(
        rows({**origin, "name": "H100", "tdp_w": "700"}, {}, {"name": "A101"}), rows({"gpu": "H100"}, {})
    )
    assert reasons(cards) == [(3, "unknown_gpu")]
    assert reasons(clean_fx(rows({**origin, "usd_per_unit": "0.15"}, {}, {"usd_per_unit": "0"}))) == [
        (3, "not_positive")
    ]
    discount = {**origin, "discount_low_pct": "0", "discount_high_pct": "66"}
    assert reasons(clean_commitments(rows(discount, {}, {"discount_high_pct": "166"}))) == [(3, "outside_bounds")]
    spot = {"source": "Spot Advisor", "source_date": "2025-07-28", "quality": "good", "savings_pct_vs_on_demand": "0"}
    changes = ({}, {"savings_pct_vs_on_demand": "-62"}, {"quality": "suspect"})
    assert reasons(clean_interruptions(rows(spot, *changes))) == [(3, "outside_bounds"), (4, "suspect")]


def test_dates_are_as_precise_as_they_are_known():
    assert [as_of("2026-07-20", precision) for precision in ("day", "month", "year")] == [
        "2026-07-20",
        "2026-07",
        "2026",
    ]
    assert [day.isoformat() for day in period("2026-12")] == ["2026-12-01", "2026-12-31"]
    assert [day.isoformat() for day in period("2024-02")] == ["2024-02-01", "2024-02-29"]
    assert days_apart("2026", "2026-07-20") == days_apart("2026-07-20", "2026") == 0
    assert days_apart("2025", "2026-01-11") == 11
    assert days_apart("2026-07-20", "2026-06") == 20


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str, list[dict[str, str]]], Path]:
    """A folder with every source file, most of them with a header only."""
    origin = {"source": "somebody", "as_of": "2026", "quality": "good"}
    files = {
        "gpus.csv": [{**origin, "name": "A100-80GB-SXM", "tdp_w": "400"}],
        "gpu_prices.csv": [PRICE],
        "grid_intensity.csv": [GRID],
        "cloud_regions.csv": [REGION],
    }
    for name in ("node_power", "storage_prices", "fx_rates", "commitments", "spot_interruption"):
        files[f"{name}.csv"] = []

    def write(name: str, content: list[dict[str, str]]) -> Path:
        folder = tmp_path / "source"
        folder.mkdir(exist_ok=True)
        with (folder / name).open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(content[0] if content else origin))
            writer.writeheader()
            writer.writerows(content)
        return folder

    for name, content in files.items():
        write(name, content)
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in ("providers.csv", "node_power_shares.csv"):
        (tables / name).write_bytes((program.PACKAGE / "tables" / name).read_bytes())
    return write


def test_the_program_writes_the_tables_and_says_what_it_dropped(source, tmp_path, capsys):
    folder = source("gpu_prices.csv", [PRICE, {**PRICE, "gpu": "A101"}, {**PRICE, "may_ship": "no"}])
    assert program.main([str(folder), "--tables", str(tmp_path / "tables")]) == 0
    said = capsys.readouterr().out
    assert "gpu_prices.csv: 1 rows kept, 2 dropped" in said
    assert "REFUSED gpu_prices.csv:3 unknown_gpu: A101" in said
    assert "left out 1 may_not_ship: gpu_prices.csv rows 4" in said
    assert len((tmp_path / "tables" / "gpu_prices.csv").read_text().splitlines()) == 2
    assert not list((tmp_path / "tables").glob("*.new"))


def test_the_program_keeps_an_implausible_row_and_names_it(source, tmp_path, capsys):
    dear = {**PRICE, **priced(44), "instance_type": "dear"}
    cheap = {**PRICE, **priced(0.04), "instance_type": "cheap"}
    folder = source("gpu_prices.csv", [PRICE, dear, cheap])
    source("grid_intensity.csv", [GRID, {**GRID, "zone": "TKM", "gco2e_per_kwh": "1306"}])
    assert program.main([str(folder), "--tables", str(tmp_path / "tables")]) == 0
    said = capsys.readouterr().out
    assert "gpu_prices.csv: 3 rows kept, 0 dropped" in said
    assert [line.strip() for line in said.splitlines() if "WARNING" in line] == [
        "WARNING gpu_prices.csv aws us-east-1 cheap A100-80GB-SXM on-demand 2026-07-20 below_bounds: "
        "usd_per_gpu_hour 0.04 is outside 0.05 to 40",
        "WARNING gpu_prices.csv aws us-east-1 dear A100-80GB-SXM on-demand 2026-07-20 above_bounds: "
        "usd_per_gpu_hour 44 is outside 0.05 to 40",
        "WARNING grid_intensity.csv TKM 2024 above_bounds: grid_g_co2e_per_kwh 1306 is outside 5 to 1200",
    ]


def test_the_program_compares_with_the_table_it_replaces(source, tmp_path, capsys):
    arguments = [str(source("gpu_prices.csv", [PRICE])), "--tables", str(tmp_path / "tables")]
    assert program.main(arguments) == 0
    source("gpu_prices.csv", [{**PRICE, **priced(20), "source_date": "2026-11-01"}])
    assert program.main(arguments) == 0
    assert "REFUSED gpu_prices.csv:2 price_jump: 3.430881 of 2026-07-20 became 20" in capsys.readouterr().out


def test_the_program_names_a_file_that_is_missing_and_touches_nothing(source, tmp_path, capsys):
    folder = source("gpu_prices.csv", [PRICE])
    (folder / "fx_rates.csv").unlink()
    assert program.main([str(folder), "--tables", str(tmp_path / "tables")]) == 2
    assert "fx_rates.csv: No such file" in capsys.readouterr().err
    assert not (tmp_path / "tables" / "gpu_prices.csv").exists()


def test_what_is_refused_and_what_is_left_out_by_rule():
    row = SourceRow("gpu_prices.csv", 7, {})
    assert Drop(row, "price_jump").refused
    assert not Drop(row, "may_not_ship").refused
    assert row.name == "gpu_prices.csv:7"
    assert row["no such column"] == ""
