"""Content that must stand on one page, however long the names in it are."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable, KeepInFrame

from report_templates.pdf.style import BOTTOM, TOP

_ROUNDING = 1.0  # points that a page keeps free


def one_page(content: Sequence[Flowable], size: tuple[float, float], across: float) -> Flowable:
    """`content` as it is where it fits on a page of `size`, else drawn smaller as a whole; nothing is left out."""
    return KeepInFrame(across, size[1] - TOP - BOTTOM - _ROUNDING, list(content), mode="shrink", name="one-page")
