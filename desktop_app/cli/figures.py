"""`estimate` without --json: the figures as a person reads them in a terminal."""

from __future__ import annotations

from desktop_app.budget.budget import Budget
from desktop_app.foundation.formatting import compact, plain, significant, span
from desktop_app.foundation.units import BYTES_PER_GIB
from desktop_app.foundation.wording import Words

_HEADLINES = (
    ("cost.total", "figure.cost", ""),
    ("wall_days", "time.wall", "unit.days"),
    ("gpu_hours", "figure.gpu_hours", ""),
    ("energy_facility_kwh", "energy.facility", "unit.kwh"),
    ("co2e_kg_location", "carbon.location", "unit.kg"),
)


def figures_text(budget: Budget, words: Words) -> str:
    """Headlines with ranges, the verdict, the lines of money and what to know about them."""
    estimate, plan = budget.estimate, budget.estimate.plan
    parts = [
        f"{estimate.model.name}, {compact(estimate.job.tokens, 'en')} tokens, "
        f"{estimate.cluster.gpus} x {estimate.cluster.gpu.name}",
        "",
        *(_headline(budget, words, *row) for row in _HEADLINES),
        _row(words("memory.fits"), f"{words(f'verdict.{estimate.fits}')}: {_memory(budget)}"),
        _row(
            words("parallel.layout"),
            f"tp {plan.tp}, pp {plan.pp}, dp {plan.dp}, cp {plan.cp}, ep {plan.ep}, {estimate.sharding}, "
            f"micro-batch {plan.micro_batch}, recompute {estimate.recompute}",
        ),
        "",
        *(_row(words(f"ledger.{line.key}"), _money(budget, line.amount, words)) for line in budget.cost_lines),
        "",
        *(f"{problem.severity}: {words.sentence(problem)}" for problem in budget.problems),
    ]
    return "\n".join(parts).rstrip()


def _headline(budget: Budget, words: Words, key: str, label: str, unit: str) -> str:
    ranged = budget.ranged(key)
    name = budget.currency if key.startswith("cost.") else words(unit) if unit else ""
    if ranged.base is None:
        return _row(words(label), words("line.not_priced" if key.startswith("cost.") else "state.not_known"))
    text = f"{significant(ranged.base)} {name}".rstrip()
    if ranged.p10 is not None and ranged.p90 is not None:
        text += f"  (P10-P90: {span(significant(ranged.p10), significant(ranged.p90))})"
    if key == "cost.total" and ranged.p80 is not None:
        text += f"  {words('figure.ask')}: {significant(ranged.p80)}"
    return _row(words(label), text)


def _money(budget: Budget, amount: float | None, words: Words) -> str:
    return words("line.not_priced") if amount is None else f"{plain(amount)} {budget.currency}"


def _memory(budget: Budget) -> str:
    memory = budget.estimate.memory
    peak, capacity = (
        plain(value / BYTES_PER_GIB, 1) for value in (memory.peak, budget.estimate.cluster.gpu.usable_memory_bytes)
    )
    return f"{peak} of {capacity} GiB"


def _row(label: str, text: str) -> str:
    return f"{label:34} {text}"
