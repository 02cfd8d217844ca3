"""Everything is reached by the keyboard, has a name, and shows where the focus is."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.window.main_window import MainWindow


def open_everything(window: MainWindow) -> None:
    for card in window.cards.cards.values():
        card.set_open(True)
        card.set_detail(True)
    QApplication.processEvents()


def unnamed(window: QWidget) -> list[QWidget]:
    """Inputs and buttons that a screen reader could not name. The text line inside a combo box is named by the box."""
    kinds = QLineEdit | QComboBox | QAbstractButton | QAbstractSlider
    found = []
    for widget in window.findChildren(QWidget):
        inside = isinstance(widget.parent(), QComboBox) or widget.objectName().startswith("qt_")
        if isinstance(widget, kinds) and not inside and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            own_text = isinstance(widget, QAbstractButton) and widget.text()
            if not widget.accessibleName() and not own_text and not widget.isHidden():
                found.append(widget)
    return found


def test_every_input_and_button_has_a_name(window: MainWindow) -> None:
    open_everything(window)
    assert [type(widget).__name__ for widget in unnamed(window)] == []


def test_the_walk_finds_an_input_without_a_name(window: MainWindow) -> None:
    nameless = QLineEdit(window)
    nameless.show()
    assert unnamed(window) == [nameless]


def test_every_row_has_a_buddy_and_says_its_unit(window: MainWindow) -> None:
    open_everything(window)
    for card in window.cards.cards.values():
        for row in card.rows.values():
            assert isinstance(row.label, QLabel)
            assert row.label.buddy() is row.box
            assert row.box.accessibleDescription()
            assert row.box.toolTip()
    assert window.cards.row("tokens").box.accessibleDescription().startswith("tokens. ")


def test_letters_of_the_menus_are_unique(window: MainWindow) -> None:
    for language in ("en", "zh"):
        window.set_language(language)  # type: ignore[arg-type]
        titles = [action.text() for action in window.menus.bar.actions()]
        letters = [title[title.index("&") + 1].lower() for title in titles]
        assert len(set(letters)) == len(letters) == 5


def test_keys_are_unique(window: MainWindow) -> None:
    keys = [a.shortcut().toString() for a in window.menus.actions.values() if not a.shortcut().isEmpty()]
    assert len(set(keys)) == len(keys)
    assert {"Ctrl+S", "Ctrl+O", "Ctrl+Z", "Ctrl+E", "Ctrl+Shift+E", "F1"} <= set(keys)


def test_tab_reaches_inputs_tiles_chart_table_and_notes_in_reading_order(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    first = window.cards.cards["model"].header
    first.setFocus()
    seen: list[QWidget] = []
    for _ in range(120):
        widget = QApplication.focusWidget()
        assert widget is not None
        if seen and widget is first:
            break
        seen.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    rows = window.cards
    wanted = [
        rows.row("model").box, rows.row("tokens").box, rows.row("gpus").box, *window.tiles.all_tiles(), window.chart,
        window.table,
    ]  # fmt: skip
    places = [seen.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_enter_on_a_tile_explains(window: MainWindow, qtbot: QtBot) -> None:
    tile = window.tiles.tiles[2]
    tile.setFocus()
    qtbot.keyClick(tile, Qt.Key.Key_Return)
    assert window.explained == "energy_facility_kwh"


def test_focus_is_visible_on_painted_buttons(window: MainWindow, qapp: QApplication) -> None:
    window.activateWindow()
    for button in (window.top_bar.excel, window.tiles.tiles[0], window.cards.cards["job"].header):
        window.canvas.setFocus()
        qapp.processEvents()
        without = button.grab().toImage()
        button.setFocus()
        qapp.processEvents()
        assert button.grab().toImage() != without


def test_what_can_be_clicked_is_large_enough(window: MainWindow) -> None:
    open_everything(window)
    smallest = window.look.px(24) - 1
    small = [
        (type(button).__name__, button.accessibleName(), button.height())
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and not button.objectName().startswith("qt_") and button.height() < smallest
    ]
    assert small == []
