"""The published speeds that an estimate is held against."""

from math import log2
from typing import Any

import pytest

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.measured_runs import closest_measured_runs, published_speeds
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import MeasuredRun
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.table_files import table
from desktop_app.estimation.training_job import TrainingJob


def nearest(model: str, gpu: str, gpus: int, method: str, precision: str, **job: Any) -> tuple[MeasuredRun, ...]:
    software = job.pop("software", "tuned-fused" if method == "full" else "stock")
    asked = TrainingJob.model_validate({"method": method, "precision": precision, "sequence_length": 4096, **job})
    cluster = cluster_of(ClusterChoice(gpu=gpu, gpus=gpus))
    return closest_measured_runs(shape_of(model_named(model)), asked, cluster, software)


def test_the_table_is_varied_and_shippable() -> None:
    speeds = published_speeds()
    assert 150 <= len(speeds) <= 240
    assert len({speed.gpu.name for speed in speeds}) >= 28
    assert {speed.method for speed in speeds} == {"full", "lora", "qlora"}
    assert {speed.method for speed in speeds if speed.is_moe} >= {"full", "lora"}
    assert {speed.gpu.vendor for speed in speeds} == {"NVIDIA", "AMD"}
    assert not any("vTrain" in speed.source for speed in speeds)
    assert all(speed.source and speed.as_of >= "2021" for speed in speeds)


def test_every_software_of_the_table_has_a_class() -> None:
    assert {row["software"] for row in table("measured_runs")} <= {
        row["framework"] for row in table("software_classes")
    }


def test_no_16_bit_speed_is_above_what_hardware_can_do() -> None:
    """Consumer cards clock above what their printed peak assumes; fp8 and fp4 jobs count on the 16-bit peak."""
    for speed in published_speeds():
        assert speed.mfu is not None
        limit = 1.6 if speed.log_bits < log2(16) else 0.8 if speed.gpu.name.startswith("RTX") else 0.75
        assert 0.05 < speed.mfu < limit, speed


@pytest.mark.parametrize(
    ("model", "gpu", "gpus", "method", "precision", "expected"),
    [
        ("LLaMA-13B", "A100", 256, "full", "bf16-mixed", ("Skywork-13B", "A800-80GB")),
        ("Llama-2-7B", "A100", 8, "full", "bf16-mixed", ("MPT-7b", "A100-80GB-SXM")),
        ("GPT-2 124M", "A100", 8, "full", "bf16-mixed", ("GPT3-125M (flash-attention repo)", "A100-80GB-SXM")),
        ("GPT-2 1.5B", "V100-32GB", 16, "full", "fp16-mixed", ("GPT 1.3B (BigScience tr3m)", "V100-32GB")),
        ("Llama-3-70B", "H100", 64, "full", "fp8", ("Llama-2-70B", "H100-80GB-SXM")),
        ("Llama-3-70B", "H100", 512, "full", "bf16-mixed", ("Llama-2-70B", "H100-80GB-SXM")),
        ("Llama-3.1-405B", "B200", 128, "full", "fp8", ("Llama-3.1-405B", "B200-180GB-SXM")),
        ("Llama-3-70B", "GB300", 72, "full", "nvfp4", ("Llama-3-70B", "GB300")),
        ("Llama-3-8B", "MI300X", 8, "full", "bf16-mixed", ("Llama-3-8B", "MI300X")),
        ("Llama-3-70B", "MI300X", 64, "full", "bf16-mixed", ("Llama-3-8B", "MI300X")),
        ("Llama-3-8B", "MI250X", 512, "full", "bf16-mixed", ("MPT-7b", "MI250")),
        ("DeepSeek-V3", "GB300", 256, "full", "bf16-mixed", ("DeepSeek-V3", "GB300")),
        ("DeepSeek-V3", "H800", 2048, "full", "fp8", ("DeepSeek-V3", "H800-80GB-SXM")),
        ("Mixtral-8x22B", "H100", 128, "full", "bf16-mixed", ("Mixtral-8x22B", "H100-80GB-SXM")),
        ("Mixtral-8x7B", "H100", 64, "full", "bf16-mixed", ("Qwen2-57B-A14B", "H100-80GB-SXM")),
        ("Qwen3-30B-A3B", "MI355X", 8, "full", "fp8", ("Qwen3-30B-A3B", "MI355X")),
        ("GPT-OSS-120B", "H100", 8, "lora", "bf16-mixed", ("GPT-OSS-120B", "H100-80GB-SXM")),
        ("Llama-3-8B", "H100", 8, "lora", "bf16-mixed", ("Llama-3-8B", "H100-80GB-SXM")),
        ("Llama-2-70B", "MI325X", 8, "lora", "fp8", ("Llama-2-70B", "MI325X")),
        ("Llama-2-7B", "RTX-3090", 1, "lora", "bf16-mixed", ("Llama-2-7B", "RTX-3090")),
        ("Qwen2.5-7B", "RTX-4090", 1, "qlora", "bf16-mixed", ("Llama-2-7B", "RTX-4090")),
        ("Llama-2-7B", "RTX-4090", 1, "lora", "bf16-mixed", ("Llama-3-8B", "RTX-4090")),
        ("Llama-3-70B", "A100", 8, "qlora", "bf16-mixed", ("Llama-2-70B", "A100-40GB-SXM")),
        ("Llama-3-8B", "L40S", 4, "lora", "bf16-mixed", ("Llama-3.2-3B", "L40S")),
    ],
)
def test_the_nearest_run(
    model: str, gpu: str, gpus: int, method: str, precision: str, expected: tuple[str, str]
) -> None:
    found = nearest(model, gpu, gpus, method, precision)
    assert len(set(found)) == 3
    assert found[0].name.startswith(expected[0])
    assert found[0].gpu == expected[1]


def test_a_run_is_named_by_what_is_not_usual() -> None:
    adapters = nearest("Llama-2-7B", "RTX-3090", 1, "qlora", "bf16-mixed")
    assert [run.name for run in adapters[:2]] == ["Llama-2-7B QLoRA", "Llama-2-7B LoRA"]
    assert nearest("Llama-2-70B", "MI325X", 8, "lora", "fp8")[0].name == "Llama-2-70B LoRA fp8"
    assert nearest("Llama-3-70B", "GB300", 64, "full", "nvfp4")[0].name == "Llama-3-70B nvfp4"


def test_old_software_is_held_against_old_runs() -> None:
    names = [
        run.name
        for run in nearest("BLOOM-176B", "A100", 384, "full", "bf16-mixed", software="legacy", sequence_length=2048)
    ]
    assert names[0] == "BLOOM-176B"
    modern = nearest("GPT-3 175B", "A100", 1024, "full", "bf16-mixed")
    assert modern[0].name == "GPT 175B (MegaScale)"


def test_long_sequences_are_held_against_long_ones() -> None:
    long, short = (
        nearest("Llama-2-7B", "H100", 64, "full", "fp8", sequence_length=length)[0] for length in (65_536, 2048)
    )
    assert (long.name, long.tokens_per_s_per_gpu) == ("Llama-2-7B fp8", 4022)
    assert short != long


def test_a_card_without_runs_shows_those_of_its_generation() -> None:
    runs = nearest("Llama-3-8B", "A100-80GB-PCIe", 8, "full", "bf16-mixed")
    assert all(run.gpu.startswith("A100") for run in runs)
    assert nearest("Llama-3-8B", "RTX-A6000", 2, "qlora", "bf16-mixed")[0].gpu == "RTX-3090"


def test_a_mixture_shows_mixtures() -> None:
    mixtures = {speed.name for speed in published_speeds() if speed.is_moe}
    for gpu in ("A100", "H100", "MI300X", "B200"):
        for model in ("Mixtral-8x7B", "DeepSeek-V3", "OLMoE-1B-7B"):
            runs = nearest(model, gpu, 64, "full", "bf16-mixed")
            assert runs[0].name in mixtures, (model, gpu)
