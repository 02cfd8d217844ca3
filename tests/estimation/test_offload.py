"""Offloading to host memory: what it adds to a step, against what was published."""

import pytest

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.offload import host_of
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.table_files import table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.records import validated

ONE_BY_ONE = {"tp": 1, "pp": 1, "recompute": "full", "tokens": 1e9}


def estimated(model: str, gpu: str, gpus: int, **job: object) -> Estimate:
    return estimate(
        model_named(model),
        validated(TrainingJob, {**ONE_BY_ONE, **job}),
        cluster_of(ClusterChoice(gpu=gpu, gpus=gpus)),
    )


def torchtune(offload: str) -> Estimate:
    return estimated(
        "Llama-3-70B", "A100-80GB-SXM", 8, sequence_length=2048, global_batch=16, micro_batch=2, precision="bf16",
        sharding="fsdp", software="tuned-eager", offload=offload,
    )  # fmt: skip


def test_the_processors_step_adamw_at_the_speed_of_their_memory() -> None:
    """70.55e9 parameters of pure bf16 state, 14 bytes each, over 0.45 x 410 GB/s: 5.35 s; the traffic hides."""
    run = torchtune("all")
    assert run.offload_s == pytest.approx(70.553706496e9 * 14 / (0.45 * 4.1e11), rel=1e-6)
    # 8.8e9 parameters per GPU: 2 bytes of gradient, and of weights in three passes: 70.6 GB over 25 GB/s
    assert run.step_time_s - run.offload_s > 70.553706496e9 / 8 * 2 * 4 / 2.5e10
    assert run.step_time_s == pytest.approx(torchtune("none").step_time_s + run.offload_s)
    assert run.step_breakdown is not None
    assert run.step_breakdown.other >= run.offload_s


def test_torchtune_trains_70b_on_eight_a100() -> None:
    """torchtune README, Llama 3.1 70B: 1,568 tokens/s on 8 A100, CPU offload with the fused optimizer."""
    run = torchtune("all")
    assert 8 * 16 * 2048 / 8 / run.step_time_s == pytest.approx(1568, rel=0.25)


def test_zero_offload_on_one_v100() -> None:
    """ZeRO-Offload, arXiv 2101.06840: 40 TFLOPS, recomputation counted, for 10B parameters on one V100."""
    run = estimated(
        "LLaMA-7B", "V100-32GB", 1, sequence_length=1024, global_batch=16, micro_batch=8, precision="fp16-mixed",
        software="stock", offload="optimizer",
    )  # fmt: skip
    per_step = 8 * run.shape.params_total * 16 * 1024
    assert per_step / run.step_time_s / 1e12 == pytest.approx(40, rel=0.3)
    # 10B parameters in 2.6 s (table of CPU-Adam): 30 bytes each with an fp32 master
    assert run.offload_s / float(run.shape.params_total) * 10e9 == pytest.approx(2.6, rel=0.02)


def test_weights_that_cross_a_slow_link_for_every_micro_batch_are_waited_for() -> None:
    """One GPU without gradient sharding: three passes x 64 micro-batches of one short sequence, 13.5 GB each."""
    run = estimated(
        "LLaMA-7B", "RTX-4090", 1, sequence_length=128, global_batch=64, micro_batch=1, precision="bf16",
        sharding="none", software="stock", offload="all",
    )  # fmt: skip
    params = float(run.shape.params_total)
    traffic_s = 2 * params * (1 + 64 * 3) / 2.5e10
    adam_s = params * 14 / (0.45 * 9e10)
    gpu_s = run.step_time_s - run.offload_s
    assert gpu_s < traffic_s
    assert run.offload_s == pytest.approx(adam_s + traffic_s - gpu_s, rel=1e-6)


def test_adapters_are_stepped_on_the_host_in_next_to_no_time() -> None:
    lora = estimated("LLaMA-7B", "RTX-4090", 1, sequence_length=512, global_batch=4, micro_batch=1, method="lora",
                     sharding="none", offload="optimizer")  # fmt: skip
    assert 0 < lora.offload_s < 0.1


@pytest.mark.parametrize(
    ("gpu", "link", "memory"),
    [("H100-80GB-SXM", 5e10, 6.14e11), ("A100-80GB-SXM", 2.5e10, 4.1e11), ("RTX-4090", 2.5e10, 9e10),
     ("GB200", 1.8e11, 1.02e12), ("T4", 2.5e10, 4.1e11)],
)  # fmt: skip
def test_every_gpu_has_a_host(gpu: str, link: float, memory: float) -> None:
    host = host_of(gpu)
    assert (host.link_bytes_per_s, host.memory_bytes_per_s) == (link, memory)
    assert table("offload_hosts")[-1]["gpu"] == ""  # the row that fits all stands last
