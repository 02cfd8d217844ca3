"""Excel budget and PDF proposal: asked for here, written in the background, announced in the strip at the foot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QLocale, QObject, Signal

from desktop_app.foundation.problems import UserError
from desktop_app.window.background import BackgroundRunner, details_of
from desktop_app.window.files import Files
from desktop_app.window.look import Look
from desktop_app.window.session import Session

Paper = Literal["a4", "letter"]

_LETTER = (QLocale.Country.UnitedStates, QLocale.Country.Canada, QLocale.Country.Mexico)


class Exporter(QObject):
    """Writes documents of the last good figures. `writing` and `written` carry the file."""

    writing = Signal(object)
    written = Signal(object)
    failed = Signal()

    def __init__(self, look: Look, session: Session, files: Files, runner: BackgroundRunner) -> None:
        """Over the shared background runner."""
        super().__init__()
        self._look, self._session, self._files, self._runner = look, session, files, runner

    def excel(self) -> None:
        """Ask where and write the workbook."""
        if not self._files.may_use_last_good("export"):
            return
        budget, language = self._session.budget, self._look.language

        def write(path: Path) -> None:
            from report_templates.workbook import write_workbook

            write_workbook(budget, path, language)

        self._export("excel", ".xlsx", write)

    def pdf(self) -> None:
        """Ask where and write the proposal, on the paper of the country."""
        if not self._files.may_use_last_good("export"):
            return
        budget, catalogue, language = self._session.budget, self._session.catalogue, self._look.language
        paper: Paper = "letter" if QLocale.system().territory() in _LETTER else "a4"

        def write(path: Path) -> None:
            from desktop_app.budget.dossier.dossier import make_dossier
            from report_templates.proposal import write_proposal

            write_proposal(make_dossier([budget], catalogue), path, language, paper)

        self._export("pdf", ".pdf", write)

    def _export(self, kind: str, suffix: str, write: Callable[[Path], None]) -> None:
        words, files = self._look.words, self._files
        proposed = files.folder() / f"{files.file_stem()}{suffix}"
        path = files.dialogs.save_file(words, words(f"dialog.{kind}"), words(f"filter.{kind}"), proposed)
        if path is None:
            return
        self.writing.emit(path)
        self._runner.run(
            kind, lambda: write(path), lambda result: self.written.emit(path), self._tell, must_finish=True
        )

    def _tell(self, error: Exception) -> None:
        words = self._look.words
        self.failed.emit()
        if isinstance(error, UserError):
            self._files.dialogs.tell(words, self._files.sentences(error))
        else:
            self._files.dialogs.tell(words, words("error.bug"), details_of(error))
