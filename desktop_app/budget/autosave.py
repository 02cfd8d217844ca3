"""Where a session keeps its recovery file."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_state_path

from desktop_app.budget.project import FORMAT, SUFFIX


def autosave_path(session: str) -> Path:
    """The recovery file of a session: one for each, so that a new one never overwrites an old one."""
    return user_state_path(FORMAT, appauthor=False) / "recovery" / f"{session}{SUFFIX}"
