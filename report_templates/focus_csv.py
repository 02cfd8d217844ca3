"""The FOCUS-shaped forecast as CSV, to be put beside what the sellers' own cost exports say."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Language, Words, words_of
from report_templates.csv_text import csv_text, number_cell, text_cell, write_csv
from report_templates.focus_items import COLUMNS, PERIODS
from report_templates.focus_rows import FocusForecast, FocusRow, focus_forecast


def write_focus(dossier: Dossier, target: Path, language: Language) -> None:
    """Write the file whole or not at all; only the descriptions of charges are in `language`. Raises UserError.

    Without a byte-order mark, which programs that read FOCUS files would take for a part of the first name.
    """
    write_csv(focus_text(dossier, words_of(language)), target)


def focus_text(dossier: Dossier, words: Words) -> str:
    """The CSV text: the names of the columns, and the rows of the base."""
    forecast = focus_forecast(dossier, words)
    return csv_text(COLUMNS, (_cells(forecast, row) for row in forecast.rows))


def _cells(forecast: FocusForecast, row: FocusRow) -> list[str]:
    periods = dict(zip(PERIODS, forecast.periods(row), strict=True))
    return [
        number_cell(forecast.values[row.numbers[column]])
        if column in row.numbers
        else text_cell(periods.get(column) or row.texts.get(column, ""))
        for column in COLUMNS
    ]
