"""One row of published training speed as the inputs of the speed model.

What a row does not state takes the defaults that hold for every source alike: 8,192 tokens per micro-batch without a
pipeline and 2,048 with one, 8 micro-batches (4 per stage) where the batch is unknown, no recompute, fused attention
but for legacy software, sequence parallelism with tuned tensor parallelism. Software follows from the framework.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.estimation.calibration import constant
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.gpus import Gpu, gpu_named
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.speed_settings import SpeedSettings, settings_of
from desktop_app.estimation.table_files import Row, table
from desktop_app.estimation.training_job import Method, Precision, TrainingJob
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.foundation.records import validated
from desktop_app.foundation.units import BITS_PER_BYTE

_PRECISIONS: dict[str, Precision] = {"bf16": "bf16-mixed", "fp16": "fp16-mixed"}
_METHODS: dict[str, Method] = {"lora": "lora", "qlora": "qlora"}
_TOKENS_PER_MICRO_BATCH, _TOKENS_PER_PIPELINE_MICRO_BATCH = 8192, 2048  # usual in the rows that state them
_HEAD_DIMS = {"GPT-OSS": 64}  # openai/gpt-oss config.json; the other mixtures of experts of the table have 128


@dataclass(frozen=True, slots=True)
class Setup:
    """A published row, ready to be computed."""

    shape: Shape
    job: TrainingJob
    cluster: Cluster
    stack: SoftwareStack
    settings: SpeedSettings
    plan: Plan
    layout_known: bool


def setup_of(cells: Cells) -> Setup:
    """The inputs of one row. Raises UserError for a GPU or precision without a speed model.

    ValueError names what the row does not say and no default can replace.
    """
    cells = {**cells, "seq_len": str(_sequence_length(cells))}
    framework = framework_row(cells["framework"])
    shape, gpu = row_shape(cells), gpu_named(cells["gpu"])
    stack, job = stack_of_framework(framework, cells["notes"]), _job(cells)
    plan, layout_known = _plan(cells, framework, stack)
    cluster = _cluster(cells, gpu, plan)
    settings = settings_of(shape, job, cluster, stack)
    return Setup(shape, job, cluster, stack, _special(cells, framework, settings), plan, layout_known)


def _sequence_length(cells: Cells) -> int:
    """Tokens per sequence; the mean where only the tokens of a step of unpadded sequences are given in the notes."""
    stated, batch = value(cells, "seq_len"), value(cells, "global_batch_sequences")
    tokens_per_step = re.search(r"about (\d+) tokens per step", cells["notes"])
    if stated is None and tokens_per_step and batch:
        return round(float(tokens_per_step[1]) / batch)
    if not stated:
        raise ValueError("sequence length not stated")
    return int(stated)


def row_shape(cells: Cells) -> Shape:
    """The network of a row, from its columns alone. ValueError names a column that is needed and empty."""
    sizes = {name: value(cells, name) for name in ("layers", "hidden", "heads", "vocab")}
    empty = [name for name, size in sizes.items() if not size]
    if empty:
        raise ValueError(f"{', '.join(empty)} not stated")
    layers, hidden, heads, vocab = (float(size or 0) for size in sizes.values())
    experts = value(cells, "moe_experts") or 0.0
    return decoder_shape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=value(cells, "kv_heads") or heads,
        head_dim=_expert_head_dim(cells) if experts else None,
        ffn=value(cells, "ffn") or 4 * hidden,
        matrices=3.0 if cells["gated_mlp"] == "1" else 2.0,
        vocab=vocab,
        experts=experts,
        top=value(cells, "moe_topk") or 0.0,
        expert_size=value(cells, "moe_ffn") or 0.0,
        active=(value(cells, "active_params_b") or 0.0) * 1e9,
    )


def decoder_shape(
    *, layers: float, hidden: float, heads: float, kv_heads: float, ffn: float, matrices: float, vocab: float,
    head_dim: float | None = None, experts: float = 0, top: float = 0, expert_size: float = 0, active: float = 0,
) -> Shape:  # fmt: skip
    """A decoder of plain sizes, with untied embeddings. Matrix parameters only: no norms, no biases.

    `active` parameters of a mixture of experts beyond attention and routed experts are those that every token passes.
    """
    head_dim = head_dim or hidden / heads
    attention = 2 * hidden * (heads + kv_heads) * head_dim
    routed = matrices * hidden * expert_size * experts
    mlp = matrices * hidden * ffn
    if experts:
        shared = (active - hidden * vocab) / layers - attention - routed * top / experts
        mlp = routed + max(0.0, shared)
    embedding, block = hidden * vocab, attention + mlp
    total = layers * block + 2 * embedding
    return Shape(
        layers=layers, hidden=hidden, heads=heads, kv_heads=kv_heads, head_dim=head_dim,
        query_width=heads * head_dim, key_value_width=kv_heads * head_dim, ffn=ffn, mlp_matrices=matrices,
        vocab=vocab, tied=0, experts=experts, experts_per_token=top, expert_size=expert_size, shared_expert_size=0,
        moe_layers=layers if experts else 0, params_total=total,
        params_active=active if experts else total, params_embedding=embedding, params_head=embedding,
        params_positions=0, params_final_norm=0, params_block=block, params_block_mlp=mlp,
        params_block_experts=routed, params_largest_tensor=embedding,
    )  # fmt: skip


def _expert_head_dim(cells: Cells) -> float:
    return float(next((dim for name, dim in _HEAD_DIMS.items() if name in cells["model_name"]), 128))


def framework_row(name: str) -> Row:
    """The row of software_classes.csv for a framework. ValueError for one without a class."""
    for row in table("software_classes"):
        if row["framework"] == name:
            return row
    raise ValueError(f"software {name!r} has no class")


def stack_of_framework(framework: Row, notes: str) -> SoftwareStack:
    """The framework's class; a note may say that a run was not compiled or overlapped tensor parallelism."""
    software = framework["software"]
    return SoftwareStack(
        software="tuned-eager" if "no compile" in notes else software,  # type: ignore[arg-type]
        native_attention=framework["native_attention"] == "yes",
        tp_overlap=framework["tp_overlap"] == "yes" or "async TP" in notes,
        broadcast_optimizer=framework["optimizer_exchange"] == "broadcast",
        scatter_gather=framework["scatter_gather"] == "yes",
        fp8_rowwise="rowwise" in notes,
    )


def _job(cells: Cells) -> TrainingJob:
    choices: dict[str, Any] = {
        "sequence_length": int(value(cells, "seq_len") or 0),
        "method": _METHODS.get(cells["kind"], "full"),
        "precision": _PRECISIONS.get(cells["precision"], cells["precision"]),
    }
    if cells["flash_attention"]:
        choices["attention"] = "flash" if cells["flash_attention"] == "1" else "eager"
    return validated(TrainingJob, choices)


def _plan(cells: Cells, framework: Row, stack: SoftwareStack) -> tuple[Plan, bool]:
    """The layout, and whether the row states the whole of it."""
    tp, pp, cp, ep = (value(cells, name) or 1.0 for name in ("tp", "pp", "cp", "ep"))
    gpus = value(cells, "n_gpus") or tp * pp * cp
    dp = max(1.0, gpus / (tp * pp * cp))
    stated, batch, length = value(cells, "micro_batch"), value(cells, "global_batch_sequences"), value(cells, "seq_len")
    pipelined_fsdp = cells["zero_stage"] == "fsdp" and pp > 1  # its stated batch is split into single sequences
    if stated and not pipelined_fsdp:
        micro_batch = stated
    else:
        tokens = _TOKENS_PER_PIPELINE_MICRO_BATCH if pp > 1 else _TOKENS_PER_MICRO_BATCH
        micro_batch = max(1.0, tokens // (length or 1.0))
        if batch:
            micro_batch = min(micro_batch, max(1.0, batch / dp))
    micro_batches = max(1.0, batch / (micro_batch * dp)) if batch else (4.0 * pp if pp > 1 else 8.0)
    interleave = value(cells, "virtual_pp") or (float(framework["unstated_interleave"]) if pp > 1 else 1.0)
    sharded = cells["zero_stage"] == "fsdp"
    unstated_parallel = tp > 1 and stack.software != "legacy"
    sequence_parallel = value(cells, "sequence_parallel")
    plan = Plan(
        tp=tp, pp=pp, dp=dp, cp=cp, ep=ep, interleave=interleave, micro_batch=micro_batch,
        accumulation=micro_batches, zero_stage=3 if sharded else value(cells, "zero_stage") or 0.0,
        full_shard=float(sharded), full_recompute=float(cells["recompute"] == "full"),
        selective_recompute=float(cells["recompute"] == "selective"),
        sequence_parallel=float(unstated_parallel) if sequence_parallel is None else sequence_parallel,
    )  # fmt: skip
    return plan, bool(stated and batch and cells["n_gpus"] and cells["tp"] and cells["pp"])


def _cluster(cells: Cells, gpu: Gpu, plan: Plan) -> Cluster:
    per_node = int(value(cells, "gpus_per_node") or gpu.typical_node_gpus)
    gbit = _network_gbit(cells["interconnect"], per_node)
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


def _special(cells: Cells, framework: Row, settings: SpeedSettings) -> SpeedSettings:
    """What a row's notes say beyond the choices: optimizer shard group, trained embeddings, another 4-bit kernel."""
    notes = cells["notes"]
    if cells["framework"] == "InternEvo":  # zero1=8: the group; -1: all ranks; unstated: one node
        group = re.search(r"zero1=(-?\d+)", notes)
        settings = replace(settings, optimizer_shard_gpus=max(0.0, float(group[1])) if group else 8.0)
    if "LoRA (emb)" in notes:
        settings = replace(settings, head_weight_gradient=1.0)
    if cells["kind"] == "qlora" and framework["four_bit_base"]:
        ratio = constant("dequantisation_params_per_s.nf4") / constant(
            f"dequantisation_params_per_s.{framework['four_bit_base']}"
        )
        settings = replace(settings, dequantisation_s_per_param=settings.dequantisation_s_per_param * ratio)
    return settings
