"""Validation tables that are damaged: a table that cannot be read is one sentence, a row that cannot be a reason."""

from __future__ import annotations

import csv
import importlib
import io
import math
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.estimation.validation.reading import cells_of
from desktop_app.estimation.validation.rows import ValidationRow, checked
from desktop_app.foundation.problems import UserError

ROOM = "desktop_app.estimation.validation"
# A sound row of each table, every figure from its publication or (memory.csv) measured on the real model class.
SOUND = {
    "throughput": {
        "id": "a", "source_group": "fms", "model_name": "Llama-2-7B", "layers": "32", "hidden": "4096", "heads": "32",
        "kv_heads": "32", "ffn": "11008", "gated_mlp": "1", "vocab": "32000", "seq_len": "4096",
        "gpu": "A100-80GB-SXM", "n_gpus": "128", "gpus_per_node": "8", "precision": "bf16",
        "framework": "PyTorch FSDP (fms-fsdp)", "tp": "1", "pp": "1", "zero_stage": "fsdp", "flash_attention": "1",
        "tokens_per_s_per_gpu": "3700", "kind": "pretrain", "quality": "primary",
    },
    "runs": {
        "id": "b", "source_group": "llama1", "model": "LLaMA-65B", "params_b": "65.2", "tokens_b": "1400",
        "seq_len": "2048", "gpu": "A100-80GB-SXM", "n_gpus": "2048", "gpu_hours": "1022362", "wall_days": "21",
        "kind": "pretrain", "quality": "primary",
    },
    "params": {"name": "a", "total_params": "118720", "active_params_per_token": "118720", "origin": "x/y"},
    "memory": {
        "id": "c", "model": "Llama-2-7B", "model_type": "llama", "method": "full", "world_size": "1",
        "micro_batch": "1", "seq": "512", "grad_accum": "1", "precision": "bf16", "attention": "sdpa",
        "padding_mask": "no", "gradient_checkpointing": "no", "optimizer": "adamw_foreach", "sharding": "none",
        "peak_bytes": "60000000000",
    },
    "memory_published": {
        "id": "d", "source": "torchtune README", "model": "Llama-2-7B", "method": "full", "micro_batch": "2",
        "seq": "4096", "sharding": "none", "n_gpus": "1", "peak_gb_per_gpu": "50", "is_measurement": "yes",
    },
    "cases": {
        "id": "e", "kind": "memory", "model": "Llama-2-7B", "method": "full", "precision": "bf16-mixed",
        "optimizer": "adamw", "gpu": "A100 80GB", "n_gpus": "1", "truth_quantity": "fits", "truth_value": "0",
        "unit": "bool",
    },
    "published_footprints": {
        "model": "LLaMA-65B", "gpu_hours": "1022362", "power_w_per_gpu": "400", "pue": "1.1", "energy_mwh": "449",
        "intensity_g_per_kwh": "385", "tco2e_location": "173", "source": "Touvron et al. 2023",
    },
}  # fmt: skip
ODD = ("", "0", "-1", "nan", "inf", "1e300", "1e-300", "99999999", "abc", "-0.0", "TP 0", "x" * 300)


def module_of(table: str) -> ModuleType:
    elsewhere = {"published_footprints": "desktop_app.budget.footprints", "cases": "desktop_app.budget.cases"}
    return importlib.import_module(elsewhere.get(table, f"{ROOM}.{table}"))


def columns_of(table: str) -> tuple[str, ...]:
    module = module_of(table)
    return module.COLUMNS if hasattr(module, "COLUMNS") else module._TABLE.columns


def text_of(table: str, *rows: dict[str, str]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns_of(table), restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def rows_of(folder: Path, table: str, data: bytes) -> list[ValidationRow]:
    (folder / f"{table}.csv").write_bytes(data)
    return module_of(table).rows(folder)


def refusal(folder: Path, table: str, data: bytes) -> str:
    with pytest.raises(UserError) as caught:
        rows_of(folder, table, data)
    (problem,) = caught.value.problems
    return problem.key


@pytest.mark.parametrize("table", SOUND)
def test_what_cannot_be_read_as_a_table_is_one_sentence(tmp_path: Path, table: str) -> None:
    text = text_of(table, SOUND[table])
    lacking = text.replace(columns_of(table)[0], "other", 1)
    assert refusal(tmp_path, table, b"") == "problem.table_empty"
    assert refusal(tmp_path, table, b"\n\n") == "problem.table_empty"
    assert refusal(tmp_path, table, text.encode("utf-16")) == "problem.table_unreadable"
    assert refusal(tmp_path, table, bytes(range(256)) * 9) == "problem.table_unreadable"
    assert refusal(tmp_path, table, f'{text}"{"x" * 200_000}"'.encode()) == "problem.table_unreadable"
    assert refusal(tmp_path, table, lacking.encode()) == "problem.table_columns"
    assert refusal(tmp_path, table, text.encode("utf-16-le")) == "problem.table_columns"
    twice = text.replace(columns_of(table)[0], f"{columns_of(table)[0]},{columns_of(table)[0]}", 1)
    assert refusal(tmp_path, table, twice.encode()) == "problem.table_twice"
    (tmp_path / f"{table}.csv").unlink()
    (tmp_path / f"{table}.csv").mkdir()
    with pytest.raises(UserError):
        module_of(table).rows(tmp_path)


@pytest.mark.parametrize("table", SOUND)
def test_a_mark_an_empty_table_and_a_short_row_do_no_harm(tmp_path: Path, table: str) -> None:
    text = text_of(table, SOUND[table])
    plain = rows_of(tmp_path, table, text.encode())
    assert plain
    assert rows_of(tmp_path, table, text.encode("utf-8-sig")) == plain
    assert rows_of(tmp_path, table, text_of(table).encode()) == []
    short = rows_of(tmp_path, table, f"{text_of(table)}only\n".encode())
    assert all(row.status != "ok" and row.note and row.predicted is None for row in short)


@pytest.mark.parametrize("table", [name for name in SOUND if name != "params"])
def test_the_sound_rows_are_answered(tmp_path: Path, table: str) -> None:
    rows = rows_of(tmp_path, table, text_of(table, SOUND[table]).encode())
    assert [row.note for row in rows if row.status != "ok"] == []


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(SOUND)), st.data())
def test_no_cell_makes_a_figure_that_is_none(tmp_path_factory, table: str, data: st.DataObject) -> None:
    change = data.draw(st.dictionaries(st.sampled_from(columns_of(table)), st.sampled_from(ODD), max_size=4))
    folder = tmp_path_factory.mktemp("tables")
    for row in rows_of(folder, table, text_of(table, {**SOUND[table], **change}).encode()):
        if row.status == "ok":
            figures = [row.published, row.predicted, row.low, row.high]
            assert all(figure is None or (math.isfinite(figure) and 0 <= figure < 1e30) for figure in figures)
            assert row.quantity == "fits" or (row.ratio is not None and math.isfinite(row.ratio))
        else:
            assert (row.predicted, row.low, row.high) == (None, None, None)
            assert row.note


@pytest.mark.parametrize("published", [None, 0.0, -1.0, math.nan, math.inf, 1e300, 1e-308])
def test_a_published_figure_that_cannot_be_proves_nothing(published: float | None) -> None:
    row = ValidationRow("runs", "a", "b", "gpu_hours", published, 1e12, 1.0, 2e12, "ok", "pretrain-dense; why")
    assert checked(row).status == "refused"
    assert checked(row).ratio is None
    assert checked(row).note.startswith("pretrain-dense; why; ")


def test_line_breaks_inside_quotes_belong_to_the_cell(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,note\n1,"two\nlines"\n2,one\u2028line\n', encoding="utf-8", newline="")
    assert [cells["note"] for cells in cells_of(tmp_path / "a.csv", ("id",))] == ["two\nlines", "one\u2028line"]
