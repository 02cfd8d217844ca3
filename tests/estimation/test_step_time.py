"""The time of a step: parts that add up, columns against single plans, what is refused."""

from dataclasses import astuple, fields, replace

import pytest

from desktop_app.estimation.cluster import ClusterChoice, cluster_of
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape, shape_of
from desktop_app.estimation.software import SoftwareStack, software_of
from desktop_app.estimation.speed_settings import SpeedSettings, settings_of
from desktop_app.estimation.step_time import StepTime, breakdown, step_time
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.row_model import decoder_model
from desktop_app.foundation.problems import UserError


def decoder(**sizes: float) -> Shape:
    """The shape of a decoder of plain sizes."""
    return shape_of(decoder_model(**sizes))


LLAMA_7B = decoder(
    layers=32, hidden=4096, heads=32, kv_heads=32, ffn=11_008, matrices=3, vocab=32_000
)  # fmt: skip
LLAMA_70B = decoder(layers=80, hidden=8192, heads=64, kv_heads=8, ffn=28_672, matrices=3, vocab=32_000)
LLAMA3_70B = decoder(layers=80, hidden=8192, heads=64, kv_heads=8, ffn=28_672, matrices=3, vocab=128_256)
BLOOM = decoder(layers=70, hidden=14_336, heads=112, kv_heads=112, ffn=57_344, matrices=2, vocab=250_880)
MPT_7B = decoder(layers=32, hidden=4096, heads=32, kv_heads=32, ffn=16_384, matrices=2, vocab=50_368)
INTERNLM = decoder(layers=32, hidden=4096, heads=32, kv_heads=32, ffn=11_008, matrices=3, vocab=103_168)
QWEN_7B = decoder(layers=32, hidden=4096, heads=32, kv_heads=32, ffn=11_008, matrices=3, vocab=151_936)
DEEPSEEK_V3 = decoder(
    layers=61, hidden=7168, heads=128, kv_heads=128, head_dim=128, ffn=18_432, matrices=3, vocab=129_280, experts=256,
    top=8, expert_size=2048, active=37e9,
)  # fmt: skip


def plan(**changes: float) -> Plan:
    values = {
        "tp": 1, "pp": 1, "dp": 1, "cp": 1, "ep": 1, "interleave": 1, "micro_batch": 1, "accumulation": 1,
        "zero_stage": 0, "full_shard": 0, "full_recompute": 0, "selective_recompute": 0, "sequence_parallel": 0,
    }  # fmt: skip
    return Plan(**{**values, **changes})


def settings(
    shape: Shape, gpu: str, gpus: int, stack: SoftwareStack | None = None, network: float | None = None, **job: object
) -> SpeedSettings:
    choices = TrainingJob.model_validate(job)
    cluster = cluster_of(ClusterChoice(gpu=gpu, gpus=gpus, network_gbit_per_node=network))
    return settings_of(shape, choices, cluster, stack or software_of(choices))


def bloom() -> tuple[Shape, SpeedSettings, Plan]:
    """BLOOM-176B on 384 A100 of Jean Zay: 4 x 100 Gb/s per node, unfused attention."""
    own = settings(BLOOM, "A100", 384, network=400, software="legacy")
    return BLOOM, own, plan(tp=4, pp=12, dp=8, micro_batch=2, accumulation=128, zero_stage=1, full_recompute=1)


def mpt() -> tuple[Shape, SpeedSettings, Plan]:
    """MPT-7B on 8 A100, llm-foundry."""
    own = settings(MPT_7B, "A100", 8, software="tuned-eager")
    return MPT_7B, own, plan(dp=8, micro_batch=6, accumulation=2, zero_stage=3, full_shard=1)


def llama3() -> tuple[Shape, SpeedSettings, Plan]:
    """Llama-3-70B in fp8 on 64 H100, Megatron-Bridge."""
    own = settings(LLAMA3_70B, "H100", 64, precision="fp8", sequence_length=8192)
    layout = plan(tp=4, pp=8, dp=2, interleave=5, micro_batch=1, accumulation=128, zero_stage=1, sequence_parallel=1)
    return LLAMA3_70B, own, layout


def deepseek() -> tuple[Shape, SpeedSettings, Plan]:
    """DeepSeek-V3 in bf16 on 256 GB300; the network of its check values is 6.4 Tb/s per node of 4."""
    own = settings(DEEPSEEK_V3, "GB300", 256, network=6400, sequence_length=4096)
    return DEEPSEEK_V3, own, plan(pp=2, dp=128, ep=32, interleave=4, micro_batch=1, accumulation=32, zero_stage=1)


def internlm() -> tuple[Shape, SpeedSettings, Plan]:
    """InternLM-7B on 1,024 A100, optimizer shards kept in a node and broadcast."""
    stack = SoftwareStack("tuned-eager", native_attention=False, tp_overlap=False, broadcast_optimizer=True)
    own = settings(INTERNLM, "A100", 1024, stack, network=400)
    layout = plan(dp=1024, micro_batch=8, accumulation=1, zero_stage=1, full_recompute=1)
    return INTERNLM, replace(own, optimizer_shard_gpus=8), layout


def qwen() -> tuple[Shape, SpeedSettings, Plan]:
    """Qwen-7B QLoRA at 1,024 tokens on one A100; the 4-bit kernel of GPTQ turns back 78e9 weights per second."""
    own = settings(QWEN_7B, "A100", 1, method="qlora", sequence_length=1024)
    return QWEN_7B, replace(own, dequantisation_s_per_param=1 / 78e9), plan(accumulation=8, full_recompute=1)


CASES = [bloom, mpt, llama3, deepseek, internlm, qwen]


@pytest.mark.parametrize("case", CASES)
def test_the_nine_parts_add_up_to_the_step(case) -> None:
    shape, own, layout = case()
    time = step_time(shape, own, layout)
    parts = breakdown(time)
    assert sum(astuple(parts)) == pytest.approx(time.step_s, rel=1e-12)
    assert min(astuple(parts)) >= 0
    assert len(fields(parts)) == 9


def test_dequantisation_is_dominant_in_short_qlora_steps() -> None:
    """6.48B weights of the layers, turned back 78e9 a second in three passes of eight micro-batches: 1.99 s."""
    shape, own, layout = qwen()
    time = step_time(shape, own, layout)
    assert time.dequantisation_s == pytest.approx(6.476e9 / 78e9 * 3 * 8, rel=0.005)
    assert breakdown(time).memory_bound == time.dequantisation_s + time.elementwise_s
    assert time.dequantisation_s > 0.4 * time.gpu_s


def columns_of(plans: list[Plan]) -> Plan:
    import numpy

    return Plan(
        **{field.name: numpy.array([getattr(one, field.name) for one in plans], float) for field in fields(Plan)}
    )


def every_kind_of_plan() -> list[Plan]:
    """432 layouts of 64 GPUs, with and without pipeline, sharding, recompute, context and expert parallelism."""
    return [
        plan(
            tp=tp, pp=pp, cp=cp, dp=64 // (tp * pp * cp), ep=ep, interleave=2 if pp > 1 else 1, micro_batch=1,
            accumulation=accumulation, zero_stage=zero, full_shard=float(zero == 3), full_recompute=recompute,
            sequence_parallel=float(tp > 1),
        )
        for tp in (1, 2, 8)
        for pp in (1, 2, 4)
        for cp in (1, 2)
        for ep in (1, 2)
        for zero in (0, 1, 3)
        for recompute in (0, 1)
        for accumulation in (1, 16)
    ]  # fmt: skip


@pytest.mark.parametrize("gpu", ["A100-80GB-SXM", "GB200"])
@pytest.mark.parametrize("shape", [LLAMA_70B, DEEPSEEK_V3], ids=["dense", "experts"])
@pytest.mark.parametrize("software", ["legacy", "tuned-fused", "stock"])
def test_columns_give_the_answers_of_single_plans(shape: Shape, software: str, gpu: str) -> None:
    import numpy

    plans = every_kind_of_plan()
    assert len(plans) == 432
    own = settings(shape, gpu, 64, software=software, sequence_length=4096)
    column = step_time(shape, own, columns_of(plans), numpy)
    for field in fields(StepTime):
        alone = [getattr(step_time(shape, own, one), field.name) for one in plans]
        whole = numpy.broadcast_to(getattr(column, field.name), len(plans))
        assert whole == pytest.approx(alone, rel=1e-12), field.name


def test_columns_of_models() -> None:
    import numpy

    shapes = [LLAMA_7B, LLAMA_70B, DEEPSEEK_V3]
    many = Shape(
        **{field.name: numpy.array([getattr(one, field.name) for one in shapes], float) for field in fields(Shape)}
    )
    own = settings(LLAMA_7B, "H100", 64)
    layout = plan(dp=64, ep=8, micro_batch=2, accumulation=4, zero_stage=1)
    alone = [step_time(one, own, layout).step_s for one in shapes]
    assert step_time(many, own, layout, numpy).step_s == pytest.approx(alone)


@pytest.mark.parametrize(
    ("gpu", "job", "field", "key"),
    [
        ("TPU-v4", {}, "gpu", "problem.no_speed_model"),
        ("Trainium2", {"precision": "fp8"}, "gpu", "problem.no_speed_model"),
        ("V100", {"precision": "bf16-mixed"}, "precision", "problem.no_precision"),
        ("A100", {"precision": "fp8"}, "precision", "problem.no_precision"),
        ("H100", {"precision": "mxfp8"}, "precision", "problem.no_precision"),
        ("H100", {"precision": "nvfp4"}, "precision", "problem.no_precision"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(gpu: str, job: dict, field: str, key: str) -> None:
    with pytest.raises(UserError) as caught:
        settings(LLAMA_7B, gpu, 8, **job)
    assert (caught.value.problems[0].field, caught.value.problems[0].key) == (field, key)


def test_a_stated_utilisation_makes_other_accelerators_answerable() -> None:
    own = settings(LLAMA_7B, "TPU-v4", 8, mfu=0.5)
    assert step_time(LLAMA_7B, own, plan(dp=8, zero_stage=1)).step_s > 0
