"""The boxes of the preview of a price sheet: which column holds what, and what the sheet leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.cli.arguments import day_of
from desktop_app.cli.sheet_reading import Rate, Reading, rate_of
from desktop_app.window.choice_box import ChoiceBox, SearchBox
from desktop_app.window.dialog_parts import LabelledGrid, text_box
from desktop_app.window.form import Option, option_words, seller_name
from desktop_app.window.look import Look
from desktop_app.window.number_edit import NumberEdit
from pricing.catalogue import Catalogue
from pricing.importers.context import Options
from pricing.importers.header import FIELDS
from pricing.records import PurchaseCode

_QUESTIONS = {  # what the importer says, and the box that answers it
    "provider_not_stated": "provider",
    "currency_not_stated": "currency",
    "price_unit_not_stated": "price_per",
    "purchase_assumed": "purchase",
    "no_date": "as_of",
    "unknown_currency": "rate",
}
_CLOUD = "problem.import_cloud_not_stated"


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person said of a sheet so far."""

    sheet: str | None = None
    mapping: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    rate_currency: str = ""

    def after(self, reading: Reading) -> Answers:
        """With the questions of a reading: a box that stands once stays, so that an answer can be changed."""
        reasons = []
        if reading.preview is not None:
            reasons = [finding.reason for finding in reading.preview.findings]
        elif reading.problem is not None and reading.problem.key == _CLOUD:
            reasons = ["provider_not_stated"]
        asked = [box for reason, box in _QUESTIONS.items() if reason in reasons or box in self.asked]
        unknown = (
            next((f for f in reading.preview.findings if f.reason == "unknown_currency"), None)
            if reading.preview
            else None
        )
        currency = str(unknown.values["currency"]) if unknown is not None else self.rate_currency
        return replace(self, asked=tuple(asked), rate_currency=currency)

    def with_column(self, name: str, column: str | None) -> Answers:
        """With a field in another column, in none (""), or again where its name says (None)."""
        others = {key: value for key, value in self.mapping.items() if key != name}
        return replace(self, mapping=others if column is None else {**others, name: column})

    def with_answer(self, box: str, text: str) -> Answers:
        """With one question answered; "" takes the answer back."""
        others = {key: value for key, value in self.said.items() if key != box}
        return replace(self, said={**others, box: text} if text else others)

    def options(self, path: Path, today: date) -> Options:
        """As the importer takes them. Raises UserError for a day that is none."""
        stated = day_of("--date", self.said.get("as_of"))
        per: Any = self.said.get("price_per")
        return Options(
            today=today,
            provider=self.said.get("provider"),
            folder=path.resolve().parent.name,
            sheet=self.sheet,
            mapping=self.mapping,
            currency=self.said.get("currency") or (self.rate_currency if "rate" in self.said else None),
            purchase=self.said.get("purchase"),
            price_per=per,
            as_of=stated.isoformat() if stated else None,
        )

    def rate(self, today: date) -> Rate | None:
        """The rate that was stated. Raises UserError."""
        text = self.said.get("rate")
        return rate_of("--fx-rate", text, today.isoformat()) if text else None


class MappingForm(LabelledGrid):
    """Which column holds which field. `changed` carries the field and its column, None for "as the names say"."""

    changed = Signal(str, object)

    def __init__(self, look: Look) -> None:
        """Empty."""
        super().__init__(look, 3)
        self._words = look.words
        self.boxes: dict[str, ChoiceBox] = {}
        for name in FIELDS:
            box = ChoiceBox(look)
            words = self._words(f"column.{name}")
            self.add(words, box, self._words("preview.column_of", field=words))
            box.chosen.connect(lambda column, name=name: self._choose(name, column))
            self.boxes[name] = box
        self._found: dict[str, str] = {}

    def show_columns(self, columns: Sequence[str], found: dict[str, str], stated: dict[str, str]) -> None:
        """The columns to choose from, which of them were `found` by their names, and which were `stated`."""
        self._found = found
        for name, box in self.boxes.items():
            standing = stated.get(name) if name in stated else found.get(name, "")
            several = (standing,) if standing and standing not in columns else ()
            options: list[Option] = [("", self._words("preview.no_column"))]
            options += [(column, column) for column in (*several, *columns)]
            box.set_options(options, standing)

    def _choose(self, name: str, column: str) -> None:
        self.changed.emit(name, column)


class QuestionForm(LabelledGrid):
    """What the sheet leaves open; a box stands only where it was asked for. `answered` carries the box and its text."""

    answered = Signal(str, str)

    def __init__(self, look: Look, catalogue: Catalogue) -> None:
        """Without a question yet."""
        super().__init__(look, 3)
        self._look_of, self._catalogue = look, catalogue
        self._asked: tuple[str, ...] = ()
        self.boxes: dict[str, QWidget] = {}
        self.hide()

    def ask(self, answers: Answers) -> None:
        """Show the boxes of the questions, with the answers so far."""
        if answers.asked != self._asked:
            self._asked = answers.asked
            self.clear()
            self.boxes = {name: self._made(name, answers) for name in answers.asked}
        self.setVisible(bool(self._asked))

    def _made(self, name: str, answers: Answers) -> QWidget:
        words, said = self._look_of.words, answers.said.get(name, "")
        box: QWidget
        if name == "provider":
            box = self._sellers(said)
        elif name in ("currency", "purchase", "price_per"):
            box = self._choices(name, said)
        else:
            box = self._line(name, said)
        self.add(words(f"preview.ask_{name}", currency=answers.rate_currency), box)
        return box

    def _sellers(self, said: str) -> QWidget:
        box = SearchBox(self._look_of, "provider")
        options = [(code, seller_name(code)) for code in self._catalogue.providers()]
        box.set_options(sorted(options, key=lambda option: option[1].casefold()), said or None)
        box.chosen.connect(lambda code: self.answered.emit("provider", code))
        box.typed.connect(lambda text: self.answered.emit("provider", text))
        return box

    def _choices(self, name: str, said: str) -> QWidget:
        words, box = self._look_of.words, ChoiceBox(self._look_of)
        names: tuple[str, ...] = ("gpu", "instance")
        if name == "currency":
            names = tuple(sorted({"USD", *self._catalogue.fx_rows}))
        elif name == "purchase":
            names = get_args(PurchaseCode)
        told = {"purchase": [option_words("purchase", code, words) for code in names], "currency": list(names)}
        texts = told[name] if name in told else [words(f"preview.per_{code}") for code in names]
        open_words = words("preview.as_assumed" if name == "purchase" else "preview.not_answered")
        box.set_options([("", open_words), *zip(names, texts, strict=True)], said)
        box.chosen.connect(lambda code: self.answered.emit(name, code))
        return box

    def _line(self, name: str, said: str) -> QWidget:
        box: QLineEdit
        if name == "rate":
            box = NumberEdit(self._look_of)
        else:
            box = text_box(self._look_of, "YYYY-MM-DD")
        box.setText(said)
        box.editingFinished.connect(lambda: self.answered.emit(name, box.text().strip()))
        return box
