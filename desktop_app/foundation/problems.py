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
    sentence of the catalogue ("problem.heads_tp") and `values` fill its placeholders; numbers are formatted there.
    """

    field: str
    key: str
    values: Mapping[str, str | float] = dataclasses.field(default_factory=dict)
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
