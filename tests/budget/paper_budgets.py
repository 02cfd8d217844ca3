"""A hand-written estimate and a hand-written catalogue, so that every figure of a budget can be worked out on paper."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from desktop_app.budget.budget import Budget, budget_of
from desktop_app.budget.facts import facts_of
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.gpus import Gpu
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.results import Estimate, MemoryPeak
from desktop_app.estimation.shape import Shape
from desktop_app.foundation.records import validated
from pricing.catalogue import Catalogue
from pricing.records import (
    CloudRegion,
    FxRate,
    GpuPhysical,
    NodeRating,
    PowerShare,
    PriceQuote,
    Provider,
    StoragePrice,
)

TODAY = date(2026, 11, 30)
GIB = 2**30

GPU = Gpu(
    name="A100-80GB-SXM", vendor="NVIDIA", memory_bytes=80 * GIB, usable_memory_bytes=79 * GIB,
    memory_bytes_per_s=2.039e12, peak_dense_bf16_flops=312e12, peak_dense_fp8_flops=None, peak_dense_fp4_flops=None,
    supports_bf16=True, link_bytes_per_s_one_way=300e9, link_domain_gpus=8, typical_node_gpus=8,
    network_bytes_per_s_per_node=200e9, efficiency_class="A100", source="data sheet", as_of="2026-11-30",
)  # fmt: skip
MODEL = ModelSpec(
    name="LLaMA-13B", family="llama", layers=40, hidden_size=5120, heads=40, kv_heads=40, head_dim=128,
    ffn_size=13824, vocab_size=32000, gated_mlp=True, tied_embeddings=False, source="paper", as_of="2023-02",
)  # fmt: skip
SHAPE = Shape(
    layers=40, hidden=5120, heads=40, kv_heads=40, head_dim=128, query_width=5120, key_value_width=5120,
    attention_width=5120, window=0, window_layers=0, attention_sinks=0, ffn=13824, mlp_matrices=3, vocab=32000, tied=0,
    experts=0, experts_per_token=0, expert_size=0, shared_expert_size=0, moe_layers=0, params_total=13e9,
    params_active=13e9, params_embedding=163_840_000, params_head=163_840_000,
    params_positions=0, params_final_norm=5120, params_block=317_209_600, params_block_mlp=212_336_640,
    params_block_experts=0, params_largest_tensor=163_840_000,
)  # fmt: skip
MEMORY = MemoryPeak(
    weights=10 * GIB, gradients=5 * GIB, optimizer=20 * GIB, activations=12 * GIB, logits=2 * GIB, buffers=1 * GIB,
    live_peak=50 * GIB, allowance_low=1 * GIB, allowance=2 * GIB, allowance_high=4 * GIB, moment="backward",
    host_bytes=0,
)  # fmt: skip


# Nothing beside the run: every line that somebody must state is stated to be 0. And no network beside the nodes.
NOTHING_BESIDE = dict.fromkeys(
    ("pilot_percent", "idle_hours", "data_gb", "egress_gb", "cpu_host_hours", "support_percent", "staff_months",
     "tax_percent"), 0,
)  # fmt: skip


def make_scenario(beside=None, **parts) -> Scenario:
    """A scenario of today with some parts given, as a file or a form gives them; nothing beside the run else."""
    price = {"development_multiplier": 1, **parts.pop("price", {})}
    energy = {"network_power_percent": 0, **parts.pop("energy", {})}
    extra = {**NOTHING_BESIDE, **(beside or {})}
    return validated(Scenario, {"today": TODAY, "price": price, "energy": energy, "beside": extra, **parts})


def make_estimate(scenario: Scenario, *, step_time_s: float, **changes) -> Estimate:
    """An estimate that says the given step time; 13B parameters, 100 GFLOP per token."""
    choice = scenario.cluster
    estimate = Estimate(
        model=MODEL, job=scenario.job, cluster=Cluster(GPU, choice.gpus, choice.gpus_per_node or 8, 200e9),
        shape=SHAPE, plan=Plan(1, 1, choice.gpus, 1, 1, 1, 1, 1, 3, 1, 0, 0, 0), sharding="fsdp", recompute="none",
        software="tuned-fused", global_batch=scenario.job.global_batch or 1000, params_trainable=13e9,
        checkpoint_bytes_per_parameter=14.0, flops_per_token=100e9, step_time_s=step_time_s, step_breakdown=None,
        memory=MEMORY, fits="yes", remedies=(), speed_factor_80=1.2, regime="layout_known", offload_s=0.0,
        practice_factor=1.0, chosen=("micro_batch", "tp"), closest_measured_runs=(), problems=(),
    )  # fmt: skip
    return replace(estimate, **changes)


QUOTE = PriceQuote(
    provider="aws", region="us-east-1", instance_type="p4de.24xlarge", gpu="A100-80GB-SXM", gpu_count=8,
    purchase="on-demand", usd_per_instance_hour=32.0, usd_per_gpu_hour=4.0, currency_original="USD",
    source="AWS price list", as_of="2026-10-31", quality="good", price_nature="list",
)  # fmt: skip
# Measured 4.8 kW with 5/6 to 5/4 of it as range: 4.0 to 6.0 kW.
RATING = NodeRating(
    node_model="DGX A100", gpu="A100-80GB-SXM", gpu_count=8, kind="node", rated_max_kw=6.5, rating="maker",
    source="maker", as_of="2020", quality="secondary", measured_training_kw=4.8, measured_source="paper",
)  # fmt: skip
SHARES = {
    name: (PowerShare(name, low, 1.0, high, "paper", "2024", "good"),)
    for name, low, high in (("measured", 5 / 6, 1.25), ("scaled", 1.0, 1.0), ("gpu_alone", 0.9, 1.1))
}
REGION = CloudRegion(
    provider="aws", region="us-east-1", city="Ashburn", country="US", source="AWS, eGRID", as_of="2024",
    pue_basis="AWS region, 2024", grid_zone="US-VA", grid_g_co2e_per_kwh=250.0, intensity_year=2023,
    intensity_method="average", pue=1.25, wue_l_per_kwh=0.12, wue_basis="AWS region, 2024",
)  # fmt: skip
PHYSICAL = GpuPhysical(
    gpu="A100-80GB-SXM", power_class="sxm", source="data sheet", as_of="2023", tdp_w=400, embodied_kg_co2e=150.0,
    embodied_quality="proxy", embodied_source="BLOOM paper", host_embodied_kg_co2e=250.0,
    host_embodied_source="maker",
)  # fmt: skip
STORAGE = StoragePrice(
    provider="aws", region="us-east-1", service="S3", tier="Standard", unit="GB-month", usd=0.02,
    kind="object_storage", standard=True, source="AWS price list", as_of="2026-10", quality="secondary",
)  # fmt: skip
RATES = {"USD": 1.0, "CNY": 0.125, "JPY": 0.0064}


def make_catalogue(
    quotes=(QUOTE,), regions=(REGION,), storage=(STORAGE,), ratings=(RATING,), cards=(PHYSICAL,), grids=()
) -> Catalogue:
    """A catalogue of a few rows, some of them replaced."""
    return Catalogue(
        price_rows=_grouped(quotes, "gpu"),
        provider_rows={
            name: (Provider(name, name.upper(), "hyperscaler", "own", "2026"),)
            for name in {row.provider for row in (*quotes, *regions)}
        },
        cloud_region_rows=_grouped(regions, "provider"),
        grid_rows=_grouped(grids, "zone"),
        rating_rows=_grouped(ratings, "gpu"),
        share_rows=SHARES,
        physical_rows=_grouped(cards, "gpu"),
        storage_rows=_grouped(storage, "provider"),
        fx_rows={code: (FxRate(code, rate, "2026-10-30", "ECB", "good"),) for code, rate in RATES.items()},
    )


def _grouped(rows, column: str) -> dict[str, tuple]:
    groups: dict[str, tuple] = {}
    for row in rows:
        name = getattr(row, column)
        groups[name] = (*groups.get(name, ()), row)
    return groups


def make_paper_budget(
    scenario: Scenario, catalogue: Catalogue | None = None, *, step_time_s: float, **changes
) -> Budget:
    """The budget of a scenario from a hand-written estimate and catalogue."""
    estimate = make_estimate(scenario, step_time_s=step_time_s, **changes)
    return budget_of(facts_of(scenario, estimate, catalogue or make_catalogue()))
