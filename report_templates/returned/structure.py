"""Finds in a workbook what we wrote into it: the embedded project, and the rows of inputs by their keys.

Sheets may be renamed and moved and rows sorted: a sheet is known by its header, a row by its key, a column by its mark.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from desktop_app.budget.project import Project, project_of
from desktop_app.budget.scenario import choices
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import validated_json
from desktop_app.foundation.wording import LANGUAGES, words_of
from report_templates.excel.embedded import (
    FORMAT,
    SCHEMA,
    Contents,
    EmbeddedHead,
    Exported,
    ExportedScenario,
    head_in,
    part_in,
)
from report_templates.excel.entries import EXPERT_SIZES, MFU, MFU_RANGE, SIZES, TODAY
from report_templates.returned.cells import ReturnedCells, SheetCells, address, is_formula

_NAMED = 5  # rows that one sentence names
HUGE = 1e300
"""Beyond it a whole number may not be a float."""

_DIGITS = 1e-12  # relative: LibreOffice stores 15 digits
_LABELS = {TODAY: "doc.report_date", MFU: "workbook.stated_mfu", MFU_RANGE: "workbook.stated_mfu_range"}


@dataclass(frozen=True, slots=True)
class GridFound:
    """A sheet with a grid: its header row, the columns of the scenarios now and at export, and the row of each key."""

    sheet: SheetCells
    columns: tuple[int, ...]
    exported: tuple[int, ...]  # () where the sheet has none
    rows: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that was written, and where it stands now."""

    cells: ReturnedCells
    project: Project
    contents: Contents
    grids: tuple[GridFound, ...]
    places: dict[str, tuple[GridFound, int]]  # key of an input -> its grid and row


def find(cells: ReturnedCells, ours: bool) -> Found:
    """The structure of a workbook. Raises UserError where it is not ours, or where what we rely on was broken.

    `ours` says whether its named cells are ours, so that a workbook without its project is told apart from others.
    """
    project, contents = _embedded(cells, ours)
    grids = tuple(grid for sheet in cells.sheets for grid in _grids(sheet, contents))
    places = _places(cells, contents, grids)
    found = Found(cells, project, contents, grids, places)
    for number, exported in enumerate(contents.scenarios):
        _check_exported(found, number, exported)
    return found


def same(value: Any, exported: Exported) -> bool:
    """Whether a cell still holds what was exported: numbers to 12 digits, texts in any capitals, days as days."""
    if isinstance(value, datetime | date):
        return value.isoformat()[:10] == exported
    if isinstance(value, bool):
        return isinstance(exported, str) and exported == ("yes" if value else "no")
    if isinstance(value, int | float):
        return not isinstance(exported, str) and abs(value) < HUGE and abs(value - exported) <= _DIGITS * abs(exported)
    return isinstance(value, str) and isinstance(exported, str) and _folded(value) == _folded(exported)


def label_of(key: str) -> str | Problem:
    """The words of a row as a value of a sentence; its key where an older program had a row that we do not know."""
    name = _LABELS.get(key) or SIZES.get(key) or EXPERT_SIZES.get(key)
    name = name or (f"field.{key}" if key in choices() else f"ledger.{key}")
    return Problem("", name) if words_of("en").has(name) else key


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


# ---- the embedded project


def _embedded(cells: ReturnedCells, ours: bool) -> tuple[Project, Contents]:
    file = cells.file
    heads = [(sheet, head) for sheet in cells.sheets for text in _texts(sheet) if (head := _head(text))]
    if not heads:
        raise user_error("", "problem.workbook_no_project" if ours else "problem.not_our_workbook", file=file)
    if len(heads) > 1:
        raise user_error("", "problem.workbook_merged", file=file)
    sheet, head = heads[0]
    if head.schema > SCHEMA:
        raise user_error(file, "problem.file_newer", version=head.schema, known=SCHEMA)
    broken = user_error("", "problem.workbook_embedded", file=file, sheet=sheet.title)
    try:
        document = json.loads(_text(sheet, head), parse_constant=_refuse)
        contents = validated_json(Contents, document["contents"])
        project = project_of(document["project"], file)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise broken from None
    except UserError as error:
        if any(problem.key == "problem.file_newer" for problem in error.problems):
            raise
        raise broken from None
    if len(contents.scenarios) != len(project.scenarios):
        raise broken
    return project, contents


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _texts(sheet: SheetCells) -> Iterator[str]:
    for row in sheet.rows:
        for cell in row:
            if isinstance(cell.value, str):
                yield cell.value


def _head(text: str) -> EmbeddedHead | None:
    return head_in(text) if text.lstrip().startswith(FORMAT) else None


def _text(sheet: SheetCells, head: EmbeddedHead) -> str:
    """The parts joined. ValueError where one is missing or was changed."""
    parts: dict[int, str] = {}
    for text in _texts(sheet):
        part = part_in(text)
        if part is not None and part[1] == head.parts:
            parts[part[0]] = part[2]
    whole = "".join(parts.get(number, "") for number in range(1, head.parts + 1))
    if hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest() != head.digest:
        raise ValueError("another text than was written")
    return whole


# ---- the grids


def _grids(sheet: SheetCells, contents: Contents) -> Iterator[GridFound]:
    """The grid of a sheet; a second one where somebody pasted it below."""
    headers = [row for row in range(len(sheet.rows)) if _header(sheet, row, contents) is not None]
    for header, end in pairwise([*headers, len(sheet.rows)]):
        found = _header(sheet, header, contents)
        assert found is not None
        key_column, columns, exported = found
        rows = ((sheet.text(row, key_column), row) for row in range(header + 1, end))
        yield GridFound(sheet, columns, exported, tuple((key, row) for key, row in rows if key))


def _header(sheet: SheetCells, row: int, contents: Contents) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """The columns of the keys, of the scenarios, and of what they were at export; None for a row that is no header.

    Raises UserError for a scenario that has two columns: nobody could say which of them counts.
    """
    texts = [sheet.text(row, column) for column in range(len(sheet.rows[row]))]
    keys = {words_of(language)("head.key") for language in LANGUAGES}
    key_column = next((column for column, text in enumerate(texts) if text in keys), None)
    if key_column is None:
        return None
    marks = [text.split("\n")[0].strip() for text in texts]
    wanted = [scenario.mark for scenario in contents.scenarios]
    for mark in wanted:
        if marks[:key_column].count(mark) > 1:
            raise user_error("", "problem.workbook_column_twice", name=mark, sheet=sheet.title)
    columns = tuple(marks.index(mark, 0, key_column) for mark in wanted if mark in marks[:key_column])
    exported = tuple(column for mark in wanted for column in _exported_columns(texts, mark))
    if len(columns) != len(wanted):
        return None
    return key_column, columns, exported if len(exported) == len(wanted) else ()


def _exported_columns(texts: list[str], mark: str) -> list[int]:
    heads = {words_of(language)("workbook.exported_of", scenario=mark) for language in LANGUAGES}
    return [column for column, text in enumerate(texts) if text in heads][:1]


def _places(cells: ReturnedCells, contents: Contents, grids: tuple[GridFound, ...]) -> dict[str, tuple[GridFound, int]]:
    """Where the row of each input stands. Raises UserError for one that is missing or stands there twice."""
    wanted = dict.fromkeys(key for scenario in contents.scenarios for key in (*scenario.values, *scenario.computed))
    places: dict[str, tuple[GridFound, int]] = {}
    for grid in grids:
        for key, row in grid.rows:
            if key in places:
                values: dict[str, str | float | Problem] = {
                    "file": cells.file, "name": label_of(key), "sheet": places[key][0].sheet.title,
                    "row": places[key][1] + 1, "other": grid.sheet.title, "second": row + 1,
                }  # fmt: skip
                raise UserError(Problem("", "problem.workbook_row_twice", values))
            if key in wanted:
                places[key] = (grid, row)
    missing = [key for key in wanted if key not in places]
    if missing:
        names = ", ".join(missing[:_NAMED]) + (", ..." if len(missing) > _NAMED else "")
        raise user_error("", "problem.workbook_rows_missing", file=cells.file, count=len(missing), names=names)
    return places


def _check_exported(found: Found, number: int, exported: ExportedScenario) -> None:
    """What the sheets say of the export must be what the project says: else one of them is from another workbook."""
    file = found.cells.file
    for key, value in exported.values.items():
        grid, row = found.places[key]
        if not grid.exported:
            raise user_error("", "problem.workbook_columns", file=file, sheet=grid.sheet.title)
        column = grid.exported[number]
        if is_formula(grid.sheet.cell(row, column)) or not same(grid.sheet.value(row, column), value):
            place = address(row, column)
            raise user_error("", "problem.workbook_exported", file=file, sheet=grid.sheet.title, place=place)
