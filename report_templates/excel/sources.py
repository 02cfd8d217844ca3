"""The first part of the sheet Log: where given figures come from, how old that is, what rests on it; measured runs."""

from __future__ import annotations

from desktop_app.budget.facts import age_days
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.records import Source
from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, with_number
from report_templates.excel.entries import TODAY
from report_templates.excel.look import LINK, LOCKED, SMALL, UNIT
from report_templates.figures import SourceUse, first_day

_MOVING_UNITS = ("currency_per_usd", "g_per_kwh")
_HEADINGS = ("number", "source", "quality", "as_of", "counted_from", "age_days", "used_by")


def put_sources(book: Book, sheet: Sheet) -> dict[Source, Place]:
    """The sources; gives the cell that holds the age in days of each one that grows old."""
    words = book.words
    headings = {column: words(f"head.{key}") for column, key in zip("BCDEFGH", _HEADINGS, strict=True)}
    sheet.table_header(headings, numbers=("F", "G"))
    today = Place(book.grid.title(TODAY), book.grid.address(TODAY, 0), None).seen_from(sheet.title)
    ages: dict[Source, Place] = {}
    for use in book.sources.values():
        row, day = sheet.row, first_day(use.source.as_of) if _ages(use) else None
        age = None
        if day is not None:
            age = Formula(f"MAX(0,{today}-F{row})", age_days(use.source.as_of, book.budget.scenario.today))
        places = sheet.put_row(
            {
                "B": (use.mark, UNIT),
                "C": (format_source(use.source, words), SMALL),
                "D": (_quality(use.source, book), SMALL),
                "E": (use.source.as_of, SMALL),
                "F": (day, with_number(LOCKED, book.number_format("date", day))),
                "G": (age, with_number(LINK, "#,##0")),
                "H": (words("list.comma").join(words(f"ledger.{line.key}") for line in use.lines), SMALL),
            }
        )
        if age is not None:
            ages[use.source] = places["G"]
    return ages


def put_runs(book: Book, sheet: Sheet) -> None:
    """The published runs nearest to the job."""
    words = book.words
    sheet.skip()
    sheet.section(words("doc.measured"))
    keys = (
        "proposal.head_run",
        "proposal.head_mfu",
        "head.as_of",
        "proposal.head_tokens",
        "proposal.head_gpus",
        "head.source",
    )
    headings = {column: words(key) for column, key in zip("CDEFGH", keys, strict=True)}
    sheet.table_header({"B": "", **headings}, numbers=("D", "F", "G"))
    for run in book.budget.estimate.closest_measured_runs:
        sheet.put_row(
            {
                "C": (f"{run.name}, {run.gpu}", SMALL),
                "D": (None if run.mfu is None else 100 * run.mfu, with_number(LOCKED, "0.0")),
                "E": (run.as_of, SMALL),
                "F": (run.tokens_per_s_per_gpu, with_number(LOCKED, "#,##0")),
                "G": (run.gpus, with_number(LOCKED, "#,##0")),
                "H": (run.source, SMALL),
            }
        )


def _ages(use: SourceUse) -> bool:
    """Whether figures of this source grow old: prices, exchange rates and grid factors. A paper does not."""
    return any(line.unit.startswith("usd_per_") or line.unit in _MOVING_UNITS for line in use.lines)


def _quality(source: Source, book: Book) -> str:
    """The quality word of a table, in the reader's language where the catalogue has it."""
    key = f"quality.{source.quality.replace(' ', '_')}"
    return book.words(key) if book.words.has(key) else source.quality
