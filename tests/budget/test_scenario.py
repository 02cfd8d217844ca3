"""Choices: set, reset, compared, refused."""

import pytest
from conftest import make_scenario

from desktop_app.budget.comparison import differences
from desktop_app.budget.scenario import choices, is_set, value_of, with_choice, without_choice
from desktop_app.foundation.problems import UserError


def test_a_choice_is_set_and_reset():
    scenario = make_scenario()
    assert not is_set(scenario, "gpus")
    changed = with_choice(scenario, "gpus", 64)
    assert (value_of(changed, "gpus"), is_set(changed, "gpus")) == (64, True)
    assert value_of(scenario, "gpus") == 256
    back = without_choice(changed, "gpus")
    assert (value_of(back, "gpus"), is_set(back, "gpus")) == (256, False)


@pytest.mark.parametrize(("key", "value"), [("gpus", 0), ("gpus", -3), ("tokens", 1e30), ("pue", 0.5), ("tp", "many")])
def test_a_wrong_value_is_refused_by_its_field(key, value):
    with pytest.raises(UserError) as caught:
        with_choice(make_scenario(), key, value)
    assert [problem.field for problem in caught.value.problems] == [key]


def test_an_unknown_choice_is_refused():
    with pytest.raises(UserError):
        with_choice(make_scenario(), "gpu_number", 3)


def test_keys_are_unique_over_all_parts():
    scenario = make_scenario()
    assert len(choices()) == sum(
        1
        for part in ("model", "job", "cluster", "price", "energy")
        for info in type(getattr(scenario, part)).model_fields.values()
        if info.json_schema_extra
    )


def test_differences_name_what_is_not_the_same():
    a = make_scenario()
    b = with_choice(with_choice(a, "gpus", 64), "region", "us-west-2")
    assert differences(a, b) == (("gpus", 256, 64), ("region", "us-east-1", "us-west-2"))
    assert differences(a, a) == ()
