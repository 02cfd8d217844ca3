"""The open project while it is edited: its scenario, its budget, what could not be taken over, and the undo stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.drift_notices import with_drift
from desktop_app.budget.project import Project
from desktop_app.budget.scenario import Scenario, is_set, value_of, with_choice, with_choices, without_choice
from desktop_app.foundation.problems import Problem, UserError
from pricing.catalogue import Catalogue

UNREADABLE = object()
"""The value of an entry that is not even a number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a person entered and could not be taken over: it stays in its field, beside the last good figures."""

    text: str
    value: Any
    problem: Problem


@dataclass(frozen=True, slots=True)
class Waiting:
    """What was entered, in case that it must wait."""

    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Step:
    """What one edit did, to be told in the language of the moment. `key` is the choice; `file` where one was read."""

    kind: Literal["set", "reset", "model_file", "place"]
    key: str
    file: str = ""


class ReplaceScenario(QUndoCommand):
    """The one kind of command: scenario A becomes scenario B, called by its step."""

    def __init__(self, session: Session, old: Scenario, new: Scenario, step: Step, burst: int) -> None:
        """Edits of one field in one go (`burst`) become one command."""
        super().__init__(step.key)
        self._session = session
        self.old, self.new, self.step, self.burst = old, new, step, burst

    def id(self) -> int:
        """All commands are of one kind, so neighbours may merge."""
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over a later edit of the same field in the same go."""
        if not isinstance(other, ReplaceScenario) or (other.step.key, other.burst) != (self.step.key, self.burst):
            return False
        self.new, self.step = other.new, other.step
        self.setObsolete(self.new == self.old)
        return True

    def redo(self) -> None:
        """Take B."""
        self._session.take(self.new)

    def undo(self) -> None:
        """Take A."""
        self._session.take(self.old)


class Session(QObject):
    """The state of the window. Everything on screen follows from it at the signal `changed`."""

    changed = Signal()
    stepped = Signal(str)  # undo or redo went over an edit of this choice
    refused = Signal(object)  # a UserError: a step leads to a scenario that can be computed no longer

    def __init__(self, scenario: Scenario, catalogue: Catalogue) -> None:
        """Open `scenario`. Raises UserError when it cannot be computed."""
        super().__init__()
        self.catalogue = catalogue
        self.scenario = scenario
        self.budget: Budget = make_budget(scenario, catalogue)
        self._last = (scenario, self.budget)
        self.entries: dict[str, Entry] = {}
        self.stack = QUndoStack(self)
        self._burst = 0

    def open(self, scenario: Scenario, project: Project | None = None, notices: Sequence[Problem] = ()) -> None:
        """Replace everything by another scenario. Raises UserError and changes nothing when it cannot be computed.

        Of a `project` that was saved, figures that were others then are told until the first edit, as are `notices`.
        """
        budget = make_budget(scenario, self.catalogue)
        if project is not None:
            budget = with_drift(budget, project)
        budget = replace(budget, problems=(*notices, *budget.problems)) if notices else budget
        self.stack.clear()
        self.entries.clear()
        self.scenario, self.budget = scenario, budget
        self.changed.emit()

    def use_catalogue(self, catalogue: Catalogue) -> None:
        """Price everything by `catalogue` from now on. Raises UserError, and changes nothing, when that cannot be."""
        budget = make_budget(self.scenario, catalogue)
        self.finish()
        self.catalogue, self.budget, self._last = catalogue, budget, (self.scenario, budget)
        self.changed.emit()

    def edit(self, key: str, value: Any, text: str) -> None:
        """Set one choice. What cannot be taken over becomes an entry with its problem; the figures stay."""
        self._attempt(
            Step("set", key), lambda waiting: with_choices(self.scenario, {**waiting, key: value}), Waiting(text, value)
        )

    def reset(self, key: str) -> None:
        """Put one choice back to its default."""
        waiting = self.entries.pop(key, None)
        if is_set(self.scenario, key) or (key == "model" and self.scenario.model.custom_model is not None):
            self.finish()
            self._attempt(
                Step("reset", key),
                lambda waiting: with_choices(without_choice(self.scenario, key), waiting),
                Waiting("", None),
            )
            self.finish()
        elif waiting is not None:
            self.changed.emit()

    def fault(self, key: str, text: str, problem: Problem) -> None:
        """Remember a text that is no value at all."""
        self._refuse(key, Entry(text, UNREADABLE, problem))

    def replace(self, step: Step, scenario: Scenario) -> None:
        """Set several choices at once, as one step. Raises UserError and changes nothing when it cannot be computed."""
        self._computed(scenario)
        self.finish()
        self._commit(step, scenario)
        self.finish()

    def finish(self) -> None:
        """The edit in hand is done: the next one is a step of its own."""
        self._burst += 1

    def undo(self) -> None:
        """Take the last step back and drop what was waiting in fields."""
        self._walk(self.stack.index() - 1, self.stack.undo)

    def redo(self) -> None:
        """Do the next step again."""
        self._walk(self.stack.index(), self.stack.redo)

    def command_at(self, index: int) -> ReplaceScenario | None:
        """The command at a place of the undo stack; None beyond its ends."""
        command = self.stack.command(index) if 0 <= index < self.stack.count() else None
        return command if isinstance(command, ReplaceScenario) else None

    def take(self, scenario: Scenario) -> None:
        """Make `scenario` the one in hand; it is known to be computable. Who calls tells the others."""
        if scenario is not self.scenario:
            self.scenario, self.budget = scenario, self._computed(scenario)

    def _walk(self, index: int, move: Callable[[], None]) -> None:
        command = self.command_at(index)
        if command is None:
            return
        try:
            self._computed(command.old if index < self.stack.index() else command.new)
        except UserError as error:  # the seller of a price that was taken out of the price book since
            self.refused.emit(error)
            return
        self.finish()
        self.entries.clear()
        move()
        self.changed.emit()
        self.stepped.emit(command.step.key)

    def _attempt(self, step: Step, change: Callable[[Mapping[str, Any]], Scenario], asked: Waiting) -> None:
        """Try the change with everything that waits in other fields, then alone, else let it wait too."""
        waiting = {key: entry for key, entry in self.entries.items() if key != step.key}
        readable = {key: entry.value for key, entry in waiting.items() if entry.value is not UNREADABLE}
        if readable:
            try:
                scenario = change(readable)
                self._computed(scenario)
            except UserError:
                pass  # some of it still does not go together; the change alone may
            else:
                self.entries = {key: entry for key, entry in waiting.items() if key not in readable}
                return self._commit(step, scenario)
        try:
            scenario = change({})
            self._computed(scenario)
        except UserError as error:
            return self._refuse(step.key, Entry(asked.text, asked.value, error.problems[0]))
        self.entries = waiting
        return self._commit(step, scenario)

    def _computed(self, scenario: Scenario) -> Budget:
        """The budget of `scenario`. Raises UserError. The one asked for last is kept: it is taken a moment later."""
        if scenario is not self._last[0]:
            self._last = (scenario, make_budget(scenario, self.catalogue))
        return self._last[1]

    def _refuse(self, key: str, entry: Entry) -> None:
        """Let an entry wait. What the same typing set on its way ("1e3" of "1e30") is taken back."""
        self.entries[key] = entry
        last = self.command_at(self.stack.index() - 1)
        if last is not None and (last.step.key, last.burst) == (key, self._burst):
            self._commit(last.step, _as_in(last.old, self.scenario, key))
        else:
            self.changed.emit()

    def _commit(self, step: Step, scenario: Scenario) -> None:
        if scenario != self.scenario:
            self.stack.push(ReplaceScenario(self, self.scenario, scenario, step, self._burst))
        self.changed.emit()  # only now: while it is pushed a command is not merged yet, and has half a name


def _as_in(old: Scenario, scenario: Scenario, key: str) -> Scenario:
    """`scenario` with one choice as it was in `old`; the model with the file that it may have been read from."""
    if key == "model":
        return scenario.model_copy(update={"model": old.model})
    return with_choice(scenario, key, value_of(old, key)) if is_set(old, key) else without_choice(scenario, key)
