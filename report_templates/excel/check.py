"""One check of the workbook: what is compared with what, as a formula, and what to do when it differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from report_templates.excel.cells import Formula
from report_templates.excel.stored_results import Result

Test = Literal["equal", "at_most", "at_least"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `must`: 1 fails the workbook, 0 is a notice; a formula where that depends."""

    label: str
    value: Formula
    expected: Formula | Result
    advice: str
    tolerance: float = 0.0
    test: Test = "equal"
    must: Formula | int = 1
    number: str = "#,##0"
    notice: str = ""  # what to say instead of the advice where it is a notice only

    @property
    def passes(self) -> bool:
        """Whether it passes with the stored results."""
        expected = self.expected.result if isinstance(self.expected, Formula) else self.expected
        value, other = as_number(self.value.result), as_number(expected)
        if self.test == "at_most":
            return value <= other + self.tolerance
        if self.test == "at_least":
            return value >= other - self.tolerance
        both = isinstance(self.value.result, str) == isinstance(expected, str)
        return both and abs(value - other) <= self.tolerance

    def formula(self, row: int) -> str:
        """The test as a formula; SUM makes 0 of a word, so that an unknown figure is not an error."""
        value, expected, tolerance = f"SUM(D{row})", f"SUM(E{row})", f"F{row}"
        condition = {
            "at_most": f"{value}<={expected}+{tolerance}",
            "at_least": f"{value}>={expected}-{tolerance}",
            "equal": f"AND(COUNT(D{row})=COUNT(E{row}),ABS({value}-{expected})<={tolerance})",
        }[self.test]
        return f"IFERROR(IF({condition},1,0),0)"


def as_number(value: Result) -> float:
    """A word counts as 0."""
    return 0.0 if isinstance(value, str) else float(value)
