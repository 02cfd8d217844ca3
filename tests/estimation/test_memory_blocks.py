"""What one block keeps: sums of tensors that were worked out by hand and agree with tracked steps."""

from dataclasses import replace

import pytest
from memory_jobs import peak, plan

from desktop_app.estimation.memory_blocks import block_bytes
from desktop_app.estimation.memory_family import family_of
from desktop_app.estimation.memory_job import options_of
from desktop_app.estimation.memory_options import MemoryOptions
from desktop_app.estimation.memory_tables import Family, families, precision_recipes
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.training_job import TrainingJob


def stock(spec: ModelSpec, recipe: str = "bf16", **changes: object) -> MemoryOptions:
    options = options_of(spec, TrainingJob(), "stock", "plain")
    return replace(options, precision=precision_recipes()[recipe], **changes)


def kept_per_hidden(name: str, recipe: str = "bf16", **changes: object) -> float:
    """Bytes per token and layer, over the hidden size."""
    spec = model_named(name)
    kept = block_bytes(spec, family_of(spec), stock(spec, recipe, **changes)).kept
    return (kept.whole + kept.shared) / spec.hidden_size


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("Llama-3.2-1B", 53.6), ("Llama-3.2-3B", 43.0), ("Llama-3.1-8B", 49.3), ("Qwen2.5-0.5B", 64.4),
        ("Qwen2.5-7B", 63.2), ("SmolLM2-135M", 43.0), ("Pythia-410M", 34.3), ("OPT-1.3B", 26.2),
        ("StableLM-2-1.6B", 38.2), ("StarCoder2-3B", 30.5), ("Phi-3-mini", 49.6), ("OLMo-2-7B", 65.9),
        ("Qwen3-1.7B", 55.4), ("GPT-2 1.5B", 58.4),
    ],
)  # fmt: skip
def test_bytes_per_token_and_layer_agree_with_tracked_models(name: str, measured: float) -> None:
    """PyTorch 2.13, bf16, flash attention, nothing recomputed; the measured figures carry a share of the final norm."""
    assert kept_per_hidden(name) == pytest.approx(measured, rel=0.012)


def test_llama_block_is_the_hand_worked_sum() -> None:
    """16h + 4ad + 4kd + 8f + 4a + 8 in bf16, 26h + ... with fp32 weights under autocast."""
    spec = model_named("Llama-3.1-8B")
    h, query, keys, ffn, heads = 4096, 32 * 128, 8 * 128, 14336, 32
    rest = 4 * query + 4 * keys + 8 * ffn + 4 * heads + 8
    assert kept_per_hidden("Llama-3.1-8B") * h == 16 * h + rest
    assert kept_per_hidden("Llama-3.1-8B", "autocast") * h == 26 * h + rest
    assert family_of(spec).proof == "measured"


def test_autocast_costs_gpt2_half_as_much_again() -> None:
    """From 58h to 86h: the Python gelu runs in fp32."""
    assert kept_per_hidden("GPT-2 1.5B") == pytest.approx(58, abs=0.2)
    assert kept_per_hidden("GPT-2 1.5B", "autocast") == pytest.approx(86, abs=0.2)


def test_eager_attention_keeps_six_bytes_per_score_and_gpt2_five() -> None:
    for name, bytes_per_score in (("Llama-3.2-1B", 6), ("GPT-2 1.5B", 5), ("Gemma-2-2B", 8)):
        spec = model_named(name)
        block = block_bytes(spec, family_of(spec), stock(spec, attention="eager", expanded_kv=True))
        assert block.kept.per_key == bytes_per_score * spec.heads


def test_megatron_block_is_korthikanti_s_34() -> None:
    """10 sbh on every rank and 24 sbh + 5 as^2b shared (arXiv 2205.05198), beside 16 bytes of statistics."""
    spec = model_named("GPT-3 175B")
    block = block_bytes(spec, family_of(spec), options_of(spec, TrainingJob(attention="eager"), "legacy", "plain"))
    assert block.kept.whole == 10 * spec.hidden_size + 16
    assert block.kept.shared == 24 * spec.hidden_size
    assert block.kept.per_key == 5 * spec.heads
    assert block.selective.per_key == 0


def test_fused_kernels_keep_less_than_python_ones() -> None:
    spec = model_named("Llama-3.1-8B")
    fused = block_bytes(spec, family_of(spec), options_of(spec, TrainingJob(), "tuned-fused", "plain")).kept
    python = block_bytes(spec, family_of(spec), stock(spec)).kept
    assert fused.whole == 2 * (2 * 4096 + 4) + 2 * 2 * 4096  # two norms save their input, two inputs of products
    assert fused.shared == python.shared - 2 * 14336  # the gate's product is not kept


def test_fp8_saves_quantised_inputs_of_linear_layers() -> None:
    spec = model_named("Llama-3.1-8B")
    sizes = {}
    for precision in ("bf16-mixed", "fp8", "nvfp4"):
        options = options_of(spec, TrainingJob(precision=precision), "tuned-fused", "plain")
        kept = block_bytes(spec, family_of(spec), options).kept
        sizes[precision] = kept.whole + kept.shared
    # two norm outputs and the MLP's last input halve; attention's output is kept in 16 bit and once more in 8
    assert sizes["fp8"] == sizes["bf16-mixed"] - 2 * 4096 - 14336 + 4096
    assert sizes["nvfp4"] < sizes["fp8"]


def test_lora_keeps_less_for_few_targets_and_more_for_fp32_adapters() -> None:
    """Llama-3.2-1B, r 16 on all linear layers: 77.3h in fp32, 57.4h under autocast, 45h for q and v alone."""
    spec = model_named("Llama-3.2-1B")

    def lora(targets: str, recipe: str) -> float:
        job = TrainingJob(method="lora", lora_targets=targets)
        options = replace(options_of(spec, job, "stock", "plain"), precision=precision_recipes()[recipe])
        kept = block_bytes(spec, family_of(spec), options).kept
        return (kept.whole + kept.shared) / spec.hidden_size

    assert lora("all-linear", "bf16") == pytest.approx(77.3, rel=0.01)
    assert lora("all-linear", "bf16-autocast") == pytest.approx(57.4, rel=0.01)
    assert lora("qv", "bf16") == pytest.approx(45.0, rel=0.01)
    assert lora("qv", "bf16") < lora("attention", "bf16") < lora("all-linear", "bf16")


def test_an_int8_base_saves_the_inputs_that_a_frozen_one_does_not() -> None:
    spec = model_named("Llama-2-7B")

    def kept(base: str, software: str) -> float:
        job = TrainingJob(method="lora", lora_targets="qv", base_precision=base)
        options = options_of(spec, job, software, "plain")
        block = block_bytes(spec, family_of(spec), options).kept
        return float(block.whole + block.shared)

    assert kept("int8", "tuned-eager") > kept("nf4", "tuned-eager") == kept("bf16", "tuned-eager")
    # PEFT's k-bit preparation makes what flows between the layers fp32: three tensors of the gated MLP
    assert kept("int8", "stock") > kept("nf4", "stock") == kept("bf16", "stock") + 3 * 2 * 11008


def test_latent_attention_and_experts_are_counted() -> None:
    spec = model_named("DeepSeek-V3")
    kept = block_bytes(spec, family_of(spec), options_of(spec, TrainingJob(), "tuned-fused", "plain")).kept
    experts = 8 * 3 * 2048 * 2  # gate, up and input of the last product of eight experts
    assert kept.shared > experts + 2 * 128 * 192  # and the queries of 128 heads
    assert kept.whole > 8 * 2 * 7168  # every token is copied to eight experts
    stock = block_bytes(spec, family_of(spec), options_of(spec, TrainingJob(), "stock", "plain")).kept
    assert stock.whole > kept.whole + 58 / 61 * 8 * 2 * 7168  # where Python code weights what comes back, that as well


def test_selective_recompute_of_latent_attention_keeps_the_latents() -> None:
    """DeepSeek-V3 makes norms, expanded heads and the activation again (arXiv 2412.19437, section 3.2.3)."""
    spec = model_named("DeepSeek-V3")
    block = block_bytes(spec, family_of(spec), options_of(spec, TrainingJob(), "tuned-fused", "plain"))
    heads = 2 * 128 * (2 * 192 + 128 + 128)
    assert block.kept.shared - block.selective.shared >= heads
    assert block.kept.whole - block.selective.whole == 2 * 2 * 7168


def test_a_capacity_factor_pads_the_experts() -> None:
    spec = model_named("Mixtral-8x7B")
    kept = []
    for factor in (None, 1.0, 1.5):
        job = TrainingJob(capacity_factor=factor)
        kept.append(block_bytes(spec, family_of(spec), options_of(spec, job, "tuned-fused", "plain")).kept)
    assert kept[0] == kept[1]
    assert kept[2].whole - kept[0].whole == 0.5 * 2 * (2 * 4096 + 12)  # two experts a token, half of it again


def test_grouped_products_know_no_autocast() -> None:
    """Over fp32 weights the routed experts of Hugging Face run in fp32: 3,072 bytes more in a measured block."""
    sizes = {"hidden_size": 64, "heads": 4, "kv_heads": 2, "head_dim": 16, "layers": 4}
    spec = model_named("Mixtral-8x7B")
    assert spec.moe is not None
    spec = spec.model_copy(update={**sizes, "moe": spec.moe.model_copy(update={"expert_size": 160, "moe_layers": 4})})
    wide, narrow = (
        block_bytes(spec, family_of(spec), stock(spec, recipe)).kept for recipe in ("autocast", "bf16-autocast")
    )
    assert wide.shared - narrow.shared == 2 * 4 * 2 * 160  # two experts a token: four tensors, two bytes more each
    assert wide.whole - narrow.whole >= 2 * 2 * 2 * 64  # the copies of the tokens, there and back


def test_an_eight_bit_base_with_fp32_norms_keeps_fp32_inputs() -> None:
    """Mistral-7B, 8-bit base, one sequence of 4,096, nothing recomputed: 69.3 GB reserved (axolotl issue 814).

    PEFT's k-bit preparation makes norms and residual fp32; LLM.int8 saves each input and an 8-bit copy of it.
    """
    job = TrainingJob(method="lora", base_precision="int8", sequence_length=4096, lora_rank=32, optimizer="adamw-8bit")
    assert peak("Mistral-7B-v0.1", "stock", job, plan()).peak == pytest.approx(69.3e9, rel=0.1)


def test_few_families_lack_a_line() -> None:
    """A family without one gets the block that its configuration describes, and a wider allowance."""
    from desktop_app.estimation.presets import presets

    assert {spec.family for spec in presets() if spec.kind == "decoder"} - set(families()) <= {"bitnet"}


def test_a_family_without_a_line_gets_what_its_configuration_says() -> None:
    def newcomer(name: str) -> Family:
        return family_of(model_named(name).model_copy(update={"family": "newcomer"}))

    assert (newcomer("Llama-2-7B").norm, newcomer("Llama-2-7B").layout) == ("rms", "sequential")
    assert (newcomer("Gemma-2-2B").norm, newcomer("Gemma-2-2B").layout) == ("rms_fp32", "sandwich")
    assert newcomer("Gemma-2-2B").score_bytes_16bit == 8
    assert newcomer("Qwen3-1.7B").qk_norm == "rms" and newcomer("OLMo-2-7B").qk_norm == "rms_fp32"
    assert (newcomer("GPT-2").mlp, newcomer("GPT-2").qkv) == ("gelu_python", "packed")
    assert newcomer("OPT-1.3B").mlp == "relu" and newcomer("OPT-1.3B").mask_bytes == 1
