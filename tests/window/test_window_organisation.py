"""The profile of the organisation in the window: filled in by hand, judged box by box, kept as a whole."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import load_organisation, save_organisation
from desktop_app.foundation.wording import words_of
from desktop_app.window.main_window import MainWindow
from desktop_app.window.organisation_dialog import OrganisationDialog
from report_templates.logo import logo_from

BLUE = (11, 90, 138)


@pytest.fixture
def logo(tmp_path: Path) -> Path:
    path = tmp_path / "logo.png"
    Image.new("RGB", (300, 100), BLUE).save(path)
    return path


def opened(window: MainWindow) -> OrganisationDialog:
    window.menus.actions["organisation"].trigger()
    QApplication.processEvents()
    dialog = window.profile.dialog
    assert dialog is not None and dialog.isVisible()
    return dialog


def press(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    QApplication.processEvents()


def faults(dialog: OrganisationDialog) -> dict[str, str]:
    """What is said to be wrong, by box."""
    return {
        name: row.note.text() for name, row in dialog.rows.items() if row.note.property("tone") == "bad"
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_profile_is_typed_saved_and_shown_again(
    window: MainWindow, dialogs: Any, qtbot: QtBot, logo: Path, no_organisation: Path, language: Any
) -> None:
    window.set_language(language)
    dialog = opened(window)
    assert dialog.windowTitle() == words_of(language)("title.organisation")
    assert QApplication.focusWidget() is dialog.name or not window.isActiveWindow()
    for box, text in ((dialog.name, "Acme"), (dialog.cost_centre, "4711"), (dialog.colour, "#7a1f5c"),
                      (dialog.days, "14")):  # fmt: skip
        box.setFocus()
        qtbot.keyClicks(box, text)
    dialog.roles.setFocus()
    qtbot.keyClicks(dialog.roles, "Director")
    qtbot.keyClick(dialog.roles, Qt.Key.Key_Return)  # which begins a line and presses no button
    qtbot.keyClicks(dialog.roles, " Finance ")
    dialog.disclaimer.setPlainText("Binds nobody.\n免责。")
    dialogs.to_open = logo
    press(dialog.choose)
    settle(window, qtbot)
    assert "300" in dialog.rows["logo_png"].note.text()
    assert dialog.swatch.colour == "7A1F5C"
    assert not no_organisation.exists()
    press(dialog.save)
    assert not dialog.is_open
    assert load_organisation() == Organisation(
        name="Acme", cost_centre="4711", accent_colour="7A1F5C", sign_off_roles=("Director", "Finance"),
        disclaimer="Binds nobody.\n免责。", validity_days=14, logo_png=logo_from(logo),
    )  # fmt: skip
    assert window.strip.message.text() == words_of(language)("organisation.saved")
    again = opened(window)
    assert (again.name.text(), again.days.text()) == ("Acme", "14")
    assert again.roles.toPlainText() == "Director\nFinance"
    picture = again.logo.grab().toImage()
    assert picture.pixelColor(picture.width() // 2, picture.height() // 2) == QColor(*BLUE)
    press(again.remove)
    assert not again.remove.isEnabled()
    press(again.save)
    assert load_organisation().logo_png == b""
    assert dialogs.asked == [words_of(language)("dialog.logo")]


def test_every_fault_stands_under_its_box_in_words(window: MainWindow, no_organisation: Path) -> None:
    dialog = opened(window)
    dialog.colour.setText("red")
    dialog.days.setText("2.5")
    dialog.roles.setPlainText("x" * 201)
    dialog.disclaimer.setPlainText("y" * 2001)
    press(dialog.save)
    assert dialog.is_open
    found = faults(dialog)
    assert set(found) == {"accent_colour", "validity_days", "sign_off_roles", "disclaimer"}
    assert found["validity_days"] == '"2.5" is not a whole number.'
    assert "2,000" in found["disclaimer"]
    assert dialog.colour.property("bad") and not dialog.name.property("bad")
    assert dialog.colour.accessibleDescription() == found["accent_colour"]
    assert not no_organisation.exists()
    dialog.days.setText("soon")
    dialog.days.editingFinished.emit()
    assert faults(dialog)["validity_days"] == '"soon" is not a number.'
    dialog.colour.setText("0B5A8A")
    dialog.days.setText("")
    dialog.roles.setPlainText("a")
    dialog.disclaimer.setPlainText("")
    assert set(faults(dialog)) == {"validity_days"}  # judged when it is left
    press(dialog.save)
    assert not dialog.is_open
    assert load_organisation() == Organisation(accent_colour="0B5A8A", sign_off_roles=("a",))


def test_a_faint_colour_is_told_and_may_be_kept(window: MainWindow) -> None:
    dialog = opened(window)
    note = dialog.rows["accent_colour"].note
    dialog.colour.setText("0B5A8A")
    assert (note.text(), note.property("tone")) == ("contrast 7.4 to 1 on white", "text3")
    dialog.colour.setText("#fe0")
    assert dialog.swatch.colour == "FFEE00"
    assert note.text().startswith("Too faint for text: contrast 1.2 to 1 on white.")
    assert note.property("tone") == "warn"
    dialog.colour.setText("#f")  # not a colour yet: nothing is said while it is typed
    assert (dialog.swatch.colour, note.property("tone")) == ("", "text3")
    dialog.colour.setText("#fe0")
    press(dialog.save)
    assert load_organisation().accent_colour == "FFEE00"


def test_a_logo_that_is_none_is_told_and_the_old_one_stays(
    window: MainWindow, dialogs: Any, qtbot: QtBot, logo: Path, tmp_path: Path
) -> None:
    save_organisation(Organisation(logo_png=logo_from(logo)))
    dialog = opened(window)
    evil = tmp_path / "evil.svg"
    evil.write_text('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/a.png"/></svg>', "utf-8")
    dialogs.to_open = evil
    press(dialog.choose)
    assert not dialog.save.isEnabled()  # until it is read
    settle(window, qtbot)
    assert faults(dialog)["logo_png"].startswith("evil.svg refers to something outside itself")
    assert dialog.logo.png == logo_from(logo)
    assert dialog.save.isEnabled() and dialog.remove.isEnabled()
    assert dialogs.told == []


def test_closing_while_a_logo_is_read_is_safe(window: MainWindow, dialogs: Any, qtbot: QtBot, logo: Path) -> None:
    dialog = opened(window)
    dialog.read_logo(logo)
    dialog.reject()
    assert not dialog.is_open
    settle(window, qtbot)
    assert dialogs.told == []


def test_changes_are_asked_about_before_they_are_lost(
    window: MainWindow, dialogs: Any, qtbot: QtBot, no_organisation: Path
) -> None:
    dialog = opened(window)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.is_open and dialogs.asked == []
    dialog = opened(window)
    dialog.name.setText("Acme")
    dialogs.confirms = False
    press(dialog.cancel)
    assert dialog.is_open and len(dialogs.asked) == 1
    dialogs.confirms = True
    press(dialog.cancel)
    assert not dialog.is_open
    assert not no_organisation.exists()


def test_a_damaged_profile_is_told_and_left_alone(window: MainWindow, dialogs: Any, no_organisation: Path) -> None:
    no_organisation.write_text("{", "utf-8")
    window.menus.actions["organisation"].trigger()
    assert window.profile.dialog is None
    assert str(no_organisation) in dialogs.told[0]
    assert no_organisation.read_text("utf-8") == "{"


def test_a_profile_that_cannot_be_written_stays_on_screen(
    window: MainWindow, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(window)
    dialog.name.setText("Acme")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRAINING_BUDGET_ORGANISATION", str(tmp_path / "file" / "organisation.json"))
    press(dialog.save)
    assert dialog.is_open
    assert len(dialogs.told) == 1 and "Traceback" not in dialogs.told[0]
    assert dialog.name.text() == "Acme"


def test_boxes_have_names_and_labels_lead_to_them(window: MainWindow) -> None:
    for language in ("en", "zh"):
        window.set_language(language)  # type: ignore[arg-type]
        dialog = opened(window)
        for row in dialog.rows.values():
            assert row.label.text() and row.label.buddy().accessibleName() == row.label.text()
        areas = dialog.findChildren(QLineEdit) + dialog.findChildren(QPlainTextEdit)
        assert len(areas) == 6
        assert all(area.accessibleName() for area in areas)
        for button in (dialog.choose, dialog.remove):
            assert button.accessibleName().startswith(words_of(language)("organisation.logo"))  # type: ignore[arg-type]
        dialog.reject()


def test_tab_walks_through_the_boxes_in_their_order(window: MainWindow, qtbot: QtBot) -> None:
    dialog = opened(window)
    dialog.activateWindow()
    dialog.name.setFocus()
    wanted = [dialog.name, dialog.cost_centre, dialog.choose, dialog.colour, dialog.roles, dialog.days,
              dialog.disclaimer, dialog.cancel, dialog.save]  # fmt: skip
    seen = []
    for _ in wanted:
        seen.append(dialog.focusWidget())
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert seen == wanted


def test_nothing_is_cut_when_everything_is_wrong(window: MainWindow) -> None:
    dialog = opened(window)
    for box in (dialog.colour, dialog.days):
        box.setText("z" * 150)
    dialog.roles.setPlainText("x" * 300)
    press(dialog.save)
    QApplication.processEvents()
    for row in dialog.rows.values():
        assert row.note.height() >= row.note.heightForWidth(row.note.width()) or not row.note.isVisible()
        assert row.geometry().right() <= row.parentWidget().width()


def test_the_start_loads_no_dialog_and_no_pictures() -> None:
    code = (
        "import desktop_app.window.app, sys\n"
        "found = [name for name in sys.modules if name.startswith(('PIL', 'resvg_py', 'reportlab')) or name.endswith("
        "('organisation_dialog', 'organisation_form', 'dossier.dossier', 'logo'))]\n"
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
