"""What must hold for whatever a person asks: random jobs over presets, GPUs and settings."""

from itertools import pairwise
from math import isfinite
from typing import Any

import pytest
from asking import ask, value
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from desktop_app.budget.budget import Budget
from desktop_app.estimation.flops import flops_per_token
from desktop_app.estimation.gpus import gpus
from desktop_app.estimation.presets import model_named, preset_names
from desktop_app.estimation.shape import shape_of
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

PROFILE = {"deadline": None, "derandomize": True, "database": None}
DECODERS = [name for name in preset_names() if model_named(name).kind == "decoder"]
GPUS = [gpu.name for gpu in gpus()]
LENGTHS = [128, 512, 2048, 4096, 8192, 32_768]

JOBS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(DECODERS),
        "gpu": st.sampled_from(GPUS),
        "gpus": st.sampled_from([1, 2, 3, 8, 16, 24, 64, 256, 1000, 4096, 20_000]),
        "tokens": st.sampled_from([1e5, 1e7, 1e9, 3e11, 1.5e13]),
        "sequence_length": st.sampled_from(LENGTHS),
    },
    optional={
        "method": st.sampled_from(["lora", "qlora"]),
        "precision": st.sampled_from(["bf16", "fp16-mixed", "fp8", "mxfp8", "nvfp4", "fp32"]),
        "optimizer": st.sampled_from(["adamw-8bit", "adamw-paged-8bit", "sgd"]),
        "recompute": st.sampled_from(["none", "selective", "partial", "full"]),
        "sharding": st.sampled_from(["none", "zero1", "zero2", "zero3", "fsdp"]),
        "offload": st.sampled_from(["optimizer", "all"]),
        "software": st.sampled_from(["legacy", "tuned-eager", "stock"]),
        "global_batch": st.sampled_from([1, 7, 64, 1024]),
        "micro_batch": st.sampled_from([1, 2, 8]),
        "tp": st.sampled_from([1, 2, 8]),
        "pp": st.sampled_from([1, 4]),
        "provider": st.sampled_from(["gcp", "lambda", "azure"]),
        "purchase": st.sampled_from(["spot", "reserved-1y", "owned"]),
        "price_usd_per_gpu_hour": st.sampled_from([0.5, 2.5]),
        "mfu": st.sampled_from([0.05, 0.5]),
        "padding_share": st.sampled_from([0.3]),
        "capacity_factor": st.sampled_from([1.25]),
        "fused_backward": st.just(True),
        "development_multiplier": st.sampled_from([1.0, 3.4]),
    },
)

# Jobs that nearly always run: nothing stated that must divide anything.
USUAL = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["GPT-2 124M", "Llama-3.2-1B", "LLaMA-13B", "Llama-3-70B", "Mixtral-8x7B"]),
        "gpu": st.sampled_from(["V100-32GB", "A100-80GB-SXM", "H100-80GB-SXM", "B200-180GB-SXM", "RTX-4090", "MI300X"]),
        "gpus": st.sampled_from([1, 8, 64, 1024]),
        "tokens": st.sampled_from([1e6, 1e9, 1e12]),
        "sequence_length": st.sampled_from([512, 2048, 8192]),
        "price_usd_per_gpu_hour": st.floats(0.01, 50),
    },
    optional={
        "method": st.sampled_from(["lora", "qlora"]),
        "optimizer": st.sampled_from(["adamw-8bit", "sgd"]),
        "recompute": st.sampled_from(["none", "full"]),
        "offload": st.sampled_from(["optimizer", "all"]),
        "software": st.sampled_from(["tuned-eager", "stock"]),
    },
)  # fmt: skip

# What a person reads: the figure, and the choices on which a sentence stands when it is unknown.
FIGURES = {
    "step_time_s": (), "training_flops": (), "tokens_per_s_per_gpu": (), "mfu": (), "memory.peak": (),
    "goodput": ("mtbf_gpu_hours",), "gpu_hours": ("mtbf_gpu_hours",), "wall_days": ("mtbf_gpu_hours",),
    "energy_facility_kwh": ("node_power_kw", "mtbf_gpu_hours"),
    "co2e_kg_location": ("grid_g_per_kwh", "node_power_kw", "mtbf_gpu_hours"),
    "usd.total": (
        "price_usd_per_gpu_hour", "region", "provider", "purchase", "mtbf_gpu_hours", "own_server_usd_per_gpu",
    ),
}  # fmt: skip


@settings(max_examples=500, **PROFILE)
@given(JOBS)
def test_figures_are_finite_and_positive_or_unknown_with_a_reason(made: dict[str, Any]) -> None:
    try:
        budget = ask(**made)
    except UserError as error:
        assert all(words_of("en").sentence(problem) for problem in error.problems)
        return
    for line in budget.ledger:
        amount = budget.ledger.value(line.key)
        assert amount is None or isfinite(amount), line.key
    said = {problem.field for problem in budget.problems}
    for key, fields in FIGURES.items():
        amount = budget.ledger.value(key)
        assert amount > 0 if amount is not None else said & set(fields), key
    assert 0 < value(budget, "mfu") < 1.6  # fp8 and fp4 jobs on the 16-bit peak
    assert budget.estimate.fits in ("yes", "tight", "no")
    for sentence in budget.problems:
        assert words_of("en").sentence(sentence)


def amount_of(budget: Budget, key: str) -> float:
    found = budget.ledger.value(key)
    assume(found is not None)
    return float(found or 0.0)


def asked(**made: Any) -> Budget:
    """The budget, or none of this example where the job cannot run."""
    try:
        return ask(**made)
    except UserError:
        assume(False)
        raise


FIXED = {"tp": 1, "pp": 1, "cp": 1, "ep": 1, "recompute": "none", "tokens": 1e12}


@settings(max_examples=100, **PROFILE)
@given(USUAL, st.sampled_from([1.01, 2, 30]))
def test_more_tokens_never_take_fewer_gpu_hours_or_less_money(made: dict[str, Any], factor: float) -> None:
    """At the same batch; a short job takes a smaller one by itself, and is slower for that."""
    few = asked(**made)
    many = asked(**{**made, "tokens": factor * made["tokens"], "global_batch": few.estimate.global_batch})
    for key in ("gpu_hours", "wall_days", "energy_facility_kwh", "usd.total"):
        assert amount_of(many, key) >= amount_of(few, key), key


@settings(max_examples=60, **PROFILE)
@given(USUAL, st.floats(1.0, 3.0))
def test_a_higher_price_is_never_cheaper(made: dict[str, Any], factor: float) -> None:
    cheap, dear = (
        asked(**{**made, "price_usd_per_gpu_hour": made["price_usd_per_gpu_hour"] * more}) for more in (1, factor)
    )
    assert amount_of(dear, "usd.total") >= amount_of(cheap, "usd.total")
    assert dear.ledger.value("gpu_hours") == cheap.ledger.value("gpu_hours")


@settings(max_examples=25, **PROFILE)
@given(
    st.sampled_from(["Llama-2-7B", "LLaMA-13B", "Llama-3-8B", "Qwen2.5-14B", "MPT-7B"]),
    st.sampled_from(["A100-80GB-SXM", "H100-80GB-SXM", "B200-180GB-SXM", "MI300X"]),
    st.sampled_from(["none", "zero1", "fsdp"]),
)
def test_more_gpus_never_take_more_days(model: str, gpu: str, sharding: str) -> None:
    """Data parallel with 8,192 tokens per micro-batch on every GPU, one batch of 4M tokens."""
    job = {"model": model, "gpu": gpu, "sharding": sharding, "micro_batch": 4, "global_batch": 2048, **FIXED}
    days = [value(ask(**job, gpus=count), "wall_days") for count in (1, 2, 8, 16, 64, 256, 512)]
    assert all(more <= fewer for fewer, more in pairwise(days))


@pytest.mark.parametrize("method", ["full", "lora"])
def test_a_longer_sequence_never_takes_fewer_flops_per_token(method: Any) -> None:
    for name in DECODERS:
        shape = shape_of(model_named(name))
        flops = [flops_per_token(shape, length, method) for length in LENGTHS]
        assert flops == sorted(flops), name
