"""Totals of released networks that were proved elsewhere: by the real model class, or by the published weights.

model_facts.csv holds the name of a preset, or the keys of a config; the total, each shared tensor once; the layers that
see only a sliding window, where the class says it; and what the total was proved by.
"""

import csv
import json
from pathlib import Path

import pytest

from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import model_named, presets

with (Path(__file__).parent / "model_facts.csv").open(encoding="utf-8", newline="") as file:
    FACTS = list(csv.DictReader(file))
UNPROVED = {"InternLM-7B"}  # no class in transformers, and no exact total at hand


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["model"])
def test_total_of_a_released_network(fact: dict[str, str]) -> None:
    given = fact["config"]
    spec = model_from_config(json.loads(given), fact["model"]) if given else model_named(fact["model"])
    assert count(spec).whole == int(fact["total"])
    assert not spec.text_part_only
    if fact["window_layers"]:
        assert spec.window_layers == int(fact["window_layers"])


def test_every_preset_is_proved() -> None:
    proved = {fact["model"] for fact in FACTS}
    assert {spec.name for spec in presets()} - proved == UNPROVED
