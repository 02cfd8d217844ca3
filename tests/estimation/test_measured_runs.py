"""The published speeds that an estimate is held against."""

import pytest

from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.measured_runs import closest_measured_runs, published_speeds
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of


def test_the_table_is_varied_and_shippable() -> None:
    speeds = published_speeds()
    assert 60 <= len(speeds) <= 120
    assert len({speed.gpu.name for speed in speeds}) >= 14
    assert {speed.method for speed in speeds} == {"full", "lora", "qlora"}
    assert not any("vTrain" in speed.source for speed in speeds)
    assert all(speed.source and speed.as_of >= "2021" for speed in speeds)


def test_no_16_bit_speed_is_above_what_hardware_can_do() -> None:
    for speed in published_speeds():
        assert speed.mfu is not None
        assert 0.05 < speed.mfu < (0.75 if speed.bits == 16 else 1.6), speed  # fp8 and fp4 jobs on the 16-bit peak


@pytest.mark.parametrize(
    ("model", "gpu", "gpus", "method", "precision", "expected"),
    [
        ("Llama-3-70B", "H100", 64, "full", "fp8", ("Llama-3-70B", "H100-80GB-SXM")),
        ("Llama-2-7B", "RTX-4090", 1, "lora", "bf16-mixed", ("Llama-3-8B", "RTX-4090")),
        ("DeepSeek-V3", "GB300", 256, "full", "bf16-mixed", ("DeepSeek-V3", "GB300")),
        ("BLOOM-176B", "A100", 384, "full", "bf16-mixed", ("BLOOM-176B", "A100-80GB-SXM")),
    ],
)
def test_the_nearest_run(model: str, gpu: str, gpus: int, method, precision, expected: tuple[str, str]) -> None:
    shape = shape_of(model_named(model))
    nearest = closest_measured_runs(shape, gpu_named(gpu), gpus, method, precision)
    assert len(nearest) == 3
    assert (nearest[0].name, nearest[0].gpu) == expected


def test_size_of_a_mixture_is_what_works_on_a_token() -> None:
    shape = shape_of(model_named("Mixtral-8x22B"))
    names = [run.name for run in closest_measured_runs(shape, gpu_named("H100"), 128, "full", "bf16-mixed")]
    assert names[0] == "Mixtral-8x22B"
