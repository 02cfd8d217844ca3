"""Accuracy on measured memory: live bytes, published peaks, verdicts. Needs the reference data beside the project."""

from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pytest

from desktop_app.budget import cases
from desktop_app.estimation.validation import memory, memory_published
from desktop_app.estimation.validation.cases import MEMORY_QUANTITIES
from desktop_app.estimation.validation.rows import ValidationRow
from desktop_app.foundation.problems import UserError

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "validation"
needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason="the reference data is not beside the project")


def errors(rows: Iterable[ValidationRow]) -> list[float]:
    return sorted(abs(row.ratio - 1) for row in rows if row.ratio is not None)


def p90(values: list[float]) -> float:
    return values[int(0.9 * len(values))]


@needs_data
def test_live_bytes_of_every_set_up() -> None:
    """107 tracked steps of 19 families; the figures are those of a correct sum of tensors."""
    rows = memory.rows(FOLDER)
    for quantity, count, typical, ninth, worst in (
        ("peak_bytes", 107, 0.0001, 0.001, 0.005),
        ("act_end_of_forward_bytes", 107, 0.0005, 0.002, 0.005),
        ("fwd_peak_bytes", 107, 0.001, 0.002, 0.006),
        ("bwd_peak_bytes", 107, 0.0005, 0.002, 0.01),
        ("step_peak_bytes", 86, 0.0001, 0.0002, 0.001),
    ):
        found = errors(row for row in rows if row.quantity == quantity)
        assert len(found) == count
        assert median(found) < typical and p90(found) < ninth and found[-1] < worst, quantity


@needs_data
def test_published_peaks() -> None:
    """The measured rows with complete settings, torchtitan on its own."""
    rows = memory_published.rows(FOLDER)
    assert len(rows) == 153
    answered = [row for row in rows if row.status == "ok"]
    torchtitan = [row for row in answered if row.source_group.startswith("torchtitan")]
    others = [row for row in answered if row not in torchtitan]
    assert (len(others), len(torchtitan)) == (111, 14)
    assert median(errors(others)) < 0.04 and p90(errors(others)) < 0.135
    assert median(errors(torchtitan)) < 0.05 and p90(errors(torchtitan)) < 0.18
    assert median(errors(answered)) < 0.04 and p90(errors(answered)) < 0.135
    covered = [row.low <= row.published <= row.high for row in answered]
    assert 0.8 < sum(covered) / len(covered) < 0.95
    below_high = [row.published <= row.high for row in answered]
    assert sum(below_high) / len(below_high) > 0.9
    assert all(row.note for row in rows if row.status != "ok")


@needs_data
def test_no_verdict_on_a_settled_question_is_false() -> None:
    """A job that failed is never a yes, one that ran never a no."""
    fits = [row for row in cases.rows(FOLDER) if row.quantity == "fits"]
    assert len(fits) == 19 and all(row.status == "ok" for row in fits)
    assert not [row.id for row in fits if row.published == 0 and row.predicted == 1]
    assert not [row.id for row in fits if row.published == 1 and row.predicted == 0]
    assert sum(row.predicted == 0.5 for row in fits) <= 4


@needs_data
def test_peaks_of_cases_with_a_stated_length() -> None:
    peaks = [row for row in cases.rows(FOLDER) if row.quantity in MEMORY_QUANTITIES and row.quantity != "fits"]
    found = errors([row for row in peaks if row.predicted is not None])
    assert len(found) >= 20 and median(found) < 0.09
    unanswered = [row for row in cases.rows(FOLDER) if row.status != "ok"]
    assert all(row.note and row.predicted is None for row in unanswered)


def test_a_folder_without_the_table_is_refused_in_plain_words(tmp_path: Path) -> None:
    for table in (memory, memory_published, cases):
        with pytest.raises(UserError):
            table.rows(tmp_path)
