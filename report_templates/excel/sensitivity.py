"""The sheet Sensitivity: what the total comes to with each driver at its low and high, ranked, drawn, and percentiles.

It only reads: each driver's low and high are columns of their own on the calculation sheets.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.budget.ledger import Line
from desktop_app.budget.uncertainty import DRIVEN
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Place, Sheet, quoted_text, with_number
from report_templates.excel.chart import add_tornado_chart
from report_templates.excel.look import (
    KIND,
    LABEL,
    LABEL_BOLD,
    LINK,
    NOTE,
    NUMBER,
    NUMBER_BOLD,
    SECTION,
    SMALL,
    UNIT,
    Look,
)
from report_templates.figures import headlines

_WIDTHS = {"B": 6, "C": 36, "D": 36, "E": 16, "F": 16, "G": 16, "H": 16, "I": 18, "J": 18, "K": 18, "L": 8, "M": 60}
_MONEY, _TIME = "cost.total", "wall_days"  # what the bars are of: the total, or days where it is not priced
_PERCENTILES = ("p10", "p50", "p80", "p90")


@dataclass(frozen=True, slots=True)
class _Bar:
    """One driver: its two columns and the row that it stands in."""

    driver: str
    low: int
    high: int


def write_sensitivity(book: Book, sheet: Sheet) -> None:
    """Fill the sheet."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.sensitivity"), words("workbook.sensitivity_note"))
    bars = _bars(book)
    if bars:
        swings, names = _put_drivers(book, sheet, bars)
        sheet.skip()
        _put_ranked(book, sheet, bars, swings, names)
        sheet.skip()
    _put_percentiles(book, sheet)


def _figure(book: Book) -> Line:
    """The line that the bars are of."""
    return book.budget.ledger[_TIME if book.budget.ledger.value(_MONEY) is None else _MONEY]


def _number(book: Book) -> str:
    line = _figure(book)
    return book.number_format(line.unit, book.budget.ledger.value(line.key))


def _bars(book: Book) -> tuple[_Bar, ...]:
    """The drivers that the figure rests on."""
    ends: dict[str, dict[str, int]] = {}
    ledger, figure = book.budget.ledger, _figure(book).key
    for index, case in enumerate(book.cases):
        if case.kind == "end" and ledger.rests_on(figure, DRIVEN[case.driver]):
            ends.setdefault(case.driver, {})[case.end] = index
    return tuple(_Bar(driver, found["low"], found["high"]) for driver, found in ends.items())


def _put_drivers(book: Book, sheet: Sheet, bars: tuple[_Bar, ...]) -> tuple[list[Place], list[Place]]:
    """The drivers in a fixed order: input low, base, high; the total at each; the swing and its rank."""
    words = book.words
    sheet.section(words("workbook.drivers"))
    figure, unit = words(f"ledger.{_figure(book).key}"), book.unit_word(_figure(book).unit)
    sheet.table_header(
        {
            "B": words("head.number"), "C": words("proposal.head_driver"), "D": words("head.input"),
            "E": words("head.unit"), "F": words("head.low"), "G": words("proposal.base_row"), "H": words("head.high"),
            "I": words("workbook.figure_low", figure=figure, unit=unit),
            "J": words("workbook.figure_high", figure=figure, unit=unit),
            "K": words("workbook.swing", unit=unit), "L": words("head.rank"), "M": words("head.source"),
        },
        numbers="FGHIJKL",
    )  # fmt: skip
    first, last = sheet.row, sheet.row + len(bars) - 1
    sizes = [_swing(book, bar) for bar in bars]
    swings, names = [], []
    for number, bar in enumerate(bars):
        places = _put_driver(book, sheet, bar, number, (first, last), sizes)
        swings.append(places["K"])
        names.append(places["C"])
    return swings, names


def _swing(book: Book, bar: _Bar) -> float:
    ends = [book.cases[index].values[_figure(book).key] for index in (bar.low, bar.high)]
    return abs(ends[1] - ends[0]) if ends[0] is not None and ends[1] is not None else 0.0


def _put_driver(
    book: Book, sheet: Sheet, bar: _Bar, number: int, rows: tuple[int, int], sizes: list[float]
) -> dict[str, Place]:
    row, (first, last) = sheet.row, rows
    low, base, high = _inputs(book, sheet, bar)
    look = with_number(LINK, book.number_format(*_shown_in(book, bar)))
    money = with_number(LINK, _number(book))
    rank = 1 + sum(size > sizes[number] for size in sizes) + sum(size == sizes[number] for size in sizes[:number])
    key = DRIVEN[bar.driver]
    name = book.words("proposal.hours_factor" if bar.driver == "overhead" else f"ledger.{key}")
    unit = "" if bar.driver == "overhead" else book.unit_word(book.budget.ledger[key].unit)
    swing = Formula(f"IF(COUNT(I{row},J{row})=2,ABS(J{row}-I{row}),0)", sizes[number])
    return sheet.put_row(
        {
            "B": (number + 1, KIND),
            "C": (book.words(f"driver.{bar.driver}"), LABEL),
            "D": (name, LABEL),
            "E": (unit, UNIT),
            "F": (low, look),
            "G": (base, look),
            "H": (high, look),
            "I": (book.link(sheet, book.place(_figure(book).key, bar.low)), money),
            "J": (book.link(sheet, book.place(_figure(book).key, bar.high)), money),
            "K": (swing, with_number(NUMBER, money.number)),
            "L": (_rank(row, first, last, rank), NUMBER),
            "M": (book.cited(book.budget.ledger[f"driver.{bar.driver}.low"]), SMALL),
        }
    )


def _rank(row: int, first: int, last: int, rank: int) -> Formula:
    """1 for the widest; of two alike the upper one first."""
    wider = f"SUMPRODUCT((K{first}:K{last}>K{row})*1)"
    alike = f"SUMPRODUCT((K{first}:K{row}=K{row})*1)"
    return Formula(f"{wider}+{alike}", rank)


def _shown_in(book: Book, bar: _Bar) -> tuple[str, object]:
    if bar.driver == "overhead":
        return "factor", 1.0
    line = book.budget.ledger[DRIVEN[bar.driver]]
    return line.unit, book.budget.ledger.value(line.key)


def _inputs(book: Book, sheet: Sheet, bar: _Bar) -> tuple[Content, Content, Content]:
    """Low, base and high of the input; what time is lost to is shown as a factor on the hours."""
    if bar.driver == "overhead":
        ends = (book.places[f"driver.{bar.driver}.{end}"] for end in ("low", "high"))
        low, high = (book.link(sheet, place) for place in ends)
        return low, 1, high
    key = DRIVEN[bar.driver]
    low, base, high = (book.link(sheet, book.place(key, index)) for index in (bar.low, 0, bar.high))
    return low, base, high


def _put_ranked(book: Book, sheet: Sheet, bars: tuple[_Bar, ...], swings: list[Place], names: list[Place]) -> None:
    """The same, widest first, and the chart of it."""
    words = book.words
    title = sheet.put("B", _finding(book, swings, names), SECTION)
    sheet.put_row({}, height=22)
    heads = ("head.rank", "proposal.head_driver", None, None, "workbook.smaller", "workbook.below", "workbook.above")
    columns = dict(zip("BCDEFGH", heads, strict=True))
    sheet.table_header({column: words(key) if key else "" for column, key in columns.items()}, numbers="FGH")
    first, last = swings[0].row, swings[-1].row
    base = book.link(sheet, book.places[_figure(book).key])
    order = sorted(range(len(bars)), key=lambda number: -_swing(book, bars[number]))
    start = sheet.row
    for rank, number in enumerate(order, 1):
        _put_bar(book, sheet, rank, (first, last), bars[number], names[number], base)
    rows = (start, sheet.row - 1)
    covered = add_tornado_chart(sheet, title, rows, book.font, _number(book), book.tone, sheet.row + 1)
    sheet.row = covered + 2


def _finding(book: Book, swings: list[Place], names: list[Place]) -> Formula:
    """Which driver moves the total most, as a sentence that follows the figures."""
    words, first, last = book.words, swings[0].row, swings[-1].row
    widest = max(range(len(swings)), key=lambda number: (float(swings[number].value or 0), -number))  # type: ignore[arg-type]
    before, after = words("workbook.tornado_finding", driver="\x00", figure=words(f"ledger.{_figure(book).key}")).split(
        "\x00"
    )
    name = str(names[widest].value)
    found = f"INDEX(C{first}:C{last},MATCH(1,L{first}:L{last},0))"
    return Formula(f"{quoted_text(before)}&{found}&{quoted_text(after)}", f"{before}{name}{after}")


def _put_bar(book: Book, sheet: Sheet, rank: int, rows: tuple[int, int], bar: _Bar, name: Place, base: Formula) -> None:
    """One bar: what is drawn is the way below the base and the way above it, on top of the smaller end."""
    first, last = rows
    row = sheet.row
    ends = [book.cases[index].values[_figure(book).key] for index in (bar.low, bar.high)]
    low, high = (None, None) if None in ends else (min(ends), max(ends))  # type: ignore[type-var]
    middle = base.result if isinstance(base.result, float) else 0.0
    below, above = (
        (max(0.0, middle - low), max(0.0, high - middle)) if low is not None and high is not None else (0.0, 0.0)
    )
    match = f"MATCH(B{row},L${first}:L${last},0)"
    at_low, at_high = (f"INDEX({column}${first}:{column}${last},{match})" for column in "IJ")
    money = with_number(NUMBER, _number(book))
    sheet.put_row(
        {
            "B": (rank, KIND),
            "C": (Formula(f"INDEX(C${first}:C${last},{match})", str(name.value)), LABEL),
            "F": (Formula(f"MIN({at_low},{at_high})", low if low is not None else 0.0), money),
            "G": (Formula(f"MAX(0,SUM({base.text})-F{row})", below), money),
            "H": (Formula(f"MAX(0,MAX({at_low},{at_high})-SUM({base.text}))", above), money),
        }
    )


def _put_percentiles(book: Book, sheet: Sheet) -> None:
    """Base and percentiles of every figure that has a range."""
    words, ledger = book.words, book.budget.ledger
    sheet.section(words("workbook.percentiles"))
    heads = {"C": words("head.figure"), "E": words("head.unit"), "F": words("proposal.base_row")}
    heads |= {column: words(f"head.{name}") for column, name in zip("GHIJ", _PERCENTILES, strict=True)}
    sheet.table_header({"B": "", "D": "", **heads}, numbers="FGHIJ")
    for headline in headlines(book.budget):
        if not headline.ranged:
            continue
        line = ledger[headline.key]
        look = with_number(LINK, book.number_format(line.unit, ledger.value(line.key)))
        cells: dict[str, tuple[Content, Look]] = {
            "C": (words(headline.label), LABEL_BOLD),
            "E": (book.unit_word(line.unit), UNIT),
            "F": (book.link(sheet, book.places[line.key]), with_number(NUMBER_BOLD, look.number)),
        }
        for column, name in zip("GHIJ", _PERCENTILES, strict=True):
            cells[column] = (book.link(sheet, book.places[f"{line.key}.{name}"]), look)
        sheet.put_row(cells)
    for key in ("workbook.percentiles_note", "workbook.percentiles_note_base"):
        sheet.put_row({"C": (words(key), NOTE)})
