"""The tables that ship: complete, sourced, plausible, and without what may not ship."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from pricing.catalogue import catalogue_of, load_catalogue
from pricing.records import FxRate
from pricing.refresh.__main__ import rebuilt
from pricing.refresh.prices import PURCHASE
from pricing.refresh.rows import as_of, write_tables
from pricing.table_files import Table, TableError, package_tables

CATALOGUE = load_catalogue()
TABLES = Path(str(package_tables()))
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
needs_source = pytest.mark.skipif(not SHARED.is_dir(), reason="the source files (../shared/data) are not here")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_row_of_every_table_is_valid():
    CATALOGUE.check()
    assert sum(len(rows) for rows in CATALOGUE.price_rows.values()) == len(rows_of(TABLES / "gpu_prices.csv")) > 2500


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.csv")), ids=lambda path: path.name)
def test_every_row_has_source_and_date(path):
    rows = rows_of(path)
    assert rows
    assert [number for number, row in enumerate(rows, 2) if not row["source"] or not row["as_of"]] == []


def test_every_price_is_of_a_known_gpu_seller_and_purchase_and_adds_up():
    prices = [row for rows in CATALOGUE.price_rows.values() for row in rows]
    assert [
        row for row in prices if abs(row.usd_per_gpu_hour * row.gpu_count / row.usd_per_instance_hour - 1) > 1e-4
    ] == []
    assert [row for row in prices if row.quality == "suspect"] == []
    assert {row.gpu for row in prices} <= set(CATALOGUE.physical_rows)
    assert {row.provider for row in prices} <= set(CATALOGUE.provider_rows)
    assert {row.purchase for row in prices} == set(PURCHASE.values()) - {"reserved-6mo"}  # its one row may not ship


def test_no_word_names_two_providers():
    words = [
        word
        for (row,) in CATALOGUE.provider_rows.values()
        for word in {row.provider, row.name.lower(), *(row.aliases or row.provider).lower().split(";")}
    ]
    assert len(words) == len(set(words))


def test_no_electricity_maps_value_ships():
    assert [row for row in rows_of(TABLES / "grid_intensity.csv") if row["zone"].startswith("EM:")] == []
    assert [row for row in rows_of(TABLES / "grid_intensity.csv") if "lectricity Maps" in row["source"]] == []
    assert [row for row in rows_of(TABLES / "cloud_regions.csv") if "lectricity Maps" in row["source"]] == []


@needs_source
def test_the_tables_are_what_the_program_makes_of_the_sources(tmp_path):
    tables = rebuilt(SHARED, TABLES)
    write_tables(tables, tmp_path)
    assert len(tables) == 9
    for table in tables:
        assert (tmp_path / table.table).read_bytes() == (TABLES / table.table).read_bytes(), table.table


@needs_source
def test_prices_that_may_not_ship_are_not_in_the_table():
    def key(row: dict[str, str]) -> tuple[str, ...]:
        dated = as_of(row["source_date"], row["date_precision"])
        code = PURCHASE[row["price_type"]]
        return (row["provider"], row["region"], row["instance_type"], row["gpu"], code, dated, row["usd_per_gpu_hour"])

    names = ("provider", "region", "instance_type", "gpu", "purchase", "as_of", "usd_per_gpu_hour")
    shipped = {tuple(row[name] for name in names) for row in rows_of(TABLES / "gpu_prices.csv")}
    source = rows_of(SHARED / "gpu_prices.csv")
    withheld = [row for row in source if row["may_ship"] != "yes" or row["quality"] == "suspect"]
    assert len(withheld) >= 120
    assert [row for row in withheld if key(row) in shipped] == []
    assert shipped <= {key(row) for row in source}


@needs_source
def test_grid_values_that_may_not_ship_are_not_in_the_tables():
    zones = {row["zone"] for row in rows_of(SHARED / "grid_intensity.csv") if row["may_ship"] != "yes"}
    assert len(zones) > 150
    assert [row for row in rows_of(TABLES / "grid_intensity.csv") if row["zone"] in zones] == []
    regions = {(row["provider"], row["region"]): row for row in rows_of(TABLES / "cloud_regions.csv")}
    withheld = [row for row in rows_of(SHARED / "cloud_regions.csv") if row["intensity_may_ship"] != "yes"]
    assert len(withheld) == 96
    for row in withheld:
        ours = regions[row["provider"], row["region"]]
        assert ours["grid_g_co2e_per_kwh"] == "", row["region"]
        assert not ours["grid_zone"].startswith(("EM:", "em-only:")), row["region"]
        found = CATALOGUE.region(row["provider"], row["region"])
        assert found.grid_g_co2e_per_kwh == CATALOGUE.grid(found.grid_zone).grid_g_co2e_per_kwh


@needs_source
def test_region_factors_that_may_ship_are_those_of_the_source():
    for row in rows_of(SHARED / "cloud_regions.csv"):
        if row["intensity_may_ship"] == "yes":
            found = CATALOGUE.region(row["provider"], row["region"])
            assert (found.grid_g_co2e_per_kwh, found.intensity_year) == (
                float(row["gco2e_per_kwh"]),
                int(row["intensity_year"]),
            )


@pytest.mark.parametrize(
    ("text", "row", "reason"),
    [
        ("CNY,-1,2026-10-30,a bank,good", 3, "usd_per_unit: Input should be greater than 0"),
        ("CNY,0,2026-10-30,a bank,good", 3, "usd_per_unit: Input should be greater than 0"),
        ("CNY,many,2026-10-30,a bank,good", 3, "usd_per_unit: Input should be a valid number"),
        ("CNY,nan,2026-10-30,a bank,good", 3, "usd_per_unit: Input should be a finite number"),
        ("CNY,0.15,30.10.2026,a bank,good", 3, "as_of: String should match pattern"),
        ("CNY,0.15,,a bank,good", 3, "as_of: Input should be a valid string"),
        ("CNY,0.15,2026-10-30,,good", 3, "source: Input should be a valid string"),
        ("CNY,0.15,2026-10-30,a bank,lovely", 3, "quality: Input should be"),
        ("CNY,0.15,2026-10-30", 3, "3 cells under 5 column names"),
    ],
)
def test_a_broken_row_is_named_by_file_and_line(tmp_path, text, row, reason):
    path = tmp_path / "fx_rates.csv"
    path.write_text(f"currency,usd_per_unit,as_of,source,quality\nUSD,1,2026-10-30,definition,good\n{text}\n")
    with pytest.raises(TableError) as caught:
        dict(Table(path, FxRate, "currency"))
    assert str(caught.value).startswith(f"fx_rates.csv, row {row}: {reason}")


def test_a_file_without_its_key_column_is_refused(tmp_path):
    path = tmp_path / "fx_rates.csv"
    path.write_text("money,rate\nUSD,1\n")
    with pytest.raises(TableError, match=r"fx_rates.csv, row 1: there is no column currency"):
        len(Table(path, FxRate, "currency"))


def test_a_group_is_validated_only_when_it_is_asked_for(tmp_path):
    path = tmp_path / "fx_rates.csv"
    path.write_text("currency,usd_per_unit,as_of,source,quality\nUSD,1,2026,definition,good\nCNY,0,2026,a bank,good\n")
    catalogue = catalogue_of(tmp_path)
    assert catalogue.fx("USD").usd_per_unit == 1
    with pytest.raises(TableError, match="row 3"):
        catalogue.fx("CNY")


def test_lookups_load_neither_numpy_nor_pandas_nor_anything_else_of_ours():
    code = (
        "import sys; from pricing.catalogue import load_catalogue; "
        "load_catalogue().quote('A100-80GB-SXM', 'aws', 'us-east-1', 'on-demand'); load_catalogue().check(); "
        "print([name for name in ('numpy', 'pandas', 'openpyxl', 'desktop_app', 'PySide6') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
