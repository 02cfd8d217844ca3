"""What is inside a card, in a few words: what its header says while it is closed. No Qt here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_app.budget.budget import Budget
from desktop_app.estimation.parameters import count
from desktop_app.foundation.formatting import compact
from desktop_app.foundation.quantities import format_number
from desktop_app.foundation.records import Card
from desktop_app.foundation.wording import Words
from desktop_app.window.form import option_words


def summary(card: Card, budget: Budget, words: Words) -> str:
    """What is inside a card, in a few words."""
    return _SUMMARIES[card](budget, words)


def _model_summary(budget: Budget, words: Words) -> str:
    kind = words("model.moe" if budget.estimate.shape.experts else "model.dense")
    return words("summary.model", params=compact(count(budget.estimate.model).whole, words.language), kind=kind)


def _job_summary(budget: Budget, words: Words) -> str:
    job = budget.estimate.job
    method, precision = option_words("method", job.method, words), option_words("precision", job.precision, words)
    return words("summary.job", method=method, precision=precision)


def _cluster_summary(budget: Budget, words: Words) -> str:
    cluster = budget.estimate.cluster
    key = "summary.cluster_one" if cluster.nodes == 1 else "summary.cluster"
    return words(key, nodes=cluster.nodes, per_node=cluster.gpus_per_node)


def _price_summary(budget: Budget, words: Words) -> str:
    purchase = option_words("purchase", budget.scenario.price.purchase, words)
    price = budget.ledger.value("price_usd_per_gpu_hour")
    if price is None:
        return f"{words('line.not_priced')}{words('list.comma')}{purchase}"
    return words("summary.price", price=format_number(price, "usd_per_gpu_hour", words), purchase=purchase)


def _beside_summary(budget: Budget, words: Words) -> str:
    missing = len(budget.not_priced)
    return words("summary.beside", count=missing) if missing else words("summary.beside_all")


def _energy_summary(budget: Budget, words: Words) -> str:
    ledger = budget.ledger
    pue, grid = (format_number(ledger.value(key), ledger[key].unit, words) for key in ("pue", "grid_g_per_kwh"))
    return words("summary.energy", pue=pue, grid=grid)


_SUMMARIES: Mapping[Card, Callable[[Budget, Words], str]] = {
    "model": _model_summary,
    "job": _job_summary,
    "cluster": _cluster_summary,
    "price": _price_summary,
    "beside": _beside_summary,
    "energy": _energy_summary,
}
