"""What it costs: the chart of the lines, the budget table, what to check before signing, the largest line explained."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.platypus import Flowable, KeepTogether

from desktop_app.budget.budget import CostLine
from desktop_app.budget.constants import constants
from desktop_app.budget.explain import formula_texts, row_words
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines_price import PRICE
from desktop_app.foundation.formatting import percent, plain
from desktop_app.foundation.quantities import format_source, format_unit
from desktop_app.foundation.wording import Words
from report_templates.figures import by_amount
from report_templates.pdf.blocks import WIDE, Box, BoxLook, Run
from report_templates.pdf.charts import Bar, Whisker, bars
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.pdf.draw import Drawn, warning
from report_templates.pdf.table import grid
from report_templates.sections.checks import things_to_check
from report_templates.sections.report import Report
from report_templates.sections.summary import finding, largest_line
from report_templates.style import LIGHT

_CHECK_LOOK = BoxLook(tone=LIGHT.warn_background, radius=6, left=14, right=14)
_ICON = 13.0
_PRICE_DIGITS = 6  # so that quantity x unit price gives the printed amount
_RATES_BELOW = 100  # USD: prices of hours and gigabytes; above are those of months
_WHOLE_FROM = 10_000  # quantities: below, decimals are needed to follow the product
_DASH = "–"


def cost(report: Report) -> Iterator[Flowable]:
    """The section."""
    yield report.text(_lead(report), "lead")
    if report.priced:
        unit = report.words("proposal.cost_unit", currency=report.currency)
        yield report.figure(finding(report), unit, _chart(report))
    yield from _table(report)
    yield from _notes(report)
    yield _checks(report)
    yield from _largest(report)


def _lead(report: Report) -> str:
    """The finding and the price that the GPU lines share."""
    words, budget = report.words, report.budget
    price = budget.ledger.origin(PRICE)
    if not report.ends:
        return words("proposal.cost_never")
    if not report.priced:
        return words("proposal.cost_lead_unpriced")
    values = {"finding": finding(report), "price": report.value(PRICE), "date": price.source.as_of}
    formula, numbers = formula_texts(budget, PRICE, words)
    if formula:
        return words("proposal.cost_lead_computed", formula=formula, numbers=numbers, **values)
    if price.tag == "yours":
        return words("proposal.cost_lead_entered", **values)
    age = next((line.age_days for line in budget.cost_lines if line.basis == price), None)
    return words("proposal.cost_lead", source=row_words(price.row_text, words), days=age or 0, **values)


def _chart(report: Report) -> Flowable:
    """The lines, dearest first, and below them the base with its range."""
    total = report.budget.ranged("cost.total")
    lines = [line for line in by_amount(report.budget.cost_lines) if line.amount is not None and line.amount >= 0]
    drawn = [_bar(report, line, number == 0) for number, line in enumerate(lines)]
    if total.base is None or total.p10 is None or total.p80 is None or total.p90 is None:
        return bars(drawn, report.across)
    whole = Bar(report.words("proposal.base_row"), total.base, report.amount(total.base), "")
    return bars(drawn, report.across, whole, Whisker(total.p10, total.p90, total.p80))


def _bar(report: Report, line: CostLine, selected: bool) -> Bar:
    share = "" if line.share is None else percent(line.share, 1, report.language)
    amount = line.amount or 0.0
    return Bar(report.name(line.key), amount, report.amount(amount), share, selected)


def _table(report: Report) -> Iterator[Flowable]:
    """Lines, base, contingency, amount to approve."""
    words = report.words
    columns = (
        Column(words("head.item"), weight=1),
        Column(words("head.quantity"), "right"),
        Column(words("head.unit")),
        Column(words("proposal.head_unit_price", currency=format_unit("usd", words)), "right"),
        Column(words("proposal.head_amount", currency=report.currency), "right"),
        Column(words("proposal.head_share"), "right"),
        Column(words("proposal.head_age"), "right"),
        Column(words("head.source")),
    )
    lines = by_amount(report.budget.cost_lines)
    digits = 0 if max(line.quantity or 0 for line in lines) >= _WHOLE_FROM else 3
    rows = [*(_row(report, line, digits) for line in lines), *_sum_rows(report)]
    return report.captioned_table(words("doc.cost_by_line"), columns, rows)


def _row(report: Report, line: CostLine, digits: int) -> Row:
    words = report.words
    age: str | Cell = _DASH if line.age_days is None else plain(line.age_days)
    if line.old and line.age_days is not None:
        age = Cell(words("table.old", days=line.age_days), "cell_warn")
    unpriced = Cell(words("line.not_priced"), "cell_warn")
    return Row(
        (
            report.name(line.key),
            _DASH if line.quantity is None else plain(line.quantity, digits),
            words(f"unit.{line.quantity_unit}"),
            _unit_price(line, unpriced),
            unpriced if line.amount is None else report.amount(line.amount),
            _DASH if line.share is None else plain(line.share * 100, 1),
            age,
            _source_mark(report, line),
        )
    )


def _unit_price(line: CostLine, unpriced: Cell) -> str | Cell:
    """A dash for a share of the bill, which has none."""
    if line.unit_price_line is None:
        return _DASH
    if line.unit_price_usd is None:
        return unpriced
    return plain(line.unit_price_usd, _PRICE_DIGITS if line.unit_price_usd < _RATES_BELOW else 2)


def _source_mark(report: Report, line: CostLine) -> str:
    basis = line.basis
    if line.amount is None:
        return _DASH
    return report.words("tag.yours") if basis.tag == "yours" else report.mark(basis)


def _sum_rows(report: Report) -> Iterator[Row]:
    words, ledger = report.words, report.budget.ledger
    total, contingency, ask = (ledger.value(key) for key in ("cost.total", "contingency", "cost.ask"))
    star = "*" if report.budget.not_priced else ""
    if total is None or contingency is None or ask is None:
        none = Cell(words("line.not_priced"), "cell_warn")
        yield Row((words("proposal.base_row"), "", "", "", none, "", "", star), "base")
        yield Row((words("figure.ask"), "", "", "", none, "", "", ""), "ask")
        return
    extra = contingency / total * 100 if total else 0.0
    section = words("proposal.section_cell", section=report.number("uncertainty"))
    yield Row((words("proposal.base_row"), "", "", "", report.amount(total), plain(100, 1), "", star), "base")
    contingency_cells = ("", "", "", report.amount(contingency), plain(extra, 1), "", Cell(section, "cell_soft"))
    yield Row((words("proposal.contingency_row"), *contingency_cells), "loose")
    yield Row((words("figure.ask"), "", "", "", report.amount(ask), plain(100 + round(extra, 1), 1), "", ""), "ask")


def _notes(report: Report) -> Iterator[Flowable]:
    """What the sums leave out, how they are rounded, and the key of the sources."""
    words, budget = report.words, report.budget
    rows, sentences = constants(), []
    missing = len(budget.not_priced)
    if missing:
        sentences.append(words("proposal.note_star", text=words("doc.excludes", count=missing)))
    taxed = budget.ledger.value("tax_percent") is not None
    sentences.append(words("proposal.note_sum_taxed" if taxed else "proposal.note_sum"))
    if budget.currency != "USD":
        rate = budget.ledger["fx_rate"]
        shown = plain(rate.given or 0, 4)
        date = rate.source.as_of
        sentences.append(words("proposal.note_rate", rate=shown, currency=report.currency, date=date))
    limits = {kind: rows[f"price_max_age_days.{kind}"].value for kind in ("list", "spot")}
    if any(line.old for line in budget.cost_lines):
        sentences.append(words("proposal.note_old", **limits))
    yield report.text(("" if report.language == "zh" else " ").join(sentences), "note")
    prices = {line.basis.source: line.basis for line in budget.cost_lines if line.amount is not None}
    key = [
        f"{report.mark(line)}{WIDE}{_dated(line, words)}. {format_source(source, words)}"
        for source, line in prices.items()
        if source in report.sources and line.tag != "yours"
    ]
    if key:
        yield report.text("\n".join(key), "note")


def _dated(line: Line, words: Words) -> str:
    return words("list.comma").join(part for part in (row_words(line.row_text, words), line.source.as_of) if part)


def _checks(report: Report) -> Flowable:
    """The box of things to check; a sentence where there is nothing."""
    found = things_to_check(report)
    if not found:
        marked = report.budget.not_priced or any(line.old for line in report.budget.cost_lines)
        return report.text(report.words("proposal.no_more_checks" if marked else "proposal.no_checks"), "note")
    title = report.text(report.words("proposal.checks", count=len(found)), "check_title")
    icon = Drawn(_ICON, _ICON, lambda pen: warning(pen, 0, 0, _ICON))
    inside = report.across - _CHECK_LOOK.left - _CHECK_LOOK.right
    head = grid([[icon, title]], [_ICON + 7, inside - _ICON - 7])
    sentences = [report.runs([Run(sentence)], "check_item") for sentence in found]
    return Box([head, *sentences], _CHECK_LOOK, before=8, after=6)


def _largest(report: Report) -> Iterator[Flowable]:
    """The formula of the dearest line in words and in numbers, and what its quantity is computed from."""
    line = largest_line(report)
    if line is None:
        return
    words, budget = report.words, report.budget
    in_usd = line.key.replace("cost.", "usd.", 1)
    keys = [line.quantity_line.key, in_usd if budget.currency == "USD" else line.key]
    if budget.currency != "USD":
        keys.insert(1, in_usd)
    texts: list[Flowable] = []
    for key in keys:
        formula, numbers = formula_texts(budget, key, words)
        left = words("proposal.formula_of", name=report.name(key), formula=formula)
        right = words("proposal.equals_result", numbers=numbers, result="")
        texts.append(report.runs([Run(f"{left}\n{right}"), Run(report.value(key), bold=True)], "body"))
    yield KeepTogether([report.subhead(words("proposal.largest_line")), *texts])
