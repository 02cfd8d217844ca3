"""Questions that people asked in public threads, with the settled answer: the memory questions of cases.csv.

What a thread does not state is replaced by its kindest and its worst usual value for the verdict. A peak is predicted
only where the length is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.memory import memory_peak, verdict
from desktop_app.estimation.memory_job import SHARINGS, Sharing, options_of
from desktop_app.estimation.memory_moments import peak_memory
from desktop_app.estimation.memory_options import MemoryOptions
from desktop_app.estimation.memory_recipe import recipe_from
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import MemoryPeak
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.table_files import table
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import (
    FIGURE,
    Number,
    Rules,
    Words,
    like,
    one_of,
    require,
)
from desktop_app.estimation.validation.memory_setup import sharing_of, source_options, source_recipe
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.row_faults import MOST_PARAMS_B
from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB

MEMORY_QUANTITIES = ("fits", "peak_mem_per_gpu", "total_mem_all_gpus", "total_model_state")
_UNITS = {  # the unit that each figure is predicted in, a remark after it
    **dict.fromkeys(("peak_mem_per_gpu", "total_mem_all_gpus"), "GB|GiB"), "fits": "bool", "logits_bytes": "GiB",
    **dict.fromkeys(("total_model_state", "model_state_per_gpu"), "GB"), "tokens_per_s_per_gpu": "tok/s",
    "s_per_iter": "s", "ms_per_iter": "ms", "mfu_pct": "%", "min_gpus": "GPUs", "gpu_hours": "GPU-h",
    **dict.fromkeys(("train_hours", "wall_hours", "mtbf_hours", "cost_equiv_on_demand_hours"), "h"),
    "train_days": "days", "total_flop": "FLOP", "co2_t": "tCO2e", "cost_usd": "USD",
    **dict.fromkeys(("energy_kwh", "kwh_per_gpu_hour"), "kWh"),
    **dict.fromkeys(("price_usd_per_h", "price_usd_per_gpu_h"), "USD/h"),
    **dict.fromkeys(("scaling_efficiency_1_to_8", "effective_time_fraction"), "fraction"),
    "iter_time_ratio_2nodes_over_1": "x", "time_ratio_lora_to_full_per_epoch": "ratio", "activation_multiplier": "x",
}  # fmt: skip
_RULES: Rules = {
    "method": one_of("full", "lora", "qlora", "pretrain", "-"),
    "precision": one_of(
        "bf16", "bf16-true", "bf16-pure", "bf16-mixed", "bf16-mixed (fp32 weights)", "fp16", "fp16-mixed", "fp32",
        "fp16/bf16-mixed", "fp32 logits", "gptq-int4", "int8 base", "nf4", "nf4 + bf16-true",
    ),
    "optimizer": Words(
        r"(lion/|muon\+|cpu |galore_|paged_)?adamw?([_-]?8bit|_32bit|-class)?"
        r"( \((CPU offload|fused|foreach=False|unsloth|, )+\))?",
        "adamw, adamw_8bit, paged_adamw and their like",
    ),
    "zero": Words(
        r"none( \(DDP\))?|zero[0-3](\+offload| \(DeepSpeed\))?|zero-like|fsdp(-full)?(\+offload)?|TP[1-9]\d{0,3}",
        "none, zero0 to zero3, fsdp, fsdp-full, TP and a number",
    ),
    "seq_len": like(TrainingJob, "sequence_length"),
    "micro_batch": like(TrainingJob, "micro_batch"),
    "grad_ckpt": one_of("yes", "no", "unknown", "see issue"),
    "n_gpus": like(ClusterChoice, "gpus"),
    "tokens_b": Number(FIGURE.low, like(TrainingJob, "tokens").high / 1e9),
    "truth_value": Number(0, 1e30),  # FLOPs of a run too
    "tolerance": Number(0, 10),
    "params_b": Number(FIGURE.low, MOST_PARAMS_B),
}  # fmt: skip
_SCORES = {"yes": 1.0, "tight": 0.5, "no": 0.0}
_PUBLICATIONS = {"QwenLM/Qwen README": "Qwen README", "pytorch/torchtune README": "torchtune README"}  # own recipes
_QWEN_RANK = "64"  # QwenLM/Qwen finetune.py: lora_r


@dataclass(frozen=True, slots=True)
class Unstated:
    """What stands in for settings that a thread does not state."""

    length: int
    recompute: str
    targets: str
    dropout: bool
    worst_copies: bool


CENTRAL = Unstated(512, "full", "all-linear", False, False)
KIND = Unstated(256, "full", "qv", False, False)
WORST = Unstated(2048, "none", "all-linear", True, True)


def check_case(cells: Cells) -> None:
    """Raise UnansweredError for a question whose cells cannot be, alone or together."""
    require(cells, _RULES)
    quantity, zero, gpus = cells["truth_quantity"], cells["zero"], value(cells, "n_gpus")
    unit = _UNITS.get(quantity)
    if unit is not None:
        require(cells, {"unit": Words(rf"({unit})( .*)?", unit.replace("|", ", "))})
    if quantity == "fits":
        require(cells, {"truth_value": Number(0, 1, whole=True, needed=True)})
    if zero.startswith("TP") and gpus is not None and gpus % int(zero[2:]):
        raise UnansweredError("refused", f"n_gpus is {gpus:g}, no multiple of {zero}")


def predicted_case(cells: Cells) -> tuple[float, float | None, float | None]:
    """Central, low and high answer of one case. Raises UnansweredError, and UserError for an unknown model."""
    quantity = cells["truth_quantity"]
    if quantity not in MEMORY_QUANTITIES:
        raise UnansweredError("unsupported", f"{quantity} is not a figure that the program computes")
    spec = model_named(cells["model"])
    if quantity == "fits":
        return _SCORES[fits(spec, cells)], None, None
    if quantity == "total_model_state":
        state = peak_of(spec, cells, CENTRAL)
        return (state.weights + state.gradients + state.optimizer) / BYTES_PER_GB, None, None
    if value(cells, "seq_len") is None:
        raise UnansweredError("refused", "sequence length not stated")
    peak = peak_of(spec, cells, CENTRAL)
    gpus = int(value(cells, "n_gpus") or 1) if quantity == "total_mem_all_gpus" else 1
    unit = gpus / (BYTES_PER_GIB if cells["unit"] == "GiB" else BYTES_PER_GB)
    return peak.peak * unit, peak.peak_low * unit, peak.peak_high * unit


def fits(spec: ModelSpec, cells: Cells) -> str:
    """The verdict of a case, with what it does not state at its kindest and its worst."""
    usable = usable_bytes(cells["gpu"])
    kind, worst = peak_of(spec, cells, KIND), peak_of(spec, cells, WORST)
    processes = min(int(value(cells, "n_gpus") or 1), 8)
    return verdict(kind, usable, processes, host_memory_bytes(cells["notes"]), optimistic=kind, pessimistic=worst)


def host_memory_bytes(notes: str) -> float | None:
    """Host memory that a thread states: "host RAM 1024 GB"."""
    stated = re.search(r"host (?:RAM|memory) (\d+) ?GB", notes)
    return float(stated.group(1)) * BYTES_PER_GB if stated else None


def stack_fact(cells: Cells, column: str) -> str:
    """What the software of a thread does unasked, from tables/memory_stacks.csv; "" when it is not known.

    A thread about two programs says only what holds for both.
    """
    found = {row[column] for row in table("memory_stacks") if row["starts"] in cells["source"]}
    return found.pop() if len(found) == 1 else ""


def usable_bytes(gpu: str) -> float:
    """Usable memory of the card that a case names; "80GB" alone is taken as an A100 of that size."""
    try:
        return gpu_named(gpu).usable_memory_bytes
    except UserError:
        size = re.search(r"(\d+) ?GB", gpu)
        if size is None:
            raise UnansweredError("refused", "the card is not named") from None
        return gpu_named(f"A100 {size.group(1)}GB").usable_memory_bytes


def peak_of(spec: ModelSpec, cells: Cells, unstated: Unstated) -> MemoryPeak:
    """The peak of one case under one replacement of what it does not state."""
    job, plan = job_of(cells, unstated), _plan(cells, unstated)
    published = _published_cells(cells)
    source = source_recipe(published) if published else None
    shape = shape_of(spec)
    if published and source:
        sharing = sharing_of(published["sharding"])
        plain = zero = fsdp = source_options(spec, published, source, sharing)
    else:
        plain, zero, fsdp = (_options(spec, job, sharing, cells, unstated) for sharing in SHARINGS)
    recipe = recipe_from(spec, shape, plain, zero, fsdp)
    memory = peak_memory(shape, recipe, plan, job.sequence_length)
    return memory_peak(memory, recipe, plan, -(-int(plan.dp * plan.tp) // 8))


def _published_cells(cells: Cells) -> Cells | None:
    """A case from a publication with a recipe of its own, as memory_published.csv would write it."""
    names = [name for start, name in _PUBLICATIONS.items() if cells["source"].startswith(start)]
    if not names:
        return None
    zero, method = cells["zero"], cells["method"]
    if "embedding" in cells["notes"]:
        method = "lora+emb"
    elif method == "lora" and zero == "zero3":
        method = "lora zero3"
    sharding = "DeepSpeed ZeRO-3" if zero.startswith("zero3") else "FSDP2" if zero.startswith("fsdp") else "none"
    note = cells["notes"] if "in backward" in cells["notes"] else "torch.compile"
    qwen = names[0].startswith("Qwen")
    return {"source": names[0], "method": method, "sharding": sharding, "note": note, "lora_targets": "",
            "lora_r": _QWEN_RANK if qwen else "8"}  # fmt: skip


def job_of(cells: Cells, unstated: Unstated) -> TrainingJob:
    """The training job of a case."""
    precision, optimizer = cells["precision"], cells["optimizer"]
    quantised = "int8" if "int8" in precision else "nf4" if ("nf4" in precision or "int4" in precision) else None
    pure = "pure" in precision or "true" in precision or (precision == "bf16" and "zero" not in cells["zero"])
    words = {"fp32": "fp32", "fp16-mixed": "fp16-mixed"}
    method = cells["method"] if cells["method"] in ("lora", "qlora") else "full"
    values: dict[str, Any] = {
        "sequence_length": int(value(cells, "seq_len") or unstated.length),
        "method": method,
        "precision": words.get(precision, "bf16" if pure and method == "full" else "bf16-mixed"),
        "optimizer": _optimizer(optimizer),
        "lora_targets": stack_fact(cells, "targets") or unstated.targets,
        "attention": stack_fact(cells, "attention") or "flash",
        "offload": "all" if "offload" in cells["zero"] else "none",
    }
    if method != "full":
        values["base_precision"] = quantised
    return validated(TrainingJob, values)


def _optimizer(text: str) -> str:
    if "8bit" in text:
        return "adamw-paged-8bit" if "paged" in text else "adamw-8bit"
    return "adamw-fused" if "foreach=False" in text or "fused" in text else "adamw"


def _options(spec: ModelSpec, job: TrainingJob, sharing: Sharing, cells: Cells, unstated: Unstated) -> MemoryOptions:
    unsloth = "unsloth" in cells["optimizer"]
    software = "tuned-fused" if unsloth else stack_fact(cells, "software") or "stock"
    options = options_of(spec, job, software, sharing)
    changes: dict[str, Any] = {"full_copies": unstated.worst_copies, "offloaded_activations": unsloth}
    if unsloth:  # its cross-entropy of 2024 was one kernel over whole logits; the fused one came in November
        changes["loss_bytes"] = changes["backward_bytes"] = constant("backward_bytes_kernel")
    if options.adapters is not None:
        changes["adapters"] = replace(options.adapters, dropout=unstated.dropout)
    if "paged" in cells["optimizer"]:
        changes["optimizer"] = replace(options.optimizer, paged=True)
    if "int4" in cells["precision"]:
        changes["base_bytes"], changes["outer_bytes"] = constant("gptq_bytes"), None
    return replace(options, **changes)


def _plan(cells: Cells, unstated: Unstated) -> Plan:
    zero, gpus = cells["zero"], int(value(cells, "n_gpus") or 1)
    tp = int(zero[2:]) if zero.startswith("TP") else 1
    stage = re.search(r"zero(\d)", zero)
    sharded = zero.startswith("fsdp")
    stated = {"yes": "full", "no": "none"}.get(cells["grad_ckpt"])
    unasked = stack_fact(cells, "recompute_many_gpus" if gpus > 1 else "recompute_one_gpu")
    return Plan(
        tp=tp, pp=1, dp=gpus // tp, cp=1, ep=1, interleave=1,
        micro_batch=int(value(cells, "micro_batch") or 1), accumulation=1,
        zero_stage=3 if sharded else int(stage.group(1)) if stage else 0, full_shard=int(sharded),
        full_recompute=int((stated or unasked or unstated.recompute) == "full"), selective_recompute=0,
        sequence_parallel=0,
    )  # fmt: skip
