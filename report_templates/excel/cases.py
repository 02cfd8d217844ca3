"""The columns of the workbook: the scenarios, other ways of purchase, alternatives, and each driver at its ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from desktop_app.budget.budget import Budget
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.ledger import Ledger
from desktop_app.budget.lines_range import DRIVERS
from desktop_app.budget.uncertainty import DRIVEN, driven
from desktop_app.foundation.expression import Expression, ref
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.wording import Words

CaseKind = Literal["scenario", "purchase", "alternative", "end"]
_OUTPUTS = ("cost.total", "gpu_hours", "wall_days", "energy_facility_kwh", "co2e_kg_location")
_LETTERS = 26


@dataclass(frozen=True, slots=True)
class Case:
    """One column. An `end` is the base with one driver at its low or high: everything else is linked to the base."""

    kind: CaseKind
    mark: str  # "A" for the base, "P1" ... for purchases, "X1" ... for alternatives, "-1", "+1" ... for ends
    title: str
    budget: Budget
    values: Mapping[str, Number | None]
    driver: str = ""
    end: Literal["", "low", "high"] = ""
    keys: frozenset[str] = field(default=frozenset())  # of an end: the lines that its outputs rest on

    def has(self, key: str) -> bool:
        """Whether this column shows the line."""
        return key in self.budget.ledger and (self.kind != "end" or key in self.keys)


def case_key(driver: str) -> str:
    """The key of the row that says by which factor a column moves a driver."""
    return f"case.{driver}"


CASE_KEYS = tuple(map(case_key, DRIVERS))
_DRIVER_OF = {key: driver for driver, key in DRIVEN.items()}


def moved(key: str, expression: Expression) -> Expression:
    """The formula of a line that a driver moves, with the factor of its column; other formulas as they are."""
    driver = _DRIVER_OF.get(key)
    if driver is None:
        return expression
    factor = ref(case_key(driver))
    return expression / factor if driver == "overhead" else expression * factor


def scenario_mark(number: int) -> str:
    """A, B ... Z, AA, AB: as spreadsheets count."""
    letters = ""
    while number >= 0:
        letters = chr(ord("A") + number % _LETTERS) + letters
        number = number // _LETTERS - 1
    return letters


def cases_of(dossier: Dossier, words: Words) -> tuple[Case, ...]:
    """All columns, the base first, the further scenarios next."""
    return (
        *(
            Case("scenario", scenario_mark(number), budget.scenario.name, budget, budget.ledger.values)
            for number, budget in enumerate(dossier.budgets)
        ),
        *(
            Case("purchase", f"P{number}", words(f"purchase.{_key(budget)}"), budget, budget.ledger.values)
            for number, budget in enumerate(dossier.purchases, 1)
        ),
        *(
            Case(
                "alternative", f"X{number}", words(f"alternative.{other.kind}", **other.values), other.budget,
                other.budget.ledger.values,
            )
            for number, other in enumerate(dossier.alternatives, 1)
        ),
        *_ends(dossier.base, words),
    )  # fmt: skip


def _key(budget: Budget) -> str:
    return budget.scenario.price.purchase.replace("-", "_")


def _ends(budget: Budget, words: Words) -> Iterator[Case]:
    """Each driver at its low and its high, as far as it is known what it moves."""
    ledger = budget.ledger
    keys = frozenset(_behind(ledger, _OUTPUTS))
    known = [driver for driver in DRIVERS if _is_known(ledger, driver)]
    for number, driver in enumerate(known, 1):
        for end, sign in (("low", "-"), ("high", "+")):
            factor = ledger.value(f"driver.{driver}.{end}") or 1.0
            values = ledger.evaluate(driven(ledger, {driver: factor}))
            title = words(f"workbook.case_{end}", driver=words(f"driver.{driver}"))
            yield Case("end", f"{sign}{number}", title, budget, values, driver, end, keys)  # type: ignore[arg-type]


def _is_known(ledger: Ledger, driver: str) -> bool:
    ends = (ledger.value(f"driver.{driver}.low"), ledger.value(f"driver.{driver}.high"))
    return None not in ends and ledger.value(DRIVEN[driver]) is not None


def _behind(ledger: Ledger, keys: tuple[str, ...]) -> set[str]:
    """The lines that some lines are computed from, and these."""
    waiting, seen = [key for key in keys if key in ledger], set(keys)
    while waiting:
        found = {line.key for line in ledger.inputs_of(waiting.pop())} - seen
        waiting += found
        seen |= found
    return seen
