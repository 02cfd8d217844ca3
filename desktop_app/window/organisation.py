"""The profile of the organisation in the window: shown, changed, kept for every document to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.foundation.problems import UserError
from desktop_app.window.background import BackgroundRunner
from desktop_app.window.files import Files
from desktop_app.window.look import Look

if TYPE_CHECKING:
    from desktop_app.window.organisation_dialog import OrganisationDialog


class OrganisationProfile(QObject):
    """Opens the dialog, whose module is loaded only then. `stored` when the profile was saved."""

    stored = Signal()

    def __init__(
        self, look: Look, files: Files, runner: BackgroundRunner, window: QWidget, tell: Callable[[Exception], None]
    ) -> None:
        """Over `window`; `tell` says what went wrong."""
        super().__init__(window)
        self._look, self._files, self._runner, self._window, self._tell = look, files, runner, window, tell
        self.dialog: OrganisationDialog | None = None

    def show(self) -> None:
        """Show the profile; one that cannot be read is told of, and left as it is."""
        from desktop_app.budget.dossier.organisation_file import load_organisation
        from desktop_app.window.organisation_dialog import OrganisationDialog

        try:
            organisation = load_organisation()
        except UserError as error:
            self._tell(error)
            return
        self.dialog = OrganisationDialog(self._look, self._window, self._files, self._runner, organisation)
        self.dialog.accepted.connect(self.stored)
        self.dialog.failed.connect(self._tell)
        self.dialog.open()
