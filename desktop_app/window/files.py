"""The project's file: open, save, save as, and the question before anything is lost."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QStandardPaths, Signal

from desktop_app.budget.budget import make_budget
from desktop_app.budget.effective import effective
from desktop_app.budget.examples import FIRST, example_scenario
from desktop_app.budget.project import SUFFIX, new_project, open_project, save_project
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.huggingface import read_config
from desktop_app.foundation.problems import UserError
from desktop_app.window import figures
from desktop_app.window.dialogs import Dialogs
from desktop_app.window.form import field_specs, sentence, value_words
from desktop_app.window.look import Look
from desktop_app.window.session import Session, Step

if TYPE_CHECKING:
    from report_templates.workbook_reading import ReturnedWorkbook

WORKBOOKS = (".xlsx", ".xlsm", ".xls")
"""Endings of files that are opened as workbooks."""


class Files(QObject):
    """Knows where the project is kept and whether it was changed since."""

    changed = Signal()
    wanted = Signal(str)  # the choice whose entry stands in the way of a file
    workbook = Signal(object)  # a file that is opened and may be a workbook of ours: it is shown before it is taken

    def __init__(self, look: Look, session: Session, dialogs: Dialogs) -> None:
        """For a project that has no file yet."""
        super().__init__()
        self._look, self._session, self.dialogs = look, session, dialogs
        self.path: Path | None = None
        self.is_example = True
        self._saved_at = ""
        self._title = ""  # of a project without a file that came from a workbook
        self.others: tuple[Scenario, ...] = ()  # further scenarios of the file: kept, though not shown
        self.notes = ""

    def name(self) -> str:
        """What the project is called: its file, the workbook it came from, or its model and tokens."""
        if self.path is not None:
            return self.path.stem
        return self._title or figures.project_name(self._session.budget, self._look.words)

    def state(self) -> str:
        """Whether it is saved, in words."""
        words, clean = self._look.words, self._session.stack.isClean()
        if self.path is None:
            return words("state.example" if self.is_example and clean else "state.never_saved")
        return words("state.saved" if clean else "state.unsaved", time=self._saved_at)

    def may_leave(self) -> bool:
        """Whether the project may be replaced or closed: asks when it has changes, saves when that is the answer."""
        if self._session.stack.isClean():
            return True
        answer = self.dialogs.ask_save(self._look.words, self.path.name if self.path else "")
        return answer == "discard" or (answer == "save" and self.save())

    def open_asking(self) -> bool:
        """Open a file that the person picks."""
        words = self._look.words
        if not self.may_leave():
            return False
        path = self.dialogs.open_file(words, words("dialog.open"), words("filter.open"), self.folder())
        return path is not None and self.open(path)

    def open(self, path: Path) -> bool:
        """Open the project in `path`; the one on screen stays when it cannot be opened. A workbook is shown first."""
        if path.suffix.lower() in WORKBOOKS:
            self.workbook.emit(path)
            return True
        try:
            project = open_project(path)
            self._session.open(project.scenarios[0], project)
        except UserError as error:
            self.dialogs.tell(self._look.words, self.sentences(error))
            return False
        self.path, self.is_example = path, False
        self.others, self.notes = project.scenarios[1:], project.notes
        self._saved_at = datetime.fromtimestamp(path.stat().st_mtime).strftime("%H:%M")
        self.changed.emit()
        return True

    def open_returned(self, returned: ReturnedWorkbook) -> bool:
        """Open what a workbook says as a new project; what is not taken from it is told until the first edit."""
        from report_templates.returned.telling import notices

        first, *others = returned.scenarios
        try:
            self._session.open(first, notices=notices(returned, 0))
        except UserError as error:
            self.dialogs.tell(self._look.words, self.sentences(error))
            return False
        self.path, self.is_example, self.others, self.notes = None, False, tuple(others), returned.original.notes
        self._title = Path(returned.file).stem
        self.changed.emit()
        return True

    def open_example(self, key: str = FIRST) -> bool:
        """Start from a worked example, as of today."""
        if not self.may_leave():
            return False
        self._session.open(example_scenario(key, date.today()))
        self.path, self.is_example, self.others, self.notes = None, True, (), ""
        self._title = ""
        self.changed.emit()
        return True

    def save(self) -> bool:
        """Write the project to its file; asks for one when it has none. False when it was not written."""
        if self.path is None:
            return self.save_as()
        return self.may_use_last_good("save") and self._write(self.path)

    def save_as(self) -> bool:
        """Write the project to a file that the person names."""
        words = self._look.words
        if not self.may_use_last_good("save"):
            return False
        proposed = self.path or self.folder() / f"{self.file_stem()}{SUFFIX}"
        path = self.dialogs.save_file(words, words("dialog.save"), words("filter.project"), proposed)
        return path is not None and self._write(path)

    def may_use_last_good(self, kind: Literal["save", "export"]) -> bool:
        """Whether a file may be written though fields hold what cannot be used: asks, and names fields and values."""
        entries, words = self._session.entries, self._look.words
        if not entries:
            return True
        lines = [
            words("ask.entry", field=words(f"field.{key}"), reason=sentence(entry.problem, words))
            for key, entry in entries.items()
        ]
        first = next(iter(entries))
        spec = next(spec for spec in field_specs() if spec.key == first)
        value = value_words(spec, effective(self._session.budget, first), words)
        one = words(f"ask.{kind}_last_good", value=value)
        lines.append(one if len(entries) == 1 else words(f"ask.{kind}_last_goods"))
        yes = words("action.save" if kind == "save" else "action.export_anyway")
        if self.dialogs.confirm(words, "\n".join(lines), yes):
            return True
        self.wanted.emit(first)
        return False

    def read_model(self, path: Path) -> bool:
        """Take the model from a config.json, as one step that can be undone."""
        session = self._session
        try:
            spec = read_config(path)
            model = session.scenario.model.model_copy(update={"custom_model": spec})
            session.replace(
                Step("model_file", "model", path.name), session.scenario.model_copy(update={"model": model})
            )
        except UserError as error:
            self.dialogs.tell(self._look.words, self.sentences(error))
            return False
        return True

    def read_model_asking(self) -> bool:
        """Take the model from a config.json that the person picks."""
        words = self._look.words
        path = self.dialogs.open_file(words, words("dialog.config"), words("filter.config"), self.folder())
        return path is not None and self.read_model(path)

    def sentences(self, error: UserError) -> str:
        """What is wrong, one sentence a line."""
        return "\n".join(self._look.words.sentence(problem) for problem in error.problems)

    def folder(self) -> Path:
        """Where files are looked for first."""
        if self.path is not None:
            return self.path.parent
        place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return Path(place) if place and Path(place).is_dir() else Path.home()

    def file_stem(self) -> str:
        """A name for a file: letters, digits, dashes and dots of the project's name."""
        kept = (letter if letter.isalnum() or letter in ".-_" else " " for letter in self.name())
        return "-".join("".join(kept).split()) or "budget"

    def _write(self, path: Path) -> bool:
        session = self._session
        try:
            others = [make_budget(scenario, session.catalogue) for scenario in self.others]
            save_project(new_project([session.budget, *others], self.notes), path)
        except UserError as error:
            self.dialogs.tell(self._look.words, self.sentences(error))
            return False
        self.path, self.is_example = path, False
        self._saved_at = datetime.now().strftime("%H:%M")
        session.finish()
        session.stack.setClean()
        self.changed.emit()
        return True
