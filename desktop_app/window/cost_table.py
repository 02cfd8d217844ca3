"""The table of cost lines: a model that is fed with rows, and the delegate that paints share bars and old marks."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_app.foundation.wording import Words
from desktop_app.window import paint
from desktop_app.window.figures import CostRow, SumRow
from desktop_app.window.icons import draw_shape
from desktop_app.window.look import Look
from desktop_app.window.table_head import FlatHead

Index = QModelIndex | QPersistentModelIndex
ITEM, AMOUNT, SHARE, SOURCE, AGE = range(5)
_HEADS = ("head.item", "head.amount_in", "head.share", "head.source", "head.age_days")
_RIGHT = (AMOUNT, SHARE, AGE)
_SHORTEST_ITEM, _SHORTEST_SOURCE = 130, 84
ROW_ROLE = Qt.ItemDataRole.UserRole


class CostModel(QAbstractTableModel):
    """Rows of text; the record behind a row is at ROW_ROLE."""

    def __init__(self) -> None:
        """No rows yet."""
        super().__init__()
        self.rows: tuple[CostRow, ...] = ()
        self._heads: tuple[str, ...] = ("",) * len(_HEADS)

    def set_rows(self, rows: tuple[CostRow, ...], currency: str, words: Words) -> None:
        """Show `rows`. Where only texts change, the selection stays."""
        heads = tuple(words(key, currency=currency) if key == "head.amount_in" else words(key) for key in _HEADS)
        if [row.key for row in rows] != [row.key for row in self.rows]:
            self.beginResetModel()
            self.rows, self._heads = rows, heads
            self.endResetModel()
            return
        self.rows, self._heads = rows, heads
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(_HEADS) - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(_HEADS) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row for each line; none below a cell."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Item, amount, share, source, age."""
        return 0 if parent.isValid() else len(_HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell, its alignment, or the whole record."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.item, row.amount, row.share_text, row.source, row.age)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(paint.RIGHT if index.column() in _RIGHT else paint.LEFT)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._heads[index.column()]}: {self.data(index)}"
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (ITEM, SOURCE):
            return row.item if index.column() == ITEM else row.source_row
        return row if role == ROW_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The heads of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole and 0 <= section < len(self._heads):
            return self._heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(paint.RIGHT if section in _RIGHT else paint.LEFT)
        return None

    def row_of(self, key: str) -> int:
        """The row of a cost line; -1 when there is none."""
        return next((number for number, row in enumerate(self.rows) if row.key == key), -1)

    def as_text(self) -> str:
        """The table for the clipboard: tabs between cells, plain numbers."""
        lines = ["\t".join(self._heads)]
        for row in self.rows:
            number = "" if row.value is None else f"{row.value:.12g}"
            share = "" if row.share is None else f"{row.share:.12g}"
            lines.append("\t".join((row.item, number or row.amount, share, row.source, row.age)))
        return "\n".join(lines)


class CostTable(QTableView):
    """The view. `chosen` names the selected line, `price_wanted` the choice of a price that is missing."""

    chosen = Signal(str)
    price_wanted = Signal(str)

    def __init__(self, look: Look, model: CostModel) -> None:
        """Over `model`."""
        super().__init__()
        self._look, self._model = look, model
        self._items_below: list[str] = []
        self.setModel(model)
        self.setItemDelegate(_Delegate(look, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFont(look.font())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)  # what has no room scrolls
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(look.px(25))
        self.verticalHeader().setMinimumSectionSize(look.px(25))
        head = FlatHead(look, self, lambda column: column in _RIGHT)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalHeader(head)
        self.selectionModel().currentRowChanged.connect(self._selected)
        self.clicked.connect(self._clicked)
        model.headerDataChanged.connect(self.fit_columns)
        look.changed.connect(self.viewport().update)

    def select(self, key: str) -> None:
        """Mark the row of a line, or none."""
        row = self._model.row_of(key)
        if row < 0:
            self.clearSelection()
        elif not self.selectionModel().isRowSelected(row, QModelIndex()):
            self.selectRow(row)

    def leave_room(self, items: list[str]) -> None:
        """The first column also holds `items`, which stand below the table."""
        self._items_below = items
        self.fit_columns()

    def fit_columns(self) -> None:
        """Numbers as wide as their widest value, the source takes the rest."""
        look, rows = self._look, self._model.rows
        bold, small_type = look.metrics("body", semibold=True), look.metrics("small")

        def widest(texts: list[str], extra: float) -> int:
            return max((bold.horizontalAdvance(text) for text in texts), default=0) + look.px(extra)

        heads = [str(self._model.headerData(column, Qt.Orientation.Horizontal)) for column in range(5)]
        small = [small_type.horizontalAdvance(head) + look.px(16) for head in heads]
        widths = {
            ITEM: widest([*(row.item for row in rows), *self._items_below], 18),
            AMOUNT: widest([row.amount for row in rows], 16),
            SHARE: look.px(36 + 8) + widest([row.share_text for row in rows], 16),
            AGE: widest([row.age for row in rows], 38),
        }
        room = self.viewport().width() - sum(max(widths[c], small[c]) for c in (AMOUNT, SHARE, AGE))
        wanted = max((small_type.horizontalAdvance(row.source) for row in rows), default=0) + look.px(24)
        beside = 0 if room < look.px(_SHORTEST_ITEM + _SHORTEST_SOURCE) else min(wanted, room // 2)
        widths[ITEM] = max(look.px(_SHORTEST_ITEM), min(max(widths[ITEM], small[ITEM]), room - beside))
        for column, width in widths.items():
            self.setColumnWidth(column, max(width, small[column]) if column != ITEM else width)
        left = self.viewport().width() - sum(self.columnWidth(column) for column in widths)
        hides = left < look.px(_SHORTEST_SOURCE)  # a stump says nothing; the panel beside tells the source in full
        self.setColumnHidden(SOURCE, hides)
        if hides:
            self.setColumnWidth(AGE, self.columnWidth(AGE) + max(0, left))
        else:
            self.setColumnWidth(SOURCE, left)

    def wanted_height(self) -> int:
        """Header and all rows."""
        return self.horizontalHeader().sizeHint().height() + self._look.px(25) * len(self._model.rows)

    def sizeHint(self) -> QSize:
        """Exactly its rows."""
        return QSize(self._look.px(400), self.wanted_height())

    def minimumSizeHint(self) -> QSize:
        """Header and three rows; the rest scrolls."""
        return QSize(self._look.px(260), self._look.px(27 + 3 * 25))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The source column takes the change."""
        super().resizeEvent(event)
        self.fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy gives the whole table with plain numbers; Enter explains the row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._model.as_text())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._selected(self.currentIndex(), QModelIndex())
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the window closes the panel
        else:
            super().keyPressEvent(event)

    def _selected(self, current: Index, previous: Index) -> None:
        if current.isValid():
            self.chosen.emit(self._model.rows[current.row()].key)

    def _clicked(self, index: Index) -> None:
        row = self._model.rows[index.row()]
        if index.column() == SOURCE and row.price_field:
            self.price_wanted.emit(row.price_field)


class _Delegate(QStyledItemDelegate):
    """Paints a cell: selection, edge, share bar, old mark, link to a missing price."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        look = self._look
        row: CostRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        view = self.parent()
        assert isinstance(view, CostTable)
        selected = view.selectionModel().isRowSelected(index.row(), QModelIndex())
        if selected:
            painter.fillRect(rect, look.colour("accentbg"))
            if index.column() == ITEM:
                painter.fillRect(QRect(rect.left(), rect.top(), look.px(3), rect.height()), look.colour("accent"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), look.colour("line"))
        inner = rect.adjusted(look.px(8), 0, -look.px(8), 0)
        words = str(index.data())
        flags = paint.RIGHT if index.column() in _RIGHT else paint.LEFT
        bold = selected and index.column() in (ITEM, AMOUNT)
        colour = "text"
        if index.column() == AMOUNT and row.value is None:
            colour = "warn"
        elif index.column() == SOURCE:
            colour = "accent" if row.link else "text2"
        elif index.column() in (SHARE, AGE):
            colour = "text2"
        if index.column() == SHARE and row.share is not None:
            self._share_bar(painter, inner, row.share, selected)
        if index.column() == AGE and row.old:
            inner = self._old_mark(painter, inner, words)
        font = look.font("small" if index.column() == SOURCE else "body", semibold=bold)
        paint.text(painter, inner, words, font, look.colour(colour), flags)
        if view.hasFocus() and view.currentIndex().row() == index.row():
            for y in (rect.top(), rect.bottom() - 1):
                painter.fillRect(QRect(rect.left(), y, rect.width(), 2), look.colour("accent"))

    def _share_bar(self, painter: QPainter, inner: QRect, share: float, selected: bool) -> None:
        look = self._look
        track = QRect(inner.left(), inner.center().y() - look.px(3), look.px(36), look.px(6))
        painter.fillRect(track, look.colour("track"))
        filled = QRect(track.left(), track.top(), max(1, round(track.width() * share)), track.height())
        painter.fillRect(filled, look.colour("series_a" if selected else "barsoft"))

    def _old_mark(self, painter: QPainter, inner: QRect, words: str) -> QRect:
        look, side = self._look, self._look.px(14)
        width = look.metrics("body").horizontalAdvance(words)
        mark = QRect(inner.right() - width - side - look.px(6), inner.center().y() - side // 2, side, side)
        draw_shape(painter, "tight", mark, look.colour("warn"), look.colour("surface"))
        return inner


class SumRows(QWidget):
    """The panel's own last rows, always in sight: total, contingency, amount to approve."""

    def __init__(self, look: Look, table: CostTable) -> None:
        """Under `table`, in its columns."""
        super().__init__()
        self._look, self._table = look, table
        self._rows: tuple[SumRow, ...] = ()
        look.changed.connect(self.update)
        table.horizontalHeader().sectionResized.connect(lambda *_: self.update())

    def show_rows(self, rows: tuple[SumRow, ...]) -> None:
        """Show `rows`."""
        self._rows = rows
        self._table.leave_room([row.item for row in rows])
        self.setFixedHeight(self._look.px(27) * len(rows) + self._look.px(4))
        self.setAccessibleName("; ".join(f"{row.item} {row.amount} {row.note}".strip() for row in rows))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line of text colour above, then the rows."""
        look, painter, table = self._look, QPainter(self), self._table
        painter.fillRect(QRect(0, 0, self.width(), 1), look.colour("text"))
        height = look.px(27)
        end_of_amount = table.columnWidth(ITEM) + table.columnWidth(AMOUNT) - look.px(8)
        share = 0 if table.isColumnHidden(SOURCE) else table.columnWidth(SHARE)  # a note needs the room
        source = end_of_amount + look.px(8) + share + look.px(8)
        for number, row in enumerate(self._rows):
            top = number * height + look.px(2)
            font = look.font("body", semibold=row.strong)
            amount_width = look.metrics("body", semibold=row.strong).horizontalAdvance(row.amount)
            item = QRect(look.px(8), top, end_of_amount - amount_width - look.px(20), height)
            paint.text(painter, item, row.item, font, look.colour("text"))
            amount = QRect(0, top, end_of_amount, height)
            paint.text(painter, amount, row.amount, font, look.colour("text"), paint.RIGHT)
            note = QRect(source, top, self.width() - source - look.px(8), height)
            paint.text(painter, note, row.note, look.font("small"), look.colour("warn"))
