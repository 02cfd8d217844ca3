"""The file itself: readable without calculating, the same bytes again, nothing executed, nothing to repair."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pandas
import pytest
from workbook_tools import (
    SCENARIOS,
    TODAY,
    budget_named,
    changed,
    dossier_named,
    formulas,
    named,
    opened,
    recalculated,
    results,
    scenario_named,
    stored,
    whole_workbook,
    workbook_named,
)

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.presets import model_named
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue
from report_templates.workbook import workbook_bytes, write_workbook

SHEETS = [
    "README", "Summary", "Inputs", "Prices", "Power & carbon", "Compute", "Memory", "Schedule", "Cost",
    "Purchase options", "Alternatives", "Sensitivity", "Risks", "Checks", "FOCUS forecast", "Data", "Log",
]  # fmt: skip
GRIDS = ("Inputs", "Prices", "Power & carbon", "Compute", "Memory", "Cost")
_WITH_INPUTS = GRIDS[:3]


def test_all_sheets_in_order_in_both_languages():
    assert opened(workbook_named("dense")).sheetnames == SHEETS
    chinese = opened(workbook_named("dense", "zh")).sheetnames
    assert len(chinese) == len(SHEETS)
    assert all(re.search("[一-鿿]", name) for name in chinese)


def test_no_word_is_left_in_english_in_the_chinese_workbook():
    """Every label of the item columns has Chinese in it, but for names that are the same in both languages."""
    book = stored(workbook_named("dense", "zh"))
    english = ("FOCUS 预测", "数据", "记录", "价格", "备选方案")  # names of columns and rows of tables, sources, names
    labelled = [name for name in book.sheetnames if name not in english]
    labels = [book[name][f"C{row}"].value for name in labelled for row in range(5, book[name].max_row + 1)]
    assert len(labels) > 300
    plain = {label for label in labels if isinstance(label, str) and not re.search("[一-鿿]|^[0-9A-F-]{9,10}$", label)}
    assert {re.sub("（P..）", "", label) for label in plain} <= {"GPU", "PUE", "MFU"}


def test_pandas_reads_numbers_without_calculating():
    frames = pandas.read_excel(io.BytesIO(workbook_named("dense")), sheet_name=["Compute", "Cost"], header=None)
    ledger = budget_named("dense").ledger
    for name, groups in (("Compute", ("speed", "run", "range", "driver")), ("Cost", ("cost",))):
        column = pandas.to_numeric(frames[name][4], errors="coerce").dropna()
        lines = [line for line in ledger if line.expression is not None and line.group in groups]
        known = [line for line in lines if ledger.value(line.key) is not None]
        assert len(column) == len(known) > 5
        assert list(column) == pytest.approx([ledger.value(line.key) for line in known])


def test_no_stored_result_is_an_error():
    for name in SCENARIOS:
        assert not [value for value in results(workbook_named(name)).values() if str(value).startswith("#")]


def test_the_same_input_gives_the_same_bytes():
    assert workbook_bytes(dossier_named("dense"), "en") == workbook_named("dense")
    again = make_dossier([make_budget(scenario_named("dense"), load_catalogue())], load_catalogue())
    assert workbook_bytes(again, "zh") == whole_workbook("dense", "zh")


def test_the_file_carries_the_date_of_the_scenario_and_no_clock():
    archive = zipfile.ZipFile(io.BytesIO(workbook_named("dense")))
    assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert archive.testzip() is None
    properties = opened(workbook_named("dense")).properties
    assert properties.created.date() == properties.modified.date() == TODAY
    assert properties.title == "Train LLaMA-13B on 1.00T tokens"
    for entry in archive.infolist():
        ElementTree.fromstring(archive.read(entry))  # every part is well-formed


def test_names_point_to_single_cells_and_there_are_about_forty():
    book = opened(workbook_named("dense"))
    names = [name for name in book.defined_names if name.startswith(("in_", "out_"))]
    assert 35 <= len(names) <= 50
    for name in names:
        ((sheet, address),) = book.defined_names[name].destinations
        assert re.fullmatch(r"\$[A-Z]+\$\d+", address), name
        assert book[sheet][address].value is not None, name


@pytest.mark.parametrize("name", SCENARIOS)
def test_formulas_hold_no_figure_that_may_change(name):
    """Only 0 and 1, digits to round to, 2 of a square or a mean, and unit conversions; no volatile function."""
    allowed = {
        "0",
        "1",
        "2",
        "3",
        "4",
        "8",
        "12",
        "24",
        "60",
        "100",
        "700",
        "1000",
        "1024",
        "3600",
        "86400",
        "1000000000",
        "2958465",  # the last day of the calendar of spreadsheets
    }
    for place, text in formulas(workbook_named(name)).items():
        bare = re.sub(r'"[^"]*"|\'[^\']*\'!', "", text)
        if place[0] == "Checks":  # the tokens from which on the program takes its usual batch
            bare = re.sub(r">=\d+,0,1\)", "", bare)
        literals = set(re.findall(r"(?<![A-Za-z0-9_$.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", bare))
        literals -= {count for count in literals if re.search(rf"COUNT\([^)]*\)[=>]{count}\b", bare)}
        assert literals <= allowed, (place, text)
        assert not re.search(r"INDIRECT|OFFSET|NOW\(|TODAY\(|RAND|\[|LET\(|LAMBDA|XLOOKUP", bare), (place, text)


def test_every_row_of_figures_has_one_cell_for_each_line_of_the_ledger():
    book, ledger = opened(workbook_named("dense")), budget_named("dense").ledger
    cells = {}
    for name in GRIDS:
        keys = {sheet.cell(row, 10).value: row for sheet in (book[name],) for row in range(5, sheet.max_row + 1)}
        cells |= {key: book[name].cell(row, 5) for key, row in keys.items() if key in ledger}
    assert cells.keys() == {line.key for line in ledger}
    formula = {key for key, cell in cells.items() if cell.data_type == "f"}
    given = {line.key for line in ledger if line.expression is None}
    # Limits of price, power, PUE and grid are given, but 1 as soon as the input itself is typed over; and what follows
    # an efficiency that is typed in.
    limited = ("price", "power", "pue", "grid", "speed")
    following = {f"driver.{name}.{end}" for name in limited for end in ("low", "high")}
    following |= {"gpu_step_time_s", "offload_s", "practice_factor"}
    assert formula == {line.key for line in ledger if line.expression is not None} | following
    for key in given - following:
        value = cells[key].value
        known = ledger.value(key)
        assert isinstance(value, str) if known is None else value == pytest.approx(known, rel=1e-12), key


def test_only_what_may_be_changed_is_unlocked_and_engine_figures_are_not():
    book = opened(workbook_named("dense"))
    for sheet in book.worksheets:
        assert sheet.protection.sheet
        assert sheet.protection.password is None
    unlocked = {
        (sheet.title, cell.coordinate)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if not cell.protection.locked
    }
    assert {sheet for sheet, _ in unlocked} == {*_WITH_INPUTS, "Risks", "Log"}
    assert {address[0] for sheet, address in unlocked if sheet not in ("Risks", "Log")} == {"E"}
    assert {address[0] for sheet, address in unlocked if sheet == "Risks"} == {"E", "F"}  # likelihoods, and shares
    written = [book["Log"][address].value for sheet, address in unlocked if sheet == "Log"]
    assert written == [None] * 32  # room for what readers note of their changes
    for name in _WITH_INPUTS:
        for row in range(6, book[name].max_row + 1):
            if book[name][f"F{row}"].value == "predicted" and book[name][f"J{row}"].value != "stated_mfu":
                assert book[name][f"E{row}"].protection.locked, row
    sheet, address = next(iter(book.defined_names["in_gpu_step_time_s"].destinations))
    assert book[sheet][address].protection.locked


def test_what_may_be_typed_is_bounded():
    book = opened(workbook_named("dense"))

    def rules_of(sheet):
        return book[sheet].data_validations.dataValidation

    def rule_of(name):
        ((sheet, address),) = book.defined_names[name].destinations
        address = address.replace("$", "")
        return next(rule for rule in rules_of(sheet) if address in rule.sqref)

    assert (rule_of("in_pue").type, rule_of("in_pue").formula1, rule_of("in_pue").formula2) == ("decimal", "1", "5")
    assert (rule_of("in_gpu_count").type, rule_of("in_gpu_count").formula1) == ("whole", "1")
    assert rule_of("in_today").type == rule_of("in_start_date").type == "date"
    lists = [rule for rule in rules_of("Inputs") if rule.type == "list"]
    assert any("bf16-mixed" in rule.formula1 for rule in lists)
    for sheet in (*_WITH_INPUTS, "Risks"):
        assert rules_of(sheet)
        assert all(rule.error and not rule.allow_blank for rule in rules_of(sheet))


def test_sheets_are_ready_to_print():
    for sheet in opened(workbook_named("dense")).worksheets:
        upright = sheet.title in ("README", "Schedule")
        assert sheet.page_setup.orientation == ("portrait" if upright else "landscape")
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.page_setup.fitToWidth == (4 if sheet.title == "FOCUS forecast" else 1)  # 40 columns
        assert sheet.oddFooter.left.text == "Estimate, not a quote"
        assert sheet.oddFooter.right.text == "Page &P of &N"
        assert not sheet.merged_cells.ranges
        assert not sheet.sheet_view.showGridLines
        if sheet.title not in ("README", "Summary", "Checks", "Sensitivity"):
            assert sheet.freeze_panes
            assert sheet.print_title_rows or sheet.title == "Log"  # whose tables have other headings each
    assert opened(workbook_named("dense"))["Summary"].page_setup.fitToHeight == 1


def test_the_chart_states_the_finding_and_follows_its_cell():
    page = opened(workbook_named("dense"))["Summary"]
    archive = zipfile.ZipFile(io.BytesIO(workbook_named("dense")))
    chart = archive.read("xl/charts/chart1.xml").decode()
    finding = next(v for v in results(workbook_named("dense")).values() if "% of the budget" in str(v))
    assert finding in chart
    address = re.search(r"<f>Summary!\$B\$(\d+)</f>", chart)
    assert "INDEX" in page[f"B{address.group(1)}"].value


@pytest.mark.parametrize("evil", ['=HYPERLINK("http://x.example","y")', "+1+1", "-2", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_a_text_of_the_user_never_becomes_a_formula(evil):
    model = model_named("LLaMA-13B").model_copy(update={"name": evil})
    data = workbook_bytes(_dossier_of_model(model), "en")
    again = opened(data)
    texts = [cell for sheet in again for row in sheet.iter_rows() for cell in row if cell.value == evil]
    assert texts
    assert all(cell.data_type == "s" and cell.quotePrefix for cell in texts)
    assert not [text for text in formulas(data).values() if re.search(r"HYPERLINK|1\+1|SUM\(A1\)|cmd", text)]
    assert named(recalculated(data), "out_checks_ok") == 1


def test_control_characters_long_names_and_markup_do_not_break_the_file():
    name = "A<b>&amp; \x07\x00\ud800" + "长名" * 80
    model = model_named("LLaMA-13B").model_copy(update={"name": name})
    data = workbook_bytes(_dossier_of_model(model), "en")
    archive = zipfile.ZipFile(io.BytesIO(data))
    for entry in archive.infolist():
        ElementTree.fromstring(archive.read(entry))
    header = opened(data)["Summary"].oddHeader.left.text
    assert len(header) < 200
    assert "A<b>&amp; " in results(data).values() or any(
        str(cell.value).startswith("A<b>&amp; 长名") for cell in opened(data)["Inputs"]["E"]
    )


def _dossier_of_model(model) -> Dossier:
    values = {"today": TODAY, "model": {"custom_model": model}, "cluster": {"gpu": "A100-80GB-SXM", "gpus": 256}}
    whole = make_dossier([make_budget(validated(Scenario, values), load_catalogue())], load_catalogue())
    return replace(whole, purchases=(), alternatives=())


def test_written_whole_beside_and_put_in_place(tmp_path):
    path = tmp_path / "budget.xlsx"
    path.write_bytes(b"old")
    write_workbook(dossier_named("dense"), path, "en")
    assert path.read_bytes() == workbook_named("dense")
    assert [entry.name for entry in tmp_path.iterdir()] == ["budget.xlsx"]


def test_a_target_that_is_open_elsewhere_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "budget.xlsx"
    path.write_bytes(b"old")

    def refused(self, target):
        raise PermissionError(13, "used by another process")

    monkeypatch.setattr("pathlib.Path.replace", refused)
    with pytest.raises(UserError) as error:
        write_workbook(dossier_named("dense"), path, "en")
    assert error.value.problems[0].key == "problem.file_open"
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["budget.xlsx"]


def test_ages_are_counted_to_the_report_date_of_the_workbook():
    data = workbook_named("dense")
    later = results(recalculated(changed(data, in_today=date(2027, 11, 30))))
    ages = {place: value for place, value in results(data).items() if place[0] == "Log" and place[1][0] == "G"}
    aged = opened(data)["Log"]
    ages = {place: value for place, value in ages.items() if isinstance(value, float)}  # not the words of thresholds
    names = [str(aged[f"C{address[1:]}"].value) for _, address in ages]
    assert any(name.startswith("Virginia") for name in names)  # the grid factor
    assert len(names) >= 3
    papers = [row for row in range(6, aged.max_row + 1) if "arXiv" in str(aged[f"C{row}"].value)]
    assert papers
    assert not [row for row in papers if aged[f"G{row}"].value is not None]  # only prices and grid factors grow old
    assert {place: later[place] - value for place, value in ages.items()} == dict.fromkeys(ages, 365)


def test_amounts_of_ten_digits_fit_into_the_summary():
    """Digits of Microsoft YaHei, bold, are about 0.6 em wide; columns are counted in digits of Calibri 11, 7 pixels."""
    digit_em, pixels_per_point, pixels_per_unit = 0.6, 96 / 72, 7
    for language in ("en", "zh"):
        sheet = opened(workbook_named("dense", language)).worksheets[1]
        cell = sheet["C6"] if sheet["C6"].font.sz == 16 else sheet["C5"]
        assert (cell.font.sz, cell.alignment.shrink_to_fit) == (16, True)
        needed = len("9,999,999,999") * digit_em * cell.font.sz * pixels_per_point / pixels_per_unit
        assert sheet.column_dimensions["C"].width > needed
        assert all(sheet[f"{column}{cell.row + 1}"].alignment.shrink_to_fit for column in "CEFGH")


def test_labels_of_the_chart_are_not_wrapped():
    archive = zipfile.ZipFile(io.BytesIO(workbook_named("dense")))
    chart = archive.read("xl/charts/chart1.xml").decode()
    labels = re.search("<dLbls>.*?</dLbls>", chart)
    assert labels is not None
    assert '<a:bodyPr wrap="none"' in labels[0]


def test_inputs_say_what_an_open_choice_comes_to():
    for name, language in (("dense", "en"), ("MoE", "en"), ("MoE", "zh")):
        words, sheet = words_of(language), opened(workbook_named(name, language)).worksheets[2]
        shown = {sheet[f"C{row}"].value: sheet[f"E{row}"].value for row in range(5, sheet.max_row + 1)}
        assert words("parallel.chosen") not in shown.values()
        assert shown[words("field.host_memory_gib_per_node")] == words("empty.host_memory_gib_per_node")
        assert shown[words("ledger.development_multiplier")] == words("state.not_known")
        if name == "MoE":
            assert shown[words("field.moe_stack")] == "current"
            assert shown[words("field.capacity_factor")] == words("empty.capacity_factor")
        else:
            assert not {words("field.moe_stack"), words("field.capacity_factor")} & set(shown)
