"""The two documents: written in the background from the figures on screen, failures told in a sentence."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.window.main_window import MainWindow


@pytest.mark.parametrize(("button", "name", "start"), [("excel", "b.xlsx", b"PK"), ("pdf", "b.pdf", b"%PDF")])
def test_the_buttons_write_files(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path, button: str, name: str, start: bytes
) -> None:
    dialogs.to_save = tmp_path / name
    with qtbot.waitSignal(window.exporter.written, timeout=60_000):
        qtbot.mouseClick(getattr(window.top_bar, button), Qt.MouseButton.LeftButton)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert dialogs.told == []
    assert window.strip.message.text() == f"{name} written."
    assert window.strip.message_link.text() == "Open folder"
    assert not window.runner.is_busy()


def test_the_proposed_name_is_that_of_the_project(window: MainWindow, dialogs: Any) -> None:
    window.exporter.excel()
    assert dialogs.asked == ["Save the Excel budget: LLaMA-13B-1T-tokens.xlsx"]


def test_a_folder_that_is_gone_is_told(window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path) -> None:
    dialogs.to_save = tmp_path / "gone" / "b.xlsx"
    with qtbot.waitSignal(window.exporter.failed, timeout=60_000):
        window.exporter.excel()
    qtbot.waitUntil(lambda: bool(dialogs.told))
    assert "Traceback" not in dialogs.told[0]
    assert not window.strip.message.isVisible()


def test_closing_while_writing_waits_and_stays_silent(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path
) -> None:
    dialogs.to_save = tmp_path / "b.xlsx"
    told: list[object] = []
    window.exporter.written.connect(told.append)
    window.exporter.excel()
    assert window.close()
    qtbot.wait(50)
    assert told == []
    assert list(tmp_path.glob("*.xlsx")) == [tmp_path / "b.xlsx"]  # whole, no half of it beside
