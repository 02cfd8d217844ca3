"""The FOCUS-shaped forecast: names and values of FOCUS, four costs kept apart, one set of rows for sheet and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from workbook_tools import CENT, changed, named, recalculated, results, scenario_named, stored

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.scenario import with_choices
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.focus_csv import focus_text, write_focus
from report_templates.focus_items import COLUMNS, NUMBERS
from report_templates.workbook import workbook_bytes

# The columns that a forecast in the shape of FOCUS 1.2 is asked for, in their order.
ASKED_FOR = [
    "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory",
    "ChargeDescription", "ChargeFrequency", "BillingCurrency", "ProviderName", "PublisherName", "InvoiceIssuerName",
    "BillingAccountId", "SubAccountId", "ServiceCategory", "ServiceName", "RegionId", "RegionName", "ResourceType",
    "SkuId", "SkuPriceId", "PricingCategory", "PricingQuantity", "PricingUnit", "ConsumedQuantity", "ConsumedUnit",
    "ListUnitPrice", "ListCost", "ContractedUnitPrice", "ContractedCost", "EffectiveCost", "BilledCost",
    "CommitmentDiscountType", "Tags", "x_Percentile", "x_ScenarioId", "x_EstimateId", "x_PriceRetrievedAt", "x_KWh",
    "x_KgCO2eLocation", "x_KgCO2eMarket",
]  # fmt: skip
LONG = {"gpus": 64, "start_date": date(2026, 12, 15)}
BESIDE = {"tax_percent": 19.0, "credits_usd": 1000.0, "support_percent": 10.0, "idle_hours": 48.0,
          "staff_months": 2.0, "staff_usd_per_month": 9000.0, "egress_gb": 500.0}  # fmt: skip
Rows = list[dict[str, str]]


@lru_cache(maxsize=16)
def dossier_of(organisation: str = "", *choices: tuple[str, Any]) -> Dossier:
    scenario = with_choices(scenario_named("dense"), dict(choices))
    profile = Organisation(name=organisation, cost_centre="CC-7" if organisation else "")
    whole = make_dossier([make_budget(scenario, load_catalogue())], load_catalogue(), profile)
    return replace(whole, purchases=(), alternatives=())  # months are those of the base alone


def choices_of(**choices: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(choices.items())


def rows_of(organisation: str = "", /, **choices: Any) -> tuple[Dossier, Rows]:
    dossier = dossier_of(organisation, *choices_of(**choices))
    return dossier, list(csv.DictReader(io.StringIO(focus_text(dossier, words_of("en")))))


def total(rows: Rows, column: str) -> float:
    return sum(float(row[column] or 0) for row in rows)


def described(rows: Rows, text: str) -> Rows:
    found = [row for row in rows if row["ChargeDescription"] == text]
    assert found, text
    return found


def test_columns_are_those_of_focus_in_their_order() -> None:
    assert list(COLUMNS) == ASKED_FOR
    _, rows = rows_of()
    assert list(rows[0]) == ASKED_FOR


@pytest.mark.parametrize("choices", [{}, LONG, {**LONG, **BESIDE}, {"purchase": "spot"}, {"currency": "EUR"},
                                     {**LONG, "purchase": "reserved-1y"}, {"purchase": "owned"}])  # fmt: skip
def test_effective_costs_add_up_to_the_budget_and_billed_costs_to_the_invoices(choices: Mapping[str, Any]) -> None:
    dossier, rows = rows_of(**choices)
    schedule, ledger = dossier.schedule, dossier.base.ledger
    assert total(rows, "EffectiveCost") == pytest.approx(ledger.value("cost.total"), abs=CENT)
    billed = [schedule.values[month.keys["billed"]] or 0.0 for month in schedule.months]
    assert total(rows, "BilledCost") == pytest.approx(sum(billed), abs=CENT)
    for line in dossier.base.cost_lines:
        if line.amount is not None:
            own = [row for row in rows if row["ChargeDescription"] == words_of("en")(f"ledger.{line.key}")]
            assert total(own, "EffectiveCost") == pytest.approx(line.amount, abs=CENT), line.key


@pytest.mark.parametrize(
    "choices", [{}, LONG, {**LONG, **BESIDE, "idle_node_kw": 2.0}, {"development_multiplier": 2.0}]
)
def test_energy_and_carbon_of_the_rows_are_those_of_the_budget(choices: Mapping[str, Any]) -> None:
    dossier, rows = rows_of(**choices)
    value = dossier.base.ledger.value
    assert total(rows, "x_KWh") == pytest.approx(value("energy_facility_kwh"))
    assert total(rows, "x_KgCO2eLocation") == pytest.approx(value("co2e_kg_location"))
    assert {row["x_KgCO2eMarket"] for row in rows} == {""}  # not known here, and never 0


def test_one_row_a_line_and_month_and_none_where_nothing_falls() -> None:
    dossier, rows = rows_of(**LONG)
    run = described(rows, "Training run")
    assert [row["BillingPeriodStart"] for row in run] == [
        "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z", "2027-03-01T00:00:00Z",
    ]  # fmt: skip
    assert run[0]["ChargePeriodStart"] == "2026-12-15T00:00:00Z"
    assert run[0]["ChargePeriodEnd"] == run[0]["BillingPeriodEnd"] == "2027-01-01T00:00:00Z"
    assert len(dossier.schedule.months) > len(run)  # the calendar goes on to the P90
    quantity = sum(float(row["PricingQuantity"]) for row in run)
    assert quantity == pytest.approx(dossier.base.ledger.value("billed_gpu_hours.run"))
    unpriced = words_of("en")("ledger.cost.tax")
    assert not [row for row in rows if row["ChargeDescription"] == unpriced]


def test_what_is_on_demand_is_charged_at_its_list_price() -> None:
    dossier, rows = rows_of()
    run = described(rows, "Training run")[1]  # December, of a run that starts on the last of November
    assert (run["ChargeCategory"], run["ChargeFrequency"], run["PricingCategory"]) == (
        "Usage",
        "Usage-Based",
        "Standard",
    )
    assert (run["PricingUnit"], run["ConsumedUnit"], run["ServiceCategory"]) == ("GPU-Hours", "GPU-Hours", "Compute")
    assert (
        float(run["ListUnitPrice"])
        == float(run["ContractedUnitPrice"])
        == pytest.approx(dossier.base.ledger.value("price_usd_per_gpu_hour"))
    )
    assert run["ListCost"] == run["ContractedCost"] == run["EffectiveCost"] == run["BilledCost"]
    assert (run["SkuId"], run["RegionId"], run["ResourceType"]) == ("p4de.24xlarge", "us-east-1", "A100-80GB-SXM")
    assert run["x_PriceRetrievedAt"] == "2026-07-20"
    assert (run["BillingAccountId"], run["SubAccountId"], run["CommitmentDiscountType"]) == ("", "", "")
    stored_data = described(rows, "Checkpoints")[0]
    assert (stored_data["ServiceCategory"], stored_data["PricingUnit"]) == ("Storage", "GB-Months")


def test_a_negotiated_discount_stands_between_list_and_contracted_cost() -> None:
    _, rows = rows_of(discount_percent=25.0)
    run = described(rows, "Training run")[1]  # December, of a run that starts on the last of November
    assert float(run["ContractedUnitPrice"]) == pytest.approx(0.75 * float(run["ListUnitPrice"]))
    assert float(run["ContractedCost"]) == pytest.approx(0.75 * float(run["ListCost"]), rel=1e-5)
    assert run["EffectiveCost"] == run["BilledCost"] == run["ContractedCost"]


def test_a_contract_is_billed_when_it_is_bought_and_spread_over_what_it_covers() -> None:
    dossier, rows = rows_of(**LONG, purchase="reserved-1y")
    value = dossier.base.ledger.value
    (bought,) = [row for row in rows if row["ChargeCategory"] == "Purchase"]
    assert float(bought["BilledCost"]) == value("cost.committed")
    assert float(bought["EffectiveCost"]) == 0
    assert (bought["PricingCategory"], bought["ChargeFrequency"]) == ("Standard", "One-Time")
    assert bought["CommitmentDiscountType"] == "reserved-1y"
    assert bought["BillingPeriodStart"] == "2026-12-01T00:00:00Z"
    covered = [row for row in rows if row["PricingCategory"] == "Committed"]
    assert {row["ChargeDescription"] for row in covered} == {
        "Training run", "Stalls and restarts", "Evaluation", "Contract hours not used",
    }  # fmt: skip
    assert {float(row["BilledCost"]) for row in covered} == {0.0}
    assert total(covered, "EffectiveCost") == pytest.approx(value("cost.committed"), abs=CENT)
    run = described(rows, "Training run")[0]
    assert float(run["ListUnitPrice"]) == pytest.approx(value("on_demand_usd_per_gpu_hour"))
    assert float(run["ListCost"]) > float(run["EffectiveCost"])  # the contract saves money on each hour
    unused = described(rows, "Contract hours not used")[0]
    assert (unused["ConsumedQuantity"], unused["x_KWh"]) == ("", "")


def test_spot_is_dynamic_and_own_hardware_is_the_organisations() -> None:
    _, rows = rows_of(purchase="spot")
    assert described(rows, "Training run")[0]["PricingCategory"] == "Dynamic"
    _, rows = rows_of("Acme", purchase="owned")
    run = described(rows, "Training run")[0]
    assert (run["ProviderName"], run["InvoiceIssuerName"], run["PricingCategory"]) == ("Acme", "Acme", "Other")
    assert rows_of(purchase="owned")[1][0]["ProviderName"] == "Internal"


def test_tax_credits_support_and_staff_are_charges_of_their_own_kind() -> None:
    _, rows = rows_of(**LONG, **BESIDE)
    kinds = {row["ChargeDescription"]: row for row in rows}
    assert (kinds["Tax"]["ChargeCategory"], kinds["Tax"]["PricingCategory"]) == ("Tax", "")
    assert kinds["Tax"]["PricingQuantity"] == kinds["Tax"]["ListUnitPrice"] == ""
    assert kinds["Credits"]["ChargeCategory"] == "Credit"
    assert total(described(rows, "Credits"), "BilledCost") == -1000
    assert (kinds["Support plan"]["ChargeCategory"], kinds["Support plan"]["ChargeFrequency"]) == (
        "Purchase",
        "Recurring",
    )
    assert (kinds["Staff"]["PricingUnit"], kinds["Staff"]["ProviderName"]) == ("Months", "Internal")
    (moved,) = described(rows, "Data transfer out")  # once, when the run is over
    assert float(moved["PricingQuantity"]) == 500


def test_another_currency_is_that_of_all_costs_and_unit_prices() -> None:
    dossier, rows = rows_of(currency="EUR")
    run = described(rows, "Training run")[1]  # December, of a run that starts on the last of November
    value = dossier.base.ledger.value
    assert run["BillingCurrency"] == "EUR"
    assert float(run["ContractedUnitPrice"]) == pytest.approx(
        (value("price_usd_per_gpu_hour") or 0) * (value("fx_rate") or 0)
    )
    assert float(run["ContractedUnitPrice"]) * float(run["PricingQuantity"]) == pytest.approx(
        float(run["ContractedCost"]), rel=1e-5
    )


def test_names_of_the_user_are_tags_and_no_formulas() -> None:
    evil = '=HYPERLINK("http://x.example","y")'
    _, rows = rows_of(evil, purchase="owned")
    assert rows[0]["ProviderName"] == f"'{evil}"
    tags = json.loads(rows[0]["Tags"])
    assert tags == {"model": "LLaMA-13B", "method": "full", "gpu": "A100-80GB-SXM", "cost_centre": "CC-7"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("choices", [{**LONG, **BESIDE}, {**LONG, "purchase": "reserved-1y", "currency": "CNY"}])
def test_the_sheet_has_the_rows_of_the_csv(choices: Mapping[str, Any], language: Any) -> None:
    dossier, words = dossier_of("Acme", *choices_of(**choices)), words_of(language)
    told = list(csv.DictReader(io.StringIO(focus_text(dossier, words))))
    page = stored(workbook_bytes(dossier, language))[words("sheet.focus")]
    written = [list(row) for row in page.iter_rows(min_row=4, min_col=2, max_col=41, values_only=True)]
    assert written[0] == list(COLUMNS)
    assert len(written) - 1 == len(told) > 10
    for row, cells in zip(told, written[1:], strict=True):
        for column, cell in zip(COLUMNS, cells, strict=True):
            if column in NUMBERS and isinstance(cell, int | float):
                assert cell == pytest.approx(float(row[column]), rel=1e-12), column
            elif column in NUMBERS:
                assert row[column] == "" and cell in (None, words("state.not_known")), column
            else:
                assert (cell or "") == row[column], column


def test_the_sheet_says_what_it_is_and_what_it_leaves_out() -> None:
    page = stored(workbook_bytes(dossier_of(), "en"))["FOCUS forecast"]
    assert "FOCUS-shaped" in page["B2"].value and "FOCUS 1.2" in page["B2"].value
    assert page["B3"].value.startswith("Lines without a price or a month, which are no rows here (8): Pilot run, ")
    full = {"pilot_percent": 2.0, "development_multiplier": 1.5, "cpu_host_hours": 5.0, "cpu_host_usd_per_hour": 1.0}
    complete = stored(workbook_bytes(dossier_of("", *choices_of(**LONG, **BESIDE, **full)), "en"))["FOCUS forecast"]
    assert complete["B3"].value.startswith("Every line of money is in it.")


def test_rows_move_with_the_start_and_follow_a_price() -> None:
    data = workbook_bytes(dossier_of("", *choices_of(**LONG)), "en")
    again = recalculated(changed(data, in_start_date=date(2027, 1, 10), in_price_gpu_h=2.0))
    _, rows = rows_of(**{**LONG, "start_date": date(2027, 1, 10)}, price_usd_per_gpu_hour=2.0)
    page = stored(again)["FOCUS forecast"]
    cells = [dict(zip(COLUMNS, row, strict=True)) for row in page.iter_rows(5, min_col=2, max_col=41, values_only=True)]
    assert len(cells) == len(rows)
    for cell, row in zip(cells, rows, strict=True):
        assert [cell[column] for column in COLUMNS[:6]] == [row[column] for column in COLUMNS[:6]]
        for column in ("PricingQuantity", "ContractedUnitPrice", "EffectiveCost", "BilledCost"):
            assert cell[column] == pytest.approx(float(row[column]), abs=CENT), column
    assert named(again, "out_checks_ok") == 1
    assert not [value for value in results(again).values() if str(value).startswith("#")]


def test_months_that_have_money_only_now_are_a_notice() -> None:
    data = workbook_bytes(dossier_of("", *choices_of(**LONG)), "en")
    checks = {row[1]: row for row in stored(data)["Checks"].iter_rows(min_col=2, values_only=True)}
    assert checks["The FOCUS forecast adds up to the months"][6] == 1
    again = recalculated(changed(data, in_tokens=3e12))
    checks = {row[1]: row for row in stored(again)["Checks"].iter_rows(min_col=2, values_only=True)}
    found = checks["The FOCUS forecast adds up to the months"]
    assert (found[6], found[7]) == (0, "notice")
    assert found[2] < found[3] == pytest.approx(named(again, "out_cost_base"), abs=CENT)
    assert "export again" in found[8]


def test_the_file_is_whole_plain_utf_8_or_is_not_written(tmp_path: Path) -> None:
    target = tmp_path / "focus.csv"
    write_focus(dossier_of(), target, "zh")
    data = target.read_bytes()
    assert data.startswith(b"BillingPeriodStart,")  # no byte-order mark before the first name
    assert "训练" in data.decode()
    assert [path.name for path in tmp_path.iterdir()] == ["focus.csv"]
    with pytest.raises(UserError):
        write_focus(dossier_of(), tmp_path / "gone" / "focus.csv", "en")


def test_without_a_price_there_are_no_rows_of_what_costs_nothing_known() -> None:
    scenario = scenario_named("not priced")
    dossier = make_dossier([make_budget(scenario, load_catalogue())], load_catalogue())
    rows = list(csv.DictReader(io.StringIO(focus_text(dossier, words_of("en")))))
    assert not [row for row in rows if row["ServiceName"] == "GPU compute"]
