"""What the explain panel says of one figure, as texts and numbers: the explanation, its source, bars and remedies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget
from desktop_app.budget.explain import Explanation, explain
from desktop_app.budget.remedy_words import effort_words, memory_words
from desktop_app.estimation.results import Remedy
from desktop_app.foundation.formatting import compact, percent
from desktop_app.foundation.quantities import format_source, format_span
from desktop_app.foundation.wording import Words
from desktop_app.window.figures import price_line, row_words
from desktop_app.window.form import field_specs, value_words


@dataclass(frozen=True, slots=True)
class SourceBox:
    """The box of the source: which row, of what, of when, and how old."""

    row: str
    name: str
    date: str
    old: str


@dataclass(frozen=True, slots=True)
class MoverBar:
    """One bar of the small tornado. Numbers place it, texts stand at its ends."""

    name: str
    inputs: str
    low: float
    high: float
    low_text: str
    high_text: str


@dataclass(frozen=True, slots=True)
class RemedyLink:
    """A change that would make the job fit, in words, and how to make it."""

    words: str
    field: str
    value: str | float


@dataclass(frozen=True, slots=True)
class ExplainView:
    """Everything in the panel."""

    told: Explanation
    source: SourceBox | None
    base: float
    movers: tuple[MoverBar, ...]
    runs: tuple[tuple[str, str], ...]
    remedies: tuple[RemedyLink, ...]

    def as_text(self) -> str:
        """The panel for the clipboard."""
        told = self.told
        lines = [f"{told.title}: {told.value}", told.formula, told.numbers, told.how, told.range_text]
        lines += [f"{part.name}: {part.value}" for part in told.inputs]
        if self.source is not None:
            lines.append(", ".join(text for text in (self.source.row, self.source.name, self.source.date) if text))
        return "\n".join(line for line in lines if line)


def explain_view(budget: Budget, key: str, words: Words) -> ExplainView:
    """What to show of the line `key`."""
    told = replace(explain(budget, _telling_line(budget, key), words), key=key, title=words(f"ledger.{key}"))
    value = budget.ledger.value(key)
    estimate = budget.estimate
    runs = estimate.closest_measured_runs if budget.ledger[key].group in ("speed", "run", "cost") else ()
    return ExplainView(
        told=told,
        source=_source(budget, key, words),
        base=value if value is not None else 0.0,
        movers=_movers(told, words),
        runs=tuple(
            (
                words("explain.run", name=run.name, gpus=run.gpus, gpu=run.gpu),
                "" if run.mfu is None else f"MFU {percent(run.mfu, 1, words.language)}",
            )
            for run in runs
        ),
        remedies=tuple(_remedy(remedy, words) for remedy in estimate.remedies) if key == "memory.peak" else (),
    )


def _telling_line(budget: Budget, key: str) -> str:
    """The line whose formula says most: in US dollars the amount before it is converted at a rate of 1."""
    in_usd = key.replace("cost.", "usd.", 1)
    return in_usd if budget.currency == "USD" and in_usd in budget.ledger else key


def _source(budget: Budget, key: str, words: Words) -> SourceBox | None:
    """The source of a given figure, or of the price that a line of money rests on."""
    line = budget.ledger[key]
    if line.expression is not None:
        price = price_line(budget, key) if line.group == "cost" else None
        if price is None:
            return None
        line = price
    cost = next((cost for cost in budget.cost_lines if cost.key == key), None)
    old = words("explain.old", days=cost.age_days) if cost is not None and cost.old and cost.age_days else ""
    date = words("explain.as_of", date=line.source.as_of) if line.source.as_of else ""
    return SourceBox(row_words(budget, line, words), format_source(line.source, words), date, old)


def _movers(told: Explanation, words: Words) -> tuple[MoverBar, ...]:
    return tuple(
        MoverBar(
            name=mover.name,
            inputs=format_span(mover.swing.input_low, mover.swing.input_high, mover.swing.input_unit, words),
            low=mover.swing.figure_low,
            high=mover.swing.figure_high,
            low_text=compact(mover.swing.figure_low, words.language),
            high_text=compact(mover.swing.figure_high, words.language),
        )
        for mover in told.movers
    )


def _remedy(remedy: Remedy, words: Words) -> RemedyLink:
    spec = next(spec for spec in field_specs() if spec.key == remedy.field)
    value = value_words(spec, remedy.value, words)
    text = words(
        "explain.remedy",
        field=words(f"field.{remedy.field}"),
        value=value,
        memory=memory_words(remedy, words),
        effort=effort_words(remedy, words),
    )
    return RemedyLink(text, remedy.field, remedy.value)
