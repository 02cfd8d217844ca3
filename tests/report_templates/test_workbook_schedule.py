"""The sheet Schedule: months as the program computes them, alive when the start, the tokens or a price change."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any

import pytest
from workbook_tools import (
    CENT,
    changed,
    formulas,
    load,
    named,
    recalculated,
    results,
    scenario_named,
    stored,
    typed,
    workbook_named,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.scenario import with_choices
from desktop_app.foundation.serial_days import serial_day
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes

SHEET = "Schedule"
_HEADER, _WHOLE, _FIRST = 4, 5, 6
LONG = {"gpus": 64, "start_date": date(2026, 12, 15)}  # 100 days: four months of the calendar


@lru_cache(maxsize=8)
def dossier_of(*choices: tuple[str, Any]) -> Dossier:
    scenario = with_choices(scenario_named("dense"), dict(choices))
    whole = make_dossier([make_budget(scenario, load_catalogue())], load_catalogue())
    return replace(whole, purchases=(), alternatives=())  # months are those of the base alone


@lru_cache(maxsize=8)
def data_of(*choices: tuple[str, Any]) -> bytes:
    return workbook_bytes(dossier_of(*choices), "en")


def long_run(**choices: Any) -> tuple[tuple[str, Any], ...]:
    return tuple({**LONG, **choices}.items())


def rows(data: bytes) -> dict[str, list[Any]]:
    """Label -> what stands in the column of all months and in the months."""
    page = stored(data)[SHEET]
    return {
        page.cell(row, 3).value: [page.cell(row, column).value for column in range(_WHOLE, page.max_column + 1)]
        for row in range(_HEADER, page.max_row + 1)
        if page.cell(row, 3).value is not None
    }


def charts_of_months(data: bytes) -> list[str]:
    """The charts whose title is a cell of the sheet."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    charts = [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/charts/chart")]
    return [chart for chart in charts if re.search(r"<f>Schedule!\$B\$\d+</f>", chart)]


def as_days(cells: list[Any]) -> list[float]:
    return [serial_day(cell.date()) for cell in cells if cell is not None]


def assert_as_the_program(shown: dict[str, list[Any]], dossier: Dossier) -> None:
    """Every figure of every month that the sheet has; a changed input may have the program show more of them."""
    schedule, words = dossier.schedule, words_of("en")
    dated = [month for month in schedule.months if month.first is not None][: len(shown["Item"]) - 2]
    assert len(dated) >= 4
    assert shown["Item"][1 : len(dated) + 1] == [f"{month.first:%Y-%m}" for month in dated]
    names = ("days", "gpu_hours", *(line.key for line in dossier.base.cost_lines), "total", "cumulative")
    for name in names:
        label = words(f"ledger.{name}" if name.startswith("cost.") else f"schedule.{name}")
        for month, cell in zip(dated, shown[label][1:], strict=False):
            value = schedule.values[month.keys[name]]
            if value is None:
                assert cell == "not priced", label
            else:
                assert cell == pytest.approx(value, abs=CENT, rel=1e-9), (label, month.number)


def test_months_are_those_of_the_program_and_add_up() -> None:
    dossier, shown = dossier_of(*long_run()), rows(data_of(*long_run()))
    assert_as_the_program(shown, dossier)
    assert [month.first for month in dossier.schedule.months][:2] == [date(2026, 12, 1), date(2027, 1, 1)]
    ends = dossier.schedule.months
    assert as_days(shown["Day after the month"]) == [
        dossier.schedule.values[month.keys["ends"]] for month in ends if month.first
    ]
    value = dossier.base.ledger.value
    assert shown["Charged to the month"][0] == pytest.approx(value("cost.total"), abs=CENT)
    assert shown["GPU-hours"][0] == pytest.approx(value("gpu_hours"))
    assert shown["Days of the run"][0] == pytest.approx(value("wall_days"))
    assert shown["Start of the run"][0].date() == date(2026, 12, 15)


def test_a_changed_start_moves_the_months_as_the_program_would() -> None:
    start = date(2027, 2, 20)
    again = recalculated(changed(data_of(*long_run()), in_start_date=start))
    assert_as_the_program(rows(again), dossier_of(*long_run(start_date=start)))
    assert named(again, "out_checks_ok") == 1
    assert named(again, "out_cost_base") == named(data_of(*long_run()), "out_cost_base")


@pytest.mark.parametrize(
    ("cell", "key", "value"), [("in_tokens", "tokens", 1.3e12), ("in_price_gpu_h", "price_usd_per_gpu_hour", 2.125)]
)
def test_changed_tokens_and_prices_reach_every_month(cell: str, key: str, value: float) -> None:
    again = recalculated(changed(data_of(*long_run()), **{cell: value}))
    dossier = dossier_of(*long_run(**{key: value}))
    assert_as_the_program(rows(again), dossier)
    total = rows(again)["Charged to the month"]
    assert sum(total[1:]) == pytest.approx(total[0], abs=CENT)
    assert total[0] == pytest.approx(dossier.base.ledger.value("cost.total"), abs=CENT)
    assert named(again, "out_checks_ok") == 1


def test_what_runs_beyond_the_months_stands_under_later() -> None:
    again = recalculated(changed(data_of(*long_run()), in_tokens=9e12))
    shown = rows(again)
    assert shown["Item"][-1] == "Later"
    assert shown["Charged to the month"][-1] > 0.5 * named(again, "out_cost_base")
    assert shown["Cumulative"][-1] == pytest.approx(named(again, "out_cost_base"), abs=CENT)
    assert named(again, "out_checks_ok") == 1


def test_months_that_do_not_add_up_turn_the_checks_red() -> None:
    place = next(place for place, text in formulas(data_of(*long_run())).items() if place == (SHEET, "G16"))
    assert named(recalculated(typed(data_of(*long_run()), *place, 1.0)), "out_checks_ok") == 0


def test_under_a_contract_all_is_invoiced_when_it_is_signed() -> None:
    choices = long_run(purchase="reserved-1y", tax_percent=10.0)
    dossier, shown = dossier_of(*choices), rows(data_of(*choices))
    value = dossier.base.ledger.value
    billed, spent = shown["Invoiced in the month"], shown["Charged to the month"]
    beside = sum(shown[label][1] for label in ("Checkpoints", "Data storage", "Tax"))  # what the contract leaves out
    assert billed[1] == pytest.approx((value("cost.committed") or 0) + beside, abs=CENT)
    assert max(billed[2:]) < 0.1 * billed[1] < spent[1]
    assert "Invoiced in the month" not in rows(data_of(*long_run()))


def test_without_a_price_or_an_end_the_months_say_so() -> None:
    unpriced = rows(workbook_named("not priced"))
    assert set(unpriced["Training run"]) == set(unpriced["Charged to the month"]) == {"not priced"}
    assert unpriced["Days of the run"][0] > 0
    endless = rows(workbook_named("never finishes"))
    assert set(endless["Days of the run"]) == set(endless["Training run"]) == {"Never finishes"}
    assert charts_of_months(workbook_named("never finishes")) == []


def test_a_price_that_is_typed_in_gives_the_months_their_money() -> None:
    again = recalculated(changed(workbook_named("not priced"), in_price_gpu_h=2.5))
    total = rows(again)["Charged to the month"]
    assert total[0] == pytest.approx(named(again, "out_cost_base"), abs=CENT)
    deleted = recalculated(changed(data_of(*long_run()), in_price_gpu_h=None))
    assert set(rows(deleted)["Charged to the month"]) == {"not priced"}
    assert not [value for value in results(deleted).values() if str(value).startswith("#")]


def test_both_charts_have_axes_and_a_finding_for_a_title() -> None:
    data = data_of(*long_run())
    months = charts_of_months(data)
    findings = [re.search(r"<c:v>|<v>([^<]*)</v>", chart)[1] for chart in months]  # type: ignore[index]
    assert findings == ["2027-01 takes 31 % of the money", "Half of the money is spent by the end of 2027-02"]
    for chart in months:
        assert re.findall(r'<delete val="(\d)" ?/>', chart) == ["0", "0"]
        assert "<a:t>USD</a:t>" in chart
    moved = results(recalculated(changed(data, in_start_date=date(2027, 3, 1)))).values()
    assert "Half of the money is spent by the end of 2027-04" in moved


def test_many_months_print_on_pages_beside_each_other() -> None:
    page = load(data_of(*long_run(tokens=3e12)))[SHEET]
    assert len(dossier_of(*long_run(tokens=3e12)).schedule.months) > 12
    assert (page.page_setup.orientation, page.page_setup.fitToWidth) == ("landscape", 2)
    assert page.print_title_cols == "$A:$E"
