"""One price of a sheet before it is judged, in the currency it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pricing.importers.limits import MOST_NAME_CHARACTERS

_FORMULA = re.compile(r"[=@]|[+-](?=[^\W\d])")  # how a cell begins that a spreadsheet would run


@dataclass(frozen=True, slots=True)
class Draft:
    """One price of one thing. `amount` is per instance hour in `currency`; `rows` the lines it was made of."""

    row: int
    provider: str
    region: str
    zone: str  # "" where none is named
    instance_type: str
    gpu: str
    gpu_count: int
    purchase: str
    amount: float
    currency: str
    as_of: str
    valid_until: str | None = None
    notes: str = ""
    rows: tuple[int, ...] = ()

    @property
    def thing(self) -> tuple[str, str, str, str, int]:
        """What is sold, whatever the purchase type, the zone and the date."""
        return (self.provider, self.region, self.instance_type, self.gpu, self.gpu_count)


def is_formula(text: str) -> bool:
    """Whether a text would be run as a formula by a spreadsheet that it is written into."""
    return _FORMULA.match(text) is not None


def kept_name(text: str) -> str:
    """A name of the file as it is kept: short enough to be shown."""
    return text[:MOST_NAME_CHARACTERS].strip()
