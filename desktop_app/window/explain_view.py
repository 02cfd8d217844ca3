"""What the explain panel says of one figure, as texts and numbers: the explanation, its source, bars and remedies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget
from desktop_app.budget.explain import ExplainedInput, Explanation, explain
from desktop_app.budget.host_memory import deciding_host_memory
from desktop_app.budget.ledger import Line
from desktop_app.budget.remedy_words import effort_words, memory_words
from desktop_app.estimation.results import Remedy
from desktop_app.foundation.formatting import compact, percent
from desktop_app.foundation.quantities import format_number, format_parts, format_source, format_span, format_unit
from desktop_app.foundation.wording import Words
from desktop_app.window.figures import SHORTENED_FROM, money_digits, price_line, row_words, why_unknown
from desktop_app.window.form import field_specs, value_words

_BIG_UNITS = ("kwh", "kg_co2e")  # shown as MWh and tonnes; a formula needs them as they are


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
    movers_unit: str  # of the texts at the ends of the bars
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
    told = _told(budget, key, words)
    value = budget.ledger.value(key)
    movers, movers_unit = _movers(budget, told, words)
    estimate = budget.estimate
    runs = estimate.closest_measured_runs if budget.ledger[key].group in ("speed", "run", "cost") else ()
    return ExplainView(
        told=told,
        source=_source(budget, key, words),
        base=value if value is not None else 0.0,
        movers=movers,
        movers_unit=movers_unit,
        runs=tuple(
            (
                words("explain.run", name=run.name, gpus=run.gpus, gpu=run.gpu),
                "" if run.mfu is None else f"MFU {percent(run.mfu, 1, words.language)}",
            )
            for run in runs
        ),
        remedies=tuple(_remedy(remedy, words) for remedy in estimate.remedies) if key == "memory.peak" else (),
    )


def _told(budget: Budget, key: str, words: Words) -> Explanation:
    """The explanation of `key`, its numbers in the units of its inputs as they are listed."""
    told, ledger = explain(budget, key, words), budget.ledger
    reason = why_unknown(budget, key, words) if ledger.value(key) is None else ""
    telling = explain(budget, _telling_line(budget, key), words)
    inputs = tuple(replace(part, value=_as_in_formula(budget, part, words)) for part in telling.inputs)
    result = _unscaled(budget, ledger[key], words) or told.value
    numbers = f"{telling.numbers} = {result}" if telling.numbers and not reason else ""
    host = deciding_host_memory(budget.estimate) if key == "memory.peak" else None
    if host is not None:
        reason = host.tell("explain.host_memory", words)
    return replace(told, formula=telling.formula, numbers=numbers, inputs=inputs, how=reason or told.how)


def _telling_line(budget: Budget, key: str) -> str:
    """The line whose formula says most: of one amount in US dollars that before it is converted at a rate of 1."""
    name = key.removeprefix("cost.")
    in_usd = (
        any(line.key == f"cost.{name}" for line in budget.cost_lines)
        and budget.currency == "USD"
        and budget.ledger.value("fx_rate") == 1
    )
    return f"usd.{name}" if in_usd else key


def _as_in_formula(budget: Budget, part: ExplainedInput, words: Words) -> str:
    return _unscaled(budget, budget.ledger[part.key], words) or part.value


def _unscaled(budget: Budget, line: Line, words: Words) -> str:
    """A value that is otherwise shown in a bigger unit, in the unit of the formula; "" for the others."""
    value = budget.ledger.value(line.key)
    if line.unit not in _BIG_UNITS or value is None:
        return ""
    unit = format_unit(line.unit, words)
    gap = "" if words.language == "zh" and not unit[0].isascii() else " "
    return f"{format_number(value, line.unit, words)}{gap}{unit}"


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
    return SourceBox(row_words(line, words), format_source(line.source, words), date, old)


def _movers(budget: Budget, told: Explanation, words: Words) -> tuple[tuple[MoverBar, ...], str]:
    """The bars, their ends on the scale of the figure itself, and the unit of these."""
    line, base = budget.ledger[told.key], budget.ledger.value(told.key)
    if base is None or not told.movers:
        return (), ""
    ends = tuple(end for mover in told.movers for end in (mover.swing.figure_low, mover.swing.figure_high))
    texts, unit = format_parts((base, *ends), line.unit, words, budget.currency, money_digits(budget, told.key))
    if abs(base) >= SHORTENED_FROM and unit == format_unit(line.unit, words, budget.currency):
        texts = tuple(compact(end, words.language) for end in (base, *ends))
    bars = tuple(
        MoverBar(
            name=mover.name,
            inputs=format_span(mover.swing.input_low, mover.swing.input_high, mover.swing.input_unit, words),
            low=mover.swing.figure_low,
            high=mover.swing.figure_high,
            low_text=texts[1 + 2 * number],
            high_text=texts[2 + 2 * number],
        )
        for number, mover in enumerate(told.movers)
    )
    return bars, unit


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
