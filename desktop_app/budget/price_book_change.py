"""A change of the price book as one step: read, changed, tried on the scenario in hand, written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from desktop_app.budget.budget import make_budget
from desktop_app.budget.price_book_file import catalogue_on, load_book, save_book
from desktop_app.budget.scenario import Scenario
from pricing.catalogue import Catalogue, load_catalogue
from pricing.price_book import PriceBook

Edit = Callable[[PriceBook], PriceBook]


def change_book(edit: Edit, scenario: Scenario, today: date) -> tuple[PriceBook, Catalogue]:
    """The book after `edit`, as it is stored now, and the prices with it.

    Raises UserError, and the old book stands, when it cannot be read or written, or when `scenario` cannot be computed
    without what is taken out: its seller may be one that only the book knows.
    """
    book = edit(load_book())
    make_budget(scenario, load_catalogue().with_book(book, today))
    save_book(book)
    return book, catalogue_on(today)
