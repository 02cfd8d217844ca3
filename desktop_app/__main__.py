"""`training-budget` and `python -m desktop_app`."""

import sys

from desktop_app.cli import main as run_command


def main() -> None:
    """Run one command and leave with its exit code."""
    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
