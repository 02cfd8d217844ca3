"""Why a figure is what it is: its formula in words and in numbers, its inputs, its source, and what moves it most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop_app.budget.budget import Budget
from desktop_app.budget.ledger import Line, Tag
from desktop_app.budget.uncertainty import Swing, tornado
from desktop_app.foundation.quantities import format_number, format_source, format_span, format_value
from desktop_app.foundation.wording import Words

_MOVERS = 3  # more would not be read


@dataclass(frozen=True, slots=True)
class ExplainedInput:
    """A figure that the explained one is computed from."""

    key: str
    name: str
    value: str
    tag: Tag


@dataclass(frozen=True, slots=True)
class Mover:
    """A driver, its input at P10 and P90, and the explained figure at each, as texts."""

    name: str
    input_low: str
    input_high: str
    figure_low: str
    figure_high: str
    swing: Swing  # the numbers behind the texts, for a chart


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything "explain this number" says. Empty texts are left out by the renderings."""

    key: str
    title: str
    value: str
    tag: Tag
    formula: str  # in words
    numbers: str  # the same with the numbers filled in
    how: str  # how the engine found it
    inputs: tuple[ExplainedInput, ...]
    source: str
    as_of: str
    row_text: str  # which row of a table
    range_text: str  # P10 to P90
    movers: tuple[Mover, ...]
    field: str  # the choice that the figure shows, if any


def explain(budget: Budget, key: str, words: Words) -> Explanation:
    """The explanation of the line `key`. KeyError if there is none."""
    ledger = budget.ledger
    line = ledger[key]
    formula, numbers = formula_texts(budget, key, words)
    return Explanation(
        key=key,
        title=line_name(key, words),
        value=line_text(budget, key, words),
        tag=line.tag,
        formula=formula,
        numbers=numbers,
        how=how_text(key, words),
        inputs=tuple(
            ExplainedInput(part.key, line_name(part.key, words), line_text(budget, part.key, words), part.tag)
            for part in ledger.inputs_of(key)
        ),
        source=format_source(line.source, words),
        as_of=line.source.as_of,
        row_text=row_words(line.row_text, words),
        range_text=range_text(budget, key, words),
        movers=_movers(budget, key, words),
        field=line.field,
    )


def formula_texts(budget: Budget, key: str, words: Words) -> tuple[str, str]:
    """The formula of a line in words, and with the numbers filled in; two empty texts for a given value."""
    ledger = budget.ledger
    expression = ledger[key].expression
    if expression is None:
        return "", ""
    phrase = _phrases(words)
    formula = expression.tell(lambda name: line_name(name, words), phrase)
    return formula, expression.tell(lambda name: _in_formula(budget, ledger[name], words), phrase)


def how_text(key: str, words: Words) -> str:
    """How the engine found a predicted figure; "" where the catalogue does not say."""
    return words(f"how.{key}") if words.has(f"how.{key}") else ""


def line_name(key: str, words: Words) -> str:
    """What a line is called."""
    return words(f"ledger.{key}")


def row_words(row_text: str, words: Words) -> str:
    """Which row of a table: purchase, tier and basis in words; codes and names stay as they are."""
    parts = row_text.split(", ")
    return words("list.comma").join(_row_word(part, words) for part in parts)


def _row_word(part: str, words: Words) -> str:
    keys = (f"{group}.{part.replace('-', '_')}" for group in ("purchase", "tier", "basis"))
    return next((words(key) for key in keys if words.has(key)), part)


def line_text(budget: Budget, key: str, words: Words) -> str:
    """The value of a line with its unit, money with as many decimals as the other amounts of this budget.

    Money that is not known is not priced.
    """
    line = budget.ledger[key]
    if never_ends(budget, key):
        return words("state.never_finishes")
    if budget.ledger.value(key) is None and line.is_money:
        return words("line.not_priced")
    return format_value(budget.ledger.value(key), line.unit, words, budget.currency, _digits(budget, line))


def never_ends(budget: Budget, key: str) -> bool:
    """Whether a figure is unknown because the run makes no progress and so never finishes."""
    ledger = budget.ledger
    if ledger.value("goodput") is not None or ledger.value(key) is not None:
        return False
    return key == "goodput" or ledger.rests_on(key, "goodput")


def range_text(budget: Budget, key: str, words: Words) -> str:
    """P10 – P90 of a figure that has a range, else ""."""
    if f"{key}.p10" not in budget.ledger:
        return ""
    ends, line = budget.ranged(key), budget.ledger[key]
    return format_span(ends.p10, ends.p90, line.unit, words, budget.currency, _digits(budget, line), ends.base)


def _digits(budget: Budget, line: Line) -> int | None:
    digits = budget.ledger.value("money_digits")
    return int(digits) if line.unit in ("usd", "currency") and digits is not None else None


def _in_formula(budget: Budget, line: Line, words: Words) -> str:
    return format_number(budget.ledger.value(line.key), line.unit, words, _digits(budget, line))


def _movers(budget: Budget, key: str, words: Words) -> tuple[Mover, ...]:
    ledger = budget.ledger
    unit, digits = ledger[key].unit, _digits(budget, ledger[key])

    def figure(value: float) -> str:
        return format_value(value, unit, words, budget.currency, digits)

    return tuple(
        Mover(
            name=words(f"driver.{swing.driver}"),
            input_low=format_value(swing.input_low, swing.input_unit, words),
            input_high=format_value(swing.input_high, swing.input_unit, words),
            figure_low=figure(swing.figure_low),
            figure_high=figure(swing.figure_high),
            swing=swing,
        )
        for swing in tornado(ledger, key)[:_MOVERS]
    )


def _phrases(words: Words) -> Callable[[str], str]:
    return lambda function: words(f"formula.{function.lower()}")
