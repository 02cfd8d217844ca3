"""What was changed in a workbook since it was exported: shown before it is opened, line by line, with what is taken."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.foundation.wording import Words
from desktop_app.window.data_table import Cell, Column, DataTable
from desktop_app.window.dialog_parts import HouseDialog
from desktop_app.window.labels import TextLabel
from desktop_app.window.look import Look
from report_templates.returned.records import InputChange
from report_templates.returned.telling import notes_of, told
from report_templates.workbook_reading import ReturnedWorkbook


class ReturnedDialog(HouseDialog):
    """Nothing is opened here: `wanted` says that the person wants the workbook as a new scenario."""

    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget, returned: ReturnedWorkbook) -> None:
        """Show the changes of `returned`."""
        words = look.words
        super().__init__(look, parent, words("title.returned", file=returned.file), 1130, 560)
        self.returned = returned
        self.head = TextLabel(look, "body", "text", wrap=True)
        self.head.setText(_heading(returned, words))
        self.notes = TextLabel(look, "body", "warn", wrap=True)
        self.notes.setText("\n".join(map(words.sentence, notes_of(returned))))
        self.notes.setVisible(bool(self.notes.text()))
        self.table = DataTable(look)
        self.table.setAccessibleName(words("returned.table"))
        self.table.show_rows(_columns(words), returned.changes, self._cells, empty=words("returned.nothing"))
        self.table.looked_at.connect(self._tell)
        self.detail = TextLabel(look, "body", "text2", wrap=True)
        self.detail.setMinimumHeight(look.px(40))
        self.copy = self.button("action.copy_table")
        self.copy.clicked.connect(self.table.copy)
        self.cancel, self.take = self.button("action.cancel"), self.button("action.open_returned", primary=True)
        self.cancel.clicked.connect(self.reject)
        self.take.clicked.connect(self.wanted)
        for part in (self.head, self.notes):
            self.column.addWidget(part)
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.detail)
        self.add_foot(self.copy, None, self.cancel, self.take)
        self.table.select(lambda change: not change.taken)
        self.take.setFocus()

    def _tell(self, change: InputChange | None) -> None:
        """The row that is looked at in one sentence: reasons are longer than a column."""
        if change is None:
            self.detail.setText("")
            return
        shown = told(change, self.returned.scenarios, self.look.words)
        key = "returned.changed" if change.taken else "returned.not_taken"
        values = {"scenario": shown.scenario, "name": shown.name, "place": shown.place, "message": shown.why_not}
        self.detail.setText(self.look.words(key, **values, old=shown.old, new=shown.new))

    def _cells(self, change: InputChange) -> tuple[Cell, ...]:
        """One change; what is not taken stands out in colour and in words."""
        words = self.look.words
        shown = told(change, self.returned.scenarios, words)
        result = words("returned.is_taken") if change.taken else words("returned.is_not_taken", reason=shown.why_not)
        return (
            Cell(shown.scenario),
            Cell(shown.name),
            Cell(shown.old),
            Cell(shown.new),
            Cell(shown.place),
            Cell(result, tone="text" if change.taken else "warn"),
        )


def _heading(returned: ReturnedWorkbook, words: Words) -> str:
    """How many changes there are, and what opening does."""
    refused = len(returned.changes) - returned.taken
    return words("returned.heading", scenarios=len(returned.scenarios), taken=returned.taken, refused=refused)


def _columns(words: Words) -> tuple[Column, ...]:
    return (
        Column(words("head.scenario"), most=160),
        Column(words("head.input"), most=250),
        Column(words("head.at_export"), right=True, most=130),
        Column(words("head.now"), right=True, most=130),
        Column(words("head.cell"), most=130),
        Column(words("head.taken"), stretch=True),
    )
