"""A question of cases.csv as the inputs of an estimate: what a user would choose who knows what the thread states.

Settings are read by the same function as those of the memory questions. What a thread says once holds for all of its
questions (T12a, T12b); what it does not say is what the program chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.table_files import required, table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cases import CENTRAL, job_of
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.estimation.validation.run_setup import model_of_size, usual_gpus, usual_length
from desktop_app.estimation.validation.throughput_setup import framework_row, stack_of_framework
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import replaced, validated

_SHARED = (
    "precision", "optimizer", "zero", "seq_len", "micro_batch", "grad_ckpt", "gpu", "n_gpus", "tokens_b", "params_b",
)  # fmt: skip
_MILLION = {"k": 1e3, "M": 1e6}


@dataclass(frozen=True, slots=True)
class CaseSetup:
    """A question, ready to be estimated."""

    model: ModelSpec
    job: TrainingJob
    cluster: ClusterChoice
    note: str  # what was assumed, in words


def with_thread(rows: Iterable[Cells]) -> list[dict[str, str]]:
    """The rows, each with what an earlier question of the same thread and method states and it does not.

    "thread_notes" holds the notes of the whole thread.
    """
    cases = list(rows)
    notes: dict[str, list[str]] = {}
    for cells in cases:
        notes.setdefault(_thread(cells), []).append(cells["notes"])
    told: dict[tuple[str, str], dict[str, str]] = {}
    found = []
    for cells in cases:
        known = told.setdefault((_thread(cells), cells["method"]), dict.fromkeys(_SHARED, ""))
        known.update({column: known[column] or cells[column] for column in _SHARED})
        filled = {column: cells[column] or known[column] for column in _SHARED}
        found.append({**cells, **filled, "thread_notes": "; ".join(filter(None, notes[_thread(cells)]))})
    return found


def _thread(cells: Cells) -> str:
    stem = re.match(r"[A-Z]+\d+", cells["id"])
    return stem[0] if stem else cells["id"]


def setup_of_case(cells: Cells) -> CaseSetup:
    """The inputs of one question. Raises UnansweredError for one without a model, UserError for what does not exist."""
    model = model_of_case(cells)
    gpus = int(value(cells, "n_gpus") or usual_gpus(count(model).total))
    gpu = gpu_of_case(cells)
    job = _job(cells, model, gpus)
    if not gpu_named(gpu).supports_bf16:
        job = replaced(job, precision="fp16-mixed")
    notes = (
        "" if cells["n_gpus"] else f"{gpus} GPUs assumed",
        "" if cells["seq_len"] or _example_tokens(cells) else f"{job.sequence_length} tokens long assumed",
    )
    return CaseSetup(model, job, validated(ClusterChoice, {"gpu": gpu, "gpus": gpus}), "; ".join(filter(None, notes)))


def model_of_case(cells: Cells) -> ModelSpec:
    """The preset of that name, else a plain decoder of the stated size."""
    try:
        return model_named(cells["model"])
    except UserError:
        params = value(cells, "params_b")
        if not params:
            raise UnansweredError("unsupported", "neither a known model nor its size is stated") from None
        return model_of_size(params * 1e9)


def gpu_of_case(cells: Cells) -> str:
    """The card in a form that the program knows: the first of two, without remarks; "80GB" alone is an A100."""
    name = re.sub(r"\(.*?\)", "", cells["gpu"]).strip()
    if not name:
        raise UnansweredError("unsupported", "the card is not named")
    first, slash, rest = name.partition("/")
    size = re.search(r"\d+ ?GB", name)
    if slash and size:
        name = f"{first} {size[0]}" if size[0] in rest else first
    return f"A100 {name}" if size and size[0] == name else name


def tokens_of_case(cells: Cells) -> float | None:
    """Tokens trained on: stated, samples times their length, or a known data set as its own recipe trains it."""
    stated = value(cells, "tokens_b")
    if stated:
        return stated * 1e9
    text = cells["notes"] or cells["thread_notes"]
    passes = re.search(r"([\d.]+)([kM]) passes", text)
    samples = re.search(r"([\d.]+)([kM]) (?:\w+ )?samples", text)
    longest = re.search(r"shorter than ([\d,]+) tokens", text)
    length = float(longest[1].replace(",", "")) if longest else _example_tokens(cells) or value(cells, "seq_len")
    counted = passes or samples
    if counted and length:
        return float(counted[1]) * _MILLION[counted[2]] * length
    return next((_recipe_tokens(row) for row in table("run_datasets") if row["dataset"] in cells["source"]), None)


def _recipe_tokens(row: Mapping[str, str]) -> float:
    return required(row, "examples") * required(row, "epochs") * required(row, "tokens_per_example")


def _example_tokens(cells: Cells) -> float | None:
    """Mean tokens of an example of the data set that the question names."""
    text = f"{cells['notes']} {cells['thread_notes']} {cells['source']}"
    return next((required(row, "tokens_per_example") for row in table("run_datasets") if row["dataset"] in text), None)


def _job(cells: Cells, model: ModelSpec, gpus: int) -> TrainingJob:
    """The job: settings as the memory questions read them, and what speed depends on beyond these."""
    pretrain = cells["method"] == "pretrain"
    job = job_of(cells, CENTRAL)
    stack = stack_of_case(cells)
    example = None if pretrain or value(cells, "tokens_b") else _example_tokens(cells)
    length = int(example or value(cells, "seq_len") or (usual_length(model) if pretrain else job.sequence_length))
    changes: dict[str, Any] = {
        "sequence_length": length,
        "precision": "bf16-mixed" if pretrain else job.precision,
        "tokens": tokens_of_case(cells) or job.tokens,
        "micro_batch": value(cells, "micro_batch") and int(value(cells, "micro_batch") or 1),
        "recompute": {"yes": "full", "no": "none"}.get(cells["grad_ckpt"]),
        "global_batch": _global_batch(cells, length),
        **_layout(cells["zero"], gpus),
    }
    if stack is not None:
        changes |= {
            "software": stack.software,
            "native_attention": stack.native_attention,
            "tp_overlap": stack.tp_overlap,
        }
    elif not pretrain:
        changes["software"] = "stock"
    return replaced(job, **changes)


def stack_of_case(cells: Cells) -> SoftwareStack | None:
    """The software that the source is about; None where it names none that we know."""
    for row in table("case_frameworks"):
        if cells["source"].startswith(row["starts"]):
            return stack_of_framework(framework_row(row["framework"]), "")
    return None


def _layout(zero: str, gpus: int) -> dict[str, Any]:
    """Sharding as stated; stacks that shard, and plain data parallelism, do not split the model besides."""
    if gpus == 1 or not zero:
        return {}
    if zero.startswith("TP"):
        return {"tp": int(zero[2:]), "pp": 1}
    stage = re.match(r"zero-?(\d|like)", zero)
    sharding = "fsdp" if zero.startswith("fsdp") else "none"
    if stage:
        sharding = "zero1" if stage[1] == "like" else f"zero{stage[1]}"
    return {"sharding": sharding, "tp": 1, "pp": 1}


def _global_batch(cells: Cells, length: int) -> int | None:
    """Sequences per optimizer step, where a note says what an iteration is."""
    stated = re.search(r"iteration = ([\d,]+) (tokens|sequences)", f"{cells['notes']}; {cells['thread_notes']}")
    if stated is None:
        return None
    number = int(stated[1].replace(",", ""))
    return number if stated[2] == "sequences" else number // length
