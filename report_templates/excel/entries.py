"""What stands on the sheet Inputs: every given line of the ledger, and every choice that no formula reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic.fields import FieldInfo

from desktop_app.budget.effective import effective, matters
from desktop_app.budget.ledger import Line
from desktop_app.budget.scenario import choices, is_set
from desktop_app.estimation.goodput import CHOICES as RUN_CHOICES
from desktop_app.foundation.records import Source, meta_of
from report_templates.excel.book import Book
from report_templates.excel.cells import Content
from report_templates.settings_shown import empty_words, recomputed_share

_ENGINE_PARTS = ("model", "job", "cluster")  # parts of a scenario that the estimate is computed from
_LIVE = ("tokens", *RUN_CHOICES)  # of these, what only formulas read
_SIZES = {  # fields of ModelSpec -> their words; what a reader compares with config.json
    "layers": "field.layers",
    "hidden_size": "field.hidden_size",
    "heads": "field.heads",
    "kv_heads": "field.kv_heads",
    "ffn_size": "field.ffn_size",
    "vocab_size": "field.vocabulary",
}
_EXPERT_SIZES = {
    "experts": "field.experts",
    "experts_per_token": "field.experts_active",
    "expert_size": "field.expert_size",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of Inputs. `needs_app`: the engine depends on it, so that the workbook alone cannot follow a change."""

    key: str
    label: str
    value: Content
    unit: str
    tag: str
    source: str
    as_of: str
    needs_app: bool
    locked: bool = False
    line: Line | None = None
    unit_words: str = ""  # in the place of the unit
    info: FieldInfo | None = None  # of the choice that may be typed here


def choice_entries(book: Book) -> Iterator[Entry]:
    """The choices that are no line of the ledger, resolved: what the program chose stands there as chosen."""
    budget, words = book.budget, book.words
    scenario = budget.scenario
    for key, (_, info) in choices().items():
        if key in budget.ledger or not matters(budget, key):
            continue
        value = effective(budget, key)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        own_model = key == "model" and scenario.model.custom_model is not None
        tag = "yours" if own_model or is_set(scenario, key) else "default"
        chosen = key in budget.estimate.chosen
        share = recomputed_share(budget, words) if key == "recompute" else ""
        yield Entry(
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


def size_entries(book: Book) -> Iterator[Entry]:
    """The sizes of the network, locked: they follow from the model."""
    model = book.budget.estimate.model
    use = book.sources.get(Source(model.source, model.as_of))
    cited = f"{use.mark}: {model.name}" if use is not None else model.source
    sizes = [(model, _SIZES), *([(model.moe, _EXPERT_SIZES)] if model.moe else [])]
    for record, labels in sizes:
        for field, label in labels.items():
            if not getattr(record, field):
                continue  # no dense layer, so it has no width
            yield Entry(
                key=field,
                label=book.words(label),
                value=getattr(record, field),
                unit="",
                tag="table",
                source=cited,
                as_of=model.as_of,
                needs_app=True,
                locked=True,
            )


def line_entries(book: Book) -> Iterator[Entry]:
    """The given lines of the ledger, in order; those of memory stand on their own sheet."""
    known = choices()
    for line in book.budget.ledger:
        if line.expression is not None or line.group == "memory":
            continue
        info = known[line.key][1] if line.key in known else None
        engine = line.field in known and known[line.field][0] in _ENGINE_PARTS and line.field not in _LIVE
        yield Entry(
            key=line.key,
            label=book.words(f"ledger.{line.key}"),
            value=book.unknown_word(line) if line.given is None else line.given,
            unit=line.unit,
            tag=line.tag,
            source=book.cited(line),
            as_of=line.source.as_of,
            needs_app=engine and line.tag != "predicted",
            locked=line.tag == "predicted" or (engine and info is None),
            line=line,
            info=info,
        )
