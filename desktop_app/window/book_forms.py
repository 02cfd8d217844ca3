"""The boxes by which a discount or a credit is added to the price book."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, get_args

from PySide6.QtWidgets import QLineEdit

from desktop_app.budget.price_book_change import Edit
from desktop_app.cli.booking import percent_of, terms_of, usd_of
from desktop_app.estimation.gpus import gpu_names
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.wording import Words
from desktop_app.window.buttons import PushButton
from desktop_app.window.choice_box import ChoiceBox
from desktop_app.window.dialog_parts import LabelledGrid, text_box
from desktop_app.window.form import Option, option_words, seller_name
from desktop_app.window.look import Look
from desktop_app.window.number_edit import NumberEdit
from pricing.catalogue import Catalogue
from pricing.price_book import Credit, Discount, with_credit, with_discount
from pricing.records import PurchaseCode

_USUAL_SELLER = "aws"


class EntryForm(LabelledGrid):
    """The boxes of one kind of entry. The button that adds it stands beside the form."""

    def __init__(self, look: Look, pairs: int, action: str) -> None:
        """`action` names the words of the button."""
        super().__init__(look, pairs)
        self._look_of = look
        self.source, self.until = text_box(look), text_box(look, "YYYY-MM-DD")
        self.amount = NumberEdit(look)
        self.add_button = self._button(look, action)
        self._values: dict[str, Any] = {}

    def _button(self, look: Look, action: str) -> PushButton:
        button = PushButton(look, None)
        button.set_words(look.words(action))
        return button

    def empty(self) -> None:
        """Ready for the next entry: what is special to this one is gone."""
        self.amount.clear()
        self.source.clear()

    def point_at(self, problem: Problem) -> None:
        """The focus goes into the box that a problem speaks of."""
        box: QLineEdit = self.until if problem.field == "--valid-until" else self.amount
        box.setFocus()
        box.selectAll()

    def terms(self, today: date, words: Words) -> dict[str, Any]:
        """Where it is agreed, since when, until when. Raises UserError."""
        return terms_of(self.source.text(), self.until.text().strip(), today, words)

    def add_choice(
        self, name: str, options: list[Option], value: object, chosen: Callable[[Any], None] | None = None
    ) -> ChoiceBox:
        """A box for one of several, whose value is kept under `name`."""
        box = ChoiceBox(self._look_of)
        box.set_options(options, value)
        self._values[name] = value
        box.chosen.connect(lambda code: self._values.update({name: code}))
        if chosen is not None:
            box.chosen.connect(chosen)
        self.add(self._look_of.words(f"field.{name}"), box)
        return box


def _sellers(catalogue: Catalogue) -> list[Option]:
    options = [(code, seller_name(code)) for code in catalogue.providers()]
    return sorted(options, key=lambda option: option[1].casefold())


class DiscountForm(EntryForm):
    """A discount: off whose prices, on what, how much, where it is agreed, until when."""

    def __init__(self, look: Look, catalogue: Catalogue) -> None:
        """With the sellers, GPUs and regions of `catalogue`."""
        super().__init__(look, 4, "action.add_discount")
        words, self._catalogue = look.words, catalogue
        everything: Option = (None, words("book.any"))
        self.provider = self.add_choice("provider", _sellers(catalogue), _USUAL_SELLER, self._fill_regions)
        self.gpu = self.add_choice("gpu", [everything, *((name, name) for name in gpu_names())], None)
        self.region = self.add_choice("region", [everything], None)
        purchases = [everything, *((code, option_words("purchase", code, words)) for code in get_args(PurchaseCode))]
        self.purchase = self.add_choice("purchase", purchases, None)
        self.amount.set_unit("%")
        self.add(words("head.discount"), self.amount)
        self.add(words("head.agreed"), self.source)
        self.add(words("head.valid_until"), self.until)
        self._fill_regions(_USUAL_SELLER)

    def _fill_regions(self, provider: str) -> None:
        """Another seller has other regions."""
        words = self._look_of.words
        names = [(region, region) for region in self._catalogue.regions(provider)]
        self.region.set_options([(None, words("book.any")), *names], None)
        self._values["region"] = None

    def edit(self, today: date, words: Words) -> Edit:
        """The book with this discount."""
        text = self.amount.text().strip()
        percent = percent_of(text if text.endswith(("%", "％")) else f"{text}%")
        discount = Discount(percent=percent, **self._values, **self.terms(today, words))
        return lambda book: with_discount(book, discount)[0]


class CreditForm(EntryForm):
    """A credit: of whom, how much, where it is agreed, until when."""

    def __init__(self, look: Look, catalogue: Catalogue) -> None:
        """With the sellers of `catalogue`, or any."""
        super().__init__(look, 4, "action.add_credit")
        words = look.words
        self.provider = self.add_choice("provider", [(None, words("book.any_provider")), *_sellers(catalogue)], None)
        self.amount.set_unit("USD")
        self.add(words("head.amount"), self.amount)
        self.add(words("head.agreed"), self.source)
        self.add(words("head.valid_until"), self.until)

    def edit(self, today: date, words: Words) -> Edit:
        """The book with this credit."""
        credit = Credit(amount_usd=usd_of(self.amount.text().strip()), **self._values, **self.terms(today, words))
        return lambda book: with_credit(book, credit)[0]
