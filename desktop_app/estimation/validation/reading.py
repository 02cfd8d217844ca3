"""Reading a validation table: text cells in, numbers or None out, and plain words for a file that is not one."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_app.estimation.validation.cell_rules import number_in, refused
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow, checked
from desktop_app.foundation.files import ReadSentences, name_text, read_text
from desktop_app.foundation.problems import UserError, user_error
from desktop_app.foundation.wording import words_of

Cells = Mapping[str, str]

_LARGEST_BYTES = 100_000_000  # the longest published table has 0.4 MB
_SENTENCES = ReadSentences(not_text="problem.table_unreadable")
_BROKEN = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError)  # what odd cells make of a formula


def _unchecked(_: Cells) -> None:
    """Nothing is asked of a row."""


@dataclass(frozen=True, slots=True)
class Table:
    """A validation table: its file, the columns that it must have, and what a row is called that cannot be read.

    `check` raises UnansweredError for a row whose cells cannot be; no other answer is tried then.
    """

    name: str  # throughput: the table throughput.csv
    columns: tuple[str, ...]
    quantity: str
    id: str = "id"  # column of the row's name
    source_group: str = "source_group"  # column
    published: str = ""  # column of the published figure, where `quantity` is the column that names it
    check: Callable[[Cells], None] = _unchecked

    def rows(
        self,
        folder: Path,
        answer: Callable[[Cells], Iterable[ValidationRow]],
        together: Callable[[list[Cells]], Iterable[Cells]] = iter,
    ) -> list[ValidationRow]:
        """What `answer` makes of each row; a row whose cells cannot be computed with is refused with the reason.

        `together` sees all rows first, where one says something of another. Raises UserError when the file cannot be
        read as a table.
        """
        found: list[ValidationRow] = []
        for cells in together(cells_of(folder / f"{self.name}.csv", self.columns)):
            try:
                self.check(cells)
                found.extend(map(checked, answer(cells)))
            except UnansweredError as error:
                found.append(self._refused(cells, error.reason, error.status))
            except UserError as error:
                found.append(self._refused(cells, words_of("en").sentence(error.problems[0])))
            except _BROKEN:
                found.append(self._refused(cells, "its cells cannot be computed with"))
        return found

    def row(
        self,
        cells: Cells,
        quantity: str,
        note: str,
        status: Status = "ok",
        predicted: float | None = None,
        span: tuple[float, float] | None = None,
    ) -> ValidationRow:
        """The answer to one published quantity of a row; `span` is its P10 and P90."""
        low, high = span if span is not None and predicted is not None else (None, None)
        return ValidationRow(
            table=self.name,
            id=cells[self.id],
            source_group=cells[self.source_group],
            quantity=quantity,
            published=number_in(cells.get(self.published or quantity, "")),
            predicted=predicted,
            low=low,
            high=high,
            status=status,
            note=note,
        )

    def _refused(self, cells: Cells, reason: str, status: Status = "refused") -> ValidationRow:
        return self.row(cells, cells[self.quantity] if self.published else self.quantity, reason, status)


def cells_of(path: Path, columns: tuple[str, ...]) -> list[Cells]:
    """The rows of a CSV file; cells that a short row lacks are empty. Raises UserError.

    That is: when it is no UTF-8 text of commas, empty, or lacks one of `columns`. A table without rows is one.
    """
    text = read_text(path, _LARGEST_BYTES, _SENTENCES)
    if not text.strip():
        raise user_error("", "problem.table_empty", file=name_text(path))
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
        rows = list(reader)
    except csv.Error:  # a cell of more than 131,072 characters
        raise user_error("", "problem.table_unreadable", file=name_text(path)) from None
    names = list(reader.fieldnames or ())
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise user_error("", "problem.table_twice", file=name_text(path), columns=", ".join(twice))
    missing = [column for column in columns if column not in names]
    if missing:
        raise user_error("", "problem.table_columns", file=name_text(path), columns=", ".join(missing))
    return [{key: cell for key, cell in row.items() if key is not None} for row in rows]


def value(cells: Cells, column: str) -> float | None:
    """The number in a cell; None for an empty cell: not published. UnansweredError for text that is no plain number."""
    text = cells.get(column, "")
    if not text:
        return None
    number = number_in(text)
    if number is None:
        raise refused(column, text, "no plain number of 0 or more")
    return number


def needed(cells: Cells, column: str) -> float:
    """The number in a cell that a prediction cannot do without. ValueError says that it is not stated."""
    number = value(cells, column)
    if number is None:
        raise ValueError(f"{column} not stated")
    return number
