"""Files that cannot come back: none of ours, broken, or too much; each is refused in one sentence that names it."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from datetime import date

import openpyxl
import pytest
from returned_tools import (
    FIRST,
    embedded,
    forged,
    loaded,
    part_with,
    read,
    refused,
    resaved,
    row_of,
    saved,
    typed,
    with_part,
    workbook,
)

from desktop_app.foundation.problems import UserError
from pricing.catalogue import Catalogue, load_catalogue
from report_templates.workbook_reading import is_our_workbook, read_workbook

OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)


def catalogues(day: date) -> Catalogue:
    return load_catalogue()


def other_workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Key", "A", "tokens"])
    return saved(book)


# ---- no workbook of ours


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "import_empty_file"),
        (b"provider,price\naws,2\n", "not_a_workbook"),
        (b"%PDF-1.7\n", "not_a_workbook"),
        (OLD_EXCEL, "import_old_excel"),
        (OLD_EXCEL + "EncryptedPackage".encode("utf-16-le"), "workbook_password"),
        (b"PK\x03\x04 and no more", "import_broken_workbook"),
        (other_workbook(), "not_our_workbook"),
    ],
)
def test_other_files_are_told_what_they_are(data, reason, tmp_path):
    assert refused(data, tmp_path) == reason
    assert not is_our_workbook(tmp_path / "plan.xlsx")


def test_a_file_that_is_missing_a_folder_or_huge(tmp_path):
    with pytest.raises(UserError, match="file_missing"):
        read_workbook(tmp_path / "nowhere.xlsx", catalogues)
    with pytest.raises(UserError, match="folder"):
        read_workbook(tmp_path, catalogues)
    with (tmp_path / "huge.xlsx").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(UserError, match="file_huge"):
        read_workbook(tmp_path / "huge.xlsx", catalogues)
    assert not is_our_workbook(tmp_path / "huge.xlsx")


def test_archives_that_unpack_without_end_are_not_unpacked(tmp_path):
    bomb = with_part(workbook("dense"), "xl/media/picture.bin", lambda old: bytes(260_000_000))
    assert len(bomb) < 1_000_000
    assert refused(bomb, tmp_path) == "workbook_too_large"
    crowd = io.BytesIO(workbook("dense"))
    with zipfile.ZipFile(crowd, "a") as archive:
        for number in range(5_001):
            archive.writestr(f"xl/part{number}.xml", b"")
    assert refused(crowd.getvalue(), tmp_path) == "workbook_too_large"


def test_a_workbook_of_thousands_of_sheets_is_refused_at_once(tmp_path):
    book = loaded(workbook("dense"))
    for number in range(120):
        book.create_sheet(f"mine {number}")
    assert refused(saved(book), tmp_path) == "workbook_sheets"


def test_a_scenario_with_two_columns_is_refused(tmp_path):
    """As "insert copied cells" makes them: nobody could say which of them counts."""
    book = loaded(workbook("dense"))
    page = book["Inputs"]
    page.insert_cols(5)
    for row in range(4, page.max_row + 1):
        page.cell(row, 5).value = page.cell(row, 6).value
    with pytest.raises(UserError) as caught:
        read(saved(book), tmp_path)
    assert [problem.key for problem in caught.value.problems] == ["problem.workbook_column_twice"]


def test_entities_that_unfold_without_end_are_not_unfolded(tmp_path):
    entities = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><sst>&b;</sst>'
    assert refused(with_part(workbook("dense"), "xl/sharedStrings.xml", lambda old: entities), tmp_path) == (
        "import_broken_workbook"
    )


@pytest.mark.parametrize("piece", [b"<definedNames>", b"price_usd_per_gpu_hour", b"SHA-256", b"<cellXfs"])
def test_a_part_that_is_cut_off_is_told(piece, tmp_path):
    data = workbook("dense")
    cut = with_part(data, part_with(data, piece), lambda old: old[: len(old) // 2])
    assert refused(cut, tmp_path) == "import_broken_workbook"


# ---- ours, and broken


def without_log(book):
    del book["Log"]


def emptied_head(book):
    embedded(book)[0].value = None


def changed_text(book):
    cell = embedded(book)[1]
    cell.value = cell.value.replace('"tokens"', '"tokenz"', 1)


def lost_part(book):
    embedded(book)[-1].value = None


def two_heads(book):
    head = embedded(book)[0].value
    book["Summary"]["C90"] = head


def sheet_deleted(book):
    del book["Prices"]


def row_deleted(book):
    title, row = row_of(book, "tokens")
    book[title].delete_rows(row)


def key_changed(book):
    title, row = row_of(book, "pue")
    next(cell for cell in book[title][row] if cell.value == "pue").value = "PUE!"


def key_column_deleted(book):
    column = next(cell.column for cell in book["Inputs"][4] if cell.value == "Key")
    book["Inputs"].delete_cols(column)


def scenario_deleted(book):
    book["Inputs"].delete_cols(FIRST)


def header_overwritten(book):
    book["Inputs"].cell(4, FIRST).value = "Plan 2027"


def export_column_deleted(book):
    column = next(cell.column for cell in book["Inputs"][4] if str(cell.value).startswith("At export"))
    book["Inputs"].delete_cols(column)


def export_changed(book):
    title, row = row_of(book, "tokens")
    column = next(cell.column for cell in book[title][4] if str(cell.value).startswith("At export"))
    book[title].cell(row, column).value = 5


def sheet_copied(book):
    book.copy_worksheet(book["Inputs"])


def row_copied(book):
    title, row = row_of(book, "gpus")
    last = book[title].max_row + 1
    for cell in list(book[title][row]):
        book[title].cell(last, cell.column).value = cell.value


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (without_log, "workbook_no_project"),
        (emptied_head, "workbook_no_project"),
        (changed_text, "workbook_embedded"),
        (lost_part, "workbook_embedded"),
        (two_heads, "workbook_merged"),
        (sheet_deleted, "workbook_rows_missing"),
        (row_deleted, "workbook_rows_missing"),
        (key_changed, "workbook_rows_missing"),
        (key_column_deleted, "workbook_rows_missing"),
        (scenario_deleted, "workbook_rows_missing"),
        (header_overwritten, "workbook_rows_missing"),
        (export_column_deleted, "workbook_columns"),
        (export_changed, "workbook_exported"),
        (sheet_copied, "workbook_row_twice"),
        (row_copied, "workbook_row_twice"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_broken_structure_is_refused(damage, reason, tmp_path):
    book = loaded(workbook("two"))
    damage(book)
    assert refused(saved(book), tmp_path) == reason
    assert is_our_workbook(tmp_path / "plan.xlsx")


def test_a_sheet_of_another_workbook_is_refused(tmp_path):
    book, other = loaded(workbook("dense")), loaded(workbook("spot"))
    for row in other["Prices"].iter_rows():
        for cell in row:
            book["Prices"].cell(cell.row, cell.column).value = cell.value
    assert refused(saved(book), tmp_path) in ("workbook_exported", "workbook_rows_missing")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"schema_number":2', '"schema_number":99', "file_newer"),
        ('"scenarios":[', '"scenarios":[[],', "workbook_embedded"),
        ('"gpus":512', '"gpus":-512', "workbook_embedded"),
        ('"gpus":512', '"gpus":NaN', "workbook_embedded"),
        ('{"project":', '{"project":[],"other":', "workbook_embedded"),
        ('{"project":', "[" * 5000 + '{"project":', "workbook_embedded"),
        ('"formulas":{', '"formulas":{"x":"y",', "workbook_embedded"),
    ],
)
def test_a_forged_text_is_judged_like_a_project_file(old, new, reason, tmp_path):
    assert refused(forged(workbook("two"), old, new), tmp_path) == reason


def test_a_workbook_of_a_newer_program_is_refused(tmp_path):
    book = loaded(workbook("dense"))
    head = embedded(book)[0]
    head.value = head.value.replace("training-budget-workbook 1,", "training-budget-workbook 2,")
    assert refused(saved(book), tmp_path) == "file_newer"


def test_a_broken_file_is_not_touched(tmp_path):
    data = workbook("dense")[:-300]
    refused(data, tmp_path)
    assert (tmp_path / "plan.xlsx").read_bytes() == data


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice (soffice) is not installed")
def test_the_workbook_as_an_old_excel_file_is_refused(tmp_path):
    assert refused(resaved(workbook("dense"), tmp_path, "xls"), tmp_path, "plan.xls") == "import_old_excel"


def test_every_cut_of_the_file_is_refused_in_words(tmp_path):
    data = workbook("dense")
    for share in range(1, 20):
        assert refused(data[: len(data) * share // 20], tmp_path) == "import_broken_workbook"


def test_the_text_is_cut_where_a_cell_ends(tmp_path):
    book = loaded(workbook("two", "en", "x" * 100_000))
    head, *parts = embedded(book)
    assert len(parts) >= 4
    assert max(len(cell.value) for cell in parts) < 30_000
    assert all(cell.protection.locked for cell in (head, *parts))
    text = "".join(cell.value.partition("[")[2].removesuffix("]") for cell in parts)
    assert text.isascii()
    assert json.loads(text)["project"]["notes"] == "x" * 100_000
    assert read(typed(saved(book), {"gpus": 64}), tmp_path).original.notes == "x" * 100_000
