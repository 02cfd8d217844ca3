"""Starts the window: fonts, language and colours before the first widget, the example or a project, then the loop."""

from __future__ import annotations

import os
import sys
import traceback
from datetime import date
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.budget.examples import FIRST, example_scenario
from desktop_app.budget.price_book_file import catalogue_on
from desktop_app.foundation.problems import UserError
from desktop_app.window import fonts, theme
from desktop_app.window.look import Look
from desktop_app.window.main_window import MainWindow, brand_icon
from desktop_app.window.session import Session
from desktop_app.window.settings import WindowSettings
from pricing.catalogue import Catalogue, load_catalogue

_SMOKE = "TRAINING_BUDGET_SMOKE"
_FIRST_SIZE = (1366, 690)  # the client area of the most common small screen


def run(project_path: Path | None = None) -> int:
    """Open the window, on `project_path` or on the worked example, and return the exit code when it is closed.

    With the environment variable TRAINING_BUDGET_SMOKE=picture.png it saves a picture of itself and leaves with 0.
    """
    application = make_application()
    window = make_window(application, WindowSettings(QSettings("Training Budget", "Training Budget")))
    sys.excepthook = _BugTeller(window)
    if project_path is not None:
        QTimer.singleShot(0, lambda: window.files.open(project_path))
    picture = os.environ.get(_SMOKE)
    if picture:
        QTimer.singleShot(0, lambda: _picture(application, window, Path(picture)))
    window.show()
    return application.exec()


def make_application() -> QApplication:
    """The one QApplication, in the one style that looks alike on every system."""
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("Training Budget")
    application.setStyle("Fusion")
    return application


def make_window(application: QApplication, settings: WindowSettings) -> MainWindow:
    """The window with the worked example, not yet shown."""
    system = application.font()
    family, base = fonts.load_family(system), fonts.base_size(system)
    look = Look(theme.resolved(settings.theme), settings.language, family, base)
    theme.apply(application, look)
    today = date.today()
    catalogue, fault = _catalogue(today)
    session = Session(example_scenario(FIRST, today), catalogue)
    window = MainWindow(look, session, settings)
    if fault is not None:
        QTimer.singleShot(0, window, lambda: window.dialogs.tell(window.look.words, window.files.sentences(fault)))
    window.setWindowIcon(brand_icon(look))
    window.resize(look.px(_FIRST_SIZE[0]), look.px(_FIRST_SIZE[1]))
    geometry = settings.geometry
    if geometry is not None:
        window.restoreGeometry(geometry)
    return window


def _catalogue(today: date) -> tuple[Catalogue, UserError | None]:
    """The prices with the user's own; the shipped ones alone, and why, where the price book cannot be read."""
    try:
        return catalogue_on(today), None
    except UserError as error:
        return load_catalogue(), error


def _picture(application: QApplication, window: MainWindow, path: Path) -> None:
    """Save what the window looks like after its first paint, then leave."""
    application.processEvents()
    saved = window.grab().save(str(path))
    window.runner.close()
    application.exit(0 if saved else 1)


class _BugTeller:
    """Tells faults of ours with details to copy; what is on screen stays. One at a time: a fault may repeat fast."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._telling = window, False

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """In place of sys.excepthook."""
        details = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(details)
        if issubclass(kind, Exception) and not self._telling:
            self._telling = True
            words = self._window.look.words
            self._window.dialogs.tell(words, words("error.bug"), details)
            self._telling = False
