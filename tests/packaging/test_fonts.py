"""The two committed font files: complete, different, with figures that stand in columns."""

from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from reportlab.pdfbase.ttfonts import TTFontFile

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "report_templates" / "fonts"
NAMES = ("NotoSansSC-Regular", "NotoSansSC-SemiBold")
SIGNS = "−–—×÷±≤≥≈→←↑↓²³₂·€£¥°%‰✓●▲■◆“”‘’（），。：；、【】《》①ÄÖÜäöüßéñçøåΔΣμΩ"


@cache
def font(name: str) -> TTFontFile:
    return TTFontFile(str(FOLDER / f"{name}.ttf"))


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_the_catalogue_can_be_printed(name: str) -> None:
    for language in ("en", "zh"):
        with (PROJECT / "desktop_app" / "foundation" / "words" / f"{language}.po").open("rb") as file:
            text = "".join(str(message.string) for message in read_po(file, locale=language) if message.id)
        assert {sign for sign in text if ord(sign) not in font(name).charToGlyph} <= {"\n"}


@pytest.mark.parametrize("name", NAMES)
def test_gb2312_and_the_signs_are_there(name: str) -> None:
    codes = font(name).charToGlyph
    cells = (bytes((row, cell)) for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF))
    han = "".join(cell.decode("gb2312", errors="ignore") for cell in cells)
    assert len(han) == 6763  # GB 2312-80: 3,755 + 3,008 characters
    assert not [sign for sign in han + SIGNS if ord(sign) not in codes]


def test_the_two_files_are_two_weights_of_one_family() -> None:
    regular, bold = (font(name) for name in NAMES)
    assert [str(regular.name.decode()), str(bold.name.decode())] == list(NAMES)
    assert regular.charToGlyph.keys() == bold.charToGlyph.keys()
    assert regular.charWidths[ord("m")] < bold.charWidths[ord("m")]


@pytest.mark.parametrize("name", NAMES)
def test_figures_stand_in_columns(name: str) -> None:
    assert len({font(name).charWidths[ord(digit)] for digit in "0123456789"}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_files_stay_small(name: str) -> None:
    assert (FOLDER / f"{name}.ttf").stat().st_size < 2_500_000


def test_licence_is_beside_them() -> None:
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FOLDER / "OFL.txt").read_text(encoding="utf-8")
