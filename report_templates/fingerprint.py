"""A short mark of all figures of a budget, so that two documents can be told to rest on the same result."""

from __future__ import annotations

import hashlib

from desktop_app.budget.budget import Budget


def result_mark(budget: Budget) -> str:
    """Eight hexadecimal digits such as "7C41-09E2": alike for alike figures, in every language and document.

    Twelve digits of each figure count, because the last bits may differ between machines.
    """
    ledger = budget.ledger
    told = (f"{line.key}={_told(ledger.value(line.key))}" for line in ledger)
    digest = hashlib.sha256("\n".join((budget.currency, *told)).encode()).hexdigest().upper()
    return f"{digest[:4]}-{digest[4:8]}"


def _told(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.12g}"
