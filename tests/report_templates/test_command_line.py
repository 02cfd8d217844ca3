"""The command that a proposal prints gives the scenario again."""

import shlex
from datetime import date

import pytest

from desktop_app.budget.budget import make_budget
from desktop_app.budget.examples import example_scenario
from desktop_app.budget.scenario import Scenario, choices, is_set, value_of, with_choices, with_model_file
from desktop_app.cli.arguments import Parser, add_choices, scenario_of
from desktop_app.estimation.presets import model_named
from pricing.catalogue import load_catalogue
from report_templates.command_line import command_line
from report_templates.fingerprint import result_mark

TODAY = date(2026, 11, 30)
PLAIN = Scenario(today=TODAY)


def typed(command: str) -> Scenario:
    """What the command line makes of a command."""
    parser = Parser(prog="training-budget report")
    parser.add_argument("--pdf")
    parser.add_argument("--language")
    add_choices(parser)
    words = shlex.split(command)
    assert words[:2] == ["training-budget", "report"]
    return scenario_of(parser.parse_args(words[2:]), None)


@pytest.mark.parametrize(
    "scenario",
    [
        PLAIN,
        example_scenario("llama_13b_256", TODAY),
        example_scenario("llama2_7b_lora", TODAY),
        with_choices(PLAIN, {"tokens": 1.23456789e11, "discount_percent": 12.5, "even_routing": True, "cp": 2}),
        with_choices(PLAIN, {"provider": 'a b\'s "c" $(x)', "region": "x", "price_usd_per_gpu_hour": 0.1}),
        with_choices(PLAIN, {"start_date": "2027-01-15", "currency": "CNY", "fx_rate": 7.1, "purchase": "owned"}),
    ],
)
def test_command_gives_the_same_figures_again(scenario: Scenario) -> None:
    again = typed(command_line(scenario, "en"))
    marks = {result_mark(make_budget(one, load_catalogue())) for one in (again, scenario)}
    assert len(marks) == 1
    for key in choices():
        if value_of(scenario, key) is not None:  # what is left to the program by hand is left to it again
            assert value_of(again, key) == value_of(scenario, key), key
            assert is_set(again, key) == is_set(scenario, key), key


def test_a_model_of_ones_own_stands_for_its_file() -> None:
    own = model_named("LLaMA-13B").model_copy(update={"name": "ours"})
    words = shlex.split(command_line(with_model_file(PLAIN, own), "zh"))
    assert words[words.index("--model") + 1] == "config.json"
    assert words[words.index("--language") + 1] == "zh"
