"""Whole runs: steps, failures, checkpoints, days and GPU-hours."""

import math

import pytest

from desktop_app.estimation.goodput import CONSTANTS, FORMULAS, GIVEN, run_constant, whole_run

LLAMA_13B = {"tokens": 1e12, "global_batch": 2048, "sequence_length": 2048, "step_time_s": 7.0, "gpus": 256}


def test_keys_are_those_the_ledger_uses() -> None:
    assert (*GIVEN, *CONSTANTS) == (
        "tokens", "global_batch", "sequence_length", "step_time_s", "gpus",
        "mtbf_gpu_hours", "checkpoint_write_s", "restart_hours", "stall_share",
    )  # fmt: skip
    assert [formula.key for formula in FORMULAS] == [
        "steps", "net_hours", "mtbf_hours", "checkpoint_interval_s", "goodput", "wall_hours", "wall_days",
        "run_gpu_hours", "gpu_hours", "lost_gpu_hours",
    ]  # fmt: skip


def test_every_formula_reads_only_what_stands_before_it() -> None:
    known = {*GIVEN, *CONSTANTS}
    for formula in FORMULAS:
        assert set(formula.expression.references()) <= known, formula.key
        known.add(formula.key)


def test_constants_have_sources() -> None:
    value, source = run_constant("mtbf_gpu_hours")
    assert value == 50_700
    hours_per_stop = 54 * 24 * 16_384 / 419  # 419 stops in 54 days on 16,384 GPUs
    assert hours_per_stop == pytest.approx(value, rel=0.001)
    assert "2407.21783" in source.name


def test_by_hand() -> None:
    run = whole_run(LLAMA_13B)
    assert run["steps"] == 238_419  # 1e12 / (2048 * 2048) = 238,418.58
    assert run["net_hours"] == pytest.approx(238_419 * 7 / 3600)
    mtbf_hours = 50_700 / 256
    interval_s = math.sqrt(2 * 15 * mtbf_hours * 3600)
    assert run["checkpoint_interval_s"] == pytest.approx(interval_s)
    loss = 15 / interval_s + (interval_s / 7200 + 0.1) / mtbf_hours
    assert run["goodput"] == pytest.approx(0.99 / (1 + loss))
    assert run["gpu_hours"] == pytest.approx(256 * 238_419 * 7 / 3600 / (0.99 / (1 + loss)))
    assert run["run_gpu_hours"] + run["lost_gpu_hours"] == pytest.approx(run["gpu_hours"])  # type: ignore[operator]
    assert run["wall_days"] == pytest.approx(run["wall_hours"] / 24)  # type: ignore[operator]


@pytest.mark.parametrize(("gpus", "low", "high"), [(1, 0.985, 0.99), (1024, 0.97, 0.98), (16_384, 0.90, 0.92)])
def test_goodput_falls_with_the_number_of_gpus(gpus: int, low: float, high: float) -> None:
    """Llama 3 reports more than 90 % effective time on 16,384 GPUs (arXiv 2407.21783)."""
    assert low < whole_run({**LLAMA_13B, "gpus": gpus})["goodput"] < high  # type: ignore[operator]


def test_a_job_of_minutes_on_one_gpu_loses_next_to_nothing() -> None:
    run = whole_run({"tokens": 1e6, "global_batch": 8, "sequence_length": 512, "step_time_s": 1.0, "gpus": 1})
    assert run["steps"] == 245
    assert run["lost_gpu_hours"] < 0.015 * run["gpu_hours"]  # type: ignore[operator]


def test_constants_can_be_replaced_and_unknowns_stay_unknown() -> None:
    worse = whole_run({**LLAMA_13B, "mtbf_gpu_hours": 5000})
    assert worse["gpu_hours"] > whole_run(LLAMA_13B)["gpu_hours"]  # type: ignore[operator]
    assert whole_run({**LLAMA_13B, "step_time_s": None})["gpu_hours"] is None


def test_columns_give_the_same_answers() -> None:
    import numpy

    gpus = numpy.array([8.0, 256.0, 4096.0])
    column = whole_run({**LLAMA_13B, "gpus": gpus}, numpy)["wall_days"]
    alone = [whole_run({**LLAMA_13B, "gpus": count})["wall_days"] for count in gpus]
    assert list(column) == pytest.approx(alone)  # type: ignore[arg-type]
