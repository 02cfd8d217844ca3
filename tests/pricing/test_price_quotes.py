"""Lookups of prices, with rows whose figures are known from the source files."""

import dataclasses
import itertools

import pytest

from pricing.catalogue import Catalogue, load_catalogue
from pricing.quotes import offer, rank
from pricing.records import CloudRegion, PriceQuote, Provider
from pricing.table_files import grouped

CATALOGUE = load_catalogue()
P4DE = PriceQuote(
    provider="aws",
    region="us-east-1",
    instance_type="p4de.24xlarge",
    gpu="A100-80GB-SXM",
    gpu_count=8,
    purchase="on-demand",
    usd_per_instance_hour=27.44705,
    usd_per_gpu_hour=3.430881,
    currency_original="USD",
    source="a price file",
    as_of="2026-07-20",
    quality="good",
    price_nature="list",
)


def made_of(*quotes: PriceQuote) -> Catalogue:
    """A catalogue of a few hand-made quotes."""
    sellers = [
        Provider(name, name, "specialist", "made for the test", "2026") for name in {quote.provider for quote in quotes}
    ]
    return Catalogue(price_rows=grouped(quotes, "gpu"), provider_rows=grouped(sellers, "provider"))


def test_aws_a100_node_of_july_2026():
    quote = CATALOGUE.quote("A100-80GB-SXM", "aws", "us-east-1", "on-demand", gpus_at_least=256)
    assert quote is not None
    assert (quote.instance_type, quote.gpu_count) == ("p4de.24xlarge", 8)
    assert quote.usd_per_instance_hour == 27.44705
    assert quote.usd_per_gpu_hour == pytest.approx(27.44705 / 8, abs=1e-6) == 3.430881
    assert (quote.as_of, quote.quality, quote.currency_original) == ("2026-07-20", "good", "USD")
    assert "karpenter" in quote.source


@pytest.mark.parametrize(
    ("gpu", "provider", "region", "purchase", "instance_type", "usd_per_gpu_hour", "as_of"),
    [
        ("A100-80GB-SXM", "aws", "us-east-1", "reserved-1y", "p4de.24xlarge", 2.17517062, "2026-01-21"),
        ("H100-80GB-SXM", "aws", "us-east-1", "capacity-block", "p5.48xlarge", 5.191, "2026-07-22"),
        ("H200-141GB-SXM", "aws", "us-east-2", "capacity-block", "p5e.48xlarge", 5.97, "2026-07-22"),
        ("H100-80GB-SXM", "gcp", "us-central1", "spot", "a3-highgpu-8g", 6.2894125, "2026-10-10"),
        ("H100-80GB-SXM", "gcp", "us-central1", "on-demand", "a3-highgpu-8g", 11.06125, "2026-10-05"),
        ("H100-80GB-SXM", "azure", "eastus", "on-demand", "Standard_ND96isr_H100_v5", 12.29, "2026-06-18"),
    ],
)
def test_the_newest_row_wins(gpu, provider, region, purchase, instance_type, usd_per_gpu_hour, as_of):
    quote = CATALOGUE.quote(gpu, provider, region, purchase, gpus_at_least=64)
    assert quote is not None
    assert (quote.instance_type, quote.usd_per_gpu_hour, quote.as_of) == (instance_type, usd_per_gpu_hour, as_of)


def test_the_newest_row_wins_whatever_their_order():
    old = dataclasses.replace(P4DE, as_of="2025-04-28", usd_per_gpu_hour=5.12, usd_per_instance_hour=40.96)
    for rows in ((old, P4DE), (P4DE, old)):
        assert made_of(*rows).quote(P4DE.gpu, "aws", "us-east-1", "on-demand") == P4DE


def test_a_year_is_older_than_any_day_in_it():
    year = dataclasses.replace(P4DE, as_of="2026", usd_per_gpu_hour=5.12, usd_per_instance_hour=40.96)
    assert made_of(year, P4DE).quotes() == (P4DE,)


def test_a_suspect_row_is_never_quoted_even_when_it_is_newer_or_alone():
    suspect = dataclasses.replace(P4DE, as_of="2026-10-10", usd_per_gpu_hour=0.5, quality="suspect")
    assert made_of(P4DE, suspect).quote(P4DE.gpu, "aws", "us-east-1", "on-demand") == P4DE
    assert made_of(suspect).quote(P4DE.gpu, "aws", "us-east-1", "on-demand") is None
    assert made_of(suspect).quotes() == ()


def test_a_size_that_is_priced_but_not_sold_is_not_quoted():
    quote = CATALOGUE.quote("H100-80GB-SXM", "gcp", "us-central1", "on-demand", gpus_at_least=1)
    assert quote is not None
    assert quote.instance_type == "a3-highgpu-8g"
    sizes = {row.instance_type for row in CATALOGUE.quotes("H100-80GB-SXM", "gcp", purchase="on-demand")}
    assert sizes == {"a3-highgpu-8g", "a3-megagpu-8g"}


@pytest.mark.parametrize(("gpus", "count"), [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (256, 8)])
def test_the_smallest_instance_that_holds_the_job_and_whole_nodes_from_eight_on(gpus, count):
    quote = CATALOGUE.quote("A100-80GB-SXM", "gcp", "us-central1", "on-demand", gpus_at_least=gpus)
    assert quote is not None
    assert (quote.instance_type, quote.gpu_count) == (f"a2-ultragpu-{count}g", count)
    assert quote.usd_per_instance_hour == pytest.approx(count * quote.usd_per_gpu_hour, rel=1e-4)


def test_a_price_per_chip_counts_only_where_no_instance_has_one():
    chip = CATALOGUE.quote("A100-80GB-SXM", "aws", "us-east-1", "reserved-3y", gpus_at_least=8)
    assert chip is not None
    assert (chip.instance_type, chip.usd_per_gpu_hour, chip.quality) == ("(per chip)", 1.81, "stale")
    node = CATALOGUE.quote("H100-80GB-SXM", "gcp", "us-central1", "reserved-1y", gpus_at_least=8)
    assert node is not None
    assert node.instance_type.startswith("a3-")
    assert node.gpu_count == 8


def test_the_machines_of_strangers_are_not_the_sellers_own():
    secure = CATALOGUE.quote("H100-80GB-SXM", "runpod", None, "on-demand")
    assert secure is not None
    assert (secure.price_nature, secure.usd_per_gpu_hour) == ("list", 3.99)
    tiers = {row.price_nature for row in CATALOGUE.quotes("H100-80GB-SXM", "runpod", purchase="on-demand")}
    assert tiers == {"list", "community"}


def test_of_equals_the_cheapest():
    dearer = dataclasses.replace(P4DE, instance_type="p4de.metal", usd_per_gpu_hour=4.0, usd_per_instance_hour=32.0)
    assert made_of(dearer, P4DE).quote(P4DE.gpu, "aws", "us-east-1", "on-demand", gpus_at_least=8) == P4DE


def test_spot_and_on_demand_are_never_confused():
    for purchase in ("spot", "on-demand"):
        quote = CATALOGUE.quote("H100-80GB-SXM", "gcp", "us-central1", purchase, gpus_at_least=8)
        assert quote is not None
        assert quote.purchase == purchase


def test_spot_is_below_on_demand_of_the_same_offer():
    newest = CATALOGUE.quotes()
    on_demand = {offer(row)[:5]: row for row in newest if row.purchase == "on-demand" and row.price_nature == "list"}
    pairs = [
        (row, on_demand[offer(row)[:5]]) for row in newest if row.purchase == "spot" and offer(row)[:5] in on_demand
    ]
    assert len(pairs) > 400
    assert [spot for spot, other in pairs if spot.usd_per_gpu_hour >= other.usd_per_gpu_hour] == []


@pytest.mark.parametrize(
    ("gpu", "provider", "region", "purchase"),
    [
        ("A100-80GB-SXM", "aws", "eu-west-3", "on-demand"),  # AWS does not sell it there
        ("H200-141GB-SXM", "azure", "eastus", "spot"),  # the source has no discounted spot price for it
        ("H200-141GB-SXM", "aws", "us-east-1", "owned"),
        ("A100-80GB-SXM", "aws", "mars-1", "on-demand"),
        ("A100-80GB-SXM", "aws", None, "on-demand"),  # AWS has no price that holds everywhere
        ("A100-80GB-SXM", "nobody", "us-east-1", "on-demand"),
        ("A100-80GB-SXM", None, None, "on-demand"),  # no price without a seller
        ("A101", "aws", "us-east-1", "on-demand"),
        ("H100-80GB-SXM", "lambda", "mars-1", "on-demand"),
    ],
)
def test_what_has_no_row_is_not_priced(gpu, provider, region, purchase):
    assert CATALOGUE.quote(gpu, provider, region, purchase, gpus_at_least=8) is None


def test_a_price_that_holds_in_all_regions_answers_for_each_and_says_so():
    for region in ("us-ashburn-1", None, "global"):
        quote = CATALOGUE.quote("H100-80GB-SXM", "oci", region, "on-demand", gpus_at_least=8)
        assert quote is not None
        assert (quote.region, quote.usd_per_gpu_hour) == ("global", 10.0)


def test_a_price_for_china_does_not_answer_for_a_region_abroad():
    in_china = dataclasses.replace(P4DE, provider="seller", region="cn")
    site = CloudRegion("seller", "cn-a", "Beijing", "CN", "made for the test", "2026", "none")
    sites = (site, dataclasses.replace(site, region="sg-a", city="Singapore", country="SG"))
    catalogue = dataclasses.replace(made_of(in_china), cloud_region_rows=grouped(sites, "provider"))
    assert catalogue.quote(P4DE.gpu, "seller", "cn-a", "on-demand") == in_china
    assert catalogue.quote(P4DE.gpu, "seller", "sg-a", "on-demand") is None


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("AWS", "aws"),
        (" amazon ", "aws"),
        ("Google Cloud", "gcp"),
        ("google", "gcp"),
        ("GCP", "gcp"),
        ("Microsoft Azure", "azure"),
        ("阿里云", "alibaba"),
        ("Lambda Labs", "lambda"),
        ("datacrunch", "verda"),
        ("", None),
        ("acme", None),
    ],
)
def test_what_people_call_a_provider(word, code):
    assert CATALOGUE.provider_code(word) == code


def test_what_people_call_a_region():
    assert CATALOGUE.region_code("AWS", "Frankfurt") == "eu-central-1"
    assert CATALOGUE.region_code("aws", "US-EAST-1") == "us-east-1"
    assert CATALOGUE.region_code("aws", "us-east-1-atl-1") == "us-east-1-atl-1"  # priced, though its site is not listed
    assert CATALOGUE.region_code("azure", "Virginia") is None  # three regions there
    assert CATALOGUE.region_code("aws", "Atlantis") is None


def test_aliases_work_in_the_lookups():
    assert CATALOGUE.quote("A100-80GB-SXM", "Amazon", "Virginia", "on-demand", gpus_at_least=8) == CATALOGUE.quote(
        "A100-80GB-SXM", "aws", "us-east-1", "on-demand", gpus_at_least=8
    )
    assert CATALOGUE.quotes("A100-80GB-SXM", "Amazon", "Virginia") == CATALOGUE.quotes(
        "A100-80GB-SXM", "aws", "us-east-1"
    )


def test_offers_are_ranked_by_the_price_of_one_gpu_in_one_order_whatever_that_of_the_rows():
    dear_node = dataclasses.replace(P4DE, instance_type="one", gpu_count=1, usd_per_instance_hour=3.5)
    dear_node = dataclasses.replace(dear_node, usd_per_gpu_hour=3.5)  # less for the instance, more for one GPU
    twin = dataclasses.replace(P4DE, region="us-east-2")
    strangers = dataclasses.replace(P4DE, price_nature="community")
    spot = dataclasses.replace(P4DE, purchase="spot", usd_per_gpu_hour=1.0, usd_per_instance_hour=8.0)
    expected = (spot, P4DE, strangers, twin, dear_node)
    for rows in itertools.permutations(expected):
        assert made_of(*rows).ranked() == expected
    assert made_of(*expected).ranked(purchase="on-demand", region="us-east-1") == (P4DE, strangers, dear_node)


def test_all_offers_are_ranked_without_a_tie():
    ranked = CATALOGUE.ranked()
    assert set(ranked) == set(CATALOGUE.quotes())
    keys = [rank(quote) for quote in ranked]
    assert all(before < after for before, after in itertools.pairwise(keys))
    cheapest = CATALOGUE.ranked("H100-80GB-SXM", purchase="on-demand")[0]
    assert cheapest.usd_per_gpu_hour == min(
        row.usd_per_gpu_hour for row in CATALOGUE.quotes("H100-80GB-SXM") if row.purchase == "on-demand"
    )


def test_lists_of_sellers_regions_and_gpus():
    assert {"aws", "azure", "gcp", "lambda", "huawei"} <= set(CATALOGUE.providers())
    assert "us-east-1" in CATALOGUE.regions("aws")
    assert "eu-west-3" in CATALOGUE.regions("aws")
    assert "eu-west-3" not in CATALOGUE.regions("aws", "A100-80GB-SXM")
    assert {"A100-80GB-SXM", "H100-80GB-SXM", "RTX-4090"} <= set(CATALOGUE.gpus())
    assert CATALOGUE.regions("nobody") == ()


def test_the_spread_is_that_of_comparable_sellers():
    low, high = CATALOGUE.price_spread("A100-80GB-SXM", "on-demand", "aws")
    assert (low, high) == (3.430881, 5.068798)  # AWS us-east-1 and Google us-central1, each at its cheapest
    assert CATALOGUE.price_spread("A100-80GB-SXM", "on-demand", "lambda")[1] < low
    whole = CATALOGUE.price_spread("A100-80GB-SXM", "on-demand")
    assert whole[0] < low
    assert whole[1] >= high
    assert CATALOGUE.price_spread("A101", "on-demand") is None
    assert CATALOGUE.price_spread("A100-80GB-SXM", "owned") is None


def test_the_spread_over_the_regions_of_a_single_seller():
    tokyo = dataclasses.replace(P4DE, region="ap-northeast-1", usd_per_gpu_hour=4.7, usd_per_instance_hour=37.6)
    assert made_of(P4DE, tokyo).price_spread(P4DE.gpu, "on-demand") == (3.430881, 4.7)
    assert made_of(P4DE).price_spread(P4DE.gpu, "on-demand") is None


def test_market_quotes_that_nobody_sells_at_do_not_enter_the_spread():
    rows = (P4DE, dataclasses.replace(P4DE, provider="hearsay", usd_per_gpu_hour=1.0, usd_per_instance_hour=8.0))
    sellers = [
        Provider("aws", "AWS", "hyperscaler", "made for the test", "2026"),
        Provider("hearsay", "Hearsay", "reference", "made for the test", "2026"),
    ]
    catalogue = Catalogue(price_rows=grouped(rows, "gpu"), provider_rows=grouped(sellers, "provider"))
    assert catalogue.price_spread(P4DE.gpu, "on-demand") is None
