"""What the window says of a budget, as records of text: tiles, verdict, bars, table rows, summaries. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop_app.budget.budget import Budget, CostLine
from desktop_app.budget.explain import never_ends
from desktop_app.budget.explain import row_words as told_row
from desktop_app.budget.host_memory import HostMemory, deciding_host_memory
from desktop_app.budget.ledger import Line
from desktop_app.estimation.results import Fits
from desktop_app.foundation.formatting import compact, percent, plain
from desktop_app.foundation.number_reading import shown_number
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.quantities import format_number, format_parts, format_source, format_unit
from desktop_app.foundation.units import BYTES_PER_GIB
from desktop_app.foundation.wording import Words
from desktop_app.window.form import seller_named, sentence


@dataclass(frozen=True, slots=True)
class TileFigure:
    """One big figure. `low` to `ask` place the whisker; all None when the figure is unknown, and `reason` says why."""

    key: str
    label: str
    short_label: str
    before: str
    value: str
    short: str  # fewer digits, for a narrow tile
    unit: str
    left: str
    right: str
    accented: bool  # the right text is the amount to approve
    low: float | None
    base: float | None
    high: float | None
    ask: float | None
    reason: str
    brief: str  # the reason in a few words, for the tile itself
    link_field: str  # the choice that would mend an unknown figure
    link: str  # in words
    spoken: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it fits: the word, one line of fact, and the parts of the memory bar in bytes."""

    fits: Fits
    label: str
    word: str
    fact: str
    short_fact: str
    parts: tuple[tuple[str, float], ...]
    allowance: tuple[float, float]  # central, high
    capacity: float
    spoken: str


@dataclass(frozen=True, slots=True)
class CostRow:
    """One row of the table and bar of the chart."""

    key: str
    item: str
    amount: str
    value: float | None
    share: float | None
    share_text: str
    source: str
    source_row: str  # the whole row of the price table
    age: str
    old: bool
    link: bool  # the source says how to come by a missing price
    price_field: str  # the choice that enters it, else "": the link then explains


@dataclass(frozen=True, slots=True)
class SumRow:
    """One row under the table: total, contingency, amount to approve."""

    key: str
    item: str
    amount: str
    note: str
    strong: bool


_TILES = (
    ("tile.cost", "cost.total", ("price_usd_per_gpu_hour", "region", "provider", "own_server_usd_per_gpu")),
    ("tile.days", "wall_days", ()),
    ("tile.energy", "energy_facility_kwh", ("node_power_kw", "pue")),
    ("tile.carbon", "co2e_kg_location", ("grid_g_per_kwh", "node_power_kw", "pue")),
)
SHORTENED_FROM = 10_000  # ranges and Chinese figures say 57.3k and 5.73万 from here on
_SEVERITIES = ("error", "warning", "note")
_MEMORY_TERMS = ("weights", "gradients", "optimizer", "activations", "logits", "buffers")


def tiles(budget: Budget, words: Words) -> tuple[TileFigure, ...]:
    """The four big figures."""
    return tuple(_tile(budget, words, *row) for row in _TILES)


def _tile(budget: Budget, words: Words, label_key: str, key: str, fields: tuple[str, ...]) -> TileFigure:
    ranged, label = budget.ranged(key), words(label_key)
    if ranged.base is None:
        return _unknown_tile(budget, words, key, label_key, fields)
    money = key.startswith("cost.")
    ends = (ranged.base, ranged.p10, ranged.p80, ranged.p90)
    known = tuple(ranged.base if end is None else end for end in ends)
    unit_code = budget.ledger[key].unit
    (value, low, ask, high), unit = format_parts(known, unit_code, words, budget.currency, money_digits(budget, key))
    short, right = value, ""
    if ranged.base >= SHORTENED_FROM and unit == format_unit(unit_code, words, budget.currency):
        short, low, ask, high = (compact(end, words.language) for end in known)
        value = short if words.language == "zh" else value
        right = words("tile.ask", amount=ask) if money else ""
    elif money:
        right = words("tile.ask", amount=ask)
    if key == "wall_days":
        hours = budget.ledger.value("gpu_hours")
        right = words("tile.gpu_hours", hours=compact(hours, words.language)) if hours is not None else ""
    before = unit if money and words.language == "en" else ""
    full = f"{value} {unit}".strip()
    return TileFigure(
        key=key,
        label=label,
        short_label=words(f"{label_key}_short"),
        before=before,
        value=value,
        short=short,
        unit="" if before else unit,
        left=words("tile.range" if money else "tile.span", low=low, high=high),
        right=right,
        accented=money,
        low=ranged.p10,
        base=ranged.base,
        high=ranged.p90,
        ask=ranged.p80 if money else None,
        reason="",
        brief="",
        link_field="",
        link="",
        spoken=words("tile.spoken", label=label, value=full, low=low, high=high) + (f", {right}" if right else ""),
    )


def _unknown_tile(budget: Budget, words: Words, key: str, label_key: str, fields: tuple[str, ...]) -> TileFigure:
    """A figure that is not known: why, and which choice would mend it. Never 0."""
    label, short = words(label_key), words(f"{label_key}_short")
    value = words("line.not_priced" if key == "cost.total" else "state.not_known")
    endless = never_ends(budget, key)
    problem = _endless(budget) if endless else _gravest(budget, fields)
    if endless and problem is not None:
        value, fields = words("state.never_finishes"), (problem.field,)
    reason, brief = _told(problem, words), _told(problem, words, brief=True)
    spoken = f"{words('tile.spoken_bare', label=label, value=value)}. {reason}".strip()
    link_field = fields[0] if fields else ""
    priceless = key == "cost.total" and not endless
    link = words("action.enter_price" if priceless else "strip.go") if fields else ""
    unknown: tuple[None, None, None, None] = (None, None, None, None)
    return TileFigure(
        key, label, short, "", value, value, "", "", "", False, *unknown, reason, brief, link_field, link, spoken
    )


def _gravest(budget: Budget, fields: tuple[str, ...]) -> Problem | None:
    """The gravest problem of some choices; None when there is none."""
    found = [problem for field in fields for problem in budget.problems if problem.field == field]
    return min(found, key=lambda problem: _SEVERITIES.index(problem.severity), default=None)


def _endless(budget: Budget) -> Problem:
    """Why the run never finishes."""
    return next(problem for problem in budget.problems if problem.key.startswith("problem.never_finishes"))


def _told(problem: Problem | None, words: Words, brief: bool = False) -> str:
    """A problem in words, or in few where the catalogue has them; "" for none."""
    if problem is None:
        return ""
    short = f"{problem.key}.short"
    return sentence(replace(problem, key=short) if brief and words.has(short) else problem, words)


def why_unknown(budget: Budget, key: str, words: Words) -> str:
    """Why a figure of money is not known, in words; "" for others."""
    if never_ends(budget, key):
        return _told(_endless(budget), words)
    line = next((line for line in budget.cost_lines if line.key == key), None)
    if line is None:
        return _told(_gravest(budget, _TILES[0][2]), words) if key.startswith("cost.") else ""
    missing = budget.missing(line)
    told = _told(_gravest(budget, (missing,)), words) if missing else ""
    if told or not missing:
        return told or _told(_gravest(budget, ("checkpoints_kept", *_TILES[0][2])), words)
    return words("why.not_stated", choice=words(f"field.{missing}"))


def money_digits(budget: Budget, key: str) -> int | None:
    """The decimals of an amount of money; None for other figures."""
    digits = budget.ledger.value("money_digits")
    return int(digits) if key.startswith("cost.") and digits is not None else None


def verdict(budget: Budget, words: Words) -> Verdict:
    """The fits verdict with its memory bar: of the GPU, or of the host where that decides."""
    estimate = budget.estimate
    host = deciding_host_memory(estimate)
    if host is not None:
        return _host_verdict(estimate.fits, host, words)
    memory = estimate.memory
    capacity = estimate.cluster.gpu.usable_memory_bytes
    low, high = (plain(value / BYTES_PER_GIB, 0) for value in (memory.peak_low, memory.peak_high))
    peak, whole = (format_number(value, "byte", words) for value in (memory.peak, capacity))
    word = words(f"verdict.{estimate.fits}")
    fact = words("tile.memory", low=low, high=high, capacity=whole, peak=peak)
    return Verdict(
        fits=estimate.fits,
        label=words("memory.fits"),
        word=word,
        fact=fact,
        short_fact=words("tile.memory_short", capacity=whole, peak=peak),
        parts=tuple((words(f"memory.{name}"), getattr(memory, name)) for name in _MEMORY_TERMS),
        allowance=(memory.allowance, memory.allowance_high),
        capacity=capacity,
        spoken=words("tile.memory_spoken", verdict=word, fact=fact),
    )


def _host_verdict(fits: Fits, host: HostMemory, words: Words) -> Verdict:
    """The verdict where host memory decides it."""
    label, word, fact = words("memory.fits_host"), words(f"verdict.{fits}"), host.tell("tile.host_memory", words)
    return Verdict(
        fits=fits,
        label=label,
        word=word,
        fact=fact,
        short_fact=host.tell("tile.host_memory_short", words),
        parts=((words("field.host_memory_gib_per_node"), host.needed_bytes),),
        allowance=(0.0, 0.0),
        capacity=host.needed_bytes if host.given_bytes is None else host.given_bytes,
        spoken=f"{words('tile.spoken_bare', label=label, value=word)}. {fact}",
    )


def cost_rows(budget: Budget, words: Words) -> tuple[CostRow, ...]:
    """The lines of money in the order of the ledger; those that are not priced stand last."""
    lines = sorted(budget.cost_lines, key=lambda line: line.amount is None)
    return tuple(_cost_row(budget, line, words) for line in lines)


def _cost_row(budget: Budget, line: CostLine, words: Words) -> CostRow:
    priced = line.amount is not None
    endless = never_ends(budget, line.key)
    field = "" if endless else budget.missing(line)
    if priced:
        amount = plain(line.amount or 0, money_digits(budget, line.key))
        source = price_source(line.basis, words)
        source_row = row_words(line.basis, words)
    else:
        price = field in ("price_usd_per_gpu_hour", "own_server_usd_per_gpu")
        source = words("table.enter_price" if price else "table.enter_value" if field else "table.why_not_priced")
        amount = words("state.never_finishes" if endless else "line.not_priced")
        source_row = why_unknown(budget, line.key, words)
    age = "–" if line.age_days is None or not priced else plain(line.age_days)
    return CostRow(
        key=line.key,
        item=words(f"ledger.{line.key}"),
        amount=amount,
        value=line.amount,
        share=line.share,
        share_text="–" if line.share is None else percent(line.share, language=words.language),
        source=source,
        source_row=source_row or source,
        age=words("table.old", days=age) if line.old and priced else age,
        old=line.old and priced,
        link=not priced,
        price_field="" if priced else field,
    )


def price_line(budget: Budget, key: str) -> Line | None:
    """The given line that the price of a cost line rests on, by its key in either currency; None for others."""
    name = key.partition(".")[2]
    return next((line.price_line for line in budget.cost_lines if line.key == f"cost.{name}"), None)


def price_source(line: Line, words: Words) -> str:
    """Where a price comes from, in a few words for a table cell."""
    if line.tag == "yours":
        return words("tag.yours")
    listed = "" if line.source.quality == "own" else seller_named(line.row_text).partition(",")[0]
    return listed or format_source(line.source, words)


def row_words(line: Line, words: Words) -> str:
    """The row of a table that a line shows, with its seller's name and the way of purchase in words."""
    return seller_named(told_row(line.row_text, words))


def sum_rows(budget: Budget, words: Words) -> tuple[SumRow, ...]:
    """Total, contingency and the amount to approve. The contingency stands apart from the lines."""
    count = 0 if never_ends(budget, "cost.total") else len(budget.not_priced)
    note = words("table.leaves_out", count=count) if count else ""
    rows = (
        ("cost.total", words("line.total"), note, True),
        ("contingency", words("field.contingency"), "", False),
        ("cost.ask", words("figure.ask"), "", True),
    )
    return tuple(SumRow(key, item, _amount(budget, key, words), text, strong) for key, item, text, strong in rows)


def _amount(budget: Budget, key: str, words: Words) -> str:
    value = budget.ledger.value(key)
    if value is None:
        return words("state.never_finishes" if never_ends(budget, key) else "line.not_priced")
    return plain(value, money_digits(budget, "cost.total"))


def finding(budget: Budget, words: Words) -> str:
    """The title of the chart: what the largest line is of the whole."""
    if never_ends(budget, "cost.total"):
        return words("state.never_finishes")
    priced = [line for line in budget.cost_lines if line.share is not None]
    if not priced:
        return words("finding.none")
    largest = max(priced, key=lambda line: line.share or 0)
    if (largest.share or 0) > 1:  # credits pay for part of it
        return words("finding.largest_line", item=words(f"ledger.{largest.key}"))
    share = percent(largest.share or 0, 0, words.language)
    return words("finding.largest", item=words(f"ledger.{largest.key}"), share=share)


def estimate_note(budget: Budget, words: Words) -> str:
    """What stands at the foot of the window: an estimate, and of which day its prices are."""
    if budget.quote is None or budget.scenario.price.price_usd_per_gpu_hour is not None:
        return words("strip.estimate_bare")
    return words("strip.estimate", date=budget.quote.as_of)


def project_name(budget: Budget, words: Words) -> str:
    """What the project is called before it has a file: LLaMA-13B, 1T tokens."""
    tokens = shown_number(budget.scenario.job.tokens, words.language)
    return words("project.name", model=budget.estimate.model.name, tokens=tokens)
