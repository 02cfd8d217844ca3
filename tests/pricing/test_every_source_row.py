"""Every row of the source files that may ship is what its look-up answers, and no row that may not ship is there.

Which row of several counts. A price is keyed by provider, region, instance type, GPU, number of GPUs, price type and
tier (machines of strangers, "community", apart from the seller's own): "(per chip)" and a few instance names stand for
several GPUs. Of the rows of one key that are not suspect the newest wins, where a date known to the month or the year
counts as its first day; of two on the same day the dearer. A grid factor is keyed by zone, and its newest year wins.
"""

import csv
from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest

from pricing.catalogue import load_catalogue
from pricing.quotes import STRANGERS
from pricing.refresh.prices import PURCHASE

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the source files (../shared/data) are not here")
CATALOGUE = load_catalogue()

Row = dict[str, str]


def source(file: str) -> list[Row]:
    with (SHARED / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def may_ship(row: Row) -> bool:
    return row["may_ship"] == "yes" and row.get("quality") != "suspect"


def price_key(row: Row) -> tuple[str, ...]:
    tier = STRANGERS if row["price_nature"] == STRANGERS else ""
    return (*(row[name] for name in ("provider", "region", "instance_type", "gpu", "gpu_count", "price_type")), tier)


def first_day(row: Row) -> date:
    """The first day that the date of a price may mean."""
    day = date.fromisoformat(row["source_date"])
    return {"year": day.replace(month=1, day=1), "month": day.replace(day=1)}.get(row["date_precision"], day)


def standing(row: Row) -> tuple[date, float]:
    """Newest, then dearest."""
    return first_day(row), float(row["usd_per_hour"])


def winning_prices() -> dict[tuple[str, ...], Row]:
    rows = defaultdict(list)
    for row in source("gpu_prices.csv"):
        if may_ship(row):
            rows[price_key(row)].append(row)
    return {key: max(group, key=standing) for key, group in rows.items()}


def figures(row: Row) -> tuple[float, float, str]:
    return float(row["usd_per_hour"]), float(row["usd_per_gpu_hour"]), row["source"]


def test_every_price_that_wins_its_key_is_quoted_to_the_digit_and_no_other():
    winners = winning_prices()
    purchases = {code: name for name, code in PURCHASE.items()}
    quoted = {}
    for quote in CATALOGUE.quotes():
        tier = STRANGERS if quote.price_nature == STRANGERS else ""
        offer = (quote.provider, quote.region, quote.instance_type, quote.gpu, str(quote.gpu_count))
        key = (*offer, purchases[quote.purchase], tier)
        assert key not in quoted
        quoted[key] = (quote.usd_per_instance_hour, quote.usd_per_gpu_hour, quote.source)
    assert len(winners) > 2500
    assert quoted == {key: figures(row) for key, row in winners.items()}


def test_asking_for_any_priced_place_gives_a_winning_row_of_that_place_and_purchase():
    """The one quote of a job is a winner of the same GPU, seller, region and purchase, with room for it if there is."""
    groups = defaultdict(list)
    for row in winning_prices().values():
        groups[row["gpu"], row["provider"], row["region"], row["price_type"]].append(row)
    assert len(groups) > 1000
    for (gpu, provider, region, price_type), rows in groups.items():
        for gpus in sorted({int(row["gpu_count"]) for row in rows}):
            quote = CATALOGUE.quote(gpu, provider, region, PURCHASE[price_type], gpus_at_least=gpus)
            assert quote is not None, (gpu, provider, region, price_type)
            of_type = [row for row in rows if row["instance_type"] == quote.instance_type]
            prices = [figures(row) for row in of_type]
            assert (quote.usd_per_instance_hour, quote.usd_per_gpu_hour, quote.source) in prices


def test_amounts_in_the_sellers_currency_make_the_price_in_usd():
    foreign = [row for row in source("gpu_prices.csv") if may_ship(row) and row["currency_original"] != "USD"]
    shipped = [row for rows in CATALOGUE.price_rows.values() for row in rows if row.currency_original != "USD"]
    assert len(shipped) == len(foreign) > 300
    for quote in shipped:
        made = quote.amount_original * quote.usd_per_original
        assert made == pytest.approx(quote.usd_per_instance_hour, rel=5e-6), quote  # printed to 6 decimals
        assert f"{quote.currency_original} " in quote.notes
        assert (quote.rate_as_of or "") in quote.notes
    dollars = [row for rows in CATALOGUE.price_rows.values() for row in rows if row.currency_original == "USD"]
    assert {(row.amount_original, row.usd_per_original, row.rate_as_of) for row in dollars} == {(None, None, None)}


def test_every_grid_zone_answers_with_its_newest_year():
    newest: dict[str, Row] = {}
    for row in source("grid_intensity.csv"):
        average = row["method"] != "fossil plants only" and float(row["gco2e_per_kwh"]) > 0  # 0: nothing was measured
        if may_ship(row) and average and row["year"] >= newest.get(row["zone"], row)["year"]:
            newest[row["zone"]] = row
    assert len(newest) > 350
    for zone, row in newest.items():
        market = row["zone_type"] in ("residual_mix", "cn_residual")
        found = CATALOGUE.residual_mix(row["parent_country"]) if market else CATALOGUE.grid(zone)
        wanted = (zone, float(row["gco2e_per_kwh"]), int(row["year"]), row["source"])
        assert (found.zone, found.grid_g_co2e_per_kwh, found.year, found.source) == wanted
    assert {row.zone for row in CATALOGUE.grids()} | {z for z in newest if CATALOGUE.grid(z) is None} == set(newest)


def test_every_region_answers_with_its_own_site_and_overheads():
    rows = source("cloud_regions.csv")
    assert len(rows) == len(CATALOGUE.region_rows())
    for row in rows:
        found = CATALOGUE.region(row["provider"], row["region"])
        assert (found.city, found.country, found.pue_basis) == (row["city"], row["country"], row["pue_basis"])
        assert (found.pue, found.wue_l_per_kwh) == (number(row["pue"]), number(row["wue_l_per_kwh"]))
        if row["intensity_may_ship"] == "yes":
            assert found.grid_g_co2e_per_kwh == float(row["gco2e_per_kwh"])
        else:
            assert found.grid_g_co2e_per_kwh == CATALOGUE.grid(found.grid_zone).grid_g_co2e_per_kwh
            assert "Electricity Maps" not in found.source


def number(cell: str) -> float | None:
    return float(cell) if cell else None


def test_every_storage_price_ships_and_the_standard_tier_is_the_answer():
    names = ("provider", "region", "service", "tier", "unit", "kind")
    wanted = {tuple(row[name] for name in names): float(row["usd"]) for row in source("storage_prices.csv")}
    shipped = [row for rows in CATALOGUE.storage_rows.values() for row in rows]
    assert {tuple(getattr(row, name) for name in names): row.usd for row in shipped} == wanted
    assert len(shipped) == len(wanted) > 60
    for row in shipped:
        if row.standard:
            found = CATALOGUE.storage(row.provider, row.region, row.kind)
            assert found.usd == wanted[tuple(getattr(found, name) for name in names)]
            assert found.region == row.region
            assert (found.as_of, found.usd) >= (row.as_of, row.usd)


def test_every_exchange_rate_commitment_and_interruption_is_the_sources():
    for row in source("fx_rates.csv"):
        found = CATALOGUE.fx(row["currency"])
        assert (found.usd_per_unit, found.as_of, found.source) == (
            float(row["usd_per_unit"]),
            row["as_of"],
            row["source"],
        )
    names = ("scheme", "applies_to", "min_term", "payment", "source", "as_of")
    for row in source("commitments.csv"):
        (found,) = [
            own
            for own in CATALOGUE.commitments(row["provider"])
            if all(getattr(own, name) == row[name] for name in names)
        ]
        limits = (float(row["discount_low_pct"]), float(row["discount_high_pct"]))
        assert (found.discount_low_pct, found.discount_high_pct) == limits
    for row in source("spot_interruption.csv"):
        found = CATALOGUE.spot_interruption(row["provider"], row["region"], row["instance_type"])
        if row["quality"] == "suspect":
            assert found is None
        else:
            band = (float(row["interruption_low_pct"]), float(row["interruption_high_pct"]))
            assert (found.interruption_low_pct, found.interruption_high_pct) == band
            assert found.savings_pct == float(row["savings_pct_vs_on_demand"])


def test_every_node_answers_with_its_own_rating_and_measurement():
    rows = [row for row in source("node_power.csv") if row["kind"] != "cluster" and not row["notes"].startswith("peak")]
    assert len(rows) > 25
    for row in rows:
        found = CATALOGUE.node_power(row["gpu"], int(row["gpu_count"]))
        assert found.node_model == row["node_model"]
        assert found.rated_max_kw == pytest.approx(float(row["rated_max_kw"]))
        assert found.measured_training_kw == number(row["measured_training_kw"])
        assert found.idle_kw == number(row["idle_kw"])


def test_every_card_keeps_its_power_carbon_and_list_price():
    rows = source("gpus.csv")
    assert len(rows) == len(CATALOGUE.physical_rows)
    for row in rows:
        found = CATALOGUE.physical(row["name"])
        own = (found.tdp_w, found.node_max_kw, found.embodied_kg_co2e, found.list_price_usd)
        names = ("tdp_w", "node_max_kw", "embodied_kgco2e", "list_price_usd")
        assert own == tuple(number(row[name]) for name in names)
        assert (found.list_price_as_of or "", found.list_price_source or "") == (row["price_date"], row["price_source"])
        assert (found.list_price_quality is None) is (found.list_price_usd is None)


def test_nothing_that_may_not_ship_is_in_the_package():
    shipped = {
        (row.provider, row.region, row.instance_type, row.purchase, row.as_of, row.usd_per_instance_hour)
        for rows in CATALOGUE.price_rows.values()
        for row in rows
    }
    names = ("provider", "region", "instance_type")
    withheld = [row for row in source("gpu_prices.csv") if not may_ship(row)]
    assert len(withheld) > 100
    for row in withheld:
        day = first_day(row).isoformat()[: {"year": 4, "month": 7}.get(row["date_precision"], 10)]
        place = tuple(row[name] for name in names)
        assert (*place, PURCHASE[row["price_type"]], day, float(row["usd_per_hour"])) not in shipped
    grids = {(row.zone, row.year) for rows in CATALOGUE.grid_rows.values() for row in rows}
    hidden = {(row["zone"], int(row["year"])) for row in source("grid_intensity.csv") if not may_ship(row)}
    assert len(hidden) > 150
    assert grids & hidden == set()
    sites = {(row.provider, row.region): row for rows in CATALOGUE.cloud_region_rows.values() for row in rows}
    kept_back = [row for row in source("cloud_regions.csv") if row["intensity_may_ship"] != "yes"]
    assert len(kept_back) > 90
    assert [row for row in kept_back if sites[row["provider"], row["region"]].grid_g_co2e_per_kwh is not None] == []
