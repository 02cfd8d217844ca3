"""The price book on screen: prices, discounts and credits of the user's own, added and removed. Saved at once."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from desktop_app.budget.price_book_file import book_path
from desktop_app.foundation.files import path_text
from desktop_app.foundation.problems import UserError
from desktop_app.window import price_rows
from desktop_app.window.book_forms import CreditForm, DiscountForm
from desktop_app.window.data_table import DataTable
from desktop_app.window.dialog_parts import HouseDialog
from desktop_app.window.dialogs import Dialogs
from desktop_app.window.labels import ElidedLabel
from desktop_app.window.look import Look
from desktop_app.window.session import Session
from pricing.price_book import Entry, PriceBook, id_of, without

_TABS = ("prices", "discounts", "credits")

_Form: TypeAlias = DiscountForm | CreditForm


class BookDialog(HouseDialog):
    """Shows a book; `wanted` carries the change that a person asks for, a function from a book to a book."""

    wanted = Signal(object)

    def __init__(self, look: Look, parent: QWidget, dialogs: Dialogs, session: Session, book: PriceBook) -> None:
        """On the first tab that has entries."""
        super().__init__(look, parent, look.words("title.book"), 1040, 560)
        self._dialogs, self._today = dialogs, date.today()
        self.tables = {name: DataTable(look) for name in _TABS}
        self.forms: dict[str, _Form] = {
            "discounts": DiscountForm(look, session.catalogue),
            "credits": CreditForm(look, session.catalogue),
        }
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for name, table in self.tables.items():
            table.setAccessibleName(look.words(f"book.{name}_name"))
            self.tabs.addTab(self._page(table, self.forms.get(name)), "")
            table.looked_at.connect(self._look_at)
        for form in self.forms.values():
            form.add_button.clicked.connect(lambda checked=False, form=form: self._add(form))
        self.place = ElidedLabel(look, "small", "text3")
        self.place.set_text(look.words("book.file", files=path_text(book_path())))
        self.copy, self.close_button = self.button("action.copy_table"), self.button("action.close", primary=True)
        self.remove = self.button("action.remove")
        self.remove.clicked.connect(self._remove)
        self.copy.clicked.connect(lambda: self._table().copy())
        self.close_button.clicked.connect(self.reject)
        self.tabs.currentChanged.connect(self._look_at)
        self.column.addWidget(self.tabs, 1)
        self.column.addWidget(self.place)
        self.add_foot(self.remove, self.copy, None, self.close_button)
        self.show_book(book)
        full = next((place for place, name in enumerate(_TABS) if self.tables[name].rows.records), 0)
        self.tabs.setCurrentIndex(full)

    def _page(self, table: DataTable, form: _Form | None) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.look.px(8))
        column.addWidget(table, 1)
        if form is not None:
            row = QHBoxLayout()
            row.addWidget(form, 1)
            row.addWidget(form.add_button, 0, Qt.AlignmentFlag.AlignBottom)
            column.addLayout(row)
        return page

    def show_book(self, book: PriceBook) -> None:
        """Show `book` as it stands now."""
        words, today = self.look.words, self._today
        rows: dict[str, tuple[Any, Any, Any]] = {
            "prices": (price_rows.price_columns, book.prices, price_rows.price_cells),
            "discounts": (price_rows.discount_columns, book.discounts, price_rows.discount_cells),
            "credits": (price_rows.credit_columns, book.credits, price_rows.credit_cells),
        }
        for place, (name, (columns, entries, cells)) in enumerate(rows.items()):
            self.tables[name].show_rows(
                columns(words),
                entries,
                partial(cells, today=today, words=words),
                empty=words(f"book.no_{name}"),
            )
            self.tabs.setTabText(place, words(f"book.tab_{name}", count=len(entries)))
        self.release()

    def release(self) -> None:
        """The change is done or refused: the next may follow."""
        self.unsetCursor()
        for form in self.forms.values():
            form.setEnabled(True)
            form.add_button.setEnabled(True)
        self._look_at()

    def _table(self) -> DataTable:
        return self.tables[_TABS[self.tabs.currentIndex()]]

    def _look_at(self, entry: object = None) -> None:
        self.remove.setEnabled(self._table().current() is not None)

    def _add(self, form: _Form) -> None:
        """Add what a form states; what is not clear is told, and stays in its box."""
        words = self.look.words
        try:
            edit = form.edit(self._today, words)
        except UserError as error:
            self._dialogs.tell(words, "\n".join(words.sentence(problem) for problem in error.problems))
            form.point_at(error.problems[0])
            return
        form.empty()
        self._want(edit)

    def _remove(self) -> None:
        entry: Entry | None = self._table().current()
        words = self.look.words
        if entry is None:
            return
        told = [cell.text for cell in self._table().rows.cells(self._table().currentIndex().row())]
        question = words("book.ask_remove", name=words("list.comma").join(told[:-1]))
        if self._dialogs.confirm(words, question, words("action.remove")):
            entry_id = id_of(entry)
            self._want(lambda book: without(book, entry_id) or book)

    def _want(self, edit: object) -> None:
        self.setCursor(Qt.CursorShape.BusyCursor)
        self.remove.setEnabled(False)
        for form in self.forms.values():
            form.add_button.setEnabled(False)
        self.wanted.emit(edit)
