"""The workbook while it is written: its sheets, its words, and where each line of the ledgers stands."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import datetime, time
from typing import TYPE_CHECKING, Literal

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.ledger import Line
from desktop_app.foundation.wording import Language, words_of
from report_templates.brand import brand_tones
from report_templates.excel.cases import Case, cases_of
from report_templates.excel.cells import Formula, Place, Sheet, clean_text, with_number
from report_templates.excel.entries import choice_keys
from report_templates.excel.formulas import shown_value, unsure_keys
from report_templates.excel.grid import Grid
from report_templates.excel.look import CHECK_LIGHT, FONTS, LINK, Look, Painter, number_format
from report_templates.excel.stored_results import Result, finished_workbook
from report_templates.figures import document_title, source_cited, sources_used, unknown_word
from report_templates.style import LIGHT

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

SheetKind = Literal["input", "calculation", "output", "control"]
_TAB_COLORS: dict[SheetKind, str] = {
    "input": LIGHT.warn,
    "calculation": LIGHT.control,
    "output": LIGHT.primary,
    "control": LIGHT.bar_soft,
}
_PAPER_A4 = 9  # ECMA-376 part 1, 18.3.1.63
_PURE = ("", "date", "number", "factor", "ratio")  # figures without a unit


class Book:
    """What the writers of the sheets share."""

    def __init__(self, dossier: Dossier, language: Language) -> None:
        """An empty workbook for `dossier` in `language`."""
        from openpyxl import Workbook

        self.dossier = dossier
        self.budget = dossier.base
        self.words = words_of(language)
        self.cases = cases_of(dossier, self.words)
        self.sources = sources_used(*(case.budget for case in self.cases if case.kind != "end"))
        ledgers = {id(case.budget.ledger): case.budget.ledger for case in self.cases}.values()
        self.unsure = frozenset().union(*map(unsure_keys, ledgers))
        self.grid = Grid(self.cases, choice_keys(dossier), self.title)
        self.places = {
            line.key: Place(self.grid.title(line.key), self.grid.address(line.key, 0), self.shown(line, self.cases[0]))
            for line in self.budget.ledger
        }
        self.font = FONTS[language]
        self._workbook = Workbook()
        self._workbook.remove(self._workbook.worksheets[0])
        self.tones = brand_tones(dossier.organisation.accent_colour)
        self._painter = Painter(language, self.tones)
        self._results: dict[tuple[str, str], Result] = {}
        self._sheets: list[tuple[Sheet, str]] = []

    @property
    def tone(self) -> str:
        """The colour of bars."""
        return self.tones.get(LIGHT.primary, LIGHT.primary)

    def title(self, key: str) -> str:
        """The title of a sheet."""
        return self.words(f"sheet.{key}")

    def add_sheet(self, key: str, kind: SheetKind, last_column: str) -> Sheet:
        """A new last sheet: its name, tab colour, protection and print set-up. The light stands in `last_column`."""
        sheet = Sheet(self._workbook, self.title(key), self._painter, self._results)
        page = sheet.page
        page.sheet_properties.tabColor = self.tones.get(_TAB_COLORS[kind], _TAB_COLORS[kind])
        page.sheet_properties.pageSetUpPr.fitToPage = True
        page.page_setup.orientation = "landscape"
        page.page_setup.paperSize = _PAPER_A4
        page.page_setup.fitToWidth, page.page_setup.fitToHeight = 1, 0
        page.print_options.horizontalCentered = True
        page.page_margins.left = page.page_margins.right = 0.5
        page.page_margins.top = page.page_margins.bottom = 0.75
        page.oddFooter.left.text = self.words("doc.estimate")
        page.oddFooter.right.text = self.words("doc.page", page="&P", pages="&N")
        page.oddHeader.left.text = _plain_header(document_title(self.budget, self.words))
        page.oddHeader.right.text = _plain_header(self.title(key))
        page.protection.sheet = True
        page.protection.formatColumns = page.protection.formatRows = False  # False: not locked
        sheet.widths({"A": 2})
        self._sheets.append((sheet, last_column))
        return sheet

    @property
    def pages(self) -> tuple[Worksheet, ...]:
        """The sheets as openpyxl has them, in their order."""
        return tuple(sheet.page for sheet, _ in self._sheets)

    def page(self, title: str) -> Worksheet:
        """One of them. StopIteration for a title that no sheet has: our bug."""
        return next(page for page in self.pages if page.title == title)

    @property
    def results(self) -> Mapping[tuple[str, str], Result]:
        """What every formula written so far comes to: (name of the sheet, address) -> value."""
        return self._results

    def cell_of(self, sheet: Sheet, key: str) -> str:
        """The address of a line of the base in a formula on `sheet`."""
        return self.places[key].seen_from(sheet.title)

    def link(self, sheet: Sheet, place: Place) -> Formula:
        """A formula on `sheet` that shows another cell."""
        assert isinstance(place.value, str | float | int), "only numbers and words are linked"
        return Formula(place.seen_from(sheet.title), place.value)

    def link_to(self, sheet: Sheet, key: str, case: int) -> tuple[Formula, Look]:
        """A formula on `sheet` that shows a line in the column of a case, and how the cell looks."""
        ledger, value = self.cases[case].budget.ledger, self.cases[case].values[key]
        return self.link(sheet, self.place(key, case)), with_number(LINK, self.number_format(ledger[key].unit, value))

    def place(self, key: str, case: int) -> Place:
        """The cell of a line in the column of a case."""
        shown = self.shown(self.cases[case].budget.ledger[key], self.cases[case])
        return Place(self.grid.title(key), self.grid.address(key, case), shown)

    def shown(self, line: Line, case: Case) -> Result:
        """The value of a line as its cell shows it: a number, or the word for unknown."""
        return shown_value(case.values[line.key], self.unknown_word(line, case.budget))

    def unknown_word(self, line: Line, budget: Budget | None = None) -> str:
        """What the cell of a line says when the line is unknown."""
        return unknown_word(line, budget or self.budget, self.words)

    def cited(self, line: Line) -> str:
        """Where a line comes from, in few words."""
        return source_cited(line, self.sources, self.words)

    def number_format(self, unit: str, value: object) -> str:
        """The number format of a figure; the report's currency has as many decimals as the budget prints."""
        if unit == "currency":
            return "#,##0" if self.budget.ledger.value("money_digits") == 0 else "#,##0.00"
        return number_format(unit, value)

    def unit_word(self, unit: str) -> str:
        """A unit as it is printed; the report's currency stands for its own."""
        if unit == "currency":
            return self.budget.currency
        return "" if unit in _PURE else self.words(f"unit.{unit}")

    def name_cell(self, name: str, place: Place) -> None:
        """Give a cell a name that other workbooks and tests can rely on."""
        from openpyxl.workbook.defined_name import DefinedName

        self._workbook.defined_names[name] = DefinedName(name, attr_text=place.absolute)

    def put_light(self, light: Place, ok: Place) -> None:
        """Show the verdict of the checks at the top right of every sheet."""
        for sheet, column in self._sheets:
            sheet.put(column, self.link(sheet, light), CHECK_LIGHT, row=1)
            sheet.highlight(f"{column}1", f"{ok.seen_from(sheet.title)}=1", "ok")
            sheet.highlight(f"{column}1", f"{ok.seen_from(sheet.title)}=0", "bad")

    def finished(self) -> bytes:
        """The file, with all results stored, in bytes that depend on the dossier and the language alone."""
        scenario = self.budget.scenario
        written = datetime.combine(scenario.today, time())
        properties = self._workbook.properties
        properties.title = clean_text(document_title(self.budget, self.words))
        properties.subject = self.words("doc.estimate")
        properties.creator = self.words("title.program")
        properties.language = {"en": "en-US", "zh": "zh-CN"}[self.words.language]
        properties.created = properties.modified = written
        self._workbook.calculation.fullCalcOnLoad = True
        saved = io.BytesIO()
        self._workbook.save(saved)
        return finished_workbook(saved.getvalue(), self._results, written)


def _plain_header(text: str) -> str:
    """A text for a page header, where "&" begins a code and more than 255 characters break the file."""
    return clean_text(text).replace("\n", " ")[:120].replace("&", "&&")
