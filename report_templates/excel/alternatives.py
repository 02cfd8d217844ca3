"""The sheet Alternatives: the base, the further scenarios, the generated alternatives and doing nothing, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_app.budget.dossier.alternatives import Alternative
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Sheet, quoted_text, with_number
from report_templates.excel.look import KIND, LABEL, LABEL_BOLD, LINK, NOTE, NUMBER, SMALL, Look

_WIDTHS = {"B": 6, "C": 46, "D": 12, "E": 18, "F": 18, "G": 18, "H": 18, "I": 17, "J": 12, "K": 14, "L": 14, "M": 16}
_TEXT_WIDTHS = {"N": 64}
_HEADS = (
    "head.number", "workbook.option", "workbook.comparable", "figure.cost_base", "head.p50", "head.p80", "head.p90",
    "workbook.to_base", "time.wall", "energy.facility", "figure.carbon_location", "memory.fits", "workbook.gives_up",
)  # fmt: skip
_COLUMNS = "BCDEFGHIJKLMN"


@dataclass(frozen=True, slots=True)
class _Row:
    """One option: its column in the grid, whether it does the same as the base, and what it gives up."""

    index: int
    comparable: bool
    gives_up: str


def write_alternatives(book: Book, sheet: Sheet) -> None:
    """Fill the sheet."""
    words = book.words
    sheet.widths({**_WIDTHS, **_TEXT_WIDTHS})
    sheet.head(words("sheet.alternatives"), words("workbook.alternatives_note", currency=book.budget.currency))
    heads = {column: words(key) for column, key in zip(_COLUMNS, _HEADS, strict=True)}
    sheet.table_header(heads, numbers="DEFGHIJKL", freeze="D")
    rows = list(_rows(book))
    first = sheet.row
    area = (first, first + len(rows) - 1)
    for row in rows:
        _put(book, sheet, row, area)
    nothing: dict[str, tuple[Content, Look]] = dict.fromkeys(_COLUMNS, (None, SMALL))
    nothing |= {
        "B": ("0", KIND),
        "C": (words("alternative.nothing"), LABEL),
        "N": (words("alternative.nothing.risk"), SMALL),
    }
    sheet.put_row(nothing)
    sheet.highlight(
        f"C{first}:N{area[1]}", f"ISNUMBER(SEARCH({quoted_text(words('workbook.dominated'))},$N{first}))", "warn"
    )
    sheet.skip()
    sheet.put_row({"C": (words("workbook.dominated_note"), NOTE)})


def _rows(book: Book) -> Iterator[_Row]:
    words, alternatives = book.words, iter(book.dossier.alternatives)
    base = book.budget
    for index, case in enumerate(book.cases):
        if case.kind == "scenario":
            same = case.budget.estimate.model == base.estimate.model and case.values["tokens"] == base.ledger.value(
                "tokens"
            )
            told = words("workbook.base_row") if index == 0 else words("workbook.own_scenario")
            yield _Row(index, same, told)
        elif case.kind == "alternative":
            other: Alternative = next(alternatives)
            yield _Row(index, other.same_scope, words(f"alternative.{other.kind}.risk", **other.values))


def _put(book: Book, sheet: Sheet, row: _Row, area: tuple[int, int]) -> None:
    words, case, at = book.words, book.cases[row.index], sheet.row
    name = f"{case.mark}: {case.title}" if case.title != case.mark else case.mark
    base = book.cases[0].values["cost.total"]
    total = case.values["cost.total"]
    change: float | str = "" if base is None or total is None else total - base
    money = book.number_format("currency", None)
    sheet.put_row(
        {
            "B": (case.mark, KIND),
            "C": (name, LABEL_BOLD if row.index == 0 else LABEL),
            "D": (_comparable(book, row, at), NUMBER),
            "E": _link(book, sheet, "cost.total", row.index),
            "F": _link(book, sheet, "cost.total.p50", row.index),
            "G": _link(book, sheet, "cost.total.p80", row.index),
            "H": _link(book, sheet, "cost.total.p90", row.index),
            "I": (
                Formula(f'IF(COUNT(E{at},E{area[0]})=2,E{at}-E{area[0]},"")', change),
                with_number(NUMBER, f"+{money};-{money};0"),
            ),
            "J": _link(book, sheet, "wall_days", row.index),
            "K": _link(book, sheet, "energy_facility_kwh", row.index),
            "L": _link(book, sheet, "co2e_kg_location", row.index),
            "M": (words(f"verdict.{case.budget.estimate.fits}"), LABEL),
            "N": (_verdict(book, row, at, area), SMALL),
        }
    )


def _link(book: Book, sheet: Sheet, key: str, index: int) -> tuple[Content, Look]:
    line = book.cases[index].budget.ledger[key]
    number = book.number_format(line.unit, book.cases[index].values[key])
    return book.link(sheet, book.place(key, index)), with_number(LINK, number)


def _verdict(book: Book, row: _Row, at: int, area: tuple[int, int]) -> Formula:
    """What it gives up; and that it is dominated, where another comparable one is no worse in all and better in one."""
    first, last = area
    pairs = [(f"{column}${first}:{column}${last}", f"{column}{at}") for column in "EJL"]
    no_worse = "*".join(f"({cells}<={cell})" for cells, cell in pairs)
    better = "+".join(f"({cells}<{cell})" for cells, cell in pairs)
    others = f"SUMPRODUCT((D${first}:D${last}=1)*{no_worse}*(({better})>0))"
    dominated = book.words("workbook.dominated") + ("" if book.words.language == "zh" else " ")
    text = f'IF(D{at}=1,IF({others}>0,{quoted_text(dominated)},""),"")&{quoted_text(row.gives_up)}'
    return Formula(text, (dominated if _is_dominated(book, row) else "") + row.gives_up)


def _comparable(book: Book, row: _Row, at: int) -> Formula | int:
    """1 for the same job, as long as its money, days and carbon are known."""
    if not row.comparable:
        return 0
    return Formula(f"IF(COUNT(E{at},J{at},L{at})=3,1,0)", int(_figures(book, row.index) is not None))


def _is_dominated(book: Book, row: _Row) -> bool:
    """The same in Python, of the figures at export."""
    mine = _figures(book, row.index)
    if not row.comparable or mine is None:
        return False
    rivals = (_figures(book, other.index) for other in _rows(book) if other.comparable)
    return any(
        rival is not None
        and all(theirs <= own for theirs, own in zip(rival, mine, strict=True))
        and any(theirs < own for theirs, own in zip(rival, mine, strict=True))
        for rival in rivals
    )


def _figures(book: Book, index: int) -> tuple[float, ...] | None:
    values = [book.cases[index].values[key] for key in ("cost.total", "wall_days", "co2e_kg_location")]
    return None if None in values else tuple(float(value) for value in values if value is not None)
