"""Reading a JSON file that somebody hands us: refused in plain words when it is anything but one small JSON object."""

import json
from pathlib import Path
from typing import Any

from desktop_app.foundation.files import ReadSentences, name_text, read_text
from desktop_app.foundation.json_objects import RepeatedKeyError, without_contradictions
from desktop_app.foundation.problems import shown, user_error

SIZE_LIMIT_BYTES = 5_000_000  # a config.json has a few kB; the longest released one that we met has 30 kB
_SENTENCES = ReadSentences(
    field="model",
    missing="problem.config_file_missing",
    folder="problem.config_folder",
    special="problem.config_unreadable",
    unreadable="problem.config_unreadable",
    too_big="problem.config_too_big",
    not_text="problem.config_not_text",
)


def read_json_object(path: Path) -> dict[str, Any]:
    """The JSON object in the file. Raises UserError on the choice "model" for everything else.

    A key that stands twice with different values is refused.
    """
    return parse_json_object(read_text(path, SIZE_LIMIT_BYTES, _SENTENCES), name_text(path))


def parse_json_object(text: str, name: str) -> dict[str, Any]:
    """The JSON object in `text`; `name` is what the sentences call it. Raises UserError on the choice "model"."""
    file = shown(name)
    if not text.strip():
        raise user_error("model", "problem.config_empty", file=file)
    try:
        value = json.loads(text, object_pairs_hook=without_contradictions)
    except RepeatedKeyError as error:
        raise user_error("model", "problem.config_twice", name=shown(error.key)) from None
    except json.JSONDecodeError as error:
        raise user_error("model", "problem.config_not_json", file=file, line=error.lineno) from None
    except RecursionError:
        raise user_error("model", "problem.config_too_deep", file=file) from None
    except ValueError:  # a whole number of more than 4,300 digits
        raise user_error("model", "problem.config_long_number", file=file) from None
    if not isinstance(value, dict):
        raise user_error("model", "problem.config_not_object", file=file)
    return value
