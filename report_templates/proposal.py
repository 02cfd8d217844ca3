"""The PDF documents: the door that the window and the command line go through."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.files import replace_file
from desktop_app.foundation.wording import Language

Form = Literal["proposal", "memo", "card", "panel"]
"""The whole proposal; a memo of one page; the energy block of a model card; two pages for an allocation panel."""


def write_proposal(
    dossier: Dossier, path: Path, language: Language, paper: Literal["a4", "letter"], form: Form = "proposal"
) -> None:
    """Write a document of `dossier` to `path`, whole or not at all. Raises UserError when it cannot be written."""
    content = proposal_bytes(dossier, language, paper, form)

    def fill(target: Path) -> None:
        target.write_bytes(content)

    replace_file(path, fill)


def proposal_bytes(
    dossier: Dossier, language: Language, paper: Literal["a4", "letter"], form: Form = "proposal"
) -> bytes:
    """The PDF. Its bytes depend on the arguments alone: the date in it is that of the scenario."""
    from report_templates.sections.forms import document  # reads reportlab, which takes a moment

    return document(dossier, language, paper, form)


def card_text(dossier: Dossier, language: Language) -> str:
    """The energy block of a model card in Markdown, to be pasted into one."""
    from report_templates.sections.card import markdown

    return markdown(dossier, language)
