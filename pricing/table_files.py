"""Reading a CSV table into validated records, group by group, and only when a group is asked for."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

RecordT = TypeVar("RecordT")
Rows = Mapping[str, tuple[RecordT, ...]]
NumberedRow = tuple[int, list[str]]  # the line of the file, where the header is line 1, and its cells


class TableError(ValueError):
    """A table that does not hold what it should. Names the file, the line and what is wrong with it."""

    def __init__(self, file: str, row: int, reason: str) -> None:
        """`row` is the line of the file; the header is line 1."""
        super().__init__(f"{file}, row {row}: {reason}")
        self.file, self.row, self.reason = file, row, reason


def package_tables() -> Traversable:
    """The folder of the tables that ship with the program."""
    return resources.files("pricing") / "tables"


class Table(Mapping[str, tuple[RecordT, ...]], Generic[RecordT]):
    """A table file as a mapping from one column to the records that share its value.

    The file is read when the first group is asked for and a group is validated when it is asked for, so that a
    command that needs one price does not pay for all of them.
    """

    def __init__(self, file: Traversable, record: type[RecordT], key: str) -> None:
        """`key` is the column the rows are grouped by."""
        self._file, self._record, self._key = file, record, key
        self._records: dict[str, tuple[RecordT, ...]] = {}

    def __getitem__(self, value: str) -> tuple[RecordT, ...]:
        """The records of one group. Raises KeyError, TableError."""
        if value not in self._records:
            self._records[value] = self._validated(self._groups[value])
        return self._records[value]

    def __iter__(self) -> Iterator[str]:
        """The values of the key column, in the order of the file."""
        return iter(self._groups)

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self._groups)

    @cached_property
    def _content(self) -> tuple[list[str], dict[str, list[NumberedRow]]]:
        """The header, and the rows as text by their key."""
        reader = csv.reader(io.StringIO(self._file.read_text(encoding="utf-8")))
        header = next(reader, [])
        if self._key not in header:
            raise TableError(self._file.name, 1, f"there is no column {self._key}")
        position = header.index(self._key)
        groups: dict[str, list[NumberedRow]] = {}
        for cells in reader:
            if len(cells) != len(header):
                reason = f"{len(cells)} cells under {len(header)} column names"
                raise TableError(self._file.name, reader.line_num, reason)
            groups.setdefault(cells[position], []).append((reader.line_num, cells))
        return header, groups

    @property
    def _groups(self) -> dict[str, list[NumberedRow]]:
        return self._content[1]

    @cached_property
    def _adapter(self) -> TypeAdapter[list[RecordT]]:
        """The validator; built when the first group is asked for."""
        return TypeAdapter(list[self._record])  # type: ignore[name-defined]

    def _validated(self, rows: list[NumberedRow]) -> tuple[RecordT, ...]:
        """The records of `rows`; an empty cell is None. Raises TableError for the first row that breaks a bound."""
        header, _ = self._content
        named = [{name: cell or None for name, cell in zip(header, cells, strict=True)} for _, cells in rows]
        try:
            return tuple(self._adapter.validate_python(named))
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            position, *names = fault["loc"]
            assert isinstance(position, int), "the rows are a list"
            column = ".".join(str(name) for name in names)
            raise TableError(self._file.name, rows[position][0], f"{column}: {fault['msg']}") from None


def grouped(records: Iterable[RecordT], key: str) -> dict[str, tuple[RecordT, ...]]:
    """Records by one of their fields, the way `Table` groups the rows of a file."""
    groups: dict[str, list[RecordT]] = {}
    for record in records:
        groups.setdefault(getattr(record, key), []).append(record)
    return {value: tuple(members) for value, members in groups.items()}
