"""What the estimation core answers: the records of an estimate."""

from dataclasses import dataclass
from typing import Literal

from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import Problem

Fits = Literal["yes", "tight", "no", "unknown"]
Regime = Literal["layout_known", "layout_chosen", "new_gpu", "moe", "finetune", "efficiency_given"]


@dataclass(frozen=True, slots=True)
class StepBreakdown:
    """Seconds of one optimizer step by cause; the fields add up to the step time."""

    linear: float  # matrix products, output head included
    attention: float
    memory_bound: float
    launch_floor: float
    tensor_parallel: float
    pipeline_bubble: float
    data_parallel_exposed: float
    optimizer: float
    other: float


@dataclass(frozen=True, slots=True)
class MemoryPeak:
    """Bytes on the fullest GPU at the moment of the peak. The first six add up to live_peak."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    buffers: float
    live_peak: float
    allowance_low: float  # context, workspaces, fragmentation
    allowance: float
    allowance_high: float
    moment: str  # which moment of the step decides: a key of the catalogue, "moment.start_of_backward" ...
    host_bytes: float  # host memory that this GPU's share of offloaded state needs, 0 without
    outside_step_bytes: float = 0.0  # live bytes while the model is loaded or saved, where that is the more
    moments: tuple[tuple[str, float], ...] = ()  # every moment with its live bytes, loading and saving included
    recipe: str = ""  # precision recipe: a key of the catalogue, "memory_recipe.megatron" ...

    @property
    def peak_low(self) -> float:
        """Live bytes and the low allowance."""
        return self.live_peak + self.allowance_low

    @property
    def peak(self) -> float:
        """Live bytes and the central allowance."""
        return self.live_peak + self.allowance

    @property
    def peak_high(self) -> float:
        """Live bytes and the high allowance."""
        return self.live_peak + self.allowance_high


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that makes the job fit or fit better, re-estimated before it is shown."""

    field: str  # the choice to change
    value: str | float  # its new value
    peak_change_bytes: float
    step_time_change: float  # of the same work: 0.24 = 24 % longer
    gpu_hours_change: float  # 0.24 = 24 % more GPU-hours, which is what costs
    fits: Fits


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A published training run, for "closest measured runs"."""

    name: str  # of the model, with method and precision where they are not the usual ones: "Llama-2-7B QLoRA"
    gpu: str
    gpus: int
    mfu: float | None
    tokens_per_s_per_gpu: float | None
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the core says about one job on one cluster."""

    model: ModelSpec
    job: TrainingJob
    cluster: Cluster
    shape: Shape
    plan: Plan
    sharding: str
    recompute: str
    software: str
    global_batch: int
    params_trainable: float
    checkpoint_bytes_per_parameter: float  # of each trained parameter: weights, master copy, moments
    flops_per_token: float  # model FLOPs, DESIGN section 3
    step_time_s: float  # in steady state, offload_s included
    step_breakdown: StepBreakdown | None  # None when the efficiency was given
    memory: MemoryPeak
    fits: Fits
    remedies: tuple[Remedy, ...]
    speed_factor_80: float  # 80 % range of the step time, as a factor up and down
    regime: Regime
    offload_s: float  # of the step, for traffic to and from host memory; 0 without offload
    practice_factor: float  # of GPU-hours: whole runs over steady state, where the layout was left open
    chosen: tuple[str, ...]  # choices that the program made: "tp", "micro_batch", ...
    closest_measured_runs: tuple[MeasuredRun, ...]
    problems: tuple[Problem, ...]
