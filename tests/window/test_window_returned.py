"""Workbooks that come back in the window: shown before they are opened, opened as a project that is not saved yet."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from drops import drop
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.project import open_project
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.window.import_dialog import ImportDialog
from desktop_app.window.main_window import MainWindow
from desktop_app.window.returned_dialog import ReturnedDialog
from pricing.catalogue import load_catalogue
from report_templates.workbook import write_workbook

FIRST = 5  # column E: the first scenario


def scenarios(window: MainWindow) -> tuple[Scenario, Scenario]:
    first = example_scenario("llama_13b_256", window.session.scenario.today)
    return first, with_choice(first, "purchase", "spot").model_copy(update={"name": "On spot"})


@pytest.fixture
def plan(window: MainWindow, tmp_path: Path) -> Callable[..., Path]:
    """Writes a workbook of two scenarios and types into its cells."""

    def plan(language: Any = "en", **cells: Any) -> Path:
        path = tmp_path / "plan 2027.xlsx"
        budgets = [make_budget(scenario, load_catalogue()) for scenario in scenarios(window)]
        write_workbook(make_dossier(budgets, load_catalogue(), notes="a note"), path, language)
        book = openpyxl.load_workbook(path)
        for key, value in cells.items():
            for row in book["Inputs" if language == "en" else "输入"].iter_rows(min_col=FIRST):
                if any(cell.value == key for cell in row):
                    row[0].value = value
        book.save(path)
        return path

    return plan


def shown(window: MainWindow, qtbot: QtBot) -> ReturnedDialog:
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    QApplication.processEvents()
    dialog = window.returned.dialog
    assert isinstance(dialog, ReturnedDialog)
    return dialog


def press(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_changes_are_shown_then_opened_as_a_new_project(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot, tmp_path: Path, language: Any
) -> None:
    window.set_language(language)
    before = window.session.scenario
    dialogs.to_open = plan(language, tokens=2e12, gpus="many")
    assert window.files.open_asking()
    dialog = shown(window, qtbot)
    words = window.look.words
    rows = [[cell.text for cell in dialog.table.rows.cells(row)] for row in range(len(dialog.table.rows.records))]
    assert sorted((row[2], row[3], row[5] == words("returned.is_taken")) for row in rows) == sorted(
        [("1T" if language == "en" else "1万亿", "2T" if language == "en" else "2万亿", True), ("256", "many", False)]
    )
    assert window.session.scenario is before  # nothing is opened yet
    press(dialog.take)
    first, second = scenarios(window)
    assert window.session.scenario == with_choice(first, "tokens", 2e12)
    assert (window.files.name(), window.files.path, window.files.is_example) == ("plan 2027", None, False)
    assert window.files.state() == words("state.never_saved")
    assert any("many" in words.sentence(problem) for problem in window.session.budget.problems)
    dialogs.to_save = tmp_path / "plan.tbudget"
    assert window.files.save()
    project = open_project(tmp_path / "plan.tbudget")
    assert (project.scenarios, project.notes) == ((window.session.scenario, second), "a note")
    assert window.files.name() == "plan"


def test_cancel_and_escape_leave_everything(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot
) -> None:
    before, path = window.session.scenario, plan(tokens=2e12)
    for leave in ("cancel", "escape"):
        window.files.open(path)
        dialog = shown(window, qtbot)
        if leave == "cancel":
            press(dialog.cancel)
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.is_open
        assert window.session.scenario is before
        assert window.files.is_example


def test_the_keyboard_is_enough_and_everything_has_a_name(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot
) -> None:
    window.files.open(plan(tokens=2e12, gpus="many"))
    dialog = shown(window, qtbot)
    assert dialog.table.accessibleName() == "Inputs that were changed in the workbook"
    assert [button.text() or button.accessibleName() for button in (dialog.copy, dialog.cancel, dialog.take)] == [
        "Copy table", "Cancel", "Open as a new scenario",
    ]  # fmt: skip
    assert "not taken" in dialog.detail.text()  # the row that is not taken is the one that is looked at
    dialog.table.setFocus()
    dialog.table.selectRow(0)
    assert dialog.detail.text()
    QTest.keySequence(dialog.table, QKeySequence(QKeySequence.StandardKey.Copy))
    assert "many" in QGuiApplication.clipboard().text()
    dialog.take.setFocus()
    QTest.keyClick(dialog.take, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert window.session.scenario.job.tokens == 2e12


def test_a_new_project_can_be_edited_and_taken_back(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot
) -> None:
    window.session.edit("gpus", 64, "64")
    dialogs.answer = "discard"
    window.files.open(plan(tokens=2e12))
    press(shown(window, qtbot).take)
    assert not window.session.stack.canUndo()
    window.session.edit("gpus", 512, "512")
    assert window.session.scenario.cluster.gpus == 512
    assert not any("plan 2027" in str(dict(one.values)) for one in window.session.budget.problems)
    window.session.undo()
    assert (window.session.scenario.cluster.gpus, window.session.scenario.job.tokens) == (256, 2e12)
    window.files.open_example()
    assert window.files.name() != "plan 2027"


def test_a_workbook_is_dropped(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot, tmp_path: Path
) -> None:
    path = plan(tokens=2e12)
    window.session.edit("gpus", 64, "64")
    dialogs.answer = "cancel"
    drop(window, path)
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    assert len(dialogs.asked) == 1
    assert window.returned.dialog is None  # the project in hand has changes that are not to be lost
    dialogs.answer = "discard"
    drop(window, path)
    press(shown(window, qtbot).take)
    assert window.session.scenario.job.tokens == 2e12


def test_a_price_sheet_that_is_dropped_is_still_one(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path
) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Provider", "GPU", "GPUs", "USD per GPU hour"])
    book.active.append(["My Cloud", "H100", 8, 2.0])
    book.save(tmp_path / "offer.xlsx")
    drop(window, tmp_path / "offer.xlsx")
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    assert window.returned.dialog is None
    assert isinstance(window.prices.dialog, ImportDialog)


def test_what_is_not_ours_is_told_and_the_project_stays(
    window: MainWindow, dialogs: Any, plan: Callable[..., Path], qtbot: QtBot, tmp_path: Path
) -> None:
    before = window.session.scenario
    openpyxl.Workbook().save(tmp_path / "other.xlsx")
    (tmp_path / "text.xlsx").write_text("a,b", encoding="utf-8")
    for name in ("other.xlsx", "text.xlsx", "nowhere.xlsx"):
        window.files.open(tmp_path / name)
        qtbot.waitUntil(lambda: not window.runner.is_busy())
        assert name in dialogs.told[-1]
    assert len(dialogs.told) == 3
    assert window.session.scenario is before
    window.prices.import_file(plan())
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    assert "budget workbook of this program" in dialogs.told[-1]
