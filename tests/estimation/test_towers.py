"""The vision part of multimodal networks: counted where the config tells enough, said where it does not."""

import copy
from typing import Any

import pytest
from model_configs import GEMMA3_VISION, LLAMA, MLLAMA, QWEN2_VL

from desktop_app.estimation.families import family_of, row_of
from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.model_spec import notes_of
from desktop_app.estimation.parameters import count
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.table_files import table
from desktop_app.foundation.wording import words_of

CLIP = {
    "model_type": "clip_vision_model",
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "image_size": 336,
    "patch_size": 14,
}
LLAVA: dict[str, Any] = {"model_type": "llava", "text_config": {**LLAMA, "vocab_size": 32064}, "vision_config": CLIP}


def changed(config: dict[str, Any], **vision: Any) -> dict[str, Any]:
    """The config with some keys of its vision part changed, or dropped where the new value is ..."""
    result = copy.deepcopy(config)
    for key, value in vision.items():
        if value is ...:
            del result["vision_config"][key]
        else:
            result["vision_config"][key] = value
    return result


def test_clip_and_projector_by_hand() -> None:
    spec = model_from_config(LLAVA, "llava-1.5-7b")
    h, f, patches = 1024, 4096, 24 * 24
    block = 4 * (h * h + h) + (h * f + f) + (f * h + h) + 2 * 2 * h
    outside = h + 3 * 14 * 14 * h + (patches + 1) * h + 2 * 2 * h
    assert spec.tower is not None
    assert spec.tower.encoder_params == 24 * block + outside
    assert spec.tower.projector_params == 1024 * 4096 + 4096 + 4096 * 4096 + 4096
    assert count(spec).whole == 7_063_427_072  # the published weights


@pytest.mark.parametrize(
    ("config", "tower", "whole"),
    [
        (GEMMA3_VISION, 419_816_304, 4_300_079_472),  # gemma-3-4b
        (QWEN2_VL, 665_271_296, 2_208_985_600),  # Qwen2-VL-2B
        (MLLAMA, 895_028_755, 10_670_220_835),  # Llama-3.2-11B-Vision
    ],
)
def test_published_totals_with_the_vision_part(config: dict[str, Any], tower: int, whole: int) -> None:
    spec = model_from_config(config, "test")
    parts = count(spec)
    assert (parts.tower, parts.whole, parts.whole_active) == (tower, whole, whole)
    assert parts.total == whole - tower
    assert shape_of(spec).params_total == whole - tower  # time and memory are those of the text part
    assert not spec.text_part_only


def test_a_counted_tower_is_noted_in_both_languages() -> None:
    (note,) = notes_of(model_from_config(GEMMA3_VISION, "gemma-3-4b"))
    assert note.severity == "note"
    english = words_of("en").sentence(note)
    assert english.startswith("The vision part of gemma-3-4b has 419,816,304 parameters")
    assert "gemma-3-4b" in words_of("zh").sentence(note)


@pytest.mark.parametrize(
    ("config", "missing"),
    [
        (changed(GEMMA3_VISION, intermediate_size=...), "intermediate_size"),
        (changed(GEMMA3_VISION, image_size=...), None),  # the class has a default of its own
        (changed(MLLAMA, supported_aspect_ratios=...), "supported_aspect_ratios"),
        (changed(GEMMA3_VISION, hidden_size=-1), "hidden_size: -1"),
        (changed(GEMMA3_VISION, hidden_size="wide"), 'hidden_size: "wide"'),
        (changed(GEMMA3_VISION, patch_size=0), "patch_size: 0"),
        (changed(GEMMA3_VISION, image_size=10), "image_size"),  # smaller than one patch
        (changed(GEMMA3_VISION, intermediate_size=0), "intermediate_size: 0"),
        (changed(GEMMA3_VISION, intermediate_size=10**9), "intermediate_size: 1000000000"),
        (changed(QWEN2_VL, spatial_merge_size=0), "spatial_merge_size: 0"),
        (changed(MLLAMA, vision_output_dim=0), "vision_output_dim: 0"),
        (changed(GEMMA3_VISION, num_hidden_layers=10**8), "num_hidden_layers: 100000000"),
        (changed(GEMMA3_VISION, num_hidden_layers=0), "num_hidden_layers: 0"),
        (changed(GEMMA3_VISION, model_type="my_eye"), "my_eye"),
        (changed(GEMMA3_VISION, model_type=7), "7"),
        ({**GEMMA3_VISION, "vision_config": {}}, "num_hidden_layers"),
        ({**GEMMA3_VISION, "vision_config": [1]}, "vision_config"),
        ({**GEMMA3_VISION, "vision_config": None}, "vision_config"),
        ({**GEMMA3_VISION, "audio_config": {}}, "audio_config"),
        ({**GEMMA3_VISION, "model_type": "my_own"}, "my_own"),
        ({**GEMMA3_VISION, "model_type": None}, "None"),
    ],
)
def test_what_the_file_does_not_tell_is_not_guessed(config: dict[str, Any], missing: str | None) -> None:
    spec = model_from_config(config, "test")
    if missing is None:
        assert spec.tower is not None
        return
    assert (spec.tower, spec.text_part_only, spec.uncounted_because) == (None, True, missing)
    assert count(spec).whole == count(spec).total
    (note,) = notes_of(spec)
    assert f"({missing})" in words_of("en").sentence(note)
    assert f"（{missing}）" in words_of("zh").sentence(note)


@pytest.mark.parametrize(
    ("config", "difference"),
    [
        (changed(LLAVA, num_channels=1), -2 * 14 * 14 * 1024),
        (changed(LLAVA, patch_size=[14, 14]), 0),
        (changed(LLAVA, image_size=349), 0),  # what does not fill a patch is cut off
        ({**LLAVA, "multimodal_projector_bias": False}, -2 * 4096),
        ({**LLAVA, "vision_feature_layer": [-2, -5]}, 1024 * 4096),
        ({**LLAVA, "vision_feature_layer": -2}, 0),
        ({**LLAVA, "model_type": "llava_next"}, 4096),
    ],
)
def test_one_switch_changes_what_it_should(config: dict[str, Any], difference: int) -> None:
    assert count(model_from_config(config, "test")).whole - 7_063_427_072 == difference


def test_every_encoder_and_projector_can_be_read_and_every_default_encoder_is_there() -> None:
    for name in ("towers", "projectors"):
        kinds = [kind for row in table(name)[1:] for kind in row["model_type"].split()]
        assert len(kinds) == len(set(kinds))
        assert all(row_of(name, kind) for kind in kinds)
    for row in table("projectors")[1:]:
        assert row_of("towers", row["kind"]), row["model_type"]


def test_cross_attention_layers_of_mllama_are_in_the_text_part() -> None:
    family = family_of("mllama_text_model")
    assert family is not None
    plain = model_from_config({**MLLAMA["text_config"], "cross_attention_layers": []}, "test")
    crossed = model_from_config(MLLAMA["text_config"], "test")
    assert count(crossed).total - count(plain).total == 8 * (2 * 128 + 2)
