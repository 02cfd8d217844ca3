"""The layout that the program chooses, against every legal layout evaluated as columns."""

import numpy as np
import pytest

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.estimate import estimate, question_of
from desktop_app.estimation.layout_choice import SPLIT_HANDICAP, WORTH_A_RISK, choose, evaluate
from desktop_app.estimation.plan_search import columns_of, evaluate_columns, legal_plans
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import UserError

JOBS = {
    "13B on 256 A100": ("LLaMA-13B", {}, {}),
    "13B on 8 A100": ("LLaMA-13B", {}, {"gpus": 8}),
    "GPT-3 on 1,024 A100": ("GPT-3-175B", {"tokens": 3e11, "global_batch": 1536}, {"gpus": 1024}),
    "70B on 512 H100": ("Llama-3-70B", {"sequence_length": 8192}, {"gpu": "H100", "gpus": 512}),
    "70B on 64 L40S": ("Llama-3-70B", {}, {"gpu": "L40S", "gpus": 64}),
    "405B on 16,384 H100": ("Llama-3.1-405B", {"sequence_length": 8192}, {"gpu": "H100", "gpus": 16384}),
    "GPT-2 on 8 A100": ("GPT-2", {"sequence_length": 1024}, {"gpus": 8}),
    "8B at 128k on 64 H100": ("Llama-3-8B", {"sequence_length": 131072}, {"gpu": "H100", "gpus": 64}),
    "Mixtral on 128 H100": ("Mixtral-8x7B", {"sequence_length": 4096}, {"gpu": "H100", "gpus": 128}),
    "DeepSeek-V3 on 2,048 H800": ("DeepSeek-V3", {"sequence_length": 4096}, {"gpu": "H800-80GB-SXM", "gpus": 2048}),
    "Qwen3-235B on 512 H100": ("Qwen3-235B-A22B", {"sequence_length": 4096}, {"gpu": "H100", "gpus": 512}),
    "7B LoRA on one 3090": ("Llama-2-7B", {"method": "lora", "sequence_length": 512}, {"gpu": "RTX-3090", "gpus": 1}),
    "7B QLoRA on 4 A10G": ("Llama-2-7B", {"method": "qlora"}, {"gpu": "A10G", "gpus": 4}),
}


def question(name):
    """The question of one job above."""
    model, job, cluster = JOBS[name]
    return question_of(model_named(model), TrainingJob(**job), cluster_of(ClusterChoice(**cluster)))


@pytest.mark.parametrize("name", JOBS)
def test_columns_give_the_same_answers_as_single_plans(name):
    asked = question(name)
    rows = legal_plans(asked)
    found = evaluate_columns(asked, columns_of(rows))
    for row in range(0, len(rows), max(1, len(rows) // 60)):
        single = evaluate(asked, rows[row], "none", "none")
        assert found.step_time_s[row] == pytest.approx(single.time.step_s, rel=1e-12)
        assert found.live_peak_bytes[row] == pytest.approx(single.peak.peak.total, rel=1e-12)


@pytest.mark.parametrize("name", JOBS)
def test_the_chosen_layout_is_as_good_as_the_best_of_all_but_simpler(name):
    asked = question(name)
    rows = legal_plans(asked)
    found = evaluate_columns(asked, columns_of(rows))
    best = found.fastest_that_fits(asked.cluster.gpu.usable_memory_bytes)
    chosen = choose(asked)
    assert best is not None
    if chosen.sure:
        assert chosen.time.step_s <= SPLIT_HANDICAP**3 * found.step_time_s[best]
    else:  # it only probably fits, and what surely fits is much slower
        assert chosen.likely
        assert found.step_time_s[best] > WORTH_A_RISK * chosen.time.step_s


@pytest.mark.parametrize("name", JOBS)
def test_every_legal_plan_multiplies_to_gpus_and_batch(name):
    asked = question(name)
    plans = columns_of(legal_plans(asked))
    assert np.all(plans.tp * plans.pp * plans.cp * plans.dp == asked.cluster.gpus)
    assert np.all(plans.micro_batch * plans.accumulation * plans.dp == asked.global_batch)
    assert np.all(asked.shape.heads % plans.tp == 0)


def test_a_stated_layout_is_kept():
    stated = {"tp": 8, "pp": 8, "cp": 1, "micro_batch": 1, "recompute": "full", "interleave": 2, "sharding": "zero1"}
    job = TrainingJob(tokens=3e11, global_batch=1536, **stated)
    got = estimate(model_named("GPT-3-175B"), job, cluster_of(ClusterChoice(gpus=1024)))
    plan = got.plan
    assert (plan.tp, plan.pp, plan.dp, plan.micro_batch, plan.interleave) == (8, 8, 16, 1, 2)
    assert (got.recompute, got.sharding, got.regime) == ("full", "zero1", "layout_chosen")
    assert "tp" not in got.chosen
    known = TrainingJob(**{**job.model_dump(exclude_unset=True), "software": "tuned-fused"})
    assert estimate(got.model, known, got.cluster).regime == "layout_known"  # the software decides as much


@pytest.mark.parametrize(
    ("job", "gpus", "field"),
    [
        ({"tp": 3}, 256, "tp"),
        ({"pp": 41}, 41, "pp"),
        ({"tp": 8, "pp": 5}, 256, "tp"),
        ({"cp": 3}, 6, "cp"),
        ({"ep": 8}, 256, "ep"),
        ({"tp": 1, "pp": 1, "cp": 1, "global_batch": 100}, 256, "global_batch"),
        ({"pp": 1, "interleave": 2}, 256, "interleave"),
        ({"pp": 20, "interleave": 4}, 20, "interleave"),
        ({"micro_batch": 3, "global_batch": 64}, 8, "micro_batch"),
    ],
)
def test_a_layout_that_cannot_run_is_refused_by_its_field(job, gpus, field):
    with pytest.raises(UserError) as refused:
        estimate(model_named("LLaMA-13B"), TrainingJob(**job), cluster_of(ClusterChoice(gpus=gpus)))
    assert refused.value.problems[0].field == field


def test_every_number_of_gpus_gets_a_layout():
    model = model_named("LLaMA-13B")
    for gpus in (1, 2, 3, 5, 7, 9, 12, 24, 36, 100, 257, 1000, 1023, 4096, 100_000):
        got = estimate(model, TrainingJob(), cluster_of(ClusterChoice(gpus=gpus)))
        assert got.plan.tp * got.plan.pp * got.plan.cp * got.plan.dp == gpus
        assert got.step_time_s > 0


def test_full_fine_tuning_of_7b_on_one_card_offers_remedies_that_were_estimated_again():
    got = estimate(
        model_named("Llama-2-7B"), TrainingJob(tokens=1e7, global_batch=1), cluster_of(ClusterChoice(gpus=1))
    )
    assert got.fits == "no"
    assert got.memory.peak_low > got.cluster.gpu.usable_memory_bytes
    assert got.remedies
    assert got.remedies[0].fits == "yes"
    assert all(remedy.peak_change_bytes < 0 for remedy in got.remedies)


def test_a_given_efficiency_fixes_the_step():
    job = TrainingJob(mfu=0.4)
    got = estimate(model_named("LLaMA-13B"), job, cluster_of(ClusterChoice()))
    flops = got.flops_per_token * got.global_batch * 2048
    assert got.step_time_s == pytest.approx(flops / (256 * 312e12 * 0.4))
    assert got.step_breakdown is None
    assert got.regime == "efficiency_given"


def test_a_card_without_bf16_takes_fp16_and_says_so():
    got = estimate(
        model_named("GPT-2"),
        TrainingJob(tokens=1e9, sequence_length=1024),
        cluster_of(ClusterChoice(gpu="V100-32GB", gpus=8)),
    )
    assert got.job.precision == "fp16-mixed"
    assert "problem.no_bf16" in [problem.key for problem in got.problems]


@pytest.mark.parametrize("gpus", [8, 16, 64])
@pytest.mark.parametrize("stated", [{"ep": 8}, {"ep": 8, "tp": 2}, {"ep": 4, "pp": 2}, {"ep": 2}])
def test_stated_expert_parallelism_divides_the_group_that_shares_the_experts(gpus, stated):
    cluster = cluster_of(ClusterChoice(gpu="H100", gpus=gpus))
    try:
        plan = estimate(model_named("Mixtral-8x7B"), TrainingJob(**stated), cluster).plan
    except UserError as refused:
        assert refused.problems[0].field == "ep"
    else:
        assert plan.tp * plan.dp * plan.cp % plan.ep == 0
        assert plan.ep == stated["ep"]


def test_stated_interleaving_brings_its_pipeline_or_is_refused():
    model, cluster = model_named("LLaMA-13B"), cluster_of(ClusterChoice(gpus=64))
    plan = estimate(model, TrainingJob(interleave=2), cluster).plan
    assert plan.interleave == 2
    assert plan.pp > 1
    assert plan.accumulation % plan.pp == 0
    with pytest.raises(UserError) as refused:
        estimate(model, TrainingJob(interleave=1000), cluster)
    assert refused.value.problems[0].field == "interleave"


def test_a_stated_micro_batch_brings_a_batch_that_it_divides():
    for micro_batch in (3, 5, 7):
        got = estimate(model_named("LLaMA-13B"), TrainingJob(micro_batch=micro_batch), cluster_of(ClusterChoice()))
        assert got.plan.micro_batch == micro_batch


def test_zero_three_and_a_pipeline_exclude_each_other():
    model, cluster = model_named("Llama-2-70B"), cluster_of(ClusterChoice(gpus=64))
    assert estimate(model, TrainingJob(sharding="zero3"), cluster).plan.pp == 1
    with pytest.raises(UserError) as refused:
        estimate(model, TrainingJob(sharding="zero3", pp=2), cluster)
    assert refused.value.problems[0].field == "sharding"


def test_lora_on_eight_consumer_cards_is_not_slower_than_on_one():
    model = model_named("Llama-3-8B")
    speeds = []
    for gpus in (1, 8):
        got = estimate(
            model, TrainingJob(method="lora", tokens=1e8), cluster_of(ClusterChoice(gpu="RTX-4090", gpus=gpus))
        )
        speeds.append(got.global_batch * 2048 / got.step_time_s)
    assert speeds[1] > 4 * speeds[0]


def test_offloading_costs_time():
    model, cluster = model_named("Llama-3-8B"), cluster_of(ClusterChoice(gpu="A100-80GB-SXM", gpus=8))
    layout = {"tp": 1, "pp": 1, "cp": 1, "micro_batch": 1, "recompute": "full", "sharding": "fsdp", "global_batch": 64}
    none, optimizer, weights = (
        estimate(model, TrainingJob(offload=offload, **layout), cluster).step_time_s
        for offload in ("none", "optimizer", "all")
    )
    # 8.03B parameters stepped by the host: gradient 4 bytes, moments 8 twice, weights 4, over 0.45 x 410 GB/s
    assert optimizer - none == pytest.approx(8.03e9 * (4 + 2 * 8 + 4) / (0.45 * 4.1e11), rel=1e-3)
    # the weights, 2 bytes, three passes, eight micro-batches over 25 GB/s take less than the GPUs' own step
    assert none > 8 * 3 * 2 * 8.03e9 / 8 / 25e9
    assert weights == pytest.approx(optimizer)


def test_a_short_job_takes_a_batch_smaller_than_its_tokens():
    got = estimate(model_named("Llama-3-8B"), TrainingJob(tokens=1e8), cluster_of(ClusterChoice(gpus=8)))
    assert got.global_batch * 2048 <= 1e8 / 100


def test_more_gpus_as_a_remedy_stand_in_one_server_as_far_as_it_goes():
    one = cluster_of(ClusterChoice(gpu="RTX-4090", gpus=1))
    assert one.with_gpus(4).gpus_per_node == 4
    assert one.with_gpus(16).gpus_per_node == 8
    got = estimate(model_named("Llama-3-8B"), TrainingJob(method="lora", tokens=1e8, sequence_length=8192), one)
    more = [remedy for remedy in got.remedies if remedy.field == "gpus"]
    assert all(remedy.gpu_hours_change < 3 for remedy in more)
