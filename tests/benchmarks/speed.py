"""Prints how fast the program is: `python tests/benchmarks/speed.py`. Nothing here is asserted; machines differ.

CPU times are medians of several runs; whole processes are wall time, each started anew.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

TODAY = date(2026, 11, 30)
PROCESS_RUNS = 5
CATALOGUE_RUNS = 7


def main() -> None:
    """Measure and print, one line a figure."""
    _print("estimate --json, whole process", _process([*_program(), "estimate", "--json"]), "s")
    _print("window painted, from the start of the process", _window(), "s")
    for name, code in _CATALOGUE.items():
        _print(f"{name}, fresh process", _catalogue_ms(code), "ms")
    for name, layout in _LAYOUTS.items():
        _print(f"one estimate and budget, CPU, {name}", _budget_ms(layout), "ms")
    for name, figure in _plan_columns().items():
        _print(name, figure, "plans/s")
    for name, figure in _documents().items():
        _print(name, figure, "s")


_LAYOUTS = {
    "layout given": {
        "global_batch": 2048, "tp": 2, "pp": 1, "cp": 1, "ep": 1, "interleave": 1, "micro_batch": 4,
        "sharding": "zero1", "recompute": "none",
    },
    "layout chosen": {},
}  # fmt: skip


_ASK = "load_catalogue().quote('A100-80GB-SXM', 'aws', 'us-east-1', 'on-demand', gpus_at_least=8)"
_CATALOGUE = {
    "catalogue imported and first quote": ("", f"from pricing.catalogue import load_catalogue; {_ASK}"),
    "first quote where pydantic is loaded": (
        "import desktop_app.foundation.records", f"from pricing.catalogue import load_catalogue; {_ASK}"
    ),
    "every row of every table validated": (
        f"from pricing.catalogue import load_catalogue; {_ASK}", "load_catalogue().check()"
    ),
    "all prices read, filtered by purchase and ranked": (
        f"from pricing.catalogue import load_catalogue; {_ASK}", "load_catalogue().ranked(purchase='on-demand')"
    ),
    "all prices filtered and ranked again": (
        "from pricing.catalogue import load_catalogue; load_catalogue().ranked()", "load_catalogue().ranked()"
    ),
    "prices of one GPU, seller, region and purchase ranked": (
        f"from pricing.catalogue import load_catalogue; {_ASK}",
        "load_catalogue().ranked('H100-80GB-SXM', 'gcp', 'us-central1', 'spot')",
    ),
}  # fmt: skip
"""What is timed of the catalogue: name -> (code that runs before, code that is timed)."""


def _catalogue_ms(parts: tuple[str, str]) -> list[float]:
    """Milliseconds of the second part of some code after the first, each time in a new process."""
    before, timed = parts
    code = f"import time; {before or 'pass'}; start = time.perf_counter(); {timed}; print(time.perf_counter() - start)"
    times = []
    for _ in range(CATALOGUE_RUNS):
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        times.append(1000 * float(done.stdout))
    return times


def _program() -> list[str]:
    return [sys.executable, "-m", "desktop_app"]


def _process(command: list[str]) -> list[float]:
    times = []
    for _ in range(PROCESS_RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times


def _window() -> list[float]:
    """Seconds from the start of the process until the picture of the painted window is there."""
    times = []
    for _ in range(PROCESS_RUNS):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "window.png"
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRAINING_BUDGET_SMOKE": str(picture)}
            start = time.perf_counter()
            with subprocess.Popen(_program(), env=environment, stdout=subprocess.DEVNULL) as process:
                while not picture.exists() and process.poll() is None:
                    time.sleep(0.002)
                times.append(time.perf_counter() - start)
    return times


def _budget_ms(layout: dict[str, object]) -> list[float]:
    from desktop_app.budget.budget import make_budget
    from desktop_app.budget.scenario import Scenario, with_choice
    from pricing.catalogue import load_catalogue

    catalogue, scenario = load_catalogue(), Scenario(today=TODAY)
    for key, value in layout.items():
        scenario = with_choice(scenario, key, value)
    return _cpu_ms(lambda: make_budget(scenario, catalogue), 200)


def _plan_columns() -> dict[str, list[float]]:
    import numpy as np

    from desktop_app.estimation.cluster import ClusterChoice, cluster_of
    from desktop_app.estimation.estimate import question_of
    from desktop_app.estimation.plan_search import columns_of, evaluate_columns, legal_plans
    from desktop_app.estimation.presets import model_named
    from desktop_app.estimation.training_job import TrainingJob

    asked = question_of(model_named("GPT-3-175B"), TrainingJob(global_batch=1536), cluster_of(ClusterChoice(gpus=1024)))
    rows = legal_plans(asked)
    columns = columns_of(rows * (20_000 // len(rows)))
    count = len(np.asarray(columns.tp))
    return {
        f"plans as columns of {count:,}": [
            1000 * count / milliseconds for milliseconds in _cpu_ms(lambda: evaluate_columns(asked, columns), 7)
        ]
    }


def _documents() -> dict[str, list[float]]:
    """CPU seconds of the dossier and of each document: four scenarios, with alternatives and sensitivity cases."""
    from desktop_app.budget.budget import make_budget
    from desktop_app.budget.dossier.dossier import make_dossier
    from desktop_app.budget.scenario import Scenario, with_choices
    from pricing.catalogue import load_catalogue
    from report_templates.proposal import write_proposal
    from report_templates.workbook import write_workbook

    base, catalogue = Scenario(today=TODAY), load_catalogue()
    others = ({}, {"purchase": "spot"}, {"purchase": "owned"}, {"model": "Llama-2-7B", "method": "lora", "gpus": 8})
    budgets = [make_budget(with_choices(base, choices), catalogue) for choices in others]
    four, one = make_dossier(budgets, catalogue), make_dossier(budgets[:1], catalogue)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        writers: dict[str, Callable[[], object]] = {
            "dossier of four scenarios, CPU": lambda: make_dossier(budgets, catalogue),
            "workbook of four scenarios, CPU": lambda: write_workbook(four, folder / "budget.xlsx", "en"),
            "workbook of one scenario, CPU": lambda: write_workbook(one, folder / "one.xlsx", "en"),
            "proposal of four scenarios, CPU": lambda: write_proposal(four, folder / "four.pdf", "en", "a4"),
            "proposal of one scenario, CPU": lambda: write_proposal(one, folder / "proposal.pdf", "en", "a4"),
        }
        return {label: [ms / 1000 for ms in _cpu_ms(write, 3)] for label, write in writers.items()}


def _cpu_ms(work: Callable[[], object], runs: int) -> list[float]:
    work()
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return times


def _print(name: str, values: list[float], unit: str) -> None:
    row = {"figure": name, "median": statistics.median(values), "min": min(values), "max": max(values), "unit": unit}
    print(json.dumps({key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in row.items()}))


if __name__ == "__main__":
    main()
