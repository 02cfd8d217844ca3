"""Energy and carbon by part, worked out on paper: GPUs, hosts, network, waiting nodes, embodied, SCI."""

import pytest
from paper_budgets import RATING, make_catalogue, make_paper_budget, make_scenario

from desktop_app.foundation.wording import words_of

# 1,000 steps x 36 s = 10 h on two nodes of 8; 4.8 kW a node, TDP 400 W.
SMALL = {"job": {"tokens": 1e9, "sequence_length": 1000, "global_batch": 1000}, "cluster": {"gpus": 16}}


def budget_of(energy=None, beside=None, catalogue=None, **parts):
    scenario = make_scenario(beside, **{**SMALL, **parts}, energy=energy or {})
    return make_paper_budget(scenario, catalogue, step_time_s=36.0)


def test_gpus_hosts_and_network_add_up_to_the_energy_of_the_machines():
    value = budget_of({"network_power_percent": 15}).ledger.value
    hours = value("energy_gpu_hours")
    assert value("energy_gpus_kwh") == pytest.approx(0.4 * hours)  # by the meter of the GPU itself
    assert value("energy_hosts_kwh") == pytest.approx(0.2 * hours)  # 0.6 kW of the node less the GPU
    assert value("energy_network_kwh") == pytest.approx(0.09 * hours)  # 15 % of 0.6 kW
    parts = sum(value(f"energy_{name}_kwh") for name in ("gpus", "hosts", "network"))
    assert value("energy_it_kwh") == pytest.approx(parts)
    assert value("energy_facility_kwh") == pytest.approx(parts * 1.25)


def test_a_single_node_has_no_fabric_and_several_have_a_dated_share():
    one = make_scenario(job=SMALL["job"], cluster={"gpus": 8}, energy={"network_power_percent": None})
    assert make_paper_budget(one, step_time_s=36.0).ledger.value("network_kw_per_gpu") == 0
    two = make_scenario(**SMALL, energy={"network_power_percent": None})
    line = make_paper_budget(two, step_time_s=36.0).ledger["network_power_percent"]
    assert (line.given, line.tag, line.source.as_of) == (15, "default", "2026")


def test_waiting_nodes_draw_what_is_stated_and_are_named_where_nobody_knows():
    unknown = budget_of(beside={"idle_hours": 5})
    assert unknown.ledger.value("energy_idle_kwh") is None
    assert "problem.no_idle_power" in {problem.key for problem in unknown.problems}
    known = budget_of({"idle_node_kw": 1.6}, {"idle_hours": 5})
    assert known.ledger.value("energy_idle_kwh") == pytest.approx(16 * 5 * 0.2)
    difference = known.ledger.value("energy_it_kwh") - unknown.ledger.value("energy_it_kwh")
    assert difference == pytest.approx(16.0)


def test_a_pilot_and_development_draw_power_like_the_run():
    plain, more = budget_of(), budget_of(beside={"pilot_percent": 10}, price={"development_multiplier": 2})
    run, hours = plain.ledger.value("gpu_hours"), more.ledger.value("energy_gpu_hours")
    assert hours - plain.ledger.value("energy_gpu_hours") == pytest.approx(run + 16.0)  # once more, and 10 % of 160


def test_the_market_based_figure_stands_beside_the_other_and_changes_nothing_else():
    value = budget_of({"market_g_per_kwh": 20}).ledger.value
    assert value("co2e_kg_market") == pytest.approx(value("energy_facility_kwh") * 20 / 1000)
    assert value("co2e_kg_location") == pytest.approx(value("energy_facility_kwh") * 250 / 1000)
    # ISO/IEC 21031: (E x I + M), of the grid, whatever certificates were bought
    assert value("sci_kg_per_run") == pytest.approx(value("co2e_kg_location") + value("co2e_kg_embodied"))
    assert value("sci_kg_per_trillion_tokens") == pytest.approx(1000 * value("sci_kg_per_run"))  # of 1e9 tokens


def test_unknown_hardware_makes_the_intensity_unknown_and_never_smaller():
    ledger = budget_of(catalogue=make_catalogue(cards=(), ratings=(RATING,))).ledger
    assert ledger.value("co2e_kg_embodied") is None
    assert ledger.value("sci_kg_per_run") is None
    assert ledger.value("co2e_kg_location") is not None


def test_the_factor_of_the_grid_names_its_year_method_and_scope():
    line = budget_of().ledger["grid_g_per_kwh"]
    assert line.source.as_of == "2023"
    assert "average" in line.row_text
    assert words_of("en")("ledger.co2e_kg_location") != words_of("en")("ledger.co2e_kg_market")


def test_no_part_of_the_energy_is_negative_whatever_power_is_typed_in():
    value = budget_of({"node_power_kw": 1.0}).ledger.value  # 8 GPUs alone draw 3.2 kW
    assert value("energy_hosts_kwh") == 0
    assert value("energy_gpus_kwh") == pytest.approx(value("energy_it_kwh"))
