"""The figures of all cases as CSV: one long table, for pivoting and for other programs."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Language, Words, words_of
from report_templates.csv_text import BYTE_ORDER_MARK, csv_text, number_cell, text_cell, write_csv
from report_templates.excel.cases import cases_of
from report_templates.tidy_rows import HEADINGS, TidyRow, tidy_rows


def write_tidy(dossier: Dossier, target: Path, language: Language) -> None:
    """Write the file whole or not at all. Raises UserError."""
    write_csv(BYTE_ORDER_MARK + tidy_text(dossier, words_of(language)), target)


def tidy_text(dossier: Dossier, words: Words) -> str:
    """The CSV text. What is not known has no value and says why; it is never 0."""
    rows = tidy_rows(cases_of(dossier, words), words)
    return csv_text([words(key) for key in HEADINGS], map(_cells, rows))


def _cells(row: TidyRow) -> list[str]:
    case = row.case
    texts = (row.unit_word, row.remark, row.key, row.as_of, row.source)
    return [
        text_cell(case.mark), text_cell(case.title), text_cell(row.metric), row.percentile, number_cell(row.value),
        *map(text_cell, texts),
    ]  # fmt: skip
