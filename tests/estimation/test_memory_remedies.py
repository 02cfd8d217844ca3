"""Fused backward, host memory, uneven pipelines, and the remedies that an estimate offers."""

from typing import Any

import pytest
from memory_jobs import moments, plan

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate
from desktop_app.estimation.memory import peak_memory, recipe_of
from desktop_app.estimation.memory_moments import MOMENTS
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.results import Estimate
from desktop_app.estimation.shape import shape_of
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import UserError

P = 6_738_415_616  # parameters of Llama-2-7B
ONE_BY_ONE: dict[str, Any] = {"tp": 1, "pp": 1, "cp": 1}


def estimated(model: str, job: dict[str, Any], **cluster: Any) -> Estimate:
    return estimate(model_named(model), TrainingJob(**{"tokens": 1e8, **job}), cluster_of(ClusterChoice(**cluster)))


def keys(found: Estimate) -> set[str]:
    return {problem.key for problem in found.problems}


def test_fused_backward_keeps_no_gradient_set() -> None:
    """Llama-2-7B in bf16 with 8-bit AdamW: 2 + 2 bytes of weights and state, no 2 of gradients at the step."""
    jobs = [TrainingJob(precision="bf16", optimizer="adamw-8bit", fused_backward=fused) for fused in (False, True)]
    apart, fused = (moments("Llama-2-7B", "stock", job, plan()).moments[MOMENTS.index("step")] for job in jobs)
    assert apart.gradients == 2 * P and fused.gradients == 0
    assert apart.total - fused.total == 2 * P
    first = moments("Llama-2-7B", "stock", jobs[1], plan()).moments[MOMENTS.index("first_block")]
    assert first.gradients < 0.05 * 2 * P


def test_fused_backward_takes_a_batch_without_accumulation() -> None:
    found = estimated("Llama-2-7B", {"fused_backward": True}, gpus=8)
    assert found.plan.accumulation == 1 and "problem.fused_backward_steps" not in keys(found)
    stated = estimated("Llama-2-7B", {"fused_backward": True, "global_batch": 1024}, gpus=8)
    assert stated.plan.accumulation > 1 and "problem.fused_backward_steps" in keys(stated)


@pytest.mark.parametrize(
    ("job", "key"),
    [
        ({"pp": 2}, "problem.fused_backward_pipeline"),
        ({**ONE_BY_ONE, "micro_batch": 1, "global_batch": 64}, "problem.fused_backward_accumulation"),
    ],
)
def test_fused_backward_refuses_what_accumulates_gradients(job: dict[str, Any], key: str) -> None:
    with pytest.raises(UserError) as refused:
        estimated("Llama-2-7B", {"fused_backward": True, **job}, gpus=8)
    assert [problem.key for problem in refused.value.problems] == [key]


def test_host_memory_decides_whether_offload_works() -> None:
    """70B parameters of 20 bytes: 1,285 GiB on one node."""
    job = {"offload": "all", "software": "stock"}
    verdicts = {gib: estimated("Llama-2-70B", job, gpus=8, host_memory_gib_per_node=gib) for gib in (1000, 1350, 2000)}
    assert [found.fits for found in verdicts.values()] == ["no", "tight", "yes"]
    assert "problem.host_memory" in keys(verdicts[1000]) and "problem.does_not_fit" not in keys(verdicts[1000])
    assert "problem.host_memory" not in keys(verdicts[1350])
    unknown = estimated("Llama-2-70B", job, gpus=8)
    assert unknown.fits == "tight"  # more than servers usually have
    needed = next(problem for problem in unknown.problems if problem.key == "problem.host_memory_needed")
    assert needed.values["needed"] == 1285


def test_offloaded_weights_are_shared_by_the_ranks_of_a_node() -> None:
    found = estimated("Llama-2-70B", {"offload": "all", "software": "stock"}, gpus=8)
    assert found.sharding == "zero3"
    assert found.memory.host_bytes * 8 == pytest.approx(20 * 68_976_648_192, rel=1e-6)


def test_llama_405b_ran_without_recompute_and_is_not_refused() -> None:
    """16,384 H100, tensor 8, pipeline 16, 8,192 tokens, gradients sharded too (arXiv 2407.21783, section 3.3.2)."""
    job = {
        "tokens": 1e13, "sequence_length": 8192, "global_batch": 2048, "micro_batch": 1, "tp": 8, "pp": 16, "cp": 1,
        "recompute": "none",
    }  # fmt: skip
    found = estimated("Llama-3.1-405B", job, gpu="H100-SXM", gpus=16384)
    assert found.fits == "tight" and found.sharding == "zero2"
    assert found.memory.peak < found.cluster.gpu.usable_memory_bytes
    # 400 TFLOP/s, table 4: one reduction for the 16 micro-batches of a chunk
    assert 2048 * 8192 / 16384 / found.step_time_s == pytest.approx(152.4, rel=0.12)
    whole = estimated("Llama-3.1-405B", {**job, "sharding": "zero1"}, gpu="H100-SXM", gpus=16384)
    assert whole.memory.gradients - found.memory.gradients > 10e9
    assert whole.fits == "no" and whole.memory.live_peak > found.memory.live_peak


def test_deepseek_v3_ran_with_selective_recompute_and_is_not_refused() -> None:
    """2,048 H800, 16 stages, 64-way experts, fp8 (arXiv 2412.19437, section 3.2)."""
    job = {
        "tokens": 1e13, "sequence_length": 4096, "global_batch": 15360, "micro_batch": 1, "tp": 1, "pp": 16, "cp": 1,
        "ep": 64, "precision": "fp8",
    }  # fmt: skip
    assert estimated("DeepSeek-V3", job, gpu="H800-SXM", gpus=2048).fits == "yes"
    assert estimated("DeepSeek-V3", {**job, "recompute": "selective"}, gpu="H800-SXM", gpus=2048).fits != "no"


def test_a_spare_layer_lightens_the_first_stage() -> None:
    """126 layers on 16 stages: the second stage keeps 8 layers of 15 micro-batches, the first would keep 8 of 16."""
    shares = []
    for layers in (126, 128):
        spec = model_named("Llama-3.1-405B").model_copy(update={"layers": layers})
        shape, layout = shape_of(spec), plan(tp=8, pp=16, accumulation=64, sequence_parallel=1)
        recipe = recipe_of(spec, shape, TrainingJob(), "tuned-fused")
        shares.append(peak_memory(shape, recipe, layout, 8192).moments[MOMENTS.index("pipeline")].activations)
    assert shares[0] / shares[1] == pytest.approx(8 * 15 / (8 * 16), rel=1e-3)


REMEDIES = [
    ("Llama-3.1-8B", {"recompute": "none", "micro_batch": 4, "sequence_length": 8192, "sharding": "fsdp", **ONE_BY_ONE,
                      "software": "tuned-eager"}, {"gpus": 8}, {"recompute", "micro_batch"}),
    ("Llama-2-7B", {"precision": "bf16", "software": "stock", "global_batch": 1},
     {"gpus": 1, "gpu": "A100-40GB-SXM"}, {"method", "offload", "optimizer"}),
    ("Llama-2-70B", {"software": "stock"}, {"gpus": 8}, {"method", "gpus", "offload"}),
    ("Llama-3-8B", {"method": "lora", "sequence_length": 8192}, {"gpus": 1, "gpu": "RTX-4090"},
     {"offload", "sequence_length", "cross_entropy"}),
]  # fmt: skip


@pytest.mark.parametrize(("model", "job", "cluster", "wanted"), REMEDIES, ids=[row[0] for row in REMEDIES])
def test_remedies_are_ranked_and_none_is_already_in_force(
    model: str, job: dict[str, Any], cluster: dict[str, Any], wanted: set[str]
) -> None:
    found = estimated(model, job, **cluster)
    order = {"yes": 0, "tight": 1}
    ranks = [(order[remedy.fits], remedy.gpu_hours_change) for remedy in found.remedies]
    assert found.fits != "yes" and ranks and ranks == sorted(ranks)
    assert wanted <= {remedy.field for remedy in found.remedies}
    for remedy in found.remedies:
        assert remedy.peak_change_bytes < 0
        now = cluster["gpus"] if remedy.field == "gpus" else getattr(found.job, remedy.field)
        assert remedy.value != now


def test_what_lacks_host_memory_is_offered_more_machines() -> None:
    """The GPU has room to spare: 70B parameters do not fit in 1,000 GiB of one node, but in those of several."""
    job = {"offload": "all", "software": "stock"}
    found = estimated("Llama-2-70B", job, gpus=8, host_memory_gib_per_node=1000)
    assert found.memory.peak_high < found.cluster.gpu.usable_memory_bytes and found.fits == "no"
    best = {remedy.field: remedy for remedy in found.remedies}
    assert best["gpus"].fits == "yes"
    wider = estimated("Llama-2-70B", job, gpus=int(best["gpus"].value), host_memory_gib_per_node=1000)
    assert wider.fits == "yes" and wider.cluster.nodes > 1


def test_a_remedy_says_what_the_job_then_is() -> None:
    """Recompute full: so many GiB less and so many per cent more time, as the changed job's own estimate has it."""
    model, job, cluster, _ = REMEDIES[0]
    found = estimated(model, job, **cluster)
    full = next(remedy for remedy in found.remedies if remedy.field == "recompute")
    changed = estimated(model, {**job, "recompute": full.value}, **cluster)
    assert changed.fits == full.fits
    assert changed.memory.peak - found.memory.peak == pytest.approx(full.peak_change_bytes)
    assert changed.step_time_s / found.step_time_s == pytest.approx(1 + full.step_time_change)


def test_a_sequence_is_cut_no_more_than_it_must() -> None:
    """QLoRA of 13B at 32,768 tokens on one RTX 3090: a quarter fits, and so does an eighth."""
    found = estimated(
        "Llama-2-13B", {"tokens": 1e7, "method": "qlora", "sequence_length": 32_768}, gpu="RTX-3090", gpus=1
    )
    assert found.fits == "no"
    (cut,) = [remedy for remedy in found.remedies if remedy.field == "sequence_length"]
    assert (cut.value, cut.fits) == (8192, "yes")


def test_more_gpus_stand_in_servers_as_small_as_stated() -> None:
    """Eight one-GPU servers, not one of eight: the remedy says what the job then answers itself."""
    own = {"gpu": "L40S", "gpus_per_node": 1}
    found = estimated("Qwen3-14B", {"tokens": 1e9}, gpus=1, **own)
    more = [remedy for remedy in found.remedies if remedy.field == "gpus"]
    for remedy in more:
        applied = estimated("Qwen3-14B", {"tokens": 1e9}, gpus=int(remedy.value), **own)
        assert applied.fits == remedy.fits
        assert applied.memory.peak - found.memory.peak == pytest.approx(remedy.peak_change_bytes)
    assert cluster_of(ClusterChoice(gpus=1, **own)).with_gpus(8).gpus_per_node == 1
    assert cluster_of(ClusterChoice(gpus=1, gpu="L40S")).with_gpus(8).gpus_per_node == 8


def test_without_a_remedy_none_is_promised() -> None:
    """405B parameters in 4 bits are 200 GB; not even its largest layers find room on a T4 of 15 GiB, offloaded."""
    found = estimated("Llama-3.1-405B", {"tokens": 1e6, "method": "qlora", "sequence_length": 512}, gpu="T4", gpus=1)
    assert found.fits == "no" and not found.remedies
    assert "problem.does_not_fit_alone" in keys(found) and "problem.does_not_fit" not in keys(found)


def test_partial_recompute_keeps_its_name_where_it_does_not_fit() -> None:
    found = estimated("Llama-2-7B", {"recompute": "partial"}, gpu="A100", gpus=1)
    assert found.fits == "no" and found.recompute == "partial"
