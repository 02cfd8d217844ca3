"""How sure an estimate is, and that every constant says where it comes from."""

import math

import pytest

from desktop_app.estimation.calibration import (
    constant,
    constants,
    gpu_hours_range,
    is_measured,
    regime_of,
    run_overhead_range,
    speed_notes,
    speed_range_factor,
)
from desktop_app.estimation.gpus import gpu_named, gpus
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob

DENSE, EXPERTS = shape_of(model_named("LLaMA-13B")), shape_of(model_named("Mixtral-8x7B"))


def test_constants_are_positive_and_explained() -> None:
    for name, row in constants().items():
        assert row.value > 0, name
        assert row.meaning, name
        assert row.pinned_by, name
        assert row.width is None or row.width > 0, name


def test_an_unknown_constant_is_our_bug() -> None:
    with pytest.raises(KeyError):
        constant("speed_of_light")


@pytest.mark.parametrize(
    ("job", "shape", "gpu", "known", "regime"),
    [
        ({}, DENSE, "A100", True, "layout_known"),
        ({}, DENSE, "A100", False, "layout_chosen"),
        ({}, DENSE, "T4", True, "new_gpu"),
        ({"precision": "fp32"}, DENSE, "A100", True, "new_gpu"),
        ({"method": "lora"}, DENSE, "A100", True, "finetune"),
        ({"method": "lora"}, DENSE, "A10", True, "new_gpu"),
        ({}, EXPERTS, "MI300X", True, "moe"),
        ({"mfu": 0.4}, EXPERTS, "MI300X", True, "efficiency_given"),
    ],
)
def test_the_regime_is_the_least_certain_one(job: dict, shape, gpu: str, known: bool, regime: str) -> None:
    assert regime_of(TrainingJob(**job), shape, gpu_named(gpu), known) == regime


def test_ranges_widen_as_less_is_known() -> None:
    order = ("efficiency_given", "layout_known", "layout_chosen", "new_gpu", "moe")
    factors = [speed_range_factor(regime) for regime in order]
    assert factors == sorted(factors)
    assert speed_range_factor("finetune") == 1.27


def test_the_range_of_a_whole_run_is_wider_than_that_of_the_speed_and_skewed() -> None:
    low, high = run_overhead_range()
    p10, p90 = gpu_hours_range(speed_range_factor("layout_chosen"))
    assert p10 < low
    assert p90 > high
    assert math.log(p90) > -math.log(p10)
    assert (p10, p90) == pytest.approx((0.68, 1.59), abs=0.03)  # holds 84 % of 44 published dense runs


def test_a_gpu_that_nobody_measured_is_named() -> None:
    (note,) = speed_notes(TrainingJob(), gpu_named("A10"))
    assert (note.key, note.severity, note.values["gpu"]) == ("problem.gpu_not_measured", "note", "A10")
    assert speed_notes(TrainingJob(), gpu_named("A100")) == ()
    assert [note.key for note in speed_notes(TrainingJob(precision="fp32"), gpu_named("A100"))] == [
        "problem.precision_not_measured"
    ]
    assert sum(is_measured(gpu) for gpu in gpus()) == 37
