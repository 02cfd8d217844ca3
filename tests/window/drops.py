"""A file dropped onto the window, as a person would."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from desktop_app.window.main_window import MainWindow


def drop(window: MainWindow, path: Path) -> None:
    """Drag the file over the window, which must take it, and let go."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    state = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(200, 200), *state)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), *state))
