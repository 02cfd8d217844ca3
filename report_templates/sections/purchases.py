"""The same job bought in every way that has a price: rate, hours used and paid, total, what it binds, when it pays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from reportlab.platypus import Flowable

from desktop_app.budget.budget import Budget
from desktop_app.budget.purchases import PurchaseOption, option_of
from desktop_app.budget.scenario import Purchase
from desktop_app.foundation.formatting import percent, plain, significant
from desktop_app.foundation.quantities import format_value
from report_templates.pdf.blocks import Run
from report_templates.pdf.charts import Bar, bars
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.sections.report import Report, money_digits
from report_templates.style import LIGHT

_DASH, _FIXED = "–", "\u00a0"


def purchases(report: Report) -> Iterator[Flowable]:
    """The section."""
    words = report.words
    yield report.text(recommendation(report), "lead")
    ways = ranked(report)
    drawn = [(way, total) for way in ways if (total := way.ledger.value("cost.total")) is not None]
    if len(drawn) > 1:
        title = words("proposal.ways_title", way=report.inside(way_name(report, drawn[0][0])))
        chart = bars([_bar(report, way, total) for way, total in drawn], report.across)
        yield report.figure(title, words("proposal.ways_unit", currency=report.currency), chart)
    yield from _table(report, ways)
    unsold = [name for name in get_args(Purchase) if name not in {way.scenario.price.purchase for way in ways}]
    if unsold:
        names = report.counted([words(f"purchase.{name.replace('-', '_')}") for name in unsold])
        yield report.text(words("proposal.ways_unsold", names=names), "note")


def ranked(report: Report) -> list[Budget]:
    """The base and the other ways: complete ones first, cheapest first."""

    def order(way: Budget) -> tuple[bool, bool, float]:
        total = way.ledger.value("cost.total")
        return (total is None, not option_of(way).complete, total or 0.0)

    return sorted((report.budget, *report.dossier.purchases), key=order)


def way_name(report: Report, way: Budget) -> str:
    """The way of purchase in words, as the first words of a cell."""
    name = report.words(f"purchase.{way.scenario.price.purchase.replace('-', '_')}")
    return name[:1].upper() + name[1:]


def recommendation(report: Report) -> str:
    """Whether another way would cost less, and what would have to be accepted for it."""
    words, base = report.words, report.budget
    chosen, total = report.inside(way_name(report, base)), base.ledger.value("cost.total")
    if total is None:
        return words("proposal.buy_unknown" if report.ends else "proposal.buy_never", chosen=chosen)
    if not option_of(base).complete:
        return words("proposal.buy_incomplete", chosen=chosen, total=report.money(total))
    others = [way for way in report.dossier.purchases if option_of(way).complete]
    totals = [(amount, way) for way in others if (amount := way.ledger.value("cost.total")) is not None]
    cheaper = min(totals, key=lambda pair: pair[0], default=None)
    if cheaper is None:
        return words("proposal.buy_only", chosen=chosen, total=report.money(total))
    amount, way = cheaper
    values = {"chosen": chosen, "total": report.money(total), "other": report.inside(way_name(report, way))}
    values["amount"] = report.money(amount, way)
    if amount >= total:
        return words("proposal.buy_chosen", **values)
    purchase = way.scenario.price.purchase
    if "cost.committed" in way.ledger:
        return words("proposal.buy_contract", bound=report.money(way.ledger.value("cost.committed"), way), **values)
    return words("proposal.buy_spot" if purchase == "spot" else "proposal.buy_other", **values)


def _bar(report: Report, way: Budget, total: float) -> Bar:
    own = way is report.budget
    note = report.words("proposal.way_chosen") if own else ""
    if not option_of(way).complete:
        note = report.words("proposal.way_incomplete")
    return Bar(way_name(report, way), total, plain(total, money_digits(way)), note, own)


def _table(report: Report, ways: list[Budget]) -> Iterator[Flowable]:
    words = report.words
    columns = (
        Column(words("proposal.head_way"), weight=1, room=0.24),
        Column(words("proposal.head_rate"), "right"),
        Column(words("proposal.head_used"), "right"),
        Column(words("proposal.head_paid"), "right"),
        Column(words("proposal.head_total", currency=report.currency), "right"),
        Column(words("proposal.head_p80", currency=report.currency), "right"),
        Column(words("proposal.head_pays"), "right"),
        Column(words("proposal.head_binds", currency=report.currency), "right"),
    )
    rows = [_row(report, way) for way in ways]
    return report.captioned_table(words("proposal.ways_table"), columns, rows, note=words("proposal.ways_note"))


def _row(report: Report, way: Budget) -> Row:
    option, value = option_of(way), way.ledger.value
    digits = 1 if (option.hours_used or 0) < 1000 else 0
    unpriced = Cell(report.words("line.not_priced"), "cell_warn")
    total, p80 = value("cost.total"), value("cost.total.p80")
    rate = option.usd_per_gpu_hour
    own = way is report.budget
    return Row(
        (
            _name(report, way, option),
            unpriced if rate is None else format_value(rate, "number", report.words),
            _DASH if option.hours_used is None else plain(option.hours_used, digits),
            _DASH if option.hours_paid is None else plain(option.hours_paid, digits),
            report.priced_or(total, way),
            report.priced_or(p80, way),
            _break_even(report, option),
            _bound(report, way),
        ),
        "ask" if own else "plain",
    )


def _name(report: Report, way: Budget, option: PurchaseOption) -> Flowable:
    """The way, its row of the price table, and what only it leaves out."""
    words = report.words
    parts = [Run(way_name(report, way), bold=way is report.budget or None)]
    if option.as_of:
        old = f" {words('tag.old')}" if option.old else ""
        parts.append(Run(f"\n{words('proposal.way_price', date=option.as_of)}{old}", tone=LIGHT.text3))
    missing = [report.inside(report.name(key)) for key in option.not_priced if key not in report.budget.not_priced]
    if missing:
        parts.append(Run(f"\n{words('proposal.way_leaves_out', items=report.counted(missing))}", tone=LIGHT.warn))
    elif not option.complete:
        parts.append(Run(f"\n{words('proposal.way_incomplete')}", tone=LIGHT.warn))
    return report.runs(parts, "cell")


def _break_even(report: Report, option: PurchaseOption) -> str:
    if option.break_even is None:
        return _DASH
    if option.purchase == "spot":
        return report.words("proposal.pays_spot", hours=significant(option.break_even, 2)).replace(" ", _FIXED)
    return percent(option.break_even, 0, report.language)


def _bound(report: Report, way: Budget) -> str | Cell:
    if "cost.committed" not in way.ledger:
        return _DASH
    return report.priced_or(way.ledger.value("cost.committed"), way)
