"""How true whole-run GPU-hours are for a family of models that the constants were not fitted on.

    python tests/validation/whole_runs.py [FOLDER]

FOLDER holds runs.csv; without it ../shared/validation beside the project is read.

The constants that stand between the speed of a step and published GPU-hours shift the level of all runs of a class
(dense, mixture of experts) and set the ends of their range. Here each family of models is left out in turn: level and
ends are refitted on the other families and tried on it. A class of one family has no level to learn and keeps ours.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from desktop_app.estimation.validation import runs
from desktop_app.estimation.validation.reading import Cells
from desktop_app.estimation.validation.run_setup import calendar_time

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "validation"
_COLLECTIONS = ("epoch", "finetune")  # many makers in one source: the model's own name tells the family


@dataclass(frozen=True, slots=True)
class Run:
    """One answered run: our GPU-hours and range over the published ones."""

    name: str
    family: str
    kind: str  # "pretrain-dense", "pretrain-moe", "finetune"
    calendar: bool
    ratio: float
    low: float
    high: float
    note: str


def answered_runs(folder: Path = FOLDER) -> list[Run]:
    """Every run whose GPU-hours are published and predicted."""
    with (folder / "runs.csv").open(encoding="utf-8", newline="") as file:
        cells = {row["id"]: row for row in csv.DictReader(file)}
    return [
        Run(
            name=cells[row.id]["model"],
            family=family_of(cells[row.id]),
            kind=row.note.split(";")[0],
            calendar=calendar_time(cells[row.id]),
            ratio=row.ratio or math.nan,
            low=(row.low or math.nan) / (row.published or math.nan),
            high=(row.high or math.nan) / (row.published or math.nan),
            note=row.note,
        )
        for row in runs.rows(folder)
        if row.status == "ok" and row.quantity == "gpu_hours"
    ]


def family_of(cells: Cells) -> str:
    """Models of one maker and one software: the source, or the first word of the name in a collection of many."""
    name = cells["model"].lower()
    if name.startswith("phi"):
        return "phi"
    return name.replace("-", " ").split()[0] if cells["source_group"] in _COLLECTIONS else cells["source_group"]


def level(members: Sequence[Run]) -> float:
    """What published hours are of predicted ones: the median, which a few absurd rows do not move."""
    return median(1 / run.ratio for run in members)


def left_out(members: Sequence[Run]) -> list[tuple[Run, float, bool]]:
    """For each run: the error, and whether the range held it, with level and range fitted on the other families."""
    found = []
    for run in members:
        others = [other for other in members if other.family != run.family]
        if not others:
            found.append((run, abs(run.ratio - 1), run.low <= 1 <= run.high))
            continue
        shift = level(others)
        residuals = sorted(math.log(1 / (other.ratio * shift)) for other in others)
        low, high = (residuals[round(share * (len(residuals) - 1))] for share in (0.1, 0.9))
        inside = low <= math.log(1 / (run.ratio * shift)) <= high
        found.append((run, abs(run.ratio * shift - 1), inside))
    return found


def p90(errors: Sequence[float]) -> float:
    """The error that nine rows in ten stay below."""
    return sorted(errors)[min(len(errors) - 1, int(0.9 * len(errors)))]


def summary(title: str, members: Sequence[Run]) -> str:
    """One line: as shipped, and with the family left out."""
    shipped = [abs(run.ratio - 1) for run in members]
    held = sum(run.low <= 1 <= run.high for run in members) / len(members)
    unseen = left_out(members)
    errors, inside = [error for _, error, _ in unseen], sum(held for _, _, held in unseen) / len(unseen)
    return (
        f"{title:38}{len(members):4} rows {len({run.family for run in members}):3} families   "
        f"as shipped {median(shipped):6.1%} {p90(shipped):6.1%} in range {held:4.0%}   "
        f"left out {median(errors):6.1%} {p90(errors):6.1%} in range {inside:4.0%}   level {level(members):.3f}"
    )


def _folder(arguments: Sequence[str]) -> Path:
    """The folder that is named, or the usual one. SystemExit with a sentence where it holds no runs.csv."""
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        sys.exit(f"{' '.join(arguments)}: one folder with runs.csv was expected. See --help.")
    folder = Path(arguments[0]) if arguments else FOLDER
    if not (folder / "runs.csv").is_file():
        sys.exit(f"There is no runs.csv in {folder}. Name a folder with a table of published whole runs; see --help.")
    return folder


def main(arguments: Sequence[str]) -> None:
    """Print the summary lines and every run, the worst first."""
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip())
        return
    members = answered_runs(_folder(arguments))
    classes: dict[str, Callable[[Run], bool]] = {
        "dense": lambda run: run.kind == "pretrain-dense",
        "dense, shape of a preset": lambda run: run.kind == "pretrain-dense" and "shape of" in run.note,
        "dense, hours as published": lambda run: run.kind == "pretrain-dense" and not run.calendar,
        "dense, GPUs x calendar days": lambda run: run.kind == "pretrain-dense" and run.calendar,
        "mixtures of experts": lambda run: run.kind == "pretrain-moe",
        "all pre-training": lambda run: run.kind != "finetune",
        "fine-tuning": lambda run: run.kind == "finetune",
    }
    for title, wanted in classes.items():
        chosen = [run for run in members if wanted(run)]
        if chosen:
            print(summary(title, chosen))
    print()
    for run in sorted(members, key=lambda run: -abs(math.log(run.ratio))):
        print(f"{run.ratio:6.2f}  {run.family:12}{run.name[:44]:46}{run.note}")


if __name__ == "__main__":
    main(sys.argv[1:])
