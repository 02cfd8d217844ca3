"""What the workbook keeps for its way back: the project and the inputs as they were exported, as text on the sheet Log.

The text is cut into cells; a line above them tells format, schema, program version and the SHA-256 of the whole. Every
cell says which part it is, so that rows may be moved. Spreadsheet programs leave it as it is: plain ASCII, in brackets.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from pydantic import Field

from desktop_app.budget.budget import Budget
from desktop_app.budget.drift_notices import REMEMBERED
from desktop_app.budget.project import Project, Snapshot, StoredLine, app_version, project_document
from desktop_app.foundation.records import Record
from report_templates.excel.book import Book
from report_templates.excel.cells import Sheet
from report_templates.excel.grid_header import WITH_INPUTS
from report_templates.excel.look import NOTE, SMALL

FORMAT: Final = "training-budget-workbook"
SCHEMA: Final = 1
_CHUNK = 29_000  # characters of a cell; Excel holds 32,767
_ROW_HEIGHT = 13.0  # points: the cells show their beginning only
_HEAD = re.compile(rf"{FORMAT} (\d{{1,6}}), (.{{1,100}}), SHA-256 ([0-9a-f]{{64}}), (\d{{1,6}})")
_PART = re.compile(r"(\d{1,6})/(\d{1,6}) \[(.*)\]", re.DOTALL)

Exported = float | int | str
"""The value of a cell; a day as ISO text."""


class ExportedScenario(Record):
    """The cells of one scenario as they were written, by the keys of their rows."""

    mark: str
    values: dict[str, Exported]  # inputs on the sheets of inputs
    follows: tuple[str, ...] = ()  # of these, cells whose formula follows another input
    computed: dict[str, Exported] = Field(default_factory=dict)  # inputs that a formula computes until one types
    engine: dict[str, Exported] = Field(default_factory=dict)  # other rows without a formula


class Contents(Record):
    """Everything that a workbook is compared with when it comes back, beside the project."""

    scenarios: tuple[ExportedScenario, ...]
    formulas: dict[str, int]  # name of a sheet -> how many cells with a formula it has
    beside: dict[str, dict[str, Exported]]  # name of another sheet -> "F|label of the row" -> open cell


@dataclass(frozen=True, slots=True)
class EmbeddedHead:
    """What the line above the text says."""

    schema: int
    version: str
    digest: str
    parts: int


def write_embedded(book: Book, sheet: Sheet) -> None:
    """Append the block to `sheet`. It must be the last thing written into the book."""
    text = as_text({"project": project_document(_project(book)), "contents": _contents(book).model_dump(mode="json")})
    chunks = [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]
    digest = hashlib.sha256(text.encode()).hexdigest()
    sheet.skip()
    sheet.section(book.words("workbook.embedded"))
    sheet.put_row({"C": (book.words("workbook.embedded_note"), NOTE)}, height=_ROW_HEIGHT)
    head = f"{FORMAT} {SCHEMA}, {app_version()}, SHA-256 {digest}, {len(chunks)}"
    sheet.put_row({"C": (head, SMALL)}, height=_ROW_HEIGHT)
    for number, chunk in enumerate(chunks, 1):
        sheet.put_row({"C": (f"{number}/{len(chunks)} [{chunk}]", SMALL)}, height=_ROW_HEIGHT)


def as_text(document: Mapping[str, Any]) -> str:
    """JSON in plain ASCII. "_x" is escaped: the file format takes "_x0041_" in a cell for a character."""
    text = json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("_x", "\\u005fx")


def head_in(text: str) -> EmbeddedHead | None:
    """The head that the text of a cell is; None where it is none."""
    match = _HEAD.fullmatch(text.strip())
    return EmbeddedHead(int(match[1]), match[2], match[3], int(match[4])) if match else None


def part_in(text: str) -> tuple[int, int, str] | None:
    """The number of a part, how many there are, and the part; None where the text of a cell is none."""
    match = _PART.fullmatch(text.strip())
    return (int(match[1]), int(match[2]), match[3]) if match else None


def _project(book: Book) -> Project:
    """The scenarios, with the figures that a reader remembers."""
    budgets = book.dossier.budgets
    return Project(
        app_version=app_version(),
        scenarios=tuple(budget.scenario for budget in budgets),
        snapshots=tuple(map(_snapshot, budgets)),
        notes=book.dossier.notes,
    )


def _snapshot(budget: Budget) -> Snapshot:
    ledger = budget.ledger
    lines = tuple(
        StoredLine(key=key, unit=ledger[key].unit, value=ledger.value(key), tag=ledger[key].tag)
        for key in REMEMBERED
        if key in ledger
    )
    return Snapshot(scenario=budget.scenario.name, currency=budget.currency, lines=lines)


def _contents(book: Book) -> Contents:
    counts: dict[str, int] = {}
    for title, _ in book.results:
        counts[title] = counts.get(title, 0) + 1
    return Contents(
        scenarios=tuple(_exported(book, index) for index in range(book.grid.scenarios)),
        formulas=counts,
        beside=_beside(book),
    )


def _exported(book: Book, index: int) -> ExportedScenario:
    """The cells of a scenario, read off the sheets as they stand."""
    grid, values, follows = book.grid, {}, []
    computed: dict[str, Exported] = {}
    engine: dict[str, Exported] = {}
    for sheet, rows in grid.plans.items():
        title = book.title(sheet)
        page = book.page(title)
        for planned in rows:
            if planned.kind in ("band", "variant"):
                continue
            address = f"{grid.column(index)}{planned.row}"
            value = page[address].value
            beside = f"{grid.exported_column(index)}{planned.row}"
            exported = page[beside].value if sheet in WITH_INPUTS else None
            if (title, beside) in book.results:
                computed[planned.key] = book.results[title, address]
            elif exported is not None:
                values[planned.key] = _plain(exported)
                if (title, address) in book.results:
                    follows.append(planned.key)
            elif value is not None and (title, address) not in book.results:
                engine[planned.key] = _plain(value)
    return ExportedScenario(
        mark=book.cases[index].mark, values=values, follows=tuple(follows), computed=computed, engine=engine
    )


def _beside(book: Book) -> dict[str, dict[str, Exported]]:
    """The cells outside the grid that may be changed: likelihoods of risks."""
    grids = {book.title(sheet) for sheet in book.grid.plans}
    found: dict[str, dict[str, Exported]] = {}
    for page in book.pages:
        if page.title in grids:
            continue
        for row in page.iter_rows():
            for cell in row:
                if cell.value is not None and not cell.protection.locked:
                    label = page[f"C{cell.row}"].value
                    found.setdefault(page.title, {})[f"{cell.column_letter}|{label}"] = _plain(cell.value)
    return found


def _plain(value: Any) -> Exported:
    if isinstance(value, date):
        return value.isoformat()[:10]
    return value if isinstance(value, int | float | str) else str(value)
