"""Lookups of grids, regions, storage and currency."""

import dataclasses

import pytest

from pricing.catalogue import Catalogue, load_catalogue
from pricing.records import GridIntensity
from pricing.table_files import grouped

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("zone", "grams", "year", "scope"),
    [
        ("US-VA", 244.8, 2023, "direct stack CO2e (CO2 CH4 N2O)"),
        ("CN", 530.6, 2023, "direct CO2"),
        ("CHN", None, None, "lifecycle CO2e (Ember factors)"),
        ("CN-BJ", 555.4, 2023, "direct CO2"),
        ("FRA", 44.2, 2024, "lifecycle CO2e (Ember factors)"),
        ("IN-CEA", 711.7, 2024, "direct CO2"),
        ("EGRID-CAMX", 195.0, 2023, "direct stack CO2e (CO2 CH4 N2O)"),
    ],
)
def test_the_newest_year_of_a_zone_with_its_scope(zone, grams, year, scope):
    grid = CATALOGUE.grid(zone)
    assert grid is not None
    assert grid.gas_scope == scope
    if grams is not None:
        assert (grid.grid_g_co2e_per_kwh, grid.year) == (grams, year)


def test_a_residual_mix_is_never_location_based():
    assert CATALOGUE.grid("RES-DE") is None
    assert CATALOGUE.grid("CN-residual") is None
    assert all(row.basis == "location" and not row.zone.startswith("RES-") for row in CATALOGUE.grids())
    both = GridIntensity("X", "X", "country", "location", 100, 2023, "average", "direct", "made for the test", "2026")
    newer = dataclasses.replace(both, basis="market", grid_g_co2e_per_kwh=900, year=2025)
    assert Catalogue(grid_rows=grouped((both, newer), "zone")).grid("X") == both


@pytest.mark.parametrize(
    ("country", "grams"),
    [
        ("DE", 701.47),
        ("DEU", 701.47),
        ("fr", 17.11),
        ("CN", 609.6),
        ("CHN", 609.6),
        ("AT", None),
        ("RE", None),
        ("", None),
    ],
)
def test_the_residual_mix_of_a_country(country, grams):
    mix = CATALOGUE.residual_mix(country)
    assert (mix and mix.grid_g_co2e_per_kwh) == grams
    assert mix is None or mix.basis == "market"


def test_zones_that_may_not_ship_or_are_no_average_are_unknown():
    assert CATALOGUE.grid("EM:US-MIDA-PJM") is None
    assert CATALOGUE.grid("CN-fossil") is None
    assert CATALOGUE.grid("CAF") is None  # the source has 0.0: nothing was measured
    assert CATALOGUE.grid("nowhere") is None


def test_a_region_whose_own_factor_may_not_ship_takes_its_state_and_names_it():
    region = CATALOGUE.region("aws", "us-east-1")
    assert region is not None
    assert (region.grid_zone, region.grid_g_co2e_per_kwh, region.intensity_year) == ("US-VA", 244.8, 2023)
    assert region.gas_scope == "direct stack CO2e (CO2 CH4 N2O)"
    assert region.listed_zone == "EM:US-MIDA-PJM"
    assert region.source.startswith("Virginia (US-VA): US EPA eGRID2023")
    assert "Electricity Maps" not in region.source
    assert (region.pue, region.pue_basis, region.as_of) == (1.15, "AWS region, 2024", "2023")


@pytest.mark.parametrize(
    ("provider", "region", "zone", "grams", "year"),
    [
        ("gcp", "us-central1", "EM:US-MIDW-MISO", 412.72, 2024),  # Google's own figure
        ("gcp", "europe-west9", "EM:FR", 16.3, 2024),
        ("aws", "us-east-2", "US-OH", 484.6, 2023),
        ("aws", "us-west-2", "US-OR", 165.5, 2023),
        ("azure", "westus", "US-CA", 179.1, 2023),  # California, not Washington
        ("azure", "westus2", "US-WA", 120.9, 2023),
        ("azure", "northcentralus", "US-IL", 215.2, 2023),
        ("aws", "ca-central-1", "CA:quebec", 31.2, 2023),
        ("aws", "eu-west-3", "FRA", 44.2, 2024),
        ("alibaba", "cn-beijing", "CN-BJ", 555.4, 2023),
        ("aws", "us-gov-east-1", "US-average", 349.7, 2023),
        ("Lambda", "us-south-1", "US-TX", 349.8, 2023),
    ],
)
def test_the_factor_of_a_region(provider, region, zone, grams, year):
    row = CATALOGUE.region(provider, region)
    assert row is not None
    assert (row.grid_zone, row.grid_g_co2e_per_kwh, row.intensity_year) == (zone, grams, year)


def test_every_region_has_a_factor_with_year_method_scope_and_source():
    rows = CATALOGUE.region_rows()
    assert len(rows) == 287
    for row in rows:
        assert row.grid_g_co2e_per_kwh is not None, row.region
        assert row.intensity_year, row.region
        assert row.intensity_method, row.region
        assert row.gas_scope, row.region
        assert row.source, row.region
        assert "market" not in row.intensity_method
        assert row.pue is None or 1 <= row.pue <= 2.5


def test_regions_that_are_unknown_are_none_and_never_an_average():
    assert CATALOGUE.region("aws", "mars-1") is None
    assert CATALOGUE.region("nobody", "us-east-1") is None
    assert CATALOGUE.region("runpod", "unspecified") is None
    assert CATALOGUE.region_rows("nobody") == ()
    assert {row.provider for row in CATALOGUE.region_rows("Google")} == {"gcp"}


@pytest.mark.parametrize(
    ("provider", "region", "kind", "usd", "unit", "tier"),
    [
        ("aws", "us-east-1", "object_storage", 0.023, "GB-month", "Standard"),
        ("azure", "eastus", "object_storage", 0.018, "GB-month", "Hot LRS"),
        ("azure", "westus2", "object_storage", 0.018, "GB-month", "Hot LRS"),  # a price of the US regions
        ("oci", "eu-frankfurt-1", "object_storage", 0.0255, "GB-month", "Standard"),  # a price of all regions
        ("nebius", "eu-north1", "object_storage", 0.0147, "GiB-month", "Standard"),
        ("alibaba", "cn-beijing", "object_storage", 0.018037, "GB-month", "Standard LRS"),
        ("aws", "us-east-1", "parallel_fs", 0.145, "GB-month", "Persistent SSD 125 MB/s/TiB"),
        ("aws", "us-east-1", "egress", 0.09, "GB", "internet egress first 10 TB"),
    ],
)
def test_the_standard_tier_of_storage(provider, region, kind, usd, unit, tier):
    price = CATALOGUE.storage(provider, region, kind)
    assert price is not None
    assert (price.usd, price.unit, price.tier, price.standard) == (usd, unit, tier, True)


def test_storage_without_a_price_is_not_priced():
    assert CATALOGUE.storage("aws", "eu-west-3") is None
    assert CATALOGUE.storage("alibaba", "eu-central-1") is None  # the price is that of the Chinese regions
    assert CATALOGUE.storage("lambda", "us-east-1") is None


def test_currencies():
    yuan = CATALOGUE.fx("cny")
    assert yuan is not None
    assert (yuan.usd_per_unit, yuan.as_of) == (0.15031079, "2026-10-30")
    assert 1 / yuan.usd_per_unit == pytest.approx(6.6529, abs=1e-4)  # CNY per USD of that day
    assert CATALOGUE.fx("USD").usd_per_unit == 1
    assert CATALOGUE.fx("XXX") is None


def test_commitments_and_interruptions():
    schemes = {row.scheme: row for row in CATALOGUE.commitments("Azure")}
    assert schemes["reserved_3yr"].discount_high_pct in (50.2, 56.1)
    assert CATALOGUE.commitments("nobody") == ()
    spot = CATALOGUE.spot_interruption("aws", "us-east-1", "p5.48xlarge")
    assert spot is not None
    assert (spot.interruption_low_pct, spot.interruption_high_pct) == (20, 100)  # "over 20%": open-ended
    assert CATALOGUE.spot_interruption("aws", "us-east-1", "x1.none") is None
