"""How a line of the ledger is made: a formula, a prediction, a row of a table, a choice."""

from __future__ import annotations

from desktop_app.budget.constants import Constant, constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Group, Line, Tag
from desktop_app.budget.scenario import is_set, value_of
from desktop_app.foundation.expression import Expression
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number

COMPUTED = Source("source.computed", "")
ENGINE = Source("source.engine", "")
DEFAULT = Source("source.default", "")
CHOSEN = Source("source.chosen", "")
NOT_KNOWN = Source("source.not_known", "")

Head = tuple[str, str, Group]
"""Key, unit and group of a line that may come from several places."""


def computed(key: str, unit: str, group: Group, expression: Expression) -> Line:
    """A line that a formula gives."""
    return Line(key, unit, group, COMPUTED, expression)


def predicted(key: str, unit: str, group: Group, value: Number | None) -> Line:
    """A figure that only the engine can find; `how.<key>` tells how."""
    return Line(key, unit, group, ENGINE, given=value, tag="predicted")


def constant(key: str, group: Group, row: Constant | None = None, field: str = "") -> Line:
    """A constant of budget_constants.csv, under its own key unless another row stands for it."""
    row = row or constants()[key]
    return Line(key, row.unit, group, row.source, given=row.value, tag="default", field=field)


def tabled(
    key: str, unit: str, group: Group, value: Number | None, source: Source, row_text: str = "", field: str = ""
) -> Line:
    """A row of a reference table."""
    tag: Tag = "default" if value is None else "table"
    return Line(key, unit, group, source, given=value, tag=tag, field=field, row_text=row_text)


def unknown(key: str, unit: str, group: Group, field: str = "") -> Line:
    """A figure that no table and no choice gives."""
    return Line(key, unit, group, NOT_KNOWN, tag="default", field=field)


def yours(key: str, unit: str, group: Group, value: Number, facts: Facts, field: str = "") -> Line:
    """A figure that the user typed in, with the date of today."""
    source = Source("source.yours", facts.scenario.today.isoformat())
    return Line(key, unit, group, source, given=value, tag="yours", field=field or key)


def stated(key: str, unit: str, group: Group, facts: Facts) -> Line:
    """A choice that nothing stands for where it is not made."""
    value = value_of(facts.scenario, key)
    return unknown(key, unit, group, key) if value is None else yours(key, unit, group, value, facts)


def assumed(key: str, group: Group, facts: Facts) -> Line:
    """A choice for which a row of budget_constants.csv stands where it is not made."""
    value, unit = value_of(facts.scenario, key), constants()[key].unit
    return constant(key, group, field=key) if value is None else yours(key, unit, group, value, facts)


def chosen(key: str, unit: str, group: Group, value: Number, facts: Facts, field: str = "") -> Line:
    """A choice: the user's, the program's or a default; the line says which."""
    field = field or key
    if field in facts.estimate.chosen:
        return Line(key, unit, group, CHOSEN, given=value, tag="default", field=field)
    if is_set(facts.scenario, field):
        return yours(key, unit, group, value, facts, field)
    row = constants().get(field)
    return Line(key, unit, group, row.source if row else DEFAULT, given=value, tag="default", field=field)
