"""One accelerator, as its data sheet and the fits describe it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gpu:
    """Dense peaks only (no 2:4 sparsity). Rates per second; links one way."""

    name: str
    vendor: str
    memory_bytes: float
    usable_memory_bytes: float  # what a training process gets
    memory_bytes_per_s: float
    peak_dense_bf16_flops: float  # 16-bit; fp16 where the card has no bf16
    peak_dense_fp8_flops: float | None
    peak_dense_fp4_flops: float | None
    supports_bf16: bool
    link_bytes_per_s_one_way: float  # NVLink or its like; PCIe where there is none
    link_domain_gpus: int  # GPUs that reach each other at that speed; 1 = only over PCIe
    typical_node_gpus: int
    network_bytes_per_s_per_node: float  # one way, when nothing is stated
    efficiency_class: str  # row of the constants: "A100", "H100", ...
    source: str
    as_of: str
