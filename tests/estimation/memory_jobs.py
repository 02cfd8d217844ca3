"""Jobs and plans for the memory tests."""

from typing import Any

from desktop_app.estimation.memory import memory_peak, peak_memory, recipe_of
from desktop_app.estimation.memory_moments import PeakMemory
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import MemoryPeak
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob

ONE_GPU = {
    "tp": 1, "pp": 1, "dp": 1, "cp": 1, "ep": 1, "interleave": 1, "micro_batch": 1, "accumulation": 1, "zero_stage": 0,
    "full_shard": 0, "full_recompute": 0, "selective_recompute": 0, "sequence_parallel": 0,
}  # fmt: skip


def plan(**changes: Any) -> Plan:
    """One GPU, one sequence, nothing recomputed, with some fields changed."""
    return Plan(**{**ONE_GPU, **changes})


def moments(model: str, software: str, job: TrainingJob, layout: Plan) -> PeakMemory:
    """Every moment of a step of a preset."""
    spec = model_named(model)
    shape = shape_of(spec)
    return peak_memory(shape, recipe_of(spec, shape, job, software), layout, job.sequence_length)


def peak(model: str, software: str, job: TrainingJob, layout: Plan, nodes: int = 1) -> MemoryPeak:
    """The peak of a preset as the estimate carries it."""
    spec = model_named(model)
    shape = shape_of(spec)
    recipe = recipe_of(spec, shape, job, software)
    return memory_peak(peak_memory(shape, recipe, layout, job.sequence_length), recipe, layout, nodes)
