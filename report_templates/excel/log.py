"""The sheet Log: sources with their ages, measured runs, versions, exchange rates, thresholds, the engine, notes."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.budget.dossier.thresholds import Threshold, counted_flop
from desktop_app.budget.ledger import Line
from desktop_app.budget.project import app_version
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.records import Source
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, quoted_text, with_number
from report_templates.excel.look import INPUT, LINK, LOCKED, NUMBER, SMALL, UNIT, Look
from report_templates.excel.sources import put_runs, put_sources
from report_templates.fingerprint import engine_mark, result_mark

_WIDTHS = {"B": 7, "C": 66, "D": 16, "E": 16, "F": 16, "G": 12, "H": 60}
_FREE_ROWS = 8  # for what a reader changes
_FREE = replace(INPUT, align="left", wrap=True, shrink=False)
_FLOP, _SHARE = "0.00E+00", "[>=0.01]0.0%;0.0000%"


def write_log(book: Book, sheet: Sheet) -> dict[Source, Place]:
    """Fill the sheet; gives the cell that holds the age in days of each source that grows old."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.log"), words("workbook.log_note"))
    sheet.page.freeze_panes = f"A{sheet.row}"
    ages = put_sources(book, sheet)
    put_runs(book, sheet)
    _put_versions(book, sheet)
    _put_rates(book, sheet)
    _put_thresholds(book, sheet)
    _put_engine(book, sheet)
    _put_notes(book, sheet)
    sheet.page.print_area = f"A1:H{sheet.row - 1}"  # what the program reads back stands below
    return ages


def _header(book: Book, sheet: Sheet, title: str, heads: dict[str, str], numbers: str = "") -> None:
    words = book.words
    sheet.skip()
    sheet.section(words(title))
    filled = {column: words(heads[column]) if column in heads else "" for column in "BCDEFGH"}
    sheet.table_header(filled, numbers=numbers)


def _put_versions(book: Book, sheet: Sheet) -> None:
    """The export, and rows in which a reader writes down what was changed."""
    words, mark = book.words, result_mark(book.budget)
    heads = {
        "B": "head.number", "C": "workbook.what_changed", "D": "workbook.changed_on", "E": "workbook.changed_by",
        "H": "head.remark",
    }  # fmt: skip
    _header(book, sheet, "workbook.versions", heads)
    today = book.budget.scenario.today
    sheet.put_row(
        {
            "B": (1, UNIT),
            "C": (words("workbook.exported_by", version=app_version()), SMALL),
            "D": (today, with_number(SMALL, book.number_format("date", today))),
            "E": (words("title.program"), SMALL),
            **dict.fromkeys("FG", (None, SMALL)),
            "H": (words("proposal.result", mark=mark), SMALL),
        }
    )
    for number in range(2, _FREE_ROWS + 2):
        dated = with_number(_FREE, book.number_format("date", None))
        free: dict[str, tuple[Content, Look]] = dict.fromkeys("CEH", (None, _FREE))
        sheet.put_row({"B": (number, UNIT), **dict.fromkeys("FG", (None, SMALL)), **free, "D": (None, dated)})


def _put_rates(book: Book, sheet: Sheet) -> None:
    """What a unit of each currency was taken to be worth."""
    words, used = book.words, _rates(book)
    if not used:
        return
    heads = {"C": "workbook.rate_of", "D": "head.value", "E": "head.as_of", "F": "workbook.used_in", "H": "head.source"}
    _header(book, sheet, "workbook.rates", heads, numbers="D")
    for (currency, line, index), marks in used.items():
        sheet.put_row(
            {
                "C": (words("workbook.per_usd", currency=currency), SMALL),
                "D": (
                    book.link(sheet, book.place("fx_rate", index)),
                    with_number(LINK, book.number_format(line.unit, line.given)),
                ),
                "E": (line.source.as_of, SMALL),
                "F": (words("list.pause").join(marks), SMALL),
                "H": (format_source(line.source, words), SMALL),
            }
        )


def _rates(book: Book) -> dict[tuple[str, Line, int], list[str]]:
    """Currency, line and first column of each rate -> the columns that use it; none where all is in USD."""
    first: dict[tuple[str, Line], int] = {}
    used: dict[tuple[str, Line, int], list[str]] = {}
    for index, case in enumerate(book.cases):
        if case.kind != "end" and case.budget.currency != "USD":
            key = (case.budget.currency, case.budget.ledger["fx_rate"])
            place = first.setdefault(key, index)
            used.setdefault((*key, place), []).append(case.mark)
    return used


def _put_thresholds(book: Book, sheet: Sheet) -> None:
    """Training compute against the thresholds of published rules."""
    heads = {
        "C": "workbook.rule", "D": "workbook.threshold", "E": "workbook.share_reached", "F": "head.as_of",
        "G": "workbook.reached", "H": "head.source",
    }  # fmt: skip
    _header(book, sheet, "doc.thresholds", heads, numbers="DE")
    for threshold in book.dossier.thresholds:
        _put_threshold(book, sheet, threshold)


def _put_threshold(book: Book, sheet: Sheet, threshold: Threshold) -> None:
    words, row = book.words, sheet.row
    flop = book.cell_of(sheet, "training_flops")
    if "development_multiplier" in book.places:
        flop += f"*MAX(1,{book.cell_of(sheet, 'development_multiplier')})"  # MAX passes over the word for unknown
    share = (counted_flop(book.budget) or 0.0) / threshold.flop
    yes, no = words("proposal.reached"), words("proposal.not_reached")
    rule, status = words(f"threshold.{threshold.key}"), words(f"threshold.{threshold.key}.status")
    sheet.put_row(
        {
            "C": (f"{rule}\n{status}", SMALL),
            "D": (threshold.flop, with_number(LOCKED, _FLOP)),
            "E": (Formula(f"{flop}/D{row}", share), with_number(NUMBER, _SHARE)),
            "F": (threshold.source.as_of, SMALL),
            "G": (Formula(f"IF(E{row}>=1,{quoted_text(yes)},{quoted_text(no)})", yes if share >= 1 else no), SMALL),
            "H": (format_source(threshold.source, words), SMALL),
        }
    )


def _put_engine(book: Book, sheet: Sheet) -> None:
    """Which program predicted step time and memory, and a mark of what it predicted them from."""
    words = book.words
    sheet.skip()
    sheet.section(words("workbook.engine"))
    for case in book.cases:
        if case.kind == "scenario":
            mark = engine_mark(case.budget)
            told = words("workbook.engine_mark", scenario=case.mark, version=app_version(), mark=mark)
            sheet.put_row({"C": (told, SMALL)})
    sheet.put_row({"C": (words("workbook.engine_note"), SMALL)})


def _put_notes(book: Book, sheet: Sheet) -> None:
    """What is to be said of the estimate, in sentences: hardware that nobody measured, prices that are old."""
    sheet.skip()
    sheet.section(book.words("proposal.notes_title"))
    for problem in book.budget.problems:
        sheet.put_row({"C": (book.words.sentence(problem), SMALL)})
