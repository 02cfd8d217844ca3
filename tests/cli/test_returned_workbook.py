"""A workbook that comes back, as another program calls the commands: its changes are told, then it is a project."""

from __future__ import annotations

import json

import openpyxl
import pytest
from cli_tools import answer, refusal

from desktop_app.cli import main
from desktop_app.foundation.wording import words_of

TODAY = ["--today", "2026-11-30"]
FIRST = 5  # column E: the first scenario


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A workbook as `report` writes it."""
    path = tmp_path_factory.mktemp("plans") / "plan.xlsx"
    assert main(["report", *TODAY, "--gpus", "128", "--no-organisation", "--xlsx", str(path)]) == 0
    return path


@pytest.fixture
def edited(exported, tmp_path):
    """The same with twice the tokens, a price, and a GPU count that is none."""
    path = tmp_path / "edited.xlsx"
    book = openpyxl.load_workbook(exported)
    for key, value in {"tokens": 2e12, "price_usd_per_gpu_hour": 2.5, "gpus": "many"}.items():
        for sheet in (book["Inputs"], book["Prices"]):
            for row in sheet.iter_rows(min_col=FIRST):
                if any(cell.value == key for cell in row):
                    row[0].value = value
    book.save(path)
    return path


def test_import_tells_every_change_on_a_line(edited, capsys):
    assert main(["import", str(edited)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "edited.xlsx: a budget workbook of this program, scenarios: 1"
    assert len(lines) == 4
    assert any(line.startswith("A, Tokens (tokens): 1T -> 2T (Inputs!E") for line in lines)
    assert any("128 -> many" in line and 'not taken: "many" is not a number.' in line for line in lines) or any(
        "128 -> many" in line and 'not taken: "many" is not a whole number.' in line for line in lines
    )


def test_import_as_json(edited, capsys, no_price_book):
    found = answer(capsys, "import", edited)
    assert {key: found[key] for key in ("file", "kind", "scenarios", "taken", "notes")} == {
        "file": "edited.xlsx", "kind": "budget_workbook", "scenarios": ["A"], "taken": 2, "notes": [],
    }  # fmt: skip
    rows = {row["key"]: row for row in found["changes"]}
    assert rows["tokens"] | {"cell": "", "label": ""} == {
        "scenario": 1, "name": "A", "key": "tokens", "label": "", "cell": "", "old": 1e12, "new": 2e12, "taken": True,
        "reason": None, "message": None,
    }  # fmt: skip
    assert (rows["gpus"]["taken"], rows["gpus"]["old"], rows["gpus"]["new"]) == (False, 128, "many")
    assert rows["gpus"]["reason"] and rows["gpus"]["message"]
    assert not no_price_book.exists()


def test_an_unchanged_workbook_has_no_changes(exported, capsys):
    assert answer(capsys, "import", exported)["changes"] == []
    assert main(["import", str(exported)]) == 0
    assert "No input was changed" in capsys.readouterr().out


def test_flags_of_price_sheets_are_refused(exported, capsys):
    assert refusal(capsys, "import", exported, "--take").startswith("--take: plan.xlsx is a budget workbook")
    assert refusal(capsys, "import", exported, "--map", "gpu=Card").startswith("--map: ")


def test_a_workbook_stands_for_a_project(exported, edited, capsys):
    stated = ["--tokens", "2e12", "--price-usd-per-gpu-hour", "2.5", "--gpus", "128"]
    wanted = answer(capsys, "estimate", *TODAY, *stated)
    found = answer(capsys, "estimate", edited)
    assert found["cost_usd"] == wanted["cost_usd"]
    assert found["gpu_hours"] == wanted["gpu_hours"]
    told = [problem["message"] for problem in found["problems"] if "edited.xlsx" in problem["message"]]
    assert told == ["2 inputs were changed in edited.xlsx since it was exported, and are taken."]
    assert any("many" in problem["message"] and problem["severity"] == "warning" for problem in found["problems"])
    again = answer(capsys, "estimate", exported)
    assert again["cost_usd"] == answer(capsys, "estimate", *TODAY, "--gpus", "128")["cost_usd"]
    assert not any("plan.xlsx" in problem["message"] for problem in again["problems"])


def test_choices_go_on_top_of_a_workbook(edited, capsys):
    found = answer(capsys, "estimate", edited, "--gpus", "64")
    assert found["layout"]["dp"] * found["layout"]["tp"] * found["layout"]["pp"] == 64


def test_a_report_of_a_workbook_that_came_back(edited, tmp_path, capsys):
    again = tmp_path / "again.xlsx"
    assert main(["report", str(edited), "--no-organisation", "--xlsx", str(again), "--language", "zh"]) == 0
    capsys.readouterr()
    assert answer(capsys, "import", again)["changes"] == []
    assert answer(capsys, "estimate", again)["cost_usd"] == answer(capsys, "estimate", edited)["cost_usd"]
    assert "writing would destroy it" in refusal(capsys, "report", edited, "--xlsx", edited)


def test_new_writes_a_project_from_a_workbook(edited, tmp_path, capsys):
    project = tmp_path / "plan.tbudget"
    assert main(["new", str(project), "--from", str(edited)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == str(project)
    assert any("many" in line and "Not taken." in line for line in told[1:])
    saved = json.loads(project.read_text())["scenarios"]
    assert [scenario["job"] for scenario in saved] == [{"tokens": 2e12}]
    assert saved[0]["price"] == {"price_usd_per_gpu_hour": 2.5}
    copy = tmp_path / "copy.tbudget"
    assert main(["new", str(copy), "--from", str(project), "--gpus", "64"]) == 0
    assert json.loads(copy.read_text())["scenarios"][0]["cluster"] == {"gpus": 64}


def test_a_workbook_that_is_not_ours_is_refused_as_a_project(tmp_path, capsys):
    foreign = tmp_path / "prices.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["GPU", "Price"])
    book.save(foreign)
    assert "was not written by this program" in refusal(capsys, "estimate", foreign)
    assert "was not written by this program" in refusal(capsys, "new", tmp_path / "x.tbudget", "--from", foreign)
    assert not (tmp_path / "x.tbudget").exists()


def test_a_workbook_of_ours_is_no_price_sheet(exported, tmp_path, capsys):
    renamed = tmp_path / "offer.csv"
    renamed.write_bytes(exported.read_bytes())
    assert "is a budget workbook of this program and no price sheet" in refusal(capsys, "import", renamed)
    assert words_of("zh").has("problem.import_our_workbook")
