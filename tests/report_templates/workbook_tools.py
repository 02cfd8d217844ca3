"""Reading, changing and recalculating workbooks in tests; the judges are formualizer and LibreOffice, not our code."""

from __future__ import annotations

import io
import re
import subprocess
import warnings
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, unescape

import formualizer
import openpyxl

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.foundation.serial_days import serial_day
from desktop_app.foundation.wording import Language
from pricing.catalogue import load_catalogue
from report_templates.excel.stored_results import sheet_names
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
def dossier_named(name: str) -> Dossier:
    """Its dossier without other ways to buy or do it: what is said of one scenario needs no other columns."""
    whole = make_dossier([budget_named(name)], load_catalogue())
    return replace(whole, purchases=(), alternatives=())


@lru_cache(maxsize=64)
def workbook_named(name: str, language: Language = "en") -> bytes:
    """Its workbook."""
    return workbook_bytes(dossier_named(name), language)


@lru_cache(maxsize=4)
def whole_workbook(name: str = "dense", language: Language = "en") -> bytes:
    """Its workbook with all purchases and alternatives."""
    return workbook_bytes(make_dossier([budget_named(name)], load_catalogue()), language)


def load(data: bytes, values: bool = False) -> openpyxl.Workbook:
    """The workbook as openpyxl sees it: formulas, or the stored results."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LibreOffice writes extensions that openpyxl does not know
        return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


@lru_cache(maxsize=8)
def opened(data: bytes) -> openpyxl.Workbook:
    """The workbook with its formulas; to read, not to change."""
    return load(data)


@lru_cache(maxsize=8)
def stored(data: bytes) -> openpyxl.Workbook:
    """The workbook with its stored results; to read, not to change."""
    return load(data, values=True)


# ---- read off the file itself: openpyxl takes a second for what a judge computes in a tenth of it


_CELL = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*?)(?:/>|>(.*?)</c>)', re.DOTALL)
_FORMULA = re.compile(r"<f[^>]*>(.*?)</f>", re.DOTALL)
_VALUE = re.compile(r"<v[^>]*>(.*?)</v>", re.DOTALL)
_TEXT = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.DOTALL)


@lru_cache(maxsize=16)
def _cells(data: bytes) -> tuple[Cells, dict[tuple[str, str], str]]:
    """The values of all cells that hold one, days as their numbers, and the formulas, both by sheet and address."""
    values: Cells = {}
    found: dict[tuple[str, str], str] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        texts = _shared_texts(archive)
        for part, title in sheet_names(archive).items():
            for address, attributes, body in _CELL.findall(archive.read(part).decode()):
                formula, value = _FORMULA.search(body), _value(attributes, body, texts)
                if formula is not None:
                    found[title, address] = f"={unescape(formula[1], _QUOTES)}"
                if value is not None or formula is not None:
                    values[title, address] = value
    return values, found


_QUOTES = {"&quot;": '"', "&apos;": "'"}


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    items = re.findall(r"<si>(.*?)</si>|<si/>", archive.read("xl/sharedStrings.xml").decode(), re.DOTALL)
    return ["".join(unescape(text, _QUOTES) for text in _TEXT.findall(item)) for item in items]


def _value(attributes: str, body: str, texts: list[str]) -> Any:
    kind = re.search(r't="(\w+)"', attributes)
    if kind is not None and kind[1] == "inlineStr":
        return "".join(unescape(text, _QUOTES) for text in _TEXT.findall(body))
    value = _VALUE.search(body)
    if value is None:
        return None
    match kind[1] if kind else "n":
        case "s":
            return texts[int(value[1])]
        case "b":
            return value[1] == "1"
        case "n":
            return float(value[1]) if value[1] else None
        case _:
            return unescape(value[1], _QUOTES)


def formulas(data: bytes) -> dict[tuple[str, str], str]:
    """Every formula cell: (sheet, address) -> formula."""
    return _cells(data)[1]


def results(data: bytes, places: Iterable[tuple[str, str]] = ()) -> Cells:
    """The stored results of some cells, or of every formula cell."""
    values, found = _cells(data)
    return {place: values.get(place) for place in places or found}


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
    return _typed(data, {(sheet, address): value})


def changed(data: bytes, **values: Any) -> bytes:
    """The workbook with named cells typed over."""
    return _typed(data, {place_of(data, name): value for name, value in values.items()})


def _typed(data: bytes, values: Mapping[tuple[str, str], Any]) -> bytes:
    """The file with other contents of some cells; everything else stays byte for byte."""
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    names = sheet_names(source)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in source.infolist():
            text = source.read(entry)
            for (sheet, address), value in values.items():
                if names.get(entry.filename) == sheet:
                    text = _with_cell(text, address, _content(value))
            archive.writestr(entry, text)
    return target.getvalue()


def _with_cell(sheet: bytes, address: str, content: str) -> bytes:
    """The sheet with something else in a cell, which keeps its style."""
    cell = re.compile(rb'<c r="%b"( s="[0-9]+")?[^>]*?(?:/>|>.*?</c>)' % address.encode(), re.DOTALL)
    found = cell.search(sheet)
    assert found is not None, address
    written = f'<c r="{address}"{(found[1] or b"").decode()} {content}</c>'
    return sheet[: found.start()] + written.encode() + sheet[found.end() :]


def _content(value: Any) -> str:
    """The rest of a cell: its kind and its value."""
    if isinstance(value, str):
        return f't="inlineStr"><is><t>{escape(value)}</t></is>'
    if value is None:
        return ">"
    return f"><v>{float(serial_day(value) if isinstance(value, date) else value)!r}</v>"


def place_of(data: bytes, name: str) -> tuple[str, str]:
    """Sheet and address of a named cell."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read("xl/workbook.xml").decode()
    found = re.search(rf'<definedName [^>]*name="{name}"[^>]*>([^<]*)</definedName>', text)
    assert found is not None, name
    sheet, _, address = unescape(found[1], _QUOTES).rpartition("!")
    return sheet.strip("'").replace("''", "'"), address.replace("$", "")


def named(data: bytes, name: str) -> Any:
    """The stored value of a named cell."""
    return _cells(data)[0].get(place_of(data, name))


def differences(ours: Cells, theirs: Cells) -> list[tuple[tuple[str, str], Any, Any]]:
    """Cells that differ: a number by half a cent or, where it is large, by a billionth; a text at all."""
    assert ours.keys() == theirs.keys()
    return [(place, value, theirs[place]) for place, value in ours.items() if not _same(value, theirs[place])]


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, bool | int | float) and isinstance(other, bool | int | float):
        return abs(value - other) <= max(min(CENT, abs(value) * 1e-6), abs(value) * 1e-9, 1e-12)
    return (value or "") == (other or "")
