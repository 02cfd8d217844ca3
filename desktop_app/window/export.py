"""The documents: asked for here, written in the background, announced in the strip at the foot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, Signal

from desktop_app.foundation.problems import Problem, UserError
from desktop_app.window.background import BackgroundRunner, details_of
from desktop_app.window.documents import DOCUMENTS, Kind, Order, Paper
from desktop_app.window.files import Files
from desktop_app.window.look import Look
from desktop_app.window.session import Session

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
        self.write("excel")

    def pdf(self) -> None:
        """Ask where and write the proposal."""
        self.write("pdf")

    def write(self, kind: Kind) -> None:
        """Ask where and write a document in the language of the window, on the paper of the country."""
        files, words, document = self._files, self._look.words, DOCUMENTS[kind]
        if not files.may_use_last_good("export"):
            return
        proposed = files.folder() / f"{files.file_stem()}{document.ending}"
        path = files.dialogs.save_file(words, words(f"dialog.{kind}"), words(f"filter.{document.filter}"), proposed)
        if path is None:
            return
        self.writing.emit(path)
        work = partial(document.write, self._order(), path)
        self._runner.run(kind, work, partial(self._announce, path), self._tell, must_finish=True)

    def _order(self) -> Order:
        paper: Paper = "letter" if QLocale.system().territory() in _LETTER else "a4"
        session, files = self._session, self._files
        project = files.path.name if files.path else ""
        return Order(
            session.budget, files.others, files.notes, project, session.catalogue, self._look.language, paper
        )  # fmt: skip

    def _announce(self, path: Path, faults: tuple[Problem, ...]) -> None:
        """The file is written; what is to be said of it."""
        self.written.emit(path)
        if faults:
            self._files.dialogs.tell(self._look.words, self._files.sentences(UserError(*faults)))

    def _tell(self, error: Exception) -> None:
        words = self._look.words
        self.failed.emit()
        if isinstance(error, UserError):
            self._files.dialogs.tell(words, self._files.sentences(error))
        else:
            self._files.dialogs.tell(words, words("error.bug"), details_of(error))
