"""`estimate` as another program calls it: keys, exit codes, one plain sentence for bad input."""

import json
import math

import pytest

from desktop_app.cli import main

TODAY = ["--today", "2026-11-30"]
KEYS = {
    "params_total", "params_active", "params_trainable", "training_flops", "layout", "step_time_s",
    "tokens_per_s_per_gpu", "mfu", "step_breakdown_s", "gpu_hours", "wall_days", "goodput", "memory_bytes_per_gpu",
    "memory_capacity_bytes", "fits", "remedies", "cost_usd", "cost_lines", "not_priced", "energy_it_kwh",
    "energy_facility_kwh", "co2e_kg_location", "co2e_kg_market", "co2e_kg_embodied", "water_l", "price", "problems",
    "defaults_used", "basis", "cost_committed_usd",
}  # fmt: skip


def answer(capsys, *arguments):
    """The parsed JSON of `estimate`, which must leave with 0 and print nothing else."""
    assert main(["estimate", "--json", *TODAY, *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *arguments):
    """The sentence on stderr of a command that must be refused."""
    assert main(list(arguments)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    assert len(told.err.strip().splitlines()) == 1
    return told.err


def test_every_key_of_the_contract_is_answered(capsys):
    got = answer(capsys)
    assert set(got) >= KEYS
    for key in ("step_time_s", "tokens_per_s_per_gpu", "mfu", "gpu_hours", "wall_days", "cost_usd", "energy_it_kwh"):
        ranged = got[key]
        assert ranged["p10"] <= ranged["p50"] <= ranged["p80"] <= ranged["p90"], key


def amounts_of(got):
    """The amounts of the lines that are priced."""
    return [line["amount_usd"] for line in got["cost_lines"] if line["amount_usd"] is not None]


def test_development_is_a_cost_line_of_its_own_and_said_when_left_out(capsys):
    plain, more = answer(capsys), answer(capsys, "--development-multiplier", "1.5")
    assert "development" in plain["not_priced"]
    assert "development_multiplier" not in plain["defaults_used"]
    assert any(problem["field"] == "development_multiplier" for problem in plain["problems"])
    assert set(plain["not_priced"]) - set(more["not_priced"]) == {"development"}
    assert more["cost_usd"]["base"] == sum(amounts_of(more))
    for key in ("gpu_hours", "wall_days", "goodput", "training_flops", "step_time_s"):
        assert more[key] == plain[key]
    half = 0.5 * plain["gpu_hours"]["base"] * plain["energy_it_kwh"]["base"] / (plain["gpu_hours"]["base"] * 1.01)
    assert more["energy_it_kwh"]["base"] - plain["energy_it_kwh"]["base"] == pytest.approx(half, rel=0.001)


def test_a_run_without_an_end_has_no_figures_and_says_why(capsys):
    got = answer(capsys, "--mtbf-gpu-hours", "20", "--checkpoint-interval-minutes", "120")
    for key in ("wall_days", "gpu_hours", "energy_it_kwh", "cost_usd"):
        assert got[key]["base"] is None
    assert got["goodput"] is None
    assert got["step_time_s"]["base"] > 0
    reason = next(problem for problem in got["problems"] if problem["field"] == "mtbf_gpu_hours")
    assert reason["severity"] == "error"
    assert "never finishes" in reason["message"]


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--mtbf-gpu-hours", "5000"), ("--restart-minutes", "90"), ("--data-stall-share", "0.1"),
     ("--checkpoint-write-gb-per-s", "0.5"), ("--checkpoint-interval-minutes", "1")],
)  # fmt: skip
def test_what_the_user_knows_of_the_run_moves_its_hours_and_is_no_default(capsys, flag, value):
    plain, worse = answer(capsys), answer(capsys, flag, value)
    key = flag.removeprefix("--").replace("-", "_")
    assert key in plain["defaults_used"]
    assert key not in worse["defaults_used"]
    assert worse["goodput"] < plain["goodput"]
    assert worse["gpu_hours"]["base"] > plain["gpu_hours"]["base"]
    assert worse["step_time_s"] == plain["step_time_s"]


def test_parts_add_up_to_the_step_and_to_the_live_peak(capsys):
    got = answer(capsys)
    assert math.isclose(sum(got["step_breakdown_s"].values()), got["step_time_s"]["base"], rel_tol=1e-9)
    memory = got["memory_bytes_per_gpu"]
    terms = ("weights", "gradients", "optimizer", "activations", "logits", "buffers")
    assert math.isclose(sum(memory[term] for term in terms), memory["live_peak"], rel_tol=1e-9)
    assert math.isclose(memory["live_peak"] + memory["allowance"], memory["peak"], rel_tol=1e-9)
    assert memory["peak_low"] <= memory["peak"] <= memory["peak_high"]


def test_layout_multiplies_to_the_gpus_and_the_batch(capsys):
    got = answer(capsys, "--gpus", "512")
    layout = got["layout"]
    assert layout["tp"] * layout["pp"] * layout["cp"] * layout["dp"] == 512
    assert layout["micro_batch"] * layout["accumulation"] * layout["dp"] == got["global_batch"]


def test_llama_13b_on_a_trillion_tokens_takes_a_hundred_to_two_hundred_thousand_a100_hours(capsys):
    got = answer(capsys)  # published: 135,168 A100-hours (Touvron et al. 2023)
    assert 100_000 < got["gpu_hours"]["base"] < 200_000
    assert got["params_total"] == 13_015_864_320


def test_the_same_run_on_eight_gpus_takes_about_two_years_and_not_six_days(capsys):
    got = answer(capsys, "--gpus", "8")
    assert 500 < got["wall_days"]["base"] < 1_000


def test_gpt3_on_1024_a100_takes_about_a_month(capsys):
    for batch in ([], ["--global-batch", "1536"]):
        got = answer(capsys, "--model", "GPT-3", "--tokens", "300e9", "--gpus", "1024", *batch)
        assert 25 < got["wall_days"]["base"] < 45  # Narayanan et al. 2021: 34 days


def test_lora_over_an_int8_base_fits_a_24_gb_card(capsys):
    got = answer(
        capsys, "--model", "Llama-2-7B", "--method", "lora", "--base-precision", "int8", "--sequence-length", "512",
        "--recompute", "full", "--gpu", "RTX 3090", "--gpus", "1", "--tokens", "1e7",
    )  # fmt: skip
    assert got["fits"] == "yes"


def test_full_fine_tuning_of_7b_with_mixed_precision_adam_does_not_fit_one_80_gb_card(capsys):
    got = answer(
        capsys, "--model", "Llama-2-7B", "--precision", "bf16-mixed", "--gpus", "1", "--global-batch", "1",
        "--tokens", "1e7",
    )  # fmt: skip
    assert got["fits"] == "no"
    assert got["memory_bytes_per_gpu"]["peak_low"] > got["memory_capacity_bytes"]


def test_an_a100_node_draws_far_more_than_eight_times_300_watts(capsys):
    got = answer(capsys, "--gpus", "8", "--tokens", "1e9")
    hours = got["gpu_hours"]["base"] * 1.01 / 8  # with 1 % of evaluation
    assert got["energy_it_kwh"]["base"] / hours > 4.0  # kW of one node


def test_a_region_without_a_price_is_answered_without_money(capsys):
    got = answer(capsys, "--gpu", "B200", "--gpus", "64", "--provider", "aws", "--region", "eu-north-1")
    assert got["cost_usd"]["base"] is None
    assert "run" in got["not_priced"]
    assert all(line["amount_usd"] is None for line in got["cost_lines"] if line["key"] in got["not_priced"])
    assert got["wall_days"]["base"] > 0
    assert any("price" in problem["message"].lower() for problem in got["problems"])


def test_a_typed_price_of_zero_is_zero_because_the_user_said_so(capsys):
    got = answer(capsys, "--price-usd-per-gpu-hour", "0")
    run = next(line for line in got["cost_lines"] if line["key"] == "run")
    assert run["amount_usd"] == 0


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--tokens", "-5"], "--tokens"),
        (["--tokens", "0"], "--tokens"),
        (["--tokens", "1e30"], "--tokens"),
        (["--tokens", "many"], "--tokens"),
        (["--tokens", "nan"], "--tokens"),
        (["--gpus", "0"], "--gpus"),
        (["--gpus", "1.5"], "--gpus"),
        (["--gpu", "H900"], "--gpu"),
        (["--model", "no-such-model"], "--model"),
        (["--model", "missing.json"], "--model"),
        (["--precision", "bf17"], "--precision"),
        (["--tp", "3"], "--tp"),
        (["--tp", "8", "--pp", "5", "--gpus", "8"], "--tp"),
        (["--global-batch", "7", "--tp", "1", "--pp", "1", "--cp", "1"], "--global-batch"),
        (["--provider", "acme-cloud"], "--provider"),
        (["--today", "yesterday"], "--today"),
        (["--frobnicate", "1"], "--help"),
        (["--sequence-length", "-1"], "--sequence-length"),
        (["--ep", "8"], "--ep"),
    ],
)
def test_bad_input_is_one_plain_sentence_that_names_the_field(capsys, arguments, names):
    assert names in refusal(capsys, "estimate", "--json", *TODAY, *arguments)


def test_a_config_json_is_read(capsys, tmp_path):
    config = {
        "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 32, "intermediate_size": 11008, "vocab_size": 32000, "tie_word_embeddings": False,
    }  # fmt: skip
    path = tmp_path / "模型 config.json"
    path.write_text(json.dumps(config))
    got = answer(capsys, "--model", str(path))
    assert got["params_total"] == 6_738_415_616


def test_a_reservation_shows_what_it_commits(capsys):
    got = answer(capsys, "--purchase", "reserved-1y")
    used = sum(line["amount_usd"] for line in got["cost_lines"] if line["key"] in ("run", "lost", "evaluation"))
    assert got["cost_committed_usd"] > 10 * used  # 12 months against 25 days
    assert got["cost_usd"]["base"] >= got["cost_committed_usd"]  # what is not used is paid all the same
    assert answer(capsys)["cost_committed_usd"] is None
    assert main(["estimate", *TODAY, "--purchase", "reserved-1y"]) == 0
    text = capsys.readouterr().out
    assert text.count(f"{got['cost_committed_usd']:,.0f} USD") == 2  # the figure, and the warning
    assert "Committed" not in json.dumps(answer(capsys))


def test_own_hardware_has_no_seller(capsys):
    price = answer(capsys, "--purchase", "owned", "--price-usd-per-gpu-hour", "1")["price"]
    assert (price["provider"], price["region"], price["usd_per_gpu_hour"]) == (None, None, 1)


def test_the_total_in_usd_is_the_sum_of_its_lines(capsys):
    got = answer(capsys)
    assert got["cost_usd"]["base"] == sum(amounts_of(got))
    assert all(amount == int(amount) for amount in amounts_of(got))
    euro = answer(capsys, "--currency", "EUR")
    assert euro["cost_usd"]["base"] == pytest.approx(sum(amounts_of(euro)), abs=1e-6)


def test_without_json_the_figures_are_told_in_words(capsys):
    assert main(["estimate", *TODAY]) == 0
    text = capsys.readouterr().out
    assert "LLaMA-13B" in text
    assert "P10-P90" in text
    assert "Training run" in text


@pytest.mark.parametrize("typed", ["1T", "1000B", "1e12", "1 trillion", "1万亿", "1,000,000,000,000"])
def test_numbers_are_read_as_people_write_them(capsys, typed):
    assert answer(capsys, "--tokens", typed)["training_flops"] == answer(capsys)["training_flops"]


def test_a_number_with_two_readings_is_refused_with_both(capsys):
    told = refusal(capsys, "estimate", "--price-usd-per-gpu-hour", "2,490")
    assert "2,490" in told
    assert "2.49" in told


HOST = ("--model", "Llama-3-70B", "--gpu", "H100-80GB-SXM", "--gpus", "8", "--offload", "all")


def text(capsys, *arguments):
    """What `estimate` without --json prints."""
    assert main(["estimate", *TODAY, *arguments]) == 0
    return capsys.readouterr().out


def test_host_memory_is_named_where_it_decides(capsys):
    short, ample = text(capsys, *HOST, "--host-memory-gib-per-node", "128"), answer(capsys, *HOST)
    needed = 8 * ample["memory_host_bytes"] / 2**30
    row = next(line for line in short.splitlines() if line.startswith("Fits in host memory"))
    assert row.endswith(f"No: {math.ceil(needed):,} of 128 GiB per node")
    assert "Fits in GPU memory" not in short
    assert "Fits in GPU memory" in text(capsys, *HOST, "--host-memory-gib-per-node", "2000")


def test_the_text_names_what_the_figures_rest_on(capsys):
    rows = dict(line.split("  ", 1) for line in text(capsys, "--model", "Mixtral-8x7B").splitlines() if "  " in line)
    assert rows["Price per GPU-hour"].strip() == "3.4309 USD/GPU-hour, aws us-east-1, on-demand"
    assert rows["Software class"].strip().endswith("Maturity of the MoE software: current")
    assert "MFU" in rows["Closest measured run"]
    assert rows["GPU-hours between failures"].strip() == "50,700 GPU-hours"
    assert rows["Time between checkpoints"].strip().endswith("minutes")


def test_the_settings_in_effect_are_answered(capsys):
    moe, dense = answer(capsys, "--model", "Mixtral-8x7B"), answer(capsys, "--checkpoint-interval-minutes", "45")
    assert moe["settings_used"]["moe_stack"] == "current"
    assert moe["settings_used"]["capacity_factor"] is None
    assert moe["settings_used"]["mtbf_gpu_hours"] == 50_700
    assert moe["settings_used"]["checkpoint_write_gb_per_s"] > 0
    assert "moe_stack" in moe["defaults_used"]
    assert dense["settings_used"]["checkpoint_interval_minutes"] == 45
    assert dense["settings_used"]["moe_stack"] is None
    assert "moe_stack" not in dense["defaults_used"]


def test_a_share_is_a_fraction_or_has_its_sign(capsys):
    sign, fraction = (answer(capsys, "--padding-share", typed) for typed in ("10%", "0.1"))
    assert sign["gpu_hours"] == fraction["gpu_hours"]
    told = refusal(capsys, "estimate", "--padding-share", "30")
    assert "--padding-share" in told and "0.3" in told and "30%" in told
    assert answer(capsys, "--evaluation-percent", "1%")["gpu_hours"] == answer(capsys)["gpu_hours"]


def test_the_help_says_what_each_choice_means_in_which_unit(capsys):
    with pytest.raises(SystemExit):
        main(["estimate", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "--fused-backward yes|no" in told and "(default no)" in told
    assert "--model NAME|config.json" in told
    assert "0.1 (or 10%) is 10 %" in told
    assert "In GB/s." in told and "Whether tensor-parallel traffic is hidden behind computing." in told


def messages(got, field):
    """What the problems of a choice say."""
    return " ".join(problem["message"] for problem in got["problems"] if problem["field"] == field)


def test_a_run_that_only_writes_checkpoints_is_told_so(capsys):
    got = answer(
        capsys, *HOST[:4], "--gpus", "512", "--checkpoint-interval-minutes", "1", "--checkpoint-write-gb-per-s", "0.01"
    )
    told = messages(got, "checkpoint_interval_minutes")
    assert "each 1 minute of training" in told and "goes into writing" in told
    assert "fewer GPUs" not in told
    slow = answer(capsys, "--mtbf-gpu-hours", "30", "--restart-minutes", "120")
    assert "a restart takes 120 minutes" in messages(slow, "mtbf_gpu_hours")


def test_a_run_that_mostly_stalls_is_warned_of_by_what_eats_it(capsys):
    failing = answer(capsys, "--gpus", "512", "--mtbf-gpu-hours", "100")
    assert failing["goodput"] < 0.7
    assert f"Only {100 * failing['goodput']:.0f} % of the paid time" in messages(failing, "mtbf_gpu_hours")
    assert "waiting for data" in messages(answer(capsys, "--data-stall-share", "0.5"), "data_stall_share")
    assert "of the paid time" not in str(answer(capsys)["problems"])


def test_choices_about_experts_have_no_effect_on_a_dense_model_and_that_is_said(capsys):
    got = answer(capsys, "--model", "Llama-3-8B", "--capacity-factor", "1.5", "--moe-stack", "early")
    assert messages(got, "capacity_factor") == (
        'Llama-3-8B has no experts: the choice "Expert capacity factor" is not used.'
    )
    assert "is not used" in messages(got, "moe_stack")
    assert not messages(answer(capsys, "--model", "Mixtral-8x7B", "--moe-stack", "early"), "moe_stack")


def test_a_stated_efficiency_says_that_the_hours_are_those_of_a_steady_state(capsys):
    assert "steady state is not added" in messages(answer(capsys, "--mfu", "0.4"), "mfu")
    assert "steady" not in messages(answer(capsys, "--mfu", "0.4", "--gpus", "1"), "mfu")
