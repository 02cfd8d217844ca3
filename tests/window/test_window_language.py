"""English and Chinese, switched live: every word changes, Qt's own too."""

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.window.cost_table import CostModel
from desktop_app.window.labels import ElidedLabel
from desktop_app.window.main_window import MainWindow

# Names stay Latin in Chinese: models, GPUs, regions, products, formats and units.
_NAMES = (
    "AWS", "us-east-1", "aws", "on-demand list", "Standard", "S3", "FlashAttention", "PyTorch SDPA", "AdamW", "ZeRO",
    "config.json", "Training Budget", "Excel", "PDF", "GPU", "token", "English", "Virginia",
)  # fmt: skip
_TWO_ENGLISH_WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")


def texts(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every text that the widgets of the window show or say."""
    for widget in [window, *window.findChildren(QWidget)]:
        name = type(widget).__name__
        for text in (widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()):
            yield name, text
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit | ElidedLabel):
            yield name, widget.text()
        if isinstance(widget, QLineEdit):
            yield name, widget.placeholderText()
        if isinstance(widget, QComboBox) and widget.count() < 12:  # longer lists hold names
            yield from ((name, widget.itemText(number)) for number in range(widget.count()))
    for action in window.findChildren(QAction):
        yield "QAction", action.text()


def open_everything(window: MainWindow) -> None:
    for card in window.cards.cards.values():
        card.set_open(True)
        card.set_detail(True)
    QApplication.processEvents()


def test_no_english_is_left_in_chinese(window: MainWindow) -> None:
    open_everything(window)
    window.set_language("zh")
    assert window.explain.isVisible()
    source = window.explain.source.name.text()  # a citation stands as its authors wrote it
    runs = [row.name.text() for row in window.explain._run_rows]
    left = []
    for name, text in texts(window):
        rest = text
        for known in (source, *runs, *_NAMES):
            rest = rest.replace(known, "")
        if _TWO_ENGLISH_WORDS.search(rest):
            left.append((name, text))
    assert left == []


def test_every_word_of_the_catalogue_changes(window: MainWindow) -> None:
    open_everything(window)
    english = {text for _, text in texts(window) if len(text) > 3 and re.search("[a-z]{3}", text)}
    window.set_language("zh")
    chinese = {text for _, text in texts(window)}
    same = {text for text in english & chinese if not any(name in text for name in _NAMES)}
    assert {text for text in same if _TWO_ENGLISH_WORDS.search(text)} <= {
        row.name.text() for row in window.explain._run_rows
    } | {window.explain.source.name.text()}


def test_and_back_again(window: MainWindow) -> None:
    open_everything(window)
    before = {text for text in texts(window) if text[1]}
    window.set_language("zh")
    window.set_language("en")
    QApplication.processEvents()
    assert {text for text in texts(window) if text[1]} == before


def test_the_button_in_the_bar_switches(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.top_bar.language, Qt.MouseButton.LeftButton)
    assert window.look.language == "zh"
    assert window.top_bar.excel.text() == "导出 Excel"
    assert window.windowTitle() == "LLaMA-13B，1万亿 token[*] - 训练预算"
    assert window.settings.language == "zh"
    assert window.top_bar.language.text() == "English"


def test_qts_own_buttons_follow(window: MainWindow) -> None:
    def cancel_words() -> str:
        box = QMessageBox(window)
        box.setStandardButtons(QMessageBox.StandardButton.Cancel)
        text = box.button(QMessageBox.StandardButton.Cancel).text()
        box.deleteLater()
        return text

    assert cancel_words().replace("&", "") == "Cancel"
    window.set_language("zh")
    assert cancel_words() == "取消"
    window.set_language("en")
    assert cancel_words().replace("&", "") == "Cancel"


def test_table_heads_and_rows_are_chinese(window: MainWindow) -> None:
    window.set_language("zh")
    model = window.model
    assert isinstance(model, CostModel)
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert heads == ["费用项", "金额（美元）", "占比", "来源", "价格天数"]
    assert model.rows[0].item == "正式训练"


def test_english_uses_no_sign_that_is_a_hole_in_this_font(window: MainWindow) -> None:
    open_everything(window)
    wide = set("·…“”‘’±≥≤→")
    assert [text for _, text in texts(window) if wide & set(text)] == []
