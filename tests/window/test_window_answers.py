"""Tiles, chart, table, explain panel and notes say what the budget says."""

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop_app.foundation.wording import words_of
from desktop_app.window import figures
from desktop_app.window.cost_table import AGE, AMOUNT, ITEM, SHARE, SOURCE, CostModel
from desktop_app.window.explain_view import explain_view
from desktop_app.window.main_window import MainWindow
from desktop_app.window.number_edit import NumberEdit

TypeInto = Callable[..., NumberEdit]


def test_the_model_keeps_qts_contract(window: MainWindow, qtmodeltester: ModelTester) -> None:
    model = CostModel()
    rows = figures.cost_rows(window.session.budget, words_of("en"))
    model.set_rows(rows, "USD", words_of("en"))
    qtmodeltester.check(model)
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.columnCount(model.index(0, 0)) == 0
    assert model.rowCount(QModelIndex()) == len(window.session.budget.cost_lines)


def test_the_table_shows_the_lines_of_the_budget(window: MainWindow) -> None:
    budget, model = window.session.budget, window.model
    priced = [line for line in budget.cost_lines if line.amount is not None]
    unpriced = [line for line in budget.cost_lines if line.amount is None]
    for number, line in enumerate((*priced, *unpriced)):  # what nobody priced stands last, and is never 0
        shown = "not priced" if line.amount is None else f"{line.amount:,.0f}"
        assert model.index(number, AMOUNT).data() == shown
        assert model.index(number, ITEM).data() == words_of("en")(f"ledger.{line.key}")
    shares = [model.index(number, SHARE).data() for number in range(len(priced))]
    assert sum(float(share.removesuffix(" %")) for share in shares) == pytest.approx(100.0, abs=1e-9)
    total = budget.ledger.value("cost.total")
    assert f"Total {total:,.0f}" in window.sums.accessibleName()
    assert f"Amount to approve (P80) {budget.ledger.value('cost.ask'):,.0f}" in window.sums.accessibleName()


def test_the_chart_states_its_finding(window: MainWindow) -> None:
    share = window.session.budget.cost_lines[0].share
    assert share is not None
    assert window.chart.accessibleDescription().startswith(f"Training run is {share * 100:.0f} % of the budget")


def test_a_click_on_a_tile_explains_it(window: MainWindow, qtbot: QtBot) -> None:
    for tile, key in zip(
        window.tiles.all_tiles(),
        ("cost.total", "wall_days", "energy_facility_kwh", "co2e_kg_location", "memory.peak"),
        strict=True,
    ):
        qtbot.mouseClick(tile, Qt.MouseButton.LeftButton)
        assert window.explained == key
        assert window.explain.title.text() == words_of("en")(f"ledger.{key}")


def test_a_row_a_bar_and_an_input_explain(window: MainWindow, qtbot: QtBot) -> None:
    window.table.selectRow(1)
    assert window.explained == "cost.lost"
    window.chart.setFocus()
    qtbot.keyClick(window.chart, Qt.Key.Key_Down)
    assert window.explained == window.model.rows[2].key
    assert window.table.currentIndex().row() == 1 or window.table.selectionModel().isRowSelected(2, QModelIndex())
    window.explain_key("wall_days")
    row = window.explain._input_rows[0]
    qtbot.mouseClick(row.link, Qt.MouseButton.LeftButton)
    assert window.explained == row.key or window.explained != "wall_days"


def test_f1_explains_the_field_in_hand(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    box = window.cards.row("pue").box
    box.setFocus()
    window.menus.actions["explain_this"].trigger()
    assert window.explained == "pue"
    assert "PUE" in window.explain.title.text()


def test_every_line_of_the_ledger_can_be_explained_in_both_languages(window: MainWindow) -> None:
    for language in ("en", "zh"):
        window.set_language(language)  # type: ignore[arg-type]
        for line in window.session.budget.ledger:
            window.explain_key(line.key)
            assert window.explain.title.text()
            assert window.explain.value.text()


def test_formula_and_numbers_of_the_run(window: MainWindow) -> None:
    view = explain_view(window.session.budget, "cost.run", words_of("en"))
    hours, price = (window.session.budget.ledger.value(k) for k in ("billed_gpu_hours.run", "price_usd_per_gpu_hour"))
    assert view.told.numbers == f"{hours:,.0f} × {price:.4f} = {window.session.budget.cost_lines[0].amount:,.0f} USD"
    assert view.source is not None
    assert view.source.row == "AWS us-east-1 p4de.24xlarge, on-demand"
    assert view.source.old.startswith("old: ")
    assert view.movers


def test_escape_closes_the_panel_and_a_click_brings_it_back(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window.explain, Qt.Key.Key_Escape)
    assert window.explain.isHidden()
    qtbot.mouseClick(window.tiles.tiles[1], Qt.MouseButton.LeftButton)
    assert window.explain.isVisible()


def test_copying_the_table_gives_plain_numbers(window: MainWindow, qtbot: QtBot) -> None:
    window.table.setFocus()
    qtbot.keyClick(window.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[0] == "Item"
    assert float(lines[1].split("\t")[1]) == window.session.budget.cost_lines[0].amount


def test_copying_an_explanation(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.explain.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith("Training run: ")


def test_a_job_that_does_not_fit_says_so_and_offers_a_way_out(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("model", "Llama-2-70B", "Llama-2-70B")
    window.session.edit("gpus", 8, "8")
    assert window.session.budget.estimate.fits == "no"
    assert "No" in window.tiles.verdict.accessibleName()
    qtbot.mouseClick(window.tiles.verdict, Qt.MouseButton.LeftButton)
    links = window.explain._remedy_links
    assert links
    before = window.session.budget.estimate.memory.peak
    qtbot.mouseClick(links[0], Qt.MouseButton.LeftButton)
    assert window.session.budget.estimate.memory.peak < before


def test_notes_lead_to_their_field(window: MainWindow, qtbot: QtBot) -> None:
    assert window.strip.count.text() == f"{len(window.session.budget.problems)} notes"
    part = window.strip.parts[0]
    qtbot.mouseClick(part.link, Qt.MouseButton.LeftButton)
    assert window.cards.row(part.field).box.hasFocus()
    menu = window.strip.all_notes_menu()
    assert len(menu.actions()) == len(window.session.budget.problems)
    menu.deleteLater()


def test_a_narrow_window_has_the_panel_when_asked_and_hides_no_figure(window: MainWindow, qapp: QApplication) -> None:
    window.resize(1120, 640)
    qapp.processEvents()
    assert window.explain.isHidden()
    window.explain_key("wall_days")
    qapp.processEvents()
    assert window.explain.isVisible()
    assert not window.money.geometry().intersects(window.explain.geometry())
    assert window.table.isColumnHidden(SOURCE)  # the panel tells it in full
    model, metrics = window.model, window.look.metrics("body", semibold=True)
    for column in (AMOUNT, SHARE, AGE):
        texts = [model.index(row, column).data() for row in range(model.rowCount())]
        assert window.table.columnWidth(column) > max(map(metrics.horizontalAdvance, texts))
    window.resize(1366, 690)
    qapp.processEvents()
    assert window.explain.isVisible()
    assert not window.money.geometry().intersects(window.explain.geometry())


def test_no_reference_is_taken_from_none(window: MainWindow) -> None:
    """PySide6 6.12 on Python 3.11 takes one from None at every void call, and aborts after some thousand."""
    before = sys.getrefcount(None)
    for _ in range(1000):
        window.update()
    assert abs(sys.getrefcount(None) - before) < 50


def test_a_thousand_edits_leave_nothing_behind(window: MainWindow, type_into: TypeInto) -> None:
    for number in range(100):
        window.session.edit("gpus", 8 * (1 + number % 40), "")
    widgets = len(QApplication.allWidgets())
    for number in range(100):
        window.session.edit("gpus", 8 * (1 + number % 40), "")
    assert len(QApplication.allWidgets()) <= widgets + 5
