"""Changes in words, for the command line and the window."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.number_reading import shown_number
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.quantities import format_unit
from desktop_app.foundation.wording import Words
from report_templates.excel.cases import scenario_mark
from report_templates.returned.changes import InputChange, Shown
from report_templates.settings_shown import choice_words, empty_words
from report_templates.workbook_reading import ReturnedWorkbook

_PARENTHESES = {"en": " ({})", "zh": "（{}）"}


@dataclass(frozen=True, slots=True)
class ToldChange:
    """One change in words. `why_not` is "" where it is taken."""

    scenario: str
    name: str  # with the unit
    old: str
    new: str
    place: str
    why_not: str
