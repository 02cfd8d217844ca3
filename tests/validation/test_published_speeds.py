"""Predicted against published training speeds and whole runs: the accuracy that must not get worse."""

from collections import defaultdict
from pathlib import Path
from statistics import mean, median

import pytest

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.goodput import whole_run
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.speed_settings import settings_of
from desktop_app.estimation.step_time import step_time
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation import runs, throughput
from desktop_app.estimation.validation.row_model import decoder_model
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.problems import UserError

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "validation"
needs_reference = pytest.mark.skipif(
    not (FOLDER / "throughput.csv").exists(), reason="the reference data (../shared/validation) is not here"
)


def errors(rows: list[ValidationRow]) -> list[float]:
    return sorted(abs(row.ratio - 1) for row in rows if row.ratio is not None)


def by_source(rows: list[ValidationRow]) -> list[list[ValidationRow]]:
    groups = defaultdict(list)
    for row in rows:
        groups[row.source_group].append(row)
    return list(groups.values())


def inside(rows: list[ValidationRow]) -> float:
    return mean(row.low <= row.published <= row.high for row in rows)  # type: ignore[operator]


@needs_reference
@pytest.mark.parametrize(
    ("kind", "answered", "middle", "p90"),
    [("pretrain-dense", 658, 0.07, 0.17), ("pretrain-moe", 42, 0.13, 0.40), ("finetune", 80, 0.10, 0.30)],
)
def test_speed_accuracy(kind: str, answered: int, middle: float, p90: float) -> None:
    rows = [row for row in throughput.rows(FOLDER) if row.status == "ok" and row.note.startswith(kind)]
    assert len(rows) == answered
    assert median(errors(rows)) < middle
    assert errors(rows)[int(0.9 * len(rows))] < p90
    assert inside(rows) > 0.76


@needs_reference
def test_dense_speed_by_publication() -> None:
    rows = [row for row in throughput.rows(FOLDER) if row.status == "ok" and row.note.startswith("pretrain-dense")]
    assert median(median(errors(group)) for group in by_source(rows)) < 0.07


def test_collected_rows_of_other_publications() -> None:
    """published/throughput.csv: cards, stacks and fine-tuning that the shared table does not have."""
    rows = [row for row in throughput.rows(Path(__file__).parent / "published") if row.status == "ok"]
    assert len(rows) > 400
    assert median(errors(rows)) < 0.16
    assert inside(rows) > 0.64


@needs_reference
def test_every_row_is_answered_or_says_why_not() -> None:
    rows = throughput.rows(FOLDER)
    assert len(rows) == 804
    assert all((row.status == "ok") == (row.predicted is not None) for row in rows)
    reasons = {row.note.split("; ", 1)[1] for row in rows if row.status != "ok"}
    assert reasons == {
        "the row itself is marked suspect",
        "state-space layers are not modelled",
        "sequence length not stated",
    }


def test_a_table_that_is_not_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "throughput.csv").write_text("id,gpu\n1,A100\n", encoding="utf-8")
    (tmp_path / "runs.csv").write_bytes(b"\xff\xfe\x00\x00")
    for module, key in ((throughput, "problem.table_columns"), (runs, "problem.table_unreadable")):
        with pytest.raises(UserError) as caught:
            module.rows(tmp_path)
        assert caught.value.problems[0].key == key


def whole(
    shape: tuple, gpu: str, gpus: int, tokens: float, length: int, layout: dict, stack: SoftwareStack, **cluster: float
) -> float:
    """GPU-hours of a run with goodput, for a shape (layers, hidden, heads, key heads, MLP, matrices, vocabulary)."""
    names = ("layers", "hidden", "heads", "kv_heads", "ffn", "matrices", "vocab")
    network = shape_of(decoder_model(**dict(zip(names, shape, strict=True))))
    defaults = {
        "cp": 1, "ep": 1, "interleave": 1, "zero_stage": 1, "full_shard": 0, "full_recompute": 0,
        "selective_recompute": 0, "sequence_parallel": 1,
    }  # fmt: skip
    plan = Plan(**{**defaults, **layout})
    fp16 = layout.get("zero_stage") == 0 and stack.software == "legacy"
    job = TrainingJob(tokens=tokens, sequence_length=length, precision="fp16-mixed" if fp16 else "bf16-mixed",
                      attention="eager" if stack.software == "legacy" else "flash")  # fmt: skip
    machines = cluster_of(ClusterChoice(gpu=gpu, gpus=gpus, **cluster))
    step = step_time(network, settings_of(network, job, machines, stack), plan)
    values = {
        "tokens": tokens, "sequence_length": length, "step_time_s": step.step_s, "gpus": gpus,
        "global_batch": plan.micro_batch * plan.accumulation * plan.dp, "gpus_per_node": 8,
        "params_trainable": network.params_total, "checkpoint_bytes_per_parameter": 14, "evaluation_percent": 0,
        "practice_factor": 1, "padding_share": 0,
    }  # fmt: skip
    return float(whole_run(values)["gpu_hours"] or 0)


def test_five_well_known_runs() -> None:
    """GPT-3's plan of Narayanan et al. 2021; LLaMA-65B and Llama-2-70B without published plans; 3.1 405B; BLOOM-176B.

    Published hours: 34 days on 1,024 A100; model cards of Meta; BLOOM paper (arXiv 2211.05100).
    """
    legacy = SoftwareStack("legacy", native_attention=False, tp_overlap=False)
    megatron = SoftwareStack("legacy", native_attention=False, tp_overlap=False, scatter_gather=True)
    meta = SoftwareStack("tuned-fused", native_attention=True, tp_overlap=True)
    a100 = "A100-80GB-SXM"
    gpt3 = {"tp": 8, "pp": 8, "dp": 16, "interleave": 2, "micro_batch": 1, "accumulation": 96, "zero_stage": 0,
            "full_recompute": 1, "sequence_parallel": 0}  # fmt: skip
    bloom = {"tp": 4, "pp": 12, "dp": 8, "micro_batch": 2, "accumulation": 128, "full_recompute": 1,
             "sequence_parallel": 0}  # fmt: skip
    llama3 = {"tp": 8, "pp": 16, "dp": 128, "interleave": 4, "micro_batch": 1, "accumulation": 16}
    llama1 = {"tp": 8, "pp": 1, "dp": 256, "micro_batch": 2, "accumulation": 4}
    llama2 = {"tp": 8, "pp": 1, "dp": 256, "micro_batch": 1, "accumulation": 4}
    predicted = {
        34 * 24 * 1024: whole((96, 12_288, 96, 96, 49_152, 2, 50_257), a100, 1024, 300e9, 2048, gpt3, megatron),
        1_022_362: whole((80, 8192, 64, 64, 22_016, 3, 32_000), a100, 2048, 1.4e12, 2048, llama1, meta),
        1_720_320: whole((80, 8192, 64, 8, 28_672, 3, 32_000), a100, 2048, 2e12, 4096, llama2, meta),
        30_840_000: whole((126, 16_384, 128, 8, 53_248, 3, 128_256), "H100", 16_384, 15.6e12, 8192, llama3, meta),
        1_082_990: whole(
            (70, 14_336, 112, 112, 57_344, 2, 250_880), a100, 384, 366e9, 2048, bloom, legacy, network_gbit_per_node=400
        ),
    }
    off = [abs(hours / published - 1) for published, hours in predicted.items()]
    assert mean(off) < 0.08
    assert max(off) < 0.20
