"""Whether an SVG draws from itself alone: nothing lies in another file or on a network, and nothing expands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

_SPACE = "http://www.w3.org/2000/svg"
_DEEPEST = 200  # levels: drawing programs nest some ten
_PICTURES = re.compile(r"data:image/(png|jpe?g|gif|webp)[;,]", re.IGNORECASE)  # an SVG in an SVG would go unread
_ADDRESSES = ("href", "src")
_URL = re.compile(r"url\(\s*([\"']?)\s*(.*?)\1\s*\)", re.IGNORECASE | re.DOTALL)
_STYLE = re.compile(r"\\|@import|image-set", re.IGNORECASE)  # an escaped letter may spell url( in disguise


class SvgError(Exception):
    """Why an SVG is not drawn: the key of its sentence, and what it says there."""

    def __init__(self, key: str, detail: str = "") -> None:
        """Keep both."""
        super().__init__(key, detail)
        self.key, self.detail = key, detail


def check_svg(data: bytes) -> str:
    """The text of an SVG. Raises SvgError when it is none, is broken, or is made of more than itself."""
    reader = expat.ParserCreate(namespace_separator=" ")
    checks = _Checks()
    reader.StartDoctypeDeclHandler = _refuse_declarations
    reader.ProcessingInstructionHandler = checks.instruction
    reader.StartElementHandler = checks.start
    reader.EndElementHandler = checks.end
    reader.CharacterDataHandler = checks.text
    try:
        reader.Parse(data, True)
        text = data.decode("utf-8-sig")
    except (expat.ExpatError, ValueError):
        raise SvgError("problem.logo_broken") from None
    checks.finish()
    return text


class _Checks:
    """What is seen of the file from its first element to its last."""

    def __init__(self) -> None:
        self._depth = 0
        self._style: list[str] | None = None  # the text of the style sheet in hand

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, element = name.rpartition(" ")
        if self._depth == 0 and (space, element) != (_SPACE, "svg"):
            raise SvgError("problem.logo_kind")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise SvgError("problem.logo_too_complex")
        self._style = [] if element == "style" else self._style
        for attribute, value in attributes.items():
            local = attribute.rpartition(" ")[2].lower()
            if local in _ADDRESSES:
                _check_address(value)
            _check_style(value, is_sheet=local == "style")

    def end(self, name: str) -> None:
        self._depth -= 1
        if name.rpartition(" ")[2] == "style":
            self.finish()

    def text(self, text: str) -> None:
        if self._style is not None:
            self._style.append(text)

    def instruction(self, target: str, _: Any) -> None:
        if target.lower() == "xml-stylesheet":
            raise SvgError("problem.logo_outside", target)

    def finish(self) -> None:
        """The style sheet in hand is complete."""
        sheet, self._style = self._style, None
        _check_style("".join(sheet or ()), is_sheet=True)


def _check_style(text: str, is_sheet: bool) -> None:
    """Every url(...) leads into the file itself."""
    if is_sheet and (found := _STYLE.search(text)):
        raise SvgError("problem.logo_outside", found.group())
    if "url" in text.lower():
        for match in _URL.finditer(text):
            _check_address(match.group(2))
        if len(re.findall(r"url\s*\(", text, re.IGNORECASE)) != len(_URL.findall(text)):  # one that is never closed
            raise SvgError("problem.logo_broken")


def _check_address(address: str) -> None:
    address = address.strip()
    if address and not address.startswith("#") and not _PICTURES.match(address):
        raise SvgError("problem.logo_outside", address)


def _refuse_declarations(*_: Any) -> None:
    raise SvgError("problem.logo_doctype")
