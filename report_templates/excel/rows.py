"""Writes the rows of the grid: a cell for every case, and beside them where the figures come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_app.budget.ledger import Line
from desktop_app.budget.uncertainty import DRIVEN
from desktop_app.foundation.expression import Expression
from report_templates.excel.book import Book
from report_templates.excel.cases import case_key, moved
from report_templates.excel.cells import Content, Formula, Place, Sheet, column_letters, column_number, with_number
from report_templates.excel.derived import derived, driver_factor
from report_templates.excel.entries import START, TODAY, Entry, entry_of, line_entry
from report_templates.excel.formulas import guarded_formula
from report_templates.excel.grid import HEADER_ROW, GridSheet, Planned, TextColumn
from report_templates.excel.grid_header import WITH_INPUTS, put_header, set_widths
from report_templates.excel.look import (
    GROUP,
    INPUT,
    KIND,
    LABEL,
    LINK,
    LOCKED,
    NUMBER,
    PREDICTED,
    SMALL,
    UNIT,
    Look,
)
from report_templates.excel.validation import Validations
from report_templates.figures import first_day, formula_in_words

_NAMED = 4  # columns that a variant names


@dataclass(frozen=True, slots=True)
class InputRow:
    """One input: what it is, its cell in the base, what that was at export, and the cell that counts its changes."""

    entry: Entry
    value: Place
    exported: Place
    changed: Place


@dataclass(frozen=True, slots=True)
class Written:
    """What other sheets need of a grid sheet: its inputs, and the cells of all its figures."""

    inputs: tuple[InputRow, ...]
    first: Place
    last: Place


Cell = tuple[Content, Look]


class GridWriter:
    """Writes the rows of one sheet as the grid planned them."""

    def __init__(self, book: Book, sheet: Sheet, key: GridSheet) -> None:
        """`key` is the key of the sheet in the plan."""
        self._book, self._sheet, self._key = book, sheet, key
        self._grid, self._words = book.grid, book.words
        self._validations = Validations(book.words)
        self._inputs: list[InputRow] = []

    def write(self, note: str, extra: dict[TextColumn, str] | None = None) -> Written:
        """Head, header and all rows. `extra` names columns of text that the caller fills."""
        sheet, grid = self._sheet, self._grid
        set_widths(self._book, sheet, self._key, extra or {})
        sheet.head(self._words(f"sheet.{self._key}"), note)
        assert sheet.row == HEADER_ROW, "the plan counts rows from here"
        put_header(self._book, sheet, self._key, extra or {})
        for planned in grid.plans[self._key]:
            _WRITE[planned.kind](self, planned)
        self._validations.attach(sheet.page)
        self._mark_changes()
        last = grid.text_column("as_of")
        sheet.page.print_area = f"A1:{last}{sheet.row}"
        first, end = grid.column(0), grid.column(len(grid.cases) - 1)
        return Written(
            tuple(self._inputs),
            Place(sheet.title, f"{first}{HEADER_ROW + 1}", 0.0),
            Place(sheet.title, f"{end}{sheet.row - 1}", 0.0),
        )

    # ---- columns

    @property
    def _has_inputs(self) -> bool:
        return self._key in WITH_INPUTS

    # ---- rows

    def _band(self, planned: Planned) -> None:
        last = column_number(self._grid.text_column("key"))
        cells: dict[str, Cell] = {column_letters(number): (None, GROUP) for number in range(2, last + 1)}
        cells["B"] = (self._words(f"group.{planned.key}"), GROUP)
        self._sheet.put_row(cells, height=20)

    def _entry(self, planned: Planned) -> None:
        """A choice that no formula reads."""
        entries = {
            index: entry
            for index in range(self._grid.scenarios)
            if (entry := entry_of(self._book, self._grid.cases[index].budget, planned.key)) is not None
        }
        self._input_row(planned, entries, {})

    def _line(self, planned: Planned) -> None:
        """A line of the ledgers: given in some columns, computed in others."""
        grid, key = self._grid, planned.key
        entries: dict[int, Entry] = {}
        cells: dict[str, Cell] = {}
        for index, case in enumerate(grid.cases):
            if not case.has(key):
                continue
            line = case.budget.ledger[key]
            if line.expression is not None:
                content = (
                    self._chosen(key, index)
                    if len(grid.variants(key)) > 1
                    else self._computed(line, line.expression, index)
                )
                look = self._number(NUMBER, line, index)
                cells[grid.column(index)] = (content, look)
                if self._may_be_typed_over(key, index):
                    cells[grid.exported_column(index)] = (content, replace(LOCKED, number=look.number))
                    cells[grid.text_column("changed")] = self._changed_cell((index,), "workbook.changed")
            elif case.kind == "scenario":
                entries[index] = line_entry(self._book, case.budget, line)
            else:
                cells[grid.column(index)] = self._linked(line, index)
        if entries and self._has_inputs:
            self._input_row(planned, entries, cells)
            return
        for index, entry in entries.items():  # the figures of memory are the engine's own, in whatever column
            cells[grid.column(index)] = (entry.value, self._look(entry, index))
        self._sheet.put_row({**self._front(planned, "C"), **cells, **self._back(planned, entries)})

    def _may_be_typed_over(self, key: str, index: int) -> bool:
        """Whether a computed input keeps its formula beside it, to tell when another figure was typed over it."""
        return self._has_inputs and index < self._grid.scenarios and key in DRIVEN.values()

    def _variant(self, planned: Planned) -> None:
        """One way to compute a line, in the columns that do."""
        grid, key = self._grid, planned.key
        variant = grid.variants(key)[planned.number]
        cells: dict[str, Cell] = {}
        for index in variant.cases:
            line = grid.cases[index].budget.ledger[key]
            cells[grid.column(index)] = (
                self._computed(line, variant.expression, index),
                self._number(NUMBER, line, index),
            )
        shown = [grid.cases[index].mark for index in variant.cases if grid.cases[index].kind != "end"]
        marks = self._words("list.comma").join([*shown[:_NAMED], *(("...",) if len(shown) > _NAMED else ())])
        label = self._words("workbook.variant", item=self._words(f"ledger.{key}"), scenarios=marks)
        told = formula_in_words(replace(grid.line(key), expression=variant.expression), self._words)
        one_of = f"{key}/{planned.number + 1}"  # a key of its own: a workbook that comes back is read by keys
        back: dict[str, Cell] = {grid.text_column("how"): (told, SMALL), grid.text_column("key"): (one_of, SMALL)}
        self._sheet.put_row(
            {
                "B": ("C", KIND),
                "C": (label, replace(LABEL, color=SMALL.color)),
                "D": self._unit(grid.line(key)),
                **cells,
                **back,
            }
        )

    def _case(self, planned: Planned) -> None:
        """By which factor each column moves a driver."""
        grid, driver = self._grid, planned.key.removeprefix(case_key(""))
        cells: dict[str, Cell] = {}
        for index, case in enumerate(grid.cases):
            content: Content = 1
            if case.driver == driver:
                limit = f"driver.{driver}.{case.end}"
                content = Formula(
                    grid.cell(self._sheet.title, limit, 0, fixed=True), case.budget.ledger.value(limit) or 1.0
                )
            cells[grid.column(index)] = (content, with_number(LOCKED, "0.000"))
        label = self._words("workbook.case_factor", driver=self._words(f"driver.{driver}"))
        back: dict[str, Cell] = {grid.text_column("key"): (planned.key, SMALL)}
        self._sheet.put_row({"B": ("C", KIND), "C": (label, LABEL), **cells, **back})

    # ---- cells

    def _computed(self, line: Line, expression: Expression, index: int) -> Formula:
        book, case = self._book, self._grid.cases[index]
        return guarded_formula(
            moved(line.key, expression),
            case.values[line.key],
            book.unsure,
            lambda other: self._grid.cell(self._sheet.title, other, index),
            book.unknown_word(line, case.budget),
        )

    def _chosen(self, key: str, index: int) -> Formula:
        """The variant that is filled in this column; each stands in a row right above."""
        grid, case = self._grid, self._grid.cases[index]
        rows = range(grid.row(key) - len(grid.variants(key)), grid.row(key))
        column = grid.column(index)
        text = f"{column}{rows[-1]}"
        for row in reversed(rows[:-1]):
            text = f'IF({column}{row}<>"",{column}{row},{text})'
        return Formula(text, self._book.shown(case.budget.ledger[key], case))

    def _linked(self, line: Line, index: int) -> Cell:
        """A given figure beside the scenarios: the base's, moved by the driver of the column, or one of its own."""
        grid, case, key = self._grid, self._grid.cases[index], line.key
        look = self._number(LINK, line, index)
        shown = self._book.shown(line, case)
        base = grid.cases[0].budget.ledger
        linked = key in base and base[key].expression is None and base[key].given == line.given
        if not linked:
            return shown, replace(LOCKED, number=look.number)
        cell = grid.cell(self._sheet.title, key, 0, fixed=True)
        factor = driver_factor(key) if case.kind == "end" else None
        if factor is None:
            return Formula(cell, shown), look
        driver, sign = factor
        by = grid.cell(self._sheet.title, case_key(driver), index)
        unknown = self._book.unknown_word(line)
        return Formula(f'IF(COUNT({cell})=1,{cell}{sign}{by},"{unknown}")', shown), look

    def _input_row(self, planned: Planned, entries: dict[int, Entry], cells: dict[str, Cell]) -> None:
        """A row with inputs: their cells, what they were at export, and whether one of them is another one now."""
        grid, sheet = self._grid, self._sheet
        followed = False
        for index, entry in entries.items():
            formula = derived(self._book, sheet.title, entry, index)
            followed = followed or formula is not None
            cells[grid.column(index)] = (formula or entry.value, self._look(entry, index))
            is_text = isinstance(entry.value, str)
            exported = replace(LOCKED, number=self._entry_number(entry, index), wrap=is_text, shrink=not is_text)
            cells[grid.exported_column(index)] = (entry.value, exported)
        first = next(iter(entries.values()))
        is_open = any(not entry.locked for entry in entries.values())
        if not followed and (is_open or first.needs_app):
            mark = "workbook.rerun" if first.needs_app else "workbook.changed"
            cells[grid.text_column("changed")] = self._changed_cell(tuple(entries), mark)
        kind = ("I*" if first.needs_app else "I") if is_open else "C"
        places = sheet.put_row({**self._front(planned, kind, first), **cells, **self._back(planned, entries)})
        for index, entry in entries.items():
            if not entry.locked:
                self._allow(entry, places[grid.column(index)].address)
        changed = places.get(grid.text_column("changed"))
        if changed is not None:
            index = next(iter(entries))
            self._inputs.append(
                InputRow(first, places[grid.column(index)], places[grid.exported_column(index)], changed)
            )

    def _changed_cell(self, cases: tuple[int, ...], mark: str) -> Cell:
        """The word `mark` as long as an input of the current row is another than at export."""
        number = f'"{self._words(mark)}";;""'
        return self._changes(self._sheet.row, cases), with_number(SMALL, number)

    def _changes(self, row: int, cases: tuple[int, ...]) -> Formula:
        """How many inputs of a row are others than at export; a scenario may compute what others are given."""
        pairs = ((self._grid.column(case), self._grid.exported_column(case)) for case in cases)
        return Formula("+".join(f"IF({now}{row}={then}{row},0,1)" for now, then in pairs), 0)

    def _allow(self, entry: Entry, address: str) -> None:
        if entry.key in (TODAY, START):
            self._validations.allow_date(address)
        else:
            self._validations.allow(address, entry.info)

    # ---- what stands beside the cells

    def _front(self, planned: Planned, kind: str, entry: Entry | None = None) -> dict[str, Cell]:
        if entry is None:
            line = self._grid.line(planned.key)
            return {"B": (kind, KIND), "C": (self._words(f"ledger.{planned.key}"), LABEL), "D": self._unit(line)}
        unit = entry.unit_words or self._book.unit_word(entry.unit)
        return {"B": (kind, KIND), "C": (entry.label, LABEL), "D": (unit, UNIT)}

    def _unit(self, line: Line) -> Cell:
        return self._book.unit_word(line.unit), UNIT

    def _back(self, planned: Planned, entries: dict[int, Entry]) -> dict[str, Cell]:
        """Origin, source or formula, date and key; where scenarios differ, each is told with its letter."""
        grid = self._grid
        cells: dict[str, Cell] = {grid.text_column("key"): (planned.key, SMALL)}
        told = self._told(entries, lambda entry: entry.source)
        if planned.kind == "line" and grid.variants(planned.key):
            formula = formula_in_words(
                replace(grid.line(planned.key), expression=grid.variants(planned.key)[0].expression), self._words
            )
            told = "; ".join(filter(None, (formula, told)))
        cells[grid.text_column("how")] = (told, SMALL)
        if entries and self._has_inputs:
            cells[grid.text_column("origin")] = (
                self._told(entries, lambda entry: self._words(f"tag.{entry.tag}")),
                SMALL,
            )
            as_of = self._told(entries, lambda entry: entry.as_of)
            day = first_day(as_of) if len(as_of) == len("2026-11-30") else None
            cells[grid.text_column("as_of")] = (day or as_of, with_number(SMALL, self._book.number_format("date", day)))
        return cells

    def _told(self, entries: dict[int, Entry], tell: Callable[[Entry], str]) -> str:
        groups: dict[str, list[str]] = {}
        for index, entry in entries.items():
            groups.setdefault(tell(entry), []).append(self._grid.cases[index].mark)
        if len(groups) <= 1:
            return next(iter(groups), "")
        comma = self._words("list.comma")
        return "; ".join(f"{comma.join(marks)}: {text}" for text, marks in groups.items() if text)

    def _number(self, look: Look, line: Line, index: int) -> Look:
        return with_number(look, self._book.number_format(line.unit, self._grid.cases[index].values[line.key]))

    def _entry_number(self, entry: Entry, index: int) -> str:
        return self._book.number_format(entry.unit, entry.value)

    def _look(self, entry: Entry, index: int) -> Look:
        look = INPUT if not entry.locked else PREDICTED if entry.tag == "predicted" else LOCKED
        is_text = isinstance(entry.value, str)
        return replace(look, number=self._entry_number(entry, index), wrap=is_text, shrink=not is_text)

    def _mark_changes(self) -> None:
        """A changed input is coloured; the word beside it says so too."""
        if not self._inputs:
            return
        grid = self._grid
        first, last = HEADER_ROW + 1, self._sheet.row - 1
        changed = grid.text_column("changed")
        self._sheet.highlight(f"{grid.column(0)}{first}:{changed}{last}", f"N(${changed}{first})>=1", "warn")


_WRITE: dict[str, Callable[[GridWriter, Planned], None]] = {
    "band": GridWriter._band,
    "entry": GridWriter._entry,
    "line": GridWriter._line,
    "variant": GridWriter._variant,
    "case": GridWriter._case,
}
