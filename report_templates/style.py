"""The look of both documents: the colours of the light theme, as data.

The window paints with the same palette (its own record also has the dark theme). Prints in grey stay readable because
words and shapes carry the meaning; a colour is never the only cue.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as six hexadecimal digits without the "#": red, green, blue."""

    surface: str = "FFFFFF"  # page
    sunken: str = "F7F9FB"  # header of a plain table, box of sources
    line: str = "DDE3EA"  # hairlines between rows
    control: str = "7D8896"  # axes and borders that carry meaning
    text: str = "17212B"  # values
    text2: str = "465362"  # labels
    text3: str = "5C6875"  # units, notes
    accent: str = "0B5A8A"  # inputs, links
    accent_background: str = "E6F0F7"  # totals and outputs
    primary: str = "0D3F63"  # titles, filled headers, bars of the first scenario
    on_primary: str = "FFFFFF"
    ok: str = "1B6E44"
    ok_background: str = "E5F3EB"
    warn: str = "8A5200"
    warn_background: str = "FDF1DC"
    bad: str = "A82A21"
    bad_background: str = "FBE9E7"
    unknown: str = "55606C"
    unknown_background: str = "ECEFF3"
    bar_soft: str = "7F93A6"  # bars that are not selected
    bar_middle: str = "4F86AB"  # a step between accent and bar_soft
    track: str = "E7ECF1"  # empty part of a bar
    input_background: str = "FFF9E5"  # cells of the workbook that may be changed


LIGHT = Palette()
