"""What the cells of a row of throughput.csv must be, each by itself and together as a layout that can run."""

from __future__ import annotations

from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.model_spec import ModelSpec, MoeSpec
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import FIGURE, QUALITY, SWITCH, Number, Rules, like, one_of, require
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.rows import UnansweredError

MOST_PARAMS_B = 1e6  # billions: a thousand times the largest network trained
_MOST_MFU_PCT = 400  # 4-bit products over the 16-bit peak: four times
_OUTER_STAGES = 2  # embedding and head may count as layers when stages are made equal: 126 layers in 128 chunks

_RULES: Rules = {
    "layers": like(ModelSpec, "layers"),
    "hidden": like(ModelSpec, "hidden_size"),
    "heads": like(ModelSpec, "heads"),
    "kv_heads": like(ModelSpec, "kv_heads"),
    "ffn": Number(1, like(ModelSpec, "ffn_size").high, whole=True),
    "gated_mlp": SWITCH,
    "vocab": like(ModelSpec, "vocab_size"),
    "seq_len": like(TrainingJob, "sequence_length"),
    "moe_experts": like(MoeSpec, "experts"),
    "moe_topk": like(MoeSpec, "experts_per_token"),
    "moe_ffn": like(MoeSpec, "expert_size"),
    "active_params_b": Number(FIGURE.low, MOST_PARAMS_B),
    "n_gpus": like(ClusterChoice, "gpus"),
    "gpus_per_node": like(ClusterChoice, "gpus_per_node"),
    "precision": one_of("bf16", "fp16", "fp32", "fp8", "mxfp8", "nvfp4", needed=True),
    **{column: like(TrainingJob, column) for column in ("tp", "pp", "cp", "ep")},
    "virtual_pp": like(TrainingJob, "interleave"),
    "sequence_parallel": SWITCH,
    "zero_stage": one_of("0", "1", "2", "3", "fsdp"),
    "micro_batch": like(TrainingJob, "micro_batch"),
    "global_batch_sequences": like(TrainingJob, "global_batch"),
    "recompute": one_of("none", "selective", "full"),
    "flash_attention": SWITCH,
    **dict.fromkeys(("tflops_per_gpu", "tokens_per_s_per_gpu", "iter_time_s"), FIGURE),
    "mfu_pct": Number(FIGURE.low, _MOST_MFU_PCT),
    "kind": one_of("pretrain", "full-finetune", "lora", "qlora", needed=True),
    "quality": QUALITY,
}


def check_cells(cells: Cells) -> None:
    """Raise UnansweredError for a cell that cannot be, and for GPUs that do not split as stated.

    A batch need not divide: sources print local batches and rounded ones.
    """
    require(cells, _RULES)
    tp, pp, cp = (value(cells, name) or 1.0 for name in ("tp", "pp", "cp"))
    gpus, split = value(cells, "n_gpus"), tp * pp * cp
    if gpus is None:
        return
    if gpus < split or gpus % split:
        fault = "fewer than" if gpus < split else "no multiple of"
        raise _refused(f"n_gpus is {gpus:g}, {fault} tp x pp x cp = {split:g}")
    if (value(cells, "ep") or 1.0) > gpus:
        raise _refused(f"ep is {cells['ep']}, more than the {gpus:g} GPUs")


def check_layout(cells: Cells, model: ModelSpec) -> None:
    """Raise UnansweredError for a layout that cannot be laid over the network. Layers need not split evenly."""
    tp, pp, ep, chunks = (value(cells, name) or 1.0 for name in ("tp", "pp", "ep", "virtual_pp"))
    if pp > model.layers:
        raise _refused(f"pp is {pp:g}, more than the {model.layers} layers")
    if pp > 1 and pp * chunks > model.layers + _OUTER_STAGES:
        raise _refused(f"virtual_pp is {chunks:g}, more chunks over pp = {pp:g} than the {model.layers} layers")
    if model.heads % tp:
        raise _refused(f"tp is {tp:g}, which does not divide the {model.heads} heads")
    experts = model.moe.experts if model.moe else 1
    if experts % ep:
        raise _refused(f"ep is {ep:g}, which does not divide {experts} experts" if model.moe else "ep without experts")


def _refused(reason: str) -> UnansweredError:
    return UnansweredError("refused", reason)
