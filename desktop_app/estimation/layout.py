"""Which layouts are legal for a job on a cluster, and the short list of those worth trying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.software import software_of
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem, UserError, user_error

# Megatron-LM and NeMo keep a pipeline's micro-batch at a few thousand tokens and data parallelism's near 8,192
# (reference defaults of the throughput data, STEP_TIME section 3): larger ones no longer raise the speed of GEMMs.
TOKENS_PER_MICRO_BATCH = 16_384
LARGE_MODEL = 3e10  # parameters from which batches grow with the cluster
TOKENS_PER_GPU_AND_STEP = 2048  # of dense models; Llama 3 405B: 1,024 (arXiv 2407.21783)
TOKENS_PER_GPU_AND_STEP_EXPERTS = 16_384  # DeepSeek-V3: 63M tokens on 2,048 GPUs, 30,720 each (arXiv 2412.19437)

LARGEST_BATCH_TOKENS = 2**26  # DeepSeek-V3: 15,360 sequences of 4,096 tokens (arXiv 2412.19437)
FEWEST_STEPS = 500  # a short job takes a smaller batch: Alpaca took about 1,200 steps (tatsu-lab/stanford_alpaca)
LONG_CONTEXT_TOKENS = 32_768  # from here on context parallelism is tried unasked, as NeMo's long-context recipes do
LARGEST_TENSOR = 8  # beyond one node of 8 no published run splits tensors (throughput rows, Narayanan et al. 2021)
LARGEST_PIPELINE = 64  # Narayanan et al. 2021 (arXiv 2104.04473): 64 stages for 1T parameters, the deepest published
MOST_IDLE = 1.05  # slots per layer of an uneven pipeline; Llama 3 405B has 128 for 126 (arXiv 2407.21783)
MOST_CHUNKS = 12  # per pipeline rank: the most that a published run has (throughput rows of Megatron-Bridge)
ZERO_STAGE = {"none": 0, "zero1": 1, "zero2": 2, "zero3": 3, "fsdp": 3}


@dataclass(frozen=True, slots=True)
class Grid:
    """How the GPUs are divided, before batch and memory settings: n = tp * pp * cp * dp; ep divides cp * dp."""

    tp: int
    pp: int
    cp: int
    ep: int
    dp: int

    @property
    def model_parallel(self) -> int:
        """GPUs that share one copy of the model."""
        return self.tp * self.pp * self.cp


def check_layout(shape: Shape, job: TrainingJob, cluster: Cluster, global_batch: int) -> None:
    """Refuse a stated layout that cannot run. Raises UserError with every fault."""
    faults = list(_faults(shape, job, cluster, global_batch))
    if faults:
        raise UserError(*faults)


def _faults(shape: Shape, job: TrainingJob, cluster: Cluster, global_batch: int) -> Iterator[Problem]:
    tp, pp, cp = job.tp or 1, job.pp or 1, job.cp or 1
    if shape.heads % tp:
        yield Problem("tp", "problem.heads_tp", {"heads": shape.heads, "tp": tp})
    if pp > shape.layers:
        yield Problem("pp", "problem.layers_pp", {"layers": shape.layers, "pp": pp})
    if job.sequence_length % cp:
        yield Problem("cp", "problem.sequence_cp", {"sequence": job.sequence_length, "cp": cp})
    if cluster.gpus % (tp * pp * cp):
        yield Problem("tp", "problem.layout_product", {"gpus": cluster.gpus, "product": tp * pp * cp})
    elif job.tp and job.pp and job.cp:
        replicas = cluster.gpus // (tp * pp * cp) * (job.micro_batch or 1)
        if global_batch % replicas:
            yield Problem("global_batch", "problem.batch", {"batch": global_batch, "multiple": replicas})
        elif job.fused_backward and job.micro_batch and global_batch > replicas and pp == 1:
            values = {"batch": global_batch, "count": global_batch // replicas, "multiple": replicas}
            yield Problem("fused_backward", "problem.fused_backward_accumulation", values)
    yield from _expert_faults(shape, job.ep or 1, cluster.gpus // pp)
    yield from _interleave_faults(shape, job)


def _expert_faults(shape: Shape, ep: int, group: int) -> Iterator[Problem]:
    if ep == 1:
        return
    if not shape.experts:
        yield Problem("ep", "problem.ep_dense", {"ep": ep})
    elif shape.experts % ep:
        yield Problem("ep", "problem.ep_experts", {"experts": shape.experts, "ep": ep})
    elif group % ep:
        yield Problem("ep", "problem.ep_gpus", {"ep": ep, "gpus": group})


def _interleave_faults(shape: Shape, job: TrainingJob) -> Iterator[Problem]:
    if not _with_pipeline(job) and (job.pp or 1) > 1:
        yield Problem("sharding", "problem.zero_pipeline", {})
    if job.offload == "all" and (job.pp or 1) > 1:
        yield Problem("offload", "problem.offload_pipeline", {})
    if job.fused_backward and (job.pp or 1) > 1:
        yield Problem("fused_backward", "problem.fused_backward_pipeline", {})
    if not job.interleave or job.interleave == 1 or job.pp is None:
        return
    multiple = job.pp * job.interleave
    if job.pp == 1:
        yield Problem("interleave", "problem.interleave_pp", {"interleave": job.interleave})
    elif multiple > shape.layers:
        yield Problem("interleave", "problem.interleave_layers", {"layers": shape.layers, "multiple": multiple})


def default_global_batch(shape: Shape, job: TrainingJob, gpus: int, wide: bool) -> int:
    """Sequences per optimizer step when none is stated: what published jobs of the size use, divisible over the GPUs.

    Pre-training 0.5M tokens (GPT-2 size), 1M (about 1B), 4M (7B and more: Llama 2, GPT-3 3.2M); fine-tuning 128
    sequences (RULES_OF_THUMB p: 16 to 256). Without model parallelism (`wide` False) every GPU needs its sequence.
    A stated micro-batch is the unit.
    """
    unit = job.micro_batch or 1
    if job.fused_backward:
        return unit * gpus  # the optimizer steps after every micro-batch
    if job.method != "full":
        target = max(1, 128 // unit)
    else:
        target = max(1, int(_batch_tokens(shape, job, gpus) // (job.sequence_length * unit)))
    if gpus <= target or not wide:
        return unit * gpus * max(1, 1 << (max(1, target // gpus).bit_length() - 1))
    odd = gpus
    while odd % 2 == 0:
        odd //= 2
    return unit * (gpus if odd > target else odd << ((target // odd).bit_length() - 1))


def _batch_tokens(shape: Shape, job: TrainingJob, gpus: int) -> float:
    return min(_usual_batch_tokens(shape, gpus), job.tokens / FEWEST_STEPS)


def tokens_for_usual_batch(shape: Shape, gpus: int) -> float:
    """The tokens of a pre-training run below which its batch is smaller than usual, so that it takes enough steps."""
    return FEWEST_STEPS * _usual_batch_tokens(shape, gpus)


def _usual_batch_tokens(shape: Shape, gpus: int) -> float:
    params_total = shape.params_total
    usual = 2**19 if params_total < 5e8 else 2**20 if params_total < 5e9 else 2**22
    if params_total > LARGE_MODEL:
        per_gpu = TOKENS_PER_GPU_AND_STEP_EXPERTS if shape.experts else TOKENS_PER_GPU_AND_STEP
        usual = max(usual, min(gpus * per_gpu, LARGEST_BATCH_TOKENS))
    return usual


def grids(shape: Shape, job: TrainingJob, cluster: Cluster, wide: bool) -> list[Grid]:
    """Legal divisions of the GPUs that respect what the job states, the least model parallelism first.

    `wide` is False for stacks that people run without tensor or pipeline parallelism (stock scripts, eager FSDP).
    """
    found: list[Grid] = []
    for tp in _stated_or(job.tp, _tensor_sizes(shape, cluster) if wide else (1,)):
        for pp in _stated_or(job.pp, _pipeline_sizes(shape, cluster, tp) if wide else (1,)):
            for cp in _stated_or(job.cp, _context_sizes(job) if wide else (1,)):
                if cluster.gpus % (tp * pp * cp) or not _suits_pipeline(shape, job, pp):
                    continue
                dp = cluster.gpus // (tp * pp * cp)
                experts = _stated_or(job.ep, _expert_sizes(shape, cluster, dp * cp))
                groups = (dp * cp, tp * dp * cp) if job.ep else (dp * cp,)  # who states more splits experts alone
                found.extend(Grid(tp, pp, cp, ep, dp) for ep in experts if any(group % ep == 0 for group in groups))
    return sorted(found, key=lambda grid: (grid.model_parallel, grid.pp, grid.cp, grid.ep))


def _suits_pipeline(shape: Shape, job: TrainingJob, pp: int) -> bool:
    """Whether stated sharding and interleaving allow so many stages."""
    if pp > 1 and (job.fused_backward or job.offload == "all" or not _with_pipeline(job)):
        return False
    interleave = job.interleave or 1
    return interleave == 1 or (pp > 1 and pp * interleave <= shape.layers)


def _with_pipeline(job: TrainingJob) -> bool:
    """Whether the stated sharding goes with a pipeline: DeepSpeed refuses ZeRO 2 and 3, Llama 3 sharded gradients."""
    return job.sharding != "zero3" and (job.sharding != "zero2" or software_of(job).software == "tuned-fused")


def shardings(job: TrainingJob, grid: Grid, software: str) -> tuple[str, ...]:
    """Ways to share optimizer, gradients and weights over the data-parallel group that are usual for such a grid."""
    if job.sharding:
        return (job.sharding,)
    if grid.dp * grid.cp == 1:
        return ("none",)
    if grid.pp > 1:
        return _with_stages(job, software)
    sharded = "zero3" if software in ("stock", "legacy") else "fsdp"
    if job.offload == "all":
        return (sharded,)  # each GPU's host memory holds its share of the weights, not all of them
    return ("none" if job.method != "full" else "zero1", sharded)


def _with_stages(job: TrainingJob, software: str) -> tuple[str, ...]:
    """The same for a pipeline; tuned stacks may share the gradients too, as Llama 3 did (arXiv 2407.21783)."""
    if job.method != "full":
        return ("none",)
    return ("zero1", "zero2") if software == "tuned-fused" else ("zero1",)


def plans(shape: Shape, job: TrainingJob, grid: Grid, global_batch: int, sharding: str, recompute: str) -> list[Plan]:
    """The plans of one grid, largest micro-batch first; [] when the batch does not divide."""
    if global_batch % grid.dp:
        return []
    share = global_batch // grid.dp
    limit = max(1, TOKENS_PER_MICRO_BATCH * grid.cp // job.sequence_length)
    if job.micro_batch:
        sizes = [job.micro_batch] if share % job.micro_batch == 0 else []
    else:
        sizes = [size for size in _halvings(limit) if share % size == 0]
        if job.fused_backward and share in sizes:
            sizes = [share]
    interleaves: tuple[int, ...] = (1,)
    if grid.pp > 1:
        interleaves = _stated_or(job.interleave, _interleaves(shape, grid.pp))
        sizes = sizes if job.micro_batch else [size for size in sizes if size <= 4]  # small ones keep the bubble small
    sequence_parallel = grid.tp > 1 if job.sequence_parallel is None else job.sequence_parallel
    return [
        Plan(
            tp=grid.tp, pp=grid.pp, dp=grid.dp, cp=grid.cp, ep=grid.ep, interleave=interleave,
            micro_batch=size, accumulation=share // size,
            zero_stage=ZERO_STAGE[sharding], full_shard=int(sharding == "fsdp"),
            full_recompute=int(recompute == "full"), selective_recompute=int(recompute == "selective"),
            sequence_parallel=int(sequence_parallel),
        )
        for interleave in interleaves or (1,)
        for size in sizes
        # Megatron's schedule takes micro-batches in rounds of pp; who states interleaving may run another
        if interleave == 1 or job.interleave or share // size % grid.pp == 0
    ]  # fmt: skip


def require_a_plan(found: bool, shape: Shape, job: TrainingJob, cluster: Cluster, global_batch: int) -> None:
    """Say in plain words that no layout divides batch and GPUs. Raises UserError."""
    if found:
        return
    if not grids(shape, job, cluster, wide=True):
        if job.interleave and job.interleave > 1 and cluster.gpus == 1:
            raise user_error("interleave", "problem.interleave_pp", interleave=job.interleave)
        if job.interleave and 2 * job.interleave > shape.layers:  # of two stages at least
            raise user_error(
                "interleave", "problem.interleave_layers", layers=shape.layers, multiple=2 * job.interleave
            )
        if job.ep and job.ep > 1:
            raise user_error("ep", "problem.ep_gpus", ep=job.ep, gpus=cluster.gpus)
    if job.micro_batch and global_batch % job.micro_batch:
        raise user_error("micro_batch", "problem.batch", batch=global_batch, multiple=job.micro_batch)
    copies = cluster.gpus // ((job.tp or 1) * (job.pp or 1) * (job.cp or 1))
    if job.micro_batch and global_batch % copies == 0:
        multiple = copies * job.micro_batch
        raise user_error(
            "global_batch", "problem.batch_micro", batch=global_batch, copies=copies, micro=job.micro_batch,
            multiple=multiple,
        )  # fmt: skip
    raise user_error("global_batch", "problem.batch_gpus", batch=global_batch, gpus=cluster.gpus)


def _stated_or(stated: int | None, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    return (stated,) if stated else otherwise


def _tensor_sizes(shape: Shape, cluster: Cluster) -> tuple[int, ...]:
    largest = min(cluster.gpus_per_node, LARGEST_TENSOR)
    return tuple(tp for tp in (1, 2, 4, 8) if tp <= largest and shape.heads % tp == 0)


def _pipeline_sizes(shape: Shape, cluster: Cluster, tp: int) -> tuple[int, ...]:
    largest = min(LARGEST_PIPELINE, shape.layers, cluster.gpus // tp)
    return tuple(pp for pp in range(1, int(largest) + 1) if splits(shape, pp))


def splits(shape: Shape, parts: int) -> bool:
    """Whether the layers share out over so many parts with little idle: Llama 3 405B runs 126 layers on 16 stages."""
    fullest = -(-shape.layers // parts)
    return bool(parts <= shape.layers and fullest * parts <= MOST_IDLE * shape.layers)


def _interleaves(shape: Shape, pp: int) -> tuple[int, ...]:
    """Chunks per pipeline rank worth trying: none, a few, and the most that layers split into."""
    found = [chunks for chunks in range(1, MOST_CHUNKS + 1) if splits(shape, pp * chunks)]
    few = [chunks for chunks in found if 2 <= chunks <= 4][-1:]
    return tuple(sorted({1, *few, *found[-1:]}))


def _context_sizes(job: TrainingJob) -> tuple[int, ...]:
    if job.sequence_length < LONG_CONTEXT_TOKENS:
        return (1,)
    return tuple(cp for cp in (1, 2, 4, 8, 16, 32) if job.sequence_length % cp == 0)


def _expert_sizes(shape: Shape, cluster: Cluster, group: int) -> tuple[int, ...]:
    if not shape.experts:
        return (1,)
    domain = max(cluster.gpus_per_node, 1)
    sizes = {ep for ep in (1, domain, 2 * domain, 4 * domain, 8 * domain) if ep <= group}
    return tuple(sorted(ep for ep in sizes if shape.experts % ep == 0 and group % ep == 0))


def _halvings(limit: int) -> Iterator[int]:
    size = 1 << (limit.bit_length() - 1)
    while size >= 1:
        yield size
        size //= 2
