"""Draws an SVG in a process of its own: what it makes the drawing library do ends with that process, not with ours.

A hostile file may nest a thousand groups, ask for a pattern of terabytes or a filter that takes an hour; the library
then aborts or never returns. This file is also the program of that process: it imports nothing of ours.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

DRAW_FLAG = "--draw-svg"
"""The first argument by which the frozen program, which has no Python to run a file with, is asked to do this."""

_SECONDS = 10  # an honest logo takes a tenth of a second
_MOST_BYTES = 2_000_000_000  # of address space, fonts and their maps included
_FONT = Path(__file__).parent / "fonts" / "NotoSansSC-Regular.ttf"


def drawn(svg: str, side: int) -> bytes | None:
    """The picture as PNG, its longer side `side` pixels; None where the library refuses, fails or takes too long."""
    frozen = getattr(sys, "frozen", False)
    command = [sys.executable, DRAW_FLAG] if frozen else [sys.executable, "-P", __file__]
    try:
        done = subprocess.run(
            [*command, str(side)],
            input=svg.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def draw(side: int) -> None:
    """Read an SVG from standard input and write its picture as PNG to standard output.

    Text is drawn with the fonts of this computer, and with the font of the documents where it lacks the one asked for.
    """
    from resvg_py import svg_to_bytes

    svg = sys.stdin.buffer.read().decode()
    _bound()
    picture = svg_to_bytes(
        svg_string=svg,
        width=side,
        height=side,
        dpi=96,  # without it a size in millimetres is none
        skip_system_fonts="<text" not in svg,
        font_files=[str(_FONT)],
        font_family="Noto Sans SC",
        sans_serif_family="Noto Sans SC",
        serif_family="Noto Sans SC",
    )
    sys.stdout.buffer.write(bytes(picture))
    sys.stdout.buffer.flush()


def _bound() -> None:
    """Bound what this process may take, where the system can; elsewhere the time alone is bounded."""
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):  # the system's own bound is lower, or it knows none
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))


if __name__ == "__main__":
    draw(int(sys.argv[1]))
