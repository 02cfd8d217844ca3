"""Columns of plans give what single plans give."""

from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from memory_jobs import plan

from desktop_app.estimation.memory import allowance, peak_memory, recipe_of
from desktop_app.estimation.memory_moments import Terms
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob

MODES = ({}, {"full_recompute": 1}, {"selective_recompute": 1})
SHARINGS = ({}, {"zero_stage": 1}, {"zero_stage": 2}, {"zero_stage": 3}, {"zero_stage": 3, "full_shard": 1})
GRIDS = (
    {}, {"dp": 8}, {"tp": 4, "dp": 2, "sequence_parallel": 1}, {"tp": 2, "dp": 4}, {"pp": 4, "dp": 8},
    {"pp": 4, "interleave": 2, "dp": 8, "ep": 4}, {"tp": 2, "pp": 2, "cp": 2, "dp": 4, "ep": 8, "sequence_parallel": 1},
)  # fmt: skip
BATCHES = ({}, {"micro_batch": 4}, {"accumulation": 16}, {"micro_batch": 2, "accumulation": 3})

PLANS = [
    plan(**{**mode, **sharing, **grid, **batch})
    for mode, sharing, grid, batch in product(MODES, SHARINGS, GRIDS, BATCHES)
]
COLUMNS = Plan(**{f.name: np.array([float(getattr(p, f.name)) for p in PLANS]) for f in fields(Plan)})

JOBS = [
    ("Llama-3.1-8B", "stock", TrainingJob()),
    ("Llama-3.1-8B", "tuned-fused", TrainingJob(precision="fp8")),
    ("Mixtral-8x7B", "tuned-fused", TrainingJob()),
    ("DeepSeek-V2-Lite", "tuned-eager", TrainingJob(cross_entropy="chunked")),
    ("GPT-2 1.5B", "stock", TrainingJob(attention="eager", precision="bf16")),
    ("GPT-3 13B", "legacy", TrainingJob(attention="eager", precision="fp16-mixed")),
    ("Gemma-2-2B", "stock", TrainingJob(method="qlora")),
    ("Llama-2-7B", "stock", TrainingJob(method="lora", base_precision="int8", offload="all")),
]


@pytest.mark.parametrize(("model", "software", "job"), JOBS, ids=[f"{m}, {s}, {j.method}" for m, s, j in JOBS])
def test_four_hundred_plans_at_once_are_the_same_as_one_by_one(model: str, software: str, job: TrainingJob) -> None:
    assert len(PLANS) > 400
    spec = model_named(model)
    shape = shape_of(spec)
    recipe = recipe_of(spec, shape, job, software)
    together = peak_memory(shape, recipe, COLUMNS, job.sequence_length, np)
    margins = allowance(together.peak.total, recipe, COLUMNS, 2, np)
    for row, single in enumerate(PLANS):
        alone = peak_memory(shape, recipe, single, job.sequence_length)
        for name, one, column in zip(Terms._fields, alone.peak, together.peak, strict=True):
            assert np.broadcast_to(column, len(PLANS))[row] == pytest.approx(one, rel=1e-12), name
        assert together.deciding[row] == alone.deciding
        for name in ("load", "save", "host"):
            assert np.broadcast_to(getattr(together, name), len(PLANS))[row] == pytest.approx(
                getattr(alone, name), rel=1e-12
            )
        for moment, column in zip(alone.moments, together.moments, strict=True):
            assert np.broadcast_to(column.total, len(PLANS))[row] == pytest.approx(moment.total, rel=1e-12)
        margin = allowance(alone.peak.total, recipe, single, 2)
        assert np.broadcast_to(margins.high, len(PLANS))[row] == pytest.approx(margin.high, rel=1e-12)
