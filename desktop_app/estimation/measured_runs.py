"""Published training speeds that an estimate can be held against: tables/measured_runs.csv."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest

from desktop_app.estimation.calibration import generation_of
from desktop_app.estimation.cluster import Cluster
from desktop_app.estimation.gpus import Gpu, gpu_named
from desktop_app.estimation.results import MeasuredRun
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.table_files import number, required, table
from desktop_app.estimation.training_job import TrainingJob

# How far apart two runs count, in units of "four times the parameters"; 64 times the GPUs or the tokens of a sequence
# weigh as much. Another GPU counts by its class, its generation and its peak. The order of the answers is all that
# matters: the same hardware and the same kind of job first, then its size.
_OTHER_GPU, _OTHER_CLASS, _OTHER_GENERATION, _PEAK = 0.3, 1.0, 1.0, 0.5
_OTHER_METHOD, _OTHER_ADAPTER, _OTHER_KIND_OF_MODEL, _OTHER_PRECISION, _OTHER_AGE = 2.0, 0.4, 3.0, 0.6, 0.6
_SIZE_STEP, _GPUS_STEP, _LENGTH_STEP = math.log(4), math.log(64), math.log(64)
_METHOD_NAMES = {"full": "", "lora": "LoRA", "qlora": "QLoRA"}


@dataclass(frozen=True, slots=True)
class PublishedSpeed:
    """One row. MFU counts model FLOPs over the dense 16-bit peak, also for jobs in fp8 and fp4."""

    name: str
    told: str  # the name with what is not usual: "Llama-2-7B QLoRA", "Llama-3-70B fp8"
    gpu: Gpu
    gpus: int
    method: str
    log_bits: float  # base 2
    log_size: float  # of the active parameters
    log_gpus: float
    log_length: float  # of a sequence, in tokens
    legacy: bool  # software of before fused attention
    is_moe: bool
    tokens_per_s_per_gpu: float | None
    mfu: float | None
    source: str
    as_of: str


@lru_cache(maxsize=1)
def published_speeds() -> tuple[PublishedSpeed, ...]:
    """All rows of the table."""
    legacy = {row["framework"] for row in table("software_classes") if row["software"] == "legacy"}
    return tuple(
        PublishedSpeed(
            name=row["name"],
            told=" ".join(
                filter(None, (row["name"], _METHOD_NAMES[row["method"]], _precision_named(row["precision"])))
            ),
            gpu=gpu_named(row["gpu"]),
            gpus=int(row["gpus"]),
            method=row["method"],
            log_bits=_log_bits(row["precision"]),
            log_size=math.log((number(row["active_params_b"]) or required(row, "params_b")) * 1e9),
            log_gpus=math.log(int(row["gpus"])),
            log_length=math.log(required(row, "sequence_length")),
            legacy=row["software"] in legacy,
            is_moe=bool(row["active_params_b"]),
            tokens_per_s_per_gpu=number(row["tokens_per_s_per_gpu"]),
            mfu=number(row["mfu"]),
            source=row["source"],
            as_of=row["as_of"],
        )
        for row in table("measured_runs")
    )


def closest_measured_runs(
    shape: Shape, job: TrainingJob, cluster: Cluster, software: str, count: int = 3
) -> tuple[MeasuredRun, ...]:
    """The `count` published speeds nearest to a job: by GPU, method, kind and size of the model, precision, software,
    number of GPUs and length."""

    far, is_moe, legacy = _gpu_distances(cluster.gpu), bool(shape.experts), software == "legacy"
    size, scale, length = math.log(shape.params_active), math.log(cluster.gpus), math.log(job.sequence_length)
    bits, method = _log_bits(job.precision), job.method

    def distance(run: PublishedSpeed) -> float:
        apart = far[run.gpu.name] + abs(run.log_size - size) / _SIZE_STEP + abs(run.log_gpus - scale) / _GPUS_STEP
        apart += abs(run.log_length - length) / _LENGTH_STEP + _OTHER_PRECISION * abs(run.log_bits - bits)
        if run.method != method:
            apart += _OTHER_METHOD if "full" in (run.method, method) else _OTHER_ADAPTER
        return apart + _OTHER_KIND_OF_MODEL * (run.is_moe != is_moe) + _OTHER_AGE * (run.legacy != legacy)

    return tuple(
        MeasuredRun(run.told, run.gpu.name, run.gpus, run.mfu, run.tokens_per_s_per_gpu, run.source, run.as_of)
        for run in nsmallest(count, published_speeds(), key=distance)
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
    apart = _OTHER_CLASS + _PEAK * abs(math.log(one.peak_dense_bf16_flops / other.peak_dense_bf16_flops))
    same = generation_of(one).split("-")[0] == generation_of(other).split("-")[0]
    return apart if same else apart + _OTHER_GENERATION


def _precision_named(precision: str) -> str:
    """The precision where it is not one of the usual 16 bits."""
    return "" if _log_bits(precision) == _log_bits("bf16") else precision


def _log_bits(precision: str) -> float:
    """Base 2: 4 for bf16 and fp16, 3 for fp8 and mxfp8, 2 for nvfp4, 5 for fp32 and tf32."""
    return next(bits for name, bits in (("32", 5.0), ("fp4", 2.0), ("fp8", 3.0), ("16", 4.0)) if name in precision)
