"""Where Chinese lines end."""

from __future__ import annotations

import pytest

from report_templates.pdf.columns import Column, Row
from report_templates.pdf.lines import may_break
from report_templates.pdf.style import paragraph
from report_templates.pdf.table import data_table


def lines_of(text: str, room: float) -> list[str]:
    made = paragraph(text, "body", "zh")
    made.wrap(room, 10_000)
    return ["".join(word.text for word in line.words) for line in made.blPara.lines]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("训", "练", True),
        ("练", "，", False),
        ("（", "训", False),
        ("练", "G", True),
        ("G", "P", False),
        (" ", "G", True),
        ("练", " ", False),
        ("3", "天", False),
        ("行", "\u00a0", False),
        ("\u00a0", "2", False),
    ],
)
def test_where_a_line_may_end(before: str, after: str, expected: bool) -> None:
    assert may_break(before, after) is expected


def test_lines_are_full_but_never_begin_with_a_comma() -> None:
    text = "训练完前2%的 token 并实测速度后、价格变动超过10%时，或在2026-12-30之后，应更新本估算。" * 4
    for room in range(60, 300, 7):
        lines = lines_of(text, room)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not [line for line in lines if line[0] in "，。、；：）" or line[-1] in "（"]
        assert not [line for line in lines if line.startswith("oken") or line.endswith("toke")]


def test_no_line_is_wider_than_its_room() -> None:
    made = paragraph("申请702,013美元，用于在256个 A100-80GB-SXM（aws us-east-1，按需）上训练。" * 3, "body", "zh")
    made.wrap(150, 10_000)
    assert all(line.currentWidth <= 150.001 for line in made.blPara.lines)


def test_a_word_longer_than_the_line_is_cut() -> None:
    lines = lines_of("长" + "A" * 100, 60)
    assert "".join(lines) == "长" + "A" * 100
    assert len(lines) > 5


def test_a_line_break_of_the_text_is_kept() -> None:
    assert lines_of("第一行\n第二行", 400) == ["第一行", "第二行"]


def test_a_row_taller_than_a_page_is_divided_and_others_are_not() -> None:
    columns = (Column("Head", weight=1), Column("Value", "right"))
    table = data_table(columns, [Row(("short", "1")), Row(("word " * 3000, "2")), Row(("short", "3"))], 480, "en")
    table.wrap(480, 700)
    assert len(table.split(480, 700)) >= 2
    small = data_table(columns, [Row(("a\nb\nc", "1")), Row(("a\nb\nc", "2")), Row(("a\nb\nc", "3"))], 480, "en")
    small.wrap(480, 700)
    assert small.split(480, 40) == []
