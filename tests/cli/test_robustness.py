"""Odd files, arguments and outputs: answered or refused in one plain sentence, never a traceback, never a loss."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.cli import STOPPED, answered, main

PROJECT = Path(__file__).resolve().parents[2]
TODAY = ["--today", "2026-11-30"]
CONFIG = {
    "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 32, "intermediate_size": 11008, "vocab_size": 32000, "tie_word_embeddings": False,
}  # fmt: skip
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the devices and file descriptors of Linux")


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(here, capsys) -> Path:
    """A project whose model was read from a config.json."""
    (here / "mine.json").write_text(json.dumps(CONFIG))
    assert main(["new", "plan.tbudget", "--model", "mine.json", *TODAY]) == 0
    capsys.readouterr()
    return here / "plan.tbudget"


def answer(capsys, *arguments):
    assert main(["estimate", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *arguments: str) -> str:
    """The one plain sentence of a command that must be refused."""
    assert main(list(arguments)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert told.err.strip().isprintable()
    return told.err.strip()


def started(*arguments: str | bytes, folder: Path, **settings) -> subprocess.CompletedProcess:
    """The program in a process of its own."""
    changes = settings.pop("env", {})
    env = {**os.environ, "PYTHONPATH": str(PROJECT), **changes}
    env = {name: text for name, text in env.items() if text is not None}
    command = [sys.executable, "-m", "desktop_app", *arguments]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
    return subprocess.run(command, cwd=folder, env=env, check=False, **settings)


# ---- models


def test_a_named_model_replaces_that_of_the_project(project, capsys):
    assert answer(capsys, str(project))["params_total"] == 6_738_415_616
    named = answer(capsys, str(project), "--model", "GPT-3 175B")
    assert named["model"].startswith("GPT-3")
    assert named["params_total"] > 170e9
    assert "nonsense" in refusal(capsys, "estimate", str(project), "--model", "nonsense")


def test_a_file_in_the_folder_does_not_take_the_name_of_a_preset(here, capsys):
    (here / "GPT-2").write_text("my notes")
    (here / "meta-llama").mkdir()
    assert answer(capsys, "--model", "GPT-2", *TODAY)["model"].startswith("GPT-2")
    assert "GPT-2 is not JSON" in refusal(capsys, "estimate", "--model", "./GPT-2")
    assert answer(capsys, "--model", "meta-llama/Llama-2-7b-hf", *TODAY)["model"] == "Llama-2-7B"
    (here / "mine").write_text(json.dumps(CONFIG))
    assert answer(capsys, "--model", "mine", *TODAY)["params_total"] == 6_738_415_616
    assert "Did you mean" in refusal(capsys, "estimate", "--model", "meta-llama/Llama-2-8b")


# ---- files that would be lost, and files that are none


def test_nothing_that_is_read_is_written_over(project, here, capsys):
    before, config = project.read_bytes(), (here / "mine.json").read_bytes()
    (here / "link").symlink_to(project)
    for target in ("plan.tbudget", "./plan.tbudget", "link"):
        assert "Nothing was written" in refusal(capsys, "report", str(project), "--csv", target)
    assert "Nothing was written" in refusal(capsys, "report", "--model", "mine.json", "--csv", "mine.json")
    assert "Two documents" in refusal(capsys, "report", "--csv", "a.csv", "--xlsx", "./a.csv")
    (here / "params.csv").write_text("name,total_params,active_params_per_token,vision_and_projector_params,origin\n")
    assert "Nothing was written" in refusal(capsys, "validate", ".", "--out", "params.csv")
    assert (project.read_bytes(), (here / "mine.json").read_bytes()) == (before, config)
    assert not (here / "a.csv").exists()


def test_what_was_written_before_a_fault_is_told(here, capsys):
    told = refusal(capsys, "report", "--xlsx", "a.xlsx", "--csv", "gone/a.csv", *TODAY)
    assert told == (
        "The folder gone does not exist. Choose another place; the file was not written. Written before that: a.xlsx."
    )
    assert (here / "a.xlsx").exists()


def test_names_are_told_once(project, here, capsys):
    assert refusal(capsys, "new", "plan.tbudget").startswith("plan.tbudget exists already")
    assert refusal(capsys, "validate", "nope") == "nope is not a folder."
    for command in ("new", "estimate", "validate"):
        assert refusal(capsys, command, "") == "A file name is missing."
    assert refusal(capsys, "estimate", "/") == "/ is a folder. Choose a file inside it."
    assert refusal(capsys, "estimate", "none.tbudget") == "none.tbudget does not exist."


def test_a_fault_of_a_project_is_told_with_its_file_and_scenario(project, capsys):
    document = json.loads(project.read_text("utf-8"))
    document["scenarios"][0] |= {"name": "Plan B", "cluster": {"gpu": "H900"}}
    project.write_text(json.dumps(document), "utf-8")
    assert refusal(capsys, "estimate", str(project)).startswith("plan.tbudget, scenario Plan B, gpu: We know no GPU")
    assert refusal(capsys, "estimate", str(project), "--gpu", "H901").startswith("--gpu: ")


@LINUX
def test_devices_and_pipes_are_neither_read_nor_replaced(here, capsys):
    os.mkfifo(here / "pipe")
    for arguments in (
        ["estimate", "/dev/zero"], ["estimate", "pipe"], ["report", "--csv", "pipe"], ["report", "--csv", os.devnull],
    ):  # fmt: skip
        assert "no ordinary file" in refusal(capsys, *arguments)
    assert Path(os.devnull).is_char_device()
    (here / "pipe").rename(here / "runs.csv")
    assert "no ordinary file" in refusal(capsys, "validate", ".")


def test_an_empty_folder_and_an_empty_table_are_two_things(here, capsys):
    told = refusal(capsys, "validate", ".")
    assert "No table that can be validated" in told
    assert "throughput.csv, runs.csv, params.csv" in told
    (here / "params.csv").write_text("name,total_params,active_params_per_token,vision_and_projector_params,origin\n")
    assert main(["validate", "."]) == 0
    assert capsys.readouterr().out == "no rows to validate in params.csv\n"


def test_a_folder_that_is_closed_to_us(here, capsys, monkeypatch):
    def closed(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", closed)
    assert refusal(capsys, "validate", ".") == ". could not be read (Permission denied)."
    stat = Path.stat
    inside = lambda path, **how: closed() if "in" in path.parts else stat(path, **how)  # noqa: E731
    monkeypatch.setattr(Path, "stat", inside)  # the tests may run as root, whom nothing is closed to
    assert "could not be read" in refusal(capsys, "estimate", "in/a.tbudget")
    assert "cannot be read" in refusal(capsys, "estimate", "--model", "in/a.json")
    monkeypatch.setattr(os, "access", lambda name, mode: False)
    assert "may not write" in refusal(capsys, "new", "in/a.tbudget", *TODAY)


# ---- arguments


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["estimate", "--fx-rate", "7"], "--fx-rate: The currency is USD"),
        (["estimate", "--currency", "EURO"], "--currency: "),
        (["estimate", "--mfu", "1e-320"], "--mfu: Must be at least 0.001"),
        (["estimate", "--today", ""], "--today: "),
        (["estimate", "--today", "20261130"], "--today: "),
        (["estimate", "--start-date", "2026-13-01"], '--start-date: "2026-13-01" is not a date'),
        (["estimate", "--start-date", "1999-01-01"], "--start-date: A run can start between 2000-01-01"),
        (["estimate", "--tp-overlap", "maybe"], '--tp-overlap: "maybe" is neither yes nor no.'),
        (["estimate", "--model", "x" * 300], "--model: "),
        (["estimate", "--model", f"{'x' * 300}.json"], "--model: "),
        (["estimate", "--provider", "a\x1b[31m\nb"], "--provider: "),
        (["estimate", "--provider", "\udcff"], "--provider: "),
        (["estimate", "--model", "\udcff.json"], "--model: "),
        (["estimate", "--tokens", "9" * 5000], "--tokens: "),
        (["estimate", "--tok", "1e9"], "unrecognized arguments: --tok"),
        (["estimate", "--\x1b[31m"], "unrecognized arguments: --?[31m"),
        (["catalog", "prices", "--provider", "nope"], "--provider: "),
        (["catalog", "regions", "--provider", ""], "--provider: "),
        (["catalog", "prices", "--region", "nope"], "--region: "),
        (["catalog", "regions", "--provider", "aws", "--region", "nope"], "--region: "),
        (["catalog", "grids", "--region", "nope"], "--region: "),
        (["catalog", "gpus", "--gpu", ""], "--gpu: "),
        (["catalog", "models", "--gpu", "H100"], "--gpu: catalog models cannot be filtered by this"),
        (["catalog", "prices", "--purchase", "owned"], "argument --purchase: invalid choice"),
        (["catalog", "gpus", "--purchase", "spot"], "--purchase: catalog gpus cannot be filtered by this"),
        (["catalog", "grids", "--provider", "aws"], "--provider: catalog grids cannot be filtered by this"),
    ],
)
def test_odd_arguments_are_refused_in_one_short_sentence(capsys, arguments, told):
    sentence = refusal(capsys, *arguments)
    assert sentence.startswith(told)
    assert len(sentence) < 800


def test_words_of_options_may_be_capitalised(capsys, here):
    got = answer(capsys, "--purchase", "Spot", "--method", "LoRA", "--tp-overlap", "NO", "--currency", "cny", *TODAY)
    assert got["price"]["purchase"] == "spot"
    assert main(["report", "--csv", "a.csv", "--language", "ZH", "--paper", "A4", *TODAY]) == 0


def test_currency_and_rate_are_judged_together(capsys, here):
    assert main(["new", "euro.tbudget", "--currency", "EUR", "--fx-rate", "0.9", *TODAY]) == 0
    capsys.readouterr()
    before = answer(capsys, "euro.tbudget")["cost_usd"]["base"]
    for arguments in (["--currency", "USD"], ["--currency", "USD", "--fx-rate", "1"], ["--fx-rate", "0.8"]):
        assert answer(capsys, "euro.tbudget", *arguments)["cost_usd"]["base"] == pytest.approx(before, rel=1e-4)


def test_no_answer_holds_minus_nothing(capsys):
    assert main(["estimate", "--json", "--price-usd-per-gpu-hour", "-0.0", *TODAY]) == 0
    assert "-0.0" not in capsys.readouterr().out


def test_places_are_found_by_code_and_city_in_any_spelling(capsys):
    assert main(["catalog", "regions", "--provider", "AWS", "--region", "US-East-1", "--json"]) == 0
    assert [row["region"] for row in json.loads(capsys.readouterr().out)] == ["us-east-1"]
    assert main(["catalog", "regions", "--region", "frankfurt", "--json"]) == 0
    assert len({row["provider"] for row in json.loads(capsys.readouterr().out)}) > 1


def test_help_shows_numbers_as_one_types_them(capsys):
    with pytest.raises(SystemExit) as left:
        main(["estimate", "--help"])
    assert left.value.code == 0
    assert "(default 1e12)" in capsys.readouterr().out


# ---- outputs


def test_control_c_leaves_without_a_traceback(capsys):
    def stopped() -> int:
        raise KeyboardInterrupt

    assert answered(stopped) == STOPPED == 130
    assert capsys.readouterr().err == ""


@LINUX
def test_an_answer_that_nobody_can_read_is_no_answer(here):
    with Path("/dev/full").open("wb") as full:
        done = started("catalog", "gpus", folder=here, stdout=full)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b"could not be written" in done.stderr
        assert started("--help", folder=here, stdout=full).returncode == 2
        assert started("catalog", "gpus", "--gpu", "H900", folder=here, stderr=full).returncode == 2
    shell = f"'{sys.executable}' -m desktop_app"
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    for command, code in (("catalog gpus >&-", 2), ("catalog gpus --gpu H900 2>&-", 2), ("catalog gpus 2>&-", 0)):
        done = subprocess.run(f"{shell} {command}", shell=True, cwd=here, env=env, capture_output=True, check=False)
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), command


@LINUX
def test_chinese_names_where_the_system_speaks_ascii(here):
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    name = "预算.tbudget".encode()
    done = started("new", name, *TODAY, folder=here, env=ascii_only)
    assert (done.returncode, done.stdout, done.stderr) == (0, name + b"\n", b"")
    assert [os.fsencode(path.name) for path in here.iterdir()] == [name]
    done = started("new", name, folder=here, env=ascii_only)
    assert (done.returncode, done.stderr.startswith(name)) == (2, True)
    done = started("estimate", "--gpu", "显卡".encode(), folder=here, env=ascii_only)
    assert (done.returncode, "显卡".encode() in done.stderr) == (2, True)


@LINUX
def test_without_a_display_there_is_a_sentence_and_no_abort(here):
    nothing = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "QT_QPA_PLATFORM": None}
    for arguments in ([], ["a.tbudget"]):
        done = started(*arguments, folder=here, env=nothing)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b"no display" in done.stderr


def test_a_budget_of_a_day_before_its_price_says_so(capsys):
    def said(*arguments: str) -> bool:
        problems = answer(capsys, *arguments)["problems"]
        return any("later than the day of this budget" in problem["message"] for problem in problems)

    assert said("--today", "2020-01-01")
    assert not said(*TODAY)
    assert not said("--today", "2020-01-01", "--price-usd-per-gpu-hour", "2")
