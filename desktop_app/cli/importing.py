"""`import`: what a price sheet says, as we read it; its rows go into the user's price book only with --take."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from desktop_app.cli.arguments import day_of
from desktop_app.cli.listing import table_text
from desktop_app.cli.output import answer, json_text
from desktop_app.cli.returned import tell_changes
from desktop_app.cli.sheet_reading import counted, rate_of, read_preview, take
from desktop_app.foundation.problems import Problem, user_error
from desktop_app.foundation.wording import Words, words_of
from pricing.importers.context import Options
from pricing.importers.faults import Finding, Severity
from pricing.importers.preview import Preview
from pricing.price_book import Change
from pricing.records import PriceQuote

_ROW_KEYS = (
    "provider", "region", "instance_type", "gpu", "gpu_count", "purchase", "usd_per_instance_hour", "usd_per_gpu_hour",
    "amount_original", "currency_original", "usd_per_original", "as_of", "valid_until",
)  # fmt: skip
_SHOWN_ROWS = 12  # line numbers in one sentence
_SHOWN_PRICES = 200  # of the table in the terminal; --json has all


def run_import(arguments: argparse.Namespace) -> None:
    """Print the preview of a sheet, after its rows were taken where that was asked; of a workbook of ours, its changes.

    Raises UserError.
    """
    words = words_of("en")
    if tell_changes(arguments, words):
        return
    preview = read_preview(arguments.file, options_of(arguments), _stated_rate(arguments))
    taken = take(preview, arguments.file, arguments.accept_doubtful) if arguments.take else None
    made = _as_json(preview, taken, words) if arguments.json else None
    answer(json_text(made) if made else _as_text(preview, taken, words))


def options_of(arguments: argparse.Namespace) -> Options:
    """The options that the flags describe. Raises UserError."""
    today = day_of("today", arguments.today)
    stated = day_of("--date", arguments.date)
    currency = arguments.currency.strip().upper() if arguments.currency else None
    if currency is not None and not (len(currency) == 3 and currency.isalpha() and currency.isascii()):
        raise user_error("--currency", "problem.not_a_currency", text=currency)
    return Options(
        today=today or date.today(),
        provider=arguments.provider,
        folder=Path(os.path.realpath(arguments.file)).parent.name,
        sheet=arguments.sheet,
        mapping=dict(map(_pair, arguments.map)),
        currency=currency,
        purchase=_purchase(arguments.purchase),
        price_per=arguments.price_per,
        as_of=stated.isoformat() if stated else None,
    )


def _pair(text: str) -> tuple[str, str]:
    field, sign, column = text.partition("=")
    if not sign or not field.strip() or not column.strip():
        raise user_error("--map", "problem.import_map", text=text)
    return field.strip().lower().replace("-", "_"), column.strip()


def _purchase(text: str | None) -> str | None:
    from pricing.importers.words import purchase_of

    if text is None:
        return None
    code = purchase_of(text)
    if code is None:
        raise user_error("--purchase", "problem.unknown_purchase", text=text)
    return code


def _stated_rate(arguments: argparse.Namespace) -> tuple[float, str] | None:
    """USD per unit of --currency by --fx-rate; None where it is not stated."""
    if arguments.fx_rate is None:
        return None
    if not arguments.currency:
        raise user_error("--fx-rate", "problem.import_fx_rate")
    day = arguments.date or arguments.today or date.today().isoformat()
    return rate_of("--fx-rate", arguments.fx_rate, day)


def _sentence(finding: Finding, words: Words) -> str:
    return words.sentence(Problem("", f"import.{finding.reason}", finding.values))


def _as_json(preview: Preview, taken: tuple[Change, ...] | None, words: Words) -> dict[str, Any]:
    def told(severity: Severity) -> list[dict[str, Any]]:
        return [
            {"row": found.row, "reason": found.reason, "message": _sentence(found, words)}
            for found in preview.said(severity)
        ]

    return {
        "file": preview.file, "kind": preview.kind, "sheet": preview.sheet or None, "header_row": preview.header_row,
        "rows_read": preview.rows_read, "mapping": dict(preview.mapping),
        "ignored_columns": list(preview.ignored_columns), "questions": told("question"), "notes": told("note"),
        "rows": [
            {"rows": list(row.rows), "doubtful": row.doubtful, **{key: getattr(row.quote, key) for key in _ROW_KEYS}}
            for row in preview.rows
        ],
        "doubtful": told("doubtful"), "warnings": told("warning"), "dropped": told("dropped"),
        "taken": None if taken is None else counted(taken),
    }  # fmt: skip


def _as_text(preview: Preview, taken: tuple[Change, ...] | None, words: Words) -> str:
    kind = words(f"import.kind_{preview.kind}")
    parts = [words("import.head", file=preview.file, kind=kind, row=preview.header_row, count=preview.rows_read)]
    parts += [words("import.columns"), *(f"  {field} = {name}" for field, name in preview.mapping.items())]
    if preview.ignored_columns:
        parts.append(words("import.ignored", names=", ".join(preview.ignored_columns)))
    sections: Mapping[str, tuple[Severity, ...]] = {
        "import.questions": ("question",), "import.notes": ("note",), "import.dropped": ("dropped",),
        "import.warnings": ("doubtful", "warning"),
    }  # fmt: skip
    for heading, severities in sections.items():
        found = [finding for severity in severities for finding in preview.said(severity)]
        if found:
            parts += [words(heading, count=len(found)), *_grouped(found, words)]
    doubtful = sum(row.doubtful for row in preview.rows)
    parts.append(words("import.accepted", count=len(preview.rows) - doubtful, doubtful=doubtful))
    parts += [table_text([_told_row(row) for row in preview.rows[:_SHOWN_PRICES]])] if preview.rows else []
    if len(preview.rows) > _SHOWN_PRICES:
        parts.append(words("import.more", count=len(preview.rows) - _SHOWN_PRICES))
    if taken is None:
        parts.append(words("import.not_taken"))
    else:
        parts += [words("import.taken", **counted(taken)), *_replaced(taken, words)]
    return "\n".join(parts)


def _grouped(findings: Iterable[Finding], words: Words) -> list[str]:
    """One line for each sentence, with the rows it is true of."""
    rows: dict[str, list[int]] = {}
    for finding in findings:
        rows.setdefault(_sentence(finding, words), []).extend([finding.row] if finding.row else [])
    return [f"  {_rows(numbers, words)}{sentence}" for sentence, numbers in rows.items()]


def _rows(numbers: list[int], words: Words) -> str:
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:_SHOWN_ROWS])) + (", ..." if len(numbers) > _SHOWN_ROWS else "")
    return words("import.rows", count=len(numbers), names=shown) + " "


def _told_row(row: Any) -> dict[str, Any]:
    quote = row.quote
    shown = {key: getattr(quote, key) for key in _ROW_KEYS[:8]}
    original = f"{quote.amount_original:g} {quote.currency_original}"
    return {
        "row": row.row,
        **shown,
        "original": original,
        "as_of": quote.as_of,
        "doubtful": "?" if row.doubtful else "",
    }


def _replaced(changes: Iterable[Change], words: Words) -> list[str]:
    """A sentence for each price that took the place of another, or did not."""
    told = []
    for change in changes:
        entry, before = change.entry, change.before
        if before is None or not isinstance(entry, PriceQuote):
            continue
        values = {"name": f"{entry.provider} {entry.region} {entry.instance_type}, {entry.purchase}"}
        told.append("  " + words(f"import.{change.kind}", **values, now=entry.as_of, before=before.as_of))
    return told[:_SHOWN_PRICES]
