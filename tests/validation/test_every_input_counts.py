"""Every choice moves at least one figure: one that moves none is a field that lies to whoever fills it in."""

from dataclasses import asdict
from typing import Any, Literal, get_args, get_origin

import pytest
from asking import ask

from desktop_app.budget.budget import Budget
from desktop_app.budget.scenario import choices

ONE_CARD = {"gpus": 1, "tokens": 1e8, "micro_batch": 1, "global_batch": 8, "recompute": "none"}
STOCK = {"model": "Llama-3.2-1B", "software": "stock", **ONE_CARD}
SHORT = {**STOCK, "sequence_length": 128}
ADAPTERS = {"model": "Llama-2-7B", "method": "lora", "gpus": 1, "tokens": 1e8}
FROZEN_4_BIT = {**ADAPTERS, "method": "qlora"}
EXPERTS = {"model": "Qwen3-30B-A3B", "gpu": "H100", "gpus": 64}
SPLIT_8 = {"tp": 8, "pp": 1, "sharding": "zero1"}
STAGES = {"model": "Llama-2-70B", "tp": 8, "pp": 4, "interleave": 1}
B200 = {"gpu": "B200"}
GOOGLE = {"provider": "gcp", "gpu": "H100"}
SPOT = {"purchase": "spot"}
OWNED = {"purchase": "owned"}

# What to change from which job: a choice -> pairs of (the choices made before, its second value).
MOVES: dict[str, list[tuple[dict[str, Any], Any]]] = {
    "model": [({}, "LLaMA-7B")],
    "tokens": [({}, 2e12)],
    "sequence_length": [({}, 4096)],
    "global_batch": [({}, 512)],
    "micro_batch": [({}, 1)],
    "method": [(ADAPTERS, "full"), (ADAPTERS, "qlora")],
    "lora_rank": [(ADAPTERS, 64)],
    "lora_targets": [(ADAPTERS, "qv"), (ADAPTERS, "attention")],
    "base_precision": [(ADAPTERS, "int8"), (ADAPTERS, "nf4"), (FROZEN_4_BIT, "bf16"), (FROZEN_4_BIT, "int8")],
    "precision": [
        ({}, "bf16"),
        ({}, "fp32"),
        ({"gpu": "H100"}, "tf32"),
        ({"software": "legacy"}, "fp16-mixed"),
        (B200, "fp8"),
        (B200, "nvfp4"),
        (B200, "mxfp8"),
    ],
    "optimizer": [
        *((SHORT, kind) for kind in ("adamw-fused", "adamw-8bit", "sgd", "sgd-momentum")),
        ({**SHORT, "optimizer": "adamw-8bit"}, "adamw-paged-8bit"),
    ],
    "fused_backward": [({**SHORT, "global_batch": 1, "precision": "bf16"}, True)],
    "recompute": [({"recompute": "none"}, kind) for kind in ("selective", "partial", "full")],
    "attention": [({**STOCK, "model": "Gemma-2-2B"}, "sdpa"), ({}, "eager")],
    "cross_entropy": [(STOCK, "chunked"), (STOCK, "fused"), ({**STOCK, "cross_entropy": "chunked"}, "fused")],
    "sharding": [({"sharding": "none"}, kind) for kind in ("zero1", "zero2", "zero3", "fsdp")],
    "offload": [({}, "optimizer"), ({"offload": "optimizer"}, "all")],
    "tp": [({}, 2)],
    "pp": [({}, 2)],
    "cp": [({}, 2)],
    "ep": [({**EXPERTS, "ep": 8}, 16)],
    "interleave": [(STAGES, 2)],
    "software": [({"software": "tuned-fused"}, kind) for kind in ("legacy", "tuned-eager", "stock")],
    "native_attention": [({"gpu": "H100"}, False)],
    "tp_overlap": [(SPLIT_8, False)],
    "sequence_parallel": [(SPLIT_8, False)],
    "moe_stack": [({**EXPERTS, "moe_stack": "current"}, kind) for kind in ("early", "leading")],
    "even_routing": [({**EXPERTS, "ep": 8}, True)],
    "capacity_factor": [(EXPERTS, 1.5)],
    "padding_share": [({}, 0.2)],
    "data_stall_share": [({}, 0.05)],
    "checkpoint_interval_minutes": [({}, 600.0)],
    "mfu": [({}, 0.4)],
    "gpu": [({}, "H100")],
    "gpus": [({}, 512)],
    "gpus_per_node": [({}, 4)],
    "network_gbit_per_node": [({}, 100.0)],
    "host_memory_gib_per_node": [({"offload": "all", "gpus": 8}, 100.0)],
    "checkpoint_write_gb_per_s": [({}, 1.0)],
    "mtbf_gpu_hours": [({}, 5000.0)],
    "restart_minutes": [({}, 60.0)],
    "provider": [({}, "gcp")],
    "region": [({}, "eu-west-1")],
    "purchase": [({}, kind) for kind in ("spot", "capacity-block", "reserved-1y", "reserved-3y", "owned")]
    + [(GOOGLE, kind) for kind in ("flex-start", "reserved-1mo", "reserved-6mo", "reserved-5y")],
    "discount_percent": [({}, 20.0)],
    "spot_share_percent": [(SPOT, 50.0)],
    "spot_interruptions_per_hour": [(SPOT, 0.5)],
    "spot_wait_hours": [(SPOT, 5.0)],
    "unused_elsewhere_percent": [({"purchase": "reserved-1y"}, 50.0)],
    "own_server_usd_per_gpu": [(OWNED, 30_000.0)],
    "own_network_percent": [(OWNED, 50.0)],
    "own_residual_percent": [(OWNED, 20.0)],
    "own_life_years": [(OWNED, 3.0)],
    "own_utilisation_percent": [(OWNED, 50.0)],
    "own_electricity_usd_per_kwh": [(OWNED, 0.2)],
    "own_colocation_usd_per_kw_month": [(OWNED, 150.0)],
    "own_colocation_has_power": [({**OWNED, "own_electricity_usd_per_kwh": 0.2}, True)],
    "own_operations_usd_per_gpu_year": [(OWNED, 1000.0)],
    "pilot_percent": [({}, 2.0)],
    "idle_hours": [({}, 12.0)],
    "data_gb": [({}, 5000.0)],
    "kept_months": [({}, 6.0)],
    "egress_gb": [({}, 500.0)],
    "cpu_host_hours": [({"cpu_host_usd_per_hour": 0.5}, 100.0)],
    "cpu_host_usd_per_hour": [({"cpu_host_hours": 100.0}, 0.5)],
    "support_percent": [({}, 3.0)],
    "staff_months": [({"staff_usd_per_month": 9000.0}, 6.0)],
    "staff_usd_per_month": [({"staff_months": 6.0}, 9000.0)],
    "credits_usd": [({}, 10_000.0)],
    "tax_percent": [({}, 19.0)],
    "market_g_per_kwh": [({}, 20.0)],
    "network_power_percent": [({}, 5.0)],
    "idle_node_kw": [({"idle_hours": 12.0}, 1.5)],
    "price_usd_per_gpu_hour": [({}, 2.0)],
    "currency": [({}, "EUR")],
    "fx_rate": [({"currency": "EUR"}, 1.5)],
    "evaluation_percent": [({}, 5.0)],
    "development_multiplier": [({}, 2.0)],
    "checkpoints_kept": [({}, 10)],
    "pue": [({}, 1.5)],
    "grid_g_per_kwh": [({}, 500.0)],
    "node_power_kw": [({}, 9.0)],
}


def figures(budget: Budget, key: str) -> dict[str, Any]:
    """What a budget says but the line that repeats the choice, and moments that do not decide the peak."""
    estimate = budget.estimate
    lines = {line.key: budget.ledger.value(line.key) for line in budget.ledger if key not in (line.key, line.field)}
    layout = {"plan": estimate.plan, "sharding": estimate.sharding, "recompute": estimate.recompute}
    peak = {name: amount for name, amount in asdict(estimate.memory).items() if name != "moments"}
    return {**lines, **peak, **layout, "fits": estimate.fits}


def options(key: str) -> set[str]:
    """The words that a choice among few may be; empty for a number, a name or a switch."""
    annotation = choices()[key][1].annotation
    parts = (annotation, *get_args(annotation))
    return {word for part in parts if get_origin(part) is Literal for word in get_args(part)}


DATES_ONLY = {"start_date"}  # moves the months of the schedule, and none of the figures of a budget


def test_every_choice_has_a_pair_here() -> None:
    missing = sorted(set(choices()) - set(MOVES) - DATES_ONLY)
    assert not missing, f"give {', '.join(missing)} a job and a second value in MOVES, so that it is tried"
    assert not set(MOVES) - set(choices()), "MOVES has what is no choice"


@pytest.mark.parametrize("key", [key for key in MOVES if options(key)])
def test_every_word_of_a_choice_is_tried(key: str) -> None:
    default = choices()[key][1].default
    tried = {default} | {word for before, value in MOVES[key] for word in (value, before.get(key))}
    assert not options(key) - tried, f"{key}: {options(key) - tried} in no pair"


@pytest.mark.parametrize(
    ("key", "before", "value"),
    [pytest.param(key, before, value, id=f"{key}-{value}") for key in MOVES for before, value in MOVES[key]],
)
def test_every_choice_moves_a_figure(key: str, before: dict[str, Any], value: Any) -> None:
    one, other = (figures(ask(**made), key) for made in (before, {**before, key: value}))
    assert one != other, f"{key} = {value!r} changes no figure of {before or 'the default job'}"
