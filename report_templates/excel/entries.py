"""What stands on Inputs beside the lines of the ledger: the choices that no formula reads, and sizes of the network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic.fields import FieldInfo

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.effective import effective, matters
from desktop_app.budget.ledger import Line
from desktop_app.budget.scenario import choices, is_set
from desktop_app.estimation.calibration import constants as calibrated
from desktop_app.estimation.goodput import CHOICES as RUN_CHOICES
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.records import Source, meta_of
from report_templates.excel.cells import Content
from report_templates.settings_shown import empty_words, recomputed_share

if TYPE_CHECKING:
    from report_templates.excel.book import Book

ENGINE_PARTS = ("model", "job", "cluster")  # parts of a scenario that the estimate is computed from
TODAY, START, MFU, MFU_RANGE = "today", "start_date", "stated_mfu", "stated_mfu_range"
_LIVE = ("tokens", *RUN_CHOICES)  # of the choices that the estimate knows, what only formulas read
_OWN_ROW = ("mfu", START)  # choices with a row of another kind
SIZES = {  # fields of ModelSpec -> their words; what a reader compares with config.json
    "layers": "field.layers",
    "hidden_size": "field.hidden_size",
    "heads": "field.heads",
    "kv_heads": "field.kv_heads",
    "ffn_size": "field.ffn_size",
    "vocab_size": "field.vocabulary",
}
EXPERT_SIZES = {
    "experts": "field.experts",
    "experts_per_token": "field.experts_active",
    "expert_size": "field.expert_size",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One input of one scenario. `needs_app`: the engine depends on it, so that the workbook cannot follow a change."""

    key: str
    label: str
    value: Content
    unit: str
    tag: str
    source: str
    as_of: str
    needs_app: bool
    locked: bool = False
    unit_words: str = ""  # in the place of the unit
    info: FieldInfo | None = None  # of the choice that may be typed here


def choice_keys(dossier: Dossier) -> tuple[str, ...]:
    """The rows of Inputs above those of the ledger, for all scenarios of a dossier."""
    keys: dict[str, None] = dict.fromkeys((TODAY, START, MFU, MFU_RANGE))
    ledger_keys = {line.key for budget in dossier.budgets for line in budget.ledger}
    for key in choices():
        if key not in ledger_keys and key not in _OWN_ROW and any(matters(budget, key) for budget in dossier.budgets):
            keys[key] = None
    for budget in dossier.budgets:
        keys.update(dict.fromkeys(key for key, _ in _sizes(budget)))
    return tuple(keys)


def entry_of(book: Book, budget: Budget, key: str) -> Entry | None:
    """The entry of a scenario; None where the row does not matter to it."""
    if key == TODAY:
        today, words = budget.scenario.today, book.words
        return Entry(key, words("doc.report_date"), today, "date", "yours", words("source.yours"), "", False)
    if key == START:
        return _start(book, budget)
    if key in (MFU, MFU_RANGE):
        return _efficiency(book, budget, key)
    if key in choices():
        return _choice_entry(book, budget, key) if matters(budget, key) else None
    return _size_entry(book, budget, key)


def line_entry(book: Book, budget: Budget, line: Line) -> Entry:
    """A given line of a ledger as an input."""
    known = choices()
    info = known[line.key][1] if line.key in known else None
    engine = line.field in known and known[line.field][0] in ENGINE_PARTS and line.field not in _LIVE
    return Entry(
        key=line.key,
        label=book.words(f"ledger.{line.key}"),
        value=book.unknown_word(line, budget) if line.given is None else line.given,
        unit=line.unit,
        tag=line.tag,
        source=book.cited(line),
        as_of=line.source.as_of,
        needs_app=engine and line.tag != "predicted",
        locked=line.tag == "predicted" or line.group == "memory" or (engine and info is None),
        info=info,
    )


def _start(book: Book, budget: Budget) -> Entry | None:
    """The day that the months are counted from; months are shown of the base alone."""
    if budget is not book.dossier.base:
        return None
    schedule, words = book.dossier.schedule, book.words
    tag = "yours" if schedule.stated else "default"
    source = words("source.yours") if schedule.stated else words("workbook.start_today")
    return Entry(START, words(f"field.{START}"), schedule.start, "date", tag, source, "", needs_app=False)


def practice_mfu(budget: Budget) -> float:
    """The efficiency that the predicted hours come to, before failures: a stated one that is equal changes nothing."""
    return (budget.ledger.value("mfu") or 0.0) / budget.estimate.practice_factor


def _efficiency(book: Book, budget: Budget, key: str) -> Entry:
    """The efficiency that may be typed over, and the range that a stated one has."""
    words = book.words
    if key == MFU:
        source = words("source.engine")
        info = choices()["mfu"][1]
        return Entry(
            key, words("workbook.stated_mfu"), practice_mfu(budget), "share", "predicted", source, "", False, info=info
        )
    row = calibrated()["speed_factor_80.efficiency_given"]
    return Entry(
        key, words("workbook.stated_mfu_range"), row.value, "factor", "default", format_source(row.source, words),
        row.source.as_of,
        needs_app=False, locked=True,
    )  # fmt: skip


def _choice_entry(book: Book, budget: Budget, key: str) -> Entry:
    """A choice, resolved: what the program chose stands there as chosen."""
    words, scenario, info = book.words, budget.scenario, choices()[key][1]
    value = effective(budget, key)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    own_model = key == "model" and scenario.model.custom_model is not None
    tag = "yours" if own_model or is_set(scenario, key) else "default"
    chosen = key in budget.estimate.chosen
    share = recomputed_share(budget, words) if key == "recompute" else ""
    return Entry(
        key=key,
        label=words(f"field.{key}"),
        value=empty_words(key, words) if value is None else value,
        unit=meta_of(info).unit,
        unit_words=words("workbook.of_layers", share=share) if share else "",
        tag=tag,
        source=words("source.chosen" if chosen else f"source.{tag}"),
        as_of=scenario.today.isoformat() if tag == "yours" else "",
        needs_app=True,
        info=info,
    )


def _sizes(budget: Budget) -> Iterator[tuple[str, str]]:
    model = budget.estimate.model
    for record, labels in ((model, SIZES), *(((model.moe, EXPERT_SIZES),) if model.moe else ())):
        yield from ((key, label) for key, label in labels.items() if getattr(record, key))


def _size_entry(book: Book, budget: Budget, key: str) -> Entry | None:
    """A size of the network, locked: it follows from the model. None where this model has no such part."""
    model, label = budget.estimate.model, dict(_sizes(budget)).get(key)
    if label is None:
        return None
    record = model.moe if key in EXPERT_SIZES else model
    use = book.sources.get(Source(model.source, model.as_of))
    return Entry(
        key=key,
        label=book.words(label),
        value=getattr(record, key),
        unit="",
        tag="table",
        source=f"{use.mark}: {model.name}" if use is not None else model.source,
        as_of=model.as_of,
        needs_app=True,
        locked=True,
    )
