"""The hours that a panel is asked for: whole nodes times hours, rounded before they are added up."""

from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import with_choices
from desktop_app.budget.work_plan import GPU_HOURS, NODE_HOURS, NODES, WorkPlan, work_plan
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)


def plan_of(**choices: object) -> WorkPlan:
    scenario = with_choices(example_scenario("llama_13b_256", TODAY), choices)
    return work_plan(make_budget(scenario, load_catalogue()))


def test_node_hours_are_gpu_hours_over_the_gpus_of_a_node() -> None:
    values = plan_of().values
    assert values[NODES] == 32
    assert values["plan.run.gpu_hours"] == pytest.approx(values["run_gpu_hours"], abs=0.05)
    assert values["plan.run.node_hours"] == pytest.approx(values["run_gpu_hours"] / 8, abs=0.05)
    assert values["plan.run.hours"] == pytest.approx(values["run_gpu_hours"] / 256, abs=0.05)


def test_sums_are_those_of_the_printed_rows() -> None:
    plan = plan_of(pilot_percent=3.0, development_multiplier=1.5, idle_hours=7.25)
    for what, key in (("gpu_hours", GPU_HOURS), ("node_hours", NODE_HOURS)):
        rows = [plan.values[f"plan.{work.name}.{what}"] for work in plan.works]
        assert None not in rows
        assert plan.values[key] == pytest.approx(sum(rows), abs=1e-6)


def test_what_nobody_stated_is_unknown_and_in_no_sum() -> None:
    values = plan_of().values
    assert values["plan.development.gpu_hours"] is None
    known = sum(values[f"plan.{name}.gpu_hours"] for name in ("run", "lost", "evaluation"))
    assert values[GPU_HOURS] == pytest.approx(known, abs=1e-6)


def test_whole_nodes_are_counted() -> None:
    values = plan_of(gpus=12, gpus_per_node=8, tokens=1e9).values
    assert values[NODES] == 2
    assert values["plan.run.node_hours"] == pytest.approx(values["run_gpu_hours"] / 12 * 2, abs=0.05)


def test_a_run_without_an_end_has_no_sum() -> None:
    values = plan_of(mtbf_gpu_hours=1.0).values
    assert values["goodput"] is None
    assert values[NODE_HOURS] is None and values[GPU_HOURS] is None
