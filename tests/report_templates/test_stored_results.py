"""The post-processor puts results where spreadsheet programs keep them, and refuses to lose one."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

import openpyxl
import pytest

from report_templates.excel.stored_results import finished_workbook

MOMENT = datetime(2026, 11, 30)


def _saved():
    book = openpyxl.Workbook()
    page = book.active
    page["A1"] = 2
    page["B1"], page["C1"], page["D1"], page["E1"] = "=A1*2", '=IF(A1<3,"a<b & c","")', "=A1>1", "=EXP(A1)^9E9"
    book.create_sheet("另一").cell(1, 1, "=Sheet!A1")
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


RESULTS = {
    ("Sheet", "B1"): 4.0, ("Sheet", "C1"): "a<b & c", ("Sheet", "D1"): True, ("Sheet", "E1"): float("inf"),
    ("另一", "A1"): 2,
}  # fmt: skip


def test_each_kind_of_result_reads_back():
    book = openpyxl.load_workbook(io.BytesIO(finished_workbook(_saved(), RESULTS, MOMENT)), data_only=True)
    assert [book["Sheet"][f"{column}1"].value for column in "ABCDE"] == [2, 4, "a<b & c", True, "#NUM!"]
    assert book["另一"]["A1"].value == 2
    formulas = openpyxl.load_workbook(io.BytesIO(finished_workbook(_saved(), RESULTS, MOMENT)))
    assert formulas["Sheet"]["C1"].value == '=IF(A1<3,"a<b & c","")'


def test_a_missing_and_a_surplus_result_are_our_bugs():
    with pytest.raises(KeyError):
        finished_workbook(_saved(), {}, MOMENT)
    with pytest.raises(ValueError, match="without a formula"):
        finished_workbook(_saved(), {**RESULTS, ("Sheet", "A1"): 2.0}, MOMENT)


def test_no_clock_is_left_in_the_file():
    archive = zipfile.ZipFile(io.BytesIO(finished_workbook(_saved(), RESULTS, MOMENT)))
    assert b"2026-11-30T00:00:00Z</dcterms:modified>" in archive.read("docProps/core.xml")
    assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
    assert {entry.create_system for entry in archive.infolist()} == {3}
