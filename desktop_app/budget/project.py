"""The saved document, *.tbudget: scenarios, the table rows used and the figures of that day, in one JSON file.

Only choices that were made by hand are written, so that "yours" and "default" survive. When a default changes, the
schema number rises and a step of `migrate` writes the old default into older files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from desktop_app.budget.budget import Budget
from desktop_app.budget.ledger import Line
from desktop_app.budget.scenario import DEFAULT_NAME, Scenario
from desktop_app.foundation.files import ReadSentences, name_text, read_text, replace_file
from desktop_app.foundation.json_objects import RepeatedKeyError, without_contradictions
from desktop_app.foundation.problems import Problem, UserError, user_error
from desktop_app.foundation.records import Record, validated_json

FORMAT: Final = "training-budget"
SCHEMA = 2
SUFFIX = ".tbudget"
_HIGHEST_SCHEMA = 10**6  # that a message names: an edited number may have hundreds of digits
_LARGEST_BYTES = 20_000_000  # a project of four scenarios is about 100 kB

_MOST_PROBLEMS = 5  # more sentences about one broken file help nobody


class StoredLine(Record):
    """A line of the ledger as it was: its value and, for a row of a table, what the row said."""

    key: str
    unit: str
    value: float | None
    tag: str
    source: str = ""
    as_of: str = ""
    row_text: str = ""


class Snapshot(Record):
    """The figures of one scenario on the day it was saved."""

    scenario: str
    currency: str
    lines: tuple[StoredLine, ...]


class Project(Record):
    """Everything that one file holds."""

    format: Literal["training-budget"] = FORMAT
    schema_number: int = Field(default=SCHEMA, ge=1)
    app_version: str = Field(max_length=100)
    scenarios: tuple[Scenario, ...] = Field(max_length=100)
    snapshots: tuple[Snapshot, ...] = Field(default=(), max_length=100)
    notes: str = Field(default="", max_length=1_000_000)


@dataclass(frozen=True, slots=True)
class Drift:
    """A figure that is another one today than when the file was saved."""

    key: str
    stored: float | None
    fresh: float | None

    @property
    def difference(self) -> float | None:
        """Fresh less stored; None when either is unknown."""
        return None if self.stored is None or self.fresh is None else self.fresh - self.stored


def new_project(budgets: Sequence[Budget], notes: str = "") -> Project:
    """The document of `budgets`, one for each scenario, with their figures as they are now."""
    return Project(
        app_version=app_version(),
        scenarios=tuple(budget.scenario for budget in budgets),
        snapshots=tuple(_snapshot(budget) for budget in budgets),
        notes=notes,
    )


def open_project(path: Path) -> Project:
    """The document in the file at `path`, brought to the present schema. The file is not touched.

    Raises UserError when it is missing, no regular file, too large, not JSON, not ours, newer than this program, or
    incomplete; what is wrong inside is told with the scenario and the field.
    """
    return project_of(_read(path), name_text(path))


def project_of(document: dict[str, Any], file_name: str) -> Project:
    """The document of a JSON object, brought to the present schema. Raises UserError, as `open_project` does."""
    document = migrate(document, file_name)
    try:
        project = validated_json(Project, document)
    except RecursionError:
        raise user_error("", "problem.broken_json", file=file_name) from None
    except UserError as error:
        faults = error.problems[:_MOST_PROBLEMS]
        if not all(fault.field for fault in faults):  # too deep, or half a character: no JSON for a stricter reader
            raise user_error("", "problem.broken_json", file=file_name) from None
        raise UserError(*(_placed(fault, file_name, document) for fault in faults)) from None
    if not project.scenarios:
        raise user_error("", "problem.not_a_project", file=file_name)
    return project


def fault_in_scenario(problem: Problem, file: str, scenario: str) -> Problem:
    """What is wrong with a choice of a project file, told with the file and the scenario that it stands in."""
    values: dict[str, str | Problem] = {
        "file": file,
        "scenario": scenario,
        "name": problem.field,
        "fault": replace(problem, field=""),
    }
    return Problem("", "problem.in_scenario", values)


def save_project(project: Project, path: Path) -> None:
    """Write `project` to `path`: beside it first, then exchanged, so that the old file stays whole if that fails.

    A file that opened well is kept as `path` + ".bak". Raises UserError.
    """
    _keep_backup(path)
    _write(path, _as_json(project))


def stored_values(snapshot: Snapshot) -> dict[str, float | None]:
    """The figures of a snapshot by key."""
    return {line.key: line.value for line in snapshot.lines}


def drift(snapshot: Snapshot, fresh: Budget) -> tuple[Drift, ...]:
    """The figures of `snapshot` that come out differently today, in the order of the ledger."""
    stored, found = stored_values(snapshot), []
    for line in fresh.ledger:
        now = fresh.ledger.value(line.key)
        if line.key in stored and not _same(stored[line.key], now):
            found.append(Drift(line.key, stored[line.key], now))
    return tuple(found)


@lru_cache(maxsize=1)
def app_version() -> str:
    """The version of this program."""
    from importlib import metadata  # reads mail headers: 20 ms that opening the window need not wait for

    return metadata.version(FORMAT)


def migrate(document: dict[str, Any], file_name: str) -> dict[str, Any]:
    """The document in the present schema. Raises UserError for a file that is not ours or is newer than the program."""
    number = document.get("schema_number")
    if document.get("format") != FORMAT or not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise user_error("", "problem.not_a_project", file=file_name)
    if number > SCHEMA:
        raise user_error(file_name, "problem.file_newer", version=min(number, _HIGHEST_SCHEMA), known=SCHEMA)
    for step in range(number, SCHEMA):
        document = {**MIGRATIONS[step](document), "schema_number": step + 1}
    return document


def _with_defaults_of_1(document: dict[str, Any]) -> dict[str, Any]:
    """Schema 1 knew no network beside the nodes, no data on disk and no unused hours of a contract: so it stays."""
    scenarios = document.get("scenarios")
    if not isinstance(scenarios, list):
        return document  # the validation tells what is wrong
    return {**document, "scenarios": [_scenario_of_1(scenario) for scenario in scenarios]}


def _scenario_of_1(scenario: Any) -> Any:
    if not isinstance(scenario, dict):
        return scenario
    defaults: dict[str, dict[str, float]] = {"beside": {"data_gb": 0.0}, "energy": {"network_power_percent": 0.0}}
    if not all(isinstance(scenario.get(part, {}), dict) for part in ("price", *defaults)):
        return scenario
    if scenario.get("price", {}).get("purchase") in ("capacity-block", "reserved-1y", "reserved-3y"):
        defaults["price"] = {"unused_elsewhere_percent": 100.0}
    return {**scenario, **{part: {**values, **scenario.get(part, {})} for part, values in defaults.items()}}


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _with_defaults_of_1}
"""For each older schema number, the step that brings a document to the next one."""


def _snapshot(budget: Budget) -> Snapshot:
    ledger = budget.ledger
    lines = tuple(_stored(line, ledger.value(line.key)) for line in ledger)
    return Snapshot(scenario=budget.scenario.name, currency=budget.currency, lines=lines)


def _stored(line: Line, value: float | None) -> StoredLine:
    row: dict[str, str] = {}
    if line.expression is None:
        row = {"source": line.source.name, "as_of": line.source.as_of, "row_text": line.row_text}
    return StoredLine(key=line.key, unit=line.unit, value=value, tag=line.tag, **row)


def _same(a: float | None, b: float | None) -> bool:
    """Equal up to the last bits, which may differ between machines."""
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def project_document(project: Project) -> dict[str, Any]:
    """The JSON object of `project`, in the present schema, with the choices that were made by hand alone."""
    document = project.model_dump(mode="json", exclude_unset=True)
    head = {"format": FORMAT, "schema_number": SCHEMA, "app_version": app_version()}
    return {**head, **{key: value for key, value in document.items() if key not in head}}


def _as_json(project: Project) -> bytes:
    whole = project_document(project)
    return (json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _write(path: Path, content: bytes) -> None:
    def fill(target: Path) -> None:
        target.write_bytes(content)

    replace_file(path, fill)


def _keep_backup(path: Path) -> None:
    """Copy the present file to .bak, but only if it can be opened: a broken one must not replace a good backup."""
    try:
        open_project(path)
        content = path.read_bytes()
    except (UserError, OSError):
        return
    _write(path.with_name(f"{path.name}.bak"), content)


def _read(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    name = name_text(path)
    text = read_text(path, _LARGEST_BYTES, ReadSentences(not_text="problem.not_a_project"))
    try:
        document = json.loads(text, parse_constant=_refuse, object_pairs_hook=without_contradictions)
    except RepeatedKeyError as error:
        raise user_error("", "problem.repeated_key", file=name, name=error.key) from None
    except (ValueError, RecursionError):
        raise user_error("", "problem.broken_json", file=name) from None
    if not isinstance(document, dict):
        raise user_error("", "problem.not_a_project", file=name)
    return document


def _placed(problem: Problem, file: str, document: dict[str, Any]) -> Problem:
    """The problem of a field on its way "scenarios.0.cluster.gpus", told with the file and the scenario."""
    parts = problem.field.split(".")
    if parts[0] == "scenarios" and len(parts) > 2:
        scenario = document["scenarios"][int(parts[1])]
        return fault_in_scenario(replace(problem, field=parts[-1]), file, str(scenario.get("name", DEFAULT_NAME)))
    values: dict[str, str | Problem] = {"file": file, "name": ", ".join(parts), "fault": replace(problem, field="")}
    return Problem("", "problem.in_file", values)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
