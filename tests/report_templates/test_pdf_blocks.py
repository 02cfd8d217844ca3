"""Boxes, headings and charts as pieces: they are drawn, divided and kept inside their room."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from report_templates.pdf.blocks import Box, BoxLook, Run, heading, runs
from report_templates.pdf.charts import Bar, RangeMarks, Swing, Whisker, bars, range_line, tornado
from report_templates.pdf.memory_chart import MemoryPicture, Part, memory_bar
from report_templates.pdf.month_chart import MonthBar, month_chart
from report_templates.pdf.one_page import one_page
from report_templates.pdf.style import BOTTOM, TOP, paragraph

ROOM = 480.0
LOOK = BoxLook(tone="FDF1DC", radius=6, border="7F93A6", edge="0D3F63")


def pages_of(story: list[Flowable]) -> list[str]:
    """The texts of the pages of a small document."""
    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=(600, 400), invariant=1)
    document.addPageTemplates([PageTemplate("page", [Frame(60, 50, ROOM, 300, 0, 0, 0, 0)])])
    document.build(story)
    return [page.extract_text() for page in PdfReader(io.BytesIO(file.getvalue())).pages]


def test_a_box_longer_than_a_page_goes_on_and_loses_nothing() -> None:
    content = [paragraph(f"Sentence number {number}.", "body", "en") for number in range(60)]
    pages = pages_of([Box(content, LOOK)])
    assert len(pages) >= 3
    text = " ".join(pages)
    assert all(f"number {number}." in text for number in range(60))


def test_one_long_sentence_in_a_box_is_divided() -> None:
    pages = pages_of([Box([paragraph("word " * 2000, "body", "en")], LOOK)])
    assert sum(page.count("word") for page in pages) == 2000


def test_a_box_that_fits_is_not_divided() -> None:
    first = [paragraph("filler", "body", "en") for _ in range(13)]
    pages = pages_of([*first, Box([paragraph("held together", "body", "en")] * 2, LOOK)])
    assert pages[1].count("held together") == 2


def test_markup_of_others_is_printed_as_it_stands() -> None:
    made = runs([Run("<b>bold?</b> & ", bold=True), Run("</para>", tone="0D3F63")], "body", "en")
    assert "".join(frag.text for frag in made.frags) == "<b>bold?</b> & </para>"


def test_a_heading_is_one_entry_of_the_outline_even_when_it_is_long() -> None:
    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=(600, 400), invariant=1)
    document.addPageTemplates([PageTemplate("page", [Frame(60, 50, ROOM, 300, 0, 0, 0, 0)])])
    document.build([heading([Run("1"), Run("word " * 400)], "title", "en", "key")])
    reader = PdfReader(io.BytesIO(file.getvalue()))
    assert len(reader.pages) > 1
    assert len(reader.outline) == 1


@pytest.mark.parametrize("value", [0.0, 1e-6, 1.0, 1e15])
def test_bars_stand_inside_their_room_for_any_amount(value: float) -> None:
    rows = [Bar("a name that is much too long for the space at its left " * 3, value, f"{value:,.2f}", "12.3 %", True)]
    total = Bar("Base", value, f"{value:,.2f}", "")
    drawn = bars(rows, ROOM, total, Whisker(0.5 * value, 3 * value, 2 * value))
    assert drawn.wrap(ROOM, 1000)[0] == ROOM
    assert f"{value:,.2f}" in pages_of([drawn])[0]


def test_a_tornado_prints_both_ends_and_the_inputs() -> None:
    drawn = tornado([Swing("Price", 80.0, 130.0, "80", "130", "0.75 – 1.3")], 100.0, "base 100", ROOM)
    text = pages_of([drawn])[0]
    for words in ("Price", "80", "130", "0.75 – 1.3", "base 100"):
        assert words in text


@pytest.mark.parametrize("values", [(1.0, 1.0, 1.0, 1.0), (1.0, 5.0, 2.0, 3.0), (1.0, 2.0, 2.001, 9.0)])
def test_range_line_never_draws_words_over_each_other(values: tuple[float, float, float, float]) -> None:
    marks = RangeMarks(*values, "P10 low", "base value", "ask value", "P90 high")
    text = pages_of([range_line(marks, 200.0)])[0]
    assert all(words in text for words in ("P10 low", "base value", "ask value", "P90 high"))


def test_memory_bar_names_every_part_and_what_is_usable() -> None:
    parts = tuple(
        Part(name, size, f"{size:.1f}") for name, size in (("Weights", 12.0), ("Gradients", 24.0), ("Buffers", 0.0))
    )
    picture = MemoryPicture(parts, Part("Allowance", 4.0, "4.0"), 50.0, "50.0 at most", Part("usable", 30.0, "30.0"))
    text = pages_of([memory_bar(picture, ROOM)])[0]
    for words in ("Weights", "Gradients", "Buffers", "Allowance", "usable 30.0", "50.0 at most"):
        assert words in text


def test_months_that_have_no_room_keep_the_selected_amount_and_the_whole() -> None:
    few = [MonthBar(f"2027-0{n}", 10.0, f"{n}0k", 10.0 * n, f"sum {n}", n == 2) for n in (1, 2, 3)]
    text = pages_of([month_chart(few, ROOM)])[0]
    assert all(words in text for words in ("2027-01", "2027-03", "10k", "20k", "30k", "sum 3"))
    many = [
        MonthBar(f"{2027 + n // 12}-{n % 12 + 1:02}", 1.0, f"{n}k", n + 1.0, f"sum {n}", n == 20) for n in range(37)
    ]
    text = pages_of([month_chart(many, ROOM)])[0]
    assert "20k" in text and "sum 36" in text and "19k" not in text
    assert pages_of([month_chart([MonthBar("later", 0.0, "0", 0.0, "0")], ROOM)])


def test_what_is_too_much_for_a_page_is_drawn_smaller_and_whole() -> None:
    content = [paragraph(f"line {number}", "body", "en") for number in range(200)]
    (text,) = pages_of([one_page(content, (ROOM, 290.0 + TOP + BOTTOM), ROOM)])
    assert all(f"line {number}" in text for number in (0, 99, 199))


def test_an_entry_of_a_list_is_not_divided_but_a_long_one_is() -> None:
    short, long = (paragraph("word " * count, "formula", "en") for count in (100, 5000))
    assert short.wrap(ROOM, 1000)[1] > 20 and short.split(ROOM, 20) == []
    assert long.wrap(ROOM, 1000)[1] > 200 and len(long.split(ROOM, 100)) == 2
