"""The user's own prices in the window: sheets are imported, the book is changed, the figures follow at once."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from desktop_app.budget.price_book_change import Edit, change_book
from desktop_app.budget.price_book_file import catalogue_on, load_book
from desktop_app.foundation.problems import UserError
from desktop_app.window.background import BackgroundRunner, details_of
from desktop_app.window.files import Files
from desktop_app.window.look import Look
from desktop_app.window.session import Session

if TYPE_CHECKING:
    from desktop_app.window.book_dialog import BookDialog
    from desktop_app.window.import_dialog import ImportDialog
    from pricing.catalogue import Catalogue
    from pricing.importers.preview import Preview
    from pricing.price_book import Change, PriceBook

SHEETS = (".csv", ".tsv", ".xlsx", ".xlsm")
"""Endings of files that are taken for price sheets."""


class OwnPrices(QObject):
    """Opens the dialogs, whose modules are loaded only then. `stored` carries how many prices an import changed."""

    stored = Signal(object)

    def __init__(self, look: Look, session: Session, files: Files, runner: BackgroundRunner, window: QWidget) -> None:
        """Over `window`."""
        super().__init__(window)
        self._look, self._session, self._files, self._runner, self._window = look, session, files, runner, window
        self.dialog: QDialog | None = None

    def import_asking(self) -> None:
        """Preview a sheet that the person picks."""
        words = self._look.words
        path = self._files.dialogs.open_file(
            words, words("dialog.import"), words("filter.price_sheet"), self._files.folder()
        )
        if path is not None:
            self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Preview a sheet."""
        from desktop_app.window.import_dialog import ImportDialog

        dialog = ImportDialog(self._look, self._window, self._runner, path)
        dialog.wanted.connect(lambda preview, doubtful: self._take(dialog, preview, doubtful))
        dialog.failed.connect(lambda error: self._refuse(dialog, error))
        self._open(dialog)

    def show_book(self) -> None:
        """Show the price book; a book that cannot be read is told of."""
        from desktop_app.window.book_dialog import BookDialog

        try:
            book = load_book()
        except UserError as error:
            self.tell(error)
            return
        dialog = BookDialog(self._look, self._window, self._files.dialogs, self._session, book)
        dialog.wanted.connect(lambda edit: self._edit(dialog, edit))
        self._open(dialog)

    def compare(self) -> None:
        """Show the ways of purchase and the places of the job in hand."""
        from desktop_app.window.compare_dialog import CompareDialog

        self._open(CompareDialog(self._look, self._window, self._session, self._runner, self.tell))

    def tell(self, error: Exception) -> None:
        """What went wrong, in a sentence."""
        words, dialogs = self._look.words, self._files.dialogs
        if isinstance(error, UserError):
            dialogs.tell(words, self._files.sentences(error))
        else:
            dialogs.tell(words, words("error.bug"), details_of(error))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.open()

    def _take(self, dialog: ImportDialog, preview: Preview, with_doubtful: bool) -> None:
        from desktop_app.cli.sheet_reading import counted, take

        path = dialog.path

        def work() -> tuple[tuple[Change, ...], Catalogue]:
            return take(preview, path, with_doubtful), catalogue_on(date.today())

        def done(result: tuple[tuple[Change, ...], Catalogue]) -> None:
            changes, catalogue = result
            if dialog.is_open:
                dialog.accept()
            if self._use(catalogue):
                self.stored.emit(counted(changes))

        def failed(error: Exception) -> None:
            self.tell(error)
            if dialog.is_open:
                dialog.release()

        self._runner.run("book", work, done, failed, must_finish=True)

    def _edit(self, dialog: BookDialog, edit: Edit) -> None:
        """Change the book as `edit` says. It is stored only if the scenario in hand can still be computed."""
        scenario = self._session.scenario

        def work() -> tuple[PriceBook, Catalogue]:
            return change_book(edit, scenario, date.today())

        def done(result: tuple[PriceBook, Catalogue]) -> None:
            book, catalogue = result
            self._use(catalogue)
            if dialog.is_open:
                dialog.show_book(book)

        def failed(error: Exception) -> None:
            self.tell(error)
            if dialog.is_open:
                dialog.release()

        self._runner.run("book", work, done, failed, must_finish=True)

    def _use(self, catalogue: Catalogue) -> bool:
        try:
            self._session.use_catalogue(catalogue)
        except UserError as error:
            self.tell(error)
            return False
        return True

    def _refuse(self, dialog: QDialog, error: Exception) -> None:
        """A file that cannot be read at all has no preview."""
        dialog.reject()
        self.tell(error)
