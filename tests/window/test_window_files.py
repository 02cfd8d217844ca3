"""Open, save, save as, close, drop: nothing is lost, and what went wrong is said in a sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_app.window.choice_box import SearchBox
from desktop_app.window.dialogs import Dialogs
from desktop_app.window.main_window import MainWindow
from desktop_app.window.number_edit import NumberEdit

TypeInto = Callable[..., NumberEdit]


def when_open(kind: type[Any], act: Callable[[Any], None]) -> None:
    """Do `act` on the next modal dialog of `kind` as soon as it is up."""

    def poll() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, kind):
            act(dialog)
        else:
            QTimer.singleShot(20, poll)

    QTimer.singleShot(0, poll)


def name_and_accept(path: Path) -> Callable[[QFileDialog], None]:
    def act(dialog: QFileDialog) -> None:
        edit = dialog.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(edit, QLineEdit)
        edit.setText(str(path))
        buttons = dialog.findChild(QDialogButtonBox)
        assert isinstance(buttons, QDialogButtonBox)
        accept = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        which = QDialogButtonBox.StandardButton.Save if accept else QDialogButtonBox.StandardButton.Open
        buttons.button(which).click()

    return act


@pytest.fixture
def real_dialogs(window: MainWindow, qapp: QApplication) -> MainWindow:
    """Qt's own dialogs, which a test can drive."""
    qapp.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    window.files.dialogs = Dialogs(window)
    return window


def test_saved_and_opened_through_the_real_dialogs(
    real_dialogs: MainWindow, type_into: TypeInto, tmp_path: Path
) -> None:
    window = real_dialogs
    type_into("tokens", "3T")
    saved = window.session.scenario
    when_open(QFileDialog, name_and_accept(tmp_path / "plan"))
    assert window.files.save()
    assert (tmp_path / "plan.tbudget").exists()  # the ending is added
    assert window.session.stack.isClean()
    assert window.top_bar.name.text() == "plan"
    assert window.top_bar.state.text().startswith("saved ")
    type_into("tokens", "4T")
    assert window.top_bar.state.text().startswith("changed since ")
    window.session.undo()
    when_open(QFileDialog, name_and_accept(tmp_path / "plan.tbudget"))
    assert window.files.open_asking()
    assert window.session.scenario == saved
    assert not window.top_bar.undo.isEnabled()


@pytest.mark.parametrize(("button", "answer"), [(0, "save"), (1, "discard"), (2, "cancel")])
def test_the_real_question_at_closing(real_dialogs: MainWindow, button: int, answer: str) -> None:
    window = real_dialogs

    def press(box: QMessageBox) -> None:
        assert box.text() == "Save changes to plan.tbudget?"
        words = ("Save", "Don't save", "Cancel")
        next(b for b in box.buttons() if b.text().replace("&", "") == words[button]).click()

    when_open(QMessageBox, press)
    assert window.files.dialogs.ask_save(window.look.words, "plan.tbudget") == answer


def test_an_unchanged_example_closes_without_a_question(window: MainWindow, dialogs: Any) -> None:
    assert window.close()
    assert dialogs.asked == []


@pytest.mark.parametrize(("answer", "closes"), [("cancel", False), ("discard", True)])
def test_closing_with_changes_asks(
    window: MainWindow, dialogs: Any, type_into: TypeInto, answer: Any, closes: bool
) -> None:
    type_into("tokens", "3T")
    dialogs.answer = answer
    assert window.close() == closes
    assert len(dialogs.asked) == 1


def test_closing_with_save_writes_the_file(
    window: MainWindow, dialogs: Any, type_into: TypeInto, tmp_path: Path
) -> None:
    type_into("tokens", "3T")
    dialogs.answer, dialogs.to_save = "save", tmp_path / "kept.tbudget"
    assert window.close()
    assert json.loads((tmp_path / "kept.tbudget").read_text("utf-8"))["scenarios"][0]["job"]["tokens"] == 3e12


def test_a_cancelled_save_keeps_the_window_open(window: MainWindow, dialogs: Any, type_into: TypeInto) -> None:
    type_into("tokens", "3T")
    dialogs.answer, dialogs.to_save = "save", None
    assert not window.close()


def test_save_as_keeps_the_other_scenarios_and_notes(window: MainWindow, dialogs: Any, tmp_path: Path) -> None:
    first = tmp_path / "two.tbudget"
    dialogs.to_save = first
    assert window.files.save()
    document = json.loads(first.read_text("utf-8"))
    second = {**document["scenarios"][0], "name": "B"}
    document.update(scenarios=[*document["scenarios"], second], notes="ask Jo", snapshots=[])
    first.write_text(json.dumps(document), "utf-8")
    assert window.files.open(first)
    dialogs.to_save = tmp_path / "copy.tbudget"
    assert window.files.save_as()
    copy = json.loads((tmp_path / "copy.tbudget").read_text("utf-8"))
    assert [scenario.get("name", "A") for scenario in copy["scenarios"]] == ["A", "B"]
    assert copy["notes"] == "ask Jo"


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"format": "other"}', "\0\1\2"])
def test_a_file_that_is_not_ours_is_refused_in_words(
    window: MainWindow, dialogs: Any, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "odd.tbudget"
    path.write_text(content, "utf-8")
    before = window.session.scenario
    assert not window.files.open(path)
    assert len(dialogs.told) == 1
    assert "odd.tbudget" in dialogs.told[0]
    assert "Traceback" not in dialogs.told[0]
    assert window.session.scenario is before
    assert path.read_text("utf-8") == content


def test_saving_where_one_cannot_is_said(window: MainWindow, dialogs: Any, tmp_path: Path) -> None:
    dialogs.to_save = tmp_path / "missing" / "x.tbudget"
    assert not window.files.save()
    assert len(dialogs.told) == 1
    assert not window.files.path


def drop(window: MainWindow, path: Path) -> bool:
    """Drop a file on the window as a file manager does; whether the window welcomed it."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    none, copy = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(200, 200), copy, mime, Qt.MouseButton.LeftButton, none)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPoint(200, 200), copy, mime, Qt.MouseButton.LeftButton, none))
    return enter.isAccepted()


def test_a_dropped_project_is_opened(window: MainWindow, dialogs: Any, type_into: TypeInto, tmp_path: Path) -> None:
    type_into("gpus", "128")
    dialogs.to_save = tmp_path / "dropped.tbudget"
    assert window.files.save()
    assert window.files.open_example()
    assert window.session.scenario.cluster.gpus == 256
    assert drop(window, tmp_path / "dropped.tbudget")
    assert window.session.scenario.cluster.gpus == 128


def test_a_dropped_config_gives_its_model_and_can_be_undone(window: MainWindow, tmp_path: Path) -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32000, "tie_word_embeddings": False,
    }  # fmt: skip
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), "utf-8")
    assert drop(window, path)
    assert window.session.budget.estimate.shape.params_total == 6_738_415_616  # Llama-2-7B, exact
    assert window.menus.actions["undo"].text() == "Undo: Model from config.json"
    window.session.undo()
    assert window.session.budget.estimate.model.name == "LLaMA-13B"


@pytest.mark.parametrize("content", ["{", '{"model_type": "no-such-family"}', '{"model_type": "llama"}', "[1]"])
def test_a_bad_config_is_refused_in_words(window: MainWindow, dialogs: Any, tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content, "utf-8")
    before = window.session.scenario
    window.open_path(path)
    assert len(dialogs.told) == 1
    assert window.session.scenario is before


def test_a_preset_replaces_a_model_read_from_a_file(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(
        '{"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_positions": 1024}',
        "utf-8",
    )
    window.open_path(path)
    assert window.session.budget.estimate.shape.params_total == 124_439_808  # GPT-2, exact
    row = window.cards.row("model")
    assert isinstance(row.box, SearchBox)
    assert row.box.currentText() == window.session.budget.estimate.model.name
    assert row.tag.reset.isVisible()
    row.box.chosen.emit("Llama-2-7B")
    assert window.session.budget.estimate.shape.params_total == 6_738_415_616


def test_every_example_opens(window: MainWindow) -> None:
    for action in window.menus.examples.actions():
        action.trigger()
        assert window.session.budget.ranged("wall_days").base is not None
        assert not window.session.entries
    assert window.top_bar.state.text() == "Example, not saved"


def test_dragging_something_else_is_not_welcome(window: MainWindow, qtbot: QtBot) -> None:
    mime = QMimeData()
    mime.setText("hello")
    event = QDragEnterEvent(
        QPoint(200, 200), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()
