"""Whatever a file holds, reading it ends in a network that can be counted or in a sentence."""

import copy
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_configs import ALL, VALIDATION, needs_validation

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

# keys whose absence is a statement of its own: the class has a default that differs from the released value
SPEAKING = frozenset(
    [
        "deepstack_visual_indexes", "do_layer_norm_before", "feed_forward_proj", "head_dim",
        "interleave_moe_layer_step",
        "model_type", "new_decoder_architecture", "num_attention_heads", "num_key_value_heads", "num_kv_heads",
        "q_lora_rank", "qk_layernorm", "tie_word_embeddings", "use_parallel_residual", "use_qk_norm", "use_qkv_bias",
        "vocab_size", "word_embed_proj_dim",
    ]
)  # fmt: skip


@lru_cache
def released() -> tuple[dict[str, Any], ...]:
    """The released configs of the shared validation data."""
    return tuple(
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((VALIDATION / "configs").glob("*.json"))
    )


def without(config: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """The config without one key."""
    changed = copy.deepcopy(config)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    del inside[path[-1]]
    return changed


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
    config = copy.deepcopy(draw(st.sampled_from((*ALL, *released()))))
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
    assert 0 < parts.active <= parts.total <= parts.whole
    assert 0 <= spec.window_layers <= spec.layers
    assert (spec.tower is None) == (parts.tower == 0)
    assert hash(spec) == hash(spec.model_copy())
    if spec.kind == "decoder":
        assert 0 < lora_params(spec, 8, "qv") <= lora_params(spec, 8, "all-linear")


@needs_validation
def test_released_configs_with_one_key_dropped_are_exact_or_refused() -> None:
    refused = answered = 0
    for config in released():
        if config["model_type"] in ("jamba", "qwen3_5_moe"):
            continue
        whole = count(model_from_config(config, "whole"))
        for path in keys_of(config):
            try:
                spec = model_from_config(without(config, path), "dropped")
            except UserError as error:
                check(error)
                refused += 1
                continue
            if path[0] == "vision_config":
                assert count(spec).total == whole.total, path
                assert spec.text_part_only or count(spec) == whole or path[-1] in ("image_size", "vision_use_head"), (
                    path
                )
            elif path[-1] not in SPEAKING:
                assert count(spec) == whole, (config["model_type"], path)
            answered += 1
    assert (refused, answered) >= (800, 1400)


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
