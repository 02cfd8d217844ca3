"""`estimate` without --json: the figures as a person reads them in a terminal."""

from __future__ import annotations

from desktop_app.budget.budget import Budget
from desktop_app.budget.explain import never_ends
from desktop_app.budget.remedy_words import effort_words, memory_words
from desktop_app.estimation.results import Remedy
from desktop_app.foundation.formatting import compact
from desktop_app.foundation.quantities import format_span, format_value
from desktop_app.foundation.wording import Words

# the ledger line of each headline -> its words
_HEADLINES = {
    "cost.total": "figure.cost_base",
    "wall_days": "time.wall",
    "gpu_hours": "figure.gpu_hours",
    "energy_facility_kwh": "energy.facility",
    "co2e_kg_location": "figure.carbon_location",
}


def figures_text(budget: Budget, words: Words) -> str:
    """Headlines with ranges, the verdict, the lines of money and what to know about them."""
    estimate, plan = budget.estimate, budget.estimate.plan
    layout = (
        f"tp {plan.tp}, pp {plan.pp}, dp {plan.dp}, cp {plan.cp}, ep {plan.ep}, {estimate.sharding}, "
        f"micro-batch {plan.micro_batch}, recompute {estimate.recompute}"
    )
    parts = [
        f"{estimate.model.name}, {compact(estimate.job.tokens, words.language)} tokens, "
        f"{estimate.cluster.gpus} x {estimate.cluster.gpu.name}",
        "",
        *(_headline(budget, words, key, label) for key, label in _HEADLINES.items()),
        _row(words("figure.ask"), _money(budget, budget.ledger.value("cost.ask"), words)),
        *_committed(budget, words),
        _row(words("memory.fits"), _memory(budget, words)),
        *(_row("", _remedy(remedy, words)) for remedy in estimate.remedies),
        _row(words("parallel.layout"), layout),
        "",
        *(_row(words(f"ledger.{line.key}"), _money(budget, line.amount, words)) for line in budget.cost_lines),
        "",
        *(f"{problem.severity}: {words.sentence(problem)}" for problem in budget.problems),
    ]
    return "\n".join(parts).rstrip()


def _committed(budget: Budget, words: Words) -> tuple[str, ...]:
    """What a contract binds; no row for a purchase without one."""
    if "cost.committed" not in budget.ledger:
        return ()
    return (_row(words("figure.committed"), _money(budget, budget.ledger.value("cost.committed"), words)),)


def _headline(budget: Budget, words: Words, key: str, label: str) -> str:
    ranged, unit = budget.ranged(key), budget.ledger[key].unit
    if never_ends(budget, key):
        return _row(words(label), words("state.never_finishes"))
    if key == "cost.total" and ranged.base is None:
        return _row(words(label), words("line.not_priced"))
    text = format_value(ranged.base, unit, words, budget.currency)
    if ranged.p10 is not None and ranged.p90 is not None:
        span = format_span(ranged.p10, ranged.p90, unit, words, budget.currency, measure=ranged.base)
        text += f"  (P10-P90: {span})"
    return _row(words(label), text)


def _money(budget: Budget, amount: float | None, words: Words) -> str:
    if amount is None:
        return words("line.not_priced")
    return format_value(amount, "currency", words, budget.currency, int(budget.ledger.value("money_digits") or 0))


def _memory(budget: Budget, words: Words) -> str:
    peak, usable = (format_value(budget.ledger.value(key), "byte", words) for key in ("memory.peak", "memory.usable"))
    return f"{words(f'verdict.{budget.estimate.fits}')}: {peak} / {usable}"


def _remedy(remedy: Remedy, words: Words) -> str:
    value = f"{remedy.value:g}" if isinstance(remedy.value, float) else remedy.value
    effect = f"{memory_words(remedy, words)}, {effort_words(remedy, words)}"
    return f"{words(f'field.{remedy.field}')} {value}: {words(f'verdict.{remedy.fits}')}, {effect}"


def _row(label: str, text: str) -> str:
    return f"{label:40} {text}"
