"""`report` and `organisation` as another program calls them: all scenarios, one dossier, whose profile, which form."""

import json
from pathlib import Path
from typing import get_args

import pytest
from openpyxl import load_workbook
from PIL import Image

from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.organisation_file import load_organisation, save_organisation
from desktop_app.cli import main
from desktop_app.cli.document_flags import FIELDS, FORMS
from report_templates.proposal import Form

TODAY = ["--today", "2026-11-30"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plan(here, capsys):
    """A project of three scenarios, on 256, 128 and 512 GPUs, with notes."""
    path = here / "plan.tbudget"
    assert main(["new", str(path), *TODAY]) == 0
    document = json.loads(path.read_text("utf-8"))
    first = document["scenarios"][0]
    document["scenarios"] = [
        {**first, "name": name, "cluster": {"gpus": gpus}}
        for name, gpus in (("Now", 256), ("Later", 128), ("Big", 512))
    ]
    document.pop("snapshots")
    path.write_text(json.dumps({**document, "notes": "Ask twice."}), "utf-8")
    capsys.readouterr()
    return path


@pytest.fixture
def handed(monkeypatch):
    """What the writers are handed, in place of what they write."""
    found = []
    for module, name in (
        ("report_templates.workbook", "write_workbook"),
        ("report_templates.proposal", "write_proposal"),
        ("report_templates.model_card", "write_card"),
        ("report_templates.focus_csv", "write_focus"),
    ):
        monkeypatch.setattr(
            f"{module}.{name}", lambda dossier, path, *how, kind=name: found.append((kind, dossier, how))
        )
    return found


def refusal(capsys, *arguments):
    assert main(list(map(str, arguments))) == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    return told.err


def gpus(capsys, *arguments):
    assert main(["estimate", *map(str, arguments), "--json"]) == 0
    layout = json.loads(capsys.readouterr().out)["layout"]
    return layout["tp"] * layout["pp"] * layout["cp"] * layout["dp"]


def of(dossier):
    return [(budget.scenario.name, budget.scenario.cluster.gpus) for budget in dossier.budgets]


# ---- scenarios


@pytest.mark.parametrize(
    ("asked", "expected"),
    [((), 256), (("Later",), 128), (("later",), 128), (("2",), 128), (("3",), 512), ((" big ",), 512)],
)
def test_a_scenario_is_chosen_by_name_or_number(plan, capsys, asked, expected):
    assert gpus(capsys, plan, *(["--scenario", *asked] if asked else [])) == expected


def test_choices_go_to_the_scenario_that_is_chosen(plan, capsys):
    assert gpus(capsys, plan, "--scenario", "Big", "--gpus", "64") == 64
    assert main(["compare", "purchases", str(plan), "--scenario", "Later", "--json"]) == 0
    later = json.loads(capsys.readouterr().out)
    assert main(["compare", "purchases", str(plan), "--gpus", "128", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == later


@pytest.mark.parametrize("text", ["4", "0", "-1", "Nope", "", "9" * 400, "２"])
def test_a_scenario_that_is_not_there_is_refused_with_those_that_are(plan, capsys, text):
    for command in (["estimate"], ["compare", "places"], ["report", "--csv", "a.csv"]):
        told = refusal(capsys, *command, plan, f"--scenario={text}")
        assert told.startswith(f'--scenario: The project has no scenario "{text[:20].strip()}')
        assert "1 Now, 2 Later, 3 Big" in told


def test_a_scenario_without_a_project_and_a_name_that_stands_twice(plan, capsys):
    assert "--scenario: Only a project has scenarios" in refusal(capsys, "estimate", "--scenario", "1")
    document = json.loads(plan.read_text("utf-8"))
    document["scenarios"][2]["name"] = "Later"
    plan.write_text(json.dumps(document), "utf-8")
    assert "by its number: 2, 3" in refusal(capsys, "estimate", plan, "--scenario", "Later")
    assert gpus(capsys, plan, "--scenario", "3") == 512


def test_a_name_that_is_a_number_is_a_name_first(plan, capsys):
    document = json.loads(plan.read_text("utf-8"))
    document["scenarios"][2]["name"] = "1"
    plan.write_text(json.dumps(document), "utf-8")
    assert gpus(capsys, plan, "--scenario", "1") == 512


# ---- documents


def test_every_document_is_made_of_one_dossier_of_all_scenarios(plan, handed, capsys):
    save_organisation(Organisation(name="Acme"))
    arguments = ["report", str(plan), "--xlsx", "a.xlsx", "--pdf", "a.pdf", "--card", "a.md", "--focus", "f.csv"]
    assert main([*arguments, "--gpus", "32", "--scenario", "2", "--language", "zh", "--paper", "letter"]) == 0
    assert [kind for kind, _, _ in handed] == ["write_workbook", "write_proposal", "write_card", "write_focus"]
    assert [how for _, _, how in handed] == [("zh",), ("zh", "letter", "proposal"), ("zh",), ("zh",)]
    dossier = handed[0][1]
    assert all(other is dossier for _, other, _ in handed)
    assert of(dossier) == [("Later", 32), ("Now", 256), ("Big", 512)]
    assert (dossier.notes, dossier.organisation.name) == ("Ask twice.", "Acme")
    assert capsys.readouterr().out.split() == ["a.xlsx", "a.pdf", "a.md", "f.csv"]


def test_the_day_of_a_report_is_that_of_all_its_scenarios(plan, handed):
    assert main(["report", str(plan), "--pdf", "a.pdf", "--today", "2026-12-15"]) == 0
    assert {budget.scenario.today.isoformat() for budget in handed[0][1].budgets} == {"2026-12-15"}


def test_without_a_project_there_is_one_scenario_and_the_house_itself(handed, here):
    assert main(["report", "--pdf", "a.pdf", *TODAY]) == 0
    dossier = handed[0][1]
    assert (len(dossier.budgets), dossier.notes, dossier.organisation) == (1, "", Organisation())


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_the_pdf(handed, here, form):
    assert main(["report", "--pdf", "a.pdf", "--form", form.upper(), *TODAY]) == 0
    assert handed[0][2] == ("en", "a4", form)


def test_forms_and_fields_are_those_of_the_documents():
    assert set(FORMS) == set(get_args(Form))
    assert set(FIELDS.values()) == set(Organisation.model_fields)


def test_a_form_without_a_pdf_and_an_unknown_one_are_refused(here, capsys):
    assert "--form: This is the form of the PDF" in refusal(capsys, "report", "--csv", "a.csv", "--form", "memo")
    assert "invalid choice" in refusal(capsys, "report", "--pdf", "a.pdf", "--form", "novel")


def test_another_scenario_that_cannot_be_computed_is_named(plan, capsys):
    document = json.loads(plan.read_text("utf-8"))
    document["scenarios"][1]["cluster"] = {"gpu": "H900"}
    plan.write_text(json.dumps(document), "utf-8")
    told = refusal(capsys, "report", plan, "--xlsx", "a.xlsx")
    assert told.startswith("plan.tbudget, scenario Later, gpu: We know no GPU")
    assert not Path("a.xlsx").exists()
    assert "scenario Later, gpu" in refusal(capsys, "report", plan, "--csv", "a.csv")


def test_the_workbook_holds_every_scenario(plan):
    assert main(["report", str(plan), "--xlsx", "a.xlsx", "--no-organisation"]) == 0
    texts = {str(cell.value) for sheet in load_workbook("a.xlsx") for row in sheet.iter_rows() for cell in row}
    for name in ("Now", "Later", "Big"):
        assert any(name in text for text in texts), name


# ---- whose profile


def test_a_damaged_profile_is_said_and_stops_nothing(handed, here, capsys, no_organisation):
    no_organisation.write_text("{", "utf-8")
    assert main(["report", "--pdf", "a.pdf", *TODAY]) == 0
    told = capsys.readouterr()
    assert told.out == "a.pdf\n"
    assert str(no_organisation) in told.err and "without the profile" in told.err
    assert handed[0][1].organisation == Organisation()
    assert no_organisation.read_text("utf-8") == "{"
    assert main(["report", "--pdf", "a.pdf", "--no-organisation", *TODAY]) == 0
    assert capsys.readouterr().err == ""


def test_another_profile_and_none(handed, here, capsys):
    save_organisation(Organisation(name="Ours"))
    save_organisation(Organisation(name="Theirs"), Path("theirs.json"))
    assert main(["report", "--pdf", "a.pdf", "--organisation", "theirs.json", *TODAY]) == 0
    assert main(["report", "--pdf", "a.pdf", "--no-organisation", *TODAY]) == 0
    assert [dossier.organisation.name for _, dossier, _ in handed] == ["Theirs", ""]
    capsys.readouterr()
    assert "gone.json" in refusal(capsys, "report", "--pdf", "a.pdf", "--organisation", "gone.json")
    assert "not allowed with" in refusal(
        capsys, "report", "--pdf", "a.pdf", "--organisation", "theirs.json", "--no-organisation"
    )


def test_a_profile_is_not_written_over(here, capsys, no_organisation):
    save_organisation(Organisation(name="Ours"))
    assert "organisation.json" in refusal(capsys, "report", "--pdf", no_organisation)
    save_organisation(Organisation(name="Theirs"), Path("theirs.json"))
    refusal(capsys, "report", "--csv", "theirs.json", "--organisation", "theirs.json")
    assert load_organisation(Path("theirs.json")).name == "Theirs"


# ---- organisation


def shown(capsys, *arguments):
    assert main(["organisation", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_profile_is_set_shown_and_cleared(here, capsys, no_organisation):
    empty = shown(capsys)
    assert (empty["name"], empty["logo"], empty["file"]) == ("", None, str(no_organisation))
    assert not no_organisation.exists()
    Image.new("RGB", (300, 100), (11, 90, 138)).save("logo.png")
    full = shown(
        capsys, "--name", " Acme 研究院 ", "--cost-centre", "4711", "--accent-colour", "#0b5a8a", "--role", "Director",
        "--role", "财务", "--disclaimer", "Binds nobody.", "--validity-days", "14 days", "--logo", "logo.png",
    )  # fmt: skip
    assert full == {
        "file": str(no_organisation), "name": "Acme 研究院", "cost_centre": "4711", "accent_colour": "0B5A8A",
        "sign_off_roles": ["Director", "财务"], "disclaimer": "Binds nobody.", "validity_days": 14,
        "accent_contrast_on_white": 7.38, "logo": {"width": 300, "height": 100, "bytes": full["logo"]["bytes"]},
    }  # fmt: skip
    assert load_organisation().sign_off_roles == ("Director", "财务")
    assert shown(capsys) == full
    less = shown(capsys, "--clear", "logo", "--clear", "role", "--validity-days", "7")
    assert (less["logo"], less["sign_off_roles"], less["validity_days"], less["name"]) == (None, [], 7, "Acme 研究院")
    assert shown(capsys, "--clear", "all", "--name", "B") == {**empty, "name": "B"}


def test_a_profile_in_words(here, capsys):
    assert main(["organisation", "--name", "Acme", "--accent-colour", "FFEE00", "--validity-days", "1"]) == 0
    told = capsys.readouterr().out
    for words in (
        "Organisation        Acme",
        "FFEE00 (too faint for text",
        "Estimate valid for  1 day\n",
        "not stated",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--accent-colour", "red"], "--accent-colour: "),
        (["--validity-days", "0"], "--validity-days: Must be at least 1"),
        (["--validity-days", "2.5"], '--validity-days: "2.5" is not a whole number'),
        (["--validity-days", "soon"], '--validity-days: "soon" is not a number'),
        (["--name", "x" * 201], "--name: "),
        (["--name", "two\nlines"], "--name: "),
        (["--role", " "], "--role: "),
        (["--role=a"] * 13, "--role: "),
        (["--disclaimer", "x" * 2001], "--disclaimer: "),
        (["--logo", "gone.png"], "--logo: gone.png does not exist"),
        (["--logo", "evil.svg"], "--logo: evil.svg refers to something outside itself"),
        (["--clear", "everything"], "argument --clear: invalid choice"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_changed(here, capsys, no_organisation, arguments, told):
    Path("evil.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><image href="a.png"/></svg>', "utf-8")
    save_organisation(Organisation(name="Ours"))
    before = no_organisation.read_bytes()
    assert refusal(capsys, "organisation", *arguments, "--cost-centre", "1").startswith(told)
    assert no_organisation.read_bytes() == before


def test_a_damaged_profile_is_shown_to_be_so_and_can_be_begun_anew(here, capsys, no_organisation):
    no_organisation.write_text("{", "utf-8")
    assert str(no_organisation) in refusal(capsys, "organisation", "--name", "A")
    assert shown(capsys, "--clear", "all", "--name", "A")["name"] == "A"
