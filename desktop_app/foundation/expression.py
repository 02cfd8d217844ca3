"""A small language for formulas: what Excel, LibreOffice, `math` and NumPy all evaluate alike.

A formula is written once, as `ref("gpu_hours") * ref("price")`, and then evaluated (numbers or NumPy columns), written
to a workbook, or told in words. Closed list: + - * / ^, comparisons, ROUND, ROUNDUP, MIN, MAX, SUM, EXP, LN, SQRT, IF.

Unknown is None. Every operation on an unknown is unknown; only SUM skips it, as a spreadsheet skips text, and a SUM of
nothing but unknowns is unknown.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.foundation import scalar_ops
from desktop_app.foundation.formatting import plain
from desktop_app.foundation.rounding import round_half_away, round_up
from desktop_app.foundation.scalar_ops import Number, Ops

Values = Mapping[str, Number | None]
_EXP_LIMIT = 700.0  # exp(709.8) is the largest a 64-bit float holds; beyond, Python raises and Excel says #NUM!


class Expression(ABC):
    """Base of all nodes; operators build bigger ones."""

    __slots__ = ()

    @abstractmethod
    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number | None:
        """The value with each reference looked up in `values`; None when it is unknown. KeyError for a missing key."""

    def children(self) -> tuple[Expression, ...]:
        """The direct parts."""
        return ()

    @abstractmethod
    def excel(self, cell_of: Callable[[str], str]) -> str:
        """Excel formula text without the leading "="; `cell_of` gives the address of a key."""

    @abstractmethod
    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """The formula for a reader: `name_of` gives a key's name or number, `phrase_of` a function's phrase.

        A phrase is a template such as "sum of {0}" or "{0}" (for ROUND: the reader need not see it).
        """

    def references(self) -> Iterator[str]:
        """The keys it reads, in reading order, each once."""
        seen: set[str] = set()
        stack: list[Expression] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, Reference) and node.key not in seen:
                seen.add(node.key)
                yield node.key
            stack.extend(reversed(node.children()))

    def __add__(self, other: Expression | float) -> Expression:
        return Operation("+", self, as_expression(other))

    def __radd__(self, other: float) -> Expression:
        return Operation("+", as_expression(other), self)

    def __sub__(self, other: Expression | float) -> Expression:
        return Operation("-", self, as_expression(other))

    def __rsub__(self, other: float) -> Expression:
        return Operation("-", as_expression(other), self)

    def __mul__(self, other: Expression | float) -> Expression:
        return Operation("*", self, as_expression(other))

    def __rmul__(self, other: float) -> Expression:
        return Operation("*", as_expression(other), self)

    def __truediv__(self, other: Expression | float) -> Expression:
        return Operation("/", self, as_expression(other))

    def __rtruediv__(self, other: float) -> Expression:
        return Operation("/", as_expression(other), self)

    def __pow__(self, other: Expression | float) -> Expression:
        return Operation("^", self, as_expression(other))

    def __lt__(self, other: Expression | float) -> Expression:
        return Operation("<", self, as_expression(other))

    def __le__(self, other: Expression | float) -> Expression:
        return Operation("<=", self, as_expression(other))

    def __gt__(self, other: Expression | float) -> Expression:
        return Operation(">", self, as_expression(other))

    def __ge__(self, other: Expression | float) -> Expression:
        return Operation(">=", self, as_expression(other))


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A number that belongs to the formula (0, 1, a pure unit conversion); anything that may change is a line."""

    value: float

    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number:
        """The number itself."""
        return self.value

    def excel(self, cell_of: Callable[[str], str]) -> str:
        """Shortest form that reads back to the same number."""
        return _shortest(self.value)

    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """The number, its digits grouped."""
        return plain(self.value)


@dataclass(frozen=True, slots=True)
class Reference(Expression):
    """The value of another line."""

    key: str

    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number | None:
        """Looked up."""
        return values[self.key]

    def excel(self, cell_of: Callable[[str], str]) -> str:
        """The line's cell."""
        return cell_of(self.key)

    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """The line's name or number."""
        return name_of(self.key)


_COMPUTE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_BINDING = {"<": 1, "<=": 1, ">": 1, ">=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "^": 4}
_TYPESET = {"*": "×", "/": "÷", "-": "−", "<=": "≤", ">=": "≥"}


@dataclass(frozen=True, slots=True)
class Operation(Expression):
    """Two parts joined by an operator."""

    operator: str
    left: Expression
    right: Expression

    def children(self) -> tuple[Expression, ...]:
        """Left, then right."""
        return (self.left, self.right)

    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number | None:
        """Unknown if either side is."""
        left, right = self.left.evaluate(values, ops), self.right.evaluate(values, ops)
        if left is None or right is None:
            return None
        try:
            return _COMPUTE[self.operator](left, right)
        except ZeroDivisionError:
            return None  # as unknown as what a spreadsheet answers with an error

    def excel(self, cell_of: Callable[[str], str]) -> str:
        """With the brackets that precedence asks for."""
        return (
            f"{self._side(self.left, False).excel(cell_of)}{self.operator}{self._side(self.right, True).excel(cell_of)}"
        )

    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """Typeset signs, spaces around them."""
        left = _set_apart(self._side(self.left, False)).tell(name_of, phrase_of)
        right = _set_apart(self._side(self.right, True)).tell(name_of, phrase_of)
        return f"{left} {_TYPESET.get(self.operator, self.operator)} {right}"

    def _side(self, side: Expression, is_right: bool) -> Expression:
        """The part itself, or the part in brackets where precedence needs them."""
        if not isinstance(side, Operation):
            return side
        mine, its = _BINDING[self.operator], _BINDING[side.operator]
        needs = its < mine or (its == mine and (is_right or self.operator == "^"))
        return Bracket(side) if needs else side


@dataclass(frozen=True, slots=True)
class Bracket(Expression):
    """A part in brackets; only made while writing a formula out."""

    inner: Expression

    def children(self) -> tuple[Expression, ...]:
        """The part inside."""
        return (self.inner,)

    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number | None:
        """The part inside."""
        return self.inner.evaluate(values, ops)

    def excel(self, cell_of: Callable[[str], str]) -> str:
        """(inner)"""
        return f"({self.inner.excel(cell_of)})"

    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """(inner)"""
        return f"({self.inner.tell(name_of, phrase_of)})"


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function of the closed list."""

    function: str
    arguments: tuple[Expression, ...]

    def children(self) -> tuple[Expression, ...]:
        """The arguments."""
        return self.arguments

    def evaluate(self, values: Values, ops: Ops = scalar_ops) -> Number | None:
        """IF evaluates one branch when its condition is a plain truth value, both for a column; SUM skips unknowns."""
        if self.function == "IF":
            return self._branch(values, ops)
        arguments = [argument.evaluate(values, ops) for argument in self.arguments]
        if self.function == "SUM":
            known = [argument for argument in arguments if argument is not None]
            return sum(known) if known else None
        for argument in arguments:
            if argument is None:
                return None
        return _FUNCTIONS[self.function](arguments, ops)

    def _branch(self, values: Values, ops: Ops) -> Number | None:
        condition, yes, no = self.arguments
        holds = condition.evaluate(values, ops)
        if holds is None:
            return None
        if isinstance(holds, bool):
            return (yes if holds else no).evaluate(values, ops)
        chosen, other = yes.evaluate(values, ops), no.evaluate(values, ops)
        return None if chosen is None or other is None else ops.where(holds, chosen, other)

    def told_arguments(self) -> tuple[Expression, ...]:
        """The arguments a reader needs: a SUM's 0, which only turns unknown into nothing, is not told beside others."""
        told = tuple(part for part in self.arguments if self.function != "SUM" or part != Literal(0))
        return told or self.arguments[:1]

    def excel(self, cell_of: Callable[[str], str]) -> str:
        """NAME(argument,argument)."""
        return f"{self.function}({','.join(argument.excel(cell_of) for argument in self.arguments)})"

    def tell(self, name_of: Callable[[str], str], phrase_of: Callable[[str], str]) -> str:
        """The function's phrase, filled; {0}, {1} ... are the arguments and {all} their list."""
        told = [_uncapped(argument).tell(name_of, phrase_of) for argument in self.told_arguments()]
        return phrase_of(self.function).format(
            *told, all=" + ".join(told) if self.function == "SUM" else ", ".join(told)
        )


def _set_apart(side: Expression) -> Expression:
    """A function that is told as a phrase is put in brackets beside an operator, a sum of one part is not."""
    if not isinstance(side, Call) or side.function not in _PHRASES:
        return side
    return side if side.function == "SUM" and len(side.told_arguments()) == 1 else Bracket(side)


def _uncapped(argument: Expression) -> Expression:
    """The power of an EXP without its cap, which a reader need not see."""
    if isinstance(argument, Call) and argument.function == "MIN" and argument.arguments[-1] == _EXP_CAP:
        return argument.arguments[0]
    return argument


_PHRASES = ("ROUND", "ROUNDUP", "MIN", "MAX", "SUM", "IF")
_EXP_CAP = Literal(_EXP_LIMIT)


def _fold(pick: str) -> Callable[[list[Number], Ops], Number]:
    def fold(arguments: list[Number], ops: Ops) -> Number:
        result = arguments[0]
        for argument in arguments[1:]:
            result = getattr(ops, pick)(result, argument)
        return result

    return fold


_FUNCTIONS: dict[str, Callable[[list[Number], Ops], Number]] = {
    "ROUND": lambda a, ops: round_half_away(a[0], a[1], ops),
    "ROUNDUP": lambda a, ops: round_up(a[0], a[1], ops),
    "MIN": _fold("minimum"),
    "MAX": _fold("maximum"),
    "EXP": lambda a, ops: ops.exp(a[0]),
    "LN": lambda a, ops: ops.log(a[0]),
    "SQRT": lambda a, ops: ops.sqrt(a[0]),
}


def as_expression(value: Expression | float) -> Expression:
    """A number becomes a Literal; an expression stays itself."""
    return value if isinstance(value, Expression) else Literal(float(value))


def ref(key: str) -> Reference:
    """The value of line `key`."""
    return Reference(key)


def rounded(value: Expression, digits: Expression | float) -> Expression:
    """ROUND(value, digits)."""
    return Call("ROUND", (value, as_expression(digits)))


def rounded_up(value: Expression) -> Expression:
    """ROUNDUP(value, 0)."""
    return Call("ROUNDUP", (value, Literal(0)))


def smallest(*parts: Expression | float) -> Expression:
    """MIN of the parts."""
    return Call("MIN", tuple(map(as_expression, parts)))


def largest(*parts: Expression | float) -> Expression:
    """MAX of the parts."""
    return Call("MAX", tuple(map(as_expression, parts)))


def total(*parts: Expression) -> Expression:
    """SUM of the parts; unknown ones are left out. ValueError for a part that is computed on the spot: our bug.

    A spreadsheet's SUM skips a cell that holds a text, but an operation on that text is an error, also inside SUM.
    """
    if not all(isinstance(part, Reference | Literal) for part in parts):
        raise ValueError("only lines and numbers can be summed, so that a spreadsheet skips the unknown ones too")
    return Call("SUM", parts)


def exponential(power: Expression) -> Expression:
    """EXP of a power that is capped, so that a hopeless case is a huge number and never an overflow."""
    return Call("EXP", (smallest(power, _EXP_CAP),))


def logarithm(value: Expression) -> Expression:
    """LN(value)."""
    return Call("LN", (value,))


def square_root(value: Expression) -> Expression:
    """SQRT(value)."""
    return Call("SQRT", (value,))


def when(condition: Expression, yes: Expression | float, no: Expression | float) -> Expression:
    """IF(condition, yes, no)."""
    return Call("IF", (condition, as_expression(yes), as_expression(no)))


def _shortest(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
