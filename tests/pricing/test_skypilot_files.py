"""SkyPilot's catalogue files. The counts and prices were worked out by hand from the five files beside the project."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from sheet_tools import preview, prices, reasons

from desktop_app.estimation.gpus import gpu_names
from pricing.catalogue import load_catalogue
from pricing.importers.faults import SheetError
from pricing.importers.skypilot import _gpus, gpu_memory_mib, gpu_of

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "skypilot_sample"
WITH_SAMPLES = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the project")
HEAD = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice,AvailabilityZone"


def sample(cloud):
    return preview((SAMPLES / cloud / "vms.csv").read_bytes(), file="vms.csv", folder=cloud)


def made(*rows, folder="aws", **options):
    return preview([HEAD, *rows], file="vms.csv", folder=folder, **options)


def info(name="H100", mib=81920):
    return f"\"{{'Gpus': [{{'Name': '{name}', 'Count': 8, 'MemoryInfo': {{'SizeInMiB': {mib}}}}}]}}\""


def price_of(found, region, instance, purchase):
    quotes = [row.quote for row in found.rows]
    (quote,) = [q for q in quotes if (q.region, q.instance_type, q.purchase) == (region, instance, purchase)]
    return quote


@WITH_SAMPLES
@pytest.mark.parametrize(
    ("cloud", "provider", "rows", "on_demand", "spot", "dropped"),
    [
        ("aws", "aws", 94, 37, 29, {"spot_equals_on_demand": 15, "no_price": 4}),
        ("do", "digitalocean", 2, 2, 0, {}),
        ("lambda", "lambda", 153, 153, 0, {}),
        ("nebius", "nebius", 21, 21, 8, {}),
        ("oci", "oci", 42, 42, 8, {}),
    ],
)
def test_every_row_of_the_samples_is_accounted_for(cloud, provider, rows, on_demand, spot, dropped):
    found = sample(cloud)
    assert (found.kind, found.rows_read) == ("skypilot", rows)
    assert Counter(row.quote.purchase for row in found.rows) == Counter({"on-demand": on_demand, "spot": spot})
    assert dict(found.dropped_by_reason) == dropped
    assert {row.quote.provider for row in found.rows} == {provider}
    assert not found.said("question")
    assert not found.said("doubtful")
    used = {line for row in found.rows for line in row.rows} | {finding.row for finding in found.said("dropped")}
    assert used == set(range(2, rows + 2))


@WITH_SAMPLES
def test_aws_zones_become_one_price_and_full_zones_none():
    found = sample("aws")
    listed = price_of(found, "us-east-1", "p5.48xlarge", "on-demand")
    assert (listed.gpu, listed.gpu_count, listed.usd_per_instance_hour) == ("H100-80GB-SXM", 8, 55.04)
    # us-east-1: 10.2397, 17.6289, 19.2531, 21.1543 and 25.7522; two more zones ask the list price
    assert price_of(found, "us-east-1", "p5.48xlarge", "spot").usd_per_instance_hour == 19.2531
    assert price_of(found, "eu-central-1", "p4de.24xlarge", "spot").usd_per_instance_hour == (8.8218 + 8.0274) / 2
    assert price_of(found, "ap-southeast-1", "p4de.24xlarge", "spot").usd_per_instance_hour == 13.7534
    assert not [row for row in found.rows if (row.quote.region, row.quote.purchase) == ("ca-central-1", "spot")]


@WITH_SAMPLES
def test_aws_spot_without_a_list_price_is_kept():
    p5e = [row.quote for row in sample("aws").rows if row.quote.instance_type == "p5e.48xlarge"]
    assert {(quote.region, quote.purchase, quote.usd_per_instance_hour) for quote in p5e} == {
        ("ap-southeast-3", "spot", 19.4254),
        ("us-east-2", "spot", (18.7359 + 62.9957) / 2),
        ("us-west-2", "spot", 19.5387),
    }


@WITH_SAMPLES
def test_cards_that_the_accelerator_does_not_tell():
    oci = {row.quote.instance_type: row.quote.gpu for row in sample("oci").rows}
    assert oci["BM.GPU4.8"] == "A100-40GB-SXM"  # "A100" means 40 GB
    assert oci["BM.GPU.A100-v2.8"] == "A100-80GB-SXM"
    assert (oci["VM.GPU3.1"], oci["BM.GPU2.2"], oci["BM.GPU.RTXPRO.8"]) == (
        "V100-16GB", "P100-16GB", "RTX-PRO-6000-BSE",
    )  # fmt: skip
    assert {row.quote.gpu for row in sample("lambda").rows} == {
        "V100-16GB", "RTX-A6000", "B200-180GB-SXM", "GH200-96GB",
    }  # fmt: skip
    assert {row.quote.gpu for row in sample("do").rows} == {"H100-80GB-SXM"}


@WITH_SAMPLES
def test_prices_and_origins_of_small_files():
    do = sample("do")
    assert prices(do) == [
        (2, "H100-80GB-SXM", 1, "on-demand", 6.74),
        (3, "H100-80GB-SXM", 8, "on-demand", 47.6),
    ]
    quote = do.rows[1].quote
    assert (quote.usd_per_gpu_hour, quote.amount_original, quote.usd_per_original) == (5.95, 47.6, 1.0)
    assert (quote.origin, quote.quality, quote.as_of) == ("vms.csv:3", "own", "2026-11-30")
    halves = [row.quote for row in sample("oci").rows if row.quote.instance_type == "VM.GPU3.4"]
    assert [(q.purchase, q.usd_per_instance_hour) for q in halves] == [("on-demand", 11.8), ("spot", 5.9)] * 2


def test_the_folder_or_the_caller_names_the_cloud():
    row = f"p5.48xlarge,H100,8,192,2048,55.04,us-east-1,{info()},,"
    assert made(row).rows[0].quote.provider == "aws"
    assert made(row, folder="downloads", provider="AWS").rows[0].quote.provider == "aws"
    with pytest.raises(SheetError) as refused:
        made(row, folder="downloads")
    assert refused.value.reason == "cloud_not_stated"


def test_spot_above_the_list_price_needs_the_users_word():
    found = made(f"p5.48xlarge,H100,8,192,2048,55.04,us-east-1,{info()},60.5,use1-az1")
    assert reasons(found, "doubtful") == [(2, "spot_not_below_on_demand")]
    assert [quote.purchase for quote in found.quotes()] == ["on-demand"]
    assert [quote.purchase for quote in found.quotes(with_doubtful=True)] == ["on-demand", "spot"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("m5.large,,,2,8,0.096,us-east-1,,,", "no_gpu"),
        (f",A100,1,,,2.93,us-central1,{info()},,", "no_instance_type"),
        (f"xyz.large,H100,8,,,55.04,us-east-1,{info()},,", "unknown_gpu"),
        (f"p5.48xlarge,H100,0.5,,,5,us-east-1,{info()},,", "bad_gpu_count"),
        (f"p5.48xlarge,H100,,,,5,us-east-1,{info()},,", "bad_gpu_count"),
        (f"p5.48xlarge,H100,8,,,0,us-east-1,{info()},,", "zero_price"),
        (f"p5.48xlarge,H100,8,,,-3,us-east-1,{info()},,", "negative_price"),
        (f"p5.48xlarge,H100,8,,,soon,us-east-1,{info()},,", "not_a_number"),
        (f"p5.48xlarge,H100,8,,,,us-east-1,{info()},,", "no_price"),
        (f"=cmd|'/c calc'!A1,H100,8,,,5,us-east-1,{info()},,", "formula_cell"),
        (f"p5.48xlarge,H100,8,,,90000,us-east-1,{info()},,", "absurd_price"),
    ],
)
def test_rows_that_are_not_taken_say_why(row, reason):
    found = made(row)
    assert not found.rows
    assert reasons(found, "dropped") == [(2, reason)]


def test_zones_with_different_list_prices_take_the_dearest_and_say_so():
    found = made(
        f"p5.48xlarge,H100,8,,,55.04,us-east-1,{info()},20,a", f"p5.48xlarge,H100,8,,,56.00,us-east-1,{info()},30,b"
    )
    assert [(row.quote.purchase, row.quote.usd_per_instance_hour, row.rows) for row in found.rows] == [
        ("on-demand", 56.0, (2, 3)),
        ("spot", 25.0, (2, 3)),
    ]
    assert reasons(found, "warning") == [(2, "zone_prices_differ")]


def test_memory_of_another_card_is_noticed_and_an_impossible_one_is_not_used():
    other = made(f"p4de.24xlarge,A100-80GB,8,,,27.4,us-east-1,{info('A100', 40960)},,")
    assert reasons(other, "warning") == [(2, "gpu_memory_differs")]
    tiny = made(f"p4de.24xlarge,A100-80GB,8,,,27.4,us-east-1,{info('A100', 80)},,")  # "80 MiB"
    assert not tiny.said("warning")
    assert len(tiny.rows) == 1


@pytest.mark.parametrize(
    ("text", "mib"),
    [
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}", 81920),
        ("{'gpus': [{'name': 'h100', 'memoryinfo': {'sizeinmib': 81559}}], 'totalgpumemoryinmib': 81559}", 81559),
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 80}}]}", None),
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': True}}]}", None),
        ("{'Gpus': []}", None),
        ("__import__('os').system('true')", None),
        ("{'Gpus': [{'MemoryInfo'", None),
        ("[" * 3000, None),
        ("-" * 3000 + "1", None),
        ("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 1e999}}]}", None),
        ("", None),
    ],
)
def test_gpu_info_is_read_as_a_literal_or_not_at_all(text, mib):
    assert gpu_memory_mib(text) == mib


@pytest.mark.parametrize(
    ("cloud", "accelerator", "instance", "gpu"),
    [
        ("lambda", "A100", "gpu_1x_a100", "A100-40GB-PCIe"),
        ("lambda", "A100", "gpu_1x_a100_sxm4", "A100-40GB-SXM"),
        ("lambda", "H100", "gpu_1x_h100_pcie", "H100-80GB-PCIe"),
        ("azure", "H100", "Standard_NC40ads_H100_v5", "H100-94GB-NVL"),
        ("azure", "A100-80GB", "Standard_NC24ads_A100_v4", "A100-80GB-PCIe"),
        ("azure", "A100-80GB", "Standard_ND96amsr_A100_v4", "A100-80GB-SXM"),
        ("gcp", "A100", "a2-highgpu-8g", "A100-40GB-SXM"),
        ("unheard-of", "H100", "h100x8", None),
        ("unheard-of", "L40S", "anything", "L40S"),
    ],
)
def test_cloud_accelerator_and_instance_name_the_card(cloud, accelerator, instance, gpu):
    assert gpu_of(cloud, accelerator, instance) == gpu


def test_the_table_of_cards_agrees_with_the_price_tables():
    """Whatever accelerator an instance type is listed under, the card is the one that the shipped prices are for."""
    catalogue = load_catalogue()
    sold = {(row.provider, row.instance_type): row.gpu for rows in catalogue.price_rows.values() for row in rows}
    agreed = 0
    for (provider, instance), gpu in sold.items():
        specific = [row for row in _gpus() if row[0] == provider and fnmatchcase(instance.lower(), row[2])]
        for _, accelerator, _, _ in specific:
            assert gpu_of(provider, accelerator, instance) == gpu, (provider, instance, accelerator)
            agreed += 1
    assert agreed > 60
    assert {gpu for _, _, _, gpu in _gpus()} <= set(gpu_names())
