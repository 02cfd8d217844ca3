"""Running a command in tests: its answer as JSON, or the one sentence that refuses it."""

from __future__ import annotations

import json

from desktop_app.cli import main


def answer(capsys, *arguments):
    """What a command prints with --json; it must succeed."""
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *arguments):
    """The one line on stderr of a command that refuses its input, with nothing on stdout."""
    assert main(list(map(str, arguments))) == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    return told.err
