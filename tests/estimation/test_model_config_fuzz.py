"""Whatever a file holds, reading it ends in a network that can be counted or in a sentence."""

import copy
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_configs import ALL

from desktop_app.estimation.huggingface import model_from_config, read_config
from desktop_app.estimation.lora import lora_params
from desktop_app.estimation.parameters import count
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import LANGUAGES, words_of

NUMBERS = st.one_of(st.integers(-(10**12), 10**12), st.integers(0, 64), st.sampled_from([10**400, 2**63, -1, 0, 1]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


def keys_of(config: dict[str, Any]) -> list[tuple[str, ...]]:
    """Every key of a config as a path, those of objects inside too."""
    paths: list[tuple[str, ...]] = []
    for key, value in config.items():
        paths.append((key,))
        if isinstance(value, dict):
            paths.extend((key, *path) for path in keys_of(value))
    return paths


@st.composite
def damaged_configs(draw: st.DrawFn) -> dict[str, Any]:
    """A good config with up to three keys dropped or replaced by something else."""
    config = copy.deepcopy(draw(st.sampled_from(ALL)))
    for _ in range(draw(st.integers(1, 3))):
        *outer, last = draw(st.sampled_from(keys_of(config)))
        inside: Any = config
        for key in outer:
            inside = inside[key]
        if draw(st.booleans()):
            inside[last] = draw(VALUES)
        else:
            del inside[last]
        if not config:
            break
    return config


def check(error: UserError) -> None:
    for problem in error.problems:
        assert problem.field == "model"
        for language in LANGUAGES:
            assert words_of(language).sentence(problem).isprintable()


@given(damaged_configs())
@settings(max_examples=300, deadline=None)
def test_damaged_config(config: dict[str, Any]) -> None:
    try:
        spec = model_from_config(config, "damaged")
    except UserError as error:
        check(error)
        return
    parts = count(spec)
    assert 0 < parts.active <= parts.total
    assert hash(spec) == hash(spec.model_copy())
    if spec.kind == "decoder":
        assert 0 < lora_params(spec, 8, "qv") <= lora_params(spec, 8, "all-linear")


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    try:
        read_config(path)
    except UserError as error:
        check(error)


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_file_name(name: str) -> None:
    try:
        read_config(Path("no-such-folder") / name)
    except UserError as error:
        check(error)
