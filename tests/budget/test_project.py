"""The saved document: nothing of the user's is ever lost, and an old file keeps its old figures."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from paper_budgets import QUOTE, make_catalogue, make_paper_budget, make_scenario

from desktop_app.budget import project as project_module
from desktop_app.budget.autosave import autosave_path
from desktop_app.budget.project import (
    MIGRATIONS,
    SCHEMA,
    drift,
    migrate,
    new_project,
    open_project,
    save_project,
    stored_values,
)
from desktop_app.budget.scenario import is_set
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.wording import words_of

SCENARIO = make_scenario(name="A", cluster={"gpus": 16}, price={"currency": "CNY", "price_usd_per_gpu_hour": 2.5})


def budget(scenario=SCENARIO, **catalogue):
    return make_paper_budget(scenario, make_catalogue(**catalogue), step_time_s=36.0)


@pytest.fixture
def saved(tmp_path) -> Path:
    path = tmp_path / "plan.tbudget"
    save_project(new_project([budget()], notes="first draft 第一稿"), path)
    return path


def refusal(path):
    with pytest.raises(UserError) as caught:
        open_project(path)
    return caught.value.problems[0].key


def sentences(path):
    with pytest.raises(UserError) as caught:
        open_project(path)
    return [words_of("en").sentence(problem) for problem in caught.value.problems]


def edited(path, **changes):
    document = json.loads(path.read_text("utf-8"))
    for key, value in changes.items():
        if value is None:
            del document[key]
        else:
            document[key] = value
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_what_is_saved_is_what_is_opened(saved):
    project = open_project(saved)
    assert project.scenarios == (SCENARIO,)
    assert project.notes == "first draft 第一稿"
    assert is_set(project.scenarios[0], "gpus")
    assert not is_set(project.scenarios[0], "region")
    assert stored_values(project.snapshots[0]) == dict(budget().ledger.values)


def test_saving_twice_gives_the_same_bytes(saved, tmp_path):
    again = tmp_path / "again.tbudget"
    save_project(open_project(saved), again)
    assert again.read_bytes() == saved.read_bytes()


def test_the_rows_that_were_used_stand_in_the_file(saved):
    quoted = budget(make_scenario(cluster={"gpus": 16}))
    save_project(new_project([quoted]), saved)
    line = next(line for line in open_project(saved).snapshots[0].lines if line.key == "price_usd_per_gpu_hour")
    assert (line.value, line.row_text) == (4.0, "aws us-east-1 p4de.24xlarge, on-demand")
    assert (line.source, line.as_of) == ("AWS price list", "2026-10-31")


def test_an_old_file_shows_its_old_figures_beside_the_new_ones(tmp_path):
    path, scenario = tmp_path / "old.tbudget", make_scenario(cluster={"gpus": 16})
    save_project(new_project([budget(scenario)]), path)
    snapshot = open_project(path).snapshots[0]
    assert drift(snapshot, budget(scenario)) == ()
    dearer = replace(QUOTE, usd_per_instance_hour=40.0, usd_per_gpu_hour=5.0)
    changes = {change.key: change for change in drift(snapshot, budget(scenario, quotes=(dearer,)))}
    price = changes["price_usd_per_gpu_hour"]
    assert (price.stored, price.fresh, price.difference) == (4.0, 5.0, 1.0)
    assert changes["usd.run"].fresh == pytest.approx(1.25 * changes["usd.run"].stored)
    assert "wall_days" not in changes
    gone = {change.key: change for change in drift(snapshot, budget(scenario, quotes=()))}
    assert gone["usd.total"].fresh is None
    assert gone["usd.total"].difference is None


def test_a_file_of_a_newer_program_is_refused_and_not_touched(saved):
    edited(saved, schema_number=SCHEMA + 1, app_version="9.1")
    before = saved.read_bytes()
    with pytest.raises(UserError) as caught:
        open_project(saved)
    (problem,) = caught.value.problems
    assert (problem.field, problem.key) == (saved.name, "problem.file_newer")
    assert problem.values == {"version": SCHEMA + 1, "known": SCHEMA}
    assert saved.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "problem.broken_json"),
        (b"\0" * 4096, "problem.broken_json"),
        (b'{"format": "training-budget", "schema_num', "problem.broken_json"),
        (b'{"format": "training-budget", "schema_number": 1, "notes": NaN}', "problem.broken_json"),
        (b"[" * 100_000, "problem.broken_json"),
        (b'{"a": ' + b"1" * 5000 + b"}", "problem.broken_json"),
        (b"\xff\xfe\x00a", "problem.not_a_project"),
        (b"[1, 2]", "problem.not_a_project"),
        (b"{}", "problem.not_a_project"),
        (b'{"format": "other", "schema_number": 1}', "problem.not_a_project"),
        (b'{"format": "training-budget", "schema_number": "1"}', "problem.not_a_project"),
        (b'{"format": "training-budget", "schema_number": true}', "problem.not_a_project"),
        (b'{"format": "training-budget", "schema_number": 0}', "problem.not_a_project"),
        (b'{"format": "training-budget", "schema_number": 1}', "problem.in_file"),
        (b'{"format": "training-budget", "schema_number": 1, "notes": "\\ud800"}', "problem.broken_json"),
        (b'{"format": "training-budget", "schema_number": 1, "schema_number": true}', "problem.repeated_key"),
        (
            b'{"format": "training-budget", "schema_number": 1, "app_version": "1", "scenarios": []}',
            "problem.not_a_project",
        ),
    ],
)
def test_a_file_that_is_not_ours_is_refused_in_words(tmp_path, content, key):
    path = tmp_path / "x.tbudget"
    path.write_bytes(content)
    assert refusal(path) == key
    assert path.read_bytes() == content


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "huge.tbudget"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert refusal(path) == "problem.file_huge"


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    assert refusal(tmp_path / "none.tbudget") == "problem.file_missing"
    assert refusal(tmp_path) == "problem.file_is_folder"
    os.mkfifo(tmp_path / "pipe.tbudget")
    assert refusal(tmp_path / "pipe.tbudget") == "problem.not_a_file"
    assert refusal(Path(os.devnull)) == "problem.not_a_file"


def test_a_wrong_value_inside_is_named_by_its_field(saved):
    document = json.loads(saved.read_text("utf-8"))
    document["scenarios"][0]["cluster"]["gpus"] = -1
    document["scenarios"][0]["cluster"]["gpu_number"] = 3
    saved.write_text(json.dumps(document), "utf-8")
    assert sentences(saved) == [
        "plan.tbudget, scenario A, gpus: Must be at least 1; -1 was given.",
        "plan.tbudget, scenario A, gpu_number: gpu_number is not a setting of this program.",
    ]


@pytest.mark.parametrize(
    ("part", "key", "wrong", "reason"),
    [
        ("cluster", "gpus", True, '"True" is not a number.'),
        ("cluster", "gpus", "16", '"16" is not a number.'),
        ("cluster", "gpus", 16.0, '"16.0" is not a whole number.'),
        ("job", "tp_overlap", 1, '"1" is neither yes nor no.'),
        ("price", "currency", "EURO", '"EURO" is not a currency code of three letters, such as EUR.'),
        ("price", "provider", "a\x1bb", '"a?b" holds characters that cannot be read or printed. Type it again.'),
        ("price", "provider", "x" * 201, f'"{"x" * 57}..." is longer than 200 characters. Shorten it.'),
        (None, "today", 0, '"0" is not a date such as 2026-11-30.'),
        (None, "today", "20261130", '"20261130" is not a date such as 2026-11-30.'),
    ],
)
def test_a_value_of_another_type_is_no_value(saved, part, key, wrong, reason):
    document = json.loads(saved.read_text("utf-8"))
    scenario = document["scenarios"][0]
    (scenario if part is None else scenario.setdefault(part, {}))[key] = wrong
    saved.write_text(json.dumps(document), "utf-8")
    assert sentences(saved) == [f"plan.tbudget, scenario A, {key}: {reason}"]


def test_minus_nothing_is_nothing(saved):
    document = json.loads(saved.read_text("utf-8"))
    document["scenarios"][0]["price"]["price_usd_per_gpu_hour"] = -0.0
    saved.write_text(json.dumps(document), "utf-8")
    assert str(open_project(saved).scenarios[0].price.price_usd_per_gpu_hour) == "0.0"


def test_a_broken_file_gives_a_few_sentences_and_not_thousands(saved):
    edited(saved, snapshots=[{"scenario": "A"}] * 100)
    with pytest.raises(UserError) as caught:
        open_project(saved)
    assert len(caught.value.problems) == 5


def test_the_last_good_file_is_kept_as_backup(saved):
    first = saved.read_bytes()
    backup = saved.with_name("plan.tbudget.bak")
    assert not backup.exists()
    save_project(new_project([budget()], notes="second"), saved)
    assert backup.read_bytes() == first
    saved.write_bytes(b"\0" * 100)  # a crash of the machine left zeros
    save_project(new_project([budget()], notes="third"), saved)
    assert backup.read_bytes() == first
    assert open_project(saved).notes == "third"


def test_a_full_disk_leaves_the_old_file_whole(saved, monkeypatch):
    before = saved.read_bytes()

    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError) as caught:
        save_project(new_project([budget()], notes="new"), saved)
    assert caught.value.problems[0].key == "problem.disk_full"
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["plan.tbudget"]


def test_a_vanished_folder_is_said_in_words(tmp_path):
    with pytest.raises(UserError) as caught:
        save_project(new_project([budget()]), tmp_path / "gone" / "plan.tbudget")
    assert caught.value.problems[0].key == "problem.no_folder"


def test_older_documents_are_brought_up_step_by_step(monkeypatch):
    monkeypatch.setattr(project_module, "SCHEMA", 3)
    monkeypatch.setitem(MIGRATIONS, 1, lambda document: {**document, "notes": document["remark"]})
    monkeypatch.setitem(MIGRATIONS, 2, lambda document: {**document, "notes": document["notes"].upper()})
    old = {"format": "training-budget", "schema_number": 1, "remark": "ab"}
    assert migrate(old, "x")["notes"] == "AB"
    assert migrate(old, "x")["schema_number"] == 3
    assert old == {"format": "training-budget", "schema_number": 1, "remark": "ab"}


def test_each_session_has_its_own_recovery_file(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert autosave_path("1") != autosave_path("2")
    assert autosave_path("1").suffix == ".tbudget"


PROJECTS = Path(__file__).parents[1] / "projects"


def test_every_schema_ever_released_can_be_opened():
    files = sorted(PROJECTS.glob("*.tbudget"))
    assert {json.loads(file.read_text("utf-8"))["schema_number"] for file in files} == set(range(1, SCHEMA + 1))
    for file in files:
        assert open_project(file).scenarios


def test_a_file_of_schema_1_keeps_what_it_said():
    """It knew no network beside the nodes, no data on disk, and charged only the used hours of a contract."""
    scenario = open_project(PROJECTS / "schema-1.tbudget").scenarios[0]
    assert (scenario.energy.network_power_percent, scenario.beside.data_gb) == (0, 0)
    assert scenario.price.unused_elsewhere_percent == 0  # bought on demand
    old = {"format": "training-budget", "schema_number": 1, "scenarios": [{"price": {"purchase": "reserved-1y"}}]}
    (moved,) = migrate(old, "x")["scenarios"]
    assert moved["price"] == {"purchase": "reserved-1y", "unused_elsewhere_percent": 100}
    for broken in ("none", [1], [{"price": 3}], [{"energy": None}]):  # the validation says what is wrong
        assert migrate({**old, "scenarios": broken}, "x")["scenarios"] == broken
