"""Our equations against a reference implementation of them, part by part, for every published row of training speed."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.estimation.calibration import constant, generation_of
from desktop_app.estimation.flops import ATTENTION_FLOPS, flops_per_token, mfu
from desktop_app.estimation.step_time import StepTime, step_time, tokens_per_s_per_gpu
from desktop_app.estimation.validation.throughput_setup import Setup, setup_of

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "validation"
pytestmark = pytest.mark.skipif(
    not (FOLDER / "step_time_reference.csv").exists(), reason="the reference data (../shared/validation) is not here"
)
PARTS = {
    "t_linear_s": "linear_s",
    "t_attention_s": "attention_s",
    "t_elementwise_s": "elementwise_s",
    "t_tensor_parallel_s": "tensor_parallel_s",
    "t_launch_floor_s": "launch_floor_s",
    "t_gpu_s": "gpu_s",
    "t_head_s": "head_s",
    "t_data_parallel_exposed_s": "data_parallel_exposed_s",
    "t_optimizer_s": "optimizer_s",
    "step_time_s": "step_s",
}
ASSUMED = {
    "micro_batch_used": "micro_batch",
    "micro_batches_used": "accumulation",
    "interleave_used": "interleave",
    "full_recompute_used": "full_recompute",
    "selective_used": "selective_recompute",
    "sequence_parallel_used": "sequence_parallel",
}


def cells(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def cases() -> list[tuple[dict[str, str], Setup, StepTime]]:
    """The 780 rows with our setup and time, on the network that the reference assumed (ours is physical for NVL72)."""
    reference = {row["id"]: row for row in cells("step_time_reference.csv")}
    found = []
    for row in cells("throughput.csv"):
        if row["id"] in reference:
            setup = setup_of(row)
            network = float(reference[row["id"]]["network_gb_s_per_node_used"]) * 1e9 * constant("network_usable")
            setup = replace(setup, settings=replace(setup.settings, network_bytes_per_s_per_node=network))
            found.append((reference[row["id"]], setup, step_time(setup.shape, setup.settings, setup.plan)))
    assert len(found) == 780
    return found


@pytest.mark.parametrize("column", PARTS)
def test_every_part_within_one_percent(cases: list, column: str) -> None:
    ours = [getattr(time, PARTS[column]) for _, _, time in cases]
    assert ours == pytest.approx([float(reference[column]) for reference, _, _ in cases], rel=0.01, abs=1e-7)


def test_the_bubble_within_one_percent(cases: list) -> None:
    """The reference counts the stage alone; ours adds transfers and the overhead of a micro-batch."""
    for reference, setup, time in cases:
        plan = setup.plan
        stage = (time.compute_s + time.tensor_parallel_s) / plan.accumulation
        ours = (plan.pp - 1) / plan.interleave * stage
        assert ours == pytest.approx(float(reference["t_pipeline_bubble_s"]), rel=0.01, abs=1e-7), reference["id"]
        assert time.pipeline_bubble_s >= ours


def test_speed_within_one_percent(cases: list) -> None:
    for reference, setup, time in cases:
        speed = tokens_per_s_per_gpu(setup.settings, setup.plan, time.step_s)
        assert speed == pytest.approx(float(reference["tokens_per_s_per_gpu"]), rel=0.01), reference["id"]


@pytest.mark.parametrize("column", ASSUMED)
def test_what_a_row_does_not_state_is_assumed_alike(cases: list, column: str) -> None:
    ours = [getattr(setup.plan, ASSUMED[column]) for _, setup, _ in cases]
    assert ours == pytest.approx([float(reference[column]) for reference, _, _ in cases], rel=1e-3)


def test_no_16_bit_row_is_faster_than_its_matrix_products(cases: list) -> None:
    """Model MFU with attention at its causal half stays below the efficiency of the class."""
    for reference, setup, time in cases:
        job, gpu = setup.job, setup.cluster.gpu
        if job.method != "full" or setup.shape.experts or "16" not in job.precision:
            continue
        shape, length = setup.shape, job.sequence_length
        causal = flops_per_token(shape, length) - ATTENTION_FLOPS / 2 * shape.layers * shape.query_width * length
        speed = tokens_per_s_per_gpu(setup.settings, setup.plan, time.step_s)
        share = mfu(causal, speed, gpu.speed_peak_flops)
        assert share < constant(f"gemm_efficiency.{gpu.efficiency_class}"), reference["id"]
        assert generation_of(gpu)


def test_worse_machines_are_never_faster(cases: list) -> None:
    for reference, setup, time in cases:
        shape, own, plan = setup.shape, setup.settings, setup.plan
        worse = (
            step_time(shape, replace(own, network_bytes_per_s_per_node=own.network_bytes_per_s_per_node / 2), plan),
            step_time(shape, replace(own, link_bytes_per_s=own.link_bytes_per_s / 2), plan),
            step_time(replace(shape, vocab=2 * shape.vocab), own, plan),
            step_time(shape, own, replace(plan, full_recompute=1.0)),
        )
        assert all(other.step_s >= time.step_s * (1 - 1e-12) for other in worse), reference["id"]
