"""The charts below the months: what each takes, and what is spent by its end, each with its finding as the title."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.foundation.rounding import round_half_away
from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, joined, quoted_text
from report_templates.excel.chart import ChartPaint, MonthChart, add_month_chart
from report_templates.excel.look import SECTION

_Finding = Callable[[Book, Sequence[Place], int], Formula]


def put_charts(book: Book, sheet: Sheet, spent: Sequence[Place], until: Sequence[Place], header: int) -> int:
    """Both, one under the other; `header` is the row with the names of the months. Gives the last row they cover."""
    paint = ChartPaint(book.font, book.number_format("currency", None), book.tone, book.budget.currency)
    charts: tuple[tuple[MonthChart, Sequence[Place], _Finding], ...] = (
        ("column", spent, _dearest),
        ("line", until, _half),
    )
    for kind, places, finding in charts:
        sheet.row += 2
        title = sheet.put("B", _titled(book, spent, finding(book, places, header)), SECTION)
        sheet.row = add_month_chart(sheet, title, places, header, paint, kind)
    return sheet.row


def _titled(book: Book, spent: Sequence[Place], finding: Formula) -> Formula:
    """The finding, as long as there is money to find it in."""
    none, is_spent = book.words("finding.none"), _total(spent) > 0
    text = f"IF(ROUND(SUM({_area(spent)}),2)>0,{finding.text},{quoted_text(none)})"
    return Formula(text, finding.result if is_spent else none)


def _dearest(book: Book, places: Sequence[Place], header: int) -> Formula:
    """The month that takes most, and its share of all."""
    area, amounts = _area(places), _amounts(places)
    largest, total = max(amounts), _total(places)
    percent = Formula(
        f"ROUND(MAX({area})/SUM({area})*100,0)", round_half_away(largest / total * 100, 0) if total > 0 else 0.0
    )
    parts = {
        "month": _month(book, places, header, f"MATCH(MAX({area}),{area},0)", amounts.index(largest)),
        "share": joined(book.words("chart.whole_percent"), {"percent": percent}),
    }
    return joined(book.words("finding.dearest_month"), parts)


def _half(book: Book, places: Sequence[Place], header: int) -> Formula:
    """The month by whose end half of the money is spent."""
    area, amounts = _area(places), _amounts(places)
    whole = places[-1].address
    before = sum(1 for amount in amounts if amount < amounts[-1] / 2)
    month = _month(book, places, header, f"MIN(SUMPRODUCT(({area}<{whole}/2)*1)+1,COLUMNS({area}))", before)
    return joined(book.words("finding.half_spent"), {"month": month})


def _month(book: Book, places: Sequence[Place], header: int, which: str, index: int) -> Formula:
    """The name of a month by its place, counted from 1 in `which` and from 0 in `index`."""
    first, last = (place.address.rstrip("0123456789") for place in (places[0], places[-1]))
    month = book.dossier.schedule.months[min(index, len(places) - 1)]
    name = book.words("schedule.later") if month.first is None else f"{month.first:%Y-%m}"
    return Formula(f"INDEX({first}{header}:{last}{header},{which})", name)


def _area(places: Sequence[Place]) -> str:
    return f"{places[0].address}:{places[-1].address}"


def _total(places: Sequence[Place]) -> float:
    """What all months come to, without what the last bits leave of amounts that cancel out."""
    return float(round_half_away(sum(_amounts(places)), 2))


def _amounts(places: Sequence[Place]) -> list[float]:
    return [place.value for place in places if isinstance(place.value, float)]
