"""The command line: the same path as the window, headless. DESIGN section 8 is its contract.

Exit 0 = answered, 2 = bad input (a plain sentence on stderr that names the field or file), 1 = our bug, 130 = stopped
by Ctrl-C.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable

from desktop_app.cli.output import complain
from desktop_app.foundation.problems import Problem, UserError
from desktop_app.foundation.wording import words_of

ANSWERED, OUR_BUG, BAD_INPUT = 0, 1, 2
STOPPED = 130  # 128 + SIGINT, as shells count


def main(argv: list[str]) -> int:
    """Run the sub-command in `argv` (without the program's name) and give its exit code."""

    def run_command() -> int:
        from desktop_app.cli.commands import run

        run(argv)
        return ANSWERED

    return answered(run_command)


def answered(work: Callable[[], int]) -> int:
    """The exit code of `work`; what it raises is told on stderr, bad input in one plain sentence."""
    try:
        return work()
    except UserError as error:
        complain(" ".join(map(_told, error.problems)))
        return BAD_INPUT
    except KeyboardInterrupt:
        return STOPPED
    except Exception:
        complain(traceback.format_exc())
        return OUR_BUG


def _told(problem: Problem) -> str:
    from desktop_app.cli.arguments import flag_of

    sentence = words_of("en").sentence(problem)
    return f"{flag_of(problem.field)}: {sentence}" if problem.field else sentence
