"""Files of every make: encodings, delimiters, workbooks, and what is refused before it is read."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

import pytest
from openpyxl import Workbook
from sheet_tools import preview, prices, saved, workbook

from pricing.importers import limits
from pricing.importers.faults import SheetError

HEAD = ["provider", "gpu", "gpu count", "USD per gpu hour"]
CHINESE = "供应商,显卡,数量,单价（元/卡时）,备注\n某云平台,H100,8,24,包含存储和网络\n"
GERMAN = "Anbieter;GPU;Anzahl GPUs;Preis pro GPU-Stunde (€);Bemerkung\nGrößte Wolke;H100;8;2,50;für Übung\n"


def refusal(data, **options):
    with pytest.raises(SheetError) as refused:
        preview(data, **options)
    return refused.value.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"])
def test_chinese_in_every_encoding(encoding):
    found = preview(CHINESE.encode(encoding))
    assert [(row.quote.provider, row.quote.usd_per_gpu_hour) for row in found.rows] == [("某云平台", 3.0)]
    assert found.rows[0].quote.notes == "CNY 192/h at 0.125 USD of 2026-10-30; 包含存储和网络"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_german_in_every_encoding(encoding):
    found = preview(GERMAN.encode(encoding))
    assert [(row.quote.provider, row.quote.usd_per_gpu_hour) for row in found.rows] == [("größte-wolke", 3.125)]


def test_latin_1_where_windows_1252_has_no_letter():
    data = GERMAN.replace("€", "EUR").replace("für", "f\x81r").encode("latin-1")
    assert preview(data).rows[0].quote.provider == "größte-wolke"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_delimiter(delimiter):
    rows = [HEAD, ["x", "H100", "8", '"a, b; c"'], ["x", "H100", "8", "2.5"]]
    found = preview([delimiter.join(row) for row in rows])
    assert [row.quote.usd_per_gpu_hour for row in found.rows] == [2.5]


def test_lines_are_counted_as_an_editor_counts_them():
    found = preview("\r\n".join([",".join(HEAD), "", "x,H100,8,2.5", '"two\nlines",H200,8,3', "y,H100,8,4"]))
    assert [row.row for row in found.rows] == [3, 4, 6]


def test_the_sheet_with_the_prices_is_found_or_named():
    data = workbook(
        Cover=[["Price list"], ["valid for all"]],
        H100=[HEAD, ["x", "H100", 8, 2.5]],
        H200=[[], ["title"], HEAD, ["x", "H200", 8, 3.5], ["y", "H200", 8, 3.75]],
    )
    assert preview(data).sheet == "H100"
    found = preview(data, sheet="h200", file="a.xlsx")
    assert (found.sheet, found.header_row) == ("H200", 3)
    assert found.rows[0].quote.origin == "a.xlsx (H200):4"
    assert refusal(data, sheet="H300") == "no_such_sheet"
    assert refusal(data, sheet="Cover") == "no_header"
    assert refusal(",".join(HEAD), sheet="H100") == "no_sheets_in_text"


def test_dates_and_numbers_of_a_workbook():
    rows = [[*HEAD, "date", "valid until"], ["x", "H100", 8.0, 2.5, datetime(2026, 9, 30, 12), 46387]]
    quote = preview(workbook(A=rows)).rows[0].quote
    assert (quote.gpu_count, quote.as_of, quote.valid_until) == (8, "2026-09-30", "2026-12-31")


def test_formulas_of_a_workbook_are_read_by_their_stored_result_only():
    found = preview(workbook(A=[HEAD, ["x", "H100", 8, "=1+1"], ["x", "H200", 8, 3]]))
    assert prices(found) == [(3, "H200-141GB-SXM", 8, "on-demand", 24.0)]
    assert [(f.row, f.reason) for f in found.said("dropped")] == [(2, "no_price")]  # never computed, so no result


def test_a_zip_bomb_is_not_unpacked(monkeypatch):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            for _ in range(limits.MOST_UNZIPPED_BYTES // 10_000_000 + 1):
                part.write(b" " * 10_000_000)
    assert len(stream.getvalue()) < 1_000_000
    assert refusal(stream.getvalue()) == "unpacks_too_large"


def test_workbooks_that_are_none():
    whole = workbook(A=[HEAD, ["x", "H100", 8, 2.5]])
    assert refusal(whole[: len(whole) // 2]) == "broken_workbook"
    assert refusal(whole[:40]) == "broken_workbook"
    assert refusal(b"\xd0\xcf\x11\xe0" + b"\0" * 600) == "old_excel"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("readme.txt", "no workbook")
    assert refusal(stream.getvalue()) == "broken_workbook"


def test_entities_in_a_workbook_are_refused():
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(A=[HEAD, ["x", "H100", 8, 2.5]]))) as source,
        zipfile.ZipFile(stream, "w") as target,
    ):
        for part in source.infolist():
            data = source.read(part)
            if part.filename.endswith("sheet1.xml"):
                data = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">]>' + data.partition(b"?>")[2]
            target.writestr(part, data)
    assert refusal(stream.getvalue()) == "broken_workbook"


@pytest.mark.parametrize("data", [b"", b"  \n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data):
    assert refusal(data) in ("empty_file", "no_header")


def test_what_is_no_text_is_refused():
    assert refusal(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01") == "not_text"


def test_too_much_is_refused(monkeypatch):
    line = "x,H100,8,2.5"
    monkeypatch.setattr("pricing.importers.sheets.MOST_ROWS", 3)
    assert refusal([",".join(HEAD), *[line] * 3]) == "too_many_rows"
    assert len(preview([",".join(HEAD), *[line] * 2]).said("dropped")) == 1
    assert refusal([",".join(HEAD), "x,H100,8," + "9" * (limits.MOST_CELL_CHARACTERS + 1)]) == "cell_too_long"
    assert refusal([",".join(HEAD), line + ",1" * limits.MOST_COLUMNS]) == "too_many_columns"
    monkeypatch.setattr("pricing.importers.preview.MOST_BYTES", 20)
    assert refusal([",".join(HEAD), line]) == "file_too_large"


def test_a_quotation_mark_without_end_is_refused_not_swallowed():
    rows = [",".join(HEAD), 'x,"H100,8,2.5', *["y,H100,8,2.5"] * 20_000]
    assert refusal(rows) == "cell_too_long"


def test_a_workbook_with_a_far_cell_is_read():
    book = Workbook()
    sheet = book.active
    for row in (HEAD, ["x", "H100", 8, 2.5]):
        sheet.append(row)
    sheet.cell(row=100_000, column=2, value="H200")
    found = preview(saved(book))
    assert [row.row for row in found.rows] == [2]
    assert [(f.row, f.reason) for f in found.said("dropped")] == [(100_000, "no_price")]
