"""What a checkpoint holds of every trained parameter."""

import pytest

from desktop_app.estimation.checkpoint import checkpoint_bytes_per_parameter
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.records import validated

PLANS = {
    "plain": Plan(1, 1, 8, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0),
    "zero": Plan(1, 1, 8, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
    "fsdp": Plan(1, 1, 8, 1, 1, 1, 1, 1, 3, 1, 0, 0, 0),
}


@pytest.mark.parametrize(
    ("software", "sharing", "job", "expected"),
    [
        ("tuned-fused", "zero", {}, 2 + 4 + 8),  # Megatron: 14 bytes, Rajbhandari et al. 2020
        ("legacy", "plain", {"precision": "fp16-mixed"}, 2 + 4 + 8),
        ("stock", "zero", {}, 2 + 4 + 8),  # DeepSpeed; its accumulator of gradients is not saved
        ("tuned-fused", "fsdp", {}, 4 + 8),  # fp32 weights are their own master
        ("tuned-fused", "fsdp", {"precision": "bf16"}, 2 + 4),
        ("tuned-fused", "zero", {"optimizer": "adamw-8bit"}, 2 + 4 + 2),
        ("tuned-fused", "zero", {"optimizer": "sgd"}, 2 + 4),
        ("tuned-fused", "zero", {"optimizer": "sgd-momentum"}, 2 + 4 + 4),
        ("stock", "plain", {"method": "lora"}, 4 + 8),  # PEFT's fp32 adapters and their moments
    ],
)
def test_bytes_per_trained_parameter(software: str, sharing: str, job: dict[str, str], expected: float) -> None:
    job_ = validated(TrainingJob, job)
    assert checkpoint_bytes_per_parameter(model_named("LLaMA-7B"), job_, software, PLANS[sharing]) == expected


def test_offload_changes_where_the_state_is_and_not_what_is_saved() -> None:
    job = validated(TrainingJob, {"offload": "optimizer"})
    there = checkpoint_bytes_per_parameter(model_named("LLaMA-7B"), job, "tuned-fused", PLANS["zero"])
    assert there == 14
