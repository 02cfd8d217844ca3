"""`compare`: one job bought in every way, or in every place that sells its GPU, as rows for a table or for JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from desktop_app.budget.budget import Budget
from desktop_app.budget.elsewhere import offers_elsewhere
from desktop_app.budget.purchases import PurchaseOption, purchase_options
from desktop_app.foundation.wording import Words
from pricing.catalogue import Catalogue

Row = dict[str, Any]


def comparison(by: str, budget: Budget, catalogue: Catalogue, words: Words) -> list[Row]:
    """The rows of one comparison: "purchases", cheapest first, or "places", cheapest first with the rank by carbon."""
    if by == "purchases":
        return [_purchase(option, words) for option in purchase_options(budget, catalogue)]
    return [dataclasses.asdict(offer) for offer in offers_elsewhere(budget, catalogue)]


def _purchase(option: PurchaseOption, words: Words) -> Row:
    return {
        "purchase": option.purchase,
        "usd_per_gpu_hour": option.usd_per_gpu_hour,
        "gpu_hours_used": option.hours_used,
        "gpu_hours_paid": option.hours_paid,
        "wall_days": option.wall_days,
        "cost_usd": option.cost.base,
        "p80_usd": option.cost.p80,
        "break_even": option.break_even,
        "row": option.row_text,
        "as_of": option.as_of,
        "complete": option.complete,
        "not_priced": ", ".join(key.removeprefix("cost.") for key in option.not_priced),
        "notes": " ".join(words.sentence(problem) for problem in option.problems),
    }
