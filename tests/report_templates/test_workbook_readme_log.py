"""The first sheet and the last: what the workbook is and how to use it; versions, rates, thresholds, the engine."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any

import pytest
from PIL import Image
from workbook_tools import changed, named, opened, recalculated, scenario_named, stored, workbook_named

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.dossier.organisation import Organisation
from desktop_app.budget.dossier.thresholds import counted_flop
from desktop_app.budget.project import app_version
from desktop_app.budget.scenario import with_choice
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.fingerprint import engine_mark, result_mark
from report_templates.workbook import workbook_bytes

_NOTES = "\n".join(["First line.", "One long paragraph of words. " * 100, "汉字" * 300, "", "Last line."])
_DISCLAIMER = "For internal use only. " * 60


def png(width: int, height: int) -> bytes:
    picture = io.BytesIO()
    Image.new("RGB", (width, height), (20, 90, 140)).save(picture, "PNG")
    return picture.getvalue()


@lru_cache(maxsize=4)
def dossier_of(name: str, logo: bytes = b"") -> Dossier:
    budget = make_budget(scenario_named(name), load_catalogue())
    profile = Organisation(
        name="=Acme <b>&", cost_centre="@CC-7", disclaimer=_DISCLAIMER, validity_days=45, logo_png=logo
    )
    whole = make_dossier([budget], load_catalogue(), profile, _NOTES)
    return replace(whole, purchases=(), alternatives=())


@lru_cache(maxsize=4)
def data_of(name: str, logo: bytes = b"") -> bytes:
    return workbook_bytes(dossier_of(name, logo), "en")


def facts(data: bytes, sheet: str = "README") -> dict[str, Any]:
    page = stored(data)[sheet]
    return {page.cell(row, 2).value: page.cell(row, 3).value for row in range(1, page.max_row + 1)}


def texts(data: bytes, sheet: str, column: str = "C") -> list[str]:
    return [str(cell.value) for cell in stored(data)[sheet][column] if cell.value is not None]


def test_it_says_who_when_with_what_and_until_when() -> None:
    told = facts(data_of("dense"))
    assert "Train LLaMA-13B on 1.00T tokens" in told
    assert (told["Organisation"], told["Cost centre"]) == ("=Acme <b>&", "@CC-7")
    assert (told["Report date"], told["Valid until"], told["Prices of"]) == ("2026-11-30", "2027-01-14", "2026-07-20")
    assert told["Made by"] == f"Training Budget {app_version()}"
    assert told["Result mark"] == result_mark(dossier_of("dense").base)
    assert facts(workbook_named("not priced"))["Prices of"] == "not priced"
    assert "Organisation" not in facts(workbook_named("dense"))
    assert opened(data_of("dense"))["README"]["C4"].data_type == "s"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sheet_is_listed_in_order_and_its_name_leads_there(language: Any) -> None:
    book = opened(workbook_named("dense", language))
    page = book.worksheets[0]
    links = [(cell.value, cell.hyperlink.location) for cell in page["B"] if cell.hyperlink]
    assert [name for name, _ in links] == book.sheetnames
    for name, location in links:
        title, address = location.rsplit("!", 1)
        assert (title.strip("'").replace("''", "'"), address) == (name, "A1")
    held = [page.cell(cell.row, 3).value for cell in page["B"] if cell.hyperlink]
    assert len(set(held)) == len(held)


def test_a_simple_job_hides_what_it_does_not_need_at_first() -> None:
    book = opened(data_of("eight GPUs"))
    shown = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
    assert shown == ["README", "Summary", "Inputs", "Prices", "Power & carbon", "Compute", "Checks"]
    assert {sheet.sheet_state for sheet in book.worksheets} == {"visible", "hidden"}  # never "very hidden"
    states = {row[1].value: row[4].value for row in stored(data_of("eight GPUs"))["README"].iter_rows() if row[4].value}
    assert (states["Summary"], states["Log"]) == ("shown", "hidden")
    assert any("Unhide" in text for text in texts(data_of("eight GPUs"), "README"))
    assert {sheet.sheet_state for sheet in opened(data_of("dense")).worksheets} == {"visible"}


def test_several_scenarios_hide_nothing() -> None:
    budget = make_budget(scenario_named("eight GPUs"), load_catalogue())
    two = make_dossier([budget, budget], load_catalogue())
    assert {sheet.sheet_state for sheet in opened(workbook_bytes(two, "en")).worksheets} == {"visible"}


def test_notes_and_disclaimer_stand_there_whole() -> None:
    told = texts(data_of("dense"), "README")
    squeezed = "".join("".join(told).split())
    assert "".join(_NOTES.split()) in squeezed
    assert "".join(_DISCLAIMER.split()) in squeezed
    page = opened(data_of("dense"))["README"]
    assert all((page.row_dimensions[row].height or 0) <= 409 for row in range(1, page.max_row + 1))  # Excel's highest
    assert max(map(len, told)) <= 1200
    assert "Notes of the project" not in facts(workbook_named("dense"))


@pytest.mark.parametrize(("width", "height"), [(1200, 300), (40, 1200), (24, 24)])
def test_a_logo_keeps_its_shape_and_its_place(width: int, height: int) -> None:
    data = data_of("dense", png(width, height))
    (picture,) = opened(data)["README"]._images  # type: ignore[attr-defined]
    anchor = picture.anchor
    assert (anchor._from.col, anchor._from.row) == (3, 3)  # D4, beside the facts
    shown_width, shown_height = anchor.ext.width / 9525, anchor.ext.height / 9525  # EMU a pixel
    assert shown_width <= 200 and shown_height <= 84
    assert shown_width / shown_height == pytest.approx(width / height, rel=0.2)
    assert png(width, height) in [
        zipfile.ZipFile(io.BytesIO(data)).read(name)
        for name in zipfile.ZipFile(io.BytesIO(data)).namelist()
        if name.startswith("xl/media/")
    ]
    assert data == workbook_bytes(dossier_of("dense", png(width, height)), "en")


def test_limits_say_shaped_and_not_conformant() -> None:
    told = " ".join(texts(workbook_named("dense"), "README"))
    assert "FOCUS-shaped: its names follow FOCUS 1.2, it is not conformant data" in told
    assert "BillingAccountId is left empty" in told
    assert "not legal advice" in told and "until 2026-12-30" in told


# ---- Log


def section(data: bytes, title: str) -> list[list[Any]]:
    """The rows below a heading of the sheet Log, without the header, down to the next empty row."""
    found: list[list[Any]] = []
    inside = False
    for row in stored(data)["Log"].iter_rows(min_col=2, max_col=8, values_only=True):
        if inside and all(cell is None for cell in row):
            break
        if inside:
            found.append(list(row))
        inside = inside or row[0] == title
    return found[1:]


def test_versions_begin_with_the_export_and_leave_room_to_write() -> None:
    first, *free = section(workbook_named("dense"), "Versions of this workbook")
    assert first[1] == f"Exported, program version {app_version()}"
    assert first[2].date() == date(2026, 11, 30)
    assert first[6] == f"Result {result_mark(make_budget(scenario_named('dense'), load_catalogue()))}"
    assert len(free) == 8 and {tuple(row[1:]) for row in free} == {(None,) * 6}
    page = opened(workbook_named("dense"))["Log"]
    row = next(cell.row for cell in page["C"] if str(cell.value).startswith("Exported"))
    assert [not page[f"{column}{row + 1}"].protection.locked for column in "BCDEFGH"] == [
        False, True, True, True, False, False, True,
    ]  # fmt: skip


def test_rates_are_those_of_the_ledgers_with_their_dates() -> None:
    budget = make_budget(scenario_named("euro"), load_catalogue())
    line = budget.ledger["fx_rate"]
    (row,) = section(workbook_named("euro"), "Exchange rates")
    assert row[1] == "EUR per USD"
    assert row[2] == pytest.approx(line.given)
    assert (row[3], row[4]) == (line.source.as_of, "A")
    again = recalculated(changed(workbook_named("euro"), in_fx=0.5))
    assert section(again, "Exchange rates")[0][2] == 0.5
    assert not section(workbook_named("dense"), "Exchange rates")  # all in USD


@pytest.mark.parametrize("name", ["dense", "development"])
def test_thresholds_follow_the_compute(name: str) -> None:
    data, title = workbook_named(name), "Compute thresholds (not legal advice)"
    flop = counted_flop(make_budget(scenario_named(name), load_catalogue()))
    assert flop is not None
    shown = section(data, title)
    assert [row[2] for row in shown] == [1e23, 1e25, 1e26, 1e26]
    assert [row[3] for row in shown] == pytest.approx([flop / row[2] for row in shown])
    reached = [row[5] for row in shown]
    assert reached == ["reached" if flop >= row[2] else "not reached" for row in shown]
    assert reached == ["reached" if name == "development" else "not reached", *["not reached"] * 3]
    more = section(recalculated(changed(data, in_tokens=1e14)), title)
    assert [row[3] for row in more] == pytest.approx([100 * row[3] for row in shown])
    assert [row[5] for row in more][:2] == ["reached", "reached" if name == "development" else "not reached"]
    assert all(row[4] and row[6] for row in shown)  # each with its date and its source


def test_sources_ages_and_measured_runs_are_still_there() -> None:
    budget = make_budget(scenario_named("dense"), load_catalogue())
    told = texts(workbook_named("dense"), "Log")
    for run in budget.estimate.closest_measured_runs:
        assert f"{run.name}, {run.gpu}" in told
    for problem in budget.problems:
        assert words_of("en").sentence(problem) in told
    assert named(workbook_named("dense"), "in_today") is not None


def test_the_mark_of_the_engine_moves_with_what_it_computed_from_alone() -> None:
    scenario = scenario_named("dense")
    marks = {
        key: engine_mark(make_budget(with_choice(scenario, key, value), load_catalogue()))
        for key, value in (("price_usd_per_gpu_hour", 2.0), ("sequence_length", 4096), ("gpus", 128))
    }
    own = engine_mark(make_budget(scenario, load_catalogue()))
    assert marks["price_usd_per_gpu_hour"] == own
    assert len({own, *marks.values()}) == 3
    assert any(f"A: step time and memory by version {app_version()}, mark {own}" == text
               for text in texts(workbook_named("dense"), "Log"))  # fmt: skip
