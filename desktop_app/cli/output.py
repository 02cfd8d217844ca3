"""Words that leave the program: a closed or full output is told, and never changes what was answered or refused."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

from desktop_app.foundation.problems import user_error


def prepare_streams() -> None:
    """Chinese names also where the system speaks ASCII, and no crash over half a character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a terminal or pipe; a windowed program has none
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def json_text(found: Any) -> str:
    """One JSON object or list on one line."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False)


def answer(text: str) -> None:
    """Print what was asked for. Raises UserError when there is no output to print it to, or it takes no more."""
    if sys.stdout is None:
        raise user_error("", "problem.no_output", reason=os.strerror(9))  # EBADF: the output was closed
    mention(text)


def mention(text: str) -> None:
    """Print what was done; that nobody listens is no fault. Raises UserError when the output takes no more."""
    if sys.stdout is None:
        return
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence(sys.stdout)  # the reader has enough
    except OSError as error:
        _silence(sys.stdout)
        raise user_error("", "problem.no_output", reason=error.strerror or type(error).__name__) from error


def complain(text: str) -> None:
    """Print to stderr, if that is possible."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: TextIO) -> None:
    """Lead a stream that failed to nowhere: Python flushes it again at the end, and would leave with another code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
