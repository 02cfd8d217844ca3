"""Validation tables of our own making: a row is answered, an odd cell never stops the others."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.estimation.parameters import count
from desktop_app.estimation.validation import run_setup, runs, throughput

# IBM's production run of Llama-2-7B on 128 A100 (foundation-model-stack/fms-fsdp README).
SPEED = {
    "id": "a", "source_group": "fms", "model_name": "Llama-2-7B", "layers": "32", "hidden": "4096", "heads": "32",
    "kv_heads": "32", "ffn": "11008", "gated_mlp": "1", "vocab": "32000", "seq_len": "4096", "gpu": "A100-80GB-SXM",
    "n_gpus": "128", "gpus_per_node": "8", "interconnect": "400 Gb/s per node", "precision": "bf16",
    "framework": "PyTorch FSDP (fms-fsdp)", "tp": "1", "pp": "1", "zero_stage": "fsdp", "flash_attention": "1",
    "tokens_per_s_per_gpu": "3700", "kind": "pretrain", "quality": "primary",
}  # fmt: skip
# LLaMA-65B (arXiv 2302.13971, table 15).
RUN = {
    "id": "b", "source_group": "llama1", "model": "LLaMA-65B", "params_b": "65.2", "tokens_b": "1400",
    "seq_len": "2048", "gpu": "A100-80GB-SXM", "n_gpus": "2048", "gpu_hours": "1022362", "wall_days": "21",
    "kind": "pretrain", "quality": "primary",
}  # fmt: skip
ODD = ("", "0", "-1", "nan", "inf", "1e300", "1e-9", "99999999", "abc")


def write(path: Path, columns: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def speeds(folder: Path, *rows: dict[str, str]) -> list:
    write(folder / "throughput.csv", throughput.COLUMNS, list(rows))
    return throughput.rows(folder)


def whole_runs(folder: Path, *rows: dict[str, str]) -> list:
    write(folder / "runs.csv", runs.COLUMNS, list(rows))
    return runs.rows(folder)


def test_a_speed_is_answered_with_its_range(tmp_path: Path) -> None:
    (row,) = speeds(tmp_path, SPEED)
    assert (row.status, row.quantity, row.published) == ("ok", "tokens_per_s_per_gpu", 3700)
    assert row.ratio == pytest.approx(1, abs=0.15)
    assert row.predicted / row.low == pytest.approx(1.21)  # its batch is not published: the layout is not known
    assert row.note == "pretrain-dense; tuned-eager"


def test_a_speed_published_as_mfu_is_answered_as_mfu(tmp_path: Path) -> None:
    (row,) = speeds(tmp_path, {**SPEED, "tokens_per_s_per_gpu": "", "mfu_pct": "55"})
    assert row.quantity == "mfu_pct"
    assert 45 < row.predicted < 65


def test_a_row_that_offloads_is_slower(tmp_path: Path) -> None:
    (plain,) = speeds(tmp_path, SPEED)
    (offloaded,) = speeds(tmp_path, {**SPEED, "notes": "CPU offload"})
    assert offloaded.predicted < plain.predicted


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"quality": "suspect"}, "unsupported", "suspect"),
        ({"model_name": "Nemotron (hybrid Mamba)"}, "unsupported", "state-space"),
        ({"tokens_per_s_per_gpu": "", "iter_time_s": "0.2"}, "unsupported", "a step time without"),
        ({"layers": "", "model_name": "nobody knows"}, "unsupported", "layers not stated"),
        ({"framework": "Something new"}, "unsupported", "has no class"),
        ({"gpu": "TPU-v4"}, "refused", "no model of how fast TPU-v4 trains"),
        ({"gpu": "Z1"}, "refused", "no GPU called"),
        ({"precision": "fp8"}, "refused", "cannot compute in fp8"),
    ],
)
def test_what_is_not_answered_says_why(tmp_path: Path, change: dict[str, str], status: str, reason: str) -> None:
    (row,) = speeds(tmp_path, {**SPEED, **change})
    assert (row.status, row.predicted, row.low) == (status, None, None)
    assert reason in row.note


def test_a_run_is_answered_in_hours_and_days(tmp_path: Path) -> None:
    hours, days = whole_runs(tmp_path, RUN)
    assert (hours.quantity, days.quantity) == ("gpu_hours", "wall_days")
    assert hours.low < 1_022_362 < hours.high
    assert hours.predicted == pytest.approx(days.predicted * 24 * 2048)


def test_a_run_without_tokens_is_not_answered(tmp_path: Path) -> None:
    (row,) = whole_runs(tmp_path, {**RUN, "tokens_b": "", "n_gpus": ""})
    assert (row.status, row.note) == ("unsupported", "pretrain-dense; number of tokens not published")


def test_a_mixture_is_a_dense_model_of_its_active_part_times_a_factor(tmp_path: Path) -> None:
    dense, mixture = whole_runs(
        tmp_path, {**RUN, "params_b": "7", "wall_days": ""}, {**RUN, "active_params_b": "7", "wall_days": ""}
    )
    assert mixture.predicted == pytest.approx(1.35 * dense.predicted, rel=0.05)
    assert mixture.note.startswith("pretrain-moe")


@pytest.mark.parametrize(("params", "layers", "hidden"), [(6.7e9, 32, 4096), (13e9, 40, 5120), (175e9, 96, 12_288)])
def test_a_shape_from_the_size_alone(params: float, layers: int, hidden: int) -> None:
    model = run_setup.model_of_size(params)
    assert (model.layers, model.hidden_size) == pytest.approx((layers, hidden), rel=0.07)
    assert count(model).total == pytest.approx(params, rel=0.05)


def test_a_run_of_a_known_network_has_its_shape_and_says_so(tmp_path: Path) -> None:
    known, guessed = whole_runs(tmp_path, {**RUN, "wall_days": ""}, {**RUN, "wall_days": "", "model": "Unheard-of"})
    assert known.note == "pretrain-dense; shape of LLaMA-65B; layout chosen"
    assert guessed.note == "pretrain-dense; shape guessed from the size; layout chosen"
    assert known.predicted == pytest.approx(guessed.predicted, rel=0.15)


@pytest.mark.parametrize(
    ("name", "params_b", "preset"),
    [
        ("Llama 2 7B replica (IBM)", 6.738, "Llama-2-7B"),
        ("GPT-2 1558M (llm.c)", 1.558, "GPT-2 1.5B"),
        ("modded-nanogpt GPT-2 124M speedrun, record 1 (llm.c)", 0.124, "GPT-2 124M"),
        ("DeepSeek-V3 pre-training", 671, "DeepSeek-V3"),
        ("Llama 2 7B", 13.0, None),  # the size says that it is another
        ("Skywork-13B", 13.9, None),
    ],
)
def test_which_preset_a_run_is_of(name: str, params_b: float, preset: str | None) -> None:
    found = run_setup.preset_of(name, params_b * 1e9, mixture=name.startswith("DeepSeek-V3"))
    assert (found.name if found else None) == preset


@pytest.mark.parametrize(
    ("change", "tokens"),
    [
        ({"tokens_b": "1400"}, 1.4e12),
        ({"tokens_b": "", "notes": "tokens seen 150k steps x 3.15M = 472B in the paper"}, 472e9),
        ({"tokens_b": "4000", "notes": "4 epochs of 1T tokens"}, 4e12),
        ({"tokens_b": "0.0047", "kind": "finetune", "model": "s1-32B (1k examples, 5 epochs)"}, 23.5e6),
        ({"tokens_b": "", "kind": "finetune", "notes": "2 epochs, 2k Alpaca examples, bf16"}, 2 * 2000 * 125),
        ({"tokens_b": "", "kind": "finetune", "notes": "2 epochs, 2k examples"}, 0),
    ],
)
def test_the_tokens_of_a_run(change: dict[str, str], tokens: float) -> None:
    assert run_setup.tokens_of({**RUN, "notes": "", **change}) == pytest.approx(tokens)


def test_a_size_that_only_the_operations_tell(tmp_path: Path) -> None:
    # nanochat d24: 4.3308e19 FLOP over 8.76B tokens (karpathy/nanochat)
    cells = {**RUN, "params_b": "", "tokens_b": "8.76", "notes": "16,704 steps, 4.3308e19 FLOP, 10,949 s"}
    assert run_setup.params_of(cells) == pytest.approx(0.824e9, rel=0.001)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(throughput.COLUMNS)), st.sampled_from(ODD), max_size=5))
def test_odd_cells_of_a_speed_never_raise(tmp_path_factory, change: dict[str, str]) -> None:
    (row,) = speeds(tmp_path_factory.mktemp("speeds"), {**SPEED, **change})
    assert (row.status == "ok") == (row.predicted is not None)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(runs.COLUMNS)), st.sampled_from(ODD), max_size=5))
def test_odd_cells_of_a_run_never_raise(tmp_path_factory, change: dict[str, str]) -> None:
    for row in whole_runs(tmp_path_factory.mktemp("runs"), {**RUN, **change}):
        assert (row.status == "ok") == (row.predicted is not None)
