"""One row of a validation: a published quantity and what we predict for it."""

from dataclasses import dataclass
from typing import Literal

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
