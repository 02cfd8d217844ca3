"""Bounds that catch nonsense: what lies outside is named, never clamped."""

import dataclasses

import pytest

from pricing.catalogue import load_catalogue
from pricing.plausibility import Implausible, implausible, implausible_rows, plausible_bounds
from pricing.records import GridIntensity
from pricing.table_files import grouped


@pytest.mark.parametrize(
    ("quantity", "kinds", "low", "high"),
    [
        ("usd_per_gpu_hour", ("H100-80GB-SXM",), 0.05, 40),
        ("usd_per_gpu_hour", ("GB200",), 0.05, 60),
        ("usd_per_gpu_hour", ("GB300",), 0.05, 60),
        ("it_kw_per_gpu", ("H100-80GB-SXM", "sxm"), 0.3, 3.5),
        ("it_kw_per_gpu", ("GH200-96GB", "module"), 0.3, 3.5),
        ("it_kw_per_gpu", ("TPU-v4", "asic"), 0.3, 3.5),
        ("it_kw_per_gpu", ("A40", "pcie"), 0.05, 1),
        ("it_kw_per_gpu", ("T4", "small"), 0.05, 1),
        ("it_kw_per_gpu", ("RTX-4090", "consumer"), 0.05, 1),
        ("grid_g_co2e_per_kwh", (), 5, 1200),
        ("pue", (), 1, 2.5),
    ],
)
def test_the_bounds_themselves_are_plausible_and_what_lies_outside_is_told_with_them(quantity, kinds, low, high):
    for inside in (low, (low + high) / 2, high):
        assert implausible(quantity, inside, *kinds) is None
    below, above = 0.999 * low, 1.001 * high
    assert implausible(quantity, below, *kinds) == Implausible(quantity, below, low, high, "below_bounds")
    assert implausible(quantity, above, *kinds) == Implausible(quantity, above, low, high, "above_bounds")


def test_power_of_an_unknown_class_has_no_bounds():
    assert implausible("it_kw_per_gpu", 1000, "X1", "steam") is None


def test_every_bound_has_its_source_and_order():
    bounds = [bound for rows in plausible_bounds().values() for bound in rows]
    assert len(bounds) == 11
    assert [bound for bound in bounds if not bound.low < bound.high or len(bound.source) < 20] == []
    assert len({(bound.quantity, bound.kind) for bound in bounds}) == len(bounds)


def test_the_rows_that_ship_outside_the_bounds_are_these():
    assert [(name, found.value) for name, found in implausible_rows(load_catalogue())] == [
        ("gpu_physical.csv TPU-v4: 8 x TPU-v4", pytest.approx(0.2688)),
        ("gpu_physical.csv TPU-v5e: 8 x TPU-v5e", pytest.approx(0.196)),
        ("grid_intensity.csv TKM 2022", 1306),
        ("cloud_regions.csv gcp europe-north2", 2.73),  # Stockholm, Google's own figure
    ]


def test_a_unit_error_of_a_thousand_is_named():
    grams = GridIntensity("X", "X", "country", "location", 0.35, 2024, "average", "direct", "made for the test", "2026")
    shipped = load_catalogue()
    catalogue = dataclasses.replace(
        shipped, price_rows={}, physical_rows={}, cloud_region_rows={}, grid_rows=grouped([grams], "zone")
    )
    assert [name for name, _ in implausible_rows(catalogue)] == ["grid_intensity.csv X 2024"]
