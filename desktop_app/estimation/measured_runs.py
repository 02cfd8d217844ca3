"""Published training speeds that an estimate can be held against: tables/measured_runs.csv."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from desktop_app.estimation.calibration import generation_of
from desktop_app.estimation.gpus import Gpu, gpu_named
from desktop_app.estimation.results import MeasuredRun
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.table_files import number, required, table
from desktop_app.estimation.training_job import Method, Precision

# How far apart two runs count, in units of "four times the parameters"; 64 times the GPUs weigh as much. Another GPU
# counts by its class, its generation and the logarithm of its peak. The order of the answers is all that matters.
_OTHER_GPU, _OTHER_CLASS, _OTHER_GENERATION = 0.3, 1.0, 0.5
_OTHER_METHOD, _OTHER_KIND_OF_MODEL, _OTHER_PRECISION = 2.0, 2.0, 0.5
_SIZE_STEP, _GPUS_STEP = math.log(4), math.log(64)


@dataclass(frozen=True, slots=True)
class PublishedSpeed:
    """One row. MFU counts model FLOPs over the dense 16-bit peak, also for jobs in fp8 and fp4."""

    name: str
    gpu: Gpu
    gpus: int
    method: str
    bits: int
    log_size: float  # of the active parameters
    log_gpus: float
    is_moe: bool
    tokens_per_s_per_gpu: float | None
    mfu: float | None
    source: str
    as_of: str


@lru_cache(maxsize=1)
def published_speeds() -> tuple[PublishedSpeed, ...]:
    """All rows of the table."""
    return tuple(
        PublishedSpeed(
            name=row["name"],
            gpu=gpu_named(row["gpu"]),
            gpus=int(row["gpus"]),
            method=row["method"],
            bits=_bits(row["precision"]),
            log_size=math.log((number(row["active_params_b"]) or required(row, "params_b")) * 1e9),
            log_gpus=math.log(int(row["gpus"])),
            is_moe=bool(row["active_params_b"]),
            tokens_per_s_per_gpu=number(row["tokens_per_s_per_gpu"]),
            mfu=number(row["mfu"]),
            source=row["source"],
            as_of=row["as_of"],
        )
        for row in table("measured_runs")
    )


def closest_measured_runs(
    shape: Shape, gpu: Gpu, gpus: int, method: Method, precision: Precision = "bf16-mixed", count: int = 3
) -> tuple[MeasuredRun, ...]:
    """The `count` published speeds nearest to a job: by GPU, method, kind and size of the model, number of GPUs."""

    far = _gpu_distances(gpu)
    size, scale, bits, is_moe = math.log(shape.params_active), math.log(gpus), _bits(precision), bool(shape.experts)

    def distance(run: PublishedSpeed) -> float:
        apart = far[run.gpu.name] + abs(run.log_size - size) / _SIZE_STEP + abs(run.log_gpus - scale) / _GPUS_STEP
        apart += _OTHER_METHOD * ((run.method == "full") != (method == "full"))
        return apart + _OTHER_KIND_OF_MODEL * (run.is_moe != is_moe) + _OTHER_PRECISION * (run.bits != bits)

    nearest = sorted(published_speeds(), key=distance)[:count]
    return tuple(
        MeasuredRun(run.name, run.gpu.name, run.gpus, run.mfu, run.tokens_per_s_per_gpu, run.source, run.as_of)
        for run in nearest
    )


def _gpu_distances(gpu: Gpu) -> dict[str, float]:
    """How far the GPU of each published speed is from `gpu`."""
    return {name: _gpu_distance(other, gpu) for name, other in _measured_gpus().items()}


@lru_cache(maxsize=1)
def _measured_gpus() -> dict[str, Gpu]:
    return {run.gpu.name: run.gpu for run in published_speeds()}


def _gpu_distance(one: Gpu, other: Gpu) -> float:
    if one.name == other.name:
        return 0.0
    if one.efficiency_class == other.efficiency_class:
        return _OTHER_GPU
    apart = _OTHER_CLASS + abs(math.log(one.peak_dense_bf16_flops / other.peak_dense_bf16_flops))
    same = generation_of(one).split("-")[0] == generation_of(other).split("-")[0]
    return apart if same else apart + _OTHER_GENERATION


def _bits(precision: str) -> int:
    """16 for bf16 and fp16, 8 for fp8 and mxfp8, 4 for nvfp4, 32 for fp32."""
    return next(bits for name, bits in (("fp32", 32), ("fp4", 4), ("fp8", 8), ("16", 16)) if name in precision)
