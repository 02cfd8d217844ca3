"""The sheet Summary: the decision figures, the cost by line, a chart that states the finding, and the colour key."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.budget import CostLine
from desktop_app.budget.constants import constants
from desktop_app.budget.ledger import Line
from desktop_app.foundation.records import Source
from desktop_app.foundation.rounding import round_half_away
from desktop_app.foundation.units import BYTES_PER_GIB
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, joined, quoted_text, range_of, with_number
from report_templates.excel.chart import add_cost_chart
from report_templates.excel.look import (
    ASK,
    ASK_LABEL,
    FIGURE,
    INPUT,
    LABEL,
    LINK,
    NUMBER,
    OUTPUT,
    OUTPUT_LABEL,
    OUTPUT_NOTE,
    SECTION,
    SMALL,
    UNIT,
    Look,
)
from report_templates.excel.stored_results import Result
from report_templates.excel.summary_options import write_options
from report_templates.figures import (
    Headline,
    by_amount,
    document_title,
    headlines,
)
from report_templates.fingerprint import result_mark

_WIDTHS = {"B": 40, "C": 24, "D": 13, "E": 18, "F": 18, "G": 18, "H": 18, "I": 44}
_PERCENTILES = {"E": "p10", "F": "p50", "G": "p80", "H": "p90"}
KEY_LOOKS: dict[str, tuple[str, Look]] = {
    "I": ("kind.input", replace(INPUT, align="left", locked=True)),
    "C": ("kind.calculation", LABEL),
    "L": ("kind.link", replace(LINK, align="left")),
    "O": ("kind.output", replace(OUTPUT_LABEL, bold=False, line="hair")),
}


@dataclass(frozen=True, slots=True)
class Summary:
    """The cells of the sheet that other sheets and names point to."""

    headlines: dict[str, Place]  # by the ledger key of the headline
    amounts: tuple[Place, ...]


def write_summary(book: Book, sheet: Sheet, verdict: Place, ages: dict[Source, Place]) -> Summary:
    """Fill the sheet; all its figures are links to other sheets."""
    words, budget = book.words, book.budget
    sheet.widths(_WIDTHS)
    sheet.head(document_title(budget, words), _note(book))
    headlines = _put_decision(book, sheet, verdict)
    sheet.skip()
    amounts = _put_cost_lines(book, sheet, ages)
    sheet.skip()
    last = _put_chart(book, sheet, amounts)
    sheet.row = last + 2
    write_options(book, sheet)
    last = sheet.row - 1
    sheet.page.print_area = f"A1:I{last}"
    sheet.page.page_setup.fitToHeight = 1
    return Summary(headlines, amounts)


def _note(book: Book) -> str:
    """What kind of document this is, and the dates it rests on."""
    words, budget = book.words, book.budget
    note = words("workbook.summary_note", date=budget.scenario.today.isoformat(), currency=budget.currency)
    price, mark = budget.ledger.origin("price_usd_per_gpu_hour"), words("proposal.result", mark=result_mark(budget))
    priced = words("workbook.prices_of", date=price.source.as_of) if price.source.as_of else ""
    between = "" if words.language == "zh" else " "
    return between.join(part for part in (note, priced, mark) if part)


def _put_decision(book: Book, sheet: Sheet, verdict: Place) -> dict[str, Place]:
    """The decision figures with their ranges, and the colour key beside them."""
    words = book.words
    headings = {"B": "figure", "C": "value", "D": "unit", **_PERCENTILES, "I": "key"}
    sheet.table_header({column: words(f"head.{key}") for column, key in headings.items()}, numbers="CEFGH")
    keys = iter(KEY_LOOKS.items())
    places, shown = {}, headlines(book.budget)
    for headline in shown:
        cells = _headline_cells(book, sheet, headline)
        letter, (word, look) = next(keys, ("", ("", LABEL)))
        if letter:
            cells["I"] = (words("summary.key", letter=letter, kind=words(word)), look)
        places[headline.key] = sheet.put_row(cells, height=26 if headline is shown[0] else None)["C"]
    first, last = places[shown[0].key].row, places[shown[-1].key].row
    for columns in ("C:C", "E:H"):
        start, end = columns.split(":")
        sheet.highlight(f"{start}{first}:{end}{last}", f"ISTEXT({start}{first})", "warn")
    _put_verdict(book, sheet, verdict)
    return places


def _headline_cells(book: Book, sheet: Sheet, headline: Headline) -> dict[str, tuple[Content, Look]]:
    asked = headline.key == "cost.ask"
    label, figure = (ASK_LABEL, ASK) if asked else (LABEL, FIGURE)
    line = book.budget.ledger[headline.key]
    unit = headline.unit
    cells: dict[str, tuple[Content, Look]] = {
        "B": (book.words(headline.label), label),
        "C": (_converted(book, sheet, headline, line), with_number(figure, _format(book, headline))),
        "D": (book.unit_word(unit), replace(UNIT, fill=label.fill)),
    }
    for column, name in _PERCENTILES.items():
        content = None
        if headline.ranged:
            content = _converted(book, sheet, headline, book.budget.ledger[f"{headline.key}.{name}"])
        cells[column] = (content, with_number(replace(LINK, fill=label.fill), _format(book, headline)))
    return cells


def _format(book: Book, headline: Headline) -> str:
    value = book.budget.ledger.value(headline.key)
    return book.number_format(headline.unit, None if value is None else value / headline.divisor)


def _converted(book: Book, sheet: Sheet, headline: Headline, line: Line) -> Formula:
    """A link to a line, in the unit of the headline."""
    place, value = book.places[line.key], book.budget.ledger.value(line.key)
    if headline.divisor == 1:
        return book.link(sheet, place)
    unknown, cell = book.unknown_word(line), place.seen_from(sheet.title)
    text = f"{cell}/{headline.divisor}"
    if line.key in book.unsure:
        text = f"IF(COUNT({cell})=1,{text},{quoted_text(unknown)})"
    return Formula(text, unknown if value is None else value / headline.divisor)


def _put_verdict(book: Book, sheet: Sheet, verdict: Place) -> None:
    """Does it fit, with the figures behind it; the word carries the meaning, the colour repeats it."""
    words = book.words
    parts = {
        name: Formula(
            f"ROUND({book.places[f'memory.{key}'].seen_from(sheet.title)}/1024^3,0)",
            round_half_away((book.budget.ledger.value(f"memory.{key}") or 0.0) / BYTES_PER_GIB, 0),
        )
        for name, key in (("peak", "peak"), ("usable", "usable"))
    }
    row = sheet.row
    cells: dict[str, tuple[Content, Look]] = {
        "B": (words("memory.fits"), LABEL),
        "C": (book.link(sheet, verdict), FIGURE),
        "D": (None, UNIT),
        "E": (joined(words("memory.of_usable"), parts), UNIT),
        "F": (None, UNIT),
        "G": (None, UNIT),
        "H": (None, UNIT),
    }
    sheet.put_row(cells)
    for tone, name in (("ok", "yes"), ("warn", "tight"), ("bad", "no")):
        sheet.highlight(f"C{row}", f"C{row}={quoted_text(words(f'verdict.{name}'))}", tone)  # type: ignore[arg-type]


def _put_cost_lines(book: Book, sheet: Sheet, ages: dict[Source, Place]) -> tuple[Place, ...]:
    """One row per line of money, dearest first, and the total."""
    words = book.words
    sheet.section(words("doc.cost_by_line"))
    sheet.table_header(
        {
            "B": words("head.item"),
            "C": words("head.quantity"),
            "D": words("head.unit"),
            "E": words("head.unit_price_in", currency="USD"),
            "F": words("head.amount_in", currency=book.budget.currency),
            "G": words("figure.share"),
            "H": words("head.age_days"),
            "I": words("head.source"),
        },
        numbers="CEFGH",
    )
    lines = by_amount(book.budget.cost_lines)
    first, total_row = sheet.row, sheet.row + len(lines)
    rows = [_put_cost_line(book, sheet, line, total_row, ages) for line in lines]
    amounts = tuple(place for place, _ in rows)
    _put_total(book, sheet, amounts, [share.result for _, share in rows])
    sheet.highlight(f"F{first}:F{total_row - 1}", f"ISTEXT(F{first})", "warn")
    return amounts


def _put_cost_line(
    book: Book, sheet: Sheet, line: CostLine, total_row: int, ages: dict[Source, Place]
) -> tuple[Place, Formula]:
    words, ledger, row = book.words, book.budget.ledger, sheet.row
    quantity, price, basis = line.quantity_line, line.unit_price_line, line.price_line
    total = ledger.value("cost.total")
    share = Formula(
        f'IF(COUNT(F{row},F{total_row})=2,IF(F{total_row}>0,F{row}/F{total_row},0),"")',
        "" if line.amount is None or total is None else line.amount / total if total > 0 else 0.0,
    )
    dated = line.amount is not None and basis is not None and basis.tag == "table"
    age = ages.get(basis.source) if basis is not None and dated else None
    spot = book.budget.scenario.price.purchase == "spot" and quantity.unit == "gpu_hour"
    limit = constants()[f"price_max_age_days.{'spot' if spot else 'list'}"].value
    old = f'[>{limit:.0f}]#,##0" {words("tag.old")}";#,##0'
    places = sheet.put_row(
        {
            "B": (words(f"ledger.{line.key}"), LABEL),
            "C": (_link(book, sheet, quantity), _look(book, quantity)),
            "D": (book.unit_word(quantity.unit), UNIT),
            "E": (_link(book, sheet, price), _look(book, price)) if price else (None, NUMBER),
            "F": (_link(book, sheet, line.line), _look(book, line.line)),
            "G": (share, with_number(NUMBER, "0.0%")),
            "H": (book.link(sheet, age) if age else None, with_number(LINK, old)),
            "I": (_cited(book, sheet, line), SMALL),
        }
    )
    sheet.highlight(f"H{row}", f"H{row}>{limit:.0f}", "warn")
    return places["F"], share


def _cited(book: Book, sheet: Sheet, line: CostLine) -> Content:
    """The source of a price in few words: its number on the sheet Sources and the row that was used.

    Without an amount: where to type what is missing, until it is typed.
    """
    cited = book.cited(line.basis) if line.basis.given is not None else ""
    if line.amount is not None:
        return cited
    ask = book.words("summary.enter_price")
    return Formula(f"IF(ISTEXT(F{sheet.row}),{quoted_text(ask)},{quoted_text(cited)})", ask)


def _link(book: Book, sheet: Sheet, line: Line) -> Formula:
    return book.link(sheet, book.places[line.key])


def _look(book: Book, line: Line) -> Look:
    return with_number(LINK, book.number_format(line.unit, book.budget.ledger.value(line.key)))


def _put_total(book: Book, sheet: Sheet, amounts: tuple[Place, ...], shares: list[Result]) -> None:
    """The base: the sum of the lines as printed, and what it leaves out."""
    words, total = book.words, book.budget.ledger["cost.total"]
    area = range_of(amounts[0], amounts[-1], sheet.title)
    missing = sum(1 for place in amounts if isinstance(place.value, str))
    count = Formula(f"ROWS({area})-COUNT({area})", missing)
    one, many = words("doc.excludes", count=1), joined(words("doc.excludes"), {"count": count})
    text = f'IF({count.text}=0,"",IF({count.text}=1,{quoted_text(one)},{many.text}))'
    note = Formula(text, many.result if missing > 1 else one if missing else "")
    share_cells = f"G{amounts[0].row}:G{amounts[-1].row}"
    known = [share for share in shares if isinstance(share, float)]
    whole_share = Formula(f'IF(COUNT({share_cells})=0,"",SUM({share_cells}))', sum(known) if known else "")
    sheet.put_row(
        {
            "B": (words("figure.cost_base"), OUTPUT_LABEL),
            **dict.fromkeys("CDEH", (None, OUTPUT)),
            "F": (_link(book, sheet, total), with_number(OUTPUT, _look(book, total).number)),
            "G": (whole_share, with_number(OUTPUT, "0.0%")),
            "I": (note, OUTPUT_NOTE),
        },
        height=22,
    )


def _put_chart(book: Book, sheet: Sheet, amounts: tuple[Place, ...]) -> int:
    """The chart, titled by its finding, which is a formula in the cell behind it; gives the last row it covers."""
    words = book.words
    first, last = amounts[0].row, amounts[-1].row
    area, names = f"F{first}:F{last}", f"B{first}:B{last}"
    total, total_cell = book.budget.ledger.value("cost.total"), f"F{last + 1}"
    largest = max((place.value for place in amounts if isinstance(place.value, float)), default=0.0)
    share = round_half_away(largest / total * 100, 0) if total else 0.0
    percent = Formula(f"ROUND(MAX({area})/{total_cell}*100,0)", share)
    parts = {
        "item": Formula(
            f"INDEX({names},MATCH(MAX({area}),{area},0))", words(f"ledger.{by_amount(book.budget.cost_lines)[0].key}")
        ),
        "share": joined(words("chart.whole_percent"), {"percent": percent}),
    }
    sentence, plain_title = joined(words("finding.largest"), parts), words("finding.none")
    text = f"IF(SUM({total_cell})>0,{sentence.text},{quoted_text(plain_title)})"
    title = sheet.put("B", Formula(text, sentence.result if total else plain_title), SECTION)
    if total is None:
        return title.row
    drawn = tuple(place for place in amounts if isinstance(place.value, float) and place.value >= 0) or amounts
    return add_cost_chart(sheet, title, drawn, book.font, book.number_format("currency", None), book.tone)
