"""Reading a JSON file that somebody hands us: refused in plain words when it is anything but one small JSON object."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_app.foundation.problems import UserError, user_error

SIZE_LIMIT_BYTES = 5_000_000  # a config.json has a few kB; the longest released one that we met has 30 kB


def read_json_object(path: Path) -> dict[str, Any]:
    """The JSON object in the file. Raises UserError on the choice "model" for everything else.

    The size is looked at before anything is read. A key that stands twice with different values is refused.
    """
    return parse_json_object(_text_of(path), path.name)


def parse_json_object(text: str, name: str) -> dict[str, Any]:
    """The JSON object in `text`; `name` is what the sentences call it. Raises UserError on the choice "model"."""
    file = shown(name)
    if not text.strip():
        raise user_error("model", "problem.config_empty", file=file)
    try:
        value = json.loads(text, object_pairs_hook=_without_contradictions)
    except json.JSONDecodeError as error:
        raise user_error("model", "problem.config_not_json", file=file, line=error.lineno) from None
    except RecursionError:
        raise user_error("model", "problem.config_too_deep", file=file) from None
    except ValueError:  # a whole number of more than 4,300 digits
        raise user_error("model", "problem.config_long_number", file=file) from None
    if not isinstance(value, dict):
        raise user_error("model", "problem.config_not_object", file=file)
    return value


def shown(value: object) -> str:
    """A value of somebody's file as it may stand in a sentence: one line, printable, at most 60 characters."""
    if isinstance(value, Mapping):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    if isinstance(value, int) and abs(value) > 10**60:
        return f"{'-' if value < 0 else ''}1e{int(value.bit_length() * 0.30103)}"  # log10(2)
    text = "".join(sign if sign.isprintable() else "?" for sign in " ".join(str(value).split()))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _without_contradictions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values and values[key] != value:
            raise user_error("model", "problem.config_twice", name=shown(key))
        values[key] = value
    return values


def _text_of(path: Path) -> str:
    file = shown(path.name or str(path))
    try:
        if path.is_dir():
            raise user_error("model", "problem.config_folder", file=file)
        if not path.exists():
            raise user_error("model", "problem.config_file_missing", file=file)
        if not path.is_file():  # a device or a pipe would never end
            raise user_error("model", "problem.config_unreadable", file=file)
        if path.stat().st_size > SIZE_LIMIT_BYTES:
            raise _too_big(file, path.stat().st_size)
        with path.open("rb") as stream:
            data = stream.read(SIZE_LIMIT_BYTES + 1)
    except (OSError, ValueError):  # no permission, a name that no file can have
        raise user_error("model", "problem.config_unreadable", file=file) from None
    if len(data) > SIZE_LIMIT_BYTES:  # it grew while we looked
        raise _too_big(file, len(data))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise user_error("model", "problem.config_not_text", file=file) from None


def _too_big(file: str, size: int) -> UserError:
    return user_error("model", "problem.config_too_big", file=file, size=size / 1e6, limit=SIZE_LIMIT_BYTES / 1e6)
