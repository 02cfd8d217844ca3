"""The figures of a dossier as one long table: a row for each figure of each case and each percentile of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from desktop_app.budget.budget import Budget
from desktop_app.budget.ledger import Group, Line
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.wording import Words
from report_templates.excel.cases import Case
from report_templates.figures import headlines, source_text, unknown_word

HEADINGS = (
    "head.case", "head.case_name", "head.metric", "head.percentile", "head.value", "head.unit", "head.remark",
    "head.key", "head.as_of", "head.source",
)  # fmt: skip
"""Keys of the catalogue, in the order of the columns."""

BASE = "base"
_PERCENTILES = ("p10", "p50", "p80", "p90")
_RUN = ("training_flops", "step_time_s", "mfu", "goodput")
_PURE = ("", "number", "ratio", "factor")
_GROUPS: tuple[Group, ...] = ("memory", "energy", "carbon")


@dataclass(frozen=True, slots=True)
class TidyRow:
    """One figure. `value` None is not known, and `remark` says in words why."""

    case: Case
    metric: str
    percentile: str  # "base", "P10" ...
    value: Number | None
    unit: str  # its code
    unit_word: str
    remark: str
    key: str  # of the ledger, without the percentile
    source: str
    as_of: str


def tidy_rows(cases: Iterable[Case], words: Words) -> Iterator[TidyRow]:
    """All rows, case by case: the user's scenarios, the ways of purchase, the alternatives."""
    for case in cases:
        if case.kind != "end":
            yield from _of_case(case, words)


def _of_case(case: Case, words: Words) -> Iterator[TidyRow]:
    budget = case.budget
    seen: set[str] = set()
    for headline in headlines(budget):
        seen.add(headline.key)
        yield _row(case, headline.key, BASE, words)
        if headline.ranged:
            yield from (_row(case, headline.key, name, words) for name in _PERCENTILES)
    for line in budget.cost_lines:
        yield _row(case, line.key, BASE, words, line.basis)  # the price it rests on, or the percentage
    for key in _others(budget):
        if key not in seen:
            seen.add(key)
            yield _row(case, key, BASE, words)


def _others(budget: Budget) -> Iterator[str]:
    """Quantities and unit prices of the lines of money, figures of the run, and everything of memory and energy."""
    for line in budget.cost_lines:
        yield line.quantity_line.key
        if line.unit_price_line is not None:
            yield line.unit_price_line.key
    yield from _RUN
    for group in _GROUPS:
        yield from (line.key for line in budget.ledger.group(group))


def _row(case: Case, key: str, percentile: str, words: Words, basis: Line | None = None) -> TidyRow:
    ledger = case.budget.ledger
    line = ledger[key if percentile == BASE else f"{key}.{percentile}"]
    value = ledger.value(line.key)
    basis = basis or line
    return TidyRow(
        case=case,
        metric=words(f"ledger.{key}"),
        percentile=percentile if percentile == BASE else percentile.upper(),
        value=value * 100 if value is not None and line.unit == "share" else value,  # its unit is printed as %
        unit="percent" if line.unit == "share" else line.unit,
        unit_word=_unit_word(line.unit, case.budget, words),
        remark=unknown_word(line, case.budget, words) if value is None else "",
        key=key,
        source=words("tag.computed") if basis.expression is not None else source_text(basis, words),
        as_of=basis.source.as_of,
    )


def _unit_word(unit: str, budget: Budget, words: Words) -> str:
    """The unit of a value as it stands in the ledger: bytes stay bytes."""
    if unit == "currency":
        return budget.currency
    return "" if unit in _PURE else words(f"unit.{unit}")
