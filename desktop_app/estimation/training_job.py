"""What is trained and how: the choices of a training job. What is None is chosen by the program and reported."""

from typing import Literal

from desktop_app.foundation.records import Record, choice

Method = Literal["full", "lora", "qlora"]
LoraTargets = Literal["qv", "attention", "all-linear"]
BasePrecision = Literal["bf16", "int8", "nf4"]
Precision = Literal["bf16", "bf16-mixed", "fp16-mixed", "fp8", "mxfp8", "nvfp4", "tf32", "fp32"]
FULL_PRECISIONS = ("tf32", "fp32")  # four bytes a number; tf32 rounds inside matrix products only
Optimizer = Literal["adamw", "adamw-fused", "adamw-8bit", "adamw-paged-8bit", "sgd", "sgd-momentum"]
Recompute = Literal["none", "selective", "partial", "full"]
AttentionKernel = Literal["flash", "sdpa", "eager"]
Sharding = Literal["none", "zero1", "zero2", "zero3", "fsdp"]
Offload = Literal["none", "optimizer", "all"]
Software = Literal["legacy", "tuned-fused", "tuned-eager", "stock"]
CrossEntropy = Literal["full", "chunked", "fused"]
MoeStack = Literal["early", "current", "leading"]


class TrainingJob(Record):
    """The training job. Batch sizes are in sequences."""

    tokens: float = choice(1e12, card="job", unit="token", ge=1, le=1e18)
    sequence_length: int = choice(2048, card="job", unit="token", ge=1, le=16_777_216)
    global_batch: int | None = choice(card="job", unit="sequence", ge=1, le=100_000_000)
    micro_batch: int | None = choice(card="job", unit="sequence", detail=True, ge=1, le=1_000_000)
    method: Method = choice("full", card="job")
    lora_rank: int = choice(16, card="job", detail=True, ge=1, le=65_536)
    lora_targets: LoraTargets = choice("all-linear", card="job", detail=True)
    base_precision: BasePrecision | None = choice(card="job", detail=True)
    precision: Precision = choice("bf16-mixed", card="job")
    optimizer: Optimizer = choice("adamw", card="job", detail=True)
    fused_backward: bool = choice(False, card="job", detail=True)
    recompute: Recompute | None = choice(card="job", detail=True)
    attention: AttentionKernel = choice("flash", card="job", detail=True)
    cross_entropy: CrossEntropy = choice("full", card="job", detail=True)
    sharding: Sharding | None = choice(card="job", detail=True)
    offload: Offload = choice("none", card="job", detail=True)
    tp: int | None = choice(card="job", detail=True, ge=1, le=1_000_000)
    pp: int | None = choice(card="job", detail=True, ge=1, le=1_000_000)
    cp: int | None = choice(card="job", detail=True, ge=1, le=1_000_000)
    ep: int | None = choice(card="job", detail=True, ge=1, le=1_000_000)
    interleave: int | None = choice(card="job", detail=True, ge=1, le=10_000)
    software: Software | None = choice(card="job", detail=True)
    native_attention: bool | None = choice(card="job", detail=True)
    tp_overlap: bool | None = choice(card="job", detail=True)
    sequence_parallel: bool | None = choice(card="job", detail=True)
    moe_stack: MoeStack | None = choice(card="job", detail=True)
    even_routing: bool = choice(False, card="job", detail=True)
    capacity_factor: float | None = choice(card="job", unit="ratio", detail=True, ge=1, le=64)
    padding_share: float = choice(0.0, card="job", unit="share", detail=True, ge=0, le=0.99)
    data_stall_share: float | None = choice(card="job", unit="share", detail=True, ge=0, le=0.9)
    checkpoint_interval_minutes: float | None = choice(card="job", unit="minute", detail=True, ge=0.1, le=100_000)
    mfu: float | None = choice(card="job", unit="share", detail=True, ge=0.001, le=4)
