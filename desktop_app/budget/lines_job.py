"""The lines of the job, the model, the cluster, the memory and the speed: what the estimate says."""

from __future__ import annotations

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import chosen, computed, predicted, tabled
from desktop_app.estimation.parameters import count
from desktop_app.foundation.expression import ref, total
from desktop_app.foundation.records import Source

TRAINING_FLOPS = ref("flops_per_token") * ref("tokens")
_TRAINED = ref("global_batch") * ref("sequence_length") * (1 - ref("padding_share"))  # tokens of a step
TOKENS_PER_S_PER_GPU = _TRAINED / ref("step_time_s") / ref("gpus")
MFU = ref("flops_per_token") * ref("tokens_per_s_per_gpu") / ref("peak_flops")

_MEMORY_TERMS = ("weights", "gradients", "optimizer", "activations", "logits", "buffers")
_SPEED = (
    computed("step_time_s", "s", "speed", ref("gpu_step_time_s") + ref("offload_s")),
    computed("training_flops", "flop", "speed", TRAINING_FLOPS),
    computed("tokens_per_s_per_gpu", "token_per_s", "speed", TOKENS_PER_S_PER_GPU),
    computed("mfu", "share", "speed", MFU),
)
_MEMORY_SUMS = (
    computed("memory.live_peak", "byte", "memory", total(*(ref(f"memory.{term}") for term in _MEMORY_TERMS))),
    computed("memory.peak_low", "byte", "memory", ref("memory.live_peak") + ref("memory.allowance_low")),
    computed("memory.peak", "byte", "memory", ref("memory.live_peak") + ref("memory.allowance")),
    computed("memory.peak_high", "byte", "memory", ref("memory.live_peak") + ref("memory.allowance_high")),
    computed("memory.headroom", "byte", "memory", ref("memory.usable") - ref("memory.peak")),
)


def job_lines(facts: Facts) -> tuple[Line, ...]:
    """Tokens, batch and layout."""
    estimate = facts.estimate
    job, plan = estimate.job, estimate.plan
    return (
        chosen("tokens", "token", "job", job.tokens, facts),
        chosen("sequence_length", "token", "job", job.sequence_length, facts),
        chosen("padding_share", "share", "job", job.padding_share, facts),
        chosen("global_batch", "sequence", "job", estimate.global_batch, facts),
        chosen("micro_batch", "sequence", "job", plan.micro_batch, facts),
        chosen("tp", "gpu", "job", plan.tp, facts),
        chosen("pp", "gpu", "job", plan.pp, facts),
        chosen("cp", "gpu", "job", plan.cp, facts),
        chosen("ep", "gpu", "job", plan.ep, facts),
        predicted("dp", "gpu", "job", plan.dp),
        predicted("accumulation", "number", "job", plan.accumulation),
    )


def model_lines(facts: Facts) -> tuple[Line, ...]:
    """Parameter counts, exact by the rules of the model's family."""
    model = facts.estimate.model
    counted = count(model)
    source = Source(model.source, model.as_of)
    return (
        tabled("params_total", "parameter", "model", counted.whole, source, model.name, "model"),
        tabled("params_active", "parameter", "model", counted.whole_active, source, model.name, "model"),
        predicted("params_trainable", "parameter", "model", facts.estimate.params_trainable),
    )


def cluster_lines(facts: Facts) -> tuple[Line, ...]:
    """GPUs, nodes and peak."""
    cluster = facts.estimate.cluster
    gpu = cluster.gpu
    source = Source(gpu.source, gpu.as_of)
    return (
        chosen("gpus", "gpu", "cluster", cluster.gpus, facts),
        chosen("gpus_per_node", "gpu", "cluster", cluster.gpus_per_node, facts),
        tabled("peak_flops", "flop_per_s", "cluster", gpu.peak_dense_bf16_flops, source, gpu.name, "gpu"),
    )


def memory_lines(facts: Facts) -> tuple[Line, ...]:
    """Bytes on the fullest GPU at the peak, term by term."""
    memory, gpu = facts.estimate.memory, facts.estimate.cluster.gpu
    source = Source(gpu.source, gpu.as_of)
    return (
        *(predicted(f"memory.{term}", "byte", "memory", getattr(memory, term)) for term in _MEMORY_TERMS),
        predicted("memory.allowance_low", "byte", "memory", memory.allowance_low),
        predicted("memory.allowance", "byte", "memory", memory.allowance),
        predicted("memory.allowance_high", "byte", "memory", memory.allowance_high),
        tabled("memory.capacity", "byte", "memory", gpu.memory_bytes, source, gpu.name, "gpu"),
        tabled("memory.usable", "byte", "memory", gpu.usable_memory_bytes, source, gpu.name, "gpu"),
        *_MEMORY_SUMS,
    )


def speed_lines(facts: Facts) -> tuple[Line, ...]:
    """Step time and what follows from it. MFU counts model FLOPs over the dense 16-bit peak."""
    estimate = facts.estimate
    return (
        predicted("flops_per_token", "flop_per_token", "speed", estimate.flops_per_token),
        predicted("gpu_step_time_s", "s", "speed", estimate.step_time_s - estimate.offload_s),
        predicted("offload_s", "s", "speed", estimate.offload_s),
        *_SPEED,
    )
