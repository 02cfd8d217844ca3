"""The two documents: written in the background from the figures on screen, failures told in a sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import save_organisation
from desktop_app.budget.project import new_project, save_project
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


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any, tuple[str, ...]]]:
    """What the writers are handed, in place of what they write."""
    found: list[tuple[str, Any, tuple[str, ...]]] = []
    for module, name in (("workbook", "write_workbook"), ("proposal", "write_proposal"), ("model_card", "write_card"),
                         ("focus_csv", "write_focus")):  # fmt: skip

        def take(dossier: Any, path: Path, *how: str, name: str = name) -> None:
            found.append((name, dossier, how))

        monkeypatch.setattr(f"report_templates.{module}.{name}", take)
    return found


DOCUMENTS = {
    "excel": ("write_workbook", "LLaMA-13B-1T-tokens.xlsx", ("zh",)),
    "pdf": ("write_proposal", "LLaMA-13B-1T-tokens.pdf", ("zh", "a4", "proposal")),
    "memo": ("write_proposal", "LLaMA-13B-1T-tokens-memo.pdf", ("zh", "a4", "memo")),
    "panel": ("write_proposal", "LLaMA-13B-1T-tokens-panel.pdf", ("zh", "a4", "panel")),
    "card": ("write_card", "LLaMA-13B-1T-tokens-model-card.md", ("zh",)),
    "focus": ("write_focus", "LLaMA-13B-1T-tokens-focus.csv", ("zh",)),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_document_is_made_of_one_dossier(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path, handed: Any, kind: str
) -> None:
    save_organisation(Organisation(name="Acme"))
    first = window.session.scenario
    later = first.model_copy(update={"name": "Later", "cluster": first.cluster.model_copy(update={"gpus": 128})})
    path = tmp_path / "plan.tbudget"
    budgets = [make_budget(scenario, window.session.catalogue) for scenario in (first, later)]
    save_project(new_project(budgets, "Ask twice."), path)
    assert window.files.open(path)
    window.set_language("zh")
    dialogs.to_save = tmp_path / DOCUMENTS[kind][1]
    with qtbot.waitSignal(window.exporter.written, timeout=60_000):
        window.menus.actions[kind].trigger()
    ((writer, dossier, how),) = handed
    assert (writer, how) == (DOCUMENTS[kind][0], DOCUMENTS[kind][2])
    assert [budget.scenario.name for budget in dossier.budgets] == [first.name, "Later"]
    assert dossier.budgets[0] == window.session.budget
    assert (dossier.notes, dossier.organisation.name) == ("Ask twice.", "Acme")
    assert dialogs.told == []


def test_a_model_card_that_is_called_so_is_a_pdf(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path, handed: Any
) -> None:
    dialogs.to_save = tmp_path / "card.PDF"
    with qtbot.waitSignal(window.exporter.written, timeout=60_000):
        window.exporter.write("card")
    assert handed[0][0] == "write_proposal" and handed[0][2][2] == "card"


def test_the_figures_are_written(window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path) -> None:
    dialogs.to_save = tmp_path / "figures.csv"
    with qtbot.waitSignal(window.exporter.written, timeout=60_000):
        window.menus.actions["figures"].trigger()
    assert dialogs.asked == ["Save all figures: LLaMA-13B-1T-tokens-figures.csv"]
    assert "Training run" in dialogs.to_save.read_text("utf-8")


def test_every_document_proposes_a_name_of_its_own(window: MainWindow, dialogs: Any) -> None:
    for kind, (_, name, _) in DOCUMENTS.items():
        window.exporter.write(kind)  # type: ignore[arg-type]
        assert dialogs.asked.pop().endswith(f": {name}")


def test_a_damaged_profile_is_told_when_the_document_is_there(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path, no_organisation: Path, handed: Any
) -> None:
    no_organisation.write_text("{", "utf-8")
    dialogs.to_save = tmp_path / "b.xlsx"
    window.exporter.excel()
    qtbot.waitUntil(lambda: bool(dialogs.told))
    assert len(handed) == 1
    assert str(no_organisation) in dialogs.told[0] and "without the profile" in dialogs.told[0]
    assert window.strip.message.text() == "b.xlsx written."
    assert no_organisation.read_text("utf-8") == "{"


def test_a_further_scenario_that_cannot_be_computed_is_named(
    window: MainWindow, dialogs: Any, qtbot: QtBot, tmp_path: Path
) -> None:
    first = window.session.scenario
    later = first.model_copy(update={"name": "Later", "price": first.price.model_copy(update={"provider": "nobody"})})
    window.files.others = (later,)
    dialogs.to_save = tmp_path / "b.xlsx"
    with qtbot.waitSignal(window.exporter.failed, timeout=60_000):
        window.exporter.excel()
    qtbot.waitUntil(lambda: bool(dialogs.told))
    assert "Later" in dialogs.told[0] and "nobody" in dialogs.told[0]
    assert not dialogs.to_save.exists()


def test_the_menu_of_further_documents_speaks_both_languages(window: MainWindow) -> None:
    for language in ("en", "zh"):
        window.set_language(language)  # type: ignore[arg-type]
        words = words_of(language)  # type: ignore[arg-type]
        menu = next(a.menu() for a in window.menus._menus["file"].actions() if a.text() == words("menu.documents"))
        assert [action.text() for action in menu.actions()] == [
            words(f"action.{kind}") for kind in ("memo", "panel", "card", "figures", "focus")
        ]


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
