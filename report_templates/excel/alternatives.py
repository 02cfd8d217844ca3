"""The sheet Alternatives: the base, the further scenarios, the generated alternatives and doing nothing, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_app.budget.dossier.alternatives import RUNS, dominates, is_complete
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Sheet, quoted_text, with_number
from report_templates.excel.look import KIND, LABEL, LABEL_BOLD, NOTE, NUMBER, SMALL, Look

_WIDTHS = {"B": 6, "C": 46, "D": 12, "E": 18, "F": 18, "G": 18, "H": 18, "I": 17, "J": 12, "K": 14, "L": 14, "M": 16}
_TEXT_WIDTHS = {"N": 64, "O": 12}
_UNKNOWN = -1  # stands for emissions that are not known where emissions are compared
_HEADS = (
    "head.number", "workbook.option", "workbook.comparable", "figure.cost_base", "head.p50", "head.p80", "head.p90",
    "workbook.to_base", "time.wall", "energy.facility", "figure.carbon_location", "memory.fits", "workbook.gives_up",
    "workbook.carbon_compared",
)  # fmt: skip
_UNITS = {"J": "unit.days", "K": "unit.kwh", "L": "unit.kg_co2e"}
_COLUMNS = "BCDEFGHIJKLMNO"


@dataclass(frozen=True, slots=True)
class _Row:
    """One option: its column in the grid, whether it does the same as the base, and what it gives up."""

    index: int
    same_scope: bool
    rival: bool  # whether it may dominate others: the same job, everything priced that the base prices, and it fits
    gives_up: str


def write_alternatives(book: Book, sheet: Sheet) -> None:
    """Fill the sheet."""
    words = book.words
    sheet.widths({**_WIDTHS, **_TEXT_WIDTHS})
    sheet.head(words("sheet.alternatives"), words("workbook.alternatives_note", currency=book.budget.currency))
    heads = {column: words(key) for column, key in zip(_COLUMNS, _HEADS, strict=True)}
    heads |= {column: f"{heads[column]}, {words(unit)}" for column, unit in _UNITS.items()}
    sheet.table_header(heads, numbers="DEFGHIJKLO", freeze="D")
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
    words, alternatives, base = book.words, iter(book.dossier.alternatives), book.budget
    for index, case in enumerate(book.cases):
        if case.kind == "scenario":
            same_model = case.budget.estimate.model == base.estimate.model
            same = same_model and case.values["tokens"] == base.ledger.value("tokens")
            told = words("workbook.base_row") if index == 0 else words("workbook.own_scenario")
        elif case.kind == "alternative":
            other = next(alternatives)
            same, told = other.same_scope, words(f"alternative.{other.kind}.risk", **other.values)
        else:
            continue
        yield _Row(index, same, same and is_complete(case.budget, base) and case.budget.estimate.fits in RUNS, told)


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
            "D": (_rival(row, at, None not in (total, case.values["wall_days"])), NUMBER),
            "E": book.link_to(sheet, "cost.total", row.index),
            "F": book.link_to(sheet, "cost.total.p50", row.index),
            "G": book.link_to(sheet, "cost.total.p80", row.index),
            "H": book.link_to(sheet, "cost.total.p90", row.index),
            "I": (
                Formula(f'IF(COUNT(E{at},E{area[0]})=2,E{at}-E{area[0]},"")', change),
                with_number(NUMBER, f"+{money};-{money};0"),
            ),
            "J": book.link_to(sheet, "wall_days", row.index),
            "K": book.link_to(sheet, "energy_facility_kwh", row.index),
            "L": book.link_to(sheet, "co2e_kg_location", row.index),
            "M": (words(f"verdict.{case.budget.estimate.fits}"), LABEL),
            "N": (_verdict(book, row, at, area), SMALL),
            "O": (_carbon(book, row.index, at), with_number(SMALL, "0")),
        }
    )


def _carbon(book: Book, index: int, at: int) -> Formula:
    """The emissions as a number in any case, to compare."""
    value = book.cases[index].values["co2e_kg_location"]
    return Formula(f"IF(COUNT(L{at})=1,L{at},{_UNKNOWN})", _UNKNOWN if value is None else value)


def _verdict(book: Book, row: _Row, at: int, area: tuple[int, int]) -> Formula | str:
    """What it gives up; and that it is dominated, where a rival is no worse in anything known and better in one."""
    if not row.same_scope:
        return row.gives_up
    first, last = area
    cost, days, carbon = (f"{column}${first}:{column}${last}" for column in "EJO")
    unknown = f"({carbon}={_UNKNOWN})+(O{at}={_UNKNOWN})"
    no_worse = f"({cost}<=E{at})*({days}<=J{at})*((({carbon}<=O{at})+{unknown})>0)"
    better = f"({cost}<E{at})+({days}<J{at})+({carbon}<O{at})*({carbon}<>{_UNKNOWN})"
    rivals = f"SUMPRODUCT((D${first}:D${last}=1)*{no_worse}*(({better})>0))"
    dominated = book.words("workbook.dominated") + ("" if book.words.language == "zh" else " ")
    text = f'IF(COUNT(E{at},J{at})=2,IF({rivals}>0,{quoted_text(dominated)},""),"")&{quoted_text(row.gives_up)}'
    others = (book.cases[other.index].budget for other in _rows(book) if other.rival)
    found = any(dominates(other, case_budget) for case_budget in (book.cases[row.index].budget,) for other in others)
    return Formula(text, (dominated if found else "") + row.gives_up)


def _rival(row: _Row, at: int, known: bool) -> Formula | int:
    """1 for the same job with all of it priced that can run, as long as its money and days are known."""
    return Formula(f"IF(COUNT(E{at},J{at})=2,1,0)", int(known)) if row.rival else 0
