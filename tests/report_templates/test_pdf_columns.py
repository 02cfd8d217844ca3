"""How wide columns are: no number is ever broken, and a note stays with its table."""

from __future__ import annotations

import pytest

from desktop_app.foundation.wording import LANGUAGES, Language
from report_templates.pdf.columns import PADDING_X, Column, Row, fitted
from report_templates.pdf.fonts import width
from report_templates.pdf.style import TYPES
from report_templates.pdf.table import data_table

ACROSS = 481.0
AMOUNT = "9,999,999,999"


def columns(numbers: int) -> tuple[Column, ...]:
    return (Column("Figure", weight=1), Column("Unit"), *(Column(f"P{n}", "right") for n in range(numbers)))


def rows(numbers: int, name: str = "Electricity with cooling", unit: str = "GPU-hour") -> list[Row]:
    return [Row((name, unit, *[AMOUNT] * numbers)), Row((name, unit, *["100.0"] * numbers), "ask")]


@pytest.mark.parametrize("numbers", range(1, 10))
def test_a_number_fits_into_its_column(numbers: int) -> None:
    sizes, scale = fitted(columns(numbers), rows(numbers), ACROSS)
    assert sum(sizes) == pytest.approx(ACROSS)
    needed = width(AMOUNT, TYPES["cell"].size, bold=True) * scale + 2 * PADDING_X
    assert all(size >= needed for size in sizes[2:])


def test_a_table_is_never_wider_than_the_page() -> None:
    assert sum(fitted(columns(30), rows(30), ACROSS)[0]) == pytest.approx(ACROSS)


def test_type_keeps_its_size_where_there_is_room() -> None:
    assert fitted(columns(3), rows(3), ACROSS)[1] == 1
    assert fitted(columns(5), rows(5), ACROSS)[1] == pytest.approx(0.95, abs=0.06)
    assert 0.5 < fitted(columns(9), rows(9), ACROSS)[1] < 0.8


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("numbers", [2, 5, 8])
def test_cells_with_numbers_have_one_line(numbers: int, language: Language) -> None:
    names = ("含制冷的总用电量", "GPU·小时") if language == "zh" else ("Electricity with cooling", "GPU-hour")
    table = data_table(columns(numbers), rows(numbers, *names), ACROSS, language)
    table.wrap(ACROSS, 700)
    for cells in table._cellvalues[1:]:
        for (cell,) in cells[2:]:
            assert len(cell.blPara.lines) == 1, cell.text


def test_a_long_word_does_not_take_the_room_of_others() -> None:
    sizes, scale = fitted((Column("Source", weight=1), Column("Value", "right")), [Row(("x" * 300, AMOUNT))], ACROSS)
    assert scale == 1
    assert sizes[0] > ACROSS / 2


def test_a_note_is_never_alone_on_a_page() -> None:
    body = [Row((f"Setting {number}", "1", "2")) for number in range(20)]
    table = data_table(columns(1), [*body, Row(("A note under the table.", "", ""), "note")], ACROSS, "en", tight=True)
    _, height = table.wrap(ACROSS, 10_000)
    for missing in (1, 15, 30):
        first, second = table.split(ACROSS, height - missing)
        assert len(second._cellvalues) >= 4, missing  # head, two rows, note
        assert len(first._cellvalues) + len(second._cellvalues) == 23


def test_the_end_of_the_closing_table_fills_a_part_of_its_page() -> None:
    body = [Row((f"Source {number}", "1", "2")) for number in range(40)]
    table = data_table(columns(1), body, ACROSS, "en", tight=True)
    table.closing = True
    _, height = table.wrap(ACROSS, 10_000)
    _, second = table.split(ACROSS, height - 1)
    assert sum(second._rowHeights[1:]) > 149


def test_a_column_of_long_texts_keeps_the_room_it_asks_for() -> None:
    asked = (Column("Risk", weight=1, room=0.5), *(Column(f"P{n}", "right") for n in range(4)))
    texts = [Row(("", *[AMOUNT] * 4))]
    sizes, scale = fitted(asked, texts, ACROSS)
    assert sizes[0] >= 0.5 * ACROSS - 0.01
    assert sizes[1] >= width(AMOUNT, TYPES["cell"].size, bold=True) * scale + 2 * PADDING_X
