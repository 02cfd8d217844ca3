"""Workbooks that people work on and bring back: cells typed over by the keys of their rows, files that were broken."""

from __future__ import annotations

import hashlib
import io
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.cell import Cell
from openpyxl.workbook import Workbook

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, with_choices, with_model_file
from desktop_app.estimation.presets import model_named
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import Language, words_of
from pricing.catalogue import load_catalogue
from report_templates.excel.embedded import FORMAT, head_in, part_in
from report_templates.workbook import workbook_bytes
from report_templates.workbook_reading import ReturnedWorkbook, read_workbook

TODAY = date(2026, 11, 30)
GRIDS = ("inputs", "prices", "power", "compute", "memory", "cost")
FIRST = 5  # column E: the first scenario


def scenario(example: str = "llama_13b_256", name: str = "A", **choices: Any) -> Scenario:
    """An example with choices on top."""
    return with_choices(example_scenario(example, TODAY), choices).model_copy(update={"name": name})


def own_model() -> Scenario:
    """A scenario whose model was read from a file."""
    spec = model_named("Llama-2-7B").model_copy(update={"name": "Ours-7B"})
    return with_model_file(scenario(), spec)


SCENARIOS: dict[str, tuple[Scenario, ...]] = {
    "dense": (scenario(),),
    "MoE": (scenario("mixtral_8x7b_h100"),),
    "LoRA": (scenario("llama2_7b_lora"),),
    "spot": (scenario(purchase="spot", price_usd_per_gpu_hour=None),),
    "owned": (scenario(purchase="owned", own_electricity_usd_per_kwh=0.11),),
    "euro": (scenario(currency="EUR", fx_rate=0.9, start_date=date(2027, 3, 1)),),
    "discount": (scenario(discount_percent=12.5, mfu=0.41, data_stall_share=0.03),),
    "own model": (own_model(),),
    "two": (scenario(), scenario(name="B spot & <more>", purchase="spot", gpus=512, tokens=2.5e12)),
}


@lru_cache(maxsize=64)
def workbook(name: str, language: Language = "en", notes: str = "") -> bytes:
    """The workbook of the scenarios of that name."""
    return workbook_of(*SCENARIOS[name], language=language, notes=notes)


def workbook_of(*scenarios: Scenario, language: Language = "en", notes: str = "") -> bytes:
    """The workbook of some scenarios, without the columns of other ways."""
    budgets = [make_budget(one, load_catalogue()) for one in scenarios]
    dossier = replace(make_dossier(budgets, load_catalogue(), notes=notes), purchases=(), alternatives=())
    return workbook_bytes(dossier, language)


def loaded(data: bytes) -> Workbook:
    """The workbook to work on, as openpyxl has it."""
    return openpyxl.load_workbook(io.BytesIO(data))


def saved(book: Workbook) -> bytes:
    """The file of a workbook."""
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def row_of(book: Workbook, key: str) -> tuple[str, int]:
    """The sheet and row of a key."""
    for language in ("en", "zh"):
        for title in (words_of(language)(f"sheet.{grid}") for grid in GRIDS):
            if title in book.sheetnames:
                for row in book[title].iter_rows(min_col=FIRST):
                    if any(cell.value == key for cell in row):
                        return title, row[0].row
    raise KeyError(key)


def typed(data: bytes, values: Mapping[str, Any], number: int = 0) -> bytes:
    """The workbook with the cells of one scenario typed over."""
    book = loaded(data)
    for key, value in values.items():
        title, row = row_of(book, key)
        book[title].cell(row, FIRST + number).value = value
    return saved(book)


def read(data: bytes, folder: Path, name: str = "plan.xlsx") -> ReturnedWorkbook:
    """What the file says."""
    path = folder / name
    path.write_bytes(data)
    return read_workbook(path, lambda day: load_catalogue())


def refused(data: bytes, folder: Path, name: str = "plan.xlsx") -> str:
    """The key of the one sentence that refuses the file; it can be told in both languages."""
    try:
        read(data, folder, name)
    except UserError as error:
        assert len(error.problems) == 1
        for language in ("en", "zh"):
            assert name in words_of(language).sentence(error.problems[0]) or error.problems[0].field == name
        return error.problems[0].key.partition(".")[2]
    raise AssertionError("the file was taken")


def reasons(returned: ReturnedWorkbook) -> dict[str, str]:
    """The key of the row -> why its change is not taken; "" where it is."""
    return {one.key: "" if one.problem is None else one.problem.key.partition(".")[2] for one in returned.changes}


def with_part(data: bytes, part: str, change: Any) -> bytes:
    """The archive with one part changed by a function; a part that is not there yet is empty."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        names = source.namelist()
        for name in (*names, *(() if part in names else (part,))):
            content = source.read(name) if name in names else b""
            archive.writestr(name, change(content) if name == part else content)
    return target.getvalue()


def part_with(data: bytes, piece: bytes) -> str:
    """The part of the archive in which a piece of text stands."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return next(name for name in archive.namelist() if piece in archive.read(name))


def embedded(book: Workbook) -> list[Cell]:
    """The cells of the embedded text: the head, then its parts."""
    cells = [cell for page in book for row in page.iter_rows() for cell in row if isinstance(cell.value, str)]
    head = next(cell for cell in cells if cell.value.startswith(FORMAT))
    return [head, *(cell for cell in cells if part_in(cell.value) is not None)]


def forged(data: bytes, old: str, new: str) -> bytes:
    """The workbook with a piece of its embedded text exchanged, and the sum over it made to fit."""
    book = loaded(data)
    head, *parts = embedded(book)
    text = "".join(part[2] for cell in parts if (part := part_in(cell.value)))
    assert old in text
    text = text.replace(old, new)
    known = head_in(head.value)
    assert known is not None
    head.value = head.value.replace(known.digest, hashlib.sha256(text.encode()).hexdigest())
    head.value = head.value.rpartition(", ")[0] + ", 1"
    for cell in parts[1:]:
        cell.value = None
    parts[0].value = f"1/1 [{text}]"
    return saved(book)


def resaved(data: bytes, folder: Path, kind: str = "xlsx:Calc MS Excel 2007 XML") -> bytes:
    """The workbook as LibreOffice saves it."""
    source, target = folder / "in.xlsx", folder / "out"
    source.write_bytes(data)
    command: Sequence[str] = [
        "soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{folder}/profile", "--convert-to", kind,
        "--outdir", str(target), str(source),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return next(target.iterdir()).read_bytes()
