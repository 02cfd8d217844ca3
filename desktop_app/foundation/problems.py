"""What is wrong with an input, as data. The sentence is made at the edge, in the reader's language."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong or worth knowing.

    `field` is the key of the choice it belongs to ("tensor_parallel"), or "" when it belongs to none. `key` names a
    sentence of the catalogue ("problem.heads_tp") and `values` fill its placeholders; numbers are formatted there, and
    a problem among the values is told as its own sentence.
    """

    field: str
    key: str
    values: "Mapping[str, str | float | Problem]" = dataclasses.field(default_factory=dict)
    severity: Severity = "error"


class UserError(Exception):
    """Something the user can mend. Carries the problems; anything else that is raised is our bug."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; at least one."""
        super().__init__("; ".join(f"{problem.field}: {problem.key} {dict(problem.values)}" for problem in problems))
        self.problems = problems


def user_error(field_key: str, key: str, **values: str | float) -> UserError:
    """A UserError with the single problem `key` on the choice `field_key`."""
    return UserError(Problem(field_key, key, values))


def shown(value: object, most: int = 60) -> str:
    """A value of somebody else's as it may stand in a sentence: one line, printable, at most `most` characters."""
    if isinstance(value, Mapping):
        return "{...}"
    if isinstance(value, list | tuple):
        return "[...]"
    if isinstance(value, int) and abs(value) > 10**60:
        return f"{'-' if value < 0 else ''}1e{int(value.bit_length() * 0.30103)}"  # log10(2)
    text = "".join(sign if sign.isprintable() else "?" for sign in " ".join(str(value).split()))
    return text if len(text) <= most else f"{text[: most - 3]}..."
