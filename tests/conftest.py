"""Every test begins without prices and a profile of the user's own, whatever stands in the settings of its owner."""

from __future__ import annotations

import pytest

from desktop_app.budget.dossier import organisation_file
from desktop_app.budget.price_book_file import PLACE_VARIABLE


@pytest.fixture(autouse=True)
def no_price_book(tmp_path_factory, monkeypatch):
    """The path of a price book that does not exist yet; processes that a test starts look there too."""
    path = tmp_path_factory.mktemp("settings") / "prices.json"
    monkeypatch.setenv(PLACE_VARIABLE, str(path))
    return path


@pytest.fixture(autouse=True)
def no_organisation(tmp_path_factory, monkeypatch):
    """The path of a profile that does not exist yet."""
    path = tmp_path_factory.mktemp("profile") / "organisation.json"
    monkeypatch.setenv(organisation_file.PLACE_VARIABLE, str(path))
    return path
