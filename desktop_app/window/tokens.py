"""The design tokens: one frozen record of colours per theme. No colour stands anywhere else in the window."""

from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]
ThemeChoice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme as #RRGGBB, named by their use."""

    canvas: str  # the window behind the cards
    surface: str  # cards, panels, inputs, top bar, notes strip
    sunken: str  # table header, source box
    hover: str
    line: str  # hairlines, never the only boundary of a control
    control: str  # border of inputs and buttons, axes, ticks
    text: str  # values
    text2: str  # labels
    text3: str  # summaries, "default", units
    accent: str  # links, focus, slider, "yours"
    accentbg: str  # selected row
    primary: str  # the one filled button, brand mark
    onprimary: str
    ok: str
    okbg: str
    warn: str
    warnbg: str
    bad: str
    badbg: str
    unk: str
    unkbg: str
    barsoft: str  # bars that are not selected
    track: str  # the empty part of a bar
    series_a: str  # the selected bar


LIGHT = Tokens(
    canvas="#F3F5F8",
    surface="#FFFFFF",
    sunken="#F7F9FB",
    hover="#EEF2F6",
    line="#DDE3EA",
    control="#7D8896",
    text="#17212B",
    text2="#465362",
    text3="#5C6875",
    accent="#0B5A8A",
    accentbg="#E6F0F7",
    primary="#0D3F63",
    onprimary="#FFFFFF",
    ok="#1B6E44",
    okbg="#E5F3EB",
    warn="#8A5200",
    warnbg="#FDF1DC",
    bad="#A82A21",
    badbg="#FBE9E7",
    unk="#55606C",
    unkbg="#ECEFF3",
    barsoft="#7F93A6",
    track="#E7ECF1",
    series_a="#0D3F63",
)

DARK = Tokens(
    canvas="#12171D",
    surface="#1A212A",
    sunken="#161D25",
    hover="#232C37",
    line="#2F3A46",
    control="#76859A",
    text="#E8EDF2",
    text2="#B7C2CD",
    text3="#97A4B1",
    accent="#6DB6EA",
    accentbg="#1C3346",
    primary="#2474AD",
    onprimary="#FFFFFF",
    ok="#6CCB97",
    okbg="#17322A",
    warn="#F0B35A",
    warnbg="#372A12",
    bad="#F28B82",
    badbg="#3E1F1D",
    unk="#A3AFBB",
    unkbg="#27303A",
    barsoft="#6B7D8F",
    track="#28323D",
    series_a="#419CDC",
)

TOKENS: dict[Theme, Tokens] = {"light": LIGHT, "dark": DARK}
