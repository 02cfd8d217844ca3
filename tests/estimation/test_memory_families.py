"""What one block of real model classes saves, against our sum of tensors.

Measured with PyTorch 2.13 and transformers 5.24: two and four layers of the sizes below in bf16 on the CPU, the saved
tensors counted once per storage, their difference taken per token and layer; attention replaced by a function that
saves what fused attention does. Families with dropout are left out: the CPU's masks are twice as wide as the GPU's.
"""

from dataclasses import replace

import pytest

from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.memory_blocks import block_bytes
from desktop_app.estimation.memory_family import described, family_of
from desktop_app.estimation.memory_job import options_of
from desktop_app.estimation.memory_tables import Family, precision_recipes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.training_job import TrainingJob

SIZES = {
    "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 128, "max_position_embeddings": 64,
}  # fmt: skip
EXPERTS = {
    "num_experts": 8, "num_local_experts": 8, "n_routed_experts": 8, "num_experts_per_tok": 2,
    "moe_intermediate_size": 48, "n_shared_experts": 1, "shared_expert_intermediate_size": 48,
    "first_k_dense_replace": 0,
}  # fmt: skip
LATENT = {
    "num_key_value_heads": 4, "q_lora_rank": 24, "kv_lora_rank": 32, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16,
    "v_head_dim": 16,
}  # fmt: skip
DENSE_BYTES = {
    "llama": 2712, "mistral": 2712, "qwen2": 2712, "qwen3": 3312, "smollm3": 2712, "granite": 2712, "glm": 2728,
    "glm4": 3504, "phi3": 2904, "gemma": 2976, "gemma2": 4016, "gemma3_text": 4810, "olmo": 2464, "olmo2": 3744,
    "olmo3": 3776, "cohere": 2584, "cohere2": 2584, "gpt_neox": 1816, "persimmon": 1976, "nemotron": 1564,
    "stablelm": 2200, "internlm3": 2712, "ministral": 2712, "ministral3": 2713, "ernie4_5": 2776,
    "hunyuan_v1_dense": 3312, "exaone": 2712, "exaone4": 3312, "arcee": 2072, "nanochat": 2224, "jais2": 1560,
    "vaultgemma": 2976, "gptj": 2420, "codegen": 2676, "helium": 3008, "cwm": 2712, "hyperclovax": 3488,
}  # fmt: skip
EXPERT_BYTES = {
    "mixtral": 4620.5, "qwen3_moe": 3412.5, "qwen2_moe": 3326.5, "olmoe": 5188.5, "granitemoe": 4580.5,
    "minimax_m2": 5204.5, "llama4_text": 15269, "gpt_oss": 6768.5, "flex_olmo": 5636.5, "glm4_moe": 3532.5,
    "dots1": 4120.5, "phimoe": 4128.5,
}  # fmt: skip
LATENT_BYTES = {"deepseek_v2": 4328.5, "deepseek_v3": 4372.5}
# No key of a configuration tells of these: experts that see every token, clamped gates, weightless or fp32 norms.
NOT_IN_THE_CONFIGURATION = {"llama4_text", "gpt_oss", "flex_olmo", "nanochat", "helium", "gpt_neox"}


def kept(spec: ModelSpec, family: Family) -> float:
    """Bytes per token and layer of Hugging Face's code in bf16."""
    options = replace(options_of(spec, TrainingJob(), "stock", "plain"), precision=precision_recipes()["bf16"])
    found = block_bytes(spec, family, options).kept
    return float(found.whole + found.shared)


ROWS = [
    *((name, {}, measured) for name, measured in DENSE_BYTES.items()),
    *((name, EXPERTS, measured) for name, measured in EXPERT_BYTES.items()),
    *((name, EXPERTS | LATENT, measured) for name, measured in LATENT_BYTES.items()),
]


@pytest.mark.parametrize(("model_type", "more", "measured"), ROWS, ids=[row[0] for row in ROWS])
def test_a_block_keeps_what_its_class_saves(model_type: str, more: dict[str, int], measured: float) -> None:
    """Within 4 %; at these sizes a few integers of the routing weigh as much as a tensor."""
    spec = model_from_config({**SIZES, **more, "model_type": model_type}, model_type)
    assert kept(spec, family_of(spec)) == pytest.approx(measured, rel=0.04)
    if model_type not in NOT_IN_THE_CONFIGURATION:
        assert kept(spec, described(spec)) == pytest.approx(measured, rel=0.05)  # 64 bytes for dropout that may be
