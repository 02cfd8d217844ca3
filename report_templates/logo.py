"""The logo of an organisation: a PNG or SVG file that somebody picked, made a small PNG that documents can hold."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.foundation.files import ReadSentences, name_text, read_data
from desktop_app.foundation.problems import shown, user_error
from report_templates.svg_checks import SvgError, check_svg
from report_templates.svg_drawing import drawn

if TYPE_CHECKING:
    from PIL import Image

LONGEST_SIDE = 1200  # pixels of the logo that is kept: 300 a inch at 10 cm, twice as wide as any document shows it

_LARGEST_BYTES = 2_000_000
_MOST_PIXELS = 4000  # a side of a PNG that is read
_MOST_BYTES_KEPT = 3_000_000  # of the PNG that is kept; noise in all 1200 x 1200 pixels would take twice that
_SHORTEST_SIDE = 8  # pixels: a logo that is thinner after it was made smaller shows nothing
_PNG = b"\x89PNG\r\n\x1a\n"
_SAY = ReadSentences(field="logo")


def logo_from(path: Path) -> bytes:
    """The picture in a PNG or SVG file as a PNG of at most LONGEST_SIDE pixels a side.

    Raises UserError on "logo" for a file that cannot be read, is of another kind, too large, damaged, refers to other
    files or the network, or shows nothing. Nothing is ever fetched.
    """
    data = read_data(path, _LARGEST_BYTES, _SAY)
    file = name_text(path)
    if data.startswith(_PNG):
        return _kept(data, file)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise user_error("logo", "problem.logo_kind", file=file)
    try:
        picture = drawn(check_svg(data), LONGEST_SIDE)
    except SvgError as error:
        raise user_error("logo", error.key, file=file, text=shown(error.detail)) from None
    if picture is None:
        raise user_error("logo", "problem.logo_too_complex", file=file)
    return _kept(picture, file)


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height in pixels of a logo that is kept."""
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])  # where every PNG has its size


def _kept(data: bytes, file: str) -> bytes:
    """The picture of a PNG, no larger than it need be, without anything else that the file holds. Raises UserError."""
    from PIL import Image  # takes a moment to load

    width, height = size_of(data)
    if max(width, height) > _MOST_PIXELS:
        raise user_error("logo", "problem.logo_pixels", file=file, width=width, height=height, limit=_MOST_PIXELS)
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            picture = _plain(image)
    except Exception:  # Pillow raises OSError, SyntaxError, ValueError, struct.error and more on damaged files
        raise user_error("logo", "problem.logo_broken", file=file) from None
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    if min(picture.size) < _SHORTEST_SIDE or not picture.getchannel("A").getbbox():
        raise user_error("logo", "problem.logo_empty", file=file)
    opaque = picture.getchannel("A").getextrema() == (255, 255)
    written = io.BytesIO()
    (picture.convert("RGB") if opaque else picture).save(written, "PNG", optimize=True)
    if written.tell() > _MOST_BYTES_KEPT:
        raise user_error("logo", "problem.logo_photo", file=file)
    return written.getvalue()


def _plain(image: Image.Image) -> Image.Image:
    """The picture with 8 bits for each of red, green, blue and opacity; 16 bits of grey would be cut, not scaled."""
    if image.mode.startswith("I"):
        image = image.point(lambda grey: grey / 256).convert("L")
    return image.convert("RGBA")
