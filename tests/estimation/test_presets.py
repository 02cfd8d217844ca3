"""Presets: published totals, names as people write them, and suggestions for what is not there."""

import pytest

from desktop_app.estimation.parameters import count
from desktop_app.estimation.presets import model_named, preset_names, presets
from desktop_app.estimation.table_files import table
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

# Totals printed on model cards (Hugging Face, "safetensors parameters") or in the paper named in the table.
PUBLISHED = {
    "GPT-2 124M": 124_439_808,
    "GPT-2 350M": 354_823_168,
    "GPT-2 774M": 774_030_080,
    "GPT-2 1.5B": 1_557_611_200,
    "OPT-30B": 29_974_540_288,
    "BLOOM-3B": 3_002_557_440,
    "BLOOM-176B": 176_247_271_424,
    "BloombergGPT-50B": 50_558_868_480,
    "Pythia-6.9B": 6_857_302_016,
    "GPT-NeoX-20B": 20_554_567_680,
    "LLaMA-13B": 13_015_864_320,
    "LLaMA-65B": 65_285_660_672,
    "Llama-2-7B": 6_738_415_616,
    "Llama-2-70B": 68_976_648_192,
    "Llama-3-8B": 8_030_261_248,
    "Llama-3.1-405B": 405_853_388_800,
    "Mistral-7B": 7_241_732_096,
    "Mistral-Nemo-12B": 12_247_782_400,
    "Mixtral-8x7B": 46_702_792_704,
    "Mixtral-8x22B": 140_620_634_112,
    "Qwen-1.8B": 1_836_828_672,
    "Qwen-7B": 7_721_324_544,
    "Qwen-14B": 14_167_290_880,
    "Qwen-72B": 72_287_920_128,
    "Qwen2.5-7B": 7_615_616_512,
    "Qwen3-8B": 8_190_735_360,
    "Qwen3-14B": 14_768_307_200,
    "Qwen3-30B-A3B": 30_532_122_624,
    "Gemma-2-9B": 9_241_705_984,
    "Gemma-3-1B": 999_885_952,
    "Phi-3-medium": 13_960_238_080,
    "Phi-3.5-MoE": 41_873_153_344,
    "Falcon-180B": 179_522_565_120 - 65_024 * 14_848,  # the checkpoint holds the shared head twice
    "MPT-7B": 6_649_286_656,
    "StarCoder-15B": 15_517_456_384,
    "StarCoder2-3B": 3_030_371_328,
    "SmolLM3-3B": 3_075_098_624,
    "Yi-34B": 34_388_917_248,
    "MiniCPM-2B": 2_724_880_896,
    "OLMo-7B": 6_888_095_744,
    "Olmo-3-7B": 7_298_011_136,
    "InternLM2-7B": 7_737_708_544,
    "ChatGLM3-6B": 6_243_584_000,
    "Baichuan2-7B": 7_505_973_248,
    "Command-R-35B": 34_980_831_232,
    "DBRX": 131_596_523_520,
    "Apertus-8B": 8_053_338_176,
    "GPT-OSS-120B": 116_829_156_672,
    "DeepSeek-V3": 671_026_419_200 - 58 * 256,  # the card counts the routing bias, which is a buffer
}


@pytest.mark.parametrize(("name", "total"), PUBLISHED.items())
def test_published_total(name: str, total: int) -> None:
    assert count(model_named(name)).total == total


@pytest.mark.parametrize(
    ("name", "total", "active", "rounding"),
    [
        ("GPT-3 175B", 175e9, 175e9, 0.5e9),
        ("MT-NLG 530B", 530e9, 530e9, 0.5e9),
        ("DeepSeek-V2-Lite", 15.7e9, 2.4e9 + 0.2e9, 0.1e9),  # the paper leaves the embedding out of the active count
        ("GLM-4.5-Air", 106e9, 12e9 + 1.24e9, 1e9),  # as above, and the head
        ("Kimi-K2", 1.04e12, 32.6e9, 0.02e12),
        ("Llama-4-Scout", 109e9 - 0.87e9, 17e9, 0.5e9),  # the text part, less the vision part
        ("Mixtral-8x7B", 46.7e9, 12.9e9, 0.05e9),
    ],
)
def test_rounded_totals_of_papers(name: str, total: float, active: float, rounding: float) -> None:
    parts = count(model_named(name))
    assert parts.total == pytest.approx(total, abs=rounding)
    assert parts.active == pytest.approx(active, abs=rounding)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("LLaMA-13B", "LLaMA-13B"),
        ("llama 13b", "LLaMA-13B"),
        ("LLaMA 13 B", "LLaMA-13B"),
        ("llama-2-7b", "Llama-2-7B"),
        ("Llama2 7B", "Llama-2-7B"),
        ("meta-llama/Llama-2-7b-chat-hf", "Llama-2-7B"),
        ("Llama 3 8B", "Llama-3-8B"),
        ("meta-llama/Meta-Llama-3-8B-Instruct", "Llama-3-8B"),
        ("Llama-3.3-70B-Instruct", "Llama-3.1-70B"),
        ("Mixtral 8x7B", "Mixtral-8x7B"),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", "Mixtral-8x7B"),
        ("Mistral 7B Instruct v0.1", "Mistral-7B"),
        ("Mistral 7B Instruct v0.2", "Mistral-7B-v0.2"),
        ("microsoft/Phi-3.5-mini-instruct", "Phi-3-mini-128k"),
        ("Qwen/Qwen2.5-VL-7B-Instruct", "Qwen2.5-VL-7B"),
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", "Llama-3.2-11B-Vision"),
        ("google/flan-t5-xxl", "Flan-T5-XXL"),
        ("tiiuae/Falcon3-7B-Base", "Falcon3-7B"),
        ("GPT-3 175B", "GPT-3 175B"),
        ("gpt3_175b", "GPT-3 175B"),
        ("gpt2", "GPT-2 124M"),
        ("openai-community/gpt2-xl", "GPT-2 1.5B"),
        ("bigscience/bloom", "BLOOM-176B"),
        ("bloom-7b1", "BLOOM-7.1B"),
        ("EleutherAI/pythia-1.4b-deduped", "Pythia-1.4B"),
        ("qwen2.5-72b-instruct", "Qwen2.5-72B"),
        ("google/gemma-2-9b-it", "Gemma-2-9B"),
        ("microsoft/Phi-3-mini-4k-instruct", "Phi-3-mini"),
        ("deepseek-ai/DeepSeek-R1", "DeepSeek-V3"),
        ("gpt-oss 120b", "GPT-OSS-120B"),
        ("tiny-llama", "TinyLlama-1.1B"),
    ],
)
def test_names_as_people_write_them(written: str, name: str) -> None:
    assert model_named(written).name == name


@pytest.mark.parametrize(
    ("written", "suggestion"), [("lama 13b", "LLaMA-13B"), ("Mixtral-8x8B", "Mixtral-8x7B"), ("qwen3-8", "Qwen3-8B")]
)
def test_unknown_name_gets_suggestions(written: str, suggestion: str) -> None:
    with pytest.raises(UserError) as caught:
        model_named(written)
    (problem,) = caught.value.problems
    assert (problem.field, problem.key) == ("model", "problem.model_name_like")
    assert suggestion in words_of("en").sentence(problem)
    assert suggestion in words_of("zh").sentence(problem)


@pytest.mark.parametrize("written", ["", "   ", "Llama", "70B", "通义千问", "\0", "x" * 100_000, "Llama-2"])
def test_a_name_that_means_no_preset_is_never_guessed(written: str) -> None:
    with pytest.raises(UserError) as caught:
        model_named(written)
    assert words_of("en").sentence(caught.value.problems[0]).isprintable()


def test_no_two_presets_share_a_name() -> None:
    for row in table("models"):
        for name in (row["name"], *row["aliases"].split(";")):
            if name.strip():
                assert model_named(name.strip()).name == row["name"], name
    names = [spec.name for spec in presets()]
    assert len(set(names)) == len(names) == len(table("models"))


def test_every_preset_has_source_and_date_and_counts_its_vision_part() -> None:
    for spec in presets():
        assert spec.source
        assert spec.as_of[:2] == "20"
        assert not spec.text_part_only, spec.name


def test_only_decoders_are_offered_but_the_others_are_known() -> None:
    offered = set(preset_names())
    assert {spec.name for spec in presets() if spec.kind == "decoder"} == offered
    assert "T5-11B" not in offered
    assert count(model_named("T5-11B")).total == 11_307_321_344
    assert model_named("BERT-base").kind == "encoder"


@pytest.mark.parametrize(
    ("name", "window", "windowed", "layers"),
    [
        ("Llama-3.1-8B", None, 0, 32),
        ("Mistral-7B", 4096, 32, 32),  # v0.1: every layer
        ("Mistral-7B-v0.2", None, 0, 32),
        ("Mistral-Nemo-12B", None, 0, 40),
        ("Gemma-2-9B", 4096, 21, 42),  # every other layer
        ("Gemma-3-27B", 1024, 52, 62),  # five of six
        ("GPT-OSS-120B", 128, 18, 36),  # every other layer
        ("Olmo-3-7B", 4096, 24, 32),  # three of four
        ("Command-R7B", 4096, 24, 32),  # three of four
        ("EXAONE-4.0-32B", 4096, 48, 64),  # three of four
        ("Llama-4-Scout", 8192, 36, 48),  # chunks, in three of four
        ("Phi-3-mini", 2047, 32, 32),
        ("StarCoder2-15B", 4096, 40, 40),
        ("Qwen2.5-7B", None, 0, 28),
        ("dots.llm1", None, 0, 62),
    ],
)
def test_layers_with_a_sliding_window(name: str, window: int | None, windowed: int, layers: int) -> None:
    spec = model_named(name)
    assert (spec.sliding_window, spec.window_layers, spec.layers) == (window, windowed, layers)


def test_attention_sinks_and_sparse_attention() -> None:
    assert {spec.name for spec in presets() if spec.attention_sinks} == {"GPT-OSS-20B", "GPT-OSS-120B"}
    assert [spec.name for spec in presets() if spec.sparse_attention] == ["DeepSeek-V3.2"]
