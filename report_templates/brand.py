"""The colours of an organisation in place of the house's own, where a reader can still read what is set in them."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.foundation.colours import READABLE, contrast
from report_templates.style import LIGHT

_DARKER, _LIGHTER, _TINT = 0.25, 0.4, 0.9  # how far primary goes to black, a middle step and a background to white
_WHITE, _BLACK = "FFFFFF", "000000"


def brand_tones(accent: str) -> Mapping[str, str]:
    """What each colour of the house becomes with `accent`, six hexadecimal digits or "". {} where ours are kept.

    They are where there is none, or where text in it would be hard to read on the page or on its own tint.
    """
    if not accent:
        return {}
    tint = _mixed(accent, _WHITE, _TINT)
    if min(contrast(accent, background) for background in (LIGHT.surface, LIGHT.sunken, tint)) < READABLE:
        return {}
    return {
        LIGHT.accent: accent,
        LIGHT.primary: _mixed(accent, _BLACK, _DARKER),
        LIGHT.accent_background: tint,
        LIGHT.bar_middle: _mixed(accent, _WHITE, _LIGHTER),
    }


def _mixed(color: str, other: str, part: float) -> str:
    """`color` with a part of `other`."""
    pairs = zip(bytes.fromhex(color), bytes.fromhex(other), strict=True)
    return "".join(f"{round(own + (to - own) * part):02X}" for own, to in pairs)
