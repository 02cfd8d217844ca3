"""How far predictions lie from published speeds, told as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from calibration.left_out import LeftOut
from calibration.observations import Column, Observation, is_shared

WORST = 10  # rows told one by one


def errors(log_ratios: Sequence[float] | Column) -> Column:
    """Absolute relative errors of predicted over published."""
    return np.abs(np.expm1(np.asarray(log_ratios, dtype=float)))


def median_of_sources(rows: Sequence[Observation], log_ratios: Column) -> float:
    """The median over publications of the median error of their rows."""
    sources = np.array([one.source for one in rows])
    found = errors(log_ratios)
    return float(np.median([np.median(found[sources == source]) for source in set(sources)]))


def report(
    rows: Sequence[Observation], in_sample: Column, unseen: Sequence[LeftOut], factors: Mapping[str, float]
) -> str:
    """The whole report in Markdown."""
    return "\n".join(
        [
            "# How true predicted training speeds are",
            "",
            "Written by tests/validation/calibrate.py. Errors are those of predicted against published tokens per",
            "second. Left out: the publication of a row (of mixtures of experts: the model family) was not in the fit.",
            "Constants, priors and the structure of the model were chosen with all rows in sight.",
            "",
            *_kinds(rows, in_sample, unseen),
            "",
            *_ranges(unseen, factors),
            "",
            *_sources(unseen),
            "",
            *_worst(unseen),
            "",
        ]
    )


def _kinds(rows: Sequence[Observation], in_sample: Column, unseen: Sequence[LeftOut]) -> list[str]:
    lines = [
        "| rows | number | in sample: median of sources, rows, p90 | left out: median of sources, rows, p90 |",
        "|---|---|---|---|",
    ]
    choices: list[tuple[str, Callable[[Observation], bool]]] = [
        ("dense pre-training", lambda one: one.kind == "pretrain-dense"),
        ("- of the shared table", lambda one: one.kind == "pretrain-dense" and is_shared(one)),
        ("- vTrain on several nodes", lambda one: one.cells["source_group"] == "vtrain_multi"),
        ("- vTrain on one node", lambda one: one.cells["source_group"] == "vtrain_single"),
        ("mixtures of experts", lambda one: one.kind == "pretrain-moe"),
        ("- of the shared table", lambda one: one.kind == "pretrain-moe" and is_shared(one)),
        ("fine-tuning", lambda one: one.kind == "finetune"),
        ("- of the shared table", lambda one: one.kind == "finetune" and is_shared(one)),
        ("- of these, network known", lambda one: one.kind == "finetune" and is_shared(one) and network_known(one)),
    ]
    for label, chosen in choices:
        inside = np.array([chosen(one) for one in rows])
        hidden = [one for one in unseen if chosen(one.observation)]
        seen = _three([one for one, take in zip(rows, inside, strict=True) if take], in_sample[inside])
        out = _three([one.observation for one in hidden], np.array([one.log_ratio for one in hidden]))
        lines.append(f"| {label} | {inside.sum()} | {seen} | {out} |")
    return lines


def network_known(one: Observation) -> bool:
    """Whether all GPUs stand in one node, or the row says how nodes are connected."""
    cluster = one.setup.cluster
    return cluster.gpus <= cluster.gpus_per_node or bool(one.cells["interconnect"])


def _three(rows: Sequence[Observation], log_ratios: Column) -> str:
    found = errors(log_ratios)
    sources = 100 * median_of_sources(rows, log_ratios)
    return f"{sources:.1f} %, {100 * np.median(found):.1f} %, {100 * np.quantile(found, 0.9):.1f} %"


def _ranges(unseen: Sequence[LeftOut], factors: Mapping[str, float]) -> list[str]:
    lines = ["| kind of estimate | left-out rows | 80 % factor | rows inside |", "|---|---|---|---|"]
    for name, factor in factors.items():
        regime = name.split(".")[1]
        sizes = np.abs([one.log_ratio for one in unseen if one.regime == regime])
        lines.append(f"| {regime} | {len(sizes)} | {factor:.2f} | {100 * np.mean(sizes <= np.log(factor)):.0f} % |")
    return lines


def _sources(unseen: Sequence[LeftOut]) -> list[str]:
    lines = ["| publication, left out | rows | median error | median of predicted / published |", "|---|---|---|---|"]
    groups: dict[str, list[float]] = {}
    for one in unseen:
        groups.setdefault(f"{one.observation.source} {one.observation.kind}", []).append(one.log_ratio)
    for name, ratios in sorted(groups.items()):
        level = np.exp(np.median(ratios))
        lines.append(f"| {name} | {len(ratios)} | {100 * np.median(errors(ratios)):.0f} % | {level:.2f} |")
    return lines


def _worst(unseen: Sequence[LeftOut]) -> list[str]:
    lines = ["| worst rows, left out | predicted / published |", "|---|---|"]
    for one in sorted(unseen, key=lambda one: -abs(one.log_ratio))[:WORST]:
        cells = one.observation.cells
        name = f"{cells['id']} {cells['model_name']}, {cells['n_gpus']} {cells['gpu']}, {cells['source_group']}"
        lines.append(f"| {name} | {np.exp(one.log_ratio):.2f} |")
    return lines
