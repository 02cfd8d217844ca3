"""Random dossiers: two judges recalculate every formula, and the rows are the lines of the ledgers."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from random_dossiers import random_dossier
from workbook_tools import formulas, load, recalculated, results

from desktop_app.foundation.wording import Language
from report_templates.excel.book import Book
from report_templates.workbook import workbook_bytes

_GRID_SHEETS = ("inputs", "prices", "power", "compute", "memory", "cost")
_CENT = 0.005
_NOISE = 1e-12  # what rounding leaves of a difference that is nought
_BATCH = 10  # files that LibreOffice opens in one go


def dossier_of(seed: int) -> tuple[Any, Language]:
    random = Random(seed)
    dossier = random_dossier(random)
    return dossier, random.choice(["en", "zh"])


def faults(seed: int, judged: bytes, ours: bytes) -> list[Any]:
    """What a judge found other than what is stored, and error values."""
    stored = results(ours)
    found = results(judged, stored)
    wrong = [(place, value, found[place]) for place, value in stored.items() if not _alike(value, found[place])]
    errors = [place for place, value in stored.items() if str(value).startswith("#")]
    return [(seed, fault) for fault in (*wrong, *errors)]


def _alike(value: Any, other: Any) -> bool:
    """A billionth, and of what rounding leaves of a difference that is nought a billionth of a unit."""
    if isinstance(value, bool | int | float) and isinstance(other, bool | int | float):
        return abs(value - other) <= 1e-9 * max(1.0, abs(value))
    return (value or "") == (other or "")


def ledger_faults(seed: int, judged: bytes) -> list[Any]:
    """Cells of the grid that are not the figures of the ledger of their column."""
    dossier, language = dossier_of(seed)
    book = Book(dossier, language)
    sheets = load(judged, values=True)
    found = []
    for index, case in enumerate(book.cases):
        for key, value in case.values.items():
            if case.has(key):
                cell = sheets[book.grid.title(key)][book.grid.address(key, index)].value
                if not _same(cell, value, case.budget.ledger[key].is_money):
                    found.append((seed, case.mark, key, cell, value))
    return found


def _same(cell: Any, value: Any, money: bool) -> bool:
    if value is None:
        return isinstance(cell, str)
    if not isinstance(cell, int | float):
        return False
    return abs(cell - value) <= (_CENT if money else _NOISE) + 1e-9 * abs(value)


@pytest.mark.parametrize("seed", range(1000, 1006))
def test_formualizer_agrees(seed: int) -> None:
    dossier, language = dossier_of(seed)
    ours = workbook_bytes(dossier, language)
    judged = recalculated(ours)
    assert faults(seed, judged, ours) == []
    assert ledger_faults(seed, judged) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, _BATCH))
def test_formualizer_and_libreoffice_agree(first: int, tmp_path: Path) -> None:
    """Two hundred of them."""
    ours = {seed: workbook_bytes(*dossier_of(seed)) for seed in range(first, first + _BATCH)}
    found: list[Any] = []
    for seed, judged in libreoffice(ours, tmp_path).items():
        found += faults(seed, judged, ours[seed]) + ledger_faults(seed, judged)
        found += faults(seed, recalculated(ours[seed]), ours[seed])
    assert found == []


def libreoffice(books: dict[int, bytes], folder: Path) -> dict[int, bytes]:
    """The workbooks as LibreOffice computes them, without the results that we stored."""
    for seed, data in books.items():
        openpyxl.load_workbook(io.BytesIO(data)).save(folder / f"{seed}.xlsx")
    command = ["soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{folder}/profile"]
    command += ["--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out")]
    command += [str(folder / f"{seed}.xlsx") for seed in books]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return {seed: (folder / "out" / f"{seed}.xlsx").read_bytes() for seed in books}


@pytest.mark.parametrize("seed", (1001, 1004))
def test_a_row_has_one_formula(seed: int) -> None:
    """Filled to the right, the formula of a row is the formula of its other columns."""
    from openpyxl.formula.translate import Translator

    dossier, language = dossier_of(seed)
    book = Book(dossier, language)
    cells = formulas(workbook_bytes(dossier, language))
    compared = 0
    for sheet in ("compute", "cost"):
        title = book.title(sheet)
        for planned in book.grid.plans[sheet]:  # type: ignore[index]
            places = [f"{book.grid.column(case)}{planned.row}" for case in range(len(book.cases))]
            filled = [place for place in places if (title, place) in cells]
            for place in filled[1:]:
                moved = Translator(cells[title, filled[0]], origin=filled[0]).translate_formula(place)
                assert moved == cells[title, place], (title, place)
                compared += 1
    assert compared > 500
