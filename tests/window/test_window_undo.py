"""Undo and redo: each step named in the language of the moment, and the field it is about."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.window.main_window import MainWindow
from desktop_app.window.number_edit import NumberEdit

TypeInto = Callable[..., NumberEdit]


def undo_words(window: MainWindow) -> tuple[str, str, str]:
    """The same name stands in the menu, on the button's tooltip and for a screen reader."""
    button = window.top_bar.undo
    return window.menus.actions["undo"].text(), button.toolTip(), button.accessibleName()


def test_nothing_to_undo_at_first(window: MainWindow) -> None:
    assert not window.top_bar.undo.isEnabled()
    assert not window.menus.actions["undo"].isEnabled()
    assert window.menus.actions["undo"].text() == "Undo"


def test_one_field_typed_in_one_go_is_one_step(window: MainWindow, type_into: TypeInto, qtbot: QtBot) -> None:
    type_into("tokens", "1.5T")
    assert window.session.stack.count() == 1
    assert set(undo_words(window)) == {"Undo: Tokens 1T to 1.5T"}
    qtbot.mouseClick(window.top_bar.undo, Qt.MouseButton.LeftButton)
    assert window.session.scenario.job.tokens == 1e12
    assert window.menus.actions["redo"].text() == "Redo: Tokens 1T to 1.5T"


def test_five_steps_are_named_one_by_one(window: MainWindow, type_into: TypeInto) -> None:
    start = window.session.scenario
    type_into("tokens", "2T")
    type_into("gpus", "512")
    window.session.edit("purchase", "spot", "spot")
    window.session.finish()
    type_into("pue", "1.3")
    window.session.reset("tokens")
    names = []
    for _ in range(5):
        names.append(undo_words(window)[0])
        window.menus.actions["undo"].trigger()
    assert names[1:] == [
        "Undo: PUE chosen by the program to 1.3",
        "Undo: Purchase on-demand to spot",
        "Undo: GPU count 256 to 512",
        "Undo: Tokens 1T to 2T",
    ]
    assert names[0] == "Undo: Tokens back to default"
    assert window.session.scenario == start
    assert not window.top_bar.undo.isEnabled()


def test_names_follow_the_language(window: MainWindow, type_into: TypeInto) -> None:
    type_into("tokens", "2T")
    window.set_language("zh")
    assert set(undo_words(window)) == {"撤销：训练 token 数由1万亿改为2万亿"}


def test_typing_back_to_the_start_leaves_no_step(window: MainWindow, type_into: TypeInto) -> None:
    type_into("checkpoints_kept", "34", leave=False)
    assert window.session.stack.count() == 1
    box = type_into("checkpoints_kept", "3")
    assert box.text() == "3"
    assert window.session.scenario.price.checkpoints_kept == 3


def test_undo_goes_to_the_field_and_drops_what_waits(window: MainWindow, type_into: TypeInto) -> None:
    type_into("gpus", "512")
    type_into("tp", "3")
    assert window.session.entries
    window.session.undo()
    assert not window.session.entries
    assert window.session.scenario.cluster.gpus == 256
    assert window.cards.row("gpus").box.hasFocus()


def test_text_is_undone_before_the_document(window: MainWindow, type_into: TypeInto, qtbot: QtBot) -> None:
    type_into("gpus", "512")
    box = type_into("tokens", "9T", leave=False)
    qtbot.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert box.text() != "9T"
    assert window.session.scenario.cluster.gpus == 512
    while box.isUndoAvailable():
        box.undo()
    assert window.session.scenario.job.tokens == 1e12


def test_what_typing_set_on_its_way_to_a_bad_number_is_taken_back(window: MainWindow, type_into: TypeInto) -> None:
    before = window.session.scenario
    type_into("checkpoints_kept", "1e30")  # 1, then 1e3, then too many
    assert window.session.scenario == before
    assert window.session.stack.isClean()
