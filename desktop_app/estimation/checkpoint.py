"""What a checkpoint holds: the trained weights, their fp32 master copy and the optimizer's moments."""

from __future__ import annotations

from desktop_app.estimation.memory_job import Sharing, options_of
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.training_job import TrainingJob


def checkpoint_bytes_per_parameter(model: ModelSpec, job: TrainingJob, software: str, plan: Plan) -> float:
    """Bytes that a checkpoint needs for each trained parameter; gradients and a frozen base are not saved.

    16-bit weights 2 + master 4 + two Adam moments 8 = 14 (Rajbhandari et al. 2020, arXiv 1910.02054); 12 where fp32
    weights are their own master, 6 in pure bf16, less with 8-bit moments or SGD.
    """
    sharing: Sharing = "fsdp" if plan.full_shard else "zero" if plan.zero_stage else "plain"
    options = options_of(model, job, software, sharing)
    precision, optimizer = options.precision, options.optimizer
    own_state = precision.state_bytes if options.trains_base or precision.master_bytes else options.own_weight_bytes
    state_bytes = own_state if optimizer.bytes_per_state is None else optimizer.bytes_per_state
    return options.own_weight_bytes + precision.master_bytes + optimizer.states * state_bytes
