"""The two documents: written in the background from the figures on screen, failures told in a sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.foundation.wording import words_of
from desktop_app.window.main_window import MainWindow
from desktop_app.window.notes_strip import Message
from desktop_app.window.number_edit import NumberEdit


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
    assert window.strip.kind.isVisible()  # an estimate stays an estimate
    window.set_language("zh")
    assert window.strip.message.text() == words_of("zh")("strip.written", file=name)
    window.session.edit("gpus", 128, "128")
    assert not window.strip.message.isVisible()
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


def test_an_entry_that_cannot_be_used_is_asked_about(
    window: MainWindow, dialogs: Any, type_into: Callable[..., NumberEdit]
) -> None:
    type_into("gpus", "2")
    type_into("gpus", "x9")
    for write in (window.exporter.excel, window.exporter.pdf):
        write()
        assert dialogs.asked.pop() == 'GPU count: "x9" is not a number.\nExport with the last good value 2?'
    assert window.files.save() is False
    assert dialogs.asked.pop() == 'GPU count: "x9" is not a number.\nSave with the last good value 2?'
    assert dialogs.asked == []
    assert window.cards.row("gpus").box.hasFocus()
    dialogs.confirms = True
    window.exporter.excel()
    assert dialogs.asked[-1].startswith("Save the Excel budget")


def test_several_entries_are_all_named(window: MainWindow, dialogs: Any, type_into: Callable[..., NumberEdit]) -> None:
    type_into("gpus", "x9")
    type_into("tokens", "many")
    window.exporter.excel()
    lines = dialogs.asked.pop().split("\n")
    assert [line.partition(":")[0] for line in lines[:2]] == ["GPU count", "Tokens"]
    assert lines[2] == "Export with the last good values?"


def test_the_message_goes_by_itself(window: MainWindow, qtbot: QtBot) -> None:
    window.strip.show_message(Message("strip.written", "b.pdf"))
    assert window.strip.message.isVisible()
    window.strip._timer.start(1)
    qtbot.waitUntil(lambda: not window.strip.message.isVisible())
    window.strip.show_message(Message("strip.writing", "b.pdf"), lasts=True)
    assert not window.strip._timer.isActive()
