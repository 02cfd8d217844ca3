"""What the speed model holds beyond dense transformers: windows, latent attention, experts, partial recompute."""

from dataclasses import replace

import pytest

from desktop_app.estimation.calibration import constant, practice_factor, speed_factor_80, speed_range_factor
from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.flops import attention_flops_per_token
from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.partial_recompute import smallest_share
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.shape import attended_share, shape_of
from desktop_app.estimation.software import software_of
from desktop_app.estimation.speed_settings import settings_of
from desktop_app.estimation.step_time import step_time
from desktop_app.estimation.step_time_layer import gemm_s
from desktop_app.estimation.step_time_parallel import head_share
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation import scalar_ops


def answer(model: str, gpu: str, gpus: int, **job: object) -> Estimate:
    cluster = cluster_of(ClusterChoice(gpu=gpu, gpus=gpus))
    return estimate(model_named(model), TrainingJob.model_validate(job), cluster)


def test_a_matrix_product_by_hand() -> None:
    """2 x 4,096 x 11,008 x 4,096 FLOP at 200 TFLOP/s are 1.847 ms, more by what each short side costs."""
    job = TrainingJob()
    own = settings_of(
        shape_of(model_named("LLaMA-7B")), job, cluster_of(ClusterChoice(gpu="A100", gpus=8)), software_of(job)
    )
    own = replace(own, gemm_half_tokens=40.0, gemm_half_width=64.0)
    slower = (1 + 40 / 4096) * (1 + 64 / 11_008) * (1 + 64 / 4096)
    assert gemm_s(4096, 11_008, 4096, 200e12, own) == pytest.approx(1.8469e-3 * slower, rel=1e-4)


def test_a_window_cuts_attention_down() -> None:
    """A window of half the sequence leaves three quarters of causal attention; in every second layer seven eighths."""
    shape = replace(shape_of(model_named("LLaMA-7B")), window=4096, window_layers=32)
    assert attended_share(shape, 8192, scalar_ops) == pytest.approx(0.75)
    assert attended_share(replace(shape, window_layers=16), 8192, scalar_ops) == pytest.approx(0.875)
    assert attended_share(shape, 4096, scalar_ops) == attended_share(replace(shape, window_layers=0), 8192, scalar_ops)
    oss = shape_of(model_named("GPT-OSS-120B"))
    assert (oss.window, oss.window_layers, oss.layers, oss.attention_sinks) == (128, 18, 36, 1)


def test_latent_attention_counts_its_own_dimensions() -> None:
    """128 heads score over 128 + 64 dimensions and sum over 128: 160 on average. 12 x 61 x 20,480 x 4,096 FLOP."""
    shape = shape_of(model_named("DeepSeek-V3"))
    assert shape.attention_width == 128 * 160
    assert attention_flops_per_token(shape, 4096) == 12 * 61 * 20_480 * 4096


def test_the_head_is_shared_out_only_as_far_as_stages_allow() -> None:
    plan = Plan(1, 1, 1, 1, 1, 1, 1, 8, 0, 0, 0, 0, 0)
    job = TrainingJob(sequence_length=4096)
    shape = shape_of(model_named("Llama-3.2-1B"))
    own = settings_of(shape, job, cluster_of(ClusterChoice(gpu="H100", gpus=16)), software_of(job))
    assert head_share(own, plan) == 1
    assert head_share(own, replace(plan, pp=4)) == pytest.approx(0.25 + 0.75 * constant("last_stage_head_share"))
    deep = step_time(shape, own, replace(plan, pp=16, accumulation=64))
    assert deep.step_s > deep.head_s  # one layer a stage: 128,256 words outweigh it, and no stage is faster than that


def test_newer_software_for_experts_is_faster_and_the_present_is_assumed() -> None:
    speeds = [
        answer("DeepSeek-V3", "H800", 2048, precision="fp8", sequence_length=4096, moe_stack=stack).step_time_s
        for stack in ("early", "current", "leading")
    ]
    assert speeds == sorted(speeds, reverse=True)
    assert 1.3 < speeds[0] / speeds[2] < 3  # the same job runs up to twice as fast (ladder of 2025-26)
    assert answer("DeepSeek-V3", "H800", 2048, precision="fp8", sequence_length=4096).step_time_s == speeds[1]


def test_the_fullest_expert_sets_the_pace_unless_tokens_are_dropped() -> None:
    layout = {"tp": 1, "pp": 8, "ep": 8, "micro_batch": 1, "recompute": "full", "sequence_length": 4096}
    free = answer("Mixtral-8x7B", "H100", 64, **layout).step_time_s
    tight, loose = (
        answer("Mixtral-8x7B", "H100", 64, capacity_factor=factor, **layout).step_time_s for factor in (1.0, 4.0)
    )
    assert tight < free < loose  # empty slots are computed too
    assert free / tight < constant("expert_imbalance")


def test_attention_sinks_wait_for_kernels_that_know_them() -> None:
    times = {
        stack: answer("GPT-OSS-120B", "H100", 64, moe_stack=stack, sequence_length=4096, tp=1, pp=4, ep=8,
                      micro_batch=1, recompute="full").step_breakdown.attention  # type: ignore[union-attr]
        for stack in ("current", "leading")
    }  # fmt: skip
    assert times["current"] > 2 * times["leading"]


def test_as_much_is_recomputed_as_the_memory_needs() -> None:
    """Llama-3.1-405B on 16,384 H100 ran without full recompute (arXiv 2407.21783) in 30.84M GPU-hours."""
    found = answer("Llama-3.1-405B", "H100", 16_384, tokens=15.6e12, sequence_length=8192)
    assert (found.recompute, found.fits) == ("partial", "yes")
    layers = -(-126 // found.plan.pp)
    assert 0 < found.plan.full_recompute < 1
    assert found.plan.full_recompute * layers == pytest.approx(round(found.plan.full_recompute * layers))
    none, full = (
        answer("Llama-3.1-405B", "H100", 16_384, tokens=15.6e12, sequence_length=8192, recompute=recompute,
               tp=found.plan.tp, pp=found.plan.pp, micro_batch=1) for recompute in ("none", "full")
    )  # fmt: skip
    assert full.memory.live_peak < found.memory.live_peak < none.memory.live_peak


def test_the_share_is_in_whole_layers() -> None:
    shape = shape_of(model_named("LLaMA-13B"))  # 40 layers
    plan = Plan(1, 4, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0)
    assert smallest_share(shape, plan, 1.0, 3.0) == pytest.approx(0.3)  # a quarter of 10 layers is 2.5
    assert smallest_share(shape, plan, 1.0, 0.001) == 1.0


def test_padding_is_paid_and_not_trained_on() -> None:
    packed, padded = (answer("Llama-3-8B", "A100", 8, padding_share=share) for share in (0.0, 0.5))
    assert padded.step_time_s == packed.step_time_s
    assert padded.flops_per_token == packed.flops_per_token


def test_each_stated_setting_takes_a_fifth_of_the_practice_factor() -> None:
    factor = constant("practice_factor") - 1
    dense, mixture = shape_of(model_named("LLaMA-7B")), shape_of(model_named("Mixtral-8x7B"))
    assert practice_factor(1.0, TrainingJob(), dense, 64) == 1 + factor
    assert practice_factor(0.25, TrainingJob(), dense, 64) == pytest.approx(1 + factor / 4)
    assert practice_factor(1.0, TrainingJob(), dense, 1) == 1
    assert practice_factor(1.0, TrainingJob(method="lora"), dense, 64) == 1
    assert practice_factor(1.0, TrainingJob(), mixture, 64) == 1
    stated = answer("LLaMA-13B", "A100", 256, tp=1, pp=1)
    assert stated.practice_factor == pytest.approx(1 + factor * 3 / 5)


def test_doubts_add_up() -> None:
    """A LoRA on a card that nobody measured is less sure than either."""
    dense = shape_of(model_named("LLaMA-7B"))
    both = speed_factor_80(TrainingJob(method="lora"), dense, gpu_named("A10"), layout_known=False)
    assert both > max(speed_range_factor("finetune"), speed_range_factor("new_gpu"))
    assert speed_factor_80(TrainingJob(), dense, gpu_named("A10"), layout_known=True) == speed_range_factor("new_gpu")
