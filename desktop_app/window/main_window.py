"""The one window: inputs on the left, answers on the right, notes below. It puts the parts together, nothing more."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from desktop_app.budget.examples import examples
from desktop_app.budget.project import app_version
from desktop_app.budget.scenario import value_of
from desktop_app.foundation.quantities import format_unit
from desktop_app.foundation.wording import Language
from desktop_app.window import figures, form, theme
from desktop_app.window.background import BackgroundRunner
from desktop_app.window.card_column import CardColumn
from desktop_app.window.chart import CostChart
from desktop_app.window.cost_table import CostModel, CostTable, SumRows
from desktop_app.window.dialogs import Dialogs
from desktop_app.window.documents import FURTHER
from desktop_app.window.explain_panel import ExplainPanel
from desktop_app.window.explain_view import explain_view
from desktop_app.window.export import Exporter
from desktop_app.window.field_row import FieldRow
from desktop_app.window.files import WORKBOOKS, Files
from desktop_app.window.icons import draw_brand
from desktop_app.window.labels import Hairline, settle_layouts
from desktop_app.window.look import Look
from desktop_app.window.menus import Menus
from desktop_app.window.notes_strip import Message, NotesStrip, sorted_notes
from desktop_app.window.organisation import OrganisationProfile
from desktop_app.window.own_prices import SHEETS, OwnPrices
from desktop_app.window.qt_words import QtWords
from desktop_app.window.returned import ReturnedWorkbooks
from desktop_app.window.session import ReplaceScenario, Session
from desktop_app.window.settings import WindowSettings
from desktop_app.window.tiles import TileRow
from desktop_app.window.top_bar import TopBar

_NARROW_BELOW = 1280  # a narrower window starts without the explain panel (look/TOKENS section 5)
_SMALLEST = (1120, 640)
_FIRST_EXPLAINED = "cost.run"


class MainWindow(QMainWindow):
    """Inputs, tiles, chart, table, explain panel and notes of one session."""

    def __init__(self, look: Look, session: Session, settings: WindowSettings) -> None:
        """Build everything and show the session's figures."""
        super().__init__()
        self.look, self.session, self.settings = look, session, settings
        self.dialogs = Dialogs(self)
        self.files = Files(look, session, self.dialogs)
        self.runner = BackgroundRunner(self)
        self.exporter = Exporter(look, session, self.files, self.runner)
        self.qt_words = QtWords()
        self.qt_words.use(look.language)
        self.explained = _FIRST_EXPLAINED
        self._narrow = False
        self._theme_choice = settings.theme
        self.prices = OwnPrices(look, session, self.files, self.runner, self)
        self.profile = OrganisationProfile(look, self.files, self.runner, self, self.prices.tell)
        self.returned = ReturnedWorkbooks(look, session, self.files, self.runner, self, self.prices.tell)
        self.menus = Menus(self)
        self._fill_menus()
        self._build()
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(look.px(_SMALLEST[0]), look.px(_SMALLEST[1]))
        self.refresh()

    def _build(self) -> None:
        look = self.look
        self.top_bar = TopBar(look, self.menus.bar)
        self.cards = CardColumn(look, self.session, self.settings.open_cards)
        self.tiles = TileRow(look)
        self.chart = CostChart(look)
        self.model = CostModel()
        self.table = CostTable(look, self.model)
        self.sums = SumRows(look, self.table)
        self.explain = ExplainPanel(look)
        self.strip = NotesStrip(look)
        self.money = QFrame()
        self.money.setProperty("part", "panel")
        money = QVBoxLayout(self.money)
        money.setContentsMargins(1, 1, 1, look.px(6))
        money.setSpacing(0)
        money.addWidget(self.chart, 100)
        money.addWidget(self.table)
        money.addWidget(self.sums)
        money.addStretch(1)
        self.answers = QHBoxLayout()
        self.answers.setSpacing(look.px(10))
        self.answers.addWidget(self.money, 1)
        self.answers.addWidget(self.explain)
        right = QVBoxLayout()
        right.setSpacing(look.px(10))
        right.addWidget(self.tiles)
        right.addLayout(self.answers, 1)
        middle = QHBoxLayout()
        middle.setContentsMargins(look.px(12), look.px(10), look.px(12), look.px(10))
        middle.setSpacing(look.px(4))
        middle.addWidget(self.cards)
        middle.addLayout(right, 1)
        self.canvas = QWidget()
        self.canvas.setProperty("part", "canvas")
        column = QVBoxLayout(self.canvas)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.top_bar, Hairline(), middle, Hairline(), self.strip):
            if isinstance(part, QHBoxLayout):
                column.addLayout(part, 1)
            else:
                column.addWidget(part)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click beside the inputs leaves the one in hand
        self.setCentralWidget(self.canvas)
        self.canvas.setFocus()

    def _connect(self) -> None:
        session, files = self.session, self.files
        session.changed.connect(self.strip.clear_message)
        session.changed.connect(self.refresh)
        session.stepped.connect(self.cards.reveal)
        self.look.changed.connect(self.refresh)
        files.changed.connect(self._refresh_names)
        files.wanted.connect(self.go_to)
        self.cards.folded.connect(self._remember_cards)
        self.tiles.explain.connect(self.explain_key)
        self.tiles.mend.connect(self.go_to)
        self.chart.chosen.connect(self.explain_key)
        self.table.chosen.connect(self.explain_key)
        self.table.price_wanted.connect(self.go_to)
        self.explain.follow.connect(self.explain_key)
        self.explain.go_to.connect(self.go_to)
        self.explain.remedy.connect(self._apply_remedy)
        self.explain.closed.connect(lambda: self.show_explain(False))
        self.strip.go_to.connect(self.go_to)
        bar = self.top_bar
        bar.undo.clicked.connect(session.undo)
        bar.redo.clicked.connect(session.redo)
        bar.language.clicked.connect(lambda: self.set_language("en" if self.look.language == "zh" else "zh"))
        bar.excel.clicked.connect(self.exporter.excel)
        bar.pdf.clicked.connect(self.exporter.pdf)
        self.exporter.writing.connect(
            lambda path: self.strip.show_message(Message("strip.writing", path.name), lasts=True)
        )
        self.exporter.written.connect(self._show_written)
        self.exporter.failed.connect(self.strip.clear_message)
        self.prices.stored.connect(lambda counts: self.strip.show_message(Message("import.taken", values=counts)))
        self.profile.stored.connect(lambda: self.strip.show_message(Message("organisation.saved")))
        session.refused.connect(self.prices.tell)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)

    def _fill_menus(self) -> None:
        add, keys = self.menus.add, QKeySequence.StandardKey
        add("file", "new", "action.new", self.files.open_example, keys.New)
        self.menus.add_examples(tuple(example.key for example in examples()), self.files.open_example)
        add("file", "open", "action.open", self.files.open_asking, keys.Open)
        add("file", "config", "action.config", self.files.read_model_asking)
        self.menus.separate("file")
        add("file", "import_prices", "action.import_prices", self.prices.import_asking, QKeySequence("Ctrl+I"))
        add("file", "book", "action.book", self.prices.show_book)
        self.menus.separate("file")
        add("file", "save", "action.save", self.files.save, keys.Save)
        add("file", "save_as", "action.save_as", self.files.save_as, QKeySequence("Ctrl+Shift+S"))
        self.menus.separate("file")
        add("file", "excel", "action.excel", self.exporter.excel, QKeySequence("Ctrl+E"))
        add("file", "pdf", "action.pdf", self.exporter.pdf, QKeySequence("Ctrl+Shift+E"))
        self.menus.add_menu("file", "documents")
        for kind in FURTHER:
            add("documents", kind, f"action.{kind}", partial(self.exporter.write, kind))
        self.menus.separate("file")
        add("file", "quit", "action.close_window", self.close, QKeySequence("Ctrl+Q"))
        add("edit", "undo", "action.undo_bare", self.session.undo, keys.Undo)
        add("edit", "redo", "action.redo_bare", self.session.redo, QKeySequence("Ctrl+Shift+Z"))
        self.menus.separate("edit")
        add("edit", "copy_table", "action.copy_table", self._copy_table)
        add("edit", "copy_chart", "action.copy_chart", self._copy_chart)
        add("view", "explain", "action.show_explain", lambda: self.show_explain(self.explain.isHidden()))
        self.menus.add_choices(self.set_language, self.set_theme)
        add("tools", "compare", "action.compare", self.prices.compare, QKeySequence("Ctrl+Shift+C"))
        add("tools", "organisation", "action.organisation", self.profile.show)
        add("help", "explain_this", "action.explain", self.explain_focused, keys.HelpContents)
        add("help", "about", "action.about", lambda: self.dialogs.about(self.look.words, app_version()))

    def refresh(self) -> None:
        """Bring everything on screen up to date with session, language and colours."""
        budget, words = self.session.budget, self.look.words
        waiting = [entry.problem for entry in self.session.entries.values()]
        stale = words("tile.stale", reason=form.sentence(waiting[0], words)) if waiting else ""
        self.cards.refresh()
        self.tiles.show_figures(
            figures.tiles(budget, words), figures.verdict(budget, words), stale, words("problem.last_good")
        )
        rows = figures.cost_rows(budget, words)
        if self.explained not in budget.ledger:
            self.explained = _FIRST_EXPLAINED
        self.chart.show_bars(
            figures.finding(budget, words), format_unit("currency", words, budget.currency), rows, self.explained
        )
        self.model.set_rows(rows, format_unit("currency", words, budget.currency), words)
        self.table.setAccessibleName(words("table.name"))
        self.table.setMaximumHeight(self.table.wanted_height())
        self.table.select(self.explained)
        self.sums.show_rows(figures.sum_rows(budget, words))
        if not self.explain.isHidden():
            self.explain.show_view(explain_view(budget, self.explained, words))
        notes = sorted_notes([*waiting, *budget.problems], words)
        self.strip.show_notes(notes, figures.estimate_note(budget, words))
        self._refresh_names()
        settle_layouts()

    def _refresh_names(self) -> None:
        """Title, menus, name and state of the project, steps of undo and redo."""
        words, session = self.look.words, self.session
        self.menus.refresh(words, self.look.language, self._theme_choice)
        index = session.stack.index()
        undo, redo = (self.step_words(session.command_at(place)) for place in (index - 1, index))
        self.menus.show_steps(words, undo, redo)
        self.top_bar.refresh(self.files.name(), self.files.state())
        self.top_bar.show_steps(undo, redo)
        self.top_bar.fit_menus()
        self.setWindowTitle(words("title.window", name=f"{self.files.name()}[*]"))
        self.setWindowModified(not session.stack.isClean())

    def step_words(self, command: ReplaceScenario | None) -> str:
        """What a step did, in the language of the moment."""
        if command is None:
            return ""
        words, step = self.look.words, command.step
        if step.kind == "model_file":
            return words("step.model_file", file=step.file)
        field = words(f"field.{step.key}")
        if step.kind == "place":
            return words("step.place", old=form.place_words(command.old), new=form.place_words(command.new))
        if step.kind == "reset":
            return words("step.reset", field=field)
        spec = next(spec for spec in form.field_specs() if spec.key == step.key)
        old, new = (
            form.value_words(spec, value_of(scenario, step.key), words) for scenario in (command.old, command.new)
        )
        return words("step.set", field=field, old=old, new=new)

    def explain_key(self, key: str) -> None:
        """Explain the ledger line `key` in the panel."""
        if key not in self.session.budget.ledger:
            return
        self.explained = key
        if self.explain.isHidden():
            self.show_explain(True)
        else:
            self.refresh()

    def explain_focused(self) -> None:
        """Explain what has the focus: a field's figure, else the selected line."""
        widget: QWidget | None = QApplication.focusWidget()
        while widget is not None:
            if isinstance(widget, FieldRow):
                self.explain_key(widget.spec.key)
                return
            if widget in self.tiles.all_tiles():
                widget.click()
                return
            widget = widget.parentWidget()
        self.explain_key(self.explained)

    def show_explain(self, shows: bool) -> None:
        """Open or close the panel; the table takes or gives the room."""
        self.explain.setVisible(shows)
        self._place_explain()
        self.refresh()

    def go_to(self, key: str) -> None:
        """Put the focus into the box of a choice."""
        self.cards.reveal(key)

    def set_language(self, language: Language) -> None:
        """Every word at once, Qt's own too."""
        self.settings.language = language
        self.qt_words.use(language)
        self.look.set_language(language)

    def set_theme(self, choice: str) -> None:
        """Light, dark, or as the system."""
        self._theme_choice = self.settings.theme = choice  # type: ignore[assignment]
        self._follow_system()

    def _follow_system(self) -> None:
        self.look.theme = theme.resolved(self._theme_choice)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, self.look)
        self.setWindowIcon(brand_icon(self.look))
        self.look.changed.emit()

    def _apply_remedy(self, field: str, value: object) -> None:
        self.session.finish()
        self.session.edit(field, value, str(value))
        self.session.finish()

    def _show_written(self, path: Path) -> None:
        folder = QUrl.fromLocalFile(str(path.parent))
        self.strip.show_message(
            Message("strip.written", path.name, "action.open_folder", lambda: QDesktopServices.openUrl(folder))
        )

    def _copy_table(self) -> None:
        QGuiApplication.clipboard().setText(self.model.as_text())

    def _copy_chart(self) -> None:
        QGuiApplication.clipboard().setPixmap(self.chart.grab())

    def _remember_cards(self) -> None:
        self.settings.open_cards = self.cards.open_cards()

    def _place_explain(self) -> None:
        """Beside the table, as wide as there is room; a window that becomes narrow closes it until it is asked for."""
        px, width = self.look.px, self.width()
        narrow = width < px(_NARROW_BELOW)
        wide = 400 if width >= px(1600) else 292 if narrow else 330
        self.explain.setFixedWidth(px(wide))
        if narrow != self._narrow:
            self._narrow = narrow
            self.explain.setVisible(not narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panel as wide as there is room."""
        super().resizeEvent(event)
        layout = self.canvas.layout()
        if layout is not None:
            layout.activate()
        self._place_explain()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the explain panel."""
        if event.matches(QKeySequence.StandardKey.Cancel) and not self.explain.isHidden():
            self.show_explain(False)
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files are welcome."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A project is opened, a config.json gives its model, a price sheet or a workbook of ours is shown first."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_path(paths[0])

    def open_path(self, path: Path) -> None:
        """Open a dropped file by its kind."""
        if path.suffix.lower() == ".json":
            self.files.read_model(path)
        elif path.suffix.lower() in WORKBOOKS:
            self.returned.open_or(path, self.prices.import_file)
        elif path.suffix.lower() in SHEETS:
            self.prices.import_file(path)
        elif self.files.may_leave():
            self.files.open(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about changes; then no background work outlives the window."""
        if not self.files.may_leave():
            event.ignore()
            return
        self.settings.geometry = self.saveGeometry()
        self.runner.close()
        event.accept()


def brand_icon(look: Look) -> QIcon:
    """The brand mark as the icon of the window."""
    icon = QIcon()
    for side in (16, 32, 64, 128):
        pixmap = QPixmap(side, side)
        pixmap.fill(look.colour("primary"))
        painter = QPainter(pixmap)
        draw_brand(painter, QRect(0, 0, side, side), look.colour("primary"), look.colour("onprimary"))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
