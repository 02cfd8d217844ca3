"""One row of a validation: a published quantity and what we predict for it."""

import math
from dataclasses import dataclass, replace
from typing import Literal

_LARGEST = 1e30  # no quantity of any run, in any unit of these tables, comes near it
_SETTLED, _VERDICTS = (0, 1), (0, 0.5, 1)  # of "fits": no, yes; ours may also be tight

Status = Literal["ok", "refused", "unsupported"]


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """`ratio` is predicted / published, for speeds too. A refused or unsupported row has no prediction and says why."""

    table: str  # "throughput", "runs", "params", "memory", "memory_published", "cases", "published_footprints"
    id: str
    source_group: str
    quantity: str  # the published column predicted: "tokens_per_s_per_gpu", "peak_bytes", "fits" ...
    published: float | None
    predicted: float | None
    low: float | None  # p10
    high: float | None  # p90
    status: Status
    note: str  # begins with the row's class ("pretrain-dense" ...) where there is one; then the reason, if any

    @property
    def ratio(self) -> float | None:
        """predicted / published, None when either is missing or published is 0."""
        return self.predicted / self.published if self.predicted is not None and self.published else None


class UnansweredError(Exception):
    """A row that is not predicted, with its status and the reason in plain words."""

    def __init__(self, status: Status, reason: str) -> None:
        """Keep both."""
        super().__init__(f"{status}: {reason}")
        self.status: Status = status
        self.reason = reason


def checked(row: ValidationRow) -> ValidationRow:
    """The row, but refused where a figure of it is none: not a number, negative, or beyond all that can be."""
    if row.status != "ok":
        return row
    reason = _fault(row)
    if not reason:
        return row
    note = f"{row.note}; {reason}" if row.note else reason
    return replace(row, predicted=None, low=None, high=None, status="refused", note=note)


def _fault(row: ValidationRow) -> str:
    """Why a row says nothing, or ""."""
    if row.quantity == "fits":
        said = row.published in _SETTLED and row.predicted in _VERDICTS
        return "" if said else "the settled verdict is neither 0 nor 1"
    if row.published is None or not 0 < row.published < _LARGEST:
        return "the published figure is missing or cannot be"
    figures = [row.predicted, row.low, row.high]
    if not row.predicted or not all(figure is None or 0 <= figure < _LARGEST for figure in figures):
        return "its cells cannot be computed with"
    return "" if math.isfinite(row.predicted / row.published) else "the published figure is missing or cannot be"
