"""The budget as an ordered list of lines, each computed from earlier lines by a formula that every rendering shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from desktop_app.foundation import scalar_ops
from desktop_app.foundation.expression import Expression
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number, Ops

Tag = Literal["yours", "default", "table", "predicted", "computed"]
Group = Literal[
    "job", "model", "cluster", "memory", "speed", "run", "price", "power", "cost", "energy", "carbon", "driver",
    "range", "schedule", "risk",
]  # fmt: skip


_UNIT_PRICE = "usd_per_"  # how the units of prices begin


@dataclass(frozen=True, slots=True)
class Line:
    """One figure. Its words are `ledger.<key>` in the catalogue and its unit `unit.<unit>`.

    Either `expression` computes it, or `given` is its value (a choice, a table row, a prediction of the engine).
    `tag` says which: yours, default, table, predicted, or computed. `field` is the choice it shows, if any. A given
    value of None is unknown, never 0. The words `how.<key>` tell how the engine found a predicted figure.
    """

    key: str
    unit: str
    group: Group
    source: Source
    expression: Expression | None = None
    given: Number | None = None
    tag: Tag = "computed"
    field: str = ""
    row_text: str = ""  # which row of a table: "aws us-east-1 p4de.24xlarge, on-demand"

    @property
    def is_money(self) -> bool:
        """Whether it is an amount or a unit price."""
        return self.unit in ("usd", "currency") or self.unit.startswith(_UNIT_PRICE)


class Ledger:
    """Lines in the order of their computation, evaluated once."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        """Evaluate `lines`. ValueError for a key used twice or read before it is computed: our bug."""
        self.lines = lines
        self._lines = {line.key: line for line in lines}
        if len(self._lines) != len(lines):
            raise ValueError("two lines of the ledger have one key")
        self.values: Mapping[str, Number | None] = self.evaluate()

    def evaluate(
        self, changed: Mapping[str, Number | None] | None = None, ops: Ops = scalar_ops
    ) -> dict[str, Number | None]:
        """Every value, with the given values in `changed` replaced (numbers, or NumPy columns with ops=numpy)."""
        changed = changed or {}
        values: dict[str, Number | None] = {}
        for line in self.lines:
            key, expression = line.key, line.expression
            if key in changed:
                values[key] = changed[key]
            else:
                values[key] = line.given if expression is None else expression.evaluate(values, ops)
        return values

    def __getitem__(self, key: str) -> Line:
        """The line of `key`; KeyError if there is none."""
        return self._lines[key]

    def __contains__(self, key: object) -> bool:
        """Whether there is such a line."""
        return key in self._lines

    def __iter__(self) -> Iterator[Line]:
        """The lines in order."""
        return iter(self.lines)

    def value(self, key: str) -> Number | None:
        """The value of line `key`; None when it is unknown."""
        return self.values[key]

    def group(self, name: Group) -> tuple[Line, ...]:
        """The lines of one group, in order."""
        return tuple(line for line in self.lines if line.group == name)

    def rests_on(self, key: str, other: str) -> bool:
        """Whether the line `key` is computed from the line `other`, directly or through others."""
        waiting, seen = [key], {key}
        while waiting:
            found = {line.key for line in self.inputs_of(waiting.pop())}
            if other in found:
                return True
            waiting += found - seen
            seen |= found
        return False

    def origin(self, key: str) -> Line:
        """The given line that a unit price rests on: the line itself, or the first unit price behind its formula."""
        line = self._lines[key]
        waiting = [line]
        while waiting:
            found = waiting.pop(0)
            if found.expression is None and found.unit.startswith(_UNIT_PRICE):
                return found
            waiting += self.inputs_of(found.key)
        return line

    def missing(self, key: str) -> str:
        """The choice that an unknown figure waits for, nearest first; "" where no choice would mend it."""
        waiting, seen = [key], {key}
        while waiting:
            line = self._lines[waiting.pop(0)]
            if line.expression is None and line.given is None and line.field:
                return line.field
            found = [part.key for part in self.inputs_of(line.key) if part.key not in seen]
            waiting += [part for part in found if self.values[part] is None]
            seen.update(found)
        return ""

    def inputs_of(self, key: str) -> tuple[Line, ...]:
        """The lines that `key` is computed from directly; () for a given value."""
        expression = self._lines[key].expression
        return tuple(self._lines[name] for name in expression.references()) if expression else ()


def evaluated(lines: Iterable[Line], known: Mapping[str, Number | None]) -> dict[str, Number | None]:
    """The values of `lines`, of which each may read the earlier ones and what is `known`."""
    values = dict(known)
    for line in lines:
        values[line.key] = line.given if line.expression is None else line.expression.evaluate(values)
    return values
