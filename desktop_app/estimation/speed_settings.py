"""Everything categorical about a job's speed as plain numbers, so that the equations of time hold for columns too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from desktop_app.estimation.calibration import generation_of, shipped
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.gpus import Gpu
from desktop_app.estimation.memory_job import base_precision_of, optimizer_traffic_bytes
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.software import SoftwareStack
from desktop_app.estimation.speed_constants import (
    LayerConstants,
    ParallelConstants,
    layer_constants,
    parallel_constants,
)
from desktop_app.estimation.training_job import FULL_PRECISIONS, TrainingJob
from desktop_app.foundation.problems import user_error
from desktop_app.foundation.scalar_ops import Number

_BORROWED_CLASS = "prior-amd"  # the most cautious of the classes without measurements


@dataclass(frozen=True, slots=True)
class SpeedSettings:
    """What machine, software, precision and method come to. Rates per second, switches 0 or 1."""

    sequence_length: Number
    gemm_flops_per_s: Number  # of the layers
    head_gemm_flops_per_s: Number  # of the output head, which stays in 16 bit
    gemm_half_tokens: Number  # tokens at which a matrix product runs at half speed
    gemm_half_width: Number
    fused_attention: Number
    attention_flops_per_s: Number  # of the kernel in use, for this head dimension
    windowed_attention: Number  # 1 when the kernel skips what lies outside a sliding window
    unfused_traversals: Number
    memory_bytes_per_s: Number
    element_bytes: Number  # of an activation
    elementwise_traversals: Number
    quantisation_traversals: Number  # 0 in 16 bit
    launch_floor_s: Number  # per layer and pass
    tensor_parallel_floor_s: Number
    expert_floor_s: Number
    expert_load: Number  # slots per routed token
    expert_imbalance: Number  # tokens of the fullest of many ranks over the mean, less 1
    expert_permutation_traversals: Number
    expert_exchange_exposed_in_node: Number  # share of the all-to-all that is not hidden
    expert_exchange_exposed_between_nodes: Number  # the same between nodes
    weight_gradients: Number  # 0 for LoRA and QLoRA
    head_weight_gradient: Number  # 1 also where LoRA trains embeddings and head
    optimizer_bytes: Number  # read and written per trained parameter
    adapter_passes: Number  # passes of the model's products that the work of unusually large adapters comes to
    optimizer_steps: Number  # 1 = one after each micro-batch, 0 = one for all of them
    trainable_share: Number  # of the parameters, for traffic and optimizer
    weight_bytes: Number  # of a gathered parameter
    gradient_bytes: Number  # of the gradient exchange, per parameter
    accumulation_bytes: Number
    dequantisation_s_per_param: Number  # 0 when weights are kept in 16 bit
    link_bytes_per_s: Number  # usable, one way
    network_bytes_per_s_per_node: Number  # usable, one way
    gpus_per_node: Number
    link_domain_gpus: Number
    tensor_parallel_exposed: Number  # share of the traffic that is not hidden
    pipeline_exposed: Number
    pipeline_overhead_s: Number
    pipeline_scatter: Number  # 1 = each tensor-parallel rank sends its share only
    micro_batch_overhead_s: Number
    gradient_overlap: Number
    broadcast_optimizer: Number
    optimizer_shard_gpus: Number  # 0 = the whole data-parallel group
    padding_share: Number  # of the positions of a sequence that train nothing
    layer: LayerConstants
    parallel: ParallelConstants


def settings_of(
    shape: Shape,
    job: TrainingJob,
    cluster: Cluster,
    stack: SoftwareStack,
    fitted: Mapping[str, float] | None = None,
    trained: float | None = None,
) -> SpeedSettings:
    """The settings of a job on a cluster, with the shipped constants unless others are `fitted`.

    `trained` parameters of adapters; None: the usual share of the model.

    Raises UserError for an accelerator without a speed model and for a precision that the GPU does not have.
    """
    fitted = shipped() if fitted is None else fitted
    gpu = _with_speed_model(cluster.gpu, job)
    generation = generation_of(gpu)
    rate = _gemm_rate(gpu, generation, job, stack, fitted)
    half = rate / fitted["gemm_half_reference_flops"]
    quantised = job.precision in ("fp8", "mxfp8", "nvfp4")
    return SpeedSettings(
        sequence_length=job.sequence_length,
        gemm_flops_per_s=rate,
        head_gemm_flops_per_s=_plain_rate(gpu, job, fitted)
        * (fitted["stock_gemm"] if stack.software == "stock" else 1.0),
        gemm_half_tokens=fitted["gemm_half_tokens"] * half,
        gemm_half_width=fitted["gemm_half_width"] * half,
        **_attention_settings(shape, gpu, job, stack, fitted),
        unfused_traversals=fitted["unfused_traversals"],
        memory_bytes_per_s=gpu.memory_bytes_per_s,
        element_bytes=4.0 if job.precision in FULL_PRECISIONS else 2.0,  # bytes of fp32 and of 16-bit floats
        elementwise_traversals=fitted[f"elementwise_traversals.{stack.software}"],
        quantisation_traversals=fitted["quantisation_traversals"] if quantised else 0.0,
        launch_floor_s=fitted[f"launch_floor_s.{stack.software}{'-lora' if _stock_lora(job, stack) else ''}"],
        tensor_parallel_floor_s=fitted["launch_floor_tensor_parallel_s"] if stack.software == "legacy" else 0.0,
        expert_floor_s=fitted[f"launch_floor_moe_s.{stack.moe_stack}"],
        **_expert_settings(job, stack, fitted),
        **_training_settings(shape, job, fitted, trained),
        optimizer_bytes=optimizer_traffic_bytes(job, stack.software),
        optimizer_steps=float(job.fused_backward),
        weight_bytes=_weight_bytes(job),
        gradient_bytes=_gradient_bytes(job, stack, fitted),
        accumulation_bytes=fitted[f"accumulation_bytes.{stack.software}"],
        dequantisation_s_per_param=_dequantisation_s_per_param(job, gpu, fitted),
        **_link_settings(gpu, cluster, stack, fitted),
        pipeline_exposed=fitted[f"pipeline_exposed.{stack.software}"],
        pipeline_overhead_s=fitted["pipeline_overhead_s.legacy"] if stack.software == "legacy" else 0.0,
        pipeline_scatter=float(stack.software != "legacy" or stack.scatter_gather),
        micro_batch_overhead_s=fitted[f"micro_batch_overhead_s.{stack.software}"],
        gradient_overlap=0.0 if stack.software == "legacy" else fitted["gradient_overlap"],
        broadcast_optimizer=float(stack.broadcast_optimizer),
        optimizer_shard_gpus=0.0,
        padding_share=job.padding_share,
        layer=layer_constants(fitted),
        parallel=parallel_constants(fitted),
    )


def sinks_are_slow(shape: Shape, stack: SoftwareStack) -> bool:
    """Whether the softmax has sinks that the stack's fused kernels do not know."""
    return bool(shape.attention_sinks) and stack.moe_stack != "leading"


def _attention_settings(
    shape: Shape, gpu: Gpu, job: TrainingJob, stack: SoftwareStack, fitted: Mapping[str, float]
) -> dict[str, float]:
    """The attention kernel in use.

    Kernels for attention sinks came with the leading stacks; before, a slow path that skips no window.
    """
    fused = _fused_attention(job, stack)
    slow = fitted["attention_sinks_slowdown"] if fused and sinks_are_slow(shape, stack) else 1.0
    rate = _attention_rate(gpu, generation_of(gpu), stack, fused, fitted) * _full_precision_factor(gpu, job, fitted)
    return {
        "fused_attention": float(fused),
        "attention_flops_per_s": rate * _head_dim_factor(shape, fitted) / slow,
        "windowed_attention": float(slow == 1.0),
    }


def _training_settings(
    shape: Shape, job: TrainingJob, fitted: Mapping[str, float], trained: float | None
) -> dict[str, float]:
    """Which gradients a step computes: those of all weights, or of adapters beside frozen ones.

    Adapters of the usual share are in the fitted constants; larger ones add a forward pass and both gradients.
    """
    if job.method == "full":
        return {
            "weight_gradients": 1.0, "head_weight_gradient": 1.0, "trainable_share": 1.0, "adapter_passes": 0.0,
        }  # fmt: skip
    usual = fitted["lora_trainable_share"]
    share = usual if trained is None else trained / float(shape.params_total)
    return {
        "weight_gradients": 0.0,
        "head_weight_gradient": 0.0,
        "trainable_share": share,
        "adapter_passes": 3.0 * max(0.0, share - usual),
    }


def _expert_settings(job: TrainingJob, stack: SoftwareStack, fitted: Mapping[str, float]) -> dict[str, float]:
    """What routing costs on this stack.

    Without dropping, the fullest rank sets the pace; a capacity is computed whether it is filled or not.
    """
    maturity = stack.moe_stack
    return {
        "expert_load": job.capacity_factor or 1.0,
        "expert_imbalance": 0.0 if job.capacity_factor or job.even_routing else fitted["expert_imbalance"] - 1.0,
        "expert_permutation_traversals": fitted[f"expert_permutation_traversals.{maturity}"],
        "expert_exchange_exposed_in_node": 1.0 - fitted[f"expert_exchange_hidden_in_node.{maturity}"],
        "expert_exchange_exposed_between_nodes": 1.0 - fitted[f"expert_exchange_hidden_between_nodes.{maturity}"],
    }


def _link_settings(gpu: Gpu, cluster: Cluster, stack: SoftwareStack, fitted: Mapping[str, float]) -> dict[str, float]:
    """How fast GPUs reach each other, and what tensor parallelism leaves uncovered.

    Overlap needs GPUs that write into each other's memory: none hides traffic over PCIe.
    """
    hides = stack.tp_overlap and gpu.link_domain_gpus > 1
    return {
        "link_bytes_per_s": fitted["link_usable"] * gpu.link_bytes_per_s_one_way,
        "network_bytes_per_s_per_node": fitted["network_usable"] * cluster.network_bytes_per_s_per_node,
        "gpus_per_node": cluster.gpus_per_node,
        "link_domain_gpus": cluster.link_domain_gpus,
        "tensor_parallel_exposed": 1.0 - fitted["tensor_parallel_hidden"] * hides,
    }


def _with_speed_model(gpu: Gpu, job: TrainingJob) -> Gpu:
    """The GPU itself; an accelerator without a class of its own borrows one when the job states its utilisation.

    The step time then follows from that utilisation, and the borrowed class only ranks layouts.
    """
    if generation_of(gpu):
        return gpu
    if job.mfu is None:
        raise user_error("gpu", "problem.no_speed_model", gpu=gpu.name)
    return replace(gpu, efficiency_class=_BORROWED_CLASS)


def fastest_precision(gpu: Gpu, job: TrainingJob) -> float:
    """The peak of the job's precision over the 16-bit peak: no utilisation passes it. 1 where no peak is published."""
    peaks = {
        "fp8": gpu.peak_dense_fp8_flops, "mxfp8": gpu.peak_dense_fp8_flops, "nvfp4": gpu.peak_dense_fp4_flops,
        "tf32": gpu.peak_dense_tf32_flops, "fp32": gpu.peak_fp32_flops,
    }  # fmt: skip
    return (peaks.get(job.precision) or gpu.peak_dense_bf16_flops) / gpu.peak_dense_bf16_flops


def _plain_rate(gpu: Gpu, job: TrainingJob, fitted: Mapping[str, float]) -> float:
    """FLOP/s of large matrix products in 16 bit, or in fp32 or tf32 where the job asks for it."""
    efficiency = fitted[f"gemm_efficiency.{gpu.efficiency_class}"]
    if job.precision in FULL_PRECISIONS:
        exact = job.precision == "fp32"
        peak = gpu.peak_fp32_flops if exact else gpu.peak_dense_tf32_flops
        if peak is None:
            raise user_error("precision", "problem.no_precision", gpu=gpu.name, precision=job.precision)
        return peak * (fitted["fp32_efficiency"] if exact else efficiency)  # tf32 runs on the tensor cores
    return gpu.speed_peak_flops * efficiency


def _gemm_rate(gpu: Gpu, generation: str, job: TrainingJob, stack: SoftwareStack, fitted: Mapping[str, float]) -> float:
    """FLOP/s of the layers' matrix products: R of the step-time equations."""
    rate = _plain_rate(gpu, job, fitted) * _precision_gain(gpu, generation, job, stack, fitted)
    if stack.software == "legacy" and job.precision.startswith("bf16"):
        rate *= fitted["legacy_bf16"]
    if stack.software == "stock":
        rate *= fitted["stock_gemm"]
    if generation.startswith("hopper") and not stack.native_attention:
        rate *= fitted["not_native_hopper"]
    return rate


def _precision_gain(
    gpu: Gpu, generation: str, job: TrainingJob, stack: SoftwareStack, fitted: Mapping[str, float]
) -> float:
    """Speed of matrix products against 16 bit. Raises UserError for a precision that the GPU does not have."""
    missing = (
        (job.precision.startswith("bf16") and not gpu.supports_bf16)
        or (job.precision == "fp8" and gpu.peak_dense_fp8_flops is None)
        # the hardware for block scales came with fp4
        or (job.precision in ("mxfp8", "nvfp4") and gpu.peak_dense_fp4_flops is None)
    )
    if missing:
        raise user_error("precision", "problem.no_precision", gpu=gpu.name, precision=job.precision)
    if job.precision not in ("fp8", "mxfp8", "nvfp4"):
        return 1.0
    if stack.fp8_rowwise:
        return fitted["fp8_rowwise_gain"]
    gain = fitted[f"fp8_gain.{generation}"]
    return gain * fitted["fp4_gain"] if job.precision == "nvfp4" else gain


def _fused_attention(job: TrainingJob, stack: SoftwareStack) -> bool:
    """Whether attention runs in one kernel."""
    return job.attention != "eager" and not (stack.software == "legacy" and "attention" not in job.model_fields_set)


def _attention_rate(gpu: Gpu, generation: str, stack: SoftwareStack, fused: bool, fitted: Mapping[str, float]) -> float:
    """FLOP/s of attention at head dimension 128 in 16 bit, also in fp8 jobs."""
    if fused:
        kernel = "native" if stack.native_attention else "fa1" if stack.first_attention else "fa2"
        return gpu.speed_peak_flops * fitted[f"attention_{kernel}.{generation}"]
    ratio = fitted[f"gemm_efficiency.{gpu.efficiency_class}"] / fitted["gemm_efficiency.A100"]
    return gpu.speed_peak_flops * fitted["unfused_gemm"] * ratio


def _full_precision_factor(gpu: Gpu, job: TrainingJob, fitted: Mapping[str, float]) -> float:
    """Speed of products in fp32 or tf32 over those in 16 bit; 1 for all other jobs."""
    if job.precision not in FULL_PRECISIONS:
        return 1.0
    sixteen_bit = gpu.speed_peak_flops * fitted[f"gemm_efficiency.{gpu.efficiency_class}"]
    return min(1.0, _plain_rate(gpu, job, fitted) / sixteen_bit)


def _head_dim_factor(shape: Shape, fitted: Mapping[str, float]) -> float:
    """Speed of attention at this head dimension, 1 at 128: d/(d+32) * 160/128, less for dimensions not of 8."""
    half = fitted["attention_half_head_dim"]
    dim = float(shape.head_dim)
    factor = dim / (dim + half) * (128 + half) / 128  # 128: what the rates are stated for
    return factor * fitted["attention_odd_head_dim"] if dim % 8 else factor


def _stock_lora(job: TrainingJob, stack: SoftwareStack) -> bool:
    return stack.software == "stock" and job.method != "full"


def _weight_bytes(job: TrainingJob) -> float:
    """Bytes of one parameter when sharded weights are gathered."""
    quantised = {"nf4": 0.5, "int8": 1.0}  # 4 and 8 bits; the scales add a few percent
    return quantised.get(base_precision_of(job) or "", 4.0 if job.precision in FULL_PRECISIONS else 2.0)


def _gradient_bytes(job: TrainingJob, stack: SoftwareStack, fitted: Mapping[str, float]) -> float:
    bf16 = stack.software == "legacy" and job.precision.startswith("bf16")
    return fitted[f"gradient_bytes.{'legacy-bf16' if bf16 else stack.software}"]


def _dequantisation_s_per_param(job: TrainingJob, gpu: Gpu, fitted: Mapping[str, float]) -> float:
    """Seconds to turn one frozen weight back to 16 bit; follows the memory bandwidth of the card."""
    base = base_precision_of(job)
    if base in (None, "bf16"):
        return 0.0
    rate = fitted[f"dequantisation_params_per_s.{base}"]
    return fitted["dequantisation_reference_bytes_per_s"] / gpu.memory_bytes_per_s / rate
