"""What may go wrong, how likely, and what it would cost: a register whose amounts are lines over the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.risk_lines import EXPECTED, impact_lines, shared_lines
from desktop_app.budget.dossier.risk_rows import RiskRow, applying
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import computed
from desktop_app.foundation.expression import Literal, ref, rounded, total
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number

IMPACT_FROM = (0.0, 0.01, 0.03, 0.1, 0.3)
"""Shares of the base from which an impact counts as 1, 2, 3, 4, 5: a choice of this program."""


@dataclass(frozen=True, slots=True)
class Risk:
    """One risk. Its words are risk.<key>, risk.<key>.response and risk.<key>.trigger; the owner's role.<owner>."""

    key: str
    likelihood: int  # 1 (rare) to 5 (almost certain)
    impact: int | None  # 1 to 5 by its money against the base; None where the money is not known
    owner: str
    probability: str  # key of the line that holds it
    money: str  # key of the line of its money, in the report's currency; "" where it is not a matter of money
    days: str  # key of the line of the days it takes; "" where it takes none
    expected: str  # key of the line probability x money; "" without money
    source: Source  # of the likelihood


@dataclass(frozen=True, slots=True)
class RiskRegister:
    """Risks, gravest first, and the lines behind them. `risk.expected` is the sum of the expected amounts.

    Words of a line are `register.<the last part of its key>` where it belongs to one risk ("risk.speed.money"), else
    `ledger.<its key>`.
    """

    risks: tuple[Risk, ...]
    lines: tuple[Line, ...]
    values: Mapping[str, Number | None]  # of the lines of the ledger and of these


def risks_of(budget: Budget) -> RiskRegister:
    """The risks that apply to `budget`, by the money to be expected; those whose money is not known last."""
    rows = applying(budget)
    lines = [*shared_lines(budget)]
    risks = []
    for row in rows:
        own = _lines_of(row, budget)
        lines += own
        risks.append((row, {line.key for line in own}))
    expected = [ref(f"risk.{row.key}.expected") for row, keys in risks if f"risk.{row.key}.expected" in keys]
    lines.append(computed(EXPECTED, "currency", "risk", total(*expected) if expected else Literal(0)))
    values = evaluated(lines, budget.ledger.values)
    found = [_risk(row, keys, values) for row, keys in risks]
    return RiskRegister(tuple(sorted(found, key=lambda risk: _order(risk, values))), tuple(lines), values)


def _lines_of(row: RiskRow, budget: Budget) -> tuple[Line, ...]:
    """Probability, what it takes, and what is to be expected of it."""
    key = f"risk.{row.key}.probability"
    own = impact_lines(row.key, budget)
    money = f"risk.{row.key}.money"
    expected = computed(
        f"risk.{row.key}.expected", "currency", "risk", rounded(ref(key) * ref(money), ref("money_digits"))
    )
    return (
        Line(key, "share", "risk", row.source, given=row.probability, tag="default"),
        *own,
        *((expected,) if any(line.key == money for line in own) else ()),
    )


def _risk(row: RiskRow, keys: set[str], values: Mapping[str, Number | None]) -> Risk:
    def key_of(name: str) -> str:
        key = f"risk.{row.key}.{name}"
        return key if key in keys else ""

    money = key_of("money")
    return Risk(
        key=row.key,
        likelihood=row.likelihood,
        impact=_impact(values[money] if money else None, values["cost.total"]),
        owner=row.owner,
        probability=key_of("probability"),
        money=money,
        days=key_of("days"),
        expected=key_of("expected"),
        source=row.source,
    )


def _impact(money: Number | None, base: Number | None) -> int | None:
    if money is None or not base:
        return None
    return sum(money / base >= least for least in IMPACT_FROM) or 1


def _order(risk: Risk, values: Mapping[str, Number | None]) -> tuple[bool, float, int]:
    """By the money to be expected, then by likelihood."""
    expected = values[risk.expected] if risk.expected else None
    return (expected is None, -(expected or 0.0), -risk.likelihood)
