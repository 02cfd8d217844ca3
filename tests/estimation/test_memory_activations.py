"""Activations, logits and moments: Korthikanti's figures, pipelines, recompute, order checks."""

import itertools

import pytest
from memory_jobs import moments, peak, plan

from desktop_app.estimation.memory import peak_memory, recipe_of
from desktop_app.estimation.memory_moments import MOMENTS, PeakMemory
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob

# Korthikanti et al. 2022 (arXiv 2205.05198), table 3 (T = 8): layers, hidden, heads, stages, chunks, micro-batch, batch
KORTHIKANTI = {
    "22B": (48, 6144, 64, 1, 1, 4, 4),
    "175B": (96, 12288, 96, 8, 3, 1, 64),
    "530B": (105, 20480, 128, 35, 3, 1, 280),
    "1T": (128, 25600, 160, 64, 1, 1, 512),
}


def megatron(name: str, **changes: int) -> tuple[PeakMemory, tuple[int, ...]]:
    """One of the four models of the paper in its layout."""
    layers, hidden, heads, stages, chunks, micro_batch, batch = sizes = KORTHIKANTI[name]
    spec = model_named("GPT-3 175B").model_copy(
        update={
            "layers": layers, "hidden_size": hidden, "heads": heads, "kv_heads": heads, "head_dim": hidden // heads,
            "ffn_size": 4 * hidden, "vocab_size": 51200,
        }
    )  # fmt: skip
    shape = shape_of(spec)
    recipe = recipe_of(spec, shape, TrainingJob(attention="eager", precision="fp16-mixed"), "legacy")
    layout = plan(
        tp=8, pp=stages, interleave=chunks, micro_batch=micro_batch, accumulation=batch // micro_batch, **changes
    )
    return peak_memory(shape, recipe, layout, 2048), sizes


@pytest.mark.parametrize("name", KORTHIKANTI)
@pytest.mark.parametrize(("sequence_parallel", "selective"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_activations_of_the_first_stage_are_korthikanti_s(name: str, sequence_parallel: int, selective: int) -> None:
    """sbh(10 + 24/T + 5as/hT)L times 1 + (p-1)/(pv), 34/T with sequence parallelism, without 5as/hT when selective."""
    found, (layers, hidden, heads, stages, chunks, micro_batch, _) = megatron(
        name, sequence_parallel=sequence_parallel, selective_recompute=selective
    )
    per_layer = 2048 * micro_batch * hidden * (34 / 8 if sequence_parallel else 10 + 24 / 8)
    scores = 5 * heads * 2048 * 2048 * micro_batch / 8
    more = 1 + (stages - 1) / (stages * chunks) if chunks > 1 else 1
    formula = layers * (per_layer + (0 if selective else scores)) * more
    again = scores if selective else 0  # one layer's scores are made a second time
    moment = "pipeline" if stages > 1 else "start_of_backward"
    activations = found.moments[MOMENTS.index(moment)].activations
    final = 0 if stages > 1 else 2048 * micro_batch * hidden * 4 / (8 if sequence_parallel else 1)
    again = again if stages > 1 else 0
    assert activations - again - final == pytest.approx(formula, rel=3e-4)


def test_a_full_checkpoint_keeps_the_inputs_of_the_layers() -> None:
    """2sbh for each layer in flight, and one layer made again."""
    found, (layers, hidden, heads, *_) = megatron("1T", full_recompute=1)
    inputs = 2 * 2048 * hidden * layers
    again = 2048 * hidden * (10 + 24 / 8) + 5 * heads * 2048 * 2048 / 8
    assert found.moments[MOMENTS.index("pipeline")].activations == pytest.approx(inputs + again, rel=3e-4)


def test_a_short_pipeline_run_keeps_no_more_than_its_micro_batches() -> None:
    job = TrainingJob(precision="bf16-mixed")
    kept = [
        moments("LLaMA-13B", "tuned-fused", job, plan(pp=8, accumulation=m))
        .moments[MOMENTS.index("pipeline")]
        .activations
        for m in (1, 4, 8, 64)
    ]
    assert kept[1] == pytest.approx(4 * kept[0]) and kept[2] == pytest.approx(8 * kept[0]) and kept[3] == kept[2]


def test_logits_decide_small_models_and_the_loss_option_removes_them() -> None:
    """12 bytes per logit in Hugging Face's loss: 4.2 GB at 2,048 tokens and 128,256 words is 1.5 MB per token."""
    full = peak("Llama-3.2-1B", "stock", TrainingJob(precision="bf16"), plan(micro_batch=8))
    assert full.moment == "moment.start_of_backward"
    assert full.logits == 12 * 8 * 2048 * 128_256
    chunked = peak("Llama-3.2-1B", "stock", TrainingJob(precision="bf16", cross_entropy="chunked"), plan(micro_batch=8))
    fused = peak("Llama-3.2-1B", "stock", TrainingJob(precision="bf16", cross_entropy="fused"), plan(micro_batch=8))
    assert full.live_peak > chunked.live_peak > fused.live_peak


def test_megatron_s_loss_works_in_place_and_divides_by_tensor_parallelism() -> None:
    found = moments("Llama-3.1-8B", "tuned-fused", TrainingJob(), plan(tp=4, micro_batch=4))
    assert found.moments[MOMENTS.index("start_of_backward")].logits == 6 * 4 * 2048 * 128_256 / 4


def test_published_and_tracked_peaks() -> None:
    """Live bytes of one step of the real model classes (storage tracker, PyTorch 2.13)."""
    bf16 = TrainingJob(precision="bf16")
    assert moments("Llama-3.2-1B", "stock", bf16, plan(micro_batch=8)).peak.total == pytest.approx(
        61_390_141_440, rel=2e-4
    )
    long = TrainingJob(precision="bf16", sequence_length=8192)
    checkpointed = moments("Llama-3.2-1B", "stock", long, plan(full_recompute=1)).peak.total
    assert checkpointed == pytest.approx(20_696_381_440, rel=2e-4)
    lora = TrainingJob(method="lora", precision="bf16-mixed", sequence_length=1024)
    found = moments(
        "Llama-2-7B",
        "stock",
        TrainingJob(**{**lora.model_dump(), "lora_rank": 64}),
        plan(micro_batch=4, full_recompute=1),
    )
    assert found.peak.total == pytest.approx(18_201_348_608, rel=3e-3)
    assert MOMENTS[int(found.deciding)] == "loss"


BIGGER = ({"micro_batch": 2}, {"micro_batch": 4}, {"micro_batch": 16})


@pytest.mark.parametrize("software", ["stock", "tuned-fused", "tuned-eager", "legacy"])
@pytest.mark.parametrize("model", ["Llama-3.1-8B", "GPT-2 1.5B", "Mixtral-8x7B", "DeepSeek-V2-Lite"])
@pytest.mark.parametrize("method", ["full", "lora"])
def test_longer_sequences_and_bigger_micro_batches_never_need_less(software: str, model: str, method: str) -> None:
    layouts = [
        {
            "full_recompute": full,
            "selective_recompute": selective,
            "zero_stage": stage,
            "full_shard": shard,
            "dp": 8,
            **wide,
        }
        for full, selective in ((0, 0), (1, 0), (0, 1))
        for stage, shard in ((0, 0), (1, 0), (3, 1))
        for wide in ({}, {"tp": 2, "sequence_parallel": 1}, {"pp": 4, "accumulation": 8, "interleave": 2})
    ]
    for layout, attention in itertools.product(layouts, ("flash", "eager")):
        lengths = [
            moments(model, software, TrainingJob(method=method, sequence_length=s, attention=attention), plan(**layout))
            for s in (128, 512, 2048, 8192)
        ]
        batches = [
            moments(model, software, TrainingJob(method=method, attention=attention), plan(**layout, **more))
            for more in BIGGER
        ]
        for series in (lengths, batches):
            totals = [found.peak.total for found in series]
            assert totals == sorted(totals)


@pytest.mark.parametrize("software", ["stock", "tuned-fused", "tuned-eager", "legacy"])
def test_recompute_and_sharding_never_need_more(software: str) -> None:
    job = TrainingJob(sequence_length=4096, attention="eager")
    none, selective, full = (
        moments("Llama-3.1-8B", software, job, plan(micro_batch=2, dp=8, **changes)).peak.total
        for changes in ({}, {"selective_recompute": 1}, {"full_recompute": 1})
    )
    assert none > selective > full
    plain, sharded = (
        moments("Llama-3.1-8B", software, job, plan(dp=8, zero_stage=stage, full_shard=stage // 3)).peak.total
        for stage in (0, 3)
    )
    assert plain > sharded


def test_each_way_of_sharding_has_its_own_loss() -> None:
    """When the sharding is not stated, one recipe serves Megatron's loss (6 bytes per logit) and a compiled one (4)."""
    layouts = (plan(dp=8, zero_stage=1), plan(dp=8, zero_stage=3, full_shard=1))
    start = MOMENTS.index("start_of_backward")
    logits = [moments("LLaMA-13B", "tuned-fused", TrainingJob(), layout).moments[start].logits for layout in layouts]
    assert logits == [6 * 2048 * 32000, 4 * 2048 * 32000]
