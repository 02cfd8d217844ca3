"""Builds the two committed font files of report_templates/fonts from the variable Noto Sans SC (SIL Open Font License).

The program and its documents carry their own font, so that they look the same on every machine and print Chinese. The
source is the variable TrueType file of the PyPI package justmytype-intl-cjk. Neither that package (30 MB) nor fontTools
is needed to run or to test the program, so they stand in no lock file. Run from the project folder:

    python -m venv build/fonts
    build/fonts/bin/pip install fonttools==4.68.0 justmytype-intl-cjk==0.1.0
    build/fonts/bin/python packaging/make_fonts.py

Subset first, then pin the weight, then name: the other order takes minutes. The same input gives the same bytes.
"""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).parent.parent / "report_templates" / "fonts"
FAMILY = "Noto Sans SC"

# File suffix and PostScript suffix, style within the family, weight. The second is registered as the family's bold.
WEIGHTS = (("Regular", "Regular", 400), ("SemiBold", "Bold", 600))

# Beside GB 2312: the blocks our words, formulas and users' names need, as far as the source font has them.
BLOCKS = (
    (0x0020, 0x007E),  # Basic Latin
    (0x00A0, 0x017F),  # Latin-1 Supplement, Latin Extended-A
    (0x0391, 0x03C9),  # Greek
    (0x2010, 0x203A),  # General Punctuation: dashes, quotation marks, per mille, primes
    (0x2070, 0x209C),  # superscripts and subscripts
    (0x20A0, 0x20C0),  # currency signs
    (0x2100, 0x214F),  # letter-like symbols: degree Celsius, numero, trade mark
    (0x2150, 0x215F),  # fractions
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators: minus, almost equal, at most, at least
    (0x2460, 0x2473),  # circled digits
    (0x2500, 0x25FF),  # box drawing, blocks, geometric shapes
    (0x2605, 0x2606),  # stars
    (0x2713, 0x2718),  # ticks and crosses
    (0x3000, 0x303F),  # CJK punctuation
    (0xFF01, 0xFFEE),  # full-width forms
)

SUBSCRIPT_TWO = 0x2082  # missing in the source; the word CO2e wants it
SUPERSCRIPT_TWO = 0x00B2


def gb2312() -> Iterator[int]:
    """Every character of GB 2312: rows 0xA1 to 0xF7, cells 0xA1 to 0xFE."""
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            yield from (ord(sign) for sign in bytes((row, cell)).decode("gb2312", errors="ignore"))


def wanted() -> set[int]:
    """All code points asked for; the subsetter keeps those the source has."""
    return set(gb2312()) | {code for first, last in BLOCKS for code in range(first, last + 1)}


def subset(path: Path) -> TTFont:
    """The variable font with the wanted characters only, for horizontal text."""
    font = TTFont(path, recalcTimestamp=False)
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.drop_tables += ["vhea", "vmtx"]
    options.name_IDs = ["*"]
    options.glyph_names = False
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted())
    subsetter.subset(font)
    return font


def add_subscript_two(font: TTFont) -> None:
    """Give the static font a subscript two: its superscript two, lowered until a fifth of it hangs below the line."""
    superscript = font.getBestCmap()[SUPERSCRIPT_TWO]
    outline = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[superscript].draw(outline)
    glyph = font["glyf"][superscript]
    drop = -glyph.yMin - (glyph.yMax - glyph.yMin) // 5
    pen = TTGlyphPen(None)
    outline.replay(TransformPen(pen, (1, 0, 0, 1, 0, drop)))
    name = "uni2082"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = font["hmtx"][superscript]
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[SUBSCRIPT_TWO] = name


def name_style(font: TTFont, suffix: str, style: str, weight: int) -> None:
    """Rewrite what tells the two files apart; with one PostScript name for both, the first one read would win."""
    names = font["name"]
    for number in (16, 17, 21, 22, 25):
        names.removeNames(nameID=number)
    version = names.getDebugName(5)
    full = FAMILY if style == "Regular" else f"{FAMILY} {suffix}"
    postscript = f"{FAMILY.replace(' ', '')}-{suffix}"
    for number, text in ((1, FAMILY), (2, style), (3, f"{version};{postscript}"), (4, full), (6, postscript)):
        names.setName(text, number, 3, 1, 0x409)
    bold = style == "Bold"
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~0b1100001) | (0b100000 if bold else 0b1000000)
    font["head"].macStyle = int(bold)


def make(source: Path, suffix: str, style: str, weight: int) -> Path:
    """Write one static font file and tell where it is."""
    font = instantiateVariableFont(subset(source), {"wght": weight})
    if "STAT" in font:
        del font["STAT"]
    add_subscript_two(font)
    name_style(font, suffix, style, weight)
    path = TARGET / f"NotoSansSC-{suffix}.ttf"
    font.save(path)
    return path


def main() -> None:
    """Both files and their licence."""
    package = find_spec("justmytype_intl_cjk")
    if package is None or package.origin is None:
        raise SystemExit(__doc__)
    folder = Path(package.origin).parent / "fonts" / "ofl" / "notosanssc"
    TARGET.mkdir(exist_ok=True)
    for suffix, style, weight in WEIGHTS:
        path = make(folder / "NotoSansSC[wght].ttf", suffix, style, weight)
        print(path.name, path.stat().st_size, "bytes")
    shutil.copyfile(folder / "OFL.txt", TARGET / "OFL.txt")


if __name__ == "__main__":
    main()
