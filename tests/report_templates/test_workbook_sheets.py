"""The sheets that read the grid: purchases, alternatives, tornado, risks, and which checks fail on the first page."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

import pytest
from workbook_tools import changed, load, named, recalculated, stored

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.scenario import Scenario, with_choices
from desktop_app.budget.uncertainty import tornado
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes

_TODAY = date(2026, 12, 1)
_DOES_NOT_FIT = {"gpus": 8, "sharding": "none", "tp": 1, "pp": 1, "micro_batch": 1, "recompute": "full"}


@lru_cache(maxsize=8)
def dossier_of(*choices: tuple[str, Any]) -> Dossier:
    scenario = with_choices(Scenario(today=_TODAY), dict(choices))
    return make_dossier([make_budget(scenario, load_catalogue())], load_catalogue())


@lru_cache(maxsize=8)
def data_of(*choices: tuple[str, Any]) -> bytes:
    return workbook_bytes(dossier_of(*choices), "en")


def rows(data: bytes, sheet: str, first: str) -> list[list[Any]]:
    """The rows of a sheet below the header whose column C says `first`, down to the next empty one."""
    found: list[list[Any]] = []
    for row in stored(data)[sheet].iter_rows(min_col=2, values_only=True):
        if found or row[1] == first:
            if row[1] is None:
                break
            found.append(list(row))
    return found[1:]


def test_the_tornado_is_that_of_the_program_and_moves_with_the_price() -> None:
    data = data_of()
    ledger = dossier_of().base.ledger
    swings = {swing.driver: swing for swing in tornado(ledger, "cost.total")}
    names = {"Step time": "speed", "Hours against the prediction": "overhead", "Price": "price"}
    shown = {names[row[1]]: row for row in rows(data, "Sensitivity", "Driver")}
    assert shown.keys() == swings.keys()
    for driver, row in shown.items():
        ends = (swings[driver].figure_low, swings[driver].figure_high)
        assert (row[7], row[8]) == pytest.approx(ends)
    again = recalculated(changed(data, in_tokens=2e12))
    doubled = {names[row[1]]: row for row in rows(again, "Sensitivity", "Driver")}
    assert doubled["speed"][8] == pytest.approx(2 * shown["speed"][8], rel=0.01)


def test_ranked_bars_are_widest_first() -> None:
    sheet = stored(data_of())["Sensitivity"]
    widths = []
    for row in sheet.iter_rows(min_col=2, max_col=8, values_only=True):
        if row[0] in (1, 2, 3) and row[2] is None and isinstance(row[4], int | float):
            widths.append(row[5] + row[6])
    assert len(widths) == 3
    assert widths == sorted(widths, reverse=True)


def test_each_way_of_purchase_has_the_figures_of_its_budget() -> None:
    dossier = dossier_of()
    shown = rows(data_of(), "Purchase options", "Way of purchase")[: 1 + len(dossier.purchases)]
    for row, budget in zip(shown, (dossier.base, *dossier.purchases), strict=True):
        value = budget.ledger.value
        assert row[2] == pytest.approx(value("price_usd_per_gpu_hour"))
        assert (row[5], row[7], row[8]) == pytest.approx(
            (value("cost.total"), value("cost.total.p80"), value("wall_days"))
        )
        for key in budget.not_priced:
            assert load_words()(f"ledger.{key}") in row[14]


def load_words() -> Any:
    from desktop_app.foundation.wording import words_of

    return words_of("en")


def test_alternatives_say_dominated_where_the_dossier_does() -> None:
    dossier, told = dossier_of(), load_words()("workbook.dominated")
    shown = [row for row in rows(data_of(), "Alternatives", "Option") if str(row[0]).startswith("X")]
    assert len(shown) == len(dossier.alternatives) >= 3
    for row, other in zip(shown, dossier.alternatives, strict=True):
        assert row[3] == pytest.approx(other.budget.ledger.value("cost.total"))
        assert row[12].startswith(told) == other.dominated
        assert row[11] == load_words()(f"verdict.{other.budget.estimate.fits}")


def test_alternatives_follow_an_input_of_the_base() -> None:
    """Half the tokens cost about half in every column that is linked to the base."""
    again = recalculated(changed(data_of(), in_tokens=5e11))
    before = {row[0]: row for row in rows(data_of(), "Alternatives", "Option")}
    after = {row[0]: row for row in rows(again, "Alternatives", "Option")}
    same_scope = [f"X{number}" for number, other in enumerate(dossier_of().alternatives, 1) if other.same_scope]
    for mark in ("A", *same_scope):
        assert after[mark][3] == pytest.approx(before[mark][3] / 2, rel=0.02), mark


def test_risks_hold_the_register_and_their_sum_is_live() -> None:
    register = dossier_of().risks
    shown = rows(data_of(), "Risks", "What may happen")[: len(register.risks)]
    for row, risk in zip(shown, register.risks, strict=True):
        assert row[3] == pytest.approx(register.values[risk.probability])
        money = register.values[risk.money] if risk.money else None
        if money is not None:
            assert row[4] == pytest.approx(money)
    book = load(data_of())
    first = next(cell.row for cell in book["Risks"]["C"] if cell.value == "What may happen") + 1
    book["Risks"][f"E{first}"] = 0
    import io

    saved = io.BytesIO()
    book.save(saved)
    again = rows(recalculated(saved.getvalue()), "Risks", "What may happen")
    total = next(row for row in again if row[1] == load_words()("workbook.expected_sum"))
    expected = register.values["risk.expected"]
    assert expected is not None
    assert total[6] == pytest.approx(expected - (register.values[register.risks[0].expected] or 0.0))


def test_the_first_page_names_the_checks_that_fail() -> None:
    data = data_of(*_DOES_NOT_FIT.items())
    assert named(data, "out_checks_ok") == 0
    words = load_words()
    failing = stored(data)["Summary"]["B3"].value
    assert words("check.fits", item=words("ledger.memory.peak_low")) in failing
    assert not stored(data_of())["Summary"]["B3"].value


def test_a_changed_engine_input_is_named_on_the_first_page() -> None:
    again = recalculated(changed(data_of(), in_seq_len=4096))
    assert load_words()("check.engine") in stored(again)["Summary"]["B3"].value


def test_the_colour_of_the_organisation_fills_the_headers() -> None:
    dossier = dossier_of()
    branded = make_dossier([dossier.base], load_catalogue(), Organisation(accent_colour="7A1F5C"))
    fills = {
        name: load(workbook_bytes(one, "en"))["Compute"]["C4"].fill.fgColor.rgb
        for name, one in (("ours", dossier), ("theirs", branded))
    }
    assert fills["ours"] != fills["theirs"]


def test_price_rows_are_listed_once_with_source_date_and_age() -> None:
    dossier = dossier_of()
    shown = rows(data_of(), "Prices", "Row of the price table")
    assert any("p4de.24xlarge" in row[1] for row in shown)
    names = [(row[1], row[3]) for row in shown]
    assert len(names) == len(set(names)) >= 1 + len(dossier.purchases) // 2
    for row in shown:
        assert row[5], "each row has a source"
        assert isinstance(row[7], int | float), "and an age"


def test_a_contract_beside_free_on_demand_hours_has_no_break_even_and_no_error() -> None:
    data = data_of(("discount_percent", 100.0))
    again = stored(recalculated(data))
    errors = [
        cell.coordinate for page in again for row in page.iter_rows() for cell in row if str(cell.value).startswith("#")
    ]
    assert errors == []
    assert named(recalculated(data), "out_checks_ok") == named(data, "out_checks_ok") == 1
