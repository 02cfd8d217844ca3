"""Faults that users report of other tools (issue threads of 2021 to 2026): ours does not have them.

Only what can happen in an estimate; faults of metering (last sample taken as the average, no reading taken as zero,
GPUs counted per process) have no place here. Where another test proves it already, it stands in ELSEWHERE.
"""

import csv
import dataclasses
from datetime import date
from pathlib import Path

import pytest
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget.budget import make_budget
from desktop_app.budget.drift_notices import with_drift
from desktop_app.budget.project import new_project, open_project, save_project, stored_values
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.gpus import gpu_named, gpus
from desktop_app.foundation.records import validated
from desktop_app.foundation.units import BYTES_PER_GIB
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from pricing.quotes import offer
from pricing.table_files import grouped

CATALOGUE = load_catalogue()
TESTS = Path(__file__).resolve().parents[1]
ELSEWHERE = {
    "sparse peak taken as dense": ("estimation/test_gpus.py", "test_peaks_are_dense", "test_no_peak_counts_sparsity"),
    "a node's price as that of a GPU": ("pricing/test_price_refresh.py", "test_each_reason_to_drop_a_price"),
    "spot shown as on demand": ("pricing/test_price_quotes.py", "test_spot_and_on_demand_are_never_confused"),
    "spot dearer than on demand": (
        "pricing/test_price_refresh.py", "test_spot_at_or_above_on_demand_of_the_same_era_is_refused",
    ),
    "spot dearer than on demand, in the tables": (
        "pricing/test_price_quotes.py", "test_spot_is_below_on_demand_of_the_same_offer",
    ),
    "spot dearer than on demand, in a budget": (
        "budget/test_budget_by_hand.py", "test_a_spot_price_above_on_demand_is_said_aloud",
    ),
    "missing price taken as a price": (
        "budget/test_budget_by_hand.py", "test_without_a_price_everything_else_is_answered",
    ),
    "zero price in the table": ("pricing/test_price_tables.py", "test_a_broken_row_is_named_by_file_and_line"),
    "stale catalogue": (
        "budget/test_budget_by_hand.py", "test_an_old_list_price_is_said_to_be_old_and_its_range_is_wider",
    ),
    "stale grid, rate and storage": ("budget/test_doubtful_figures.py", "test_an_old_grid_factor_is_told_by_its_year"),
    "duplicate rows": (
        "pricing/test_price_refresh.py", "test_of_two_prices_for_the_same_thing_on_the_same_day_the_dearer_stays",
    ),
    "priced but not sold": ("pricing/test_price_quotes.py", "test_a_size_that_is_priced_but_not_sold_is_not_quoted"),
    "wrong tier": ("pricing/test_price_quotes.py", "test_the_machines_of_strangers_are_not_the_sellers_own"),
    "shared host counted whole": (
        "budget/test_purchase_and_place.py", "test_one_gpu_of_eight_says_that_the_others_are_not_in_the_energy",
    ),
    "unknown power taken as zero": (
        "budget/test_budget_by_hand.py", "test_unknown_power_leaves_energy_and_carbon_unknown",
    ),
    "region mapped wrongly": ("pricing/test_carbon_and_places.py", "test_the_factor_of_a_region"),
    "unknown region averaged": (
        "pricing/test_carbon_and_places.py", "test_regions_that_are_unknown_are_none_and_never_an_average",
    ),
    "seller without a region gets a grid": (
        "budget/test_purchase_and_place.py", "test_a_seller_without_regions_has_no_grid_and_not_that_of_virginia",
    ),
}  # fmt: skip


def budget_of(**parts):
    return make_budget(validated(Scenario, {"today": date(2026, 11, 30), **parts}), CATALOGUE)


def told(budget, key):
    return [words_of("en").sentence(problem) for problem in budget.problems if problem.key == key]


@pytest.mark.parametrize("fault", ELSEWHERE)
def test_what_is_proved_elsewhere_is_there(fault):
    file, *names = ELSEWHERE[fault]
    text = (TESTS / file).read_text("utf-8")
    assert [name for name in names if f"def {name}(" not in text] == []


def test_a_tf32_peak_is_not_that_of_bf16():
    value = budget_of().ledger.value  # A100, bf16
    flops = value("training_flops") / value("tokens") * value("tokens_per_s_per_gpu")
    assert value("mfu") == pytest.approx(flops / 312e12)  # TF32 would be 156
    for gpu in gpus():
        if gpu.vendor == "NVIDIA" and gpu.peak_dense_tf32_flops is not None:
            assert gpu.peak_dense_bf16_flops == pytest.approx(2 * gpu.peak_dense_tf32_flops, rel=0.03) or (
                gpu.peak_dense_tf32_flops == pytest.approx(gpu.peak_fp32_flops, rel=0.01)  # consumer cards, A10G
            ), gpu.name


@pytest.mark.parametrize("purchase", ["on-demand", "spot", "capacity-block", "reserved-1y"])
def test_the_price_of_a_gpu_times_the_gpus_of_an_instance_is_that_of_the_instance(purchase):
    budget = budget_of(price={"purchase": purchase}, cluster={"gpu": "H100-80GB-SXM", "gpus": 64})
    if purchase == "reserved-1y":  # a price per chip: no instance is named
        budget = budget_of(price={"purchase": purchase}, cluster={"gpus": 64})
    value, quote = budget.ledger.value, budget.quote
    assert (value("gpus_per_instance"), value("instances")) == (8, 8)
    assert value("price_usd_per_instance_hour") == pytest.approx(quote.usd_per_instance_hour)
    assert value("usd.run") == pytest.approx(8 * quote.usd_per_instance_hour * value("net_hours"))  # nodes multiplied
    assert quote.purchase == purchase
    assert budget.ledger["price_usd_per_gpu_hour"].row_text.endswith(purchase)


def test_twice_the_nodes_for_half_the_time_cost_the_same():
    few = make_paper_budget(make_scenario(cluster={"gpus": 16}), step_time_s=36)
    many = make_paper_budget(make_scenario(cluster={"gpus": 32}), step_time_s=18)
    assert many.ledger.value("usd.run") == pytest.approx(few.ledger.value("usd.run"))


def test_a_host_is_not_sold_without_its_gpu():
    a2 = {row.instance_type: row for row in CATALOGUE.ranked("A100-40GB-SXM", "gcp", "us-central1", "on-demand")}
    assert a2["a2-highgpu-1g"].usd_per_instance_hour == 3.673385  # the host alone is 0.74
    assert min(row.usd_per_gpu_hour for row in a2.values()) > 3
    l4 = CATALOGUE.ranked("L4", "gcp", "us-central1", "on-demand")
    assert min(row.usd_per_gpu_hour for row in l4) == pytest.approx(0.706832)  # g2-standard-4; its host alone is 0.15


def test_a_price_without_the_host_says_so():
    alone = budget_of(
        cluster={"gpu": "H100-80GB-SXM", "gpus": 1},
        price={"provider": "coreweave"},
        model={"model": "Llama-2-7B"},
        job={"method": "lora"},
    )
    assert alone.quote.usd_per_gpu_hour == 4.76  # of May; the whole host was 6.155 per GPU in October
    (sentence,) = told(alone, "problem.host_apart")
    assert sentence.startswith("The price of coreweave HGX H100 SXM is that of the GPU alone")
    whole = budget_of(cluster={"gpu": "H100-80GB-SXM", "gpus": 8}, price={"provider": "coreweave"})
    assert whole.quote.usd_per_gpu_hour == 6.155
    assert told(whole, "problem.host_apart") == []


def test_spot_costs_less_than_on_demand_of_the_same_gpu_and_both_say_which_they_are():
    spot, on_demand = (
        budget_of(
            cluster={"gpu": "H100-80GB-SXM", "gpus": 64},
            price={"purchase": purchase, "provider": "gcp", "region": "us-central1"},
        )
        for purchase in ("spot", "on-demand")
    )
    assert spot.quote.usd_per_gpu_hour == 6.2894125
    assert on_demand.quote.usd_per_gpu_hour == 11.06125
    assert told(spot, "problem.spot_unknown_pays")
    assert not told(on_demand, "problem.spot_unknown_pays")


def test_no_price_is_zero_and_what_is_not_sold_is_not_priced():
    assert min(row.usd_per_gpu_hour for row in CATALOGUE.quotes()) == 0.05
    unsold = budget_of(cluster={"gpu": "H100-80GB-SXM"}, price={"provider": "aws", "region": "eu-west-3"})
    assert unsold.ledger.value("usd.total") is None
    assert "cost.run" in unsold.not_priced


def test_a_saved_cost_stays_when_every_price_of_the_catalogue_doubles(tmp_path):
    path = tmp_path / "approved.tbudget"
    approved = budget_of()
    save_project(new_project([approved]), path)
    rows = [row for group in CATALOGUE.price_rows.values() for row in group]
    doubled = dataclasses.replace(
        CATALOGUE,
        price_rows=grouped(
            [
                dataclasses.replace(
                    row,
                    usd_per_instance_hour=2 * row.usd_per_instance_hour,
                    usd_per_gpu_hour=2 * row.usd_per_gpu_hour,
                )
                for row in rows
            ],
            "gpu",
        ),
    )
    project = open_project(path)
    stored = stored_values(project.snapshots[0])
    assert stored == dict(approved.ledger.values)
    line = next(line for line in project.snapshots[0].lines if line.key == "price_usd_per_gpu_hour")
    assert (line.value, line.as_of) == (27.44705 / 8, "2026-07-20")
    fresh = with_drift(make_budget(project.scenarios[0], doubled), project)
    assert fresh.ledger.value("usd.run") == pytest.approx(2 * stored["usd.run"])
    (sentence,) = told(fresh, "problem.saved_figure")
    assert sentence.startswith("When this file was saved, Total (USD) came to ")
    assert fresh.problems[0].severity == "warning"
    assert told(with_drift(make_budget(project.scenarios[0], CATALOGUE), project), "problem.saved_figure") == []


def test_one_offer_has_one_row():
    offers = [offer(row) for row in CATALOGUE.quotes()]
    assert len(offers) == len(set(offers))


def test_machines_of_strangers_are_used_only_where_the_seller_has_none_of_its_own():
    budget = budget_of(cluster={"gpu": "H100-80GB-SXM", "gpus": 8}, price={"provider": "runpod"})
    assert budget.quote.price_nature == "list"
    assert budget.ledger["price_usd_per_gpu_hour"].row_text.endswith(", secure, on-demand")


def test_prices_are_those_of_shared_tenancy():
    for instance, region, usd in (("p4d.24xlarge", "us-east-1", 21.957642), ("g5.48xlarge", "us-east-1", 16.288)):
        (row,) = [
            row
            for row in CATALOGUE.quotes(provider="aws", region=region, purchase="on-demand")
            if row.instance_type == instance
        ]
        assert row.usd_per_instance_hour == usd  # dedicated: 1.1 times and more


@pytest.mark.parametrize(
    ("instance", "gpu", "count"),
    [
        ("p5.48xlarge", "H100-80GB-SXM", 8),
        ("p5.4xlarge", "H100-80GB-SXM", 1),
        ("p4de.24xlarge", "A100-80GB-SXM", 8),
        ("p4d.24xlarge", "A100-40GB-SXM", 8),
        ("g5.12xlarge", "A10G", 4),
        ("g6e.48xlarge", "L40S", 8),
        ("a2-megagpu-16g", "A100-40GB-SXM", 16),
        ("a3-highgpu-8g", "H100-80GB-SXM", 8),
        ("Standard_ND96isr_H100_v5", "H100-80GB-SXM", 8),
        ("Standard_ND128isr_NDR_GB200_v6", "GB200", 4),
    ],
)
def test_instances_have_the_gpus_their_makers_put_in(instance, gpu, count):
    rows = [row for rows in CATALOGUE.price_rows.values() for row in rows if row.instance_type == instance]
    assert rows
    assert {(row.gpu, row.gpu_count) for row in rows} == {(gpu, count)}


@pytest.mark.parametrize(
    ("gpu", "gib", "tdp_w"),
    [
        ("V100-32GB", 32, 300),  # SXM2 300 W; PCIe is 250
        ("A100-40GB-PCIe", 40, 250),
        ("A100-80GB-PCIe", 80, 300),
        ("A100-80GB-SXM", 80, 400),
        ("H100-80GB-PCIe", 80, 350),
        ("H100-80GB-SXM", 80, 700),
        ("H200-141GB-SXM", 141, 700),
        ("L4", 24, 72),
        ("RTX-4090", 24, 450),
        ("MI300X", 192, 750),
    ],
)
def test_memory_and_power_of_cards_are_not_those_of_a_node_or_a_sister(gpu, gib, tdp_w):
    assert gpu_named(gpu).memory_bytes == gib * BYTES_PER_GIB
    assert CATALOGUE.physical(gpu).tdp_w == tdp_w


def test_carbon_is_kilograms_of_grams_and_electricity_with_its_overhead():
    budget = budget_of()
    value = budget.ledger.value
    assert value("pue") == 1.15
    assert value("energy_facility_kwh") == pytest.approx(1.15 * value("energy_it_kwh"))
    assert value("co2e_kg_location") == pytest.approx(value("energy_facility_kwh") * 244.8 / 1000)
    assert budget.ledger["co2e_kg_location"].unit == "kg_co2e"
    mwh, tonnes = value("energy_facility_kwh") / 1000, value("co2e_kg_location") / 1000
    assert 0.2 < tonnes / mwh < 0.3  # t per MWh = kg per kWh


def test_an_unknown_overhead_is_the_industrys_and_never_one():
    unknown = budget_of(cluster={"gpu": "H100-80GB-SXM", "gpus": 8}, price={"provider": "runpod"})
    assert unknown.ledger.value("pue") == 1.56
    assert told(unknown, "problem.pue_assumed")
    frankfurt = budget_of(price={"region": "eu-central-1"})
    assert frankfurt.ledger.value("pue") == 1.35  # of the site, not of the fleet


def test_each_place_has_its_own_intensity():
    def grams(region: str) -> float:
        return budget_of(price={"provider": "aws", "region": region}).ledger.value("grid_g_per_kwh")

    assert grams("eu-west-3") == 44.2  # France; a tool of 2021 had 424
    assert len({grams(region) for region in ("us-east-1", "us-west-2", "eu-west-3", "eu-central-1", "ap-south-1")}) == 5


def test_azure_westus_is_california_and_northcentralus_is_chicago():
    west, chicago = CATALOGUE.region("azure", "westus"), CATALOGUE.region("azure", "northcentralus")
    assert (west.city, west.listed_zone, west.grid_zone) == ("California", "EM:US-CAL-CISO", "US-CA")
    assert (chicago.city, chicago.listed_zone, chicago.grid_zone) == ("Illinois", "EM:US-MIDA-PJM", "US-IL")
    oregon = CATALOGUE.region("aws", "us-west-2")
    assert oregon.grid_g_co2e_per_kwh != west.grid_g_co2e_per_kwh  # one value for all of WECC is a known fault


def test_a_zero_from_the_tables_never_reaches_a_sum():
    path = Path(__file__).resolve().parents[2] / "pricing" / "tables" / "grid_intensity.csv"
    with path.open(encoding="utf-8") as file:
        assert [row for row in csv.DictReader(file) if float(row["grid_g_co2e_per_kwh"]) <= 0] == []
    nowhere = make_paper_budget(make_scenario(), make_catalogue(quotes=(QUOTE,), regions=()), step_time_s=36)
    assert nowhere.ledger.value("co2e_kg_location") is None
