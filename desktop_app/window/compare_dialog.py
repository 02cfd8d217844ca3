"""The job in hand bought in every way and in every place: two tables, cheapest first, and a row can be taken over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from desktop_app.budget.elsewhere import Offer, offers_elsewhere, placed
from desktop_app.budget.purchases import PurchaseOption, bought, purchase_options
from desktop_app.budget.scenario import Scenario
from desktop_app.foundation.problems import UserError
from desktop_app.window import compare_rows
from desktop_app.window.background import BackgroundRunner
from desktop_app.window.data_table import DataTable
from desktop_app.window.dialog_parts import HouseDialog
from desktop_app.window.form import option_words
from desktop_app.window.labels import TextLabel
from desktop_app.window.look import Look
from desktop_app.window.session import Session, Step

_NOTE_LINES = 4


class CompareDialog(HouseDialog):
    """Two tabs. What is used becomes the scenario's choice as one step, and the tables follow."""

    def __init__(
        self,
        look: Look,
        parent: QWidget,
        session: Session,
        runner: BackgroundRunner,
        tell: Callable[[Exception], None],
    ) -> None:
        """Begin to compute for the scenario of `session`."""
        super().__init__(look, parent, look.words("title.compare"), 1210, 600)
        self._session, self._runner, self._tell = session, runner, tell
        self.purchases, self.places = DataTable(look), DataTable(look)
        self.notes: dict[DataTable, TextLabel] = {}
        self.head = TextLabel(look, "body", "text2", wrap=True)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._page(self.purchases, compare_rows.purchase_notes), look.words("compare.purchases"))
        self.tabs.addTab(self._page(self.places, compare_rows.place_notes), look.words("compare.places"))
        self.purchases.setAccessibleName(look.words("compare.purchases"))
        self.places.setAccessibleName(look.words("compare.places"))
        self.purchases.used.connect(self._use_purchase)
        self.places.used.connect(self._use_place)
        self.use, self.copy = self.button("action.use_this", primary=True), self.button("action.copy_table")
        self.close_button = self.button("action.close")
        self.use.clicked.connect(lambda: self._table().used.emit(self._table().current()))
        self.copy.clicked.connect(lambda: self._table().copy())
        self.close_button.clicked.connect(self.reject)
        self.tabs.currentChanged.connect(self._allow)
        self.column.addWidget(self.head)
        self.column.addWidget(self.tabs, 1)
        self.add_foot(self.copy, None, self.close_button, self.use)
        self.purchases.horizontalHeader().setSortIndicator(
            -1, Qt.SortOrder.AscendingOrder
        )  # as they come: complete first
        self.places.horizontalHeader().setSortIndicator(compare_rows.PLACE_COST, Qt.SortOrder.AscendingOrder)
        session.changed.connect(self.compute)
        self._allow()
        self.compute()

    def _page(self, table: DataTable, notes: Callable[[Any, Any], str]) -> QWidget:
        look, page = self.look, QWidget()
        label = TextLabel(look, "small", "text2", wrap=True)
        label.setMinimumHeight(_NOTE_LINES * look.metrics("small").height())
        label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.notes[table] = label
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.px(6))
        column.addWidget(table, 1)
        column.addWidget(label)

        def tell(record: Any) -> None:
            label.setText("" if record is None else notes(record, look.words))
            self._allow()

        table.looked_at.connect(tell)
        return page

    def compute(self) -> None:
        """Compute both tables beside the window."""
        if not self.is_open:
            return
        budget, catalogue = self._session.budget, self._session.catalogue
        self._runner.run(
            "compare",
            lambda: (purchase_options(budget, catalogue), offers_elsewhere(budget, catalogue)),
            self._show,
            self._fail,
        )

    def _show(self, found: tuple[tuple[PurchaseOption, ...], tuple[Offer, ...]]) -> None:
        if not self.is_open:
            return
        words, price = self.look.words, self._session.scenario.price
        options, offers = found
        purchase = option_words("purchase", price.purchase, words)
        gpu = self._session.budget.estimate.cluster.gpu.name
        self.head.setText(words("compare.head", gpu=gpu, purchase=purchase))
        self.purchases.show_rows(
            compare_rows.purchase_columns(words),
            options,
            lambda option: compare_rows.purchase_cells(option, words),
            lambda option: option.purchase == price.purchase,
        )
        self.places.show_rows(
            compare_rows.place_columns(words),
            offers,
            lambda offer: compare_rows.place_cells(offer, words),
            lambda offer: offer.here,
            empty=words("compare.no_places"),
        )
        self.purchases.select(lambda option: option.purchase == price.purchase)
        self.places.select(lambda offer: offer.here)
        self._allow()

    def _fail(self, error: Exception) -> None:
        if self.is_open:
            self.reject()
            self._tell(error)

    def _table(self) -> DataTable:
        return self.purchases if self.tabs.currentIndex() == 0 else self.places

    def _allow(self, place: int = 0) -> None:
        """What is chosen already need not be chosen."""
        table = self._table()
        record = table.current()
        self.use.setEnabled(record is not None and not table.rows.marked(record))

    def _use_purchase(self, option: PurchaseOption) -> None:
        self._take(Step("set", "purchase"), lambda scenario: bought(scenario, option.purchase))

    def _use_place(self, offer: Offer) -> None:
        if not offer.here:
            self._take(Step("place", "region"), lambda scenario: placed(scenario, offer.provider, offer.region))

    def _take(self, step: Step, change: Callable[[Scenario], Scenario]) -> None:
        try:
            self._session.replace(step, change(self._session.scenario))
        except UserError as error:
            self._tell(error)
