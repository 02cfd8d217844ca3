"""Parameter counts: published totals, hand-worked blocks, and every network of the shared validation table."""

import csv
import itertools

import pytest
from model_configs import (
    DBRX,
    DEEPSEEK,
    FALCON,
    GEMMA3,
    GPT2,
    LLAMA,
    MIXTRAL,
    QWEN_MOE,
    T5,
    VALIDATION,
    needs_validation,
)

from desktop_app.estimation.families import family_of, known_model_types
from desktop_app.estimation.huggingface import model_from_config, read_config
from desktop_app.estimation.model_spec import ModelSpec, notes_of
from desktop_app.estimation.parameters import ParameterCount, count
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.table_files import table
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of


def counted(config: dict, **changes: object) -> ParameterCount:
    return count(model_from_config({**config, **changes}, "test"))


@pytest.mark.parametrize(
    ("config", "total", "active"),
    [
        (LLAMA, 6_738_415_616, 6_738_415_616),  # Llama-2-7B, model card
        (GPT2, 124_439_808, 124_439_808),  # GPT-2 small, released checkpoint
        (MIXTRAL, 46_702_792_704, 12_879_925_248),  # Mixtral-8x7B, released checkpoint
        (FALCON, 6_921_720_704, 6_921_720_704),  # Falcon-7B without the second copy of its head
        (DBRX, 131_596_523_520, 36_469_708_800),  # model card: 132B, 36B active
        (T5, 60_506_624, 60_506_624),  # T5-small
        (GEMMA3, 3_880_263_168, 3_880_263_168),  # text part of Gemma-3-4B
    ],
)
def test_published_totals(config: dict, total: int, active: int) -> None:
    parts = counted(config)
    assert (parts.total, parts.active) == (total, active)


def test_parts_add_up_and_match_hand_work() -> None:
    parts = counted(LLAMA)
    assert parts.embedding == parts.head == 32000 * 4096
    assert parts.attention_per_layer == 4 * 4096 * 4096
    assert parts.mlp_dense == 3 * 4096 * 11008
    assert parts.norms_per_layer == 2 * 4096
    assert parts.blocks == 32 * (4 * 4096 * 4096 + 3 * 4096 * 11008 + 2 * 4096)
    assert parts.total == parts.embedding + parts.head + parts.blocks + 4096
    assert parts.largest_tensor == 32000 * 4096


def test_first_layers_of_deepseek_stay_dense() -> None:
    three, none = counted(DEEPSEEK), counted(DEEPSEEK, first_k_dense_replace=0)
    expert = 3 * 4096 * 2048
    assert three.experts == 29 * 16 * expert
    assert none.total - three.total == 3 * (16 * 4096 + 17 * expert - 3 * 4096 * 11008)
    assert three.total - three.active == 29 * 8 * expert


def test_latent_attention_by_hand() -> None:
    queries = 4096 * 1536 + 1536 + 1536 * 32 * (128 + 64)
    keys_values = 4096 * (512 + 64) + 512 + 512 * 32 * (128 + 128)
    assert counted(DEEPSEEK).attention_per_layer == queries + keys_values + 32 * 128 * 4096


@pytest.mark.parametrize(
    ("changes", "moe_layers"),
    [({}, 32), ({"decoder_sparse_step": 2}, 16), ({"mlp_only_layers": [0, 31]}, 30), ({"decoder_sparse_step": 3}, 10)],
)
def test_which_layers_have_experts(changes: dict, moe_layers: int) -> None:
    spec = model_from_config({**QWEN_MOE, **changes}, "test")
    assert spec.moe is not None
    assert spec.moe.moe_layers == moe_layers
    assert (spec.ffn_size == 0) == (moe_layers == 32)


def test_network_whose_layers_all_stay_dense_has_no_experts() -> None:
    assert model_from_config({**QWEN_MOE, "decoder_sparse_step": 64}, "test").moe is None


@pytest.mark.parametrize(
    ("config", "changes", "difference"),
    [
        (LLAMA, {"tie_word_embeddings": True}, -32000 * 4096),
        (LLAMA, {"attention_bias": True}, 32 * 4 * 4096),
        (LLAMA, {"mlp_bias": True}, 32 * (2 * 11008 + 4096)),
        (LLAMA, {"head_dim": 64}, -32 * 4 * 4096 * 2048),
        (LLAMA, {"num_key_value_heads": 8}, -32 * 2 * 4096 * 24 * 128),
        (LLAMA, {"model_type": "qwen3", "num_key_value_heads": 32}, 32 * 2 * 128),
        (GPT2, {"n_inner": 1024}, -12 * (2 * 768 * 2048 + 2048)),
        (GPT2, {"tie_word_embeddings": False}, 50257 * 768),
        (FALCON, {"parallel_attn": False}, 32 * 2 * 4544),
        (FALCON, {"multi_query": False}, 32 * 2 * 70 * 64 * 4544),
        (FALCON, {"multi_query": False, "num_kv_heads": 8}, 32 * 2 * 70 * 64 * 4544),  # read by the new layout alone
    ],
)
def test_one_switch_changes_what_it_should(config: dict, changes: dict, difference: int) -> None:
    assert counted(config, **changes).total - counted(config).total == difference


def test_standard_names_and_own_names_mean_the_same() -> None:
    renamed = {"n_embd": "hidden_size", "n_layer": "num_hidden_layers", "n_head": "num_attention_heads"}
    assert counted({renamed.get(key, key): value for key, value in GPT2.items()}) == counted(GPT2)


def test_outer_file_decides_on_a_shared_head() -> None:
    assert counted(GEMMA3, tie_word_embeddings=False).head == 262_208 * 2560
    assert model_from_config(GEMMA3, "test").text_part_only


def test_a_text_part_is_noted_in_both_languages() -> None:
    (note,) = notes_of(model_from_config(GEMMA3, "gemma-3-4b"))
    assert note.severity == "note"
    english = words_of("en").sentence(note)
    assert english.startswith("Only the text part of gemma-3-4b")
    assert "intermediate_size" not in english
    assert "num_hidden_layers" in english  # what the vision part lacks
    assert "gemma-3-4b" in words_of("zh").sentence(note)
    assert notes_of(model_from_config(LLAMA, "test")) == ()


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"kv_heads": 5}, "cannot share 5"),
        ({"ffn_size": 0}, "Some layers have no experts"),
        (
            {"moe": {"experts": 8, "experts_per_token": 2, "expert_size": 64, "moe_layers": 33}},
            "33 layers with experts",
        ),
        ({"moe": {"experts": 2, "experts_per_token": 3, "expert_size": 64, "moe_layers": 32}}, "3 experts per token"),
    ],
)
def test_sizes_typed_by_hand_must_fit_together(changes: dict, part: str) -> None:
    typed = {**model_from_config(LLAMA, "typed").model_dump(), **changes}
    with pytest.raises(UserError) as caught:
        validated(ModelSpec, typed)
    assert part in words_of("en").sentence(caught.value.problems[0])
    assert words_of("zh").sentence(caught.value.problems[0])


def test_shape_averages_layers_that_differ() -> None:
    spec = model_from_config(DEEPSEEK, "test")
    shape, parts = shape_of(spec), count(spec)
    assert shape.params_block * shape.layers == pytest.approx(parts.blocks)
    assert shape.params_block_experts * 32 == pytest.approx(29 * 16 * 3 * 4096 * 2048)
    assert shape.params_block_mlp * 32 == pytest.approx(3 * parts.mlp_dense + 29 * parts.mlp_moe)
    assert (shape.query_width, shape.moe_layers, shape.shared_expert_size) == (4096, 29, 2048)


def test_shape_of_an_encoder_decoder_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        shape_of(model_from_config(T5, "t5-small"))
    assert "t5-small is an encoder" in words_of("en").sentence(caught.value.problems[0])
    assert "t5-small" in words_of("zh").sentence(caught.value.problems[0])


def test_every_family_can_be_read_and_has_its_source() -> None:
    names = [name for row in table("families") for name in row["model_type"].split()]
    assert len(names) == len(set(names))
    for name in known_model_types():
        family = family_of(name)
        assert family is not None
        assert family.source and family.as_of
        assert family.kind in ("decoder", "encoder", "encoder_decoder")


@needs_validation
def test_every_network_of_the_validation_table_is_exact_or_refused() -> None:
    refused = []
    with (VALIDATION / "params.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        try:
            parts = count(read_config(VALIDATION / "configs" / f"{row['name']}.json"))
        except UserError as error:
            refused.append((row["name"], error.problems[0].key))
            continue
        assert parts.tower == int(row["vision_and_projector_params"]), row["name"]
        assert parts.whole == int(row["total_params"]), row["name"]
        assert parts.whole_active == int(row["active_params_per_token"]), row["name"]
        assert parts.embedding == int(row["embedding_params"]), row["name"]
        assert parts.head == int(row["lm_head_params"]), row["name"]
        assert parts.positions == int(row["position_embedding_params"]), row["name"]
        assert parts.experts == int(row["expert_params"]), row["name"]
    assert refused == [("jamba-v0.1", "problem.model_hybrid"), ("qwen3.5-35b-a3b", "problem.model_hybrid")]
    assert len(rows) == 131


@needs_validation
def test_presets_of_the_same_name_agree_with_the_validation_table() -> None:
    with (VALIDATION / "params.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    agreed = 0
    for row, part in itertools.product(rows, ("whole", "whole_active")):
        try:
            spec = model_named(row["name"].removesuffix("-vlm"))
        except UserError:
            continue
        expected = int(row["total_params" if part == "whole" else "active_params_per_token"])
        assert getattr(count(spec), part) == expected, row["name"]
        agreed += 1
    assert agreed >= 200
