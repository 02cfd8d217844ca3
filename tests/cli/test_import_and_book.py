"""`import` and `book` as another program calls them, and what the other commands make of the user's own prices."""

from __future__ import annotations

import json

import pytest
from cli_tools import answer, refusal
from openpyxl import Workbook

from desktop_app.cli import main

TODAY = ["--today", "2026-11-30"]
JOB = ["--gpu", "H100-80GB-SXM", "--gpus", "64", *TODAY]
SHEET = """provider,region,instance,GPU,GPU count,USD per instance hour,purchase,date
aws,us-east-1,p5.48xlarge,H100 SXM,8,40.00,on-demand,2026-11-01
aws,us-east-1,p5.48xlarge,H100 SXM,8,41.00,spot,2026-11-01
My Cloud,,,H200,8,20.00,on-demand,2026-11-01
My Cloud,,,H900,8,20.00,on-demand,2026-11-01
"""


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "offer.csv"
    path.write_text(SHEET, encoding="utf-8")
    return path


def price(capsys, *arguments):
    return answer(capsys, "estimate", *JOB, *arguments)["price"]


# ---- import


def test_a_preview_stores_nothing(sheet, capsys, no_price_book):
    found = answer(capsys, "import", sheet, *TODAY)
    assert (found["kind"], found["header_row"], found["rows_read"], found["taken"]) == ("price_sheet", 1, 4, None)
    assert [(row["rows"], row["doubtful"]) for row in found["rows"]] == [([2], False), ([3], True), ([4], False)]
    assert found["rows"][0]["usd_per_gpu_hour"] == 5.0
    assert [(row["row"], row["reason"]) for row in found["dropped"]] == [(5, "unknown_gpu")]
    assert "H900" in found["dropped"][0]["message"]
    assert [(row["row"], row["reason"]) for row in found["doubtful"]] == [(3, "spot_not_below_on_demand")]
    assert found["mapping"]["gpu"] == "GPU"
    assert not no_price_book.exists()


def test_the_preview_in_words_names_rows_mapping_and_reasons(sheet, capsys):
    assert main(["import", str(sheet), *TODAY]) == 0
    told = capsys.readouterr().out
    for words in ("gpu = GPU", 'row 5: "H900" is no GPU', "row 3: Spot at 41 USD", "Prices accepted: 2; doubtful: 1",
                  "Nothing was stored"):  # fmt: skip
        assert words in told


def test_taken_prices_are_used_by_every_command(sheet, capsys):
    before = price(capsys)
    assert answer(capsys, "import", sheet, *TODAY, "--take")["taken"] == {"added": 2, "replaced": 0, "kept_newer": 0}
    after = price(capsys)
    assert (before["usd_per_gpu_hour"], after["usd_per_gpu_hour"]) == (6.88, 5.0)
    assert (after["source"], after["as_of"]) == ("your price book: offer.csv, row 2", "2026-11-01")
    assert price(capsys, "--region", "us-west-2") != after
    assert price(capsys, "--purchase", "spot")["usd_per_gpu_hour"] < 5  # the doubtful row was not taken
    own = answer(capsys, "estimate", "--gpu", "H200", "--gpus", "64", "--provider", "my cloud", *TODAY)
    assert (own["price"]["provider"], own["price"]["usd_per_gpu_hour"]) == ("my-cloud", 2.5)
    rows = answer(capsys, "catalog", "prices", "--gpu", "H100-80GB-SXM", "--provider", "aws")
    own_rows = [(row["origin"], row["source"]) for row in rows if row["origin"]]
    assert own_rows == [("offer.csv:2", "your price book: offer.csv, row 2")]


def test_a_project_and_a_report_use_the_book(sheet, capsys, tmp_path):
    assert main(["import", str(sheet), *TODAY, "--take"]) == 0
    assert main(["new", str(tmp_path / "p.tbudget"), *JOB]) == 0
    stored = json.loads((tmp_path / "p.tbudget").read_text(encoding="utf-8"))["snapshots"][0]["lines"]
    (line,) = [line for line in stored if line["key"] == "price_usd_per_gpu_hour"]
    assert (line["value"], line["source"]) == (5.0, "offer.csv:2")
    assert main(["report", *JOB, "--csv", str(tmp_path / "lines.csv")]) == 0
    assert "your price book: offer.csv, row 2" in (tmp_path / "lines.csv").read_text(encoding="utf-8-sig")


def test_doubtful_rows_are_taken_only_when_accepted(sheet, capsys):
    taken = answer(capsys, "import", sheet, *TODAY, "--take", "--accept-doubtful")["taken"]
    assert taken == {"added": 3, "replaced": 0, "kept_newer": 0}
    assert price(capsys, "--purchase", "spot")["usd_per_gpu_hour"] == 5.125


def test_taking_again_replaces_and_an_older_sheet_does_not(sheet, capsys):
    assert main(["import", str(sheet), *TODAY, "--take"]) == 0
    capsys.readouterr()
    sheet.write_text(SHEET.replace("40.00", "36.00").replace("2026-11-01", "2026-11-15"), encoding="utf-8")
    assert answer(capsys, "import", sheet, *TODAY, "--take")["taken"] == {"added": 0, "replaced": 2, "kept_newer": 0}
    sheet.write_text(SHEET, encoding="utf-8")
    assert main(["import", str(sheet), *TODAY, "--take"]) == 0
    assert "the book has a newer price of 2026-11-15" in capsys.readouterr().out
    assert price(capsys)["usd_per_gpu_hour"] == 4.5


def test_questions_are_answered_by_flags(tmp_path, capsys):
    path = tmp_path / "preise.xlsx"
    book = Workbook()
    for row in (["Angebot"], ["GPU", "Anzahl", "Preis pro Stunde"], ["H100 SXM", 8, "19,20"]):
        book.active.append(row)
    book.create_sheet("Other").append(["x"])
    book.save(path)
    asked = answer(capsys, "import", path, *TODAY)
    assert {row["reason"] for row in asked["questions"]} == {"provider_not_stated"}
    asked = answer(capsys, "import", path, *TODAY, "--provider", "Mein RZ")
    assert {row["reason"] for row in asked["questions"]} == {"currency_not_stated"}
    flags = ["--provider", "Mein RZ", "--currency", "eur", "--fx-rate", "0,8", "--date", "2026-11-20"]
    asked = answer(capsys, "import", path, *TODAY, *flags)
    assert {row["reason"] for row in asked["questions"]} == {"price_unit_not_stated"}
    flags += ["--map", "price_per_instance_hour=Preis pro Stunde", "--sheet", "sheet", "--purchase", "reserved 1 year"]
    (row,) = answer(capsys, "import", path, *TODAY, *flags)["rows"]
    assert (row["provider"], row["purchase"], row["as_of"]) == ("mein-rz", "reserved-1y", "2026-11-20")
    assert (row["amount_original"], row["currency_original"], row["usd_per_original"]) == (19.2, "EUR", 1.25)
    assert (row["usd_per_instance_hour"], row["usd_per_gpu_hour"]) == (24.0, 3.0)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--map", "gpu"], "--map"),
        (["--map", "colour=GPU"], "colour"),
        (["--map", "gpu=Nothing"], "Nothing"),
        (["--sheet", "A"], "--sheet"),
        (["--currency", "dollars"], "--currency"),
        (["--fx-rate", "7.1"], "--currency"),
        (["--currency", "CNY", "--fx-rate", "0"], "--fx-rate"),
        (["--currency", "CNY", "--fx-rate", "7,100"], "--fx-rate"),
        (["--purchase", "barter"], "barter"),
        (["--date", "yesterday"], "--date"),
    ],
)
def test_flags_that_say_nothing_sensible_are_refused(sheet, capsys, flags, told):
    assert told in refusal(capsys, "import", sheet, *flags)


def test_other_files_are_refused_in_words(tmp_path, capsys):
    for name, content in (
        ("config.json", "{}"),
        ("run.log", "step 1"),
        ("notes.csv", '{"a": 1}'),
        ("job.yaml", "a: 1"),
    ):
        (tmp_path / name).write_text(content)
        assert "not a price sheet" in refusal(capsys, "import", tmp_path / name)
    (tmp_path / "empty.csv").write_text("")
    assert "empty.csv is empty" in refusal(capsys, "import", tmp_path / "empty.csv")
    assert "does not exist" in refusal(capsys, "import", tmp_path / "gone.csv")
    assert "folder" in refusal(capsys, "import", tmp_path)


def test_nothing_to_take_leaves_the_book_alone(tmp_path, capsys, no_price_book):
    path = tmp_path / "bad.csv"
    path.write_text("provider,gpu,gpu count,USD per gpu hour\naws,H900,8,3\n")
    assert "was not changed" in refusal(capsys, "import", path, "--take")
    assert not no_price_book.exists()


# ---- book


def test_an_empty_book(capsys, no_price_book):
    shown = answer(capsys, "book")
    assert shown == {"file": str(no_price_book), "prices": [], "discounts": [], "credits": []}
    assert main(["book"]) == 0
    assert "every price is one of the tables" in capsys.readouterr().out


def test_discounts_and_credits_are_stated_shown_and_removed(capsys):
    shown = answer(
        capsys, "book", *TODAY, "--discount", "AWS:H100 SXM:us-east-1:on-demand=22%", "--credit", "any=$50000",
        "--source", "contract 17", "--valid-until", "2027-06-30",
    )  # fmt: skip
    (rule,), (credit,) = shown["discounts"], shown["credits"]
    assert [rule[key] for key in ("provider", "gpu", "region", "purchase", "percent")] == [
        "aws", "H100-80GB-SXM", "us-east-1", "on-demand", 22.0,
    ]  # fmt: skip
    assert (rule["source"], rule["as_of"], rule["valid_until"]) == ("contract 17", "2026-11-30", "2027-06-30")
    assert (credit["provider"], credit["amount_usd"], credit["expired"]) == (None, 50000.0, False)
    again = answer(capsys, "book", *TODAY, "--discount", "aws:on-demand=10", "--discount", "aws=5%")
    assert [(row["purchase"], row["percent"]) for row in again["discounts"][1:]] == [("on-demand", 10.0), (None, 5.0)]
    late = answer(capsys, "book", "--today", "2027-07-01")
    assert [row["expired"] for row in late["discounts"]] == [True, False, False]
    left = answer(capsys, "book", "--remove", rule["id"], "--remove", credit["id"])
    assert (len(left["discounts"]), left["credits"]) == (2, [])
    assert answer(capsys, "book", "--clear")["discounts"] == []


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--discount", "22%"], "--discount"),
        (["--discount", "nobody=22%"], "nobody"),
        (["--discount", "aws:nothing=22%"], "nothing"),
        (["--discount", "aws:spot:on-demand=22%"], "--discount"),
        (["--discount", "aws=0.22"], "percent"),
        (["--discount", "aws=101%"], "percent"),
        (["--discount", "aws=-5%"], "percent"),
        (["--discount", "aws=much"], "much"),
        (["--credit", "aws"], "--credit"),
        (["--credit", "aws=-5"], "--credit"),
        (["--credit", "aws=50,000"], "50,000"),
        (["--credit", "aws=5", "--valid-until", "2020-01-01"], "--valid-until"),
        (["--remove", "p-123456"], "p-123456"),
    ],
)
def test_terms_that_are_not_clear_are_refused_and_nothing_is_stored(capsys, no_price_book, flags, told):
    assert told in refusal(capsys, "book", *TODAY, *flags)
    assert not no_price_book.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "damaged"),
        ('{"format": "training-budget-prices", "schema_number": 9}', "newer version (format 9)"),
        ('{"format": "training-budget-prices", "schema_number": 1, "prices": [{"gpu": 3}]}', "prices.0."),
    ],
)
def test_a_broken_book_is_told_with_its_file_and_left_alone(sheet, capsys, no_price_book, content, told):
    no_price_book.write_text(content)
    for command in (["estimate", *JOB], ["book"], ["catalog", "prices"], ["import", sheet, *TODAY, "--take"]):
        message = refusal(capsys, *command)
        assert told in message
        assert "prices.json" in message
    assert no_price_book.read_text() == content


def test_own_prices_that_have_expired_do_not_count(sheet, capsys):
    head, first = SHEET.splitlines()[:2]
    sheet.write_text(f"{head},valid until\n{first},2026-12-31\n", encoding="utf-8")
    assert main(["import", str(sheet), *TODAY, "--take"]) == 0
    capsys.readouterr()
    assert price(capsys)["usd_per_gpu_hour"] == 5.0
    late = answer(capsys, "estimate", "--gpu", "H100-80GB-SXM", "--gpus", "64", "--today", "2027-01-01")
    assert late["price"]["usd_per_gpu_hour"] == 6.88
