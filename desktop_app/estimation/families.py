"""The rules by which a config.json is read, family by family: tables/families.csv and the small language of its cells.

A row is a family (one or more values of `model_type`); a column is a field of ModelSpec, MoeSpec or MlaSpec, in the
order in which they are worked out. An empty cell takes the rule of the row "*". A cell is one of

    name              the column of that name if it stands further left, else the config's `name`, which must be there
    name(default)     the config's `name`, or the default when the file leaves it out or says null
    name(a, b)        the same, but `a` when the file leaves it out and `b` when it says null
    each(name, a)     the number `name`, which the file may also give as a list of the same number every time; else `a`
    last(name)        the layer `name`, counted from the end when it is negative; the last one when it is left out
    length(name, a)   how many entries the list `name` has, 1 when it is no list; else `a`
    a.b               `b` inside the object `a`
    + - * / //        arithmetic; / must come out whole, // drops the rest; a default with a point: so may the number
    x if c else y, and, or, not, ==, !=, 'text' in name

The column `keys` says what the family calls a standard key ("hidden_size=n_embd"); the standard name is understood too.
Layer i has experts if first_moe_layer <= i <= last_moe_layer and (i + moe_phase) is a multiple of moe_every;
`moe_layers` and `dense_layers` name the keys that list such layers outright, where a family has them. Layer i sees only
the sliding window if first_window <= i < end_window and (i + full_phase) is no multiple of full_every (0: of none);
`layer_kinds` names the key that says it layer by layer.
Nothing of a config is ever executed: cells are walked node by node, and the cells are ours.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from desktop_app.estimation.table_files import table
from desktop_app.foundation.problems import shown, user_error

REFUSED = ("hybrid", "uneven")
LARGEST = 10**9  # no size in any released config comes near it
_NOT_RULES = ("model_type", "kind", "keys", "source", "as_of")


@dataclass(frozen=True, slots=True)
class Family:
    """One row of the table. `kind` is a kind of ModelSpec, or why networks of this kind are refused.

    "hybrid": not every layer is attention; "uneven": layers of different shapes, or parts that no column can express.
    """

    kind: str
    aliases: Mapping[str, tuple[str, ...]]
    rules: Mapping[str, ast.expr | None]
    filled: frozenset[str]  # the columns that the family itself fills
    source: str
    as_of: str


def family_of(model_type: str) -> Family | None:
    """The row of tables/families.csv for `model_type`, None when the table has none."""
    return row_of("families", model_type)


@lru_cache(maxsize=256)
def row_of(table_name: str, model_type: str) -> Family | None:
    """The row for `model_type` of a table written in this language, None when it has none."""
    defaults, *rows = table(table_name)
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


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, str]:
    """Every `model_type` of tables/families.csv -> its kind, the refused ones too."""
    _, *rows = table("families")
    return {name: row["kind"] for row in rows for name in row["model_type"].split()}


def known_model_types() -> tuple[str, ...]:
    """Every `model_type` that the table can count."""
    return tuple(name for name, kind in kinds().items() if kind not in REFUSED)


def _parsed(cell: str) -> ast.expr | None:
    return ast.parse(cell, mode="eval").body if cell else None


class Reading:
    """One config seen through the rules of its family. Values are worked out column by column, from left to right."""

    def __init__(
        self,
        family: Family,
        config: Mapping[str, Any],
        known: Mapping[str, int] | None = None,
        sizes: tuple[int, int] = (0, LARGEST),
    ) -> None:
        """Start with nothing worked out but what is `known` from elsewhere; every whole number lies within `sizes`."""
        self._family = family
        self._config = config
        self._sizes = sizes
        self._columns: dict[str, Any] = dict(known or {})
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
        """The layers that the key named in the cell lists; None when there is no such key. Raises UserError.

        The file gives their numbers, or for every layer the word "sparse" or "dense".
        """
        listed = self._listed(column)
        if listed is None:
            return None
        if all(word in ("sparse", "dense") for word in listed if isinstance(word, str)) and _all_of(str, listed):
            return frozenset(number for number, word in enumerate(listed) if word == "sparse")
        if not _all_of(int, listed):
            raise user_error("model", "problem.config_value", name=self.key, text=shown(listed))
        return frozenset(listed)

    def layer_words(self, column: str) -> tuple[str, ...] | None:
        """The word for every layer under the key named in the cell; None when there is none. Raises UserError."""
        listed = self._listed(column)
        if listed is None:
            return None
        if not _all_of(str, listed):
            raise user_error("model", "problem.config_value", name=self.key, text=shown(listed))
        return tuple(listed)

    def _listed(self, column: str) -> list[Any] | None:
        rule = self._family.rules[column]
        return None if rule is None else self._lookup(_dotted(rule), list)

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
            case ast.Call(func=ast.Name(id="last"), args=[key]):
                value = self._last(_dotted(key))
            case ast.Call(func=ast.Name(id="each" | "length" as function), args=[key, *default]):
                value = (self._each if function == "each" else self._length)(_dotted(key))
                if value is None:
                    value = self._evaluate(default[0], int) if default else self._required(_dotted(key), int)
            case ast.Call(func=key, args=[absent, *null]):
                given = self._lookup(_dotted(key), float if _is_float(absent) else kind)
                instead = null[0] if null and self._says_null(_dotted(key)) else absent
                value = self._evaluate(instead, kind) if given is None else given
            case ast.IfExp():
                value = self._evaluate(node.body if self._holds(node.test) else node.orelse, kind)
            case ast.BinOp():
                value = _calculated(self._evaluate(node.left, int), self._evaluate(node.right, int), node)
            case _:
                value = self._holds(node)
        return value

    def _length(self, key: str) -> int | None:
        value = self._lookup(key, object)
        return len(value) if isinstance(value, list) else None if value is None else 1

    def _last(self, key: str) -> int:
        last, value = int(self._columns["layers"]) - 1, self._lookup(key, object)
        if isinstance(value, int) and not isinstance(value, bool) and -last - 1 <= value < 0:
            return value + last + 1
        return last if value is None else self._whole(value)

    def _each(self, key: str) -> int | None:
        value = self._lookup(key, object)
        if isinstance(value, list) and value and all(entry == value[0] for entry in value):
            value = value[0]
        return None if value is None else self._whole(value)

    def _whole(self, value: Any) -> int:
        _check_type(self.key, value, int, self._sizes)
        return int(value)

    def _says_null(self, key: str) -> bool:
        *outer, last = key.split(".")
        inside: Any = self._config
        for part in outer:
            inside = inside.get(part) if isinstance(inside, Mapping) else None
        names = (last, *self._family.aliases.get(key, ()))
        return isinstance(inside, Mapping) and any(name in inside and inside[name] is None for name in names)

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
                _check_type(name, value, kind, self._sizes)
                found.append((name, value))
        if not found:
            return None
        self.key, value = found[0]
        for name, other in found[1:]:
            if other != value:
                raise user_error("model", "problem.config_contradiction", first=self.key, second=name)
        return value


def _check_type(name: str, value: object, kind: type, sizes: tuple[int, int]) -> None:
    if kind is int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
            text = f'"{shown(value)}"' if isinstance(value, str) else shown(value)
            raise user_error("model", "problem.config_not_whole", name=name, text=text)
        low, high = sizes
        if not low <= value <= high:
            raise user_error("model", "problem.config_number", name=name, text=shown(value), low=low, high=high)
    if kind is bool and not isinstance(value, bool):
        raise user_error("model", "problem.config_flag", name=name, text=shown(value))
    if kind is float and (isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LARGEST):
        raise user_error("model", "problem.config_value", name=name, text=shown(value))
    if kind in (str, list) and not isinstance(value, kind):
        raise user_error("model", "problem.config_value", name=name, text=shown(value))


def _all_of(kind: type, listed: list[Any]) -> bool:
    return all(isinstance(entry, kind) and not isinstance(entry, bool) for entry in listed)


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{_dotted(inner)}.{name}"
    raise AssertionError(f"families.csv has {ast.unparse(node)} where a key is meant")


def _calculated(left: float, right: float, node: ast.BinOp) -> float:
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() | ast.FloorDiv():
            if right == 0 or (left % right and isinstance(node.op, ast.Div)):
                raise user_error("model", "problem.config_division", formula=ast.unparse(node), left=left, right=right)
            return int(left // right)
    raise AssertionError(f"families.csv calculates {ast.unparse(node)}")
