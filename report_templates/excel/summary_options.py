"""On the Summary: further scenarios, other ways of purchase and alternatives beside the base, the first few of them."""

from __future__ import annotations

from desktop_app.budget.dossier.alternatives import is_complete
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Formula, Sheet, with_number
from report_templates.excel.look import LABEL, LABEL_BOLD, NOTE, NUMBER, Look

_MOST = 9  # rows, so that the sheet stays one page
_LINKS = {"C": "cost.total", "F": "cost.total.p50", "G": "cost.total.p80", "H": "wall_days"}


def write_options(book: Book, sheet: Sheet) -> None:
    """A table under the cost lines; all of it links to columns of the grid."""
    words = book.words
    shown = [index for index, case in enumerate(book.cases) if case.kind != "end"]
    if len(shown) < 2:
        return
    sheet.section(words("workbook.options"))
    heads = {
        "B": words("workbook.option"), "C": words("head.amount_in", currency=book.budget.currency),
        "D": words("memory.fits"), "E": words("workbook.to_base"), "F": words("head.p50"), "G": words("head.p80"),
        "H": words("time.wall"), "I": "",
    }  # fmt: skip
    sheet.table_header(heads, numbers="CEFGH")
    first = sheet.row
    for index in shown[:_MOST]:
        _put(book, sheet, index, first)
    if len(shown) > _MOST:
        sheet.put_row({"B": (words("workbook.more_options", count=len(shown) - _MOST), NOTE)})


def _put(book: Book, sheet: Sheet, index: int, first: int) -> None:
    case, row, money = book.cases[index], sheet.row, book.number_format("currency", None)
    total, base = case.values["cost.total"], book.cases[0].values["cost.total"]
    change: float | str = "" if total is None or base is None else total - base
    name = case.title if case.title == case.mark else f"{case.mark}: {case.title}"
    if not is_complete(case.budget, book.budget):
        name = book.words("workbook.incomplete", option=name)
    cells: dict[str, tuple[Content, Look]] = {
        "B": (name, LABEL_BOLD if index == 0 else LABEL),
        "D": (book.words(f"verdict.{case.budget.estimate.fits}"), LABEL),
        "E": (
            Formula(f'IF(COUNT(C{row},C{first})=2,C{row}-C{first},"")', change),
            with_number(NUMBER, f"+{money};-{money};0"),
        ),
    }
    for column, key in _LINKS.items():
        cells[column] = book.link_to(sheet, key, index)
    sheet.put_row(cells)
