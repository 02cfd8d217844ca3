"""Where the profile of the organisation lives: organisation.json beside the price book, or wherever a variable says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path

from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.project import FORMAT
from desktop_app.foundation.files import path_text, read_text, replace_file
from desktop_app.foundation.json_objects import RepeatedKeyError, without_contradictions
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import validated_json

PLACE_VARIABLE = "TRAINING_BUDGET_ORGANISATION"
"""Names another file: a profile that a team shares, or none of the user's own in a test."""

_KIND: Final = "training-budget-organisation"
_SCHEMA = 1
_HIGHEST_SCHEMA = 10**6  # that a message names: an edited number may have hundreds of digits
_LARGEST_BYTES = 8_000_000  # the largest logo that is kept takes 4 MB as text


def organisation_path() -> Path:
    """The file of the profile; it need not exist."""
    stated = os.environ.get(PLACE_VARIABLE, "").strip()
    return Path(stated) if stated else user_config_path(FORMAT, appauthor=False) / "organisation.json"


def load_organisation(path: Path | None = None) -> Organisation:
    """The profile in the file at `path`, or the user's own: an empty one where there is none.

    Raises UserError naming the file when it cannot be read, is no profile or a damaged one, or when a `path` that was
    stated leads to nothing; the file is not touched.
    """
    place = path or organisation_path()
    if path is None and not os.path.lexists(place):
        return Organisation()
    document = _read(place)
    try:
        return validated_json(Organisation, document)
    except UserError as error:
        raise UserError(*(_placed(problem, place) for problem in error.problems)) from None
    except RecursionError:
        raise user_error("", "problem.organisation_broken", files=path_text(place)) from None


def save_organisation(organisation: Organisation, path: Path | None = None) -> Path:
    """Write the profile beside its file and exchange the two; the path. Raises UserError, and the old file stands."""
    place = path or organisation_path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise user_error("", "problem.no_folder", folder=path_text(place.parent)) from None
    document = {"format": _KIND, "schema_number": _SCHEMA, **organisation.model_dump(mode="json")}
    content = (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()

    def fill(target: Path) -> None:
        target.write_bytes(content)

    replace_file(place, fill)
    return place


def organisation_or_fault(path: Path | None = None) -> tuple[Organisation, tuple[Problem, ...]]:
    """The profile for a document: where it cannot be read an empty one, and what is to be said of that."""
    try:
        return load_organisation(path), ()
    except UserError as error:
        return Organisation(), (*error.problems, Problem("", "problem.organisation_left_out", severity="warning"))


def _read(path: Path) -> dict[str, Any]:
    """The entries of the profile in a file. Raises UserError."""
    text = read_text(path, _LARGEST_BYTES)
    try:
        document = json.loads(text, object_pairs_hook=without_contradictions)
    except (RepeatedKeyError, ValueError, RecursionError):
        document = None
    number = document.get("schema_number") if isinstance(document, dict) else None
    whole = isinstance(number, int) and not isinstance(number, bool) and number >= 1
    if not isinstance(document, dict) or document.get("format") != _KIND or not whole:
        raise user_error("", "problem.organisation_broken", files=path_text(path))
    if number != _SCHEMA:
        version = min(int(number or 0), _HIGHEST_SCHEMA)
        raise user_error("", "problem.organisation_newer", files=path_text(path), version=version)
    return {key: value for key, value in document.items() if key not in ("format", "schema_number")}


def _placed(problem: Problem, path: Path) -> Problem:
    """What is wrong with one entry, told with the file and the entry."""
    fault = Problem("", problem.key, problem.values)
    name = problem.field.split(".")[0]
    values: dict[str, str | float | Problem] = {"files": path_text(path), "name": name, "fault": fault}
    return Problem("", "problem.organisation_entry", values)
