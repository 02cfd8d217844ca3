"""What the sections of the proposal share: the budget, the words, the width of the text, numbering, and the pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import count

from reportlab.lib.colors import Color
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer

from desktop_app.budget.age_notices import grid_is_old
from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.explain import line_name, line_text, range_text
from desktop_app.budget.ledger import Line
from desktop_app.foundation.formatting import compact, plain
from desktop_app.foundation.quantities import format_number, format_unit, format_value
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import KG_PER_TONNE
from desktop_app.foundation.wording import Language, words_of
from report_templates.figures import document_title, source_cited, sources_used
from report_templates.pdf.blocks import WIDE, Heading, Run, heading, runs
from report_templates.pdf.columns import Cell, Column, Row
from report_templates.pdf.fonts import width
from report_templates.pdf.lines import Text
from report_templates.pdf.style import TYPES, Align, color, paragraph
from report_templates.pdf.table import RowTable, data_table, grid
from report_templates.style import LIGHT

_CAPTION_HEIGHT = 30.0  # points, with the space around it
_COMPACT_FROM = 10_000  # amounts from here on are shortened where they only give an impression


def money_digits(budget: Budget) -> int:
    """The decimals of printed money of one budget."""
    return int(budget.ledger.value("money_digits") or 0)


class Report:
    """The proposal while it is written."""

    def __init__(self, dossier: Dossier, language: Language, across: float, numbers: Mapping[str, str]) -> None:
        """`numbers` are those of all sections by key: "1", "A". The budget is the base of the dossier."""
        self.dossier = dossier
        self.budget = budget = dossier.base
        self.language: Language = language
        self.words = words_of(language)
        self.across = across
        self.sources = sources_used(budget)
        self._numbers = numbers
        self._figures, self._tables, self._entries = count(1), count(1), count(1)

    # ---- texts

    def text(self, words: str, kind: str = "body", align: Align = "left") -> Text:
        """A paragraph of words that are already made."""
        return paragraph(words, kind, self.language, align)

    def runs(self, parts: Sequence[Run], kind: str, align: Align = "left") -> Text:
        """A paragraph of several looks."""
        return runs(parts, kind, self.language, align)

    def section(self, key: str, title: str, kind: str = "section") -> Heading:
        """The heading of a section, with its number in the accent colour."""
        parts = [Run(f"{self.number(key)}{WIDE}", tone=LIGHT.accent), Run(title)]
        return heading(parts, kind, self.language, f"section-{key}")

    def heading(self, title: str, kind: str) -> Heading:
        """A heading without a number, in the first level of the outline."""
        return heading([Run(title)], kind, self.language, f"entry-{next(self._entries)}")

    def subhead(self, title: str) -> Heading:
        """A heading inside a section."""
        return heading([Run(title)], "subhead", self.language, f"entry-{next(self._entries)}", 1)

    def heading_in_column(self, title: str) -> Heading:
        """A heading inside a section of narrow columns."""
        return heading([Run(title)], "group_small", self.language, f"entry-{next(self._entries)}", 1)

    def number(self, key: str) -> str:
        """The number of a section, to refer to it."""
        return self._numbers[key]

    # ---- figures and tables

    def figure(self, title: str, unit: str, *drawn: Flowable) -> Flowable:
        """A chart under its number and its finding; never divided."""
        caption = self.words("proposal.figure", number=next(self._figures), title=title)
        return KeepTogether([Spacer(1, 6), self._captioned(caption, unit), *drawn, Spacer(1, 8)])

    def captioned_table(
        self, title: str, columns: Sequence[Column], rows: Sequence[Row], tight: bool = False, note: str = ""
    ) -> Iterator[Flowable]:
        """A table under its number and title, which stay with its first rows; a `note` stays with its last rows."""
        caption = self.text(self.words("proposal.table", number=next(self._tables), title=title), "caption")
        below = [Row((note, *[""] * (len(columns) - 1)), "note")] if note else []
        table = self.table(columns, [*rows, *below], tight)
        yield CondPageBreak(table.start_height(self.across) + _CAPTION_HEIGHT)
        yield caption
        yield table

    def table(self, columns: Sequence[Column], rows: Sequence[Row], tight: bool = False) -> RowTable:
        """A table over the width of the text."""
        return data_table(columns, rows, self.across, self.language, tight)

    def _captioned(self, caption: str, unit: str) -> Flowable:
        """The unit stands at the right end of the line, or below the caption where both are long."""
        size, small = TYPES["caption"].size, TYPES["caption_unit"].size
        left, right = width(caption, size, bold=True) + 12, width(unit, small)
        title, words = self.text(caption, "caption"), self.text(unit, "caption_unit", "right")
        if left + right > self.across:
            below = [("BOTTOMPADDING", (0, -1), (-1, -1), 4)]
            return grid([[title], [self.text(unit, "caption_unit")]], [self.across], below)
        alignment = [("VALIGN", (0, 0), (-1, -1), "BOTTOM"), ("BOTTOMPADDING", (0, 0), (-1, -1), 5)]
        return grid([[title, words]], [left, self.across - left], alignment)

    # ---- figures of the budget as texts

    def value(self, key: str) -> str:
        """A line of the ledger with its unit."""
        return line_text(self.budget, key, self.words)

    def span(self, key: str) -> str:
        """P10 – P90 of a line."""
        return range_text(self.budget, key, self.words)

    def name(self, key: str) -> str:
        """What a line is called."""
        return line_name(key, self.words)

    def amount(self, value: float) -> str:
        """Money in the report's currency as it is printed, without the currency."""
        return plain(value, self.money_digits)

    def money(self, value: float | None, budget: Budget | None = None) -> str:
        """Money with its currency, with the decimals of `budget` (the base); "not priced" for None."""
        if value is None:
            return self.words("line.not_priced")
        digits = self.money_digits if budget is None else money_digits(budget)
        return format_value(value, "currency", self.words, self.budget.currency, digits)

    def priced_or(self, value: float | None, budget: Budget | None = None) -> str | Cell:
        """Money as it stands in a column, with the decimals of `budget` (the base); a marked "not priced" for None."""
        if value is None:
            return Cell(self.words("line.not_priced"), "cell_warn")
        return plain(value, self.money_digits if budget is None else money_digits(budget))

    def tonnes(self, kilograms: float | None) -> str | Cell:
        """Carbon in tonnes, as it stands in a column; a marked "not known" for None."""
        if kilograms is None:
            return Cell(self.words("state.not_known"), "cell_warn")
        return format_number(kilograms / KG_PER_TONNE, "tco2e", self.words)

    def short(self, value: float) -> str:
        """Money in few characters, for charts."""
        return compact(value, self.language) if abs(value) >= _COMPACT_FROM else self.amount(value)

    def gib(self, size_bytes: float) -> str:
        """Device memory, without its unit."""
        return format_number(size_bytes, "byte", self.words)

    @staticmethod
    def inside(name: str) -> str:
        """A name as it stands inside a sentence: "step time", but "PUE" as it is."""
        return name[:1].lower() + name[1:] if name[1:2].islower() else name

    def joined(self, parts: Sequence[str]) -> str:
        """A list in a sentence."""
        return self.words("list.pause").join(part for part in parts if part)

    def counted(self, parts: Sequence[str]) -> str:
        """Things in a sentence: "a, b and c"."""
        if len(parts) == 1:
            return parts[0]
        return self.words("list.and", first=self.joined(parts[:-1]), last=parts[-1])

    @property
    def money_digits(self) -> int:
        """The decimals of printed money."""
        return money_digits(self.budget)

    @property
    def currency(self) -> str:
        """The currency, as it stands over a column."""
        return format_unit("currency", self.words, self.budget.currency)

    @property
    def rule(self) -> Color:
        """The colour of thin lines."""
        return color(LIGHT.line)

    @property
    def title(self) -> str:
        """What is to be done."""
        return document_title(self.budget, self.words)

    @property
    def is_named(self) -> bool:
        """Whether the user gave the scenario a name."""
        return "name" in self.budget.scenario.model_fields_set

    @property
    def ends(self) -> bool:
        """Whether the run finishes: failures may come faster than its checkpoints."""
        return self.budget.ledger.value("goodput") is not None

    @property
    def practice(self) -> bool:
        """Whether the hours hold more than the steady-state step time: what whole runs took where nobody chose."""
        return self.budget.estimate.practice_factor > 1

    def in_practice(self, key: str) -> str:
        """The sentence `key`, or its variant that tells the practice factor where there is one."""
        return f"{key}_practice" if self.practice else key

    @property
    def developed(self) -> bool:
        """Whether development and failed runs are a line of the budget."""
        return self.budget.ledger.value("development_multiplier") is not None

    @property
    def priced(self) -> bool:
        """Whether there is a total."""
        return self.budget.ledger.value("cost.total") is not None

    @property
    def valid_until(self) -> date:
        """The last day on which the estimate should be used."""
        return self.dossier.valid_until

    # ---- sources

    def mark(self, line: Line) -> str:
        """S1, S2 ... of a source; the section on methods for a prediction; a dash for a source without a date."""
        if line.tag == "predicted":
            return self.words("proposal.section_cell", section=self.number("appendix"))
        return self.sources[line.source].mark if line.source in self.sources else "–"

    def cited(self, line: Line) -> str:
        """Where a line comes from, in few words."""
        return source_cited(line, self.sources, self.words)

    def old_sources(self) -> frozenset[Source]:
        """Sources older than figures of their kind stay true: prices, and the carbon factor of the grid."""
        old = {line.basis.source for line in self.budget.cost_lines if line.old}
        grid = self.budget.ledger["grid_g_per_kwh"]
        if grid_is_old(self.budget.ledger, self.budget.scenario.today):
            old.add(grid.source)
        return frozenset(old)
