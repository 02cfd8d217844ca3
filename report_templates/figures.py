"""What both documents show and how they say it: headline figures, sources in use, formulas in words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from desktop_app.budget.budget import Budget, CostLine
from desktop_app.budget.explain import never_ends, row_words
from desktop_app.budget.ledger import Line
from desktop_app.foundation.formatting import compact
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.records import Source
from desktop_app.foundation.units import KG_PER_TONNE
from desktop_app.foundation.wording import Words


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure of the decision box: the ledger line it shows and the unit it is shown in."""

    label: str  # of the catalogue
    key: str
    unit: str  # of the catalogue; "currency" is that of the report
    divisor: int = 1  # unit conversion, such as kg to tonnes
    ranged: bool = True


_CITED_CHARACTERS = 90  # of a source without a row; the whole citation stands once, in the list of sources

_BESIDE_ASK = 3  # headlines of money

# Closed list, in the order of the decision box. The fits verdict stands below them.
HEADLINES = (
    Headline("figure.ask", "cost.ask", "currency", ranged=False),
    Headline("figure.cost_base", "cost.total", "currency"),
    Headline("field.contingency", "contingency", "currency", ranged=False),
    Headline("time.wall", "wall_days", "days"),
    Headline("figure.gpu_hours", "gpu_hours", "gpu_hour"),
    Headline("energy.facility", "energy_facility_kwh", "kwh"),
    Headline("figure.carbon_location", "co2e_kg_location", "tco2e", KG_PER_TONNE),
    Headline("figure.carbon_market", "co2e_kg_market", "tco2e", KG_PER_TONNE, ranged=False),
    Headline("carbon.embodied", "co2e_kg_embodied", "tco2e", KG_PER_TONNE, ranged=False),
)


_COMMITTED = Headline("figure.committed", "cost.committed", "currency", ranged=False)


def headlines(budget: Budget) -> tuple[Headline, ...]:
    """The figures of the decision box of one budget: what a contract binds stands there too, where one is signed."""
    signed = _COMMITTED.key in budget.ledger
    return (*HEADLINES[:_BESIDE_ASK], *((_COMMITTED,) if signed else ()), *HEADLINES[_BESIDE_ASK:])


@dataclass(frozen=True, slots=True)
class SourceUse:
    """One source of the budget, the number it is cited by (S1, S2 ...), and the lines that rest on it."""

    number: int
    source: Source
    lines: tuple[Line, ...]

    @property
    def mark(self) -> str:
        """How a table cites it."""
        return f"S{self.number}"


def document_title(budget: Budget, words: Words) -> str:
    """What is to be done, in a few words: "Train LLaMA-13B on 1.00T tokens"."""
    tokens = compact(budget.scenario.job.tokens, words.language)
    key = "doc.title_full" if budget.scenario.job.method == "full" else "doc.title_tune"
    return words(key, model=budget.estimate.model.name, tokens=tokens)


def unknown_word(line: Line, budget: Budget, words: Words) -> str:
    """What is said of a line in the place of a number that is not known."""
    if never_ends(budget, line.key):
        return words("state.never_finishes")
    return words("line.not_priced" if line.is_money else "state.not_known")


def source_text(line: Line, words: Words) -> str:
    """Where a line comes from, in full, with the row of the table that was used."""
    return ": ".join(part for part in (format_source(line.source, words), row_words(line.row_text, words)) if part)


def source_cited(line: Line, uses: Mapping[Source, SourceUse], words: Words) -> str:
    """Where a line comes from, in few words: the number of its source and the row that was used, or its first words."""
    if line.source not in uses:
        return source_text(line, words)
    name = row_words(line.row_text, words) or textwrap.shorten(
        format_source(line.source, words), _CITED_CHARACTERS, placeholder=" ..."
    )
    return f"{uses[line.source].mark}: {name}"


def sources_used(*budgets: Budget) -> dict[Source, SourceUse]:
    """The dated sources behind the given lines, in order of first use; what the user typed in is nobody else's word.

    Those of the first budget have the same numbers whatever other budgets follow it.
    """
    lines: dict[Source, dict[str, Line]] = {}
    for budget in budgets:
        for line in budget.ledger:
            if line.expression is None and line.source.as_of and line.tag != "yours":
                lines.setdefault(line.source, {}).setdefault(line.key, line)
    return {source: SourceUse(number, source, tuple(lines[source].values())) for number, source in enumerate(lines, 1)}


def first_day(as_of: str) -> date | None:
    """The day a source counts from: a bare month or year from its first day, because it may be that old."""
    try:
        return date.fromisoformat((as_of + "-01-01")[:10])
    except ValueError:
        return None


def by_amount(lines: tuple[CostLine, ...]) -> tuple[CostLine, ...]:
    """The cost lines, dearest first; those that are not priced stand last."""
    return tuple(sorted(lines, key=lambda line: (line.amount is None, -(line.amount or 0))))


def formula_in_words(line: Line, words: Words, name_of: Callable[[str], str] | None = None) -> str:
    """How a line is computed, for a reader: "GPU-hours × Price". `name_of` names lines beside those of a ledger."""
    if line.expression is None:
        return words(f"how.{line.key}") if words.has(f"how.{line.key}") else ""
    name_of = name_of or (lambda key: words(f"ledger.{key}"))
    return line.expression.tell(name_of, lambda name: words(f"formula.{name.lower()}"))
