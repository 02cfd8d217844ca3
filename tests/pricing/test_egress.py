"""Data moved out, billed by the steps of the sellers' lists: worked out by hand."""

import pytest

from pricing.catalogue import load_catalogue

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("provider", "region", "gb", "usd"),
    [
        ("aws", "us-east-1", 100, 9.0),  # 0.09 each
        ("aws", "us-east-1", 500_000, 28_800.0),  # 10 TB at 0.09, 40 at 0.085, 100 at 0.07, 350 at 0.05
        ("azure", "eastus", 500_000, 28_690.0),
        ("gcp", "us-east1", 500_000, 40_310.0),  # 1 TB at 0.12, 9 at 0.11, 490 at 0.08
        ("oci", "us-ashburn-1", 1_000, 0.0),  # the first 10 TB are free
        ("oci", "us-ashburn-1", 20_000, 85.0),
        ("tencent", "ap-beijing", 1_000, 75.155),  # one price
    ],
)
def test_egress_follows_the_steps(provider: str, region: str, gb: float, usd: float) -> None:
    row = CATALOGUE.egress(provider, region, gb)
    assert row is not None
    assert row.usd * gb == pytest.approx(usd, rel=1e-4)


def test_nobody_knows_what_a_small_seller_asks() -> None:
    assert CATALOGUE.egress("lambda", "global", 100) is None


def test_without_a_volume_the_first_step_is_shown() -> None:
    row = CATALOGUE.egress("aws", "us-east-1", 0)
    assert row is not None
    assert row.usd == 0.09
