"""The left column: one card for each group of choices, generated from the scenario's fields."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_app.budget.applicability import applies
from desktop_app.budget.effective import effective
from desktop_app.budget.scenario import is_set, value_of
from desktop_app.foundation.problems import Problem
from desktop_app.window.card import Card
from desktop_app.window.card_summary import summary
from desktop_app.window.field_row import FieldRow, FieldState
from desktop_app.window.form import CARDS, NAMES, FieldSpec, field_specs
from desktop_app.window.look import Look
from desktop_app.window.session import Session

_OPEN_AT_FIRST = ("model", "job", "cluster")  # the others say in their header what is inside


class CardColumn(QScrollArea):
    """All cards, in a column that scrolls."""

    folded = Signal()

    def __init__(self, look: Look, session: Session, open_cards: tuple[str, ...] | None) -> None:
        """`open_cards` are those open last time; None opens the usual ones."""
        super().__init__()
        self._look, self._session = look, session
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(look.px(346 + 10))
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.px(8))
        self.cards: dict[str, Card] = {}
        for key in CARDS:
            specs = tuple(spec for spec in field_specs() if spec.card == key)
            card = Card(look, key, specs, self._state_of, self._differs, self._applies)
            card.edited.connect(session.edit)
            card.faulty.connect(session.fault)
            card.reset_asked.connect(session.reset)
            card.finished.connect(session.finish)
            card.setFixedWidth(look.px(346))  # the scroll bar has its own room, so that nothing moves when it comes
            self.cards[key] = card
            column.addWidget(card)
            card.set_open(key in (_OPEN_AT_FIRST if open_cards is None else open_cards))
            card.folded.connect(self.folded)
        column.addStretch(1)
        self.setWidget(inside)

    def refresh(self) -> None:
        """Bring all cards up to date."""
        self.setAccessibleName(self._look.words("inputs.name"))
        for card in self.cards.values():
            card.refresh(summary(card.key, self._session.budget, self._look.words))

    def reveal(self, key: str) -> FieldRow | None:
        """Open the card of a choice, put the focus into its box and scroll to it."""
        for card in self.cards.values():
            row = card.reveal(key)
            if row is not None:
                card.refresh(card.header.summary)
                row.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
                QTimer.singleShot(0, lambda row=row: self.ensureWidgetVisible(row))  # when its place is known
                return row
        return None

    def row(self, key: str) -> FieldRow:
        """The row of a choice, opened if need be. KeyError when there is none."""
        for card in self.cards.values():
            row = card.reveal(key)
            if row is not None:
                return row
        raise KeyError(key)

    def open_cards(self) -> tuple[str, ...]:
        """The cards that are open now."""
        return tuple(key for key, card in self.cards.items() if card.is_open)

    def _differs(self, spec: FieldSpec) -> bool:
        """Whether a choice was set by hand to something else than its default."""
        scenario = self._session.scenario
        return is_set(scenario, spec.key) and value_of(scenario, spec.key) != spec.default

    def _applies(self, key: str) -> bool:
        return applies(key, self._session.scenario)

    def _state_of(self, key: str) -> FieldState:
        session = self._session
        scenario = session.scenario
        names = NAMES[key](scenario, session.catalogue, self._look.words) if key in NAMES else ()
        own_model = scenario.model.custom_model if key == "model" else None
        return FieldState(
            value=own_model.name if own_model else value_of(scenario, key),
            is_set=own_model is not None or is_set(scenario, key),
            effective=effective(session.budget, key),
            names=names,
            entry=session.entries.get(key),
            notice=next((problem for problem in session.budget.problems if _belongs_to(problem, key)), None),
        )


def _belongs_to(problem: Problem, key: str) -> bool:
    """Whether a problem of the figures stands under the box of `key`: when it is grave or says what to enter."""
    return problem.field == key and (problem.severity == "error" or "lower" in problem.values)
