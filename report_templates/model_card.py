"""The energy block of a model card as a Markdown file, to be pasted into the card."""

from __future__ import annotations

from pathlib import Path

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.wording import Language
from report_templates.proposal import card_text


def write_card(dossier: Dossier, path: Path, language: Language) -> None:
    """Write the file whole or not at all. Raises UserError."""
    text = card_text(dossier, language).rstrip("\n") + "\n"

    def fill(target: Path) -> None:
        target.write_text(text, encoding="utf-8", newline="\n")

    replace_file(path, fill)
