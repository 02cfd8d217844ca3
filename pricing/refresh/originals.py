"""What a seller bills in another currency than USD: the amount and the dated rate, read from the words of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pricing.refresh.rows import ROUNDING, Drop, SourceRow

USD = "USD"
COLUMNS = ("amount_original", "usd_per_original", "rate_as_of")
_CONVERTED = re.compile(
    r"\b(?P<currency>[A-Z]{3}) (?P<amount>\d+(?:\.\d+)?)(?:/h)? converted at (?P<per_usd>\d+(?:\.\d+)?)"
    r"(?: (?P<rate_currency>[A-Z]{3}) per USD)?(?: \(ECB (?:reference rate )?(?P<day>\d{4}-\d{2}-\d{2})\))?"
)
"""Sources write "CNY 19.03/h converted at 7.1 CNY per USD" or "CNY 0.12 converted at 6.6529 (ECB 2026-10-30)"."""


@dataclass(frozen=True, slots=True)
class Original:
    """An amount as the seller states it; `rate_as_of` is "" where the source does not date the rate."""

    currency: str
    amount: str
    usd_per_original: str
    rate_as_of: str

    @property
    def usd(self) -> float:
        """The amount at its rate."""
        return float(self.amount) * float(self.usd_per_original)

    def cells(self) -> dict[str, str]:
        """The columns of the table."""
        values = (self.amount, self.usd_per_original, self.rate_as_of)
        return dict(zip(COLUMNS, values, strict=True))


def original_of(words: str) -> Original | None:
    """The conversion that `words` state; None where they state none, or one between two other currencies."""
    found = _CONVERTED.search(words)
    if found is None or found["rate_currency"] not in (None, found["currency"]) or not float(found["per_usd"]):
        return None
    rate = f"{1 / float(found['per_usd']):.9g}"  # sources print the rate to at most 6 digits
    return Original(found["currency"], found["amount"], rate, found["day"] or "")


def original_cells(words: str) -> dict[str, str]:
    """The cells of the conversion that `words` state, empty for an amount in USD."""
    found = original_of(words)
    return dict.fromkeys(COLUMNS, "") if found is None else found.cells()


def original_fault(row: SourceRow, currency: str, words: str, usd: float) -> Drop | None:
    """Refused when a foreign amount is not stated, is in a currency other than `currency`, or does not make `usd`."""
    found = original_of(words)
    if found is None:
        return None if currency == USD else Drop(row, "original_amount_missing", currency)
    if found.currency != currency:
        return Drop(row, "original_currency_differs", f"{currency}, but converted from {found.currency}")
    if abs(found.usd - usd) > ROUNDING * usd:
        return Drop(row, "original_amount_differs", f"{found.amount} x {found.usd_per_original} is not {usd:g}")
    return None
