"""The cost lines as CSV, for a spreadsheet or another program: plain numbers, one line a row."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from desktop_app.budget.budget import Budget
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.quantities import format_source, format_unit
from desktop_app.foundation.wording import Language, Words, words_of

_HEADINGS = (
    "head.item",
    "head.quantity",
    "head.unit",
    "head.unit_price",
    "head.amount",
    "figure.share",
    "head.age_days",
    "head.source",
)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run such a text as a formula


def write_cost_lines(budget: Budget, target: Path, language: Language) -> None:
    """Write the file whole or not at all. Raises UserError."""
    text = cost_lines_text(budget, words_of(language))
    # The byte-order mark tells Excel that the file is UTF-8; without it Chinese is garbled there.
    replace_file(target, lambda path: _write(path, "\ufeff" + text))


def cost_lines_text(budget: Budget, words: Words) -> str:
    """The CSV text: a heading row, the lines and their total. An unknown amount says "not priced"."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    headings = [words(key) for key in _HEADINGS]
    headings[3] += " USD"
    headings[4] += f" {budget.currency}"
    writer.writerow(headings)
    for line in budget.cost_lines:
        writer.writerow(
            [
                words(f"ledger.{line.key}"),
                _number(line.quantity),
                format_unit(line.quantity_unit, words, budget.currency),
                _number(line.unit_price_usd),
                words("line.not_priced") if line.amount is None else _number(line.amount),
                _number(line.share),
                _number(line.age_days),
                _plain_text(format_source(line.basis.source, words)),
            ]
        )
    total = budget.ledger.value("cost.total")
    shown = words("line.not_priced") if total is None else _number(total)
    writer.writerow([words("line.total"), "", "", "", shown, "", "", ""])
    return text.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.15g}"


def _plain_text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
