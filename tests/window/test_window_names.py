"""Boxes with names: a click selects, words find, Return takes the first, long names are cut with three dots."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.budget.scenario import value_of
from desktop_app.estimation.presets import preset_names
from desktop_app.window import paint
from desktop_app.window.choice_box import SearchBox
from desktop_app.window.form import NAMES
from desktop_app.window.main_window import MainWindow
from desktop_app.window.name_search import by_family, found


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("llama 3", "Llama-3-8B"),
        ("llama3 70b", "Llama-3-70B"),
        ("Llama 3.1", "Llama-3.1-8B"),
        ("70b llama 2", "Llama-2-70B"),
        ("gpt2 1.5b", "GPT-2 1.5B"),
        ("mixtral 8x22", "Mixtral-8x22B"),
        ("qwen2.5 7b", "Qwen2.5-7B"),
        ("deepseek v3", "DeepSeek-V3"),
    ],
)
def test_words_find_a_model(typed: str, first: str) -> None:
    assert found(typed, sorted(preset_names(), key=by_family))[0] == first


def test_a_version_is_no_part_of_another_number() -> None:
    names = sorted(preset_names(), key=by_family)
    assert found("llama 3", names) == [
        "Llama-3-8B", "Llama-3-70B", "Llama-3.1-8B", "Llama-3.1-70B", "Llama-3.1-405B", "Llama-3.2-1B", "Llama-3.2-3B",
        "Llama-3.2-11B-Vision", "Llama-3.2-90B-Vision",
    ]  # fmt: skip


def test_what_names_nothing_finds_nothing() -> None:
    assert found("H9000", preset_names()) == []
    assert found("", ["a", "b"]) == ["a", "b"]


def test_families_stand_together_by_size(window: MainWindow) -> None:
    names = [words for _, words in NAMES["model"](window.session.scenario, window.session.catalogue, window.look.words)]
    llama = [name for name in names if name.lower().startswith("llama")]
    start = names.index(llama[0])
    assert names[start : start + len(llama)] == llama
    assert llama[:7] == [
        "LLaMA-7B", "LLaMA-13B", "LLaMA-33B", "LLaMA-65B", "Llama-2-7B", "Llama-2-13B", "Llama-2-70B",
    ]  # fmt: skip


@pytest.fixture
def name_box(window: MainWindow, qapp: QApplication) -> Callable[[str], SearchBox]:
    def name_box(key: str) -> SearchBox:
        window.activateWindow()
        box = window.cards.row(key).box
        qapp.processEvents()
        assert isinstance(box, SearchBox)
        return box

    return name_box


def test_a_click_selects_all_and_typing_replaces(
    window: MainWindow, qtbot: QtBot, name_box: Callable[[str], SearchBox]
) -> None:
    box = name_box("currency")
    qtbot.mouseClick(box.line, Qt.MouseButton.LeftButton)
    assert box.line.selectedText() == "USD"
    qtbot.keyClicks(box.line, "cny")
    assert box.line.text() == "cny"
    box._take_first()
    assert window.session.scenario.price.currency == "CNY"
    assert box.currentText() == "CNY"
    assert not window.session.entries


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("model", "llama 3", "Llama-3-8B"),
        ("provider", "googl", "gcp"),
        ("gpu", "h100", "H100-80GB-SXM"),  # the usual one, as on the command line
    ],
)
def test_return_takes_the_first_match(
    window: MainWindow, qtbot: QtBot, name_box: Callable[[str], SearchBox], key: str, typed: str, value: str
) -> None:
    box = name_box(key)
    qtbot.mouseClick(box.line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(box.line, typed)
    popup = box._popup
    qtbot.keyClick(popup if popup.isVisible() else box.line, Qt.Key.Key_Return)
    assert value_of(window.session.scenario, key) == value
    assert not popup.isVisible()


def test_a_model_by_a_name_of_its_owner_is_understood(
    window: MainWindow, qtbot: QtBot, name_box: Callable[[str], SearchBox]
) -> None:
    box = name_box("model")
    qtbot.mouseClick(box.line, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(box.line, "meta-llama/Meta-Llama-3-8B-Instruct")
    box._take_first()
    assert window.session.budget.estimate.model.name == "Llama-3-8B"


def test_regions_with_a_price_for_the_gpu_come_first(window: MainWindow) -> None:
    catalogue, words = window.session.catalogue, window.look.words
    sold = catalogue.regions("aws", "A100-80GB-SXM")
    options = NAMES["region"](window.session.scenario, catalogue, words)
    assert {code for code, _ in options[: len(sold)]} == set(sold)
    assert not any("no A100" in name for _, name in options[: len(sold)])
    assert len(options) == len(catalogue.regions("aws"))
    assert all(name.endswith("(no A100-80GB-SXM price)") for _, name in options[len(sold) :])


def test_long_words_end_in_three_dots(window: MainWindow) -> None:
    metrics = window.look.metrics()
    cut = paint.elided("us-east-1, Virginia", metrics, 80)
    assert cut.endswith("...")
    assert "\u2026" not in cut
    assert metrics.horizontalAdvance(cut) <= 80
    assert paint.elided("aws", metrics, 80) == "aws"
    assert "us-east-1, Virginia" in window.cards.row("region").box.toolTip()


def test_sellers_stand_by_their_names(window: MainWindow) -> None:
    window.session.edit("provider", "azure", "azure")
    assert window.cards.row("provider").box.currentText() == "Azure"
    assert window.model.rows[0].source.startswith("Azure ")
    window.session.edit("gpu", "MI300X", "MI300X")
    assert not any("azure" in note.sentence for note in window.strip._notes)
    assert "Azure" in window.top_bar.undo.toolTip() or window.session.stack.count() == 2
