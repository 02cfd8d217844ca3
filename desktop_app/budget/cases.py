"""Questions that people asked in public threads (cases.csv), answered as a user would get the answer.

Memory by estimation.validation.cases, speed and time by case_speed, money, energy and carbon by case_money. The note of
an answer begins with whether the settled figure lies within the tolerance that the table gives it; where it does not,
case_remarks.csv says what is special about the figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from desktop_app.budget import case_money
from desktop_app.estimation.table_files import table
from desktop_app.estimation.validation import case_speed
from desktop_app.estimation.validation.case_setup import with_thread
from desktop_app.estimation.validation.case_speed import Answer
from desktop_app.estimation.validation.cases import check_case, predicted_case
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import Status, UnansweredError, ValidationRow
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

COLUMNS = (
    "id", "kind", "model", "method", "precision", "optimizer", "zero", "seq_len", "micro_batch", "grad_ckpt", "gpu",
    "n_gpus", "tokens_b", "truth_quantity", "truth_value", "unit", "tolerance", "source", "params_b", "notes",
)  # fmt: skip
_BY_QUANTITY: Mapping[str, Callable[[Cells], Answer]] = {
    **dict.fromkeys(case_speed.QUANTITIES, case_speed.answered),
    **dict.fromkeys(case_money.QUANTITIES, case_money.answered),
}
_TABLE = Table("cases", COLUMNS, "truth_quantity", source_group="kind", published="truth_value", check=check_case)


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each question; those that the program cannot answer say why. Raises UserError."""
    return _TABLE.rows(folder, lambda cells: (_row(cells),), _with_threads)


def _with_threads(cases: list[Cells]) -> list[Cells]:
    """The questions with what their threads state besides; memory questions stand for themselves."""
    filled = with_thread(cases)
    return [more if own["truth_quantity"] in _BY_QUANTITY else own for own, more in zip(cases, filled, strict=True)]


def _row(cells: Cells) -> ValidationRow:
    quantity = cells["truth_quantity"]
    try:
        answer = _answer(cells)
    except UnansweredError as error:
        return _TABLE.row(cells, quantity, error.reason, error.status)
    except UserError as error:
        problem = error.problems[0]
        status: Status = "unsupported" if problem.field == "model" else "refused"
        return _TABLE.row(cells, quantity, words_of("en").sentence(problem), status)
    span = None if answer.low is None or answer.high is None else (answer.low, answer.high)
    note = "; ".join(filter(None, (_judged(cells, answer.predicted), answer.note)))
    return _TABLE.row(cells, quantity, note, "ok", answer.predicted, span)


def _answer(cells: Cells) -> Answer:
    if cells["truth_quantity"] in _BY_QUANTITY:
        return _BY_QUANTITY[cells["truth_quantity"]](cells)
    return Answer(*predicted_case(cells))


def _judged(cells: Cells, predicted: float) -> str:
    """Whether the settled figure is met within the tolerance of the table; "" for verdicts and where none is given."""
    tolerance, settled = value(cells, "tolerance"), value(cells, "truth_value")
    if tolerance is None or not settled or cells["truth_quantity"] == "fits":
        return ""
    if abs(predicted / settled - 1) <= tolerance + 1e-9:  # rounding of a ratio
        return f"inside {tolerance:.1%}"
    return "; ".join(filter(None, (f"outside {tolerance:.1%}", _remark(cells["id"]))))


def _remark(case: str) -> str:
    """What is to be said of the settled figure of a question, or of its whole thread; "" where nothing is."""
    names = (case, re.sub(r"[a-z]+$", "", case))
    return next((row["remark"] for row in table("case_remarks") if row["id"] in names), "")
