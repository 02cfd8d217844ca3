"""Every kind of field moves the figures; what cannot be used is said under the field and nothing is lost."""

from collections.abc import Callable
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.budget.effective import effective
from desktop_app.budget.scenario import is_set, value_of
from desktop_app.foundation.wording import words_of
from desktop_app.window.choice_box import ChoiceBox, SearchBox
from desktop_app.window.figures import cost_rows, tiles
from desktop_app.window.form import field_specs
from desktop_app.window.main_window import MainWindow
from desktop_app.window.number_edit import NumberEdit

TypeInto = Callable[..., NumberEdit]


def cost(window: MainWindow) -> float | None:
    return window.session.budget.ranged("cost.total").base


def test_opens_with_the_finished_example(window: MainWindow) -> None:
    scenario = window.session.scenario
    assert (scenario.model.model, scenario.job.tokens, scenario.cluster.gpus) == ("LLaMA-13B", 1e12, 256)
    assert (scenario.cluster.gpu, scenario.price.provider, scenario.price.region) == (
        "A100-80GB-SXM", "aws", "us-east-1",
    )  # fmt: skip
    total = cost(window)
    assert total is not None
    assert f"{total:,.0f}" in window.tiles.tiles[0].accessibleName()


def test_every_choice_of_the_scenario_has_a_row(window: MainWindow) -> None:
    for spec in field_specs():
        row = window.cards.row(spec.key)
        assert row.spec.card == spec.card
        assert row.label.text()


def test_typing_tokens_moves_all_figures(window: MainWindow, type_into: TypeInto) -> None:
    before = [tile.accessibleName() for tile in window.tiles.tiles]
    type_into("tokens", "2T")
    assert window.session.scenario.job.tokens == 2e12
    assert all(old != tile.accessibleName() for old, tile in zip(before, window.tiles.tiles, strict=True))


def test_figures_move_at_every_keystroke(window: MainWindow, type_into: TypeInto) -> None:
    seen = []
    window.session.changed.connect(lambda: seen.append(window.session.scenario.cluster.gpus))
    type_into("gpus", "512", leave=False)
    assert seen == [5, 51, 512]
    assert window.session.stack.count() == 1


def test_choosing_an_option_with_the_keyboard_moves_the_figures(window: MainWindow, qtbot: QtBot) -> None:
    before = cost(window)
    box = window.cards.row("purchase").box
    assert isinstance(box, QComboBox)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert window.session.scenario.price.purchase != "on-demand" or cost(window) != before


def test_searching_a_model_by_a_part_of_its_name(window: MainWindow, qtbot: QtBot) -> None:
    box = window.cards.row("model").box
    assert isinstance(box, SearchBox)
    box.setFocus()
    box.line.selectAll()
    qtbot.keyClicks(box.line, "llama-2-70b")
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert window.session.scenario.model.model == "Llama-2-70B"
    assert window.session.budget.estimate.model.name == "Llama-2-70B"


def test_a_name_that_does_not_exist_is_said_under_the_box(window: MainWindow, qtbot: QtBot) -> None:
    row = window.cards.row("gpu")
    assert isinstance(row.box, SearchBox)
    before = cost(window)
    row.box.setFocus()
    row.box.line.selectAll()
    qtbot.keyClicks(row.box.line, "H9000")
    qtbot.keyClick(row.box.line, Qt.Key.Key_Return)
    assert row.message.isVisible()
    assert "H9000" in row.message.line.text()
    assert row.box.currentText() == "H9000"
    assert cost(window) == before


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("typed", ["2.49", "2,49"])
def test_either_decimal_sign_is_the_same_price(
    window: MainWindow, type_into: TypeInto, typed: str, language: str
) -> None:
    window.set_language(language)  # type: ignore[arg-type]
    type_into("price_usd_per_gpu_hour", typed)
    assert window.session.scenario.price.price_usd_per_gpu_hour == 2.49
    assert window.session.budget.ledger.value("price_usd_per_gpu_hour") == 2.49


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_price_with_its_dollar_is_read(window: MainWindow, type_into: TypeInto, language: str) -> None:
    window.set_language(language)  # type: ignore[arg-type]
    type_into("price_usd_per_gpu_hour", "$3.10")
    assert window.session.scenario.price.price_usd_per_gpu_hour == 3.10
    type_into("gpus", "$8")
    assert "gpus" in window.session.entries


def test_the_reading_stands_under_the_box_while_typing(window: MainWindow, type_into: TypeInto) -> None:
    type_into("price_usd_per_gpu_hour", "2,49", leave=False)
    row = window.cards.row("price_usd_per_gpu_hour")
    assert row.message.isVisible()
    assert row.message.line.text() == "read as 2.49 USD/GPU-hour"


def test_an_ambiguous_number_is_named_and_the_other_reading_is_a_click_away(
    window: MainWindow, type_into: TypeInto, qtbot: QtBot
) -> None:
    type_into("price_usd_per_gpu_hour", "1,234")
    row = window.cards.row("price_usd_per_gpu_hour")
    assert window.session.scenario.price.price_usd_per_gpu_hour == 1234
    assert row.message.line.text() == "Read as 1,234 USD/GPU-hour."
    assert row.message.line.tone() == "warn"
    qtbot.mouseClick(row.message.links[0], Qt.MouseButton.LeftButton)
    assert window.session.scenario.price.price_usd_per_gpu_hour == 1.234
    assert row.message.isHidden()


def test_bounds_settle_what_would_be_ambiguous(window: MainWindow, type_into: TypeInto) -> None:
    type_into("pue", "1,234")  # 1234 is no PUE
    assert window.session.scenario.energy.pue == 1.234
    type_into("gpus", "1.024")  # there is no fraction of a GPU
    assert window.session.scenario.cluster.gpus == 1024


@pytest.mark.parametrize(("typed", "value"), [("51", 0.51), ("51%", 0.51), ("51 %", 0.51), ("40,5", 0.405)])
def test_a_share_is_typed_as_percent(window: MainWindow, type_into: TypeInto, typed: str, value: float) -> None:
    type_into("mfu", typed)
    assert window.session.scenario.job.mfu == value


def test_a_share_typed_as_a_fraction_is_named(window: MainWindow, type_into: TypeInto, qtbot: QtBot) -> None:
    type_into("mfu", "0.51")
    row = window.cards.row("mfu")
    assert row.message.isVisible()
    qtbot.mouseClick(row.message.links[0], Qt.MouseButton.LeftButton)
    assert window.session.scenario.job.mfu == 0.51


@pytest.mark.parametrize("typed", ["-5", "1e30", "abc", "1.2.3", "x7"])
def test_bad_numbers_keep_text_and_figures(window: MainWindow, type_into: TypeInto, typed: str) -> None:
    before = cost(window)
    row = window.cards.row("checkpoints_kept")
    box = type_into("checkpoints_kept", typed)
    assert box.text() == typed
    assert row.message.isVisible()
    assert row.message.line.tone() == "bad"
    assert row.box.property("bad") is True
    assert "checkpoints_kept" in window.session.entries
    assert "last good value" in window.tiles.tiles[0].accessibleDescription()
    assert window.strip.parts[0].field == "checkpoints_kept"
    assert cost(window) == before


def test_heads_that_tensor_parallelism_does_not_divide(window: MainWindow, type_into: TypeInto) -> None:
    before = cost(window)
    type_into("tp", "3")
    row = window.cards.row("tp")
    assert "40 attention heads" in row.message.line.text()
    assert (cost(window), window.session.scenario.job.tp) == (before, None)
    assert window.strip.parts[0].field == "tp"
    type_into("tp", "4")
    assert window.session.scenario.job.tp == 4
    assert row.message.isHidden()
    assert not window.session.entries


def test_what_waits_is_taken_over_when_another_field_makes_it_possible(window: MainWindow, type_into: TypeInto) -> None:
    type_into("tp", "16")  # 40 heads do not divide by 16
    assert "tp" in window.session.entries
    model = window.cards.row("model").box
    assert isinstance(model, ChoiceBox)
    model.chosen.emit("GPT-3 175B")  # 96 heads do
    assert window.session.scenario.job.tp == 16
    assert not window.session.entries


def test_an_emptied_optional_field_goes_back_to_the_program(window: MainWindow, type_into: TypeInto) -> None:
    type_into("pue", "1.4")
    assert is_set(window.session.scenario, "pue")
    box = type_into("pue", "")
    assert not is_set(window.session.scenario, "pue")
    assert box.placeholderText() == "1.15"


def test_an_emptied_required_field_is_said(window: MainWindow, type_into: TypeInto) -> None:
    type_into("tokens", "")
    assert window.session.scenario.job.tokens == 1e12
    assert window.cards.row("tokens").message.line.text() == "Tokens is missing."


def test_the_reset_arrow(window: MainWindow, type_into: TypeInto, qtbot: QtBot) -> None:
    type_into("checkpoints_kept", "7")
    row = window.cards.row("checkpoints_kept")
    assert row.tag.reset.isVisible()
    assert "(3)" in row.tag.reset.toolTip()
    qtbot.mouseClick(row.tag.reset, Qt.MouseButton.LeftButton)
    assert value_of(window.session.scenario, "checkpoints_kept") == 3
    assert not is_set(window.session.scenario, "checkpoints_kept")
    assert row.tag.reset.isHidden()


def test_resetting_a_bad_entry_brings_the_good_value_back(
    window: MainWindow, type_into: TypeInto, qtbot: QtBot
) -> None:
    box = type_into("checkpoints_kept", "x")
    assert box.text() == "x"
    qtbot.mouseClick(window.cards.row("checkpoints_kept").tag.reset, Qt.MouseButton.LeftButton)
    assert box.text() == "3"
    assert not window.session.entries


def test_hidden_changes_are_announced_and_lead_to_their_field(
    window: MainWindow, type_into: TypeInto, qtbot: QtBot
) -> None:
    type_into("micro_batch", "2")
    card = window.cards.cards["job"]
    card.set_detail(False)
    assert card._hidden is not None
    assert card._hidden.isVisible()
    assert card._hidden.text() == "1 hidden change"
    qtbot.mouseClick(card._hidden, Qt.MouseButton.LeftButton)
    assert card.shows_detail
    assert card.rows["micro_batch"].box.hasFocus()


def test_a_layout_left_open_shows_what_the_program_chose(window: MainWindow) -> None:
    row = window.cards.row("tp")
    assert isinstance(row.box, NumberEdit)
    assert row.box.text() == ""
    assert row.box.placeholderText() == f"{window.session.budget.estimate.plan.tp:.0f}"
    sharding = window.cards.row("sharding").box
    assert isinstance(sharding, ChoiceBox)
    assert sharding.currentText().startswith("auto: ")


def test_what_a_run_takes_for_granted_stands_in_its_boxes(window: MainWindow) -> None:
    """Failures, restarts, stalls and checkpoints: the constants, and the interval and speed that follow from them."""
    value = window.session.budget.ledger.value
    for key in (
        "mtbf_gpu_hours", "restart_minutes", "data_stall_share", "checkpoint_write_gb_per_s",
        "checkpoint_interval_minutes",
    ):  # fmt: skip
        box = window.cards.row(key).box
        assert isinstance(box, NumberEdit)
        assert box.text() == ""
        assert box.placeholderText(), key
        assert effective(window.session.budget, key) == pytest.approx(value(key), rel=0.005)
    multiplier = window.cards.row("development_multiplier").box
    assert isinstance(multiplier, NumberEdit)
    assert multiplier.placeholderText() == "not counted"  # nothing is assumed of it


def test_a_run_that_never_finishes_says_so_in_its_tile(window: MainWindow) -> None:
    window.session.edit("mtbf_gpu_hours", 20, "20")
    window.session.edit("checkpoint_interval_minutes", 120, "120")
    days = next(tile for tile in tiles(window.session.budget, words_of("en")) if tile.key == "wall_days")
    assert days.value == "Never finishes"
    assert "never finishes" in days.reason
    assert days.link_field == "mtbf_gpu_hours"
    lost = next(row for row in cost_rows(window.session.budget, words_of("en")) if row.key == "cost.lost")
    assert (lost.amount, lost.price_field) == ("Never finishes", "")


def test_another_provider_takes_a_region_of_its_own(window: MainWindow) -> None:
    box = window.cards.row("provider").box
    assert isinstance(box, ChoiceBox)
    box.chosen.emit("gcp")
    assert window.session.scenario.price.provider == "gcp"
    assert not window.session.entries
    region = window.cards.row("region").box
    assert isinstance(region, ChoiceBox)
    assert region.currentText()
    assert "us-east-1" not in region.currentText()


def test_no_price_is_not_priced_and_never_zero(window: MainWindow) -> None:
    window.session.edit("gpu", "MI300X", "MI300X")
    window.session.edit("region", "eu-west-3", "eu-west-3")
    assert cost(window) is None
    assert "not priced" in window.tiles.tiles[0].accessibleName()
    assert "No price for MI300X" in window.tiles.tiles[0].accessibleName()
    assert {row.amount for row in window.model.rows} == {"not priced"}
    assert "0" not in window.tiles.tiles[0].accessibleName().replace("MI300X", "")


def test_an_unpriced_tile_leads_to_the_price_box(window: MainWindow, qtbot: QtBot) -> None:
    window.session.edit("gpu", "MI300X", "MI300X")
    window.session.edit("region", "eu-west-3", "eu-west-3")
    qtbot.mouseClick(window.tiles.tiles[0], Qt.MouseButton.LeftButton)
    assert window.cards.row("price_usd_per_gpu_hour").box.hasFocus()


def test_the_wheel_changes_nothing_without_focus(window: MainWindow, scroll_over: Callable[[QWidget], None]) -> None:
    window.cards.row("purchase")
    before = window.session.scenario
    window.canvas.setFocus()
    for card in window.cards.cards.values():
        card.set_open(True)
        for row in card.rows.values():
            scroll_over(row.box)
        for slider in card.sliders.values():
            scroll_over(slider)
    assert window.session.scenario == before
    assert not window.session.entries


def test_the_slider_moves_tokens_as_one_step(window: MainWindow, qtbot: QtBot) -> None:
    slider = window.cards.cards["job"].sliders["tokens"]
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_PageDown)
    assert window.session.scenario.job.tokens < 1e12
    box = window.cards.row("tokens").box
    assert isinstance(box, NumberEdit)
    assert box.text() == "320B"


def test_a_count_that_divides_badly_is_taken_and_said_with_ways_out(
    window: MainWindow, type_into: TypeInto, qtbot: QtBot
) -> None:
    type_into("gpus", "251")
    row = window.cards.row("gpus")
    assert window.session.scenario.cluster.gpus == 251
    assert row.message.line.text() == "251 GPUs do not divide into nodes of 8. Use 248 or 256."
    assert row.message.line.tone() == "warn"
    assert [link.text() for link in row.message.links] == ["Use 248", "Use 256"]
    qtbot.mouseClick(row.message.links[1], Qt.MouseButton.LeftButton)
    assert window.session.scenario.cluster.gpus == 256
    assert row.message.isHidden()


def test_a_message_moves_the_rows_below_at_once(window: MainWindow, type_into: TypeInto) -> None:
    row = window.cards.row("price_usd_per_gpu_hour")
    before = row.height()
    type_into("price_usd_per_gpu_hour", "1,234", leave=False)
    assert row.height() > before
    assert row.message.geometry().top() >= row.box.geometry().bottom()
    assert row.message.height() >= row.message.line.height() + row.message.links[0].height()


def test_a_day_is_typed_as_it_is_written_in_documents(window: MainWindow, type_into: TypeInto) -> None:
    row = window.cards.row("start_date")
    box = type_into("start_date", "2027-01-15")
    assert window.session.scenario.beside.start_date == date(2027, 1, 15)
    assert (box.text(), row.message.isHidden()) == ("2027-01-15", True)
    type_into("start_date", "15.1.2027")
    assert (box.text(), row.message.line.isHidden()) == ("15.1.2027", False)
    assert "is not a date" in row.message.line.text()
    type_into("start_date", "1999-01-15")
    assert "between 2000-01-01 and 2199-12-31" in row.message.line.text()
    assert window.session.scenario.beside.start_date == date(2027, 1, 15)
    type_into("start_date", "")
    assert window.session.scenario.beside.start_date is None
    assert box.placeholderText() == "day of the report"


@pytest.mark.parametrize("key", ["currency", "fx_rate"])
def test_the_report_in_another_currency(window: MainWindow, type_into: TypeInto, key: str) -> None:
    before = cost(window)
    assert before is not None
    if key == "currency":
        window.session.edit("currency", "CNY", "CNY")
        assert window.session.budget.currency == "CNY"
        assert "CNY" in window.model.headerData(1, Qt.Orientation.Horizontal)
    else:
        type_into("fx_rate", "2")
        assert cost(window) == before  # the rate of the dollar to itself waits for another currency
        window.session.edit("currency", "XAF", "XAF")
        assert window.session.scenario.price.fx_rate == 2
    after = cost(window)
    assert after is not None
    assert after > 1.5 * before
