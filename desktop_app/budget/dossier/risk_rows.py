"""The rows of tables/risks.csv: how likely each risk is taken to be, who owns it, and when it applies."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.thresholds import modifies, thresholds_of
from desktop_app.foundation.records import Source

_LARGE = 64  # GPUs: eight servers of eight, which sellers rarely have free at once, and where failures begin to count
_NEAR = 0.2  # of a threshold: runs beside the final one took four fifths of all compute of Olmo 3 (2025)


@dataclass(frozen=True, slots=True)
class RiskRow:
    """One row. Of the rows of one risk the first that applies is taken."""

    key: str
    applies: str
    likelihood: int
    probability: float
    owner: str
    source: Source


def _large(budget: Budget) -> bool:
    return budget.estimate.cluster.gpus >= _LARGE


def _rented(budget: Budget) -> bool:
    return budget.scenario.price.purchase != "owned"


def _near_threshold(budget: Budget) -> bool:
    return any(line.share is not None and _NEAR <= line.share < 1 for line in thresholds_of(budget))


def _price_moves(budget: Budget) -> bool:
    """Unless the price was typed in, and is taken at its word."""
    high = budget.ledger.value("driver.price.high")
    return high is None or high > 1


def _egress_open(budget: Budget) -> bool:
    return _rented(budget) and "cost.egress" in budget.not_priced


def _shared_contract(budget: Budget) -> bool:
    return "contracts" in budget.ledger and bool(budget.ledger.value("unused_elsewhere_percent"))


APPLIES: Mapping[str, Callable[[Budget], bool]] = {
    "always": lambda budget: True,
    "does_not_fit": lambda budget: budget.estimate.fits == "no",
    "tight": lambda budget: budget.estimate.fits in ("tight", "unknown"),
    "spot": lambda budget: budget.scenario.price.purchase == "spot",
    "rented": _rented,
    "rented_large": lambda budget: _rented(budget) and _large(budget),
    "large": _large,
    "from_nothing": lambda budget: not modifies(budget),
    "price_moves": _price_moves,
    "converted": lambda budget: budget.currency != "USD",
    "egress_open": _egress_open,
    "shared_contract": _shared_contract,
    "carbon_known": lambda budget: budget.ledger.value("co2e_kg_location") is not None,
    "near_threshold": _near_threshold,
}
"""What the column `applies` may say."""


def applying(budget: Budget) -> tuple[RiskRow, ...]:
    """The risks of a budget, each once."""
    found: dict[str, RiskRow] = {}
    for row in risk_rows():
        if row.key not in found and APPLIES[row.applies](budget):
            found[row.key] = row
    return tuple(found.values())


@lru_cache(maxsize=1)
def risk_rows() -> tuple[RiskRow, ...]:
    """All rows. ValueError for one without source or date, or with figures that cannot be: our bug."""
    text = (resources.files(__package__) / "tables" / "risks.csv").read_text("utf-8")
    return tuple(_row(cells) for cells in csv.DictReader(text.splitlines()))


def _row(cells: dict[str, str]) -> RiskRow:
    key, likelihood, probability = cells["key"], int(cells["likelihood"]), float(cells["probability"])
    if not cells["source"] or not cells["as_of"] or not 1 <= likelihood <= 5 or not 0 < probability < 1:
        raise ValueError(f"risk {key} has no source or date, or a likelihood that cannot be")
    source = Source(cells["source"], cells["as_of"])
    return RiskRow(key, cells["applies"], likelihood, probability, cells["owner"], source)
