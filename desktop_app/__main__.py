"""`training-budget` and `python -m desktop_app`: no arguments, or one project file, open the window."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from desktop_app.cli import answered


def main() -> None:
    """Run one command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal or pipe; a windowed program has none
            stream.reconfigure(encoding="utf-8")  # Chinese names also where the system speaks ASCII
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """The exit code of the command in `argv` (without the program's name)."""
    if not argv or (len(argv) == 1 and argv[0].endswith(".tbudget")):
        return answered(lambda: _open_window(Path(argv[0]) if argv else None))
    from desktop_app.cli import main as run_command

    return run_command(argv)


def _open_window(project: Path | None) -> int:
    from desktop_app.window.app import run as open_window

    return open_window(project)


if __name__ == "__main__":
    main()
