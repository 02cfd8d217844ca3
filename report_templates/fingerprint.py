"""A short mark of all figures of a budget, so that two documents can be told to rest on the same result."""

from __future__ import annotations

import hashlib
import json

from desktop_app.budget.budget import Budget


def result_mark(budget: Budget) -> str:
    """Eight hexadecimal digits such as "7C41-09E2": alike for alike figures, in every language and document.

    Twelve digits of each figure count, because the last bits may differ between machines.
    """
    ledger = budget.ledger
    return _mark(budget.currency, *(f"{line.key}={_told(ledger.value(line.key))}" for line in ledger))


def engine_mark(budget: Budget) -> str:
    """The same of what only the program can compute, step time and memory, and of the choices it computed them from."""
    ledger, scenario = budget.ledger, budget.scenario
    predicted = [line.key for line in ledger if line.tag == "predicted" or line.group == "memory"]
    parts = (scenario.model, scenario.job, scenario.cluster)
    chosen = (json.dumps(part.model_dump(), default=str, sort_keys=True) for part in parts)  # ASCII, whatever a name is
    return _mark(*chosen, *(f"{key}={_told(ledger.value(key))}" for key in predicted))


def _mark(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest().upper()
    return f"{digest[:4]}-{digest[4:8]}"


def _told(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.12g}"
