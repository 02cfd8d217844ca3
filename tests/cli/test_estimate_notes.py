"""What `estimate` says beside its figures: what was left open, what most likely does not run, what has no effect."""

import json
from typing import Any

import pytest

from desktop_app.cli import main

TODAY = ["--today", "2026-11-30"]
# LoRA of a 7B model on eight RTX 4090: 27.7 GiB are usual, 23.6 are there.
TOO_LARGE = [
    "--model", "Llama-2-7B", "--tokens", "1e7", "--gpus", "8", "--gpu", "RTX-4090", "--method", "lora",
    "--sequence-length", "4096", "--micro-batch", "8", "--provider", "runpod",
]  # fmt: skip


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["estimate", "--json", *TODAY, *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["estimate", *TODAY, *arguments]) == 0
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["estimate", *TODAY, *arguments]) == 2
    return capsys.readouterr().err


def said(found: dict[str, Any]) -> str:
    return " ".join(problem["message"] for problem in found["problems"])


def test_efficiency_over_the_whole_run_agrees_with_the_hours(capsys: pytest.CaptureFixture[str]) -> None:
    """312 TFLOP/s of an A100; the steady figure leaves out the practice factor, stalls and failures."""
    found = answer(capsys)
    hours = found["gpu_hours"]["base"]
    assert found["run_mfu"] == pytest.approx(found["training_flops"] / (hours * 3600 * 312e12), rel=1e-9)
    steady = found["mfu"]["base"] * found["goodput"] / found["practice_factor"]
    assert found["run_mfu"] == pytest.approx(steady, rel=1e-3)


def test_the_terminal_names_what_decides(capsys: pytest.CaptureFixture[str]) -> None:
    shown = text(capsys)
    assert "full training, bf16-mixed, sequences of 2,048 tokens, global batch 2,048" in shown
    assert " tokens/s, MFU " in shown and " over the whole run" in shown
    endless = text(capsys, "--mtbf-gpu-hours", "1")
    assert "MFU 62" in endless and "Never finishes" in endless


def test_a_job_that_most_likely_does_not_fit_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *TOO_LARGE)
    assert found["fits"] == "tight"
    assert found["memory_bytes_per_gpu"]["peak"] > found["memory_capacity_bytes"]
    assert "Most likely the job does not fit: 27." in said(found)


def test_stating_every_setting_is_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    layout = ["--tp", "1", "--pp", "1", "--micro-batch", "4", "--recompute", "none", "--software", "tuned-fused"]
    open_found, stated = answer(capsys), answer(capsys, *layout)
    assert open_found["practice_factor"] == 1.28 and stated["practice_factor"] == 1
    assert "up to 1.28 times the GPU-hours" in said(stated)
    assert "up to 1.28 times the GPU-hours" not in said(open_found)
    adapters = answer(capsys, "--method", "lora")
    assert "times the GPU-hours" not in said(adapters)


def test_a_published_run_outside_the_range_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Qwen3-30B-A3B on 8 H200 reached 5,748 tokens/s with torchtitan; the default software is faster."""
    found = answer(capsys, "--model", "Qwen3-30B-A3B", "--gpu", "H200", "--gpus", "16", "--sequence-length", "4096",
                   "--tokens", "20e9", "--price-usd-per-gpu-hour", "3")  # fmt: skip
    assert "on 8 GPUs of this kind reached 5,748 tokens/s per GPU, outside the range" in said(found)
    assert "outside the range" not in said(answer(capsys))


def test_a_sequence_beyond_the_published_length_is_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    assert "up to 2,048 tokens; training at 4,096" in said(answer(capsys, "--sequence-length", "4096"))


def test_a_single_gpu_is_not_told_to_use_fewer(capsys: pytest.CaptureFixture[str]) -> None:
    job = ["--model", "Gemma-2B", "--gpus", "1", "--sequence-length", "512", "--global-batch", "1"]
    told = said(answer(capsys, *job))
    assert "too few to keep it busy" in told and "fewer GPUs" not in told


def test_choices_about_adapters_do_nothing_in_full_training(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(answer(capsys, "--lora-rank", "64", "--base-precision", "nf4"))
    assert 'the choice "LoRA rank" is not used' in told and 'the choice "Precision of the frozen base"' in told
    assert "is not used" not in said(answer(capsys, "--method", "lora", "--lora-rank", "64"))


def test_a_run_of_a_second_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """Starting takes two minutes and training a second: nearly all is start-up, and it is no endless run."""
    found = answer(
        capsys, "--model", "Pythia-160M", "--method", "lora", "--tokens", "1e6", "--gpus", "64", "--gpu", "H100"
    )
    assert 1 < found["gpu_hours"]["base"] < 4
    assert 0 < found["goodput"] < 0.05


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--tokens=--",), '--tokens: "--" is not a number.'),
        (("--today=--",), '"--" is not a date'),
        (("--mfu", "120%"), "Enter at most 100 %."),
        (("--mfu", "38"), "write 0.38 or 38% for 38 %"),
        (("--micro-batch", "4", "--global-batch", "256", "--gpus", "256", "--tp", "1", "--pp", "1"),
         "Choose a multiple of 1,024, or a smaller micro-batch."),
        (("--interleave", "2", "--gpus", "1"), "need pipeline parallelism"),
        (("--interleave", "40", "--gpus", "64"), "cannot be split into 80 chunks"),
        (("--tp", "3", "--gpus", "3"), "Choose a tensor-parallel size that divides 40."),
    ],
)  # fmt: skip
def test_refusals_say_what_to_do(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal(capsys, *arguments)
