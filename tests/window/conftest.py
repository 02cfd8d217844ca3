"""The window in tests: without a screen, with the real example, and with dialogs that a test answers."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.window.app import make_window
from desktop_app.window.dialogs import Answer, Dialogs
from desktop_app.window.main_window import MainWindow
from desktop_app.window.number_edit import NumberEdit
from desktop_app.window.settings import WindowSettings


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Any warning of Qt fails the test, but for the noise of the platform without a screen."""
    for item in items:
        if "qtbot" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", "does not support", extend=True))


class ScriptedDialogs(Dialogs):
    """Answers in a person's place and remembers what was told."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.to_open: Path | None = None
        self.to_save: Path | None = None
        self.answer: Answer = "discard"
        self.confirms = False
        self.asked: list[str] = []
        self.told: list[str] = []
        self.tell_also: Callable[[], None] | None = None  # what happens while the dialog is up

    def open_file(self, words: object, title: str, kinds: str, folder: Path) -> Path | None:
        self.asked.append(title)
        return self.to_open

    def save_file(self, words: object, title: str, kinds: str, proposed: Path) -> Path | None:
        self.asked.append(f"{title}: {proposed.name}")
        return self.to_save

    def ask_save(self, words: object, file_name: str) -> Answer:
        self.asked.append(file_name)
        return self.answer

    def confirm(self, words: object, question: str, yes: str) -> bool:
        self.asked.append(question)
        return self.confirms

    def tell(self, words: object, sentence: str, details: str = "") -> None:
        self.told.append(sentence + details)
        if self.tell_also is not None:
            self.tell_also()


@pytest.fixture
def settings(tmp_path: Path) -> WindowSettings:
    """Settings of their own for each test, English and light."""
    settings = WindowSettings(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))
    settings.language = "en"
    settings.theme = "light"
    return settings


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, settings: WindowSettings) -> Iterator[MainWindow]:
    """The window with the worked example, shown."""
    qapp.setStyle("Fusion")
    window = make_window(qapp, settings)
    dialogs = ScriptedDialogs(window)
    window.dialogs = window.files.dialogs = dialogs
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    qapp.processEvents()
    yield window
    window.qt_words.use("en")
    # A window that only waits for its deletion is still restyled with every new one, and each test gets slower.
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def dialogs(window: MainWindow) -> ScriptedDialogs:
    """The dialogs of the window."""
    assert isinstance(window.dialogs, ScriptedDialogs)
    return window.dialogs


@pytest.fixture
def type_into(window: MainWindow, qtbot: QtBot) -> Callable[..., NumberEdit]:
    """Types into the number box of a choice as a person does, and leaves it unless told to stay."""

    def type_into(key: str, text: str, leave: bool = True) -> NumberEdit:
        box = window.cards.row(key).box
        assert isinstance(box, NumberEdit)
        box.setFocus()
        box.selectAll()
        if text:
            qtbot.keyClicks(box, text)
        else:
            qtbot.keyClick(box, Qt.Key.Key_Delete)
        if leave:
            qtbot.keyClick(box, Qt.Key.Key_Return)
        return box

    return type_into


@pytest.fixture
def scroll_over() -> Callable[[QWidget], None]:
    """Turns the mouse wheel one notch over the middle of a widget."""
    return _scroll_over


def _scroll_over(widget: QWidget) -> None:
    middle = widget.rect().center()
    event = QWheelEvent(
        QPointF(middle),
        QPointF(widget.mapToGlobal(middle)),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
