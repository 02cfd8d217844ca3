"""What the window says of runs that cannot start, never end or mostly stall, and of boxes that stand empty."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_app.foundation.wording import Language, words_of
from desktop_app.window.explain_view import explain_view
from desktop_app.window.figures import finding, sum_rows, tiles, verdict
from desktop_app.window.form import field_specs, value_words
from desktop_app.window.main_window import MainWindow
from desktop_app.window.notes_strip import sorted_notes
from desktop_app.window.number_edit import NumberEdit

_OFFLOADED = {"model": "Llama-3-70B", "gpu": "H100-80GB-SXM", "gpus": 8, "offload": "all"}


def edit(window: MainWindow, **values: Any) -> None:
    """Make choices as a person does."""
    for key, value in values.items():
        window.session.edit(key, value, str(value))


@pytest.mark.parametrize(("language", "fact"), [("en", "of 128 GiB"), ("zh", "/ 128 GiB")])
def test_host_memory_that_decides_is_what_the_tile_shows(window: MainWindow, language: Language, fact: str) -> None:
    edit(window, **_OFFLOADED, host_memory_gib_per_node=128)
    budget, words = window.session.budget, words_of(language)
    needed = 8 * budget.estimate.memory.host_bytes
    told = verdict(budget, words)
    assert (told.fits, told.label) == ("no", words("memory.fits_host"))
    assert fact in told.fact and fact in told.short_fact
    assert told.capacity == 128 * 2**30
    assert sum(size for _, size in told.parts) == needed
    assert fact.strip("/ ").removeprefix("of ") in explain_view(budget, "memory.peak", words).told.how
    assert sorted_notes(list(budget.problems), words)[0].field == "host_memory_gib_per_node"


def test_memory_of_the_gpu_stays_in_the_tile_where_the_host_has_enough(window: MainWindow) -> None:
    edit(window, **_OFFLOADED, host_memory_gib_per_node=2000)
    assert verdict(window.session.budget, words_of("en")).label == "Fits in GPU memory"
    edit(window, offload="none", model="LLaMA-13B", host_memory_gib_per_node=16)
    assert verdict(window.session.budget, words_of("en")).label == "Fits in GPU memory"


def test_host_memory_that_nobody_stated_is_tight_with_what_it_takes(window: MainWindow) -> None:
    edit(window, **_OFFLOADED)
    told = verdict(window.session.budget, words_of("en"))
    assert (told.fits, told.label) == ("tight", "Fits in host memory")
    assert told.fact.startswith("Host memory: needs 1,")


def test_a_run_without_an_end_has_few_words_on_its_tiles_and_all_in_their_tips(window: MainWindow) -> None:
    edit(window, checkpoint_interval_minutes=1, checkpoint_write_gb_per_s=0.001)
    shown = tiles(window.session.budget, words_of("en"))
    for tile in shown:
        assert tile.value == "Never finishes"
        assert tile.link_field == "checkpoint_interval_minutes"
        assert tile.brief.startswith("Each 1 minute of training")
        assert len(tile.brief) < 80 < len(tile.reason)
    assert window.tiles.tiles[0].toolTip() == shown[0].reason
    assert finding(window.session.budget, words_of("en")) == "Never finishes"
    assert {(row.amount, row.note) for row in sum_rows(window.session.budget, words_of("en"))} == {
        ("Never finishes", "")
    }


def test_stalls_that_eat_the_budget_come_first_in_the_strip(window: MainWindow) -> None:
    edit(window, gpus=512, mtbf_gpu_hours=100)
    first = sorted_notes(list(window.session.budget.problems), words_of("en"))[0]
    assert (first.field, first.severity) == ("mtbf_gpu_hours", "warning")
    assert "of the paid time is training" in first.sentence


def test_empty_boxes_say_what_empty_means(window: MainWindow) -> None:
    edit(window, model="Mixtral-8x7B")
    keys = ("capacity_factor", "host_memory_gib_per_node", "development_multiplier")
    for language, texts in (("en", ("no limit", "not stated", "not counted")), ("zh", ("不限", "未填写", "不计入"))):
        for key, text in zip(keys, texts, strict=True):
            spec = next(spec for spec in field_specs() if spec.key == key)
            assert value_words(spec, None, words_of(language)) == text
    for key in keys:
        box = window.cards.row(key).box
        assert isinstance(box, NumberEdit)
        assert box.text() == ""
        assert box.placeholderText() == words_of("en")(f"empty.{key}")
