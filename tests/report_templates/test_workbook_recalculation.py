"""The stored results are what a spreadsheet program computes, and the formulas are alive."""

from __future__ import annotations

import shutil
from random import Random

import pytest
from workbook_tools import (
    CENT,
    SCENARIOS,
    TODAY,
    budget_named,
    changed,
    differences,
    formulas,
    load,
    named,
    recalculated,
    recalculated_by_libreoffice,
    results,
    scenario_named,
    stored,
    typed,
    workbook_named,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import make_dossier
from desktop_app.budget.scenario import Scenario, with_choice
from desktop_app.estimation.gpus import gpu_names
from desktop_app.estimation.presets import preset_names
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes


@pytest.mark.parametrize("name", SCENARIOS)
def test_formualizer_computes_every_stored_result(name):
    data = workbook_named(name)
    ours = results(data)
    assert len(ours) > 400
    empty = [place for place, value in ours.items() if value is None]  # how openpyxl reads an empty text
    assert all('""' in formulas(data)[place] for place in empty)
    assert differences(ours, results(recalculated(data))) == []


def test_formualizer_computes_every_stored_result_in_chinese():
    data = workbook_named("dense", "zh")
    assert differences(results(data), results(recalculated(data))) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice (soffice) is not installed")
@pytest.mark.parametrize("name", SCENARIOS)
def test_libreoffice_computes_every_stored_result(name, tmp_path):
    language = "zh" if name in ("MoE", "not priced") else "en"
    data = workbook_named(name, language)
    again = recalculated_by_libreoffice(data, tmp_path)
    assert differences(results(data), results(again, formulas(data))) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_named_results_are_the_figures_of_the_ledger(name):
    data, value = workbook_named(name), budget_named(name).ledger.value
    for cell, key, divisor in (
        ("out_cost_base", "cost.total", 1),
        ("out_request", "cost.ask", 1),
        ("out_cost_p90", "cost.total.p90", 1),
        ("out_gpu_hours", "gpu_hours", 1),
        ("out_wall_days", "wall_days", 1),
        ("out_kwh", "energy_facility_kwh", 1),
        ("out_tco2e_location", "co2e_kg_location", 1000),
        ("out_mem_peak_gib", "memory.peak", 2**30),
    ):
        expected = value(key)
        shown = named(data, cell)
        if expected is None:
            assert isinstance(shown, str) and shown, cell
        else:
            assert shown == pytest.approx(expected / divisor, rel=1e-12), cell


def test_the_changes_of_a_test_reach_the_judge():
    data = changed(workbook_named("dense"), in_price_gpu_h=999.0)
    assert named(recalculated(data), "out_cost_base") > 50 * named(workbook_named("dense"), "out_cost_base")


LIVE = {
    "in_price_gpu_h": ("price_usd_per_gpu_hour", 2.125),
    "in_tokens": ("tokens", 2.5e12),
    "in_pue": ("pue", 1.41),
    "in_ci_location": ("grid_g_per_kwh", 52.5),
    "in_fx": ("fx_rate", 7.1),
    "in_evaluation_percent": ("evaluation_percent", 12.5),
    "in_mtbf_gpu_h": ("mtbf_gpu_hours", 3000),
    "in_restart_minutes": ("restart_minutes", 45),
    "in_stall_share": ("data_stall_share", 0.08),
}
FIGURES = {
    "out_cost_base": "cost.total",
    "out_gpu_hours": "gpu_hours",
    "out_wall_days": "wall_days",
    "out_kwh": "energy_facility_kwh",
}


@pytest.mark.parametrize("cell", LIVE)
def test_a_changed_input_gives_what_the_program_gives(cell):
    again, moved = _compared_with_the_program("euro" if cell == "in_fx" else "dense", [cell])
    assert moved, "the change did nothing"
    assert named(again, "out_checks_ok") == 1


@pytest.mark.parametrize("name", ["MoE", "LoRA on one GPU", "euro", "reserved"])
def test_all_changed_inputs_together_give_what_the_program_gives(name):
    in_usd = budget_named(name).currency == "USD"  # of which there is no rate to change
    again, moved = _compared_with_the_program(name, [cell for cell in LIVE if not (in_usd and cell == "in_fx")])
    assert moved == len(FIGURES) + 1
    assert named(again, "out_checks_ok") == 1


def _compared_with_the_program(name, cells):
    """The recalculated workbook after the changes, and how many figures they moved."""
    again = recalculated(changed(workbook_named(name), **{cell: LIVE[cell][1] for cell in cells}))
    scenario = scenario_named(name)
    for cell in cells:
        scenario = with_choice(scenario, *LIVE[cell])
    expected, before = make_budget(scenario, load_catalogue()).ledger.value, budget_named(name).ledger.value
    for shown, key in FIGURES.items():
        assert named(again, shown) == pytest.approx(expected(key), abs=CENT, rel=1e-9), key
    assert named(again, "out_tco2e_location") == pytest.approx(expected("co2e_kg_location") / 1000, rel=1e-9)
    return again, sum(expected(key) != before(key) for key in (*FIGURES.values(), "co2e_kg_location"))


@pytest.mark.parametrize("name", ["development", "development in euro"])
def test_development_is_a_row_of_its_own_that_adds_up_and_moves(name):
    budget, data = budget_named(name), workbook_named(name)
    label, rows = words_of("en")("ledger.cost.development"), [line.amount or 0 for line in budget.cost_lines]
    shown = {cell.value for row in stored(data)["Summary"].iter_rows() for cell in row}
    assert label in shown
    assert sum(rows) == pytest.approx(named(data, "out_cost_base"), abs=CENT)
    again = recalculated(changed(data, in_dev_multiplier=3.25))
    scenario = with_choice(scenario_named(name), "development_multiplier", 3.25)
    expected = make_budget(scenario, load_catalogue()).ledger.value
    for cell, key in FIGURES.items():
        assert named(again, cell) == pytest.approx(expected(key), abs=CENT, rel=1e-9), key
    assert expected("gpu_hours") == budget.ledger.value("gpu_hours")  # the final run stays
    assert named(again, "out_checks_ok") == 1


def test_a_run_that_never_finishes_has_no_figures_in_the_workbook():
    data = workbook_named("never finishes")
    for cell in ("out_wall_days", "out_gpu_hours", "out_goodput", "out_kwh", "out_cost_base"):
        assert named(data, cell) == "Never finishes", cell


def test_a_price_that_is_typed_in_brings_an_unpriced_budget_to_life():
    data = workbook_named("not priced")
    assert named(data, "out_cost_base") == "not priced"
    again = recalculated(changed(data, in_price_gpu_h=2.5))
    scenario = with_choice(scenario_named("not priced"), "price_usd_per_gpu_hour", 2.5)
    expected = make_budget(scenario, load_catalogue()).ledger.value("cost.total")
    assert named(again, "out_cost_base") == pytest.approx(expected, abs=CENT)


def test_a_price_that_is_deleted_is_not_priced_and_not_nought():
    again = recalculated(changed(workbook_named("dense"), in_price_gpu_h=None))
    assert named(again, "out_cost_base") == "not priced"
    assert named(again, "out_request") == "not priced"
    assert named(again, "out_checks_ok") == 0
    assert not [value for value in results(again).values() if str(value).startswith("#")]


@pytest.mark.parametrize(
    ("cell", "value"), [("in_seq_len", 4096), ("in_gpu_count", 128), ("in_global_batch", 4096), ("in_gpus_per_node", 4)]
)
def test_a_changed_engine_input_turns_the_checks_red(cell, value):
    again = recalculated(changed(workbook_named("dense"), **{cell: value}))
    assert named(workbook_named("dense"), "out_checks_ok") == 1
    assert named(again, "out_checks_ok") == 0
    assert "An input changed that the engine must recompute. Re-run in the app." in results(again).values()


def test_a_changed_word_of_the_job_turns_the_checks_red():
    data = workbook_named("dense")
    row = next(cell.row for cell in load(data)["Inputs"]["C"] if cell.value == "Precision")
    assert load(data)["Inputs"][f"E{row}"].value == "bf16-mixed"
    assert named(recalculated(typed(data, "Inputs", f"E{row}", "fp8")), "out_checks_ok") == 0


def test_a_damaged_formula_turns_the_checks_red():
    data = workbook_named("dense")
    sheet, address = next(place for place, text in formulas(data).items() if place[0] == "Cost" and "ROUND" in text)
    again = recalculated(typed(data, sheet, address, 1.0))
    assert named(again, "out_checks_ok") == 0


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_checks_pass_as_exported(name):
    fits = budget_named(name).estimate.fits
    assert named(workbook_named(name), "out_checks_ok") == (0 if fits == "no" else 1)


def test_a_job_that_does_not_fit_fails_the_checks():
    scenario = with_choice(scenario_named("eight GPUs"), "sharding", "none")
    for key, value in (("tp", 1), ("pp", 1), ("micro_batch", 1), ("recompute", "full")):
        scenario = with_choice(scenario, key, value)
    budget = make_budget(scenario, load_catalogue())
    assert budget.estimate.fits == "no"
    data = workbook_bytes(make_dossier([budget], load_catalogue()), "en")
    assert named(data, "out_checks_ok") == 0
    assert named(data, "out_mem_fits") == "No"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_formualizer_agrees_on_random_scenarios(seed):
    """Any model on any GPU, any count, any purchase: no difference, no error value, and the checks pass."""
    random, seen = Random(seed), 0
    while seen < 10:
        scenario = _random_scenario(random)
        try:
            budget = make_budget(scenario, load_catalogue())
        except UserError:
            continue  # a job that cannot run there
        seen += 1
        data = workbook_bytes(make_dossier([budget], load_catalogue()), random.choice(["en", "zh"]))
        ours = results(data)
        assert differences(ours, results(recalculated(data), ours)) == [], scenario
        assert not [value for value in ours.values() if str(value).startswith("#")], scenario
        assert named(data, "out_checks_ok") == (0 if budget.estimate.fits == "no" else 1), scenario


def _random_scenario(random):
    catalogue = load_catalogue()
    values = {
        "today": TODAY,
        "model": {"model": random.choice(preset_names())},
        "job": {
            "tokens": 10 ** random.uniform(6, 13),
            "sequence_length": random.choice([512, 2048, 8192]),
            "method": random.choice(["full", "lora", "qlora"]),
        },
        "cluster": {"gpu": random.choice(gpu_names()), "gpus": random.choice([1, 8, 64, 1024, 16384])},
        "price": {
            "provider": random.choice(["aws", *catalogue.providers()]),
            "purchase": random.choice(
                ["on-demand", "spot", "reserved-1y", "reserved-1mo", "owned", "capacity-block", "flex-start"]
            ),
            "currency": random.choice(["USD", "EUR", "CNY", "JPY"]),
        },
    }
    return validated(Scenario, values)


def test_a_price_that_is_typed_over_has_no_range_any_more():
    names = ("out_cost_p10", "out_cost_p80", "out_cost_p90")
    again = recalculated(changed(workbook_named("dense"), in_price_gpu_h=2.5, in_pue=1.3))
    scenario = with_choice(scenario_named("dense"), "price_usd_per_gpu_hour", 2.5)
    expected = make_budget(with_choice(scenario, "pue", 1.3), load_catalogue()).ledger.value
    for name in names:
        assert named(again, name) == pytest.approx(expected(f"cost.total.{name[-3:]}"), abs=1)
    unpriced = recalculated(changed(workbook_named("not priced"), in_price_gpu_h=2.5))
    assert named(unpriced, "out_cost_p80") > named(unpriced, "out_cost_base")


def test_the_summary_shows_p80_and_what_a_contract_binds():
    page = load(workbook_named("reserved"), values=True)["Summary"]
    labels = {page[f"B{row}"].value: row for row in range(4, 20)}
    heads = next(row for row in range(1, 9) if page[f"B{row}"].value == "Figure")
    assert [page[f"{column}{heads}"].value for column in "EFGH"] == ["P10", "P50", "P80", "P90"]
    ledger = budget_named("reserved").ledger
    assert page[f"G{labels['Wall time']}"].value == pytest.approx(ledger.value("wall_days.p80"))
    assert page[f"C{labels['Committed by contract']}"].value == ledger.value("cost.committed")
    dense = load(workbook_named("dense"), values=True)
    words = [str(cell.value) for sheet in dense for row in sheet.iter_rows() for cell in row if cell.value]
    assert not [text for text in words if "Committed by contract" in text]
