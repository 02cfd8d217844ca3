"""The questions of cases.csv that an estimate alone answers: speed, time, counts, ratios."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count as numbers

from desktop_app.estimation.calibration import gpu_hours_range
from desktop_app.estimation.cluster import cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.goodput import values_of, whole_run
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.validation.case_setup import CaseSetup, setup_of_case, tokens_of_case
from desktop_app.estimation.validation.cases import CENTRAL, peak_of
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.foundation.records import replaced
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB, HOURS_PER_DAY

_MOST_GPUS = 1024  # of a search for the smallest number that fits
_FP32_BYTES, _BF16_BYTES = 4, 2


@dataclass(frozen=True, slots=True)
class Answer:
    """A predicted figure, its P10 and P90 where it has a range, and what it rests on."""

    predicted: float
    low: float | None = None
    high: float | None = None
    note: str = ""


def answered(cells: Cells) -> Answer:
    """The answer to one question. Raises UnansweredError with the reason, UserError for what does not exist."""
    quantity = cells["truth_quantity"]
    if quantity in _UNSUPPORTED:
        raise UnansweredError("unsupported", _UNSUPPORTED[quantity])
    if quantity in _OTHER:
        return _OTHER[quantity](cells)
    if quantity in _OF_STEP:
        return _of_step(cells, quantity)
    if quantity in _OF_RUN:
        return _of_run(cells, quantity)
    raise UnansweredError("unsupported", f"{quantity} is not a figure of an estimate")


def _estimated(setup: CaseSetup, **changes: object) -> Estimate:
    cluster = {name: changes.pop(name) for name in tuple(changes) if name in _CLUSTER_CHOICES}
    choice = replaced(setup.cluster, **cluster)
    return estimate(setup.model, replaced(setup.job, **changes), cluster_of(choice))


_CLUSTER_CHOICES = ("gpus", "gpus_per_node")


def _words(*parts: str) -> str:
    return "; ".join(filter(None, parts))


# One step


def _tokens_per_s(estimated: Estimate) -> float:
    per_step = estimated.global_batch * estimated.job.sequence_length
    return per_step / estimated.step_time_s / estimated.cluster.gpus


def _mfu_percent(estimated: Estimate) -> float:
    peak = estimated.cluster.gpu.peak_dense_bf16_flops
    return 100 * estimated.flops_per_token * _tokens_per_s(estimated) / peak


_OF_STEP: Mapping[str, Callable[[Estimate], float]] = {
    "tokens_per_s_per_gpu": _tokens_per_s,
    "s_per_iter": lambda estimated: estimated.step_time_s,
    "ms_per_iter": lambda estimated: 1000 * estimated.step_time_s,
    "mfu_pct": _mfu_percent,
}


def _of_step(cells: Cells, quantity: str) -> Answer:
    setup = setup_of_case(cells)
    estimated = _estimated(setup)
    figure, factor = _OF_STEP[quantity](estimated), estimated.speed_factor_80
    return Answer(figure, figure / factor, figure * factor, _words(setup.note, _fit_words(estimated)))


def _fit_words(estimated: Estimate) -> str:
    return "does not fit in memory as modelled" if estimated.fits == "no" else ""


# The whole run

_OF_RUN: Mapping[str, tuple[str, float]] = {  # the line of the run, and its unit over that of the question
    "train_days": ("wall_days", 1.0),
    "train_hours": ("wall_days", HOURS_PER_DAY),
    "wall_hours": ("wall_days", HOURS_PER_DAY),
    "gpu_hours": ("gpu_hours", 1.0),
}


def _of_run(cells: Cells, quantity: str) -> Answer:
    if tokens_of_case(cells) is None:
        raise UnansweredError("unsupported", "how many tokens were trained on is not stated")
    setup = setup_of_case(cells)
    estimated = _estimated(setup)
    line, unit = _OF_RUN[quantity]
    figure = float(whole_run(values_of(estimated))[line] or 0) * unit
    low, high = gpu_hours_range(estimated.speed_factor_80)
    tokens = f"{setup.job.tokens / 1e9:.4g}B tokens"
    return Answer(figure, figure * low, figure * high, _words(tokens, setup.note, _fit_words(estimated)))


def _total_flop(cells: Cells) -> Answer:
    tokens, params = tokens_of_case(cells), value(cells, "params_b")
    if tokens is None:
        raise UnansweredError("unsupported", "how many tokens were trained on is not stated")
    per_token = _estimated(setup_of_case({**cells, "gpu": cells["gpu"] or "A100 80GB"})).flops_per_token
    share = per_token / (6e9 * params) - 1 if params else 0.0
    return Answer(per_token * tokens, note=f"attention and head counted: {share:+.0%} over 6 per parameter and token")


def _of_failures(line: str) -> Callable[[Cells], Answer]:
    def answer(cells: Cells) -> Answer:
        run = whole_run(values_of(_estimated(setup_of_case(cells))))
        return Answer(float(run[line] or 0), note="failures and checkpoints as usual")

    return answer


# Ratios


def _scaling(cells: Cells) -> Answer:
    """Speed per GPU on 8 GPUs over that on one."""
    setup = setup_of_case(cells)
    one, eight = (_tokens_per_s(_estimated(setup, gpus=gpus)) for gpus in (1, 8))
    return Answer(eight / one, note=setup.note)


def _two_nodes(cells: Cells) -> Answer:
    """Step time on two nodes over that on one, at the same work per GPU."""
    setup = setup_of_case(cells)
    gpus, batch = setup.cluster.gpus, setup.job.micro_batch or 1
    steps = [
        _estimated(
            setup,
            gpus=nodes * gpus,
            gpus_per_node=gpus,
            micro_batch=batch,
            global_batch=batch * nodes * gpus,
        ).step_time_s
        for nodes in (1, 2)
    ]
    return Answer(steps[1] / steps[0], note=_words(setup.note, "network of the usual server of this card"))


def _lora_to_full(cells: Cells) -> Answer:
    """Time of an epoch with LoRA over that with full fine-tuning, all else equal."""
    setup = setup_of_case({**cells, "gpu": cells["gpu"] or "A100 80GB"})
    same = {"base_precision": None, "recompute": setup.job.recompute or CENTRAL.recompute}
    times = [1 / _tokens_per_s(_estimated(setup, method=method, **same)) for method in ("lora", "full")]
    return Answer(times[0] / times[1], note=_words(setup.note, "both with the same recomputation"))


# Memory that is not a peak


def _min_gpus(cells: Cells) -> Answer:
    """The smallest number of GPUs on which the job is not said to fail."""
    setup = setup_of_case({**cells, "n_gpus": "1"})
    for gpus in numbers(1):
        if gpus > _MOST_GPUS:
            raise UnansweredError("refused", f"does not fit on {_MOST_GPUS} GPUs either")
        if _estimated(setup, gpus=gpus).fits in ("yes", "tight"):
            return Answer(gpus, note=setup.note)
    raise AssertionError("numbers do not end")


def _model_state(cells: Cells) -> Answer:
    """Weights, gradients and optimizer on one GPU."""
    spec = setup_of_case({**cells, "gpu": "A100 80GB"}).model
    state = peak_of(spec, cells, CENTRAL)
    return Answer(
        (state.weights + state.gradients + state.optimizer) / BYTES_PER_GB, note=f"{spec.name}: {state.moment}"
    )


def _activation_multiplier(cells: Cells) -> Answer:
    """Elements kept for the backward pass over batch x length x width x layers, of a gated decoder of 7B."""
    batch, length = 32, 2048  # large enough for the end of the forward pass to be the peak
    stated = {**cells, "model": "Llama-2-7B", "seq_len": str(length), "micro_batch": str(batch), "precision": "bf16"}
    spec = setup_of_case({**stated, "gpu": "A100 80GB"}).model
    elements = peak_of(spec, stated, CENTRAL).activations / _BF16_BYTES
    multiplier = elements / (batch * length * spec.hidden_size * spec.layers)
    return Answer(multiplier, note="Llama-2-7B, 16 bit, fused attention, norms and residuals as separate kernels")


def _logits(cells: Cells) -> Answer:
    """One fp32 copy of the logits of one micro-batch."""
    vocabulary = re.search(r"vocab-(\d+)", cells["model"])
    length = value(cells, "seq_len")
    if vocabulary is None or not length:
        raise UnansweredError("unsupported", "vocabulary or length not stated")
    bytes_ = float(vocabulary[1]) * length * (value(cells, "micro_batch") or 1) * _FP32_BYTES
    return Answer(bytes_ / BYTES_PER_GIB, note="one fp32 copy; at the peak more are alive")


_OTHER: Mapping[str, Callable[[Cells], Answer]] = {
    "total_flop": _total_flop,
    "mtbf_hours": _of_failures("mtbf_hours"),
    "effective_time_fraction": _of_failures("goodput"),
    "scaling_efficiency_1_to_8": _scaling,
    "iter_time_ratio_2nodes_over_1": _two_nodes,
    "time_ratio_lora_to_full_per_epoch": _lora_to_full,
    "min_gpus": _min_gpus,
    "model_state_per_gpu": _model_state,
    "activation_multiplier": _activation_multiplier,
    "logits_bytes": _logits,
}
_UNSUPPORTED = {
    "steps_per_s_ratio_16_over_8": "an image generator: its shape is not stated and its family not modelled",
    "worst_stage_params": "the toy network is not described in the row",
    "development_over_training": "how much is tried before the final run is asked of the user, not predicted",
}
QUANTITIES = (*_OF_STEP, *_OF_RUN, *_OTHER, *_UNSUPPORTED)
"""What this module has an answer to, or a reason why there is none."""
