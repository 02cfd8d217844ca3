"""The bar for model families without a line of their own."""

from pathlib import Path
from statistics import median

import pytest
from unseen_family import errors, ninth_decile, no_family_known

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "validation"


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the reference data is not beside the project")
def test_an_unseen_family_is_off_by_less_than_three_per_cent() -> None:
    """107 tracked steps of 19 families, each without its line: 0.6 % at the ninth decile (the bar was 7 %)."""
    with no_family_known():
        found = [error for of_family in errors(FOLDER).values() for error in of_family]
    assert len(found) == 107
    assert median(found) < 0.001 and ninth_decile(found) < 0.03


def test_the_lines_are_back_afterwards() -> None:
    from desktop_app.estimation.memory_family import family_of
    from desktop_app.estimation.presets import model_named

    gpt2 = model_named("GPT-2")
    with no_family_known():
        assert family_of(gpt2).model_type == ""
    assert family_of(gpt2).model_type == "gpt2"
