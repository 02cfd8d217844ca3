"""A line of the ledger as a spreadsheet formula that says "not known" instead of failing when an input is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from desktop_app.budget.ledger import Line
from desktop_app.foundation.expression import Call, Expression, Operation, Reference
from report_templates.excel.cells import Formula, quoted_text
from report_templates.excel.stored_results import Result

CellOf = Callable[[str], str]
_FACTS = ("price", "power", "energy", "carbon")  # groups whose given lines no table may know, and that may be typed in


@dataclass(frozen=True, slots=True)
class _Needs:
    """What must hold before a formula can be computed: cells that hold numbers, and further conditions."""

    numbers: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    def __or__(self, other: _Needs) -> _Needs:
        fresh = tuple(cell for cell in other.numbers if cell not in self.numbers)
        return _Needs(self.numbers + fresh, self.conditions + other.conditions)

    def __bool__(self) -> bool:
        return bool(self.numbers or self.conditions)

    def all(self) -> str:
        """All of it as one condition."""
        parts = ([_are_numbers(self.numbers)] if self.numbers else []) + list(self.conditions)
        return "TRUE" if not parts else parts[0] if len(parts) == 1 else f"AND({','.join(parts)})"


def unsure_keys(lines: Iterable[Line], known: Set[str] = frozenset()) -> frozenset[str]:
    """The lines that may be unknown: facts that a table may not have, and all that is computed from them.

    `known` are such lines of another ledger that these read; they stand in the answer too.
    """
    unsure = set(known)
    for line in lines:
        if line.expression is None:
            may_be_unknown = line.given is None or line.group in _FACTS
        else:
            may_be_unknown = bool(_needs(line.expression, unsure, lambda key: key))
        if may_be_unknown:
            unsure.add(line.key)
    return frozenset(unsure)


def guarded_formula(expression: Expression, value: object, unsure: Set[str], cell_of: CellOf, unknown: str) -> Formula:
    """The formula of a computed line and its result `value`.

    A line computed from something that may be unknown shows the word `unknown` until all of it are numbers; so a price
    that is typed in later brings the line to life, and a price that is deleted never counts as 0.
    """
    return Formula(_guarded(expression, unsure, cell_of, quoted_text(unknown)), shown_value(value, unknown))


def shown_value(value: object, unknown: str) -> Result:
    """The value of a line as its cell shows it: a number, or the word for unknown."""
    if value is None:
        return unknown
    return bool(value) if isinstance(value, bool) else float(value)  # type: ignore[arg-type]


def _guarded(expression: Expression, unsure: Set[str], cell_of: CellOf, unknown: str) -> str:
    """The formula, or `unknown` where what it needs is missing; an outermost IF asks only for the branch it takes."""
    if isinstance(expression, Call) and expression.function == "IF":
        condition, yes, no = expression.arguments
        needs = _needs(condition, unsure, cell_of)
        branches = [_guarded(branch, unsure, cell_of, unknown) for branch in (yes, no)]
        text = f"IF({condition.excel(cell_of)},{branches[0]},{branches[1]})"
    else:
        needs = _needs(expression, unsure, cell_of)
        text = expression.excel(cell_of)
    for condition_text in reversed(needs.conditions):
        text = f"IF({condition_text},{text},{unknown})"
    return f"IF({_are_numbers(needs.numbers)},{text},{unknown})" if needs.numbers else text


def _are_numbers(cells: tuple[str, ...]) -> str:
    return f"COUNT({','.join(cells)})={len(cells)}"


def _needs(expression: Expression, unsure: Set[str], cell_of: CellOf) -> _Needs:
    """What the cells of an expression must hold."""
    if isinstance(expression, Reference):
        return _Needs((cell_of(expression.key),)) if expression.key in unsure else _Needs()
    if isinstance(expression, Call) and expression.function == "SUM":
        return _needs_of_sum(expression, unsure, cell_of)
    if isinstance(expression, Call) and expression.function == "IF":
        condition, yes, no = expression.arguments
        needs = _needs(condition, unsure, cell_of)
        branches = [_needs(branch, unsure, cell_of) for branch in (yes, no)]
        if any(branches):
            chosen = f"IF({condition.excel(cell_of)},{branches[0].all()},{branches[1].all()})"
            needs = needs | _Needs(conditions=(chosen,))
        return needs
    needs = _divisor(expression, unsure, cell_of)
    for child in expression.children():
        needs = needs | _needs(child, unsure, cell_of)
    return needs


def _divisor(expression: Expression, unsure: Set[str], cell_of: CellOf) -> _Needs:
    """A quotient is as unknown as the ledger has it where a divisor that may be typed in is 0, and no error."""
    if not isinstance(expression, Operation) or expression.operator != "/":
        return _Needs()
    divisor = expression.right
    if isinstance(divisor, Reference) and divisor.key in unsure:
        return _Needs(conditions=(f"{cell_of(divisor.key)}<>0",))
    return _Needs()


def _needs_of_sum(expression: Call, unsure: Set[str], cell_of: CellOf) -> _Needs:
    """A sum leaves out what is not known, as SUM skips texts; it is unknown only when all its parts are."""
    if not all(isinstance(part, Reference) and part.key in unsure for part in expression.arguments):
        return _Needs()
    return _Needs(conditions=(f"COUNT({','.join(part.excel(cell_of) for part in expression.arguments)})>0",))
