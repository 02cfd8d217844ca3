"""The long table of all figures: each the value of its ledger line, the same on the sheet Data and in the CSV."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas
import pytest
from workbook_tools import formulas, load, scenario_named, stored

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.scenario import with_choice
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.tidy_csv import tidy_text, write_tidy
from report_templates.workbook import workbook_bytes

HEADINGS = ["Case", "Name of the case", "Metric", "Percentile", "Value", "Unit", "Remark", "Key", "As of", "Source"]


@lru_cache(maxsize=1)
def dossier() -> Dossier:
    """Two scenarios with their ways of purchase and alternatives, the second named badly."""
    budgets = [make_budget(scenario_named(name), load_catalogue()) for name in ("euro", "spot")]
    named = budgets[1].scenario.model_copy(update={"name": "=1+1"})
    return make_dossier([budgets[0], make_budget(named, load_catalogue())], load_catalogue())


@lru_cache(maxsize=1)
def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(tidy_text(dossier(), words_of("en")))))


def cases() -> dict[str, Budget]:
    whole = dossier()
    return {
        **dict(zip("AB", whole.budgets, strict=True)),
        **{f"P{number}": budget for number, budget in enumerate(whole.purchases, 1)},
        **{f"X{number}": other.budget for number, other in enumerate(whole.alternatives, 1)},
    }


def test_every_case_is_there_and_every_value_is_that_of_its_ledger() -> None:
    assert list(rows()[0]) == HEADINGS
    assert {row["Case"] for row in rows()} == cases().keys() >= {"A", "B", "P1", "X3"}
    for row in rows():
        ledger = cases()[row["Case"]].ledger
        key = row["Key"] if row["Percentile"] == "base" else f"{row['Key']}.{row['Percentile'].lower()}"
        value = ledger.value(key)
        if value is None:
            assert row["Value"] == "" and row["Remark"] in ("not priced", "Not known"), key
        else:
            factor = 100 if ledger[key].unit == "share" else 1
            assert float(row["Value"]) == pytest.approx(value * factor, rel=1e-14) and not row["Remark"], key


def test_each_figure_stands_once() -> None:
    found = [(row["Case"], row["Key"], row["Percentile"]) for row in rows()]
    assert len(found) == len(set(found)) > 1000


def test_headlines_have_percentiles_and_lines_of_money_all_their_parts() -> None:
    of_base = [row for row in rows() if row["Case"] == "A"]
    for key in ("cost.total", "wall_days", "gpu_hours", "energy_facility_kwh", "co2e_kg_location"):
        assert [row["Percentile"] for row in of_base if row["Key"] == key] == ["base", "P10", "P50", "P80", "P90"]
    keys = {row["Key"] for row in of_base}
    for line in dossier().base.cost_lines:
        assert {line.key, line.quantity_line.key} <= keys
        assert line.unit_price_line is None or line.unit_price_line.key in keys
    for group in ("memory", "energy", "carbon"):
        assert {line.key for line in dossier().base.ledger.group(group)} <= keys  # type: ignore[arg-type]
    lines = {line.key for line in dossier().base.cost_lines}
    amounts = [float(row["Value"]) for row in of_base if row["Key"] in lines and row["Value"]]
    assert sum(amounts) == pytest.approx(dossier().base.ledger.value("cost.total"))


def test_units_sources_and_dates() -> None:
    def one(case: str, key: str) -> dict[str, str]:
        return next(row for row in rows() if (row["Case"], row["Key"]) == (case, key))

    assert (one("A", "cost.run")["Unit"], one("B", "cost.run")["Unit"]) == ("EUR", "EUR")
    assert one("A", "cost.run")["As of"] == one("A", "price_usd_per_gpu_hour")["As of"] == "2026-07-20"
    assert "aws us-east-1 p4de.24xlarge" in one("A", "cost.run")["Source"]
    assert one("A", "wall_days")["Source"] == "computed"
    efficiency = one("A", "mfu")
    assert efficiency["Unit"] == "%" and 20 < float(efficiency["Value"]) < 70
    assert one("A", "memory.peak")["Unit"] == "bytes"


def test_a_name_like_a_formula_stays_a_text() -> None:
    assert {row["Name of the case"] for row in rows() if row["Case"] == "B"} == {"'=1+1"}
    page = load(workbook_bytes(dossier(), "en"))["Data"]
    evil = [cell for cell in page["C"] if cell.value == "=1+1"]
    assert evil and all(cell.data_type == "s" and cell.quotePrefix for cell in evil)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sheet_is_the_csv_in_plain_numbers(language: Any) -> None:
    data, words = workbook_bytes(dossier(), language), words_of(language)
    page = stored(data)[words("sheet.data")]
    assert not [place for place in formulas(data) if place[0] == page.title and place[1] != "H1"]  # the light
    written = [list(row) for row in page.iter_rows(min_row=4, min_col=2, max_col=11, values_only=True)]
    told = list(csv.reader(io.StringIO(tidy_text(dossier(), words))))
    assert written[0] == told[0]
    for cells, row in zip(written[1:], told[1:], strict=True):
        value = cells.pop(4)
        number = row.pop(4)
        assert [str(cell or "") for cell in cells] == [text.removeprefix("'") for text in row]
        assert value is None if number == "" else value == pytest.approx(float(number), rel=1e-14)


def test_the_sheet_is_a_table_with_a_name_that_pandas_reads() -> None:
    data = workbook_bytes(dossier(), "en")
    page = load(data)["Data"]
    (table,) = page.tables.values()
    assert (table.name, [column.name for column in table.tableColumns]) == ("figures", HEADINGS)
    assert table.ref == f"B4:K{page.max_row}"
    assert not page.merged_cells.ranges
    frame = pandas.read_excel(io.BytesIO(data), sheet_name="Data", header=3, usecols="B:K")
    base = frame[(frame["Case"] == "A") & (frame["Percentile"] == "P80")].set_index("Key")["Value"]
    assert base["wall_days"] == pytest.approx(dossier().base.ledger.value("wall_days.p80"))


def test_the_file_is_whole_utf_8_with_a_mark_or_is_not_written(tmp_path: Path) -> None:
    target = tmp_path / "figures.csv"
    write_tidy(dossier(), target, "zh")
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")
    assert target.read_text("utf-8-sig").startswith("情况,情况名称,指标,百分位,数值,")
    assert [path.name for path in tmp_path.iterdir()] == ["figures.csv"]
    with pytest.raises(UserError):
        write_tidy(dossier(), tmp_path / "gone" / "figures.csv", "en")


def test_a_run_that_never_ends_says_so() -> None:
    scenario = with_choice(scenario_named("never finishes"), "tax_percent", 10.0)
    endless = make_dossier([make_budget(scenario, load_catalogue())], load_catalogue())
    told = csv.DictReader(io.StringIO(tidy_text(endless, words_of("en"))))
    found = {row["Key"]: row for row in told if row["Case"] == "A"}
    assert (found["wall_days"]["Value"], found["wall_days"]["Remark"]) == ("", "Never finishes")
    assert found["cost.total"]["Remark"] == "Never finishes"
