"""The panel agrees with tile and table: the same total, one unit, numbers that can be worked out again."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.wording import words_of
from desktop_app.window import paint
from desktop_app.window.cost_table import SOURCE
from desktop_app.window.explain_view import explain_view
from desktop_app.window.main_window import MainWindow
from desktop_app.window.notes_strip import NoteRow
from desktop_app.window.number_edit import NumberEdit

EN = words_of("en")


def number(text: str) -> float:
    return float(text.split(maxsplit=1)[0].replace(",", ""))


@pytest.mark.parametrize("currency", ["USD", "CNY", "EUR"])
@pytest.mark.parametrize("tokens", [1e12, 1.1e12, 7e11, 3e9])
def test_the_total_is_that_of_tile_and_table(window: MainWindow, qtbot: QtBot, currency: str, tokens: float) -> None:
    window.session.edit("currency", currency, currency)
    window.session.edit("tokens", tokens, str(tokens))
    qtbot.mouseClick(window.tiles.tiles[0], Qt.MouseButton.LeftButton)
    budget = window.session.budget
    digits = budget.ledger.value("money_digits")
    total = plain(budget.ledger.value("cost.total"), int(digits))  # type: ignore[arg-type]
    assert window.explain.value.text() == f"{total} {currency}"
    assert f"Total {total}" in window.sums.accessibleName()
    parts = explain_view(budget, "cost.total", EN).told.inputs
    assert [part.key for part in parts] == [line.key for line in budget.cost_lines]
    priced = {line.key for line in budget.cost_lines if line.amount is not None}
    amounts = (number(part.value) for part in parts if part.key in priced)
    assert sum(amounts) == pytest.approx(number(total), abs=1e-6)
    assert window.explain.numbers.text().endswith(f"= {total} {currency}")


@pytest.mark.parametrize("key", ["energy_facility_kwh", "co2e_kg_location"])
def test_bars_and_title_share_one_unit(window: MainWindow, key: str) -> None:
    view = explain_view(window.session.budget, key, EN)
    unit = view.told.value.split()[1]
    assert view.movers_unit == unit
    value = number(view.told.value)
    assert all(number(bar.low_text) <= value * 1.01 and number(bar.high_text) >= value * 0.99 for bar in view.movers)
    window.explain_key(key)
    assert window.explain.movers.head.text() == f"WHAT MOVES IT MOST, {unit}"


def test_the_numbers_of_carbon_can_be_worked_out_again(window: MainWindow) -> None:
    told = explain_view(window.session.budget, "co2e_kg_location", EN).told
    energy, grid = told.inputs[0], told.inputs[1]
    assert energy.value.endswith(" kWh")
    assert energy.value.split()[0] in told.numbers
    result = number(told.numbers.rpartition("= ")[2])
    assert told.numbers.endswith(" kgCO2e")
    assert number(energy.value) * number(grid.value) / 1000 == pytest.approx(result, rel=0.01)


def test_only_a_line_with_a_price_field_leads_to_one(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit("provider", "lambda", "lambda")
    if session.budget.ledger.value("cost.checkpoints") is not None:
        pytest.fail("the example needs a seller without a storage price")
    number_of = window.model.row_of("cost.checkpoints")
    row = window.model.rows[number_of]
    assert (row.price_field, row.source) == ("", "why?")
    wanted: list[str] = []
    window.table.price_wanted.connect(wanted.append)
    place = window.table.visualRect(window.model.index(number_of, SOURCE)).center()
    qtbot.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == []
    assert window.explained == "cost.checkpoints"
    assert window.explain.how.text() == EN("problem.storage_not_priced")


@pytest.mark.parametrize("name", ["table", "chart", "explain", "canvas"])
def test_escape_closes_the_panel_from_everywhere(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.explain_key("cost.run")
    widget: QWidget = getattr(window, name)
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_Escape)
    assert window.explain.isHidden()


def test_long_notes_are_wrapped_and_lead_to_their_field(window: MainWindow, qtbot: QtBot) -> None:
    menu = window.strip.all_notes_menu()
    rows = menu.findChildren(NoteRow)
    assert len(rows) == len(window.strip._notes)
    assert all(row.width() < window.width() for row in rows)
    longest = max(rows, key=lambda row: len(row.text()))
    assert longest.height() > 2 * window.look.metrics("small").height()
    note = next(note for note in window.strip._notes if note.field)
    menu.popup(window.mapToGlobal(window.rect().center()))
    qtbot.mouseClick(next(row for row in rows if row.text() == note.sentence), Qt.MouseButton.LeftButton)
    assert window.cards.row(note.field).box.hasFocus()
    assert not menu.isVisible()
    menu.deleteLater()


def test_what_is_used_is_shown_in_grey(window: MainWindow) -> None:
    window.session.edit("currency", "CNY", "CNY")
    for key, value in (("fx_rate", "6.6529"), ("price_usd_per_gpu_hour", "3.4309")):
        box = window.cards.row(key).box
        assert isinstance(box, NumberEdit)
        assert (box.text(), box.placeholderText()) == ("", value)
    mfu = window.cards.row("mfu").box
    assert isinstance(mfu, NumberEdit)
    used = window.session.budget.ledger.value("mfu")
    assert used is not None
    assert float(mfu.placeholderText()) == pytest.approx(used * 100, abs=0.05)


def test_the_number_has_room_before_the_unit(window: MainWindow, type_into: Callable[..., NumberEdit]) -> None:
    box = window.cards.row("price_usd_per_gpu_hour").box
    assert isinstance(box, NumberEdit)
    assert box.shown_unit() == "USD/GPU-h"
    type_into("price_usd_per_gpu_hour", "123456.789", leave=False)
    metrics = box.fontMetrics()
    assert box.shown_unit() != "USD/GPU-h"
    assert metrics.horizontalAdvance(box.text()) <= box.width() - box.textMargins().right() - 18
    type_into("price_usd_per_gpu_hour", "2.49", leave=False)
    assert box.shown_unit() == "USD/GPU-h"


def test_fields_of_adapters_come_with_the_method(window: MainWindow) -> None:
    card = window.cards.cards["job"]
    card.set_detail(True)
    keys = ("lora_rank", "lora_targets", "base_precision")
    assert not any(card.rows[key].isVisible() for key in keys)
    window.session.edit("method", "qlora", "qlora")
    assert all(card.rows[key].isVisible() for key in keys)


def test_the_field_keeps_the_focus_after_its_link(
    window: MainWindow, qtbot: QtBot, type_into: Callable[..., NumberEdit]
) -> None:
    box = type_into("gpus", "500")
    row = window.cards.row("gpus")
    window.canvas.setFocus()
    qtbot.mouseClick(row.message.links[0], Qt.MouseButton.LeftButton)
    assert window.session.scenario.cluster.gpus == 496
    assert box.hasFocus()


def test_a_reason_takes_two_lines_and_no_more(window: MainWindow) -> None:
    look = window.look
    font, height = look.font("caption"), look.metrics("caption").height()

    def lines_with_ink(words: str) -> list[bool]:
        image = QImage(150, 3 * height, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        paint.wrapped(painter, QRect(0, 0, 150, 2 * height), words, font, QColor("black"))
        painter.end()
        rows = [any(image.pixelColor(x, y).lightness() < 128 for x in range(150)) for y in range(3 * height)]
        return [any(rows[number * height : (number + 1) * height]) for number in range(3)]

    assert lines_with_ink("short") == [True, False, False]
    assert lines_with_ink(EN("problem.last_good") + " " + "The grid is not known, " * 5) == [True, True, False]


def test_the_location_basis_is_named_in_the_smallest_window(window: MainWindow, qapp: QApplication) -> None:
    for language in ("en", "zh"):
        window.set_language(language)  # type: ignore[arg-type]
        window.resize(1120, 640)
        qapp.processEvents()
        tile = window.tiles.tiles[3]
        label = words_of(window.look.language)("tile.carbon")
        assert window.look.metrics("caption").horizontalAdvance(label) <= tile.width() - window.look.px(20)
