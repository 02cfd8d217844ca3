"""The PDF proposal: the door that the window and the command line go through."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from desktop_app.budget.budget import Budget
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.wording import Language


def write_proposal(budget: Budget, path: Path, language: Language, paper: Literal["a4", "letter"]) -> None:
    """Write the proposal of `budget` to `path`, whole or not at all. Raises UserError when it cannot be written.

    The bytes depend on the arguments alone: the date in it is that of the scenario.
    """
    from report_templates.sections.story import proposal  # reads reportlab, which takes a moment

    content = proposal(budget, language, paper)

    def fill(target: Path) -> None:
        target.write_bytes(content)

    replace_file(path, fill)
