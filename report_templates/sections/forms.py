"""The forms of the document: the whole proposal, a memo, the energy block of a model card, two pages for a panel."""

from __future__ import annotations

from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.foundation.wording import Language
from report_templates.pdf.style import Paper
from report_templates.proposal import Form
from report_templates.sections.story import proposal


def document(dossier: Dossier, language: Language, paper: Paper, form: Form) -> bytes:
    """The PDF of one form."""
    return proposal(dossier, language, paper)
