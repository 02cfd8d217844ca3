"""The rules by which a config.json is read, family by family: tables/families.csv and the small language of its cells.

A row is a family (one or more values of `model_type`); a column is a field of ModelSpec, MoeSpec or MlaSpec, in the
order in which they are worked out. An empty cell takes the rule of the row "*". A cell is one of

    name              the column of that name if it stands further left, else the config's `name`, which must be there
    name(default)     the config's `name`, or the default when the file leaves it out or says null
    a.b               `b` inside the object `a`
    + - * /           arithmetic; a division must come out whole
    x if c else y, and, or, not, ==, !=, 'text' in name

The column `keys` says what the family calls a standard key ("hidden_size=n_embd"); the standard name is understood too.
Layer i has experts if i >= first_moe_layer and (i + moe_phase) is a multiple of moe_every; `moe_layers` and
`dense_layers` name the keys that list such layers outright, where a family has them.
Nothing of a config is ever executed: cells are walked node by node, and the cells are ours.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from desktop_app.estimation.table_files import table
from desktop_app.foundation.problems import shown, user_error

LARGEST = 10**9  # no size in any released config comes near it
_NOT_RULES = ("model_type", "kind", "keys", "source", "as_of")


@dataclass(frozen=True, slots=True)
class Family:
    """One row of the table. `kind` is a kind of ModelSpec, or "hybrid" for networks that this program refuses."""

    kind: str
    aliases: Mapping[str, tuple[str, ...]]
    rules: Mapping[str, ast.expr | None]
    filled: frozenset[str]  # the columns that the family itself fills
    source: str
    as_of: str


@lru_cache(maxsize=128)
def family_of(model_type: str) -> Family | None:
    """The row for `model_type`, None when the table has none."""
    defaults, *rows = table("families")
    cells = next((row for row in rows if model_type in row["model_type"].split()), None)
    if cells is None:
        return None
    aliases: dict[str, tuple[str, ...]] = {}
    for pair in cells["keys"].split():
        standard, own = pair.split("=")
        aliases[standard] = (*aliases.get(standard, ()), own)
    rules = {column: _parsed(cells[column] or defaults[column]) for column in cells if column not in _NOT_RULES}
    filled = frozenset(column for column in rules if cells[column])
    return Family(cells["kind"], aliases, rules, filled, cells["source"], cells["as_of"])


def known_model_types() -> tuple[str, ...]:
    """Every `model_type` that the table can count."""
    _, *rows = table("families")
    return tuple(name for row in rows if row["kind"] != "hybrid" for name in row["model_type"].split())


def _parsed(cell: str) -> ast.expr | None:
    return ast.parse(cell, mode="eval").body if cell else None


class Reading:
    """One config seen through the rules of its family. Values are worked out column by column, from left to right."""

    def __init__(self, family: Family, config: Mapping[str, Any]) -> None:
        """Start with nothing worked out."""
        self._family = family
        self._config = config
        self._columns: dict[str, Any] = {}
        self.key = ""  # the key of the config that was looked up last, as the file spells it

    def number(self, column: str) -> int | None:
        """The whole number of a column, None where the rule says None. Raises UserError."""
        self.key = column
        value = self._evaluate(self._rule(column), int)
        self._columns[column] = value
        assert value is None or isinstance(value, int), column
        return value

    def flag(self, column: str) -> bool:
        """The yes or no of a column. Raises UserError."""
        return bool(self._evaluate(self._rule(column), bool))

    def text(self, column: str) -> str:
        """The word of a column. Raises UserError."""
        self.key = column
        return str(self._evaluate(self._rule(column), str))

    def layer_numbers(self, column: str) -> frozenset[int] | None:
        """The layers that the key named in the cell lists; None when there is no such key. Raises UserError."""
        rule = self._family.rules[column]
        listed = None if rule is None else self._lookup(_dotted(rule), list)
        if listed is None:
            return None
        if not all(isinstance(number, int) and not isinstance(number, bool) for number in listed):
            raise user_error("model", "problem.config_value", name=self.key, text=shown(listed))
        return frozenset(listed)

    def _rule(self, column: str) -> ast.expr:
        rule = self._family.rules[column]
        assert rule is not None, column
        return rule

    def _evaluate(self, node: ast.expr, kind: type) -> Any:
        match node:
            case ast.Constant():
                value: Any = node.value
            case ast.Name() if node.id in self._columns:
                value = self._columns[node.id]
            case ast.Name() | ast.Attribute():
                value = self._required(_dotted(node), kind)
            case ast.Call(func=key, args=[default]):
                given = self._lookup(_dotted(key), kind)
                value = self._evaluate(default, kind) if given is None else given
            case ast.IfExp():
                value = self._evaluate(node.body if self._holds(node.test) else node.orelse, kind)
            case ast.BinOp():
                value = _calculated(self._evaluate(node.left, int), self._evaluate(node.right, int), node)
            case _:
                value = self._holds(node)
        return value

    def _holds(self, node: ast.expr) -> bool:
        match node:
            case ast.BoolOp(op=ast.And()):
                return all(self._holds(part) for part in node.values)
            case ast.BoolOp(op=ast.Or()):
                return any(self._holds(part) for part in node.values)
            case ast.UnaryOp(op=ast.Not()):
                return not self._holds(node.operand)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compare(left, operator, right)
        return bool(self._evaluate(node, bool))

    def _compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
        kind = str if isinstance(operator, ast.In) else int
        first, second = self._evaluate(left, kind), self._evaluate(right, kind)
        match operator:
            case ast.In():
                return first in second
            case ast.Eq():
                return bool(first == second)
            case ast.NotEq():
                return bool(first != second)
        raise AssertionError(f"families.csv compares by {operator}")

    def _required(self, key: str, kind: type) -> Any:
        value = self._lookup(key, kind)
        if value is None:
            own = self._family.aliases.get(key, (key,))[0]
            raise user_error("model", "problem.config_missing", name=own)
        return value

    def _lookup(self, key: str, kind: type) -> Any:
        """The value of a key under its standard or the family's own name, of the wanted type; None when absent."""
        found: list[tuple[str, Any]] = []
        for name in (key, *self._family.aliases.get(key, ())):
            value: Any = self._config
            for part in name.split("."):
                if not isinstance(value, Mapping):
                    raise user_error("model", "problem.config_value", name=name.split(".")[0], text=shown(value))
                value = value.get(part)
                if value is None:
                    break
            if value is not None:
                _check_type(name, value, kind)
                found.append((name, value))
        if not found:
            return None
        self.key, value = found[0]
        for name, other in found[1:]:
            if other != value:
                raise user_error("model", "problem.config_contradiction", first=self.key, second=name)
        return value


def _check_type(name: str, value: object, kind: type) -> None:
    if kind is int and (not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST):
        text = f'"{shown(value)}"' if isinstance(value, str) else shown(value)
        raise user_error("model", "problem.config_not_whole", name=name, text=text)
    if kind is bool and not isinstance(value, bool):
        raise user_error("model", "problem.config_flag", name=name, text=shown(value))
    if kind in (str, list) and not isinstance(value, kind):
        raise user_error("model", "problem.config_value", name=name, text=shown(value))


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{_dotted(inner)}.{name}"
    raise AssertionError(f"families.csv has {ast.unparse(node)} where a key is meant")


def _calculated(left: int, right: int, node: ast.BinOp) -> int:
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            if right == 0 or left % right:
                raise user_error("model", "problem.config_division", formula=ast.unparse(node), left=left, right=right)
            return left // right
    raise AssertionError(f"families.csv calculates {ast.unparse(node)}")
