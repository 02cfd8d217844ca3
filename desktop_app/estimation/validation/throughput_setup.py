"""One row of published training speed as the inputs of the speed model.

Software follows from the framework, the network from the name or the columns (row_model.py), the layout from what is
stated and what fits in memory (row_plan.py). Defaults hold for every source alike; attention is fused but for legacy
software.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.estimation.calibration import shipped
from desktop_app.estimation.cluster import Cluster, ClusterChoice
from desktop_app.estimation.gpus import Gpu, gpu_named
from desktop_app.estimation.lora import params_trainable
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape, shape_of
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.speed_settings import SpeedSettings, settings_of
from desktop_app.estimation.table_files import Row, table
from desktop_app.estimation.training_job import Method, MoeStack, Precision, TrainingJob
from desktop_app.estimation.validation.cell_rules import like, refused
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.row_faults import check_layout
from desktop_app.estimation.validation.row_model import row_model
from desktop_app.estimation.validation.row_plan import completed, stated_plan
from desktop_app.foundation.records import validated
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.units import BITS_PER_BYTE

_PRECISIONS: dict[str, Precision] = {"bf16": "bf16-mixed", "fp16": "fp16-mixed"}
_METHODS: dict[str, Method] = {"lora": "lora", "qlora": "qlora"}
# Releases of Megatron-Bridge: fused routing and 1F1B overlap came early in 2026, CUDA graphs for experts in mid-2026
_CURRENT_SINCE, _LEADING_SINCE = "26.02", "26.06"
_RELEASE = re.compile(r"\b(2\d)\.(\d\d)(?:\.\d+)? (?:NeMo|PyTorch)|\b20(2\d)-(\d\d)-\d\d\b")
_MOE_WORDS: tuple[tuple[str, MoeStack], ...] = (
    (r"whole-iteration CUDA graph", "leading"),
    (r"all-to-all dispatcher|plain all-to-all|early DeepSeek stack", "early"),
)


@dataclass(frozen=True, slots=True)
class Special:
    """What a row's notes say beyond the choices of a job."""

    optimizer_shard_gpus: float | None = None  # 0: all ranks
    head_trained: bool = False  # LoRA that also trains embeddings and head
    balanced_experts: bool = False  # the routing was forced to be even
    four_bit_base: str = ""  # the kernel that turns 4-bit weights back, where it is not that of nf4


@dataclass(frozen=True, slots=True)
class Setup:
    """A published row, ready to be computed."""

    model: ModelSpec
    shape: Shape
    job: TrainingJob
    cluster: Cluster
    stack: SoftwareStack
    plan: Plan
    layout_known: bool
    special: Special

    def settings(self, fitted: Mapping[str, float] | None = None) -> SpeedSettings:
        """The speed settings, with the shipped constants unless others are `fitted`."""
        fitted = shipped() if fitted is None else fitted
        settings = settings_of(
            self.shape, self.job, self.cluster, self.stack, fitted, trained=params_trainable(self.model, self.job)
        )
        special = self.special
        changes: dict[str, Number] = {}
        if special.optimizer_shard_gpus is not None:
            changes["optimizer_shard_gpus"] = special.optimizer_shard_gpus
        if special.balanced_experts:
            changes["expert_imbalance"] = 0.0
        if special.head_trained:
            changes["head_weight_gradient"] = 1.0
        if special.four_bit_base:
            kernels = "dequantisation_params_per_s.nf4", f"dequantisation_params_per_s.{special.four_bit_base}"
            slower = fitted[kernels[0]] / fitted[kernels[1]]
            changes["dequantisation_s_per_param"] = settings.dequantisation_s_per_param * slower
        return replace(settings, **changes) if changes else settings


def setup_of(cells: Cells) -> Setup:
    """The inputs of one row. Raises UserError for a GPU or precision without a speed model.

    UnansweredError for a layout that the network cannot have. ValueError names what the row does not say and no default
    can replace.
    """
    cells = {**cells, "seq_len": str(_sequence_length(cells))}
    framework = framework_row(cells["framework"])
    model, gpu = row_model(cells), gpu_named(cells["gpu"])
    check_layout(cells, model)
    stack, job = stack_of_framework(framework, cells["notes"], cells["source"]), _job(cells)
    row = stated_plan(cells, framework, stack)
    cluster = _cluster(cells, gpu, row.plan)
    plan = completed(row, model, job, cluster, stack)
    return Setup(model, shape_of(model), job, cluster, stack, plan, row.known, _special(cells, framework))


def _sequence_length(cells: Cells) -> int:
    """Tokens per sequence; the mean where only the tokens of a step of unpadded sequences are given in the notes."""
    stated, batch = value(cells, "seq_len"), value(cells, "global_batch_sequences")
    tokens_per_step = re.search(r"about (\d+) tokens per step", cells["notes"])
    if stated is None and tokens_per_step and batch:
        return round(float(tokens_per_step[1]) / batch)
    if not stated:
        raise ValueError("sequence length not stated")
    return int(stated)


def framework_row(name: str) -> Row:
    """The row of software_classes.csv for a framework: its own, else that of the software whose words it holds.

    ValueError for software that none of these tells anything about.
    """
    classes = {row["framework"]: row for row in table("software_classes")}
    if name in classes:
        return classes[name]
    for row in table("software_words"):
        if re.search(row["words"], name, re.IGNORECASE):
            return classes[row["framework"]]
    raise ValueError(f"software {name!r} has no class")


def stack_of_framework(framework: Row, notes: str, release: str = "") -> SoftwareStack:
    """The framework's class; a note may say that a run was not compiled or overlapped tensor parallelism."""
    software = framework["software"]
    return SoftwareStack(
        software="tuned-eager" if "no compile" in notes else software,  # type: ignore[arg-type]
        native_attention=framework["native_attention"] == "yes",
        first_attention=framework["native_attention"] == "first",
        tp_overlap=framework["tp_overlap"] == "yes" or "async TP" in notes,
        broadcast_optimizer=framework["optimizer_exchange"] == "broadcast",
        scatter_gather=framework["scatter_gather"] == "yes",
        fp8_rowwise="rowwise" in notes,
        moe_stack=_moe_stack(framework, notes, release),
    )


def _moe_stack(framework: Row, notes: str, source: str) -> MoeStack:
    """How far a row's software for mixtures of experts had come.

    What its notes name decides: a graph of the whole iteration came last, a plain
    all-to-all was first. Else the date of the release, at least the present where a fast dispatcher is named; else the
    framework.
    """
    named = next((stack for words, stack in _MOE_WORDS if re.search(words, notes)), None)
    if named:
        return named
    dated = _RELEASE.search(source) or _RELEASE.search(notes)
    fast = re.search(r"HybridEP|DeepEP|CUDA graph", notes)
    if dated is None:
        return "current" if fast else framework["moe_stack"]  # type: ignore[return-value]
    month = ".".join(part for part in dated.groups() if part)
    return "leading" if month >= _LEADING_SINCE else "current" if fast or month >= _CURRENT_SINCE else "early"


def _job(cells: Cells) -> TrainingJob:
    choices: dict[str, Any] = {
        "sequence_length": int(value(cells, "seq_len") or 0),
        "method": _METHODS.get(cells["kind"], "full"),
        "precision": _PRECISIONS.get(cells["precision"], cells["precision"]),
    }
    if "CPU offload" in cells["notes"]:
        choices["offload"] = "all"
    if cells["flash_attention"]:
        choices["attention"] = "flash" if cells["flash_attention"] == "1" else "eager"
    return validated(TrainingJob, choices)


def _cluster(cells: Cells, gpu: Gpu, plan: Plan) -> Cluster:
    per_node = int(value(cells, "gpus_per_node") or gpu.typical_node_gpus)
    gbit = _network_gbit(cells["interconnect"], per_node)
    fault = "" if gbit is None else like(ClusterChoice, "network_gbit_per_node").fault(f"{gbit:f}")
    if fault:
        raise refused("interconnect", cells["interconnect"], f"whose Gb/s per node are {fault}")
    network = gpu.network_bytes_per_s_per_node if gbit is None else gbit * 1e9 / BITS_PER_BYTE
    return Cluster(gpu, int(plan.tp * plan.pp * plan.cp * plan.dp), per_node, network)


def _network_gbit(text: str, per_node: int) -> float | None:
    """Gbit/s per node as the row words it: "4 x 100 Gb/s", "800 Gb/s per node", "400 Gb/s RDMA per GPU"."""
    cards = re.search(r"(\d+) x (?:[A-Za-z-]+ )*(\d+) Gb/s", text)
    if cards:
        return float(cards[1]) * float(cards[2])
    single = re.search(r"(\d+) Gb/s", text)
    if single is None:
        return None
    return float(single[1]) * (per_node if "per GPU" in text else 1)


def _special(cells: Cells, framework: Row) -> Special:
    shards = None
    if cells["framework"] == "InternEvo":  # zero1=8: the group; -1: all ranks; unstated: one node
        group = re.search(r"zero1=(-?\d+)", cells["notes"])
        shards = max(0.0, float(group[1])) if group else 8.0
    return Special(
        optimizer_shard_gpus=shards,
        balanced_experts=bool(re.search(r"forced? ?-?balanced|even routing|mock data|synthetic data", cells["notes"])),
        head_trained="LoRA (emb)" in cells["notes"],
        four_bit_base=framework["four_bit_base"] if cells["kind"] == "qlora" else "",
    )
