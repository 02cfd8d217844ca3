"""The software a job runs on, in the few classes that set its speed."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.estimation.training_job import MoeStack, Software, TrainingJob


@dataclass(frozen=True, slots=True)
class SoftwareStack:
    """A software class and its toggles.

    legacy: Megatron-LM and DeepSpeed of 2021-22, GPT-NeoX before fused attention. tuned-fused: Megatron-Core, NeMo,
    compiled torchtitan and FSDP stacks. tuned-eager: llm-foundry, InternEvo, PyTorch without compile. stock: Hugging
    Face Trainer and PEFT scripts.
    """

    software: Software
    native_attention: bool  # the attention kernel is written for the GPU's generation; else FlashAttention-2
    tp_overlap: bool  # tensor-parallel traffic hides behind matrix products
    broadcast_optimizer: bool = (
        False  # optimizer shards travel by a broadcast per rank (DeepSpeed, GPT-NeoX, InternEvo)
    )
    scatter_gather: bool = False  # legacy pipelines that send a share per tensor-parallel rank (Narayanan et al. 2021)
    fp8_rowwise: bool = False  # row-wise scaled fp8 in PyTorch
    first_attention: bool = False  # fused attention of 2022-23 (FlashAttention-1, Triton), slower on any GPU
    moe_stack: MoeStack = "current"  # maturity of its mixtures of experts


def default_software(job: TrainingJob) -> Software:
    """What people run when nothing is stated: tuned software for whole models, stock scripts for LoRA and QLoRA."""
    if job.software is not None:
        return job.software
    return "tuned-fused" if job.method == "full" else "stock"


def software_of(job: TrainingJob) -> SoftwareStack:
    """The stack of a job. Native attention and overlap are on with tuned-fused unless the job says otherwise."""
    software = default_software(job)
    tuned = software == "tuned-fused"
    return SoftwareStack(
        software=software,
        native_attention=tuned if job.native_attention is None else job.native_attention,
        tp_overlap=tuned if job.tp_overlap is None else job.tp_overlap,
        broadcast_optimizer=software == "stock",
        moe_stack=job.moe_stack or "current",
    )
