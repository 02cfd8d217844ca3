"""Prices, discounts, credits and findings of a sheet as rows of text for the tables of dialogs. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.wording import Words
from desktop_app.window.data_table import Cell, Column
from desktop_app.window.form import option_words, seller_name
from pricing.importers.checks import PreviewRow
from pricing.importers.faults import Finding
from pricing.importers.preview import Preview
from pricing.price_book import Credit, Discount, is_valid
from pricing.quotes import WORLDWIDE
from pricing.records import PriceQuote

_REMARKS = ("question", "note", "warning", "doubtful")
_NOTHING = "–"
PRICE_DIGITS = 4
"""Decimals of every price in a column."""

UNSURE = "price"
"""What the importer calls a price column that does not say per what."""


def finding_words(finding: Finding, words: Words) -> str:
    """What the importer found, in words of the window: it asks in boxes and not by flags."""
    own = f"preview.{finding.reason}"
    values = dict(finding.values)
    if "purchase" in values:
        values["purchase"] = option_words("purchase", values["purchase"], words)
    return words.sentence(Problem("", own if words.has(own) else f"import.{finding.reason}", values))


def problem_words(problem: Problem, words: Words) -> str:
    """Why a sheet is not understood yet, in words of the window."""
    reason = problem.key.partition(".")[2].removeprefix("import_")
    own = f"preview.{reason}"
    return words.sentence(replace(problem, key=own) if words.has(own) else problem)


def heading(preview: Preview, words: Words) -> str:
    """What the file is, and where in it the prices stand."""
    kind = words(f"import.kind_{preview.kind}")
    place = words("preview.in_sheet", sheet=preview.sheet) if preview.sheet else ""
    told = words("preview.head", kind=kind, sheet=place, row=preview.header_row, count=preview.rows_read)
    if preview.kind == "skypilot":
        return f"{told} {words('preview.skypilot_columns')}"
    if UNSURE in preview.mapping:
        told = f"{told} {words('preview.price_column', column=preview.mapping[UNSURE])}"
    if preview.ignored_columns:
        told = f"{told} {words('import.ignored', names=words('list.comma').join(preview.ignored_columns))}"
    return told


def questions(preview: Preview, words: Words) -> str:
    """What must be answered before anything can be taken, one sentence after the other."""
    return " ".join(finding_words(finding, words) for finding in preview.said("question"))


def accepted_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the prices that can be taken."""
    return (
        Column(words("head.line"), right=True),
        Column(words("field.provider")),
        Column(words("field.region")),
        Column(words("head.instance")),
        Column(words("field.gpu")),
        Column(words("head.gpus"), right=True),
        Column(words("field.purchase")),
        Column(words("head.usd_per_gpu_hour"), right=True),
        Column(words("head.original_per_hour"), right=True),
        Column(words("head.as_of")),
        Column(words("head.look_at"), stretch=True),
    )


def accepted_cells(row: PreviewRow, said: Mapping[int, Sequence[Finding]], words: Words) -> tuple[Cell, ...]:
    """One price that can be taken."""
    quote = row.quote
    found = [finding for line in row.rows for finding in said.get(line, ())]
    told = " ".join(dict.fromkeys(finding_words(finding, words) for finding in found))
    look_at = f"{words('preview.doubtful')} {told}" if row.doubtful else told
    return (
        Cell(str(row.row), row.row),
        *_quote_cells(quote, words),
        Cell(look_at, tone="warn"),
    )


def _quote_cells(quote: PriceQuote, words: Words) -> tuple[Cell, ...]:
    amount = quote.usd_per_instance_hour if quote.amount_original is None else quote.amount_original
    original = f"{plain(amount, PRICE_DIGITS)} {quote.currency_original}"
    region = words("preview.any_region") if quote.region in WORLDWIDE else quote.region
    return (
        Cell(seller_name(quote.provider)),
        Cell(region, tone="text3" if quote.region in WORLDWIDE else "text"),
        Cell(quote.instance_type),
        Cell(quote.gpu),
        Cell(str(quote.gpu_count), quote.gpu_count),
        Cell(option_words("purchase", quote.purchase, words)),
        Cell(plain(quote.usd_per_gpu_hour, PRICE_DIGITS), quote.usd_per_gpu_hour),
        Cell(original, amount, tone="text2"),
        Cell(quote.as_of, tone="text2"),
    )


def finding_columns(words: Words, reason: str) -> tuple[Column, ...]:
    """The heads of what is said row by row."""
    return (Column(words("head.line"), right=True), Column(words(reason), stretch=True))


def finding_cells(finding: Finding, words: Words) -> tuple[Cell, ...]:
    """A line number, and what is said of that line; what is said of the whole file has none."""
    line = _NOTHING if finding.row is None else str(finding.row)
    tone = "warn" if finding.severity in ("question", "doubtful", "warning") else "text"
    return (Cell(line, finding.row or 0), Cell(finding_words(finding, words), tone=tone))


def remarks(preview: Preview) -> tuple[Finding, ...]:
    """What is to be said besides the rows that are not taken, questions first."""
    return tuple(finding for severity in _REMARKS for finding in preview.said(severity))  # type: ignore[arg-type]


def by_line(preview: Preview) -> dict[int, list[Finding]]:
    """What is to be looked at, by the line of the file."""
    said: dict[int, list[Finding]] = {}
    for finding in (*preview.said("doubtful"), *preview.said("warning")):
        if finding.row is not None:
            said.setdefault(finding.row, []).append(finding)
    return said


def price_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the prices in the book."""
    return (
        *accepted_columns(words)[1:-1],
        Column(words("head.valid_until")),
        Column(words("head.origin"), stretch=True),
    )


def price_cells(quote: PriceQuote, today: date, words: Words) -> tuple[Cell, ...]:
    """One price of the book."""
    return (
        *_quote_cells(quote, words),
        _until(quote.valid_until, today, words),
        Cell(quote.origin or "", tone="text2"),
    )


def discount_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the discounts."""
    return (
        Column(words("field.provider")),
        Column(words("field.gpu")),
        Column(words("field.region")),
        Column(words("field.purchase")),
        Column(words("head.discount_percent"), right=True),
        Column(words("head.as_of")),
        Column(words("head.valid_until")),
        Column(words("head.agreed"), stretch=True),
    )


def discount_cells(rule: Discount, today: date, words: Words) -> tuple[Cell, ...]:
    """One discount; what it does not name it holds for."""
    purchase = None if rule.purchase is None else option_words("purchase", rule.purchase, words)
    return (
        Cell(seller_name(rule.provider)),
        *(_any(text, words) for text in (rule.gpu, rule.region, purchase)),
        Cell(plain(rule.percent), rule.percent),
        Cell(rule.as_of, tone="text2"),
        _until(rule.valid_until, today, words),
        Cell(rule.source, tone="text2"),
    )


def credit_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the credits."""
    return (
        Column(words("field.provider")),
        Column(words("head.amount_in", currency=words("unit.usd")), right=True),
        Column(words("head.as_of")),
        Column(words("head.valid_until")),
        Column(words("head.agreed"), stretch=True),
    )


def credit_cells(credit: Credit, today: date, words: Words) -> tuple[Cell, ...]:
    """One credit."""
    return (
        Cell(words("book.any_provider"), tone="text3")
        if credit.provider is None
        else Cell(seller_name(credit.provider)),
        Cell(plain(credit.amount_usd, 2), credit.amount_usd),
        Cell(credit.as_of, tone="text2"),
        _until(credit.valid_until, today, words),
        Cell(credit.source, tone="text2"),
    )


def _any(text: str | None, words: Words) -> Cell:
    return Cell(words("book.any"), tone="text3") if text is None else Cell(text)


def _until(day: str | None, today: date, words: Words) -> Cell:
    """The last day that something holds; what has ended says so."""
    if day is None:
        return Cell(words("book.no_end"), tone="text3")
    return Cell(day) if is_valid(day, today) else Cell(words("book.ended", day=day), tone="warn")
