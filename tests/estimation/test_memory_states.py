"""Weights, gradients and optimizer: bytes per parameter of every recipe, and how layouts divide them."""

from itertools import product

import pytest
from memory_jobs import moments, peak, plan

from desktop_app.estimation.memory_moments import MOMENTS, Terms
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.training_job import TrainingJob

P = 6_738_415_616  # parameters of Llama-2-7B


def at(moment: str, software: str, job: TrainingJob, layout: Plan, model: str = "Llama-2-7B") -> Terms:
    return moments(model, software, job, layout).moments[MOMENTS.index(moment)]


def state(software: str, job: TrainingJob, layout: Plan, model: str = "Llama-2-7B") -> float:
    """Weights, gradients and optimizer when the optimizer steps."""
    terms = at("step", software, job, layout, model)
    return terms.weights + terms.gradients + terms.optimizer


@pytest.mark.parametrize(
    ("software", "precision", "optimizer", "bytes_per_parameter"),
    [
        ("tuned-fused", "bf16-mixed", "adamw", 18),
        ("legacy", "bf16-mixed", "adamw", 18),
        ("legacy", "fp16-mixed", "adamw", 16),
        ("tuned-eager", "bf16-mixed", "adamw", 16),
        ("stock", "bf16-mixed", "adamw", 16),
        ("stock", "bf16-mixed", "adamw-8bit", 10),
        ("stock", "bf16", "adamw", 8),
        ("stock", "bf16", "adamw-8bit", 6),
        ("stock", "bf16", "adamw-paged-8bit", 4),
        ("stock", "fp32", "adamw", 16),
        ("stock", "fp32", "sgd-momentum", 12),
        ("stock", "fp32", "sgd", 8),
        ("tuned-fused", "bf16-mixed", "adamw-8bit", 12),
    ],
)
def test_bytes_per_parameter(software: str, precision: str, optimizer: str, bytes_per_parameter: float) -> None:
    job = TrainingJob(precision=precision, optimizer=optimizer)
    assert state(software, job, plan()) == pytest.approx(bytes_per_parameter * P, rel=1e-9)


PRECISIONS = ("bf16", "bf16-mixed", "fp16-mixed", "fp8", "mxfp8", "nvfp4", "fp32")
STAGES = {None: 0, "none": 0, "zero1": 1, "zero2": 2, "zero3": 3, "fsdp": 3}


@pytest.mark.parametrize("software", ["stock", "tuned-fused", "tuned-eager", "legacy"])
@pytest.mark.parametrize("method", ["full", "lora", "qlora"])
def test_every_choice_has_an_answer_and_its_terms_add_up(software: str, method: str) -> None:
    for precision, sharding in product(PRECISIONS, STAGES):
        job = TrainingJob(precision=precision, method=method, sharding=sharding)
        layout = plan(dp=8, zero_stage=STAGES[sharding], full_shard=int(sharding == "fsdp"))
        found = peak("Llama-3.2-1B", software, job, layout)
        parts = (found.weights, found.gradients, found.optimizer, found.activations, found.logits, found.buffers)
        assert all(part >= 0 for part in parts)
        assert sum(parts) == pytest.approx(found.live_peak, rel=1e-12)
        steps = [value for name, value in found.moments if name not in ("moment.load", "moment.save")]
        assert found.live_peak == max(steps)
        assert found.peak_low < found.peak < found.peak_high


def test_foreach_adamw_makes_one_more_copy_at_the_step() -> None:
    """Llama-3.1-8B in bf16, one sequence of 2,048: 80.30 GB tracked = 10 bytes per parameter."""
    found = moments("Llama-3.1-8B", "stock", TrainingJob(precision="bf16"), plan())
    assert MOMENTS[int(found.deciding)] == "step"
    assert found.peak.total == pytest.approx(80_302_646_272, rel=1e-6)


def test_zero_stages_divide_optimizer_then_gradients_then_weights() -> None:
    """DeepSpeed in bf16 keeps 2 + 2 + 16; ZeRO-2 of 7e9 parameters on 8 GPUs is 2P + 18P/8 (DeepSpeed PR 5099)."""
    job = TrainingJob(precision="bf16-mixed")
    stages = [state("stock", job, plan(dp=8, zero_stage=stage)) / P for stage in (1, 2, 3)]
    assert stages == pytest.approx([4 + 16 / 8, 2 + 18 / 8, 20 / 8], rel=1e-9)


def test_distributed_optimizer_leaves_six_bytes_and_shares_twelve() -> None:
    job = TrainingJob(precision="bf16-mixed")
    assert state("tuned-fused", job, plan(dp=8, zero_stage=1)) / P == pytest.approx(6 + 12 / 8, rel=1e-9)
    assert state("tuned-fused", job, plan(dp=4, cp=2, zero_stage=1)) / P == pytest.approx(6 + 12 / 8, rel=1e-9)


def test_fsdp_shards_everything_but_what_it_gathers() -> None:
    job = TrainingJob(precision="bf16-mixed")
    layout = plan(dp=8, zero_stage=3, full_shard=1)
    assert state("tuned-fused", job, layout) / P == pytest.approx(16 / 8, rel=1e-9)
    start = at("start_of_backward", "tuned-fused", job, layout)
    root, block = 2 * 32000 * 4096 + 4096, (P - 2 * 32000 * 4096 - 4096) / 32
    assert start.buffers == pytest.approx(2 * (root + block) + 16 * 2048, rel=1e-9)  # and the token ids


def test_pytorch_s_data_parallelism_holds_the_gradients_twice() -> None:
    """Its buckets copy them unless they are views (PyTorch PR 41954); Megatron's buffer is the gradient itself."""
    job = TrainingJob(precision="bf16-mixed")
    alone, together = (at("step", "stock", job, plan(dp=dp)).total for dp in (1, 8))
    assert together - alone == pytest.approx(4 * P, rel=1e-9)
    alone, together = (at("step", "tuned-fused", job, plan(dp=dp)).total for dp in (1, 8))
    assert together == alone


def test_tensor_and_pipeline_parallelism_divide_the_fuller_end() -> None:
    """Eight layers and one end of the network on each of four stages, halved by two."""
    job = TrainingJob(precision="bf16-mixed")
    end, layers = 32000 * 4096 + 4096, (P - 2 * 32000 * 4096 - 4096) / 4
    found = at("step", "tuned-fused", job, plan(tp=2, pp=4, accumulation=8))
    assert found.weights == pytest.approx(2 * (end + layers) / 2, rel=1e-6)


def test_layers_that_do_not_divide_go_to_the_fuller_stage() -> None:
    seven = at("step", "tuned-fused", TrainingJob(), plan(pp=5, accumulation=8))
    eight = at("step", "tuned-fused", TrainingJob(), plan(pp=4, accumulation=8))
    assert eight.weights > seven.weights > at("step", "tuned-fused", TrainingJob(), plan(pp=8, accumulation=8)).weights
    assert seven.weights == pytest.approx(eight.weights - 2 * (P - 2 * 32000 * 4096) / 32, rel=1e-3)


def test_expert_parallelism_divides_experts_only() -> None:
    """Mixtral-8x7B: 45.1e9 of its 46.7e9 parameters are in the experts."""
    alone, shared = (
        at("step", "tuned-fused", TrainingJob(), plan(dp=8, ep=ep), "Mixtral-8x7B").weights for ep in (1, 8)
    )
    experts = 2 * 32 * 8 * 3 * 4096 * 14336
    assert alone - shared == pytest.approx(experts * 7 / 8, rel=1e-9)


def test_experts_are_not_shared_twice_by_expert_and_data_parallelism() -> None:
    layout = plan(dp=8, ep=8, zero_stage=3, full_shard=1)
    assert state("tuned-fused", TrainingJob(), layout, "Mixtral-8x7B") == pytest.approx(
        16 * 46_702_792_704 / 8, rel=1e-9
    )


def test_lora_trains_the_adapters_alone() -> None:
    """r 16 on all linear layers of Llama-2-7B: 39,976,960 parameters, fp32 with two states over a 16-bit base."""
    found = at("step", "stock", TrainingJob(method="lora", lora_rank=16), plan())
    assert found.weights == 2 * P + 4 * 39_976_960
    assert found.gradients == 4 * 39_976_960
    assert found.optimizer == 8 * 39_976_960


@pytest.mark.parametrize(("base", "bytes_per_parameter"), [("int8", 1), ("nf4", 0.5625)])
def test_quantised_base_and_the_fp32_embedding_of_k_bit_preparation(base: str, bytes_per_parameter: float) -> None:
    outer = 2 * 32000 * 4096 + 4096
    job = TrainingJob(method="lora", base_precision=base, lora_rank=16)
    assert at("step", "stock", job, plan()).weights == pytest.approx(
        bytes_per_parameter * (P - outer) + 4 * outer + 4 * 39_976_960, rel=1e-9
    )
    assert at("step", "tuned-eager", job, plan()).weights == pytest.approx(
        bytes_per_parameter * (P - outer) + 2 * outer + 2 * 39_976_960, rel=1e-9
    )


def test_offload_moves_state_to_the_host() -> None:
    job = TrainingJob(precision="bf16-mixed", offload="optimizer")
    found = moments("Llama-2-7B", "stock", job, plan(dp=8, zero_stage=2))
    assert found.peak.optimizer == 0
    assert found.host == pytest.approx(18 * P / 8, rel=1e-9)  # 2 + 16 bytes, shared by eight
    everything = moments(
        "Llama-2-7B", "stock", TrainingJob(precision="bf16-mixed", offload="all"), plan(dp=8, zero_stage=3)
    )
    assert everything.peak.weights == 0
    assert everything.host == pytest.approx(20 * P / 8, rel=1e-9)


def test_paged_states_wait_on_the_host() -> None:
    found = moments("Llama-2-7B", "stock", TrainingJob(precision="bf16", optimizer="adamw-paged-8bit"), plan())
    assert found.host == 2 * P


def test_full_copies_of_stock_fsdp_are_told_apart_from_the_step() -> None:
    """Hugging Face's FSDP may gather the model to load (fp32) and to save it; sharded checkpoints do not."""
    layout = plan(dp=8, zero_stage=3, full_shard=1)
    stock = moments("Llama-2-7B", "stock", TrainingJob(), layout)
    tuned = moments("Llama-2-7B", "tuned-fused", TrainingJob(), layout)
    assert stock.load == 4 * P
    assert stock.save == pytest.approx((4 + 8) * P / 8 + 4 * P, rel=1e-9)
    assert tuned.save == pytest.approx((4 + 8) * P / 8, rel=1e-9)
