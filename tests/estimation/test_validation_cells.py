"""Cells of a validation table that cannot be: the row is refused, and its reason names the column."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_validation_tables import SOUND, columns_of, rows_of, text_of

from desktop_app.estimation.validation.cell_rules import number_in
from desktop_app.estimation.validation.rows import ValidationRow, checked

LORA = {"method": "lora", "lora_r": "16", "lora_targets": "q_proj+v_proj", "lora_adapter_dtype": "fp32"}
FSDP = {"sharding": "FSDP2 (per decoder layer + root)", "precision": "fsdp2_mp_bf16", "world_size": "8"}
# Llama-2-7B on 512 GPUs as Megatron lays it out.
LAID_OUT = {"zero_stage": "1", "n_gpus": "512", "tp": "8", "pp": "4", "cp": "1", "micro_batch": "1"}
NUMBERS = {
    "throughput": (
        "layers", "hidden", "heads", "kv_heads", "ffn", "gated_mlp", "vocab", "seq_len", "moe_experts", "moe_topk",
        "moe_ffn", "active_params_b", "n_gpus", "gpus_per_node", "tp", "pp", "cp", "ep", "virtual_pp",
        "sequence_parallel", "micro_batch", "global_batch_sequences", "flash_attention", "tflops_per_gpu", "mfu_pct",
        "tokens_per_s_per_gpu", "iter_time_s",
    ),
    "runs": ("params_b", "active_params_b", "tokens_b", "seq_len", "n_gpus", "gpu_hours", "wall_days"),
    "params": ("total_params", "active_params_per_token", "vision_and_projector_params"),
    "memory": ("world_size", "micro_batch", "seq", "grad_accum", "lora_r", "peak_bytes", "fwd_peak_bytes"),
    "memory_published": ("micro_batch", "grad_accum", "seq", "lora_r", "n_gpus", "peak_gb_per_gpu"),
    "cases": ("seq_len", "micro_batch", "n_gpus", "tokens_b", "truth_value", "tolerance", "params_b"),
    "published_footprints": (
        "gpu_hours", "power_w_per_gpu", "pue", "energy_mwh", "intensity_g_per_kwh", "tco2e_location",
    ),
}  # fmt: skip
WORDS = {
    "throughput": ("precision", "zero_stage", "recompute", "kind", "quality"),
    "runs": ("quality",),
    "params": (),
    "memory": (
        "method", "precision", "attention", "padding_mask", "gradient_checkpointing", "optimizer", "lora_targets",
        "lora_adapter_dtype", "sharding",
    ),
    "memory_published": ("grad_checkpointing", "lora_targets", "sharding"),
    "cases": ("method", "precision", "optimizer", "zero", "grad_ckpt", "unit"),
    "published_footprints": (),
}  # fmt: skip
COUNTED = {
    "throughput": ("layers", "seq_len", "n_gpus", "tp", "pp", "cp", "ep", "micro_batch", "global_batch_sequences"),
    "runs": ("seq_len", "n_gpus"),
    "params": ("total_params",),
    "memory": ("world_size", "micro_batch", "seq", "grad_accum"),
    "memory_published": ("micro_batch", "grad_accum", "seq", "lora_r", "n_gpus"),
    "cases": ("seq_len", "micro_batch", "n_gpus"),
    "published_footprints": (),
}


def rows_with(folder: Path, table: str, **change: str) -> list[ValidationRow]:
    return rows_of(folder, table, text_of(table, {**SOUND[table], **change}).encode())


def refused_for(folder: Path, table: str, column: str, text: str) -> None:
    rows = rows_with(folder, table, **{column: text})
    assert rows, (table, column, text)
    for row in rows:
        assert (row.status, row.predicted, row.low, row.high) == ("refused", None, None, None), (column, text, row)
        assert row.note.removeprefix("metered; ").startswith(f'{column} is "{text}", '), row.note


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in NUMBERS for column in NUMBERS[table]])
def test_text_where_a_number_belongs_is_not_passed_over(tmp_path: Path, table: str, column: str) -> None:
    for text in ("abc", "-1", "nan", "inf", "1_000", "１２８", "1,5", "0x10", "1e999", "128 GPUs"):
        refused_for(tmp_path, table, column, text)
    refused_for(tmp_path, table, column, "1e300")


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in WORDS for column in WORDS[table]])
def test_words_of_no_table_are_not_taken_as_a_default(tmp_path: Path, table: str, column: str) -> None:
    for text in ("abc", "7", "none of these"):
        refused_for(tmp_path, table, column, text)


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in COUNTED for column in COUNTED[table]])
def test_what_is_counted_is_whole_and_at_least_one(tmp_path: Path, table: str, column: str) -> None:
    for text in ("0", "0.5", "1.5", "1e18"):
        refused_for(tmp_path, table, column, text)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"n_gpus": "1000", "tp": "4", "cp": "3"}, "n_gpus is 1000, no multiple of tp x pp x cp = 48"),
        ({"n_gpus": "16"}, "n_gpus is 16, fewer than tp x pp x cp = 32"),
        ({"pp": "64"}, "pp is 64, more than the 32 layers"),
        ({"virtual_pp": "16"}, "virtual_pp is 16, more chunks over pp = 4 than the 32 layers"),
        ({"tp": "3", "n_gpus": "384"}, "tp is 3, which does not divide the 32 heads"),
        ({"ep": "8"}, "ep without experts"),
        ({"ep": "1024"}, "ep is 1024, more than the 512 GPUs"),
        ({"gpus_per_node": "1e300"}, "gpus_per_node is"),
        (
            {"interconnect": "0 Gb/s per node"},
            'interconnect is "0 Gb/s per node", whose Gb/s per node are not from 0.001',
        ),
        ({"interconnect": "9999999 Gb/s per node"}, "interconnect is"),
        ({"model_name": "x", "heads": "8192", "kv_heads": "8192"}, "heads is 8192, more than hidden = 4096"),
    ],
)
def test_a_layout_that_cannot_run(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    assert [row.status for row in rows_with(tmp_path, "throughput", **LAID_OUT)] == ["ok"]
    (row,) = rows_with(tmp_path, "throughput", **{**LAID_OUT, **change})
    assert (row.status, row.predicted) == ("refused", None)
    assert reason in row.note


def test_a_figure_beyond_all_that_can_be(tmp_path: Path) -> None:
    refused_for(tmp_path, "throughput", "mfu_pct", "401")
    refused_for(tmp_path, "runs", "gpu_hours", "1e30")
    refused_for(tmp_path, "memory", "peak_bytes", "1e30")


def test_experts_without_their_sizes_are_not_guessed(tmp_path: Path) -> None:
    (row,) = rows_with(tmp_path, "throughput", model_name="x", moe_experts="8", moe_topk="2")
    assert (row.status, row.note) == ("unsupported", "pretrain-moe; moe_ffn not stated")


@pytest.mark.parametrize("pp", ["3", "5", "12"])
def test_layers_need_not_split_evenly(tmp_path: Path, pp: str) -> None:
    # BLOOM candidates of 70 layers ran on 12 stages (bigscience chronicles-prequel)
    changes = {**LAID_OUT, "pp": pp, "n_gpus": str(8 * int(pp) * 4)}
    (row,) = rows_with(tmp_path, "throughput", **changes)
    assert row.status == "ok", row.note


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        (LORA, "ok", ""),
        (FSDP, "ok", ""),
        ({**LORA, "lora_r": "0"}, "refused", "lora_r not stated"),
        ({**LORA, "lora_targets": "q_proj+abc"}, "refused", "lora_targets is"),
        ({**LORA, "model": "gpt2", "lora_targets": "gate_proj"}, "refused", "no linear layer of GPT-2"),
        ({**FSDP, "precision": "bf16"}, "unsupported", "precision bf16 with sharding FSDP2"),
        ({"precision": "fsdp2_mp_bf16"}, "unsupported", "precision fsdp2_mp_bf16 with sharding none"),
        ({"method": ""}, "refused", "method not stated"),
    ],
)
def test_set_ups_that_were_not_measured(tmp_path: Path, change: dict[str, str], status: str, reason: str) -> None:
    rows = rows_with(tmp_path, "memory", **change)
    assert {row.status for row in rows} == {status}
    assert all(reason in row.note for row in rows)


def published(folder: Path, **change: str) -> ValidationRow:
    """A published peak, with the columns that the table has and this program may do without."""
    record = {**SOUND["memory_published"], **change}
    header = ",".join(dict.fromkeys((*columns_of("memory_published"), *record)))
    cells = ",".join(f'"{record.get(column, "")}"' for column in header.split(","))
    (row,) = rows_of(folder, "memory_published", f"{header}\n{cells}\n".encode())
    return row


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"precision": "abc"}, 'precision is "abc", none of: bf16'),
        ({"optimizer": "abc"}, 'optimizer is "abc", none of: AdamW'),
        ({"quantization": "nf5"}, 'quantization is "nf5", none of: nf4'),
        ({"attention": "abc"}, 'attention is "abc", none of: sdpa'),
        ({"unit": "GBit"}, 'unit is "GBit", none of: bytes'),
        ({"peak_published": "50", "unit": "GiB"}, "peak_gb_per_gpu is 50 where 50 GiB is printed"),
        ({"sharding": "FSDP 8, TP 8", "n_gpus": "4"}, "n_gpus is 4, no multiple of TP x PP x CP = 8"),
        ({"sharding": "FSDP 8, TP 0"}, "sharding is"),
    ],
)
def test_a_published_peak_with_words_that_nobody_knows(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    row = published(tmp_path, **change)
    assert (row.status, row.predicted) == ("refused", None)
    assert row.note.startswith(reason)


def test_a_published_peak_over_all_gpus_is_one_per_gpu(tmp_path: Path) -> None:
    assert published(tmp_path, peak_published="46.566", unit="GiB").status == "ok"
    summed = published(tmp_path, peak_published="200", unit="GB", n_gpus="4")
    assert "printed" not in summed.note


def test_q_and_v_are_query_and_value(tmp_path: Path) -> None:
    lora = {"source": "LitGPT config hub", "method": "lora", "lora_r": "8"}
    peaks = [
        published(tmp_path, **lora, lora_targets=targets).predicted for targets in ("q+v", "query+value", "all-linear")
    ]
    assert peaks[0] == peaks[1] != peaks[2]


@pytest.mark.parametrize("settled", ["2", "0.5", "0.7", ""])
def test_a_verdict_is_settled_as_yes_or_no(tmp_path: Path, settled: str) -> None:
    (row,) = rows_with(tmp_path, "cases", truth_value=settled)
    assert (row.status, row.predicted) == ("refused", None)
    assert row.note.startswith("truth_value ")


@pytest.mark.parametrize(
    ("quantity", "unit", "status"),
    [
        ("fits", "GB", "refused"),
        ("peak_mem_per_gpu", "MiB", "refused"),
        ("peak_mem_per_gpu", "GiB", "ok"),
        ("tokens_per_s_per_gpu", "tok/min", "refused"),
        ("tokens_per_s_per_gpu", "tok/s", "ok"),
    ],
)
def test_a_figure_is_answered_in_its_unit_alone(tmp_path: Path, quantity: str, unit: str, status: str) -> None:
    (row,) = rows_with(tmp_path, "cases", truth_quantity=quantity, unit=unit, truth_value="1", seq_len="512")
    assert row.status == status, row.note
    assert status == "ok" or row.note.startswith(f'unit is "{unit}", none of: ')


def test_a_tensor_parallel_case_splits_its_gpus(tmp_path: Path) -> None:
    (row,) = rows_with(tmp_path, "cases", zero="TP4", n_gpus="6")
    assert row.note == "n_gpus is 6, no multiple of TP4"
    asked = {"truth_quantity": "peak_mem_per_gpu", "truth_value": "50", "unit": "GB", "seq_len": "512", "n_gpus": "8"}
    two, four = (rows_with(tmp_path, "cases", **asked, zero=zero)[0].predicted for zero in ("TP2", "TP4"))
    assert two is not None and four is not None
    assert four < 0.7 * two


def test_more_active_parameters_than_there_are(tmp_path: Path) -> None:
    rows = rows_with(tmp_path, "runs", active_params_b="66")
    assert [row.note for row in rows] == ["active_params_b is 66, more than params_b = 65.2"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("128", 128), (" 128 ", 128), ("1.5", 1.5), (".5", 0.5), ("2.232e+20", 2.232e20), ("6000000.0", 6e6),
        ("1,000", 1000), ("12,345,678.5", 12_345_678.5),
        ("1,00", None), ("0,125", None), ("1,0000", None), ("1_000", None), ("１２", None), ("٣", None), ("+1", None),
        ("-0.0", None), ("", None), ("1 000", None), ("infinity", None), ("1e400", None),
    ],
)  # fmt: skip
def test_plain_numbers(text: str, number: float | None) -> None:
    assert number_in(text) == number


def test_a_thousands_comma_is_read(tmp_path: Path) -> None:
    plain, comma = (rows_with(tmp_path, "runs", n_gpus=gpus) for gpus in ("2048", "2,048"))
    assert plain == comma
    assert {row.status for row in plain} == {"ok"}


def test_nothing_is_predicted_as_zero_but_a_verdict() -> None:
    speed = ValidationRow("throughput", "a", "b", "tokens_per_s_per_gpu", 3700, 0.0, 0.0, 0.0, "ok", "")
    assert checked(speed).status == "refused"
    verdict = ValidationRow("cases", "a", "b", "fits", 0, 0.0, None, None, "ok", "")
    assert checked(verdict) == verdict
