"""The allowance, the verdict, and the answers that must come out."""

from dataclasses import replace

import pytest
from memory_jobs import peak, plan

from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.memory import verdict
from desktop_app.estimation.memory_tables import constants, precision_recipes
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.units import BYTES_PER_GIB
from desktop_app.foundation.wording import LANGUAGES, Words

RTX_3090 = gpu_named("RTX 3090").usable_memory_bytes
A100 = gpu_named("A100-80GB-SXM").usable_memory_bytes


@pytest.mark.parametrize("micro_batch", [1, 4])
def test_lora_with_an_int8_base_fits_a_24_gb_card(micro_batch: int) -> None:
    """Llama-2-7B at 512 tokens with checkpointing; threads report 8 to 10 GB at 256 tokens."""
    job = TrainingJob(method="lora", base_precision="int8", sequence_length=512)
    found = peak("Llama-2-7B", "stock", job, plan(micro_batch=micro_batch, full_recompute=1))
    assert verdict(found, RTX_3090) == "yes"
    assert 8e9 < found.peak < 12e9


@pytest.mark.parametrize("software", ["stock", "tuned-fused", "tuned-eager", "legacy"])
def test_full_mixed_precision_adam_does_not_fit_one_80_gb_card(software: str) -> None:
    """6.74e9 parameters of 16 to 18 bytes are 108 to 121 GB."""
    found = peak("Llama-2-7B", software, TrainingJob(sequence_length=512), plan(full_recompute=1))
    assert verdict(found, A100) == "no"
    assert found.live_peak > 16 * 6.738e9


def test_published_layouts_that_ran_are_not_refused() -> None:
    """GPT-3 on 1,024 A100 (Narayanan 2021), MPT-7B on 8 A100, Llama-3.1-8B on 8 H100 (both without recompute)."""
    gpt3 = plan(tp=8, pp=8, dp=16, interleave=2, accumulation=96, full_recompute=1)
    assert verdict(peak("GPT-3 175B", "legacy", TrainingJob(), gpt3, 128), A100) == "yes"
    mpt = plan(dp=8, zero_stage=3, full_shard=1, micro_batch=6, accumulation=2)
    assert verdict(peak("MPT-7B", "tuned-eager", TrainingJob(), mpt), A100) == "yes"
    llama = plan(dp=4, cp=2, zero_stage=1, accumulation=32)
    job = TrainingJob(precision="fp8", sequence_length=8192)
    assert verdict(peak("Llama-3.1-8B", "tuned-fused", job, llama), A100) != "no"


def test_the_allowance_is_a_share_and_a_constant() -> None:
    found = peak("LLaMA-13B", "tuned-fused", TrainingJob(), plan(dp=8, zero_stage=3, full_shard=1))
    live, gib = found.live_peak, BYTES_PER_GIB
    assert found.allowance_low == 0.4 * gib
    assert found.allowance == pytest.approx(0.05 * live + 1.0 * gib)
    assert found.allowance_high == pytest.approx(0.15 * live + 1.8 * gib)
    several = peak("LLaMA-13B", "tuned-fused", TrainingJob(), plan(dp=8, zero_stage=3, full_shard=1), nodes=2)
    assert several.allowance_high == pytest.approx(found.allowance_high + 1.0 * gib)


def test_deepspeed_s_buckets_stand_in_the_allowance() -> None:
    """Nothing, 3 and 9 GB at their default size."""
    layout = plan(dp=8, zero_stage=2)
    with_buckets, without = (peak("LLaMA-7B", software, TrainingJob(), layout) for software in ("stock", "tuned-fused"))
    assert with_buckets.allowance_high - 0.15 * with_buckets.live_peak == pytest.approx(1.8 * BYTES_PER_GIB + 9e9)
    assert with_buckets.allowance - 0.05 * with_buckets.live_peak == pytest.approx(1.0 * BYTES_PER_GIB + 3e9)
    assert without.allowance_high - 0.15 * without.live_peak == pytest.approx(1.8 * BYTES_PER_GIB)


def test_yes_needs_the_high_side_and_no_the_low_side() -> None:
    found = peak("Llama-3.2-3B", "stock", TrainingJob(precision="bf16"), plan())
    assert verdict(found, found.peak_high) == "yes"
    assert verdict(found, found.peak_high - 1) == "tight"
    assert verdict(found, found.peak_low) == "tight"
    assert verdict(found, found.peak_low - 1) == "no"


def test_unstated_settings_widen_the_verdict() -> None:
    kind = peak("Llama-3.2-3B", "stock", TrainingJob(precision="bf16", sequence_length=256), plan(full_recompute=1))
    worst = peak("Llama-3.2-3B", "stock", TrainingJob(precision="bf16", sequence_length=8192), plan())
    between = (kind.peak_high + worst.peak_high) / 2
    assert verdict(kind, between) == "yes"
    assert verdict(kind, between, pessimistic=worst) == "tight"
    assert verdict(worst, between, optimistic=kind) == "tight"


def test_what_happens_outside_the_step_can_only_take_a_yes_away() -> None:
    found = peak("Llama-2-7B", "stock", TrainingJob(), plan(dp=64, zero_stage=3, full_shard=1, full_recompute=1))
    assert found.peak_high < RTX_3090 < found.outside_step_bytes  # fp32 copy of 7B parameters
    assert verdict(found, RTX_3090) == "tight"
    assert verdict(replace(found, outside_step_bytes=0.0), RTX_3090) == "yes"


def test_offload_needs_host_memory_that_not_every_server_has() -> None:
    """70B parameters of 20 bytes are 1.4 TB on the host."""
    found = peak("Llama-2-70B", "stock", TrainingJob(offload="all"), plan(dp=8, zero_stage=3, full_recompute=1))
    assert found.host_bytes * 8 == pytest.approx(20 * 68_976_648_192, rel=1e-9)
    assert verdict(found, A100, processes_per_host=8) == "tight"
    assert verdict(found, A100, processes_per_host=8, host_memory_bytes=2e12) == "yes"
    assert verdict(found, A100, processes_per_host=8, host_memory_bytes=1.5e12) == "tight"
    assert verdict(found, A100, processes_per_host=8, host_memory_bytes=1e12) == "no"


def test_recipes_and_moments_are_named_in_both_languages() -> None:
    found = peak("LLaMA-13B", "tuned-fused", TrainingJob(), plan(pp=4, accumulation=8))
    assert found.recipe == "memory_recipe.megatron" and found.moment == "moment.pipeline"
    sharded = peak("LLaMA-13B", "stock", TrainingJob(), plan(dp=8, zero_stage=2))
    assert sharded.recipe == "memory_recipe.deepspeed-bf16"
    keys = [name for name, _ in found.moments] + [f"memory_recipe.{name}" for name in precision_recipes()]
    for language in LANGUAGES:
        words = Words(language)
        assert all(words.has(key) for key in keys)


def test_every_constant_has_a_source_and_a_meaning() -> None:
    for constant in constants().values():
        assert constant.source and constant.as_of and constant.unit and len(constant.meaning) > 10
