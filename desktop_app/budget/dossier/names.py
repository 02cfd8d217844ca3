"""What the lines of schedule and risk register are called; those of the ledger keep their own names."""

from __future__ import annotations

from desktop_app.foundation.wording import Words

_MONTH, _RISK, _OF_A_RISK = "month", "risk", 3  # parts of a key such as "risk.speed.money"


def line_title(key: str, words: Words) -> str:
    """What a line is called, without its month or its risk: "Cumulative spend", "Expected amount"."""
    parts = key.split(".")
    if parts[0] == _MONTH:
        figure = ".".join(parts[2:])
        return words(f"ledger.{figure}" if figure.startswith("cost.") else f"schedule.{figure}")
    if parts[0] == _RISK and len(parts) == _OF_A_RISK:
        return words(f"register.{parts[2]}")
    return words(f"ledger.{key}")
