"""The preview of a price sheet: what it is, how it is read, which prices can be taken and which not, and why."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QProgressBar, QTabWidget, QWidget

from desktop_app.cli.sheet_reading import OpenSheet, Reading, read_sheet
from desktop_app.foundation.files import name_text
from desktop_app.foundation.problems import UserError
from desktop_app.window import price_rows
from desktop_app.window.background import BackgroundRunner
from desktop_app.window.choice_box import ChoiceBox
from desktop_app.window.data_table import DataTable
from desktop_app.window.dialog_parts import HouseDialog
from desktop_app.window.import_form import Answers, MappingForm, QuestionForm
from desktop_app.window.labels import TextLabel, Tone
from desktop_app.window.look import Look
from pricing.catalogue import load_catalogue
from pricing.importers.preview import Preview

_SHOWS_BUSY_AFTER = 300  # ms; what is shorter only flickers (look/TOKENS section 4)


class ImportDialog(HouseDialog):
    """Nothing is stored here: `wanted` carries the preview whose prices are to be taken, and whether doubtful ones too.

    `failed` carries what made the file unreadable; `busy` tells whether something is being read.
    """

    wanted = Signal(object, bool)
    failed = Signal(object)
    settled = Signal()  # what stands here is the latest that was asked for

    def __init__(self, look: Look, parent: QWidget, runner: BackgroundRunner, path: Path) -> None:
        """Begin to read `path`."""
        super().__init__(look, parent, look.words("title.import", file=name_text(path)), 1130, 660)
        self._runner, self.path, self._today = runner, path, date.today()
        self.answers = Answers()
        self._opened: OpenSheet | None = None
        self.preview: Preview | None = None
        self._build()
        self.read()

    def _build(self) -> None:
        look, words = self.look, self.look.words
        self.head = TextLabel(look, "body", "text", wrap=True)
        self.sheets = ChoiceBox(look)
        self.sheets.setAccessibleName(words("preview.sheet"))
        self.sheets.chosen.connect(self._choose_sheet)
        self.sheets.hide()
        top = QHBoxLayout()
        top.addWidget(self.head, 1)
        top.addWidget(self.sheets)
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setFixedHeight(look.px(4))
        keeps = self.busy.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.busy.setSizePolicy(keeps)
        self.busy.setAccessibleName(words("preview.reading", file=name_text(self.path)))
        self.busy.hide()
        self._busy_soon = QTimer(self)
        self._busy_soon.setSingleShot(True)
        self._busy_soon.setInterval(_SHOWS_BUSY_AFTER)
        self._busy_soon.timeout.connect(self.busy.show)
        self.mapping = MappingForm(look)
        self.mapping.changed.connect(self._map)
        self.mapping.hide()
        self.questions = QuestionForm(look, load_catalogue())
        self.questions.answered.connect(self._answer)
        self.fault = TextLabel(look, "body", "bad", wrap=True)
        self.fault.hide()
        self.prices, self.dropped, self.said = DataTable(look), DataTable(look), DataTable(look)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        tables: dict[str, DataTable] = {"accepted": self.prices, "dropped": self.dropped, "said": self.said}
        for name, table in tables.items():
            table.setAccessibleName(words(f"preview.{name}_name"))
            self.tabs.addTab(table, "")
        self.doubtful = QCheckBox()
        self.doubtful.toggled.connect(self._count)
        self.doubtful.hide()
        self.copy = self.button("action.copy_table")
        self.copy.clicked.connect(self._copy)
        self.cancel, self.take = self.button("action.cancel"), self.button("action.ok", primary=True)
        self.cancel.clicked.connect(self.reject)
        self.take.clicked.connect(self._take)
        self.column.addLayout(top)
        for part in (self.busy, self.mapping, self.questions, self.fault):
            self.column.addWidget(part)
        self.column.addWidget(self.tabs, 1)
        self.add_foot(self.copy, self.doubtful, None, self.cancel, self.take)
        self._show_nothing()

    def read(self) -> None:
        """Read the sheet under the answers so far, beside the window; the tables stay until the new ones are there."""
        try:
            options, rate = self.answers.options(self.path, self._today), self.answers.rate(self._today)
        except UserError as error:
            self._say(self.look.words.sentence(error.problems[0]))
            self.settled.emit()
            return
        path, opened = self.path, self._opened
        self.take.setEnabled(False)
        self._busy_soon.start()
        self._runner.run("import", lambda: read_sheet(path, opened, options, rate), self._show, self._fail)

    def _show(self, reading: Reading) -> None:
        if not self.is_open:
            return
        self._rest()
        words = self.look.words
        self._opened, self.preview = reading.opened, reading.preview
        self.answers = self.answers.after(reading)
        found = dict(reading.preview.mapping) if reading.preview is not None else {}
        self.mapping.setVisible(not reading.opened.is_skypilot or bool(self.answers.mapping))
        columns = reading.opened.columns(self.answers.mapping)
        self.mapping.show_columns(columns, found, self.answers.mapping)
        self.questions.ask(self.answers)
        names = reading.opened.sheet.all_names
        self.sheets.setVisible(len(names) > 1)
        self.sheets.set_options([(name, name) for name in names], reading.opened.sheet.name)
        if reading.preview is None:
            self._show_nothing()
            self._say("" if reading.problem is None else price_rows.problem_words(reading.problem, words))
        else:
            self._show_preview(reading.preview)
            self._say(price_rows.questions(reading.preview, words), "warn")
        self.settled.emit()

    def _show_preview(self, preview: Preview) -> None:
        words = self.look.words
        said = price_rows.by_line(preview)
        doubtful = sum(row.doubtful for row in preview.rows)
        dropped, remarks = preview.said("dropped"), price_rows.remarks(preview)
        self.head.setText(price_rows.heading(preview, words))
        self.prices.show_rows(
            price_rows.accepted_columns(words),
            preview.rows,
            lambda row: price_rows.accepted_cells(row, said, words),
            empty=words("preview.none_accepted"),
        )
        self.dropped.show_rows(
            price_rows.finding_columns(words, "head.why_not"),
            dropped,
            lambda finding: price_rows.finding_cells(finding, words),
            empty=words("preview.none_dropped"),
        )
        self.said.show_rows(
            price_rows.finding_columns(words, "head.remark"),
            remarks,
            lambda finding: price_rows.finding_cells(finding, words),
            empty=words("preview.none_said"),
        )
        counts = {"accepted": len(preview.rows), "dropped": len(dropped), "said": len(remarks)}
        for place, (name, count) in enumerate(counts.items()):
            self.tabs.setTabText(place, words(f"preview.{name}", count=count))
        self.doubtful.setVisible(doubtful > 0)
        self.doubtful.setText(words("preview.take_doubtful", count=doubtful))
        self._count()

    def _show_nothing(self) -> None:
        words = self.look.words
        self.preview = None
        self.head.setText(words("preview.reading" if self._opened is None else "preview.unread", file=self.path.name))
        for place, name in enumerate(("accepted", "dropped", "said")):
            self.tabs.setTabText(place, words(f"preview.{name}", count=0))
        for table in (self.prices, self.dropped, self.said):
            table.show_rows((), (), lambda record: ())
        self.doubtful.hide()
        self._count()

    def _count(self) -> None:
        """The button says how many prices it takes."""
        with_doubtful = self.doubtful.isChecked()
        count = 0 if self.preview is None else len(self.preview.quotes(with_doubtful=with_doubtful))
        self.take.set_words(self.look.words("action.take_prices", count=count))
        self.take.setEnabled(count > 0)

    def _fail(self, error: Exception) -> None:
        if self.is_open:
            self._rest()
            self.failed.emit(error)

    def _rest(self) -> None:
        self._busy_soon.stop()
        self.busy.hide()

    def _say(self, sentence: str, tone: Tone = "bad") -> None:
        """What stands in the way of taking prices; a question is no fault."""
        self.fault.set_tone(tone)
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def _map(self, field: str, column: str) -> None:
        """A field stands in another column; the column that its name found is no statement."""
        self.answers = self.answers.with_column(field, column)
        self.read()

    def _answer(self, box: str, text: str) -> None:
        if text != self.answers.said.get(box, ""):
            self.answers = self.answers.with_answer(box, text)
            self.read()

    def _choose_sheet(self, name: str) -> None:
        """Another sheet has other columns and other questions."""
        self.answers, self._opened = Answers(sheet=name), None
        self.read()

    def _copy(self) -> None:
        table = self.tabs.currentWidget()
        assert isinstance(table, DataTable)
        table.copy()

    def _take(self) -> None:
        if self.preview is not None:
            self.setCursor(Qt.CursorShape.BusyCursor)
            self.take.setEnabled(False)
            self.wanted.emit(self.preview, self.doubtful.isChecked())

    def release(self) -> None:
        """What was wanted could not be done: it may be tried again."""
        self.unsetCursor()
        self._count()
