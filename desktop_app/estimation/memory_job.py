"""From the choices of a training job to the software options that decide its memory."""

from dataclasses import replace
from typing import Literal

from desktop_app.estimation.lora import adapted_linears
from desktop_app.estimation.memory_options import AdapterOptions, MemoryOptions
from desktop_app.estimation.memory_tables import constant, optimizers, precision_recipes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.training_job import FULL_PRECISIONS, BasePrecision, Sharding, TrainingJob

Sharing = Literal["plain", "zero", "fsdp"]
SHARINGS: tuple[Sharing, ...] = ("plain", "zero", "fsdp")

_LOW_PRECISIONS = ("fp8", "mxfp8", "nvfp4")


def options_of(spec: ModelSpec, job: TrainingJob, software: str, sharing: Sharing) -> MemoryOptions:
    """The options of a job under a software class when its state is shared as `sharing` says.

    stock is Hugging Face's code (python norms and gates, dropout as released, PEFT's fp32 adapters and its k-bit
    preparation); legacy is Megatron of 2021-22 with its fused kernels and dropout; the tuned classes have fused or
    compiled kernels and no dropout. Attention "sdpa" in stock code stands for padded batches, whose mask repeats keys
    and values for every head.
    """
    base = base_precision_of(job)
    stock, fused, legacy = software == "stock", software == "tuned-fused", software == "legacy"
    precision = precision_recipes()[_recipe_name(job, software, sharing)]
    sixteen_bit = precision.compute_bytes == 2
    quantised = base in ("int8", "nf4")
    peft = stock and not precision.master_bytes  # DeepSpeed turns all into 16 bit again
    prepared = quantised and peft and sharing == "plain"  # sharded stacks cannot mix fp32 norms with 4-bit weights
    if prepared:
        precision = replace(precision, residual_bytes=4.0)
    loss, backward = _loss_bytes(job, software, sharing, sixteen_bit)
    quantises = fused and sharing != "fsdp" and job.precision in _LOW_PRECISIONS  # Transformer Engine
    return MemoryOptions(
        precision=precision,
        optimizer=optimizers()[_optimizer_name(job, software)],
        adapters=None
        if job.method == "full"
        else _adapters(spec, job, peft and sharing == "plain", precision.weight_bytes),
        base_bytes=constant(f"{base}_bytes") if quantised else None,
        outer_bytes=constant("kbit_prepared_bytes") if prepared else None,
        base_keeps_inputs=base == "int8",
        base_input_bytes=0.0,
        fp32_activations=prepared,
        quantised_head=False,
        dequantised_bytes=constant("dequantised_bytes") if quantised else 0.0,
        dequantised_block_bytes=0.0,
        fp8_copy_bytes=constant(f"{job.precision}_copy_bytes") if quantises else 0.0,
        linear_input_bytes=constant(f"{job.precision}_input_bytes") if quantises else None,
        untied_head=False,
        fused_norms=fused or legacy,
        fused_gates=fused or legacy,
        native_gelu=not stock,
        mask_bytes=None if stock else 2.0 * legacy,
        attention="eager" if job.attention == "eager" else "flash",
        score_bytes=None if stock else 2.0 + 3.0 * legacy,  # softmax; with dropout also its mask and output
        expanded_kv=stock and (job.attention != "flash" or not sixteen_bit),
        loss_bytes=loss,
        backward_bytes=backward,
        selective_bytes=_selective_bytes(software, sharing),
        step_in_backward=job.fused_backward,
        offloaded_optimizer=job.offload != "none",
        offloaded_weights=job.offload == "all",
        offloaded_activations=False,
        outer_units=False,
        full_copies=stock,
        expert_capacity=job.capacity_factor or 1.0,
        bucket_elements=constant("deepspeed_bucket_elements") * precision.recipe.startswith("deepspeed"),
    )


def optimizer_traffic_bytes(job: TrainingJob, software: str) -> float:
    """Bytes that an optimizer step reads and writes for each trained parameter.

    Weights and states both ways, the gradient once; 16-bit weights beside a master copy are only written. 30 for AdamW
    with a master copy and fp32 gradients, 14 when all is bf16, 10 when its states take 8 bit.
    """
    precision = precision_recipes()[_recipe_name(job, software, sharing_of(job.sharding or "zero1"))]
    optimizer = optimizers()[_optimizer_name(job, software)]
    state_bytes = precision.state_bytes if optimizer.bytes_per_state is None else optimizer.bytes_per_state
    weights = precision.weight_bytes if precision.master_bytes else 2.0 * precision.weight_bytes
    kept = 2.0 * (precision.master_bytes + optimizer.states * state_bytes)
    return weights + kept + max(precision.gradient_bytes, precision.accumulator_bytes)


def sharing_of(sharding: Sharding) -> Sharing:
    """The variant of a recipe that a choice of sharding means."""
    return "fsdp" if sharding == "fsdp" else "plain" if sharding == "none" else "zero"


def base_precision_of(job: TrainingJob) -> BasePrecision | None:
    """The precision of a frozen base: as stated, else nf4 for QLoRA and 16-bit for LoRA; None when all is trained."""
    if job.method == "full":
        return None
    return job.base_precision or ("nf4" if job.method == "qlora" else "bf16")


def _recipe_name(job: TrainingJob, software: str, sharing: Sharing) -> str:
    """The row of memory_recipes.csv. A mixed precision means what the software class does by that name."""
    if job.precision in (*FULL_PRECISIONS, "bf16"):
        return "bf16" if job.precision == "bf16" else "fp32"
    stock, fp16 = software == "stock", job.precision == "fp16-mixed"
    if stock and (sharing == "zero" or (sharing == "plain" and job.offload != "none")):  # offload is DeepSpeed's
        return "deepspeed-fp16" if fp16 else "deepspeed-bf16"
    if job.method != "full":
        return "bf16-autocast" if stock and sharing == "plain" else "bf16"
    if sharing == "fsdp":
        return "fsdp-mixed"
    if stock or software == "tuned-eager":
        return "autocast" if stock else "master"
    return "megatron-fp16" if fp16 and software == "legacy" else "megatron"


def _optimizer_name(job: TrainingJob, software: str) -> str:
    """PyTorch's plain AdamW makes a temporary for all parameters at once; the other classes run a fused one."""
    return "adamw-fused" if job.optimizer == "adamw" and software != "stock" else job.optimizer


def _adapters(spec: ModelSpec, job: TrainingJob, in_fp32: bool, weight_bytes: float) -> AdapterOptions:
    return AdapterOptions(
        linears=adapted_linears(spec, job.lora_targets),
        rank=job.lora_rank,
        weight_bytes=4.0 if in_fp32 else weight_bytes,
        dropout=False,
        padded_bytes=0.0,
        embedding_bytes=0.0,
    )


def _loss_bytes(job: TrainingJob, software: str, sharing: Sharing, sixteen_bit: bool) -> tuple[float, float]:
    """Bytes per logit when the loss is computed and when backward starts, as the software class computes it."""
    if not sixteen_bit:
        loss, backward = "loss_bytes_fp32", "backward_bytes_full"
    elif software == "stock":
        loss, backward = "loss_bytes_16bit", "backward_bytes_full"
    elif software == "tuned-eager" or sharing == "fsdp":
        loss = backward = "backward_bytes_kernel"
    else:
        loss, backward = f"loss_bytes_{'legacy' if software == 'legacy' else 'megatron'}", "backward_bytes_megatron"
    if job.cross_entropy == "full":
        return constant(loss), constant(backward)
    less = constant(f"backward_bytes_{job.cross_entropy}")
    return min(less, constant(loss)), min(less, constant(backward))


def _selective_bytes(software: str, sharing: Sharing) -> float | None:
    """Megatron drops the scores; sharded stacks keep the outputs of some operators."""
    if sharing != "fsdp":
        return None
    return constant("selective_ops_bytes_compiled" if software == "tuned-fused" else "selective_ops_bytes")
