"""Model FLOPs as every figure of the program counts them."""

import pytest

from desktop_app.estimation.flops import flops_per_token, matrix_parameters, mfu, training_flops
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of


def test_gpt3_is_3_15e23() -> None:
    """Brown et al. 2020: 3.14e23 FLOP for 300B tokens; with attention in full a little more."""
    shape = shape_of(model_named("GPT-3 175B"))
    attention = 12 * 96 * 12_288 * 2048 * 300e9
    assert training_flops(shape, 2048, 300e9) - attention == pytest.approx(3.15e23, rel=0.01)
    assert attention / 300e9 == pytest.approx(29e9, rel=0.01)


def test_llama2_7b_by_hand() -> None:
    """32 layers of 4 * 4096^2 + 3 * 4096 * 11008, and a head of 32000 * 4096; norms are the rest."""
    shape = shape_of(model_named("Llama-2-7B"))
    by_hand = 32 * (4 * 4096**2 + 3 * 4096 * 11_008) + 32_000 * 4096
    assert matrix_parameters(shape) == pytest.approx(by_hand, rel=1e-4)
    assert flops_per_token(shape, 4096) == pytest.approx(6 * by_hand + 12 * 32 * 4096 * 4096, rel=1e-4)


def test_a_tied_head_counts_as_much_as_a_separate_one() -> None:
    shape = shape_of(model_named("GPT-2 124M"))
    assert matrix_parameters(shape) == pytest.approx(12 * 12 * 768**2 + 50_257 * 768, rel=2e-3)


def test_adapters_need_four_per_parameter() -> None:
    shape = shape_of(model_named("Llama-2-7B"))
    for method in ("lora", "qlora"):
        saved = flops_per_token(shape, 2048) - flops_per_token(shape, 2048, method)
        assert saved == pytest.approx(2 * matrix_parameters(shape))


def test_only_active_experts_count() -> None:
    """Mixtral 8x7B: 12.9B of 46.7B parameters work on a token."""
    shape = shape_of(model_named("Mixtral-8x7B"))
    assert matrix_parameters(shape) == pytest.approx(12.9e9 - 32_000 * 4096, rel=0.01)


def test_mfu_of_a_published_run() -> None:
    """LLaMA-65B: 380 tokens per second and GPU on A100s (arXiv 2302.13971) are 49 % with attention in full."""
    shape = shape_of(model_named("LLaMA-65B"))
    assert mfu(flops_per_token(shape, 2048), 380, 312e12) == pytest.approx(0.495, abs=0.01)
