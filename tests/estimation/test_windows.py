"""Which layers see only a sliding window, and the small language by which configs are read layer by layer."""

from typing import Any

import pytest
from model_configs import DEEPSEEK, ERNIE, EXAONE, HUNYUAN, LLAMA

from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.parameters import count

MISTRAL = {**LLAMA, "model_type": "mistral", "num_key_value_heads": 8}
QWEN2 = {**MISTRAL, "model_type": "qwen2"}
GPT_OSS = {
    **MISTRAL,
    "model_type": "gpt_oss",
    "head_dim": 64,
    "num_local_experts": 32,
    "num_experts_per_tok": 4,
}
MIXED = ["sliding_attention"] * 3 + ["full_attention"] * 29


@pytest.mark.parametrize(
    ("config", "window", "windowed"),
    [
        (LLAMA, None, 0),
        ({**LLAMA, "sliding_window": 4096}, None, 0),  # the class has no window
        ({**MISTRAL, "sliding_window": 1024}, 1024, 32),
        ({**MISTRAL, "sliding_window": None}, None, 0),
        (MISTRAL, 4096, 32),  # the default of the class
        ({**QWEN2, "sliding_window": 1024}, None, 0),  # unless use_sliding_window says so
        ({**QWEN2, "sliding_window": 1024, "use_sliding_window": True, "max_window_layers": 8}, 1024, 24),
        ({**QWEN2, "sliding_window": 1024, "use_sliding_window": True, "max_window_layers": 40}, 1024, 0),
        (EXAONE, 4096, 24),
        ({**EXAONE, "sliding_window_pattern": 2}, 4096, 16),
        ({**EXAONE, "sliding_window": None, "sliding_window_pattern": None}, None, 0),
        ({**EXAONE, "layer_types": MIXED}, 4096, 3),
        ({**EXAONE, "layer_types": MIXED, "sliding_window_pattern": "LLLG"}, 4096, 3),  # the list has the say
        (GPT_OSS, 128, 16),
        ({**GPT_OSS, "sliding_window": 10**9}, 10**9, 0),  # no sequence fills it
        ({**EXAONE, "layer_types": MIXED, "sliding_window": 10**9}, 10**9, 0),
        ({**MISTRAL, "model_type": "cwm"}, 8192, 24),  # layers 0, 4, 8 ... see everything
    ],
)
def test_layers_with_a_window(config: dict[str, Any], window: int | None, windowed: int) -> None:
    spec = model_from_config(config, "test")
    assert (spec.sliding_window, spec.window_layers) == (window, windowed)


def test_only_gpt_oss_has_sinks() -> None:
    assert model_from_config(GPT_OSS, "test").attention_sinks
    assert not model_from_config(MISTRAL, "test").attention_sinks


def test_one_number_for_all_layers_or_a_list_of_it() -> None:
    listed = count(model_from_config(HUNYUAN, "test"))
    assert listed == count(model_from_config({**HUNYUAN, "moe_topk": 8}, "test"))
    assert listed.total == 80_393_183_232  # Hunyuan-A13B, the published weights


@pytest.mark.parametrize(("end", "moe_layers"), [(-1, 27), (27, 27), (None, 27), (-2, 26), (9, 9), (99, 27)])
def test_last_layer_with_experts(end: int | None, moe_layers: int) -> None:
    spec = model_from_config({**ERNIE, "moe_layer_end_index": end}, "test")
    assert spec.moe is not None
    assert spec.moe.moe_layers == moe_layers


def test_a_rank_that_is_null_is_not_a_rank_that_is_left_out() -> None:
    left_out = {key: value for key, value in DEEPSEEK.items() if key != "q_lora_rank"}
    assert count(model_from_config(left_out, "test")) == count(model_from_config(DEEPSEEK, "test"))  # the class default
    spec = model_from_config({**DEEPSEEK, "q_lora_rank": None}, "test")
    assert spec.mla is not None
    assert spec.mla.query_rank is None
    assert count(spec).attention_per_layer - count(model_from_config(DEEPSEEK, "test")).attention_per_layer == (
        4096 * 32 * 192 - (4096 * 1536 + 1536 + 1536 * 32 * 192)
    )


def test_dense_and_sparse_layers_by_name() -> None:
    words = ["dense"] * 5 + ["sparse"] * 27
    spec = model_from_config({**DEEPSEEK, "model_type": "glm4_moe_lite", "mlp_layer_types": words}, "test")
    assert spec.moe is not None
    assert spec.moe.moe_layers == 27
