"""Paragraphs whose lines end where a Chinese reader expects it.

reportlab breaks Chinese text between any two characters, also before a comma and inside a Latin word. Here a line ends
after a Han character or a space, never before closing and never after opening punctuation, and a number keeps its unit.
"""

from __future__ import annotations

from typing import Any

from reportlab.platypus import Paragraph
from reportlab.platypus.paragraph import ParaLines, cjkU, makeCJKParaLine  # type: ignore[attr-defined]

from report_templates.pdf.fonts import is_han

_CANNOT_START = frozenset("!),.:;?]}%°·’”、。〉》」』】〕〗！＂％＇），．：；？］｝～")
_CANNOT_END = frozenset("([{‘“〈《「『【〔〖（［｛")
_FIXED = "\u00a0"  # a space that holds two words together
_HELD = frozenset((" ", _FIXED))
_TALLEST_WHOLE = 200.0  # points
_ROUNDING = 1e-6  # of widths that add up to the whole line


class Text(Paragraph):
    """A paragraph. Its Chinese lines are broken here, all others by reportlab.

    One whose style is `kept_whole` is not divided between two columns, unless it would fill most of one.
    """

    def split(self, across: float, up: float) -> Any:
        """The parts; [] for one that is to start in the next column."""
        if getattr(self.style, "kept_whole", False) and self.wrap(across, up)[1] <= _TALLEST_WHOLE:
            return []
        return super().split(across, up)

    def breakLinesCJK(self, maxWidths: float | list[float] | tuple[float, ...]) -> Any:  # noqa: N802, N803
        """The lines of a text with Han characters. `maxWidths` is the room of each line, the last that of the rest."""
        if hasattr(self, "blPara") and getattr(self, "_splitpara", False):
            return self.blPara
        rooms = list(maxWidths) if isinstance(maxWidths, list | tuple) else [maxWidths]
        signs = [cjkU(sign, frag, "utf8") for frag in self.frags for sign in (frag.text or ("",))]
        lines: list[Any] = []
        start = 0
        while start < len(signs):
            room = rooms[min(len(lines), len(rooms) - 1)]
            end, forced = _line_end(signs, start, room)
            shown = _trimmed(signs[start:end])
            used = sum(sign.width for sign in shown)
            lines.append(makeCJKParaLine(shown, room, used, room - used, forced, False))
            start = end
            while start < len(signs) and signs[start] == " " and not forced:
                start += 1
        return ParaLines(kind=1, lines=lines)


def _line_end(signs: list[Any], start: int, room: float) -> tuple[int, bool]:
    """Where the line that begins at `start` ends, and whether the text itself asks for that."""
    used, last = 0.0, start
    for position in range(start, len(signs)):
        sign = signs[position]
        if hasattr(sign.frag, "lineBreak"):
            return position + 1, True
        if position > start and may_break(signs[position - 1], sign):
            last = position
        used += sign.width
        if used > room + _ROUNDING and position > start and sign != " ":
            return (last if last > start else position), False
    return len(signs), False


def may_break(before: str, after: str) -> bool:
    """Whether a line may end between two characters."""
    if before in _CANNOT_END or after in _CANNOT_START or after in _HELD or before == _FIXED:
        return False
    if before == " ":
        return True
    if before.isdigit():
        return False
    return is_han(before) or is_han(after)


def _trimmed(signs: list[Any]) -> list[Any]:
    """Without spaces at the end."""
    end = len(signs)
    while end > 1 and signs[end - 1] == " ":
        end -= 1
    return signs[:end]
