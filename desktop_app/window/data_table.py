"""A table of records for dialogs: sortable by its heads, unknown values last, copied with plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop_app.window import paint
from desktop_app.window.icons import draw_icon
from desktop_app.window.look import Look
from desktop_app.window.table_head import FlatHead

Index = QModelIndex | QPersistentModelIndex
RECORD_ROLE = Qt.ItemDataRole.UserRole

_MOST_SORTED = 20_000  # a longer table is read in the order of its file
_MEASURED = 400  # rows that widths are taken from
_ASCENDING = Qt.SortOrder.AscendingOrder


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head with the unit, whether it holds numbers, and whether it takes what room is left.

    `most` is a length of the design that it is not wider than; 0 is "as wide as its words".
    """

    head: str
    right: bool = False
    stretch: bool = False
    most: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, what it is sorted and copied by where that is a number, its colour by token, and a tooltip."""

    text: str
    value: float | None = None
    tone: str = "text"
    tip: str = ""
    number: bool = False  # without a value it is unknown, and stands last


class DataModel(QAbstractTableModel):
    """Records, of which the cells are made when they are looked at."""

    def __init__(self) -> None:
        """Nothing yet."""
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.records: list[Any] = []
        self.marked: Callable[[Any], bool] = lambda record: False
        self._given: tuple[Any, ...] = ()
        self._cells: Callable[[Any], tuple[Cell, ...]] = lambda record: ()
        self._made: dict[int, tuple[Cell, ...]] = {}

    def show(
        self,
        columns: Sequence[Column],
        records: Sequence[Any],
        cells: Callable[[Any], tuple[Cell, ...]],
        marked: Callable[[Any], bool] = lambda record: False,
    ) -> None:
        """Show `records`, of which `cells` makes a row; the `marked` one stands out."""
        self.beginResetModel()
        self.columns, self._given, self.records = tuple(columns), tuple(records), list(records)
        self._cells, self.marked, self._made = cells, marked, {}
        self.endResetModel()

    def cells(self, row: int) -> tuple[Cell, ...]:
        """The cells of a row."""
        record = self.records[row]
        if id(record) not in self._made:
            self._made[id(record)] = self._cells(record)
        return self._made[id(record)]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One row for each record."""
        return 0 if parent.isValid() else len(self.records)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """As given."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell, its tooltip, or the record behind the row."""
        if not index.isValid():
            return None
        if role == RECORD_ROLE:
            return self.records[index.row()]
        cell, column = self.cells(index.row())[index.column()], self.columns[index.column()]
        told: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: cell.text,
            Qt.ItemDataRole.ToolTipRole: cell.tip or cell.text,
            Qt.ItemDataRole.AccessibleTextRole: f"{column.head}: {cell.text}",
            Qt.ItemDataRole.TextAlignmentRole: int(paint.RIGHT if column.right else paint.LEFT),
        }
        return told.get(role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The heads of the columns."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.columns[section].head
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(paint.RIGHT if self.columns[section].right else paint.LEFT)
        return None

    def sort(self, column: int, order: Qt.SortOrder = _ASCENDING) -> None:
        """By a column; below no column as given. What is not known stands last in both directions."""
        if len(self.records) > _MOST_SORTED:
            return
        self.beginResetModel()
        self.records = list(self._given)
        if 0 <= column < len(self.columns):
            of = {id(record): self._made.setdefault(id(record), self._cells(record))[column] for record in self._given}
            known = [record for record in self._given if not _is_unknown(of[id(record)])]
            unknown = [record for record in self._given if _is_unknown(of[id(record)])]
            known.sort(key=lambda record: _sort_key(of[id(record)]), reverse=order != _ASCENDING)
            self.records = known + unknown
        self.endResetModel()

    def as_text(self) -> str:
        """The table for the clipboard: tabs between cells, plain numbers."""
        lines = ["\t".join(column.head for column in self.columns)]
        lines += ["\t".join(map(_copied, self.cells(row))) for row in range(len(self.records))]
        return "\n".join(lines)


def _is_unknown(cell: Cell) -> bool:
    return cell.number and cell.value is None


def _sort_key(cell: Cell) -> tuple[float, str]:
    return (0.0 if cell.value is None else cell.value, cell.text.casefold())


def _copied(cell: Cell) -> str:
    return " ".join(cell.text.split()) if cell.value is None else f"{cell.value:.12g}"


class DataTable(QTableView):
    """The view. `used` carries the record of a row that was double-clicked or entered, `looked_at` the selected one."""

    used = Signal(object)
    looked_at = Signal(object)

    def __init__(self, look: Look) -> None:
        """Empty."""
        super().__init__()
        self._look, self.rows = look, DataModel()
        self._empty = ""
        self.setModel(self.rows)
        self.setItemDelegate(_Delegate(look, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setAcceptDrops(False)
        self.setFont(look.font())
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(look.px(25))
        self.verticalHeader().setMinimumSectionSize(look.px(25))
        self.setHorizontalHeader(_Head(look, self))
        self.horizontalHeader().setSortIndicator(-1, _ASCENDING)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._look_at)
        self.doubleClicked.connect(self._use)
        look.changed.connect(self.viewport().update)

    def show_rows(
        self,
        columns: Sequence[Column],
        records: Sequence[Any],
        cells: Callable[[Any], tuple[Cell, ...]],
        marked: Callable[[Any], bool] = lambda record: False,
        empty: str = "",
    ) -> None:
        """Show `records` in the order that the heads say; `empty` is said where there are none."""
        self._empty = empty
        self.rows.show(columns, records, cells, marked)
        head = self.horizontalHeader()
        self.rows.sort(head.sortIndicatorSection(), head.sortIndicatorOrder())
        self.fit_columns()
        self.viewport().update()

    def sort_by(self, column: int) -> None:
        """Order by a column, the smallest first, as a click on its head does."""
        self.sortByColumn(column, _ASCENDING)

    def current(self) -> Any:
        """The record of the selected row; None where no row is selected."""
        index = self.currentIndex()
        return self.rows.records[index.row()] if index.isValid() else None

    def select(self, wanted: Callable[[Any], bool]) -> None:
        """Select the first row that is wanted."""
        row = next((row for row, record in enumerate(self.rows.records) if wanted(record)), -1)
        if row >= 0:
            self.selectRow(row)
            self.scrollTo(self.rows.index(row, 0))

    def fit_columns(self) -> None:
        """Each column as wide as its words; the one that stretches takes what is left."""
        look, rows = self._look, self.rows
        body, small, bold = look.metrics("body"), look.metrics("small"), look.metrics("body", semibold=True)
        shown = [rows.cells(row) for row in range(min(len(rows.records), _MEASURED))]
        marked = any(map(rows.marked, rows.records[:_MEASURED]))
        metrics = bold if marked else body
        widths = []
        for place, column in enumerate(rows.columns):
            words = max((metrics.horizontalAdvance(cells[place].text) for cells in shown), default=0)
            head = small.horizontalAdvance(column.head) + look.px(14)
            wanted = max(words, head) + look.px(16)
            widths.append(min(wanted, look.px(column.most)) if column.most else wanted)
        wide = [place for place, column in enumerate(rows.columns) if column.stretch]
        if wide:
            room = self.viewport().width() - sum(width for place, width in enumerate(widths) if place not in wide)
            for place in wide:
                share = room // len(wide)
                widths[place] = max(min(widths[place], look.px(140)), share)
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width)

    def sizeHint(self) -> QSize:
        """Head and eight rows."""
        return QSize(self._look.px(600), self._look.px(27 + 8 * 25))

    def minimumSizeHint(self) -> QSize:
        """Head and two rows; the rest scrolls."""
        return QSize(self._look.px(260), self._look.px(27 + 2 * 25))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The stretching column takes the change."""
        super().resizeEvent(event)
        self.fit_columns()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows, or what is said where there are none."""
        super().paintEvent(event)
        if not self.rows.records and self._empty:
            rect = self.viewport().rect().adjusted(self._look.px(8), self._look.px(6), -self._look.px(8), 0)
            painter = QPainter(self.viewport())
            paint.wrapped(painter, rect, self._empty, self._look.font(), self._look.colour("text3"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy gives the whole table with plain numbers; Enter uses the row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._use(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """The whole table to the clipboard."""
        QGuiApplication.clipboard().setText(self.rows.as_text())

    def _use(self, index: Index) -> None:
        self.used.emit(self.rows.records[index.row()])

    def _look_at(self, current: Index, previous: Index) -> None:
        self.looked_at.emit(self.rows.records[current.row()] if current.isValid() else None)


class _Head(FlatHead):
    """Heads that are clicked to sort; an arrow stands where the table is sorted by one."""

    def __init__(self, look: Look, view: DataTable) -> None:
        super().__init__(look, view, lambda column: view.rows.columns[column].right)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def paint_mark(self, painter: QPainter, inner: QRect, section: int, words: str, right: bool) -> None:
        """The arrow, on the free side of the words."""
        if self.sortIndicatorSection() != section:
            return
        look = self.look
        side, width = look.px(12), look.metrics("small").horizontalAdvance(words)
        left = inner.right() - width - side if right else inner.left() + width + look.px(2)
        arrow = QRect(left, inner.center().y() - side // 2, side, side)
        up = self.sortIndicatorOrder() == _ASCENDING
        draw_icon(painter, "up" if up else "down", arrow, look.colour("text2"))


class _Delegate(QStyledItemDelegate):
    """Paints a cell: selection, edge of the marked row, hairline."""

    def __init__(self, look: Look, view: DataTable) -> None:
        super().__init__(view)
        self._look, self._view = look, view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        look, view, rect = self._look, self._view, QRect(option.rect)
        cell = view.rows.cells(index.row())[index.column()]
        marked = view.rows.marked(view.rows.records[index.row()])
        if view.selectionModel().isRowSelected(index.row(), QModelIndex()):
            painter.fillRect(rect, look.colour("accentbg"))
        if marked and index.column() == 0:
            painter.fillRect(QRect(rect.left(), rect.top(), look.px(3), rect.height()), look.colour("accent"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), look.colour("line"))
        inner = rect.adjusted(look.px(8), 0, -look.px(8), 0)
        flags = paint.RIGHT if view.rows.columns[index.column()].right else paint.LEFT
        paint.text(painter, inner, cell.text, look.font("body", semibold=marked), look.colour(cell.tone), flags)
        if view.hasFocus() and view.currentIndex().row() == index.row():
            for y in (rect.top(), rect.bottom() - 1):
                painter.fillRect(QRect(rect.left(), y, rect.width(), 2), look.colour("accent"))
