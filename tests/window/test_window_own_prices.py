"""The user's own prices in the window: previewed before they are taken, kept in the book, used at once."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from drops import drop
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.budget.price_book_file import load_book, save_book
from desktop_app.window.app import make_window
from desktop_app.window.book_dialog import BookDialog
from desktop_app.window.choice_box import ChoiceBox, SearchBox
from desktop_app.window.compare_dialog import CompareDialog
from desktop_app.window.import_dialog import ImportDialog
from desktop_app.window.main_window import MainWindow
from pricing.price_book import Credit, PriceBook

CLEAR = (
    "Provider,Region,Instance,GPU,GPUs,Purchase,USD per GPU hour,Date\n"
    "AWS,us-east-1,p4de.24xlarge,A100-80GB-SXM,8,on-demand,2.5,2026-11-01\n"
    "AWS,us-east-1,p4de.24xlarge,A100-80GB-SXM,8,spot,3.5,2026-11-01\n"
    "AWS,us-east-1,x,H900,8,on-demand,2.5,2026-11-01\n"
)
OPEN = "GPU,GPUs,Region,Rate\nA100-80GB,8,us-east-1,20.5\nH100,8,us-east-1,41.0\n"
GERMAN = (
    "Angebot;;;;;\nAnbieter;Region;Instanz;Grafikkarte;Anzahl GPUs;Preis pro Stunde pro GPU;Währung\n"
    "Muster Cloud;Frankfurt;a8;A100 80GB;8;2,50;EUR\nMuster Cloud;Frankfurt;h8;H200;8;3,10;EUR\n"
)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.is_busy())
    QApplication.processEvents()


def preview(window: MainWindow, qtbot: QtBot, path: Path, text: str | None = None) -> ImportDialog:
    if text is not None:
        path.write_text(text, "utf-8")
    drop(window, path)
    settle(window, qtbot)
    dialog = window.prices.dialog
    assert isinstance(dialog, ImportDialog)
    return dialog


def press(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def choose(box: QWidget, value: object) -> None:
    """Pick an option as the list of the box does."""
    assert isinstance(box, ChoiceBox)
    place = next(n for n, (code, _) in enumerate(box._options) if code == value)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def column(table: Any, place: int) -> list[str]:
    return [table.rows.cells(row)[place].text for row in range(len(table.rows.records))]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_prices_are_previewed_then_taken_and_used(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, no_price_book: Path, language: Any
) -> None:
    window.set_language(language)
    before = window.session.budget.ledger.value("price_usd_per_gpu_hour")
    dialog = preview(window, qtbot, tmp_path / "offer.csv", CLEAR)
    assert len(dialog.prices.rows.records) == 2
    assert column(dialog.dropped, 0) == ["4"]
    assert "H900" in column(dialog.dropped, 1)[0]
    assert dialog.take.text() == ("Take 1 price" if language == "en" else "采用 1 个价格")
    press(dialog.doubtful)  # the spot price above the price on demand
    assert dialog.take.text() == ("Take 2 prices" if language == "en" else "采用 2 个价格")
    press(dialog.doubtful)
    assert not no_price_book.exists()
    press(dialog.take)
    settle(window, qtbot)
    assert not dialog.is_open
    assert [row.usd_per_gpu_hour for row in load_book().prices] == [2.5]
    assert before != 2.5
    assert window.session.budget.ledger.value("price_usd_per_gpu_hour") == 2.5
    row = next(row for row in window.model.rows if row.key == "cost.run")
    assert "offer.csv" in f"{row.source} {row.source_row}"
    assert "1" in window.strip.message.text()
    assert window.session.stack.isClean()


def test_cancel_takes_nothing(window: MainWindow, qtbot: QtBot, tmp_path: Path, no_price_book: Path) -> None:
    dialog = preview(window, qtbot, tmp_path / "offer.csv", CLEAR)
    press(dialog.cancel)
    assert not dialog.is_open
    assert not no_price_book.exists()


def test_what_the_sheet_leaves_open_is_asked(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = preview(window, qtbot, tmp_path / "open.csv", OPEN)
    assert not dialog.take.isEnabled()
    assert set(dialog.questions.boxes) == {"provider"}
    seller = dialog.questions.boxes["provider"]
    assert isinstance(seller, SearchBox)
    seller.line.setFocus()
    qtbot.keyClicks(seller.line, "Our Cloud")
    qtbot.keyClick(seller.line, Qt.Key.Key_Return)
    settle(window, qtbot)
    choose(dialog.questions.boxes["currency"], "EUR")
    settle(window, qtbot)
    choose(dialog.questions.boxes["price_per"], "instance")
    settle(window, qtbot)
    assert dialog.take.isEnabled()
    assert [row.quote.provider for row in dialog.preview.rows] == ["our-cloud"] * 2  # type: ignore[union-attr]
    assert all(row.quote.currency_original == "EUR" for row in dialog.preview.rows)  # type: ignore[union-attr]
    assert {"provider", "currency", "price_per"} <= set(dialog.questions.boxes)  # an answer can be changed


def test_another_column_is_read_at_once(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    text = CLEAR.replace("USD per GPU hour", "Old USD per GPU hour,USD per GPU hour").replace(",2.5,", ",9.5,2.5,")
    text = text.replace(",3.5,", ",9.9,3.5,")
    dialog = preview(window, qtbot, tmp_path / "two.csv", text)
    assert dialog.preview is None  # two columns may be the price
    assert "more than one column" in dialog.fault.text()
    choose(dialog.mapping.boxes["price_per_gpu_hour"], "USD per GPU hour")
    settle(window, qtbot)
    assert dialog.preview is not None
    assert column(dialog.prices, 7)[0] == "2.5000"
    choose(dialog.mapping.boxes["price_per_gpu_hour"], "Old USD per GPU hour")
    settle(window, qtbot)
    assert column(dialog.prices, 7)[0] == "9.5000"
    choose(dialog.mapping.boxes["region"], "")
    settle(window, qtbot)
    assert set(column(dialog.prices, 2)) == {"any region"}


def test_german_decimals(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = preview(window, qtbot, tmp_path / "angebot.csv", GERMAN)
    assert column(dialog.prices, 8) == ["20.0000 EUR", "24.8000 EUR"]


def test_a_chinese_workbook(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    import openpyxl

    window.set_language("zh")
    book = openpyxl.Workbook()
    book.active.title = "说明"
    sheet = book.create_sheet("报价单")
    sheet.append(["供应商", "地域", "机型", "显卡", "卡数", "单价(元/卡时)", "计费方式"])
    sheet.append(["算力云", "北京", "G8", "A100 80GB", 8, 9.8, "按需"])
    book.save(tmp_path / "报价.xlsx")
    dialog = preview(window, qtbot, tmp_path / "报价.xlsx")
    assert column(dialog.prices, 8) == ["78.4000 CNY"]
    assert "报价单" in dialog.head.text()
    assert dialog.sheets.currentText() == "报价单"
    assert dialog.mapping.boxes["gpu"].currentText() == "显卡"


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"PK\x03\x04broken"])
def test_a_file_that_cannot_be_read_is_told(
    window: MainWindow, qtbot: QtBot, dialogs: Any, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "bad.csv").write_bytes(content)
    drop(window, tmp_path / "bad.csv")
    settle(window, qtbot)
    assert len(dialogs.told) == 1
    assert "bad.csv" in dialogs.told[0]


def test_closing_the_window_while_a_sheet_is_read(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "offer.csv").write_text(CLEAR, "utf-8")
    drop(window, tmp_path / "offer.csv")
    assert window.close()


def test_a_damaged_book_does_not_stop_the_window(
    qtbot: QtBot, qapp: QApplication, settings: Any, no_price_book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_price_book.write_text("{", "utf-8")
    told: list[str] = []
    monkeypatch.setattr(
        "desktop_app.window.dialogs.Dialogs.tell", lambda self, words, text, details="": told.append(text)
    )
    window = make_window(qapp, settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: bool(told))
    assert "prices.json" in told[0]
    assert window.session.budget.ledger.value("price_usd_per_gpu_hour") is not None
    window.prices.show_book()
    assert len(told) == 2
    assert no_price_book.read_text("utf-8") == "{"


def book_dialog(window: MainWindow) -> BookDialog:
    window.menus.actions["book"].trigger()
    dialog = window.prices.dialog
    assert isinstance(dialog, BookDialog)
    return dialog


def test_a_discount_is_added_and_removed(window: MainWindow, qtbot: QtBot, dialogs: Any) -> None:
    before = window.session.budget.ranged("cost.total").base
    dialog = book_dialog(window)
    dialog.tabs.setCurrentIndex(1)
    form = dialog.forms["discounts"]
    for text, fault in (("", "not a number"), ("120", "not clear")):
        form.amount.setText(text)
        press(form.add_button)
        assert fault in dialogs.told[-1]
    form.amount.setText("20")
    form.source.setText("Contract 17")
    form.until.setText("2020-01-01")
    press(form.add_button)
    assert "past already" in dialogs.told[-1]
    form.until.clear()
    press(form.add_button)
    settle(window, qtbot)
    assert [rule.percent for rule in load_book().discounts] == [20]
    assert column(dialog.tables["discounts"], 7) == ["Contract 17"]
    discounted = window.session.budget.ranged("cost.total").base
    assert before is not None and discounted is not None and discounted < before
    dialog.tables["discounts"].selectRow(0)
    press(dialog.remove)  # not confirmed
    settle(window, qtbot)
    assert len(load_book().discounts) == 1
    dialogs.confirms = True
    press(dialog.remove)
    settle(window, qtbot)
    assert load_book().is_empty
    assert window.session.budget.ranged("cost.total").base == before


def test_a_credit_is_added(window: MainWindow, qtbot: QtBot, dialogs: Any) -> None:
    dialog = book_dialog(window)
    dialog.tabs.setCurrentIndex(2)
    form = dialog.forms["credits"]
    form.amount.setText("$50000")
    press(form.add_button)
    settle(window, qtbot)
    assert not dialogs.told
    assert [(row.provider, row.amount_usd) for row in load_book().credits] == [(None, 50000)]


def test_the_seller_of_the_scenario_is_not_removed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, dialogs: Any
) -> None:
    press(preview(window, qtbot, tmp_path / "angebot.csv", GERMAN).take)
    settle(window, qtbot)
    window.session.edit("provider", "muster-cloud", "muster-cloud")
    assert window.session.budget.ledger.value("price_usd_per_gpu_hour") is not None
    dialog, dialogs.confirms = book_dialog(window), True
    for _ in range(2):
        dialog.tables["prices"].selectRow(0)
        press(dialog.remove)
        settle(window, qtbot)
    assert len(load_book().prices) == 1  # the last one keeps the seller known
    assert len(dialogs.told) == 1
    dialog.reject()
    window.session.undo()
    window.session.use_catalogue(window.session.catalogue.with_book(PriceBook(), window.session.scenario.today))
    window.session.redo()  # leads to a seller that is not known any more
    assert len(dialogs.told) == 2
    assert window.session.scenario.price.provider == "aws"


def compare_dialog(window: MainWindow, qtbot: QtBot) -> CompareDialog:
    window.menus.actions["compare"].trigger()
    settle(window, qtbot)
    dialog = window.prices.dialog
    assert isinstance(dialog, CompareDialog)
    return dialog


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_way_of_purchase_is_used_and_taken_back(window: MainWindow, qtbot: QtBot, language: Any) -> None:
    window.set_language(language)
    dialog, scenario = compare_dialog(window, qtbot), window.session.scenario
    table = dialog.purchases
    complete = [record.cost.base for record in table.rows.records if record.complete]
    assert complete == sorted(complete)  # cheapest first
    behind = [record.complete for record in table.rows.records]
    assert behind == sorted(behind, reverse=True)  # what leaves a part out does not stand first
    assert table.current().purchase == "on-demand"
    assert not dialog.use.isEnabled()
    table.select(lambda option: option.purchase == "spot")
    assert dialog.notes[table].text()
    spot = table.current()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    settle(window, qtbot)
    assert window.session.scenario.price.purchase == "spot"
    assert window.session.budget.cost_usd == spot.cost
    assert dialog.purchases.current().purchase == "spot"
    window.session.undo()
    assert window.session.scenario == scenario
    settle(window, qtbot)


def test_a_place_is_used_as_one_step(window: MainWindow, qtbot: QtBot) -> None:
    dialog, scenario = compare_dialog(window, qtbot), window.session.scenario
    dialog.tabs.setCurrentIndex(1)
    table = dialog.places
    table.sort_by(3)
    carbon = [record.co2e_kg_location for record in table.rows.records]
    known = [value for value in carbon if value is not None]
    assert known == sorted(known) and carbon[len(known) :] == [None] * (len(carbon) - len(known))
    table.selectRow(0)
    offer = table.current()
    press(dialog.use)
    settle(window, qtbot)
    assert (window.session.scenario.price.provider, window.session.scenario.price.region) == (
        offer.provider,
        offer.region,
    )
    assert window.session.budget.ledger.value("usd.total") == offer.cost_usd
    assert window.session.budget.ledger.value("co2e_kg_location") == offer.co2e_kg_location
    assert window.menus.actions["undo"].text().startswith("Undo: Place AWS us-east-1 to ")
    window.session.undo()
    assert window.session.scenario == scenario
    settle(window, qtbot)


def test_copy_gives_plain_numbers(window: MainWindow, qtbot: QtBot) -> None:
    dialog = compare_dialog(window, qtbot)
    press(dialog.copy)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 1 + len(dialog.purchases.rows.records)
    assert "," not in lines[1].split("\t")[1]


def test_every_box_has_a_name(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    save_book(PriceBook(credits=(Credit("aws", 10.0, "mail", "2026-11-01"),)))
    opened: list[QWidget] = [preview(window, qtbot, tmp_path / "open.csv", OPEN), book_dialog(window)]
    for dialog in opened:
        boxes = [box for box in dialog.findChildren(ChoiceBox) if box.isVisibleTo(dialog)]
        assert boxes or isinstance(dialog, BookDialog)
        assert not [box for box in boxes if not box.accessibleName()]


def test_the_start_loads_no_importer() -> None:
    code = (
        "import desktop_app.window.app, sys\n"
        "found = [name for name in sys.modules if name.startswith('pricing.importers') or name.endswith("
        "('import_dialog', 'book_dialog', 'compare_dialog', 'sheet_reading', 'pandas', 'openpyxl'))]\n"
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
