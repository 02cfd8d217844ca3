"""Workbooks that come back from a spreadsheet program: read in the background, shown, then opened as a new document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from desktop_app.window.background import BackgroundRunner
from desktop_app.window.files import Files
from desktop_app.window.look import Look
from desktop_app.window.session import Session

if TYPE_CHECKING:
    from report_templates.workbook_reading import ReturnedWorkbook

Tell = Callable[[Exception], None]


class ReturnedWorkbooks(QObject):
    """Reads a workbook of ours and shows what was changed in it. Modules of the dialog are loaded only then."""

    def __init__(
        self, look: Look, session: Session, files: Files, runner: BackgroundRunner, window: QWidget, tell: Tell
    ) -> None:
        """Over `window`; `tell` tells what went wrong."""
        super().__init__(window)
        self._look, self._session, self._files, self._runner, self._window = look, session, files, runner, window
        self._tell = tell
        self.dialog: QDialog | None = None
        files.workbook.connect(self.open)

    def open(self, path: Path) -> None:
        """Show what was changed in the workbook in `path`; that the project on screen may be left was asked before."""
        catalogue = self._session.catalogue

        def work() -> ReturnedWorkbook:
            from report_templates.workbook_reading import read_workbook

            return read_workbook(path, lambda day: catalogue)

        self._runner.run("workbook", work, self._show, self._tell)

    def open_or(self, path: Path, otherwise: Callable[[Path], None]) -> None:
        """Show the workbook in `path` where it is one of ours; any other file is for `otherwise`."""

        def work() -> bool:
            from report_templates.workbook_reading import is_our_workbook

            return is_our_workbook(path)

        def done(ours: bool) -> None:
            if not ours:
                otherwise(path)
            elif self._files.may_leave():
                self.open(path)

        self._runner.run("workbook", work, done, self._tell)

    def _show(self, returned: ReturnedWorkbook) -> None:
        from desktop_app.window.returned_dialog import ReturnedDialog

        dialog = ReturnedDialog(self._look, self._window, returned)
        dialog.wanted.connect(lambda: self._take(dialog, returned))
        self.dialog = dialog
        dialog.open()

    def _take(self, dialog: QDialog, returned: ReturnedWorkbook) -> None:
        """Open it as a new document; what is on screen stays where that cannot be computed."""
        dialog.accept()
        self._files.open_returned(returned)
