"""What may be typed into which input cell: ranges of numbers, lists of words, dates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic.fields import FieldInfo

from desktop_app.foundation.formatting import plain
from desktop_app.foundation.records import options_of
from desktop_app.foundation.wording import Words
from report_templates.excel.cells import quoted_text

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_LARGEST = 1e300  # a bound where a field has none
_JUST_ABOVE = 1e-9  # Excel's ranges include their ends; this stands for "more than 0"
_LONGEST_LIST = 255  # characters of a list written into the rule, Excel specifications and limits
_LONGEST_MESSAGE = 225  # characters of the message of a rule, Excel specifications and limits
_LATEST_DAY = 2_958_465  # 9999-12-31, the last day of the calendar of spreadsheets


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its kind in the file format, its bounds or words, and what to say when it is broken."""

    kind: Literal["decimal", "whole", "list", "date"]
    low: str
    high: str
    message: str


@dataclass(slots=True)
class Validations:
    """Collects cells by rule, so that each rule is written once."""

    words: Words
    _cells: dict[Rule, list[str]] = field(default_factory=dict)

    def allow(self, address: str, info: FieldInfo | None) -> None:
        """What the choice `info` accepts; without one, any number from 0 on."""
        rule = self._number(0.0, _LARGEST, whole=False) if info is None else self._rule_of(info)
        if rule is not None:
            self._cells.setdefault(rule, []).append(address)

    def allow_share(self, address: str) -> None:
        """Any share from 0 to 1."""
        self._cells.setdefault(self._number(0.0, 1.0, whole=False), []).append(address)

    def allow_date(self, address: str) -> None:
        """Any day."""
        rule = Rule("date", "1", str(_LATEST_DAY), self.words("problem.not_a_date", text="?"))
        self._cells.setdefault(rule, []).append(address)

    def attach(self, page: Worksheet) -> None:
        """Write the rules into the sheet."""
        from openpyxl.worksheet.datavalidation import DataValidation

        for rule, cells in self._cells.items():
            validation = DataValidation(
                type=rule.kind,
                operator=None if rule.kind == "list" else "between",
                formula1=rule.low,
                formula2=rule.high or None,
                allow_blank=False,
                showErrorMessage=True,
                error=rule.message[:_LONGEST_MESSAGE],
            )
            for cell in cells:
                validation.add(cell)
            page.add_data_validation(validation)

    def _rule_of(self, info: FieldInfo) -> Rule | None:
        types = {info.annotation, *get_args(info.annotation)}
        options = ("yes", "no") if bool in types else options_of(info)
        text = ",".join(options)
        if options and len(text) <= _LONGEST_LIST:
            message = self.words("problem.not_an_option", text="?", options=", ".join(options))
            return Rule("list", quoted_text(text), "", message)
        if not types & {int, float}:
            return None
        low = _bound(info, "ge")
        above = _bound(info, "gt")
        if low is None:
            low = 0.0 if above is None else above or _JUST_ABOVE
        high = _bound(info, "le")
        return self._number(low, _LARGEST if high is None else high, whole=float not in types)

    def _number(self, low: float, high: float, *, whole: bool) -> Rule:
        message = self.words("problem.out_of_range", low=plain(low), high=plain(high), unit="").strip()
        return Rule("whole" if whole else "decimal", f"{low:.15g}", f"{high:.15g}", message)


def _bound(info: FieldInfo, name: str) -> float | None:
    """One bound of a field."""
    found: list[Any] = [getattr(part, name) for part in info.metadata if getattr(part, name, None) is not None]
    return float(found[0]) if found else None
