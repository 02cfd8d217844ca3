"""What an importer has to say: codes and values; the sentences are made at the edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["dropped", "doubtful", "warning", "note", "question"]
Value = str | float


class SheetError(ValueError):
    """A file that is not read as a price sheet at all. `reason` is a code, `values` what it speaks of."""

    def __init__(self, reason: str, **values: Value) -> None:
        """Keep both."""
        super().__init__(f"{reason} {values}")
        self.reason, self.values = reason, values


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to be said of a row or, where `row` is None, of the whole file.

    "dropped": the row (or its spot half) is not in the preview. "doubtful": it is taken only if the user says so.
    "warning": it is taken and looks odd. "note": how it was understood. "question": what the user must say first.
    """

    row: int | None  # the line of the file; the first is 1
    reason: str
    severity: Severity
    values: Mapping[str, Value] = field(default_factory=dict)
