"""Adapters: hand-worked counts, those that PEFT reports, and which layers each target means."""

import csv

import pytest
from model_configs import DBRX, DEEPSEEK, GPT2, LLAMA, MIXTRAL, QWEN_MOE, T5, VALIDATION, needs_validation

from desktop_app.estimation.huggingface import model_from_config
from desktop_app.estimation.lora import Linear, adapted_linears, lora_params, params_trainable
from desktop_app.estimation.presets import model_named
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation.problems import UserError

ALL_LINEAR = "q_proj+k_proj+v_proj+o_proj+gate_proj+up_proj+down_proj"


def names(config: dict, targets: str) -> list[str]:
    return [linear.name for linear in adapted_linears(model_from_config(config, "test"), targets)]


def test_llama_2_7b_as_published() -> None:
    spec = model_named("Llama-2-7B")
    assert lora_params(spec, 8, "qv") == 4_194_304  # printed by PEFT for the usual example
    assert lora_params(spec, 16, "all-linear") == 39_976_960
    assert lora_params(spec, 16, "attention") == 16 * 4 * 8192 * 32


def test_packed_projection_takes_one_adapter() -> None:
    assert adapted_linears(model_from_config(GPT2, "test"), "qv") == (Linear("qkv_proj", 768, 2304, 12),)
    assert lora_params(model_from_config(GPT2, "test"), 8, "qv") == 294_912  # PEFT on gpt2, c_attn
    assert names(GPT2, "all-linear") == ["qkv_proj", "o_proj", "up_proj", "down_proj"]


def test_experts_get_an_adapter_each() -> None:
    spec = model_from_config(MIXTRAL, "test")
    experts = [linear for linear in adapted_linears(spec, "all-linear") if linear.name.startswith("experts.")]
    assert [linear.count for linear in experts] == [8 * 32] * 3
    attention = 32 * (2 * (4096 + 4096) + 2 * (4096 + 1024))
    assert lora_params(spec, 4, "all-linear") == 4 * (attention + 3 * 256 * (4096 + 14336))


def test_shared_expert_and_dense_layers_are_not_forgotten() -> None:
    assert names(QWEN_MOE, "all-linear")[-3:] == [f"shared_expert.{part}_proj" for part in ("gate", "up", "down")]
    mixed = adapted_linears(model_from_config(DEEPSEEK, "test"), "all-linear")
    assert {linear.name: linear.count for linear in mixed}["gate_proj"] == 3
    assert {linear.name: linear.count for linear in mixed}["experts.gate_proj"] == 29 * 16
    assert names(DBRX, "attention") == ["qkv_proj", "o_proj"]


def test_latent_attention() -> None:
    assert names(DEEPSEEK, "attention") == ["q_a_proj", "q_b_proj", "kv_a_proj", "kv_b_proj", "o_proj"]
    assert names(DEEPSEEK, "qv") == ["q_b_proj", "kv_b_proj"]
    assert names({**DEEPSEEK, "q_lora_rank": None}, "qv") == ["q_proj", "kv_b_proj"]


def test_narrow_embedding_has_two_more_linear_layers() -> None:
    linears = {linear.name: linear for linear in adapted_linears(model_named("OPT-350M"), "all-linear")}
    assert (linears["project_in"].inputs, linears["project_in"].outputs, linears["project_in"].count) == (512, 1024, 1)
    assert linears["project_out"].inputs == 1024


def test_trainable_parameters_of_a_job() -> None:
    spec = model_from_config(LLAMA, "test")
    assert params_trainable(spec, TrainingJob(method="full")) == 6_738_415_616
    lora = TrainingJob(method="qlora", lora_rank=8, lora_targets="qv")
    assert params_trainable(spec, lora) == 4_194_304


def test_encoder_decoder_is_refused() -> None:
    with pytest.raises(UserError):
        lora_params(model_from_config(T5, "test"), 8, "qv")


@needs_validation
def test_trainable_parameters_of_the_memory_table() -> None:
    checked = 0
    with (VALIDATION / "memory.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            targets = {"q_proj+v_proj": "qv", ALL_LINEAR: "all-linear"}.get(row["lora_targets"])
            if row["method"] == "lora" and targets:
                spec = model_named(row["model"])
                assert lora_params(spec, int(row["lora_r"]), targets) == int(row["n_trainable"]), row["id"]
                checked += 1
    assert checked == 33


def test_gate_of_the_attention_gets_an_adapter() -> None:
    spec = model_named("Trinity-Mini")
    gate = 8 * (2048 + 32 * 128) * 32
    ungated = spec.model_copy(update={"attention_gate": False})
    for targets in ("attention", "all-linear"):
        assert lora_params(spec, 8, targets) - lora_params(ungated, 8, targets) == gate
    assert lora_params(spec, 8, "qv") == lora_params(ungated, 8, "qv")
