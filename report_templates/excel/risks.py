"""The sheet Risks: the register with live money, expected values, and whether the contingency covers them."""

from __future__ import annotations

from desktop_app.budget.dossier.names import line_title
from desktop_app.budget.dossier.risks import Risk
from desktop_app.budget.ledger import Line
from desktop_app.foundation.quantities import format_source
from report_templates.excel.book import Book
from report_templates.excel.cells import Content, Place, Sheet, with_number
from report_templates.excel.formulas import guarded_formula, shown_value, unsure_keys
from report_templates.excel.look import (
    INPUT,
    KIND,
    LABEL,
    LINK,
    LOCKED,
    NOTE,
    NUMBER,
    OUTPUT,
    OUTPUT_LABEL,
    SMALL,
    Look,
)
from report_templates.excel.validation import Validations
from report_templates.figures import formula_in_words

_WIDTHS = {"B": 6, "C": 46, "D": 12, "E": 13, "F": 18, "G": 12, "H": 18, "I": 44, "J": 44, "K": 20, "L": 40}
_HEADS = (
    "head.number", "workbook.risk", "workbook.likelihood", "workbook.probability", "workbook.money", "workbook.days",
    "workbook.expected", "workbook.trigger", "workbook.response", "workbook.owner", "head.source",
)  # fmt: skip
_COLUMNS = "BCDEFGHIJKL"
_EXPECTED = "risk.expected"


class RiskWriter:
    """Writes the lines of the register: each stands in the cell of its risk, or in the list below the table."""

    def __init__(self, book: Book, sheet: Sheet) -> None:
        """The cells of all lines are known before the first is written."""
        self._book, self._sheet = book, sheet
        self._register = book.dossier.risks
        self._lines = {line.key: line for line in self._register.lines}
        self._unsure = unsure_keys(self._register.lines, book.unsure)
        self._cells: dict[str, str] = {}

    def write(self) -> None:
        """The table, the sum, the contingency, and the lines that stand in no column of the table."""
        book, sheet, words = self._book, self._sheet, self._book.words
        sheet.widths(_WIDTHS)
        sheet.head(words("sheet.risks"), words("workbook.risks_note", currency=book.budget.currency))
        heads = {column: words(key) for column, key in zip(_COLUMNS, _HEADS, strict=True)}
        sheet.table_header(heads, numbers="DEFGH", freeze="D")
        self._plan(sheet.row)
        validations = Validations(words)
        for number, risk in enumerate(self._register.risks, 1):
            places = self._put(number, risk)
            validations.allow_share(places["E"].address)
        validations.attach(sheet.page)
        self._put_sums()
        self._put_rest()

    def _plan(self, first: int) -> None:
        for row, risk in enumerate(self._register.risks, first):
            columns = {"E": risk.probability, "F": risk.money, "G": risk.days, "H": risk.expected}
            self._cells |= {key: f"{column}{row}" for column, key in columns.items() if key}
        sums = first + len(self._register.risks)
        self._cells[_EXPECTED] = f"H{sums}"
        rest = [key for key in self._lines if key not in self._cells]
        self._cells |= {key: f"F{sums + 5 + number}" for number, key in enumerate(rest)}

    def _put(self, number: int, risk: Risk) -> dict[str, Place]:
        words = self._book.words
        return self._sheet.put_row(
            {
                "B": (f"R{number}", KIND),
                "C": (words(f"risk.{risk.key}"), LABEL),
                "D": (risk.likelihood, LOCKED),
                "E": self._cell(risk.probability),
                "F": self._cell(risk.money),
                "G": self._cell(risk.days),
                "H": self._cell(risk.expected),
                "I": (words(f"risk.{risk.key}.trigger"), SMALL),
                "J": (words(f"risk.{risk.key}.response"), SMALL),
                "K": (words(f"role.{risk.owner}"), SMALL),
                "L": (self._source(risk), SMALL),
            }
        )

    def _source(self, risk: Risk) -> str:
        return format_source(risk.source, self._book.words)

    def _cell(self, key: str) -> tuple[Content, Look]:
        if not key:
            return "–", NUMBER
        line = self._lines[key]
        value = self._register.values[key]
        unknown = self._book.words("state.not_known")
        number = self._book.number_format(line.unit, value)
        if line.expression is None:
            look = INPUT if line.unit in ("share", "percent") else LOCKED
            return shown_value(value, unknown), with_number(look, number)
        return guarded_formula(line.expression, value, self._unsure, self._address, unknown), with_number(
            NUMBER, number
        )

    def _address(self, key: str) -> str:
        return self._cells[key] if key in self._cells else self._book.cell_of(self._sheet, key)

    def _put_sums(self) -> None:
        """Expected value of all risks beside the contingency."""
        book, sheet, words = self._book, self._sheet, self._book.words
        content, look = self._cell(_EXPECTED)
        sheet.put_row(
            {
                **dict.fromkeys("BDEFG", (None, OUTPUT)),
                "C": (words("workbook.expected_sum"), OUTPUT_LABEL),
                "H": (content, with_number(OUTPUT, look.number)),
            }
        )
        contingency = book.link(sheet, book.places["contingency"])
        sheet.put_row(
            {
                "C": (words("field.contingency"), LABEL),
                "H": (contingency, with_number(LINK, book.number_format("currency", None))),
            }
        )
        sheet.put_row({"C": (words("workbook.expected_note"), NOTE)})
        sheet.skip()

    def _put_rest(self) -> None:
        """Lines on the way to the amounts."""
        shown = [
            line for line in self._lines.values() if self._cells[line.key].startswith("F") and not self._in_table(line)
        ]
        if not shown:
            return
        self._sheet.section(self._book.words("workbook.risk_lines"))
        marks = {risk.key: f"R{number}" for number, risk in enumerate(self._register.risks, 1)}
        for line in shown:
            content, look = self._cell(line.key)
            unit = self._book.unit_word(line.unit)
            assert self._cells[line.key] == f"F{self._sheet.row}", "the plan counts rows from the table on"
            name = line_title(line.key, self._book.words)
            told = formula_in_words(line, self._book.words, lambda key: line_title(key, self._book.words))
            mark = marks.get(line.key.split(".")[1] if "." in line.key else "", "")
            cells = {
                "B": (mark, KIND),
                "C": (name, LABEL),
                "D": (unit, SMALL),
                "F": (content, look),
                "I": (told, SMALL),
            }
            self._sheet.put_row(cells)

    def _in_table(self, line: Line) -> bool:
        return any(
            line.key in (risk.probability, risk.money, risk.days, risk.expected) for risk in self._register.risks
        )


def write_risks(book: Book, sheet: Sheet) -> None:
    """Fill the sheet."""
    RiskWriter(book, sheet).write()
