"""Reading, changing and recalculating workbooks in tests; the judges are formualizer and LibreOffice, not our code."""

from __future__ import annotations

import io
import subprocess
import warnings
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import formualizer
import openpyxl

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.foundation.wording import Language
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes

TODAY = date(2026, 11, 30)
CENT = 0.005  # the largest difference that money may show
Cells = dict[tuple[str, str], Any]

# name -> (example or "", choices on top)
SCENARIOS: dict[str, tuple[str, dict[str, Any]]] = {
    "dense": ("llama_13b_256", {}),
    "eight GPUs": ("llama_13b_8", {}),
    "large": ("gpt3_175b_1024", {}),
    "LoRA on one GPU": ("llama2_7b_lora", {}),
    "MoE": ("mixtral_8x7b_h100", {}),
    "4,096 GPUs": ("llama_13b_256", {"gpus": 4096, "global_batch": 4096}),
    "not priced": ("llama_13b_256", {"region": "af-south-1"}),
    "euro": ("llama_13b_256", {"currency": "EUR"}),
    "yuan, small": ("llama2_7b_lora", {"currency": "CNY", "price_usd_per_gpu_hour": 0.37}),
    "spot": ("llama_13b_256", {"purchase": "spot"}),
    "reserved": ("llama_13b_256", {"purchase": "reserved-3y"}),
    "owned": ("llama_13b_256", {"purchase": "owned"}),
    "nothing to pay": ("llama_13b_256", {"price_usd_per_gpu_hour": 0.0, "checkpoints_kept": 0}),
    "development": ("llama_13b_256", {"development_multiplier": 2.5}),
    "development in euro": ("mixtral_8x7b_h100", {"development_multiplier": 4, "currency": "EUR"}),
    "failures stated": (
        "gpt3_175b_1024",
        {
            "mtbf_gpu_hours": 20_000,
            "restart_minutes": 30,
            "data_stall_share": 0.03,
            "checkpoint_write_gb_per_s": 20,
            "checkpoint_interval_minutes": 45,
        },
    ),
    "never finishes": ("llama_13b_256", {"mtbf_gpu_hours": 20, "checkpoint_interval_minutes": 120}),
    "not one checkpoint": ("llama_13b_256", {"checkpoints_kept": 0, "evaluation_percent": 0}),
}


@lru_cache(maxsize=64)
def scenario_named(name: str) -> Scenario:
    """One scenario of the list above."""
    example, chosen = SCENARIOS[name]
    scenario = example_scenario(example, TODAY)
    for key, value in chosen.items():
        scenario = with_choice(scenario, key, value)
    return scenario


@lru_cache(maxsize=64)
def budget_named(name: str) -> Budget:
    """Its budget at the prices that ship."""
    return make_budget(scenario_named(name), load_catalogue())


@lru_cache(maxsize=64)
def workbook_named(name: str, language: Language = "en") -> bytes:
    """Its workbook."""
    return workbook_bytes(budget_named(name), language)


def load(data: bytes, values: bool = False) -> openpyxl.Workbook:
    """The workbook as openpyxl sees it: formulas, or the stored results."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LibreOffice writes extensions that openpyxl does not know
        return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


@lru_cache(maxsize=8)
def stored(data: bytes) -> openpyxl.Workbook:
    """The workbook with its stored results; to read, not to change."""
    return load(data, values=True)


@lru_cache(maxsize=64)
def formulas(data: bytes) -> dict[tuple[str, str], str]:
    """Every formula cell: (sheet, address) -> formula."""
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in load(data).worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def results(data: bytes, places: Iterable[tuple[str, str]] = ()) -> Cells:
    """The stored results of some cells, or of every formula cell."""
    book = stored(data)
    return {(sheet, address): book[sheet][address].value for sheet, address in places or formulas(data)}


def recalculated(data: bytes) -> bytes:
    """The workbook with all results computed anew by formualizer."""
    answer = formualizer.recalculate_xlsx_bytes(data)
    assert not answer["summary"]["unknown_functions"], answer["summary"]
    return answer["bytes"]


def recalculated_by_libreoffice(data: bytes, folder: Path) -> bytes:
    """The workbook as LibreOffice computes it: the stored results are taken out first, or it would trust them."""
    source, target = folder / "in.xlsx", folder / "out"
    load(data).save(source)
    command = ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{folder}/profile"]
    command += ["--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return (target / "in.xlsx").read_bytes()


def typed(data: bytes, sheet: str, address: str, value: Any) -> bytes:
    """The workbook with one cell typed over, as a person would in a spreadsheet program."""
    book = load(data)
    book[sheet][address] = value
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def changed(data: bytes, **values: Any) -> bytes:
    """The workbook with named cells typed over."""
    book = load(data)
    for name, value in values.items():
        sheet, address = next(iter(book.defined_names[name].destinations))
        book[sheet][address] = value
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def named(data: bytes, name: str) -> Any:
    """The stored value of a named cell."""
    book = stored(data)
    sheet, address = next(iter(book.defined_names[name].destinations))
    return book[sheet][address].value


def differences(ours: Cells, theirs: Cells) -> list[tuple[tuple[str, str], Any, Any]]:
    """Cells that differ: a number by half a cent or, where it is large, by a billionth; a text at all."""
    assert ours.keys() == theirs.keys()
    return [(place, value, theirs[place]) for place, value in ours.items() if not _same(value, theirs[place])]


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool | int | float) and isinstance(other, bool | int | float):
        return abs(value - other) <= max(min(CENT, abs(value) * 1e-6), abs(value) * 1e-9, 1e-12)
    return (value or "") == (other or "")
