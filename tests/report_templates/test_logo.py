"""Logos of strangers: kept small and whole, or refused in a sentence. Nothing is fetched and nothing takes us down."""

import base64
import io
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from desktop_app import __main__ as door
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import LANGUAGES, words_of
from report_templates import svg_drawing
from report_templates.logo import LONGEST_SIDE, logo_from, size_of

BLUE = (11, 90, 138)
RECT = '<rect width="300" height="100" fill="#0B5A8A"/>'


def svg(body: str = RECT, attributes: str = 'viewBox="0 0 300 100"', before: str = "") -> str:
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{before}<svg {spaces} {attributes}>{body}</svg>"


def png_of(image: Image.Image, **how: object) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", **how)
    return written.getvalue()


def kept(tmp_path: Path, data: bytes | str, name: str = "logo.svg") -> Image.Image:
    """The picture that is kept of a file with this content; every document can hold it."""
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    logo = logo_from(path)
    assert Organisation(logo_png=logo).logo_png == logo
    image = Image.open(io.BytesIO(logo))
    assert image.size == size_of(logo)
    return image


def refusal(tmp_path: Path, data: bytes | str, name: str = "logo.svg") -> str:
    """The key of what is said of a file with this content."""
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(UserError) as told:
        logo_from(path)
    (problem,) = told.value.problems
    assert problem.field == "logo"
    for language in LANGUAGES:
        assert name in words_of(language).sentence(problem)
    return problem.key.removeprefix("problem.")


# ---- pictures that are taken


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_every_kind_of_png_becomes_plain(tmp_path, mode):
    image = Image.new("RGBA", (40, 20), (*BLUE, 255)).convert(mode)
    taken = kept(tmp_path, png_of(image), "logo.png")
    assert (taken.size, taken.mode) == ((40, 20), "RGB")
    assert (
        max(abs(a - b) for a, b in zip(taken.getpixel((5, 5)), image.convert("RGB").getpixel((5, 5)), strict=True)) < 2
    )


def test_sixteen_bits_of_grey_are_scaled_not_cut(tmp_path):
    image = Image.new("I;16", (20, 20), 0x8000)
    assert kept(tmp_path, png_of(image), "logo.png").getpixel((3, 3)) == (128, 128, 128)


def test_opacity_stays_and_large_pictures_shrink(tmp_path):
    image = Image.new("RGBA", (4000, 1000), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((0, 0, 1999, 999), (*BLUE, 255))
    taken = kept(tmp_path, png_of(image), "logo.png")
    assert (taken.size, taken.mode) == ((LONGEST_SIDE, LONGEST_SIDE // 4), "RGBA")
    assert taken.getpixel((5, 5)) == (*BLUE, 255)
    assert taken.getpixel((LONGEST_SIDE - 5, 5))[3] == 0


def test_what_a_png_says_of_its_maker_is_not_kept(tmp_path):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Author", "Somebody private")
    data = png_of(Image.new("RGB", (20, 20), BLUE), pnginfo=info)
    assert b"Somebody" in data
    assert "Author" not in kept(tmp_path, data, "logo.png").info


@pytest.mark.parametrize(
    "attributes",
    ['viewBox="0 0 300 100"', 'width="300" height="100"', 'width="90mm" height="30mm" viewBox="0 0 300 100"',
     'width="30000000" height="10000000" viewBox="0 0 300 100"'],
)  # fmt: skip
def test_an_svg_is_drawn_as_large_as_a_logo_may_be(tmp_path, attributes):
    taken = kept(tmp_path, svg(attributes=attributes))
    assert taken.width == LONGEST_SIDE
    assert taken.height == pytest.approx(LONGEST_SIDE / 3, abs=3)  # sizes in millimetres are rounded to pixels first
    assert taken.getpixel((300, 200))[:3] == BLUE


def test_a_tall_svg_and_one_with_a_name_that_says_png(tmp_path):
    assert kept(tmp_path, svg(attributes='viewBox="0 0 50 100"'), "logo.png").size == (LONGEST_SIDE // 2, LONGEST_SIDE)


def test_fragments_and_pictures_inside_are_welcome(tmp_path):
    inside = base64.b64encode(png_of(Image.new("RGB", (8, 8), (200, 0, 0)))).decode()
    body = (
        '<defs><linearGradient id="g"><stop stop-color="#0B5A8A"/></linearGradient><rect id="r" width="100" height="99"'
        '/></defs><style>.a { fill: url(#g) }</style><use xlink:href="#r" class="a"/><use href="#r" x="100" '
        f'fill="url(#g)"/><image x="200" width="100" height="100" href="data:image/png;base64,{inside}"/>'
    )
    taken = kept(tmp_path, "\ufeff" + svg(body, before='<?xml version="1.0"?><!-- made by hand -->'))
    colours = [taken.getpixel((x, 200))[:3] for x in (100, 600, 1000)]
    assert colours == [BLUE, BLUE, (200, 0, 0)]


@pytest.mark.parametrize("family", ["Nosuch Sans", "serif", "Noto Sans SC"])
def test_text_is_drawn_whatever_fonts_there_are(tmp_path, family):
    taken = kept(tmp_path, svg(f'<text y="80" font-size="80" font-family="{family}" fill="#0B5A8A">Ag你</text>'))
    left, _, right, _ = taken.getchannel("A").getbbox()
    assert right - left > LONGEST_SIDE / 3


# ---- files that are refused


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"", "logo.png"), (b"just text", "logo.png"), (b"GIF89a\x01\0\x01\0", "logo.png"), (b"\x1f\x8b\x08", "logo.svgz"),
     (b"\xff\xd8\xff\xe0", "logo.jpg"), ("<html><body/></html>", "logo.svg"), ("<svg/>", "logo.svg"),
     ("<svg xmlns='urn:other'/>", "logo.svg")],
)  # fmt: skip
def test_other_kinds_are_named_as_such(tmp_path, data, name):
    assert refusal(tmp_path, data, name) == "logo_kind"


def test_a_damaged_png_is_refused_wherever_it_is_cut(tmp_path):
    image = Image.effect_noise((60, 60), 80)
    whole = png_of(image)
    for length in (9, 20, 30, 60, len(whole) // 2, len(whole) - 200):
        assert refusal(tmp_path, whole[:length], "logo.png") == "logo_broken", length


def test_random_damage_never_escapes(tmp_path):
    whole, chance = png_of(Image.effect_noise((40, 40), 80)), random.Random(7)
    path = tmp_path / "logo.png"
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(8, len(data))] = chance.randrange(256)
        path.write_bytes(data)
        try:
            logo_from(path)
        except UserError:
            refused += 1
    assert refused > 50


def bomb(width: int, height: int) -> bytes:
    """A PNG that promises so many pixels, all of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4) + kind + content + zlib.crc32(kind + content).to_bytes(4)

    head = width.to_bytes(4) + height.to_bytes(4) + b"\x08\0\0\0\0"
    pixels = zlib.compress(b"\0" * min(height * (width + 1), 20_000_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(50_000, 50_000), (4001, 10), (10, 4001), (2**31 - 1, 2**31 - 1)])
def test_too_many_pixels_are_not_unpacked(tmp_path, size):
    assert refusal(tmp_path, bomb(*size), "logo.png") == "logo_pixels"


def test_a_bomb_of_text_in_a_png_is_refused(tmp_path):
    whole = png_of(Image.new("RGB", (20, 20), BLUE))
    packed = b"Comment\0\0" + zlib.compress(b"x" * 200_000_000, 9)
    chunk = len(packed).to_bytes(4) + b"zTXt" + packed + zlib.crc32(b"zTXt" + packed).to_bytes(4)
    assert refusal(tmp_path, whole[:33] + chunk + whole[33:], "logo.png") == "logo_broken"


def test_a_large_file_a_folder_and_a_missing_one(tmp_path):
    assert refusal(tmp_path, b"\x89PNG\r\n\x1a\n" + b"\0" * 2_000_000, "logo.png") == "file_huge"
    for path, key in ((tmp_path, "problem.file_is_folder"), (tmp_path / "gone.png", "problem.file_missing")):
        with pytest.raises(UserError) as told:
            logo_from(path)
        assert (told.value.problems[0].field, told.value.problems[0].key) == ("logo", key)


def test_what_shows_nothing_is_no_logo(tmp_path):
    assert refusal(tmp_path, png_of(Image.new("RGBA", (20, 20), (0, 0, 0, 0))), "logo.png") == "logo_empty"
    assert refusal(tmp_path, png_of(Image.new("RGB", (4000, 3), BLUE)), "logo.png") == "logo_empty"
    assert refusal(tmp_path, svg("")) == "logo_empty"
    assert refusal(tmp_path, svg(attributes='width="1" height="100000"')) == "logo_empty"


@pytest.mark.parametrize(
    ("body", "before", "key"),
    [
        ("<text>&x;</text>", '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "logo_doctype"),
        (RECT, '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">', "logo_doctype"),
        (RECT, '<?xml-stylesheet href="a.css"?>', "logo_outside"),
        ('<image href="file:///etc/logo.png"/>', "", "logo_outside"),
        ('<image xlink:href="logo.png"/>', "", "logo_outside"),
        ('<image href=" HTTPS://example.com/a.png"/>', "", "logo_outside"),
        ('<use href="other.svg#a"/>', "", "logo_outside"),
        ('<a href="https://example.com">x</a>', "", "logo_outside"),
        ('<script src="https://example.com/a.js"/>', "", "logo_outside"),
        ('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', "", "logo_outside"),
        ('<image href="data:text/html,x"/>', "", "logo_outside"),
        ('<rect fill="url(other.svg#a)"/>', "", "logo_outside"),
        ("<rect style=\"fill:url( 'http://example.com/a' )\"/>", "", "logo_outside"),
        ('<rect style="fill:u\\72l(http://example.com/a)"/>', "", "logo_outside"),
        ("<style>@import 'a.css';</style>", "", "logo_outside"),
        ("<style><![CDATA[.a{fill:url(//example.com/a)}]]></style>", "", "logo_outside"),
        ("<style>.a{fill:u\\72l(a)}</style>", "", "logo_outside"),
        ("<g>", "", "logo_broken"),
        ("<text>&nbsp;</text>", "", "logo_broken"),
        ('<rect fill="url(a"/>', "", "logo_broken"),
    ],
)
def test_an_svg_that_reaches_out_is_refused_before_it_is_drawn(tmp_path, monkeypatch, body, before, key):
    monkeypatch.setattr("report_templates.logo.drawn", lambda *_: pytest.fail("it was drawn"))
    assert refusal(tmp_path, svg(body, before=before)) == key


def test_entities_that_grow_are_refused(tmp_path):
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    text = svg("<text>&l11;</text>", before=f'<!DOCTYPE svg [<!ENTITY l0 "ha">{laughs}]>')
    assert refusal(tmp_path, text) == "logo_doctype"


PATTERN = '<pattern id="p" width="9e5" height="9e5" patternUnits="userSpaceOnUse">{}</pattern>'
NESTED = base64.b64encode(bomb(60_000, 60_000)).decode()
USES = '<g id="a0"><rect width="9" height="9"/></g>' + "".join(
    f'<g id="a{n}">{f"""<use href="#a{n - 1}"/>""" * 10}</g>' for n in range(1, 9)
)


@pytest.mark.parametrize(
    "body",
    [
        "<g>" * 100_000 + "</g>" * 100_000,
        PATTERN.format(RECT) + '<rect width="300" height="100" fill="url(#p)"/>',
        f"<defs>{USES}</defs>" + '<use href="#a8"/>',
        f'<image width="99" height="99" href="data:image/png;base64,{NESTED}"/>',
    ],
    ids=["deep", "pattern", "uses", "picture"],
)
def test_an_svg_that_breaks_the_drawing_does_not_break_us(tmp_path, body):
    assert refusal(tmp_path, svg(body)) in ("logo_too_complex", "logo_empty")


def test_an_svg_that_takes_forever_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(svg_drawing, "_SECONDS", 1)
    endless = (
        '<filter id="f"><feMorphology radius="900"/></filter>' + '<rect width="300" height="100" filter="url(#f)"/>'
    )
    assert refusal(tmp_path, svg(endless * 9)) == "logo_too_complex"


def test_the_program_draws_for_itself_where_it_is_frozen(monkeypatch):
    """A frozen program has no Python to run a file with; it is its own door."""
    assert door._DRAW_SVG == svg_drawing.DRAW_FLAG
    command = [sys.executable, "-m", "desktop_app", svg_drawing.DRAW_FLAG, "60"]
    project = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, input=svg().encode(), cwd=project, capture_output=True, check=True)
    assert Image.open(io.BytesIO(done.stdout)).size == (60, 20)
