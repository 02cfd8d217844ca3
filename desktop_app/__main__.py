"""`training-budget` and `python -m desktop_app`: no arguments, or one project or workbook, open the window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from desktop_app.cli import STOPPED, answered
from desktop_app.cli.output import prepare_streams
from desktop_app.foundation.problems import user_error

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")  # X11, Wayland, or a platform of Qt's own

_DRAW_SVG = "--draw-svg"  # a frozen program asks itself to draw a logo: see report_templates/svg_drawing.py


def main() -> None:
    """Run one command and leave with its exit code."""
    if sys.argv[1:2] == [_DRAW_SVG]:
        from report_templates.svg_drawing import draw

        draw(int(sys.argv[2]))
        return
    prepare_streams()
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # between two steps of ours
        code = STOPPED
    sys.exit(code)


def run(argv: list[str]) -> int:
    """The exit code of the command in `argv` (without the program's name)."""
    if not argv or (len(argv) == 1 and argv[0].endswith((".tbudget", ".xlsx"))):
        return answered(lambda: _open_window(Path(argv[0]) if argv else None))
    from desktop_app.cli import main as run_command

    return run_command(argv)


def _open_window(project: Path | None) -> int:
    """Open the window. Raises UserError where there is no display: Qt would abort the process."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in _DISPLAYS):
        raise user_error("", "problem.no_display", command="training-budget")
    from desktop_app.window.app import run as open_window

    return open_window(project)


if __name__ == "__main__":
    main()
