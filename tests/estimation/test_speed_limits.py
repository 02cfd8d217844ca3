"""What no schedule, precision or option can beat: bounds that hold whatever the constants are."""

from dataclasses import replace
from typing import Any

import pytest
from memory_jobs import plan

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.memory_job import optimizer_traffic_bytes
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.software import software_of
from desktop_app.estimation.speed_settings import SpeedSettings, settings_of
from desktop_app.estimation.step_time import StepTime, step_time
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import UserError

STAGES: dict[str, Any] = {"tp": 8, "pp": 8, "micro_batch": 1, "zero_stage": 1, "sequence_parallel": 1}


def settings(model: str, gpu: str, gpus: int, **job: object) -> SpeedSettings:
    choices = TrainingJob.model_validate(job)
    return settings_of(
        shape_of(model_named(model)), choices, cluster_of(ClusterChoice(gpu=gpu, gpus=gpus)), software_of(choices)
    )


def timed(layout: Plan, model: str = "Llama-2-70B", gpu: str = "H100", gpus: int = 64, **job: object) -> StepTime:
    return step_time(shape_of(model_named(model)), settings(model, gpu, gpus, **job), layout)


def answer(model: str, gpu: str, gpus: int, **job: object) -> Estimate:
    return estimate(model_named(model), TrainingJob.model_validate(job), cluster_of(ClusterChoice(gpu=gpu, gpus=gpus)))


@pytest.mark.parametrize("micro_batches", [1, 3, 7, 8, 16])
@pytest.mark.parametrize("interleave", [1, 2, 5, 10])
def test_a_micro_batch_passes_every_stage_one_after_the_other(micro_batches: int, interleave: int) -> None:
    """Eight stages: never less than eight stage times, and with eight micro-batches and more the usual bubble."""
    time = timed(plan(**STAGES, interleave=interleave, accumulation=micro_batches), sequence_length=4096)
    stage = (time.step_s - time.pipeline_bubble_s) / micro_batches  # with what little else there is
    per_stage = (time.compute_s + time.tensor_parallel_s + time.transfers_s) / micro_batches
    assert time.pipeline_bubble_s + micro_batches * per_stage >= 8 * per_stage * (1 - 1e-9)
    assert stage >= per_stage
    if micro_batches >= 8:
        assert time.pipeline_bubble_s == pytest.approx(7 / interleave * per_stage, rel=1e-9)


@pytest.mark.parametrize("interleave", [1, 2, 5])
@pytest.mark.parametrize("micro_batches", [4, 8, 16, 64])
def test_sharing_gradients_in_a_pipeline_is_never_faster(micro_batches: int, interleave: int) -> None:
    layout = {**STAGES, "tp": 4, "dp": 2, "interleave": interleave, "accumulation": micro_batches}
    whole, shared = (timed(plan(**{**layout, "zero_stage": stage}), sequence_length=4096) for stage in (1, 2))
    assert shared.step_s >= whole.step_s
    if interleave > 1 and micro_batches == 8:  # one round of micro-batches, one reduction: the same traffic
        assert shared.step_s == pytest.approx(whole.step_s, rel=1e-12)


def test_traffic_hides_behind_no_more_than_the_products() -> None:
    """A link a hundred times slower: most of the traffic stands open however well the software overlaps."""
    shape, own = shape_of(model_named("Llama-2-70B")), settings("Llama-2-70B", "H100", 8, sequence_length=4096)
    layout = plan(tp=8, sequence_parallel=1)
    slow = step_time(shape, replace(own, link_bytes_per_s=own.link_bytes_per_s / 100), layout)
    bare = step_time(
        shape, replace(own, link_bytes_per_s=own.link_bytes_per_s / 100, tensor_parallel_exposed=1.0), layout
    )
    layers = slow.linear_s  # the products of all layers
    assert slow.tensor_parallel_s == pytest.approx(bare.tensor_parallel_s - layers, rel=1e-9)


def test_full_precision_reaches_no_more_than_its_peak() -> None:
    """131,072 tokens: attention decides. 66.9 TFLOP/s in fp32, 494.7 in tf32, 989.4 in 16 bit on an H100."""
    job = {"sequence_length": 131_072, "tokens": 1e11}
    times = {
        name: answer("Llama-3.1-8B", "H100", 64, precision=name, **job).step_time_s
        for name in ("bf16-mixed", "tf32", "fp32")
    }
    assert times["bf16-mixed"] < times["tf32"] < times["fp32"]
    found = answer("Llama-3.1-8B", "H100", 64, precision="fp32", **job)
    done = found.flops_per_token * found.global_batch * 131_072 / (found.step_time_s * 64)
    assert done < 66.9e12 * 1.01  # causal attention counts twice what is computed: half of nearly all
    half = answer("Llama-3.1-8B", "H100", 64, precision="tf32", sequence_length=4096, micro_batch=2)
    full = answer("Llama-3.1-8B", "H100", 64, precision="bf16-mixed", sequence_length=4096, micro_batch=2)
    assert 1.6 < half.step_time_s / full.step_time_s < 2.4


def test_a_card_without_tf32_says_so() -> None:
    with pytest.raises(UserError) as refused:
        answer("Llama-3.1-8B", "V100-32GB", 8, precision="tf32", sequence_length=512)
    assert refused.value.problems[0].key == "problem.no_precision"


@pytest.mark.parametrize(
    ("precision", "optimizer", "software", "expected"),
    [
        ("bf16-mixed", "adamw", "tuned-fused", 30),  # master, two moments both ways; weight written; fp32 gradient
        ("bf16-mixed", "adamw", "stock", 30),  # DeepSpeed: 2 + 24 + its fp32 gradient
        ("bf16", "adamw", "tuned-fused", 14),
        ("bf16", "adamw-8bit", "tuned-fused", 10),
        ("bf16", "sgd", "tuned-fused", 6),
        ("bf16-mixed", "sgd", "tuned-fused", 14),
    ],
)
def test_an_optimizer_moves_what_it_keeps(precision: str, optimizer: str, software: str, expected: float) -> None:
    job = TrainingJob.model_validate({"precision": precision, "optimizer": optimizer})
    assert optimizer_traffic_bytes(job, software) == expected


def test_an_optimizer_in_the_backward_pass_steps_with_every_micro_batch() -> None:
    job = {"precision": "bf16", "optimizer": "adamw-8bit", "sequence_length": 512}
    model = "Llama-3.1-8B"
    once, often = (
        timed(plan(accumulation=64), model, "H100", 1, fused_backward=fused, **job).optimizer_s
        for fused in (False, True)
    )
    fixed = timed(plan(), model, "H100", 1, **job).optimizer_s - (often - once) / 63
    assert often == pytest.approx(fixed + 64 * (often - once) / 63, rel=1e-9)
    assert often > 10 * once


def test_large_adapters_take_time() -> None:
    """Rank 1,024 on all layers of Llama-3.1-8B: 2.7 of 8.0 billion parameters, three passes beside the base's two."""
    job = {
        "method": "lora", "sequence_length": 4096, "micro_batch": 2, "global_batch": 128, "recompute": "none",
        "sharding": "zero3",
    }  # fmt: skip
    small, large = (answer("Llama-3.1-8B", "H200", 64, lora_rank=rank, **job).step_time_s for rank in (16, 1024))
    assert 1.2 < large / small < 1.7


def test_no_one_to_share_with_costs_nothing() -> None:
    """Llama-2-70B, 8-way tensor, 4 stages, no copies: ZeRO-2 is ZeRO-1; adapters leave no bytes below nought."""
    job = {
        "tokens": 1e11, "tp": 8, "pp": 4, "cp": 1, "interleave": 2, "micro_batch": 1, "global_batch": 16,
        "recompute": "none",
    }  # fmt: skip
    peaks = [answer("Llama-2-70B", "H100", 32, sharding=kind, **job).memory.live_peak for kind in ("zero1", "zero2")]
    assert peaks[0] == peaks[1]
    experts = answer(
        "DeepSeek-V3", "B300", 256, method="lora", tokens=1e8, tp=1, pp=1, cp=1, ep=8, micro_batch=1, global_batch=256,
        sharding="zero1", recompute="full", sequence_length=1000,
    )  # fmt: skip
    assert experts.memory.buffers >= 0


def test_utilisation_ends_at_the_peak_of_the_precision() -> None:
    job = {"tokens": 1e11, "mfu": 1.4}
    assert answer("Llama-3.1-70B", "GB300", 64, precision="nvfp4", **job).regime == "efficiency_given"
    with pytest.raises(UserError) as refused:
        answer("Llama-3.1-70B", "GB300", 64, **job)
    assert refused.value.problems[0].values["limit"] == 100


def test_legacy_software_recomputes_large_models() -> None:
    """GPT-3 on 1,024 A100 with software of 2021: 34 days published (arXiv 2104.04473), with every layer recomputed."""
    job = {"tokens": 3e11, "sequence_length": 2048, "global_batch": 1536, "software": "legacy"}
    found = answer("GPT-3-175B", "A100", 1024, **job)
    assert found.recompute == "full"
    days = 3e11 / (1536 * 2048) * found.step_time_s / 86_400
    assert 34 / 1.25 < days < 34 * 1.25
    assert answer("LLaMA-7B", "A100", 64, software="legacy").recompute == "none"
