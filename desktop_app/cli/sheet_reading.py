"""A price sheet from its file to the user's price book: read once, understood under options that may change, taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_app.budget.price_book_file import load_book, save_book
from desktop_app.cli.arguments import number_of
from desktop_app.estimation.gpus import resolve_gpu
from desktop_app.foundation.files import name_text, read_data
from desktop_app.foundation.number_reading import read_number
from desktop_app.foundation.problems import Problem, UserError, user_error
from pricing.catalogue import load_catalogue
from pricing.importers.context import Helpers, Options
from pricing.importers.faults import SheetError
from pricing.importers.header import column_names
from pricing.importers.limits import MOST_BYTES
from pricing.importers.preview import Preview, preview_of_sheet, sheet_in
from pricing.importers.sheets import Sheet
from pricing.importers.skypilot import is_skypilot
from pricing.price_book import Change, with_prices
from report_templates.returned.cells import is_ours

Rate = tuple[float, str]
"""USD per unit of the currency of the options, and the day of that rate."""

_OTHER_KINDS = (".json", ".jsonl", ".yaml", ".yml", ".toml", ".log", ".ipynb", ".py", ".sh", ".pdf", ".tbudget")


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A sheet whose cells were read."""

    path: Path
    sheet: Sheet

    @property
    def is_skypilot(self) -> bool:
        """Whether it is a catalogue of SkyPilot's, whose columns have fixed names."""
        return is_skypilot(self.sheet)

    def columns(self, mapping: Mapping[str, str]) -> tuple[str, ...]:
        """The names of its columns, from which a person maps fields."""
        return column_names(self.sheet, mapping)


@dataclass(frozen=True, slots=True)
class Reading:
    """An open sheet with what it says; `problem` in place of the preview where it cannot be understood yet."""

    opened: OpenSheet
    preview: Preview | None
    problem: Problem | None = None


def read_sheet(file: Path, opened: OpenSheet | None, options: Options, rate: Rate | None = None) -> Reading:
    """What a sheet says under `options`; the file is read only where it is not `opened` yet. Raises as open_sheet."""
    opened = opened or open_sheet(file, options)
    try:
        return Reading(opened, preview_of(opened, options, rate))
    except UserError as error:
        return Reading(opened, None, error.problems[0])


def rate_of(flag: str, text: str, day: str) -> Rate:
    """The rate that "7.1 units per USD" states, valid on a day. Raises UserError."""
    units = number_of(flag, text)
    if units <= 0:
        raise user_error(flag, "problem.not_a_number", text=text)
    return 1 / units, day


def open_sheet(file: Path, options: Options) -> OpenSheet:
    """The cells of the sheet of `file`.

    Raises UserError for a file that cannot be read, is of another kind, or holds no sheet.
    """
    data = read_data(file, MOST_BYTES)
    if file.suffix.lower() in _OTHER_KINDS or data.lstrip()[:1] in (b"{", b"["):
        raise user_error("", "problem.import_kind", file=name_text(file))
    if is_ours(data):
        raise user_error("", "problem.import_our_workbook", file=name_text(file))
    try:
        return OpenSheet(file, sheet_in(data, options))
    except SheetError as error:
        raise _told(error, file) from None


def preview_of(opened: OpenSheet, options: Options, rate: Rate | None = None) -> Preview:
    """What an open sheet says under `options`. Raises UserError where it is no price sheet."""
    try:
        return preview_of_sheet(name_text(opened.path), opened.sheet, _helpers(options.currency, rate), options)
    except SheetError as error:
        raise _told(error, opened.path) from None


def read_preview(file: Path, options: Options, rate: Rate | None = None) -> Preview:
    """What the price sheet in `file` says.

    Raises UserError for a file that cannot be read, is of another kind, or is no price sheet.
    """
    return preview_of(open_sheet(file, options), options, rate)


def take(preview: Preview, file: Path, with_doubtful: bool) -> tuple[Change, ...]:
    """Put the prices of a preview into the user's book; what that changed. Raises UserError, and nothing is written."""
    quotes = preview.quotes(with_doubtful=with_doubtful)
    if not quotes:
        raise user_error("", "problem.import_nothing", file=name_text(file))
    book, changes = with_prices(load_book(), quotes)
    save_book(book)
    return changes


def counted(changes: Iterable[Change]) -> dict[str, int]:
    """How many prices are new, took the place of an older one, or were older than what the book has."""
    kinds = [change.kind for change in changes]
    return {"added": kinds.count("added"), "replaced": kinds.count("replaced"), "kept_newer": kinds.count("kept_newer")}


def _told(error: SheetError, file: Path) -> UserError:
    return UserError(Problem("", f"problem.import_{error.reason}", {"file": name_text(file), **error.values}))


def _helpers(currency: str | None, rate: Rate | None) -> Helpers:
    catalogue = load_catalogue()

    def usd_per_unit(code: str) -> Rate | None:
        if rate is not None and code == currency:
            return rate
        row = catalogue.fx(code)
        return None if row is None else (row.usd_per_unit, row.as_of)

    return Helpers(read_number, _gpu, usd_per_unit, catalogue)


def _gpu(text: str) -> tuple[str, str] | None:
    try:
        gpu, note = resolve_gpu(text)
    except UserError as error:
        problem = error.problems[0]  # a card of the tables whose speed nobody published has prices all the same
        return (str(problem.values["gpu"]), "") if problem.key == "problem.gpu_no_peak" else None
    return gpu.name, str(note.values["other"]) if note else ""
