"""The sheet Purchase options: the base bought in each way that has a price, side by side, from columns of the grid."""

from __future__ import annotations

from typing import get_args

from desktop_app.budget.dossier.alternatives import is_complete
from desktop_app.budget.purchases import option_of
from desktop_app.budget.scenario import Purchase
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Sheet, with_number
from report_templates.excel.look import KIND, LABEL, LABEL_BOLD, LINK, NOTE, NUMBER, OUTPUT, SMALL, Look

_WIDTHS = {"B": 6, "C": 30, "D": 15, "E": 17, "F": 17, "G": 18, "H": 18, "I": 18, "J": 12, "K": 14, "L": 16, "M": 8}
_TEXT_WIDTHS = {"N": 52, "O": 13, "P": 44, "Q": 12}
_HEADS = (
    "head.kind", "workbook.way", "workbook.price_hour", "workbook.hours_used", "workbook.hours_paid",
    "figure.cost_base", "head.p50", "head.p80", "time.wall", "figure.carbon_location", "workbook.break_even",
    "head.rank", "workbook.price_row", "head.as_of", "workbook.leaves_out", "workbook.ranked",
)  # fmt: skip
_UNITS = {"J": "unit.days", "K": "unit.tco2e"}
_COLUMNS = "BCDEFGHIJKLMNOPQ"


def write_purchases(book: Book, sheet: Sheet) -> None:
    """Fill the sheet."""
    words = book.words
    sheet.widths({**_WIDTHS, **_TEXT_WIDTHS})
    sheet.head(words("sheet.purchase"), words("workbook.purchase_note", currency=book.budget.currency))
    heads = {column: words(key) for column, key in zip(_COLUMNS, _HEADS, strict=True)}
    heads |= {column: f"{heads[column]}, {words(unit)}" for column, unit in _UNITS.items()}
    sheet.table_header(heads, numbers="DEFGHIJKLM", freeze="D")
    shown = [0, *(index for index, case in enumerate(book.cases) if case.kind == "purchase")]
    first, last = sheet.row, sheet.row + len(shown) - 1
    totals = [book.cases[index].values["cost.total"] if is_ranked(book, index) else None for index in shown]
    for index, total in zip(shown, totals, strict=True):
        known = sorted(other for other in totals if other is not None)
        _put(book, sheet, index, (first, last), "" if total is None else float(known.index(total) + 1))
    bought = {book.cases[index].budget.scenario.price.purchase for index in shown}
    missing = [words(f"purchase.{name.replace('-', '_')}") for name in get_args(Purchase) if name not in bought]
    sheet.skip()
    if missing:
        names = words("list.comma").join(missing)
        sheet.put_row({"C": (words("workbook.no_price_for", names=names), NOTE)})
    sheet.put_row({"C": (words("workbook.purchase_terms"), NOTE)})


def is_ranked(book: Book, index: int) -> bool:
    """Whether nothing is left out of a column that the base prices: a sum with gaps must not look cheapest."""
    return index == 0 or is_complete(book.cases[index].budget, book.budget)


def _put(book: Book, sheet: Sheet, index: int, rows: tuple[int, int], rank: float | str) -> None:
    words, case, row = book.words, book.cases[index], sheet.row
    option = option_of(case.budget)
    line = case.budget.ledger.origin("price_usd_per_gpu_hour")
    missing = words("list.comma").join(words(f"ledger.{key}") for key in option.not_priced)
    area, ranked = (f"{column}${rows[0]}:{column}${rows[1]}" for column in "GQ")
    cheaper = f"({area}<G{row})*({ranked}=1)"
    name = words(f"purchase.{option.purchase.replace('-', '_')}")
    money = book.number_format("currency", None)
    cells: dict[str, tuple[Content, Look]] = {
        "B": ("L", KIND),
        "C": (name, LABEL_BOLD if index == 0 else LABEL),
        "D": book.link_to(sheet, "price_usd_per_gpu_hour", index),
        "E": (_used(book, sheet, index), with_number(NUMBER, "#,##0")),
        "F": _paid(book, sheet, index, row),
        "G": book.link_to(sheet, "cost.total", index),
        "H": book.link_to(sheet, "cost.total.p50", index),
        "I": book.link_to(sheet, "cost.total.p80", index),
        "J": book.link_to(sheet, "wall_days", index),
        "K": _tonnes(book, sheet, index),
        "L": _break_even(book, sheet, index),
        "M": (
            Formula(f'IF(COUNT(G{row})*Q{row}=1,1+SUMPRODUCT({cheaper}),"")', rank),
            NUMBER,
        ),
        "N": (book.cited(line) if line.given is not None else words("line.not_priced"), SMALL),
        "O": (line.source.as_of, SMALL),
        "P": (missing, SMALL),
        "Q": (int(is_ranked(book, index)), SMALL),
    }
    if index == 0:
        cells["G"] = (cells["G"][0], with_number(OUTPUT, money))
    sheet.put_row(cells)


def _used(book: Book, sheet: Sheet, index: int) -> Formula:
    """GPU-hours of whole instances that the job uses."""
    case = book.cases[index]
    keys = [
        line.quantity_line.key
        for line in case.budget.cost_lines
        if line.quantity_line.key.startswith("billed_gpu_hours.") and line.key != "cost.unused"
    ]
    places = [book.place(key, index) for key in keys]
    known = [place.value for place in places if isinstance(place.value, float)]
    return Formula(f"SUM({','.join(place.seen_from(sheet.title) for place in places)})", float(sum(known)))


def _paid(book: Book, sheet: Sheet, index: int, row: int) -> tuple[Content, Look]:
    """What is paid for: whole terms where a contract is signed, else what is used."""
    look = with_number(LINK, "#,##0")
    if "paid_gpu_hours" in book.cases[index].budget.ledger:
        return book.link(sheet, book.place("paid_gpu_hours", index)), look
    used = _used(book, sheet, index)
    return Formula(f"E{row}", used.result), look


def _tonnes(book: Book, sheet: Sheet, index: int) -> tuple[Content, Look]:
    """Location-based emissions in tonnes; the word for unknown where they are."""
    place = book.place("co2e_kg_location", index)
    cell, unknown = place.seen_from(sheet.title), book.words("state.not_known")
    value = place.value / 1000 if isinstance(place.value, float) else unknown
    text = f'IF(COUNT({cell})=1,{cell}/1000,"{unknown}")'
    return Formula(text, value), with_number(LINK, book.number_format("tco2e", value))


def _break_even(book: Book, sheet: Sheet, index: int) -> tuple[Content, Look]:
    """Share of use from which a contract pays, or hours between interruptions from which spot does."""
    for key in ("break_even_utilisation", "spot_break_even_hours"):
        if key in book.cases[index].budget.ledger:
            return book.link_to(sheet, key, index)
    return None, NUMBER
