"""The table of accelerators: dense peaks, usable memory, links, and the names people write."""

import pytest

from desktop_app.estimation.gpus import gpu_named, gpu_names, gpu_rows, gpus, resolve_gpu
from desktop_app.estimation.table_files import table
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.units import BYTES_PER_GIB

# Dense 16-bit peaks in TFLOP/s as the makers print them (without 2:4 sparsity; consumer cards with fp32 accumulate).
DENSE_PEAKS = {
    "V100-32GB": 125, "T4": 65, "A10G": 70, "A40": 149.7, "A100-80GB-SXM": 312, "A800-80GB": 312, "L4": 121,
    "L40S": 362, "H100-80GB-SXM": 989.4, "H100-80GB-PCIe": 756, "H200-141GB-SXM": 989.4, "H20-96GB": 148,
    "B200-180GB-SXM": 2250, "GB200": 2500, "MI250X": 383, "MI300X": 1307.4, "RTX-3090": 71.2, "RTX-4090": 165.2,
    "TPU-v4": 275, "TPU-v5p": 459, "Trainium2": 667,
}  # fmt: skip


@pytest.mark.parametrize(("name", "tflops"), DENSE_PEAKS.items())
def test_peaks_are_dense(name: str, tflops: float) -> None:
    assert gpu_named(name).peak_dense_bf16_flops == pytest.approx(tflops * 1e12)


def test_no_peak_counts_sparsity() -> None:
    for gpu in gpus():
        if gpu.peak_dense_fp8_flops is not None:
            assert gpu.peak_dense_fp8_flops <= 2.05 * gpu.peak_dense_bf16_flops, gpu.name


def test_links_are_one_way() -> None:
    """NVLink data sheets add both directions: 600 and 900 GB/s are 300 and 450 each way."""
    assert gpu_named("A100-80GB-SXM").link_bytes_per_s_one_way == 300e9
    assert gpu_named("H100-80GB-SXM").link_bytes_per_s_one_way == 450e9
    assert gpu_named("RTX-4090").link_bytes_per_s_one_way == 32e9  # PCIe 4.0 x16
    assert gpu_named("RTX-4090").link_domain_gpus == 1


def test_usable_memory() -> None:
    """What PyTorch prints as total capacity: 79.2 GiB of 80, 23.6 of 24, 14.7 of 16."""
    for name, gib in (("A100-80GB-SXM", 79.2), ("RTX-3090", 23.6), ("T4", 14.7), ("H200-141GB-SXM", 139.8)):
        assert gpu_named(name).usable_memory_bytes == pytest.approx(gib * BYTES_PER_GIB)
    assert all(0.9 * gpu.memory_bytes < gpu.usable_memory_bytes < gpu.memory_bytes for gpu in gpus())


def test_efficiency_times_peak_stays_as_fitted() -> None:
    """GB200's data sheet says 2,500 TFLOP/s; its efficiency was fitted on 2,450."""
    gpu = gpu_named("GB200")
    assert (gpu.peak_dense_bf16_flops, gpu.speed_peak_flops) == (2500e12, 2450e12)
    assert gpu_named("H100").speed_peak_flops == gpu_named("H100").peak_dense_bf16_flops


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("H100", "H100-80GB-SXM"), ("H100-SXM", "H100-80GB-SXM"), ("h100 sxm5 80gb", "H100-80GB-SXM"),
        ("NVIDIA H100 80GB HBM3", "H100-80GB-SXM"), ("RTX 4090", "RTX-4090"), ("GeForce RTX 4090", "RTX-4090"),
        ("A100 80G", "A100-80GB-SXM"), ("a100-80gb", "A100-80GB-SXM"), ("NVIDIA A100-SXM4-80GB", "A100-80GB-SXM"),
        ("A100 40GB", "A100-40GB-SXM"), ("mi300x", "MI300X"), ("AMD Instinct MI300X", "MI300X"), ("A10G", "A10G"),
        ("a10", "A10"), ("Tesla V100-SXM2-32GB", "V100-32GB"), ("gb200 nvl72", "GB200"),
        ("RTX 6000 Ada", "RTX-6000-Ada"),
    ],
)  # fmt: skip
def test_names_people_write(text: str, name: str) -> None:
    assert gpu_named(text).name == name


def test_every_name_and_alias_is_found_and_unambiguous() -> None:
    for name in gpu_names():
        if name != "Gaudi1":
            assert resolve_gpu(name) == (gpu_named(name), None)
    aliases = table("gpu_aliases")
    assert all(gpu_named(row["alias"]).name == row["name"] for row in aliases)


def test_an_ambiguous_name_takes_the_default_and_says_so() -> None:
    gpu, note = resolve_gpu("A100")
    assert gpu.name == "A100-80GB-SXM"
    assert note is not None
    assert (note.severity, note.values["value"]) == ("note", "A100-80GB-SXM")
    assert "A100-40GB-SXM" in str(note.values["other"])


def test_an_unknown_name_suggests_near_ones() -> None:
    with pytest.raises(UserError) as caught:
        gpu_named("H1000")
    problem = caught.value.problems[0]
    assert (problem.field, problem.key) == ("gpu", "problem.unknown_gpu")
    assert "H100-80GB-SXM" in str(problem.values["names"])
    with pytest.raises(UserError) as caught:
        gpu_named("abacus")
    assert caught.value.problems[0].key == "problem.unknown_gpu_no_hint"


def test_an_accelerator_without_a_published_peak_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        gpu_named("gaudi1")
    assert caught.value.problems[0].key == "problem.gpu_no_peak"


def test_every_gpu_has_a_class_and_every_other_accelerator_has_none() -> None:
    classes = {row["name"] for row in table("efficiency_classes")}
    for row in gpu_rows():
        assert (row["efficiency_class"] in classes) == (row["kind"] == "gpu"), row["name"]


def test_every_row_of_every_table_has_source_and_date() -> None:
    """`table` refuses a row without them; reading each one is the test."""
    names = (
        "gpus", "gpu_aliases", "constants", "efficiency_classes", "software_classes", "run_frameworks", "measured_runs",
        "run_datasets", "case_frameworks", "case_remarks",
    )  # fmt: skip
    assert all(table(name) for name in names)
