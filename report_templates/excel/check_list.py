"""The checks of the workbook: what is compared with what, and what to do when it differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from desktop_app.budget.constants import constants
from desktop_app.budget.lines_range import DRIVERS
from desktop_app.estimation.layout import tokens_for_usual_batch
from desktop_app.foundation.records import Source
from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, range_of
from report_templates.excel.check import Check
from report_templates.excel.check_months import month_checks
from report_templates.excel.check_sense import sense_checks
from report_templates.excel.focus import FocusCells
from report_templates.excel.formulas import shown_value
from report_templates.excel.rows import InputRow, Written
from report_templates.excel.schedule import ScheduleCells
from report_templates.excel.stored_results import Result
from report_templates.figures import headlines

_CENT = 0.005  # half of the smallest printed step of money: no recalculation may differ by more
_RELATIVE = 1e-9  # a spreadsheet keeps 15 digits; the rest is room for the order of its operations
_SAME = ("cost.total", "cost.ask", "gpu_hours", "wall_days", "energy_facility_kwh", "co2e_kg_location")


def _known(value: Result, otherwise: float) -> Result:
    return otherwise if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Parts:
    """The cells of other sheets that the checks read."""

    sheets: tuple[Written, ...]  # the grid sheets
    amounts: tuple[Place, ...]  # printed amounts on the sheet Summary
    ages: Mapping[Source, Place]
    schedule: ScheduleCells
    focus: FocusCells

    @property
    def inputs(self) -> tuple[InputRow, ...]:
        """The inputs of all sheets."""
        return tuple(row for written in self.sheets for row in written.inputs)


class CheckList:
    """Makes the checks for the sheet they stand on."""

    def __init__(self, book: Book, sheet: Sheet, parts: Parts) -> None:
        """`sheet` is where the checks stand: addresses are written as seen from there."""
        self._book, self._sheet, self._parts = book, sheet, parts
        self._words, self._ledger = book.words, book.budget.ledger
        column = book.grid.text_column("changed")
        areas = [
            Place(written.first.sheet, f"{column}{written.first.row}:{column}{written.last.row}", None).seen_from(
                sheet.title
            )
            for written in parts.sheets
            if written.inputs
        ]
        self._changed = ",".join(areas)

    def all(self, engine_changes: str) -> tuple[Check, ...]:
        """Every check, in order. `engine_changes` is the formula that counts changed inputs of the engine."""
        words, parts = self._words, self._parts
        return (
            Check(words("check.engine"), Formula(engine_changes, 0), 0, words("check.rerun")),
            *self._batch_stays(),
            *self._same_as_program(),
            *self._adds_up(),
            *self._ordered(),
            *self._fits(),
            *self._sound(),
            *month_checks(self._book, self._sheet, parts.schedule, parts.focus),
            *sense_checks(self._book, self._sheet),
            *self._fresh(),
            Check(
                words("check.changed"), Formula(f"SUM({self._changed})", 0), 0, words("check.changed_advice"), must=0
            ),
        )

    def _link(self, key: str) -> Formula:
        return self._book.link(self._sheet, self._book.places[key])

    def _name(self, key: str) -> str:
        return self._words(f"ledger.{key}")

    def _batch_stays(self) -> Iterator[Check]:
        """A batch that the program chose is smaller for few tokens: whether a change of tokens leaves it as it was."""
        estimate, grid = self._book.budget.estimate, self._book.grid
        if "global_batch" not in estimate.chosen or estimate.job.method != "full":
            return
        least = tokens_for_usual_batch(estimate.shape, estimate.cluster.gpus)
        now = grid.cell(self._sheet.title, "tokens", 0)
        then = now.replace(grid.column(0), grid.exported_column(0))
        text = f"IF({now}={then},0,IF(MIN({now},{then})>={least:.0f},0,1))"
        yield Check(self._words("check.batch_stays"), Formula(text, 0), 0, self._words("check.rerun"))

    def _same_as_program(self) -> Iterator[Check]:
        """As long as no input was changed, the workbook comes to what the program came to."""
        unchanged = Formula(f"IF(SUM({self._changed})=0,1,0)", 1)
        for key in (*_SAME, "memory.peak"):
            line, value = self._ledger[key], self._ledger.value(key)
            yield Check(
                self._words("check.same", item=self._name(key)),
                self._link(key),
                shown_value(value, self._book.unknown_word(line)),
                self._words("check.same_advice"),
                max(_CENT, abs(value or 0.0) * _RELATIVE),
                must=unchanged,
                notice=self._words("check.changed_advice"),
                number=self._book.number_format(line.unit, value),
            )

    def _adds_up(self) -> Iterator[Check]:
        """Sums and products that must be exact."""
        words, value = self._words, self._ledger.value
        amounts = self._parts.amounts
        printed = float(sum(place.value for place in amounts if isinstance(place.value, float)))
        area, total = range_of(amounts[0], amounts[-1], self._sheet.title), self._link("cost.total")
        yield Check(
            words("check.sum"),
            Formula(f"SUM({area})", printed),
            # A total that leaves out the run itself is not known, and nothing can be added up to it.
            Formula(f"IF(COUNT({total.text})=1,{total.text},SUM({area}))", _known(total.result, printed)),
            words("check.sum_advice"),
            _CENT,
            number=self._book.number_format("currency", None),
        )
        for label, whole, factors in (
            ("check.batch", "global_batch", ("micro_batch", "accumulation", "dp")),
            ("check.layout", "gpus", ("tp", "pp", "cp", "dp")),
        ):
            product = 1.0
            for key in factors:
                product *= value(key) or 0.0
            text = "*".join(self._link(key).text for key in factors)
            yield Check(words(label), Formula(text, product), self._link(whole), words("check.rerun"))

    def _ordered(self) -> Iterator[Check]:
        """P10 <= P50 <= P80 <= P90, and each driver's low below its high: the number of faults is 0."""
        words, value = self._words, self._ledger.value
        for headline in headlines(self._book.budget):
            if headline.ranged:
                keys = [f"{headline.key}.{name}" for name in ("p10", "p50", "p80", "p90")]
                pairs = list(pairwise(keys))
                yield Check(
                    words("check.ordered", item=self._name(headline.key)), self._faults(pairs), 0,
                    words("check.ordered_advice"),
                )  # fmt: skip
        drivers = [(f"driver.{name}.low", f"driver.{name}.high") for name in DRIVERS if value(f"driver.{name}.low")]
        yield Check(words("check.drivers"), self._faults(drivers), 0, words("check.drivers_advice"))

    def _faults(self, pairs: list[tuple[str, str]]) -> Formula:
        value = self._ledger.value
        text = "+".join(f"IF({self._link(low).text}<={self._link(high).text},0,1)" for low, high in pairs)
        known = [(value(low), value(high)) for low, high in pairs]
        return Formula(text, sum(1 for low, high in known if low is not None and high is not None and low > high))

    def _fits(self) -> Iterator[Check]:
        """Memory: even the lowest peak that is likely, and the highest."""
        words, usable = self._words, self._link("memory.usable")
        for key, must in (("memory.peak_low", 1), ("memory.peak_high", 0)):
            yield Check(
                words("check.fits", item=self._name(key)), self._link(key), usable, words("check.fits_advice"),
                test="at_most", must=must,
            )  # fmt: skip

    def _sound(self) -> Iterator[Check]:
        """No error values, no input emptied, nothing without a price."""
        words, parts = self._words, self._parts
        areas = [range_of(written.first, written.last, self._sheet.title) for written in parts.sheets]
        errors = "+".join(f"SUMPRODUCT(ISERROR({area})*1)" for area in areas)
        yield Check(words("check.errors"), Formula(errors, 0), 0, words("check.errors_advice"))
        yield self._filled()
        amounts = range_of(parts.amounts[0], parts.amounts[-1], self._sheet.title)
        missing = sum(1 for place in parts.amounts if isinstance(place.value, str))
        yield Check(
            words("check.priced"), Formula(f"ROWS({amounts})-COUNT({amounts})", missing), 0,
            words("check.priced_advice"), must=0,
        )  # fmt: skip

    def _filled(self) -> Check:
        """Inputs that held something still do: how many were emptied."""
        words, grid = self._words, self._book.grid
        last = grid.scenarios - 1
        terms = []
        for written in self._parts.sheets:
            if written.inputs:
                first_row, last_row = written.first.row, written.last.row
                now, then = (
                    Place(written.first.sheet, f"{column(0)}{first_row}:{column(last)}{last_row}", 0.0)
                    for column in (grid.column, grid.exported_column)
                )
                title = self._sheet.title
                terms.append(f'SUMPRODUCT(({then.seen_from(title)}<>"")*({now.seen_from(title)}=""))')
        return Check(words("check.filled"), Formula("+".join(terms), 0), 0, words("check.filled_advice"))

    def _age(self, key: str, age: Place) -> Formula:
        """The age of a price, 0 where another one was typed over it."""
        grid, link = self._book.grid, self._book.link(self._sheet, age)
        now = grid.cell(self._sheet.title, key, 0)
        then = f"{now.removesuffix(grid.address(key, 0))}{grid.exported_column(0)}{grid.row(key)}"
        return Formula(f"IF({now}={then},{link.text},0)", link.result)

    def _fresh(self) -> Iterator[Check]:
        """Prices that are too old to ask for money with."""
        words, spot = self._words, self._book.budget.scenario.price.purchase == "spot"
        seen: set[str] = set()
        for line in self._book.budget.cost_lines:
            price, hourly = line.price_line, line.quantity_unit == "gpu_hour"
            age = None if price is None else self._parts.ages.get(price.source)
            if price is None or price.key in seen or age is None or price.tag != "table":
                continue
            seen.add(price.key)
            nature = "spot" if spot and hourly else "list"
            yield Check(
                words("check.age", item=self._name(price.key)),
                self._age(price.key, age),
                constants()[f"price_max_age_days.{nature}"].value,
                words("check.age_advice"),
                test="at_most",
                must=0,
            )
