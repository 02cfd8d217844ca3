"""Configs that cannot be read: one plain sentence on the choice "model", in both languages, never a traceback."""

import json
import os
from pathlib import Path

import pytest
from model_configs import ALL, DBRX, DEEPSEEK, ERNIE, EXAONE, GPT2, HUNYUAN, LLAMA, MIXTRAL, QWEN_MOE

from desktop_app.estimation.config_file import SIZE_LIMIT_BYTES
from desktop_app.estimation.huggingface import model_from_config, read_config
from desktop_app.estimation.parameters import count
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of


def sentence_of(error: UserError) -> str:
    """The English sentence; checks that the problem stands on "model" and that there is a Chinese one."""
    (problem,) = error.problems
    assert problem.field == "model"
    chinese, english = words_of("zh").sentence(problem), words_of("en").sentence(problem)
    assert chinese != english
    assert "\n" not in english
    assert "{" not in english.replace("{...}", "")
    return english


def refusal(config: dict) -> str:
    with pytest.raises(UserError) as caught:
        model_from_config(config, "test")
    return sentence_of(caught.value)


def file_refusal(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_config(path)
    return sentence_of(caught.value)


def without(config: dict, key: str) -> dict:
    return {name: value for name, value in config.items() if name != key}


@pytest.mark.parametrize(
    ("config", "part"),
    [
        (without(LLAMA, "model_type"), "no model_type"),
        ({**LLAMA, "model_type": 7}, "model_type is 7"),
        ({**LLAMA, "model_type": "my-own-model"}, "kind we do not know: my-own-model"),
        ({**LLAMA, "model_type": "*"}, "kind we do not know: *"),
        ({**LLAMA, "model_type": "mamba2"}, "state-space or hybrid"),
        ({**LLAMA, "mamba_d_state": 16}, "state-space or hybrid"),
        ({**LLAMA, "layer_types": ["full_attention", "linear_attention"]}, "state-space or hybrid"),
        (without(LLAMA, "hidden_size"), "does not have hidden_size"),
        ({**LLAMA, "num_hidden_layers": None}, "does not have num_hidden_layers"),
        (without(GPT2, "n_layer"), "does not have n_layer"),
        (without(MIXTRAL, "num_local_experts"), "does not have num_local_experts"),
        (without(MIXTRAL, "num_key_value_heads"), "does not have num_key_value_heads"),
        ({**LLAMA, "hidden_size": -4096}, "hidden_size is -4096"),
        ({**LLAMA, "num_hidden_layers": 0}, "num_hidden_layers is 0 in this config; it must be a whole number from 1"),
        ({**LLAMA, "vocab_size": 10**30}, "vocab_size is 1000000000000000000000000000000"),
        ({**LLAMA, "vocab_size": 10**5000}, "vocab_size is 1e5000"),
        ({**LLAMA, "hidden_size": 5_000_000}, "from 1 to 1,000,000"),
        ({**LLAMA, "hidden_size": "4096"}, 'hidden_size is "4096"'),
        ({**LLAMA, "hidden_size": 4096.0}, "hidden_size is 4096.0"),
        ({**LLAMA, "hidden_size": True}, "hidden_size is True"),
        ({**LLAMA, "hidden_size": float("nan")}, "hidden_size is nan"),
        ({**LLAMA, "hidden_size": float("inf")}, "hidden_size is inf"),
        ({**LLAMA, "hidden_size": [4096]}, "hidden_size is [...]"),
        ({**LLAMA, "attention_bias": "yes"}, "attention_bias is yes in this config; it must be true or false"),
        ({**LLAMA, "hidden_act": "magic\n\x07"}, "hidden_act is magic ?"),
        ({**LLAMA, "hidden_act": 3}, "hidden_act is 3"),
        ({**LLAMA, "num_attention_heads": 33}, "4,096 cannot be divided by 33"),
        ({**LLAMA, "num_attention_heads": 0}, "num_attention_heads is 0"),
        ({**LLAMA, "num_key_value_heads": 5}, "32 attention heads cannot share 5 key/value heads"),
        ({**LLAMA, "num_key_value_heads": 64}, "32 attention heads cannot share 64 key/value heads"),
        ({**LLAMA, "num_key_value_heads": 0}, "num_key_value_heads is 0"),
        ({**LLAMA, "intermediate_size": 0}, "intermediate_size is 0 in this config; it must be a whole number from 1"),
        ({**DEEPSEEK, "first_k_dense_replace": 10**6}, "first_k_dense_replace is 1000000"),
        ({**GPT2, "hidden_size": 1024}, "hidden_size and n_embd mean the same but differ"),
        ({**MIXTRAL, "num_experts_per_tok": 9}, "9 experts per token were asked of only 8"),
        ({**MIXTRAL, "num_local_experts": 0}, "num_local_experts is 0"),
        ({**QWEN_MOE, "mlp_only_layers": ["first"]}, "mlp_only_layers is [...]"),
        ({**QWEN_MOE, "mlp_only_layers": "all"}, "mlp_only_layers is all"),
        ({**QWEN_MOE, "decoder_sparse_step": 0}, "decoder_sparse_step is 0"),
        ({**DEEPSEEK, "kv_lora_rank": 0}, "kv_lora_rank is 0"),
        ({**DBRX, "ffn_config": 5}, "ffn_config is 5"),
        ({**DBRX, "ffn_config": {}}, "does not have ffn_config.moe_num_experts"),
        ({"model_type": "gemma3", "text_config": "none"}, "text_config is none"),
        ({"model_type": "llava", "text_config": {"model_type": "jamba"}}, "state-space or hybrid"),
        ({"model_type": "mllama", "text_config": {"model_type": "mllama_text_model"}}, "not have num_hidden_layers"),
        ({"model_type": "internvl_chat", "llm_config": LLAMA}, "kind we do not know: internvl_chat"),
        (
            {"model_type": "gemma3n", "text_config": {"model_type": "gemma3n_text"}},
            "gemma3n_text has layers of different",
        ),
        ({**LLAMA, "model_type": "longcat_flash"}, "longcat_flash has layers of different shapes"),
        ({**LLAMA, "model_type": "minimax_m1"}, "state-space or hybrid"),
        ({**LLAMA, "model_type": "lfm2"}, "state-space or hybrid"),
        ({**LLAMA, "model_type": "qwen3_next"}, "state-space or hybrid"),
        ({**HUNYUAN, "moe_topk": [8, 4] * 16}, "moe_topk is [...]"),
        ({**HUNYUAN, "moe_topk": []}, "moe_topk is [...]"),
        (without(HUNYUAN, "moe_topk"), "does not have moe_topk"),
        ({**ERNIE, "moe_layer_end_index": -29}, "moe_layer_end_index is -29"),
        ({**ERNIE, "moe_layer_end_index": True}, "moe_layer_end_index is True"),
        ({**EXAONE, "sliding_window_pattern": "LLLG"}, 'sliding_window_pattern is "LLLG"'),
        ({**EXAONE, "sliding_window": 0}, "sliding_window is 0"),
        (
            {**EXAONE, "layer_types": ["full_attention"] * 31},
            "layer_types lists 31 layers in this config, but the model",
        ),
        ({**EXAONE, "layer_types": ["full_attention"] * 31 + [7]}, "layer_types is [...]"),
        (
            {**EXAONE, "layer_types": ["sliding_attention"] * 32, "sliding_window": None},
            "does not have sliding_window",
        ),
    ],
)
def test_refused_with_a_sentence(config: dict, part: str) -> None:
    assert part in refusal(config)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b" \n\t ", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"hidden_size: 4096\n", "is not JSON: line 1"),
        (b'{"a": 1,\n "b": }', "is not JSON: line 2"),
        (b'{"a": 1', "is not JSON"),
        (b"[1, 2]", "not an object"),
        (b'"llama"', "not an object"),
        (b"NaN", "not an object"),
        (bytes(range(256)), "not a text file"),
        ('{"model_type": "llama"}'.encode("utf-16"), "not a text file"),
        ("模型".encode("gb18030"), "not a text file"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b'{"hidden_size": 1, "hidden_size": 2}', "hidden_size stands twice"),
        (b"PK\x03\x04" + b"\x00" * 100, "is not JSON"),
    ],
)
def test_files_that_are_no_config(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    assert part in file_refusal(path)


def test_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert "has 200 MB and was not read" in file_refusal(path)
    path.write_bytes(b" " * (SIZE_LIMIT_BYTES + 1))
    assert "was not read" in file_refusal(path)


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    assert "is a folder" in file_refusal(tmp_path)
    assert "does not exist" in file_refusal(tmp_path / "none.json")
    assert "cannot be read" in file_refusal(tmp_path / ("x" * 5000))
    assert "a?b does not exist" in file_refusal(tmp_path / "a\0b")
    os.mkfifo(tmp_path / "pipe")
    assert "cannot be read" in file_refusal(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "loop" in file_refusal(tmp_path / "loop")


def test_nan_in_a_key_that_nobody_reads_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**LLAMA, "time_step_limit": [0.0, float("inf")], "x": float("nan")}), encoding="utf-8")
    assert count(read_config(path)).total == 6_738_415_616


def test_same_key_twice_with_the_same_value_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "模型 7B.json"
    path.write_text('{"vocab_size": 32000, ' + json.dumps(LLAMA)[1:], encoding="utf-8-sig")
    assert read_config(path).name == "模型 7B"


def test_plain_config_json_takes_the_name_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my-llama"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    assert read_config(folder / "config.json").name == "my-llama"


@pytest.mark.parametrize("config", ALL, ids=lambda config: config["model_type"])
def test_each_made_up_config_is_good(config: dict) -> None:
    assert count(model_from_config(config, "test")).total > 10_000_000
