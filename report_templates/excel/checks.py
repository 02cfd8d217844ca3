"""The sheet Checks: whether the workbook still says what the program said, adds up, and rests on fresh prices."""

from __future__ import annotations

from dataclasses import dataclass, replace

from report_templates.excel.book import Book
from report_templates.excel.cells import Formula, Place, Sheet, joined, quoted_text, with_number
from report_templates.excel.check import Check
from report_templates.excel.check_list import CheckList, Parts
from report_templates.excel.look import (
    KIND,
    LABEL,
    LABEL_BOLD,
    LINK,
    LOCKED,
    NUMBER,
    NUMBER_BOLD,
    SMALL,
)
from report_templates.excel.rows import InputRow

_WIDTHS = {"B": 7, "C": 58, "D": 23, "E": 23, "F": 13, "G": 9, "H": 9, "I": 12, "J": 66, "K": 7}
_HEADINGS = ("number", "check", "value", "expected", "tolerance", "must", "pass", "result", "advice")
_ENGINE_HEADINGS = ("kind", "item", "value", "exported", None, None, "pass", "result", "advice")
_NAMED = 3  # failing checks that are named on the first page
_SUMMARY_ROWS = 6  # rows between the head of the sheet and the table of checks


@dataclass(frozen=True, slots=True)
class Light:
    """The verdict over all checks."""

    text: Place
    ok: Place  # 1 or 0
    failing: Place  # the names of the first checks that fail; "" where all pass


def write_checks(book: Book, sheet: Sheet, parts: Parts) -> Light:
    """Fill the sheet; gives the cells of the overall verdict."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(words("sheet.checks"), words("workbook.checks_note"))
    engine = [row for row in parts.inputs if row.entry.needs_app]
    checklist = CheckList(book, sheet, parts)
    first = sheet.row + _SUMMARY_ROWS + 2  # a gap and the header of the table
    count = len(checklist.all(""))
    engine_first = first + count + 3  # a gap, a heading and a header
    flags = f"H{engine_first}:H{engine_first + len(engine) - 1}"
    checks = checklist.all(f"ROWS({flags})-SUM({flags})")
    light = _put_summary(book, sheet, checks, first)
    sheet.skip()
    headings = {column: words(f"head.{key}") for column, key in zip("BCDEFGHIJ", _HEADINGS, strict=True)}
    sheet.table_header({**headings, "K": words("head.failure")}, numbers="DEFGHK")
    failures = 0
    for number, check in enumerate(checks, 1):
        failures += _fails(check)
        _put_check(book, sheet, number, check, (first, failures if _fails(check) else 0))
    _colour(sheet, first, first + count - 1)
    sheet.skip()
    sheet.section(words("check.engine_inputs"))
    sheet.table_header(
        {
            column: words(f"head.{key}") if key else ""
            for column, key in zip("BCDEFGHIJ", _ENGINE_HEADINGS, strict=True)
        },
        numbers="DEFGH",
    )
    for row in engine:
        _put_engine_input(book, sheet, row)
    _colour(sheet, engine_first, engine_first + len(engine) - 1)
    return light


def _put_summary(book: Book, sheet: Sheet, checks: tuple[Check, ...], first: int) -> Light:
    """How many pass, fail and give notice, and the verdict."""
    words = book.words
    passes, musts = (f"{column}{first}:{column}{first + len(checks) - 1}" for column in "HG")
    failed = sum(map(_fails, checks))
    notices = sum(not check.passes for check in checks) - failed
    passed = Formula(f"SUM({passes})", len(checks) - failed - notices)
    rows = {
        "passed": passed,
        "failed": Formula(f"COUNTIFS({passes},0,{musts},1)", failed),
        "notices": Formula(f"COUNTIFS({passes},0,{musts},0)", notices),
        "total": Formula(f"COUNT({passes})", len(checks)),
    }
    cells = {}
    for key, formula in rows.items():
        places = sheet.put_row({"C": (words(f"check.{key}"), LABEL), "D": (formula, NUMBER)})
        cells[key] = Formula(places["D"].address, formula.result)
    good, bad = (joined(words(f"check.light_{name}"), cells) for name in ("ok", "bad"))
    text = Formula(f"IF({cells['failed'].text}=0,{good.text},{bad.text})", bad.result if failed else good.result)
    ok = Formula(f"IF({cells['failed'].text}=0,1,0)", int(not failed))
    places = sheet.put_row({"C": (words("check.verdict"), LABEL), "D": (ok, NUMBER_BOLD), "E": (text, LABEL_BOLD)})
    failing = sheet.put_row({"C": (words("check.failing"), LABEL), "E": (_failing(book, checks, first), SMALL)})
    return Light(places["E"], places["D"], failing["E"])


def _fails(check: Check) -> bool:
    """Whether a check that must pass does not."""
    must = check.must.result if isinstance(check.must, Formula) else check.must
    return bool(must) and not check.passes


def _failing(book: Book, checks: tuple[Check, ...], first: int) -> Formula:
    """The first checks that fail, by name."""
    last = first + len(checks) - 1
    names = [check.label for check in checks if _fails(check)][:_NAMED]
    found = [f"INDEX(C{first}:C{last},MATCH({number},K{first}:K{last},0))" for number in range(1, _NAMED + 1)]
    stop = quoted_text("; ")
    text = "&".join(f'IFERROR({cell if number == 0 else f"{stop}&{cell}"},"")' for number, cell in enumerate(found))
    return Formula(text, "; ".join(names))


def _put_check(book: Book, sheet: Sheet, number: int, check: Check, failure: tuple[int, int]) -> None:
    row, (first, count) = sheet.row, failure
    counted = f"COUNTIFS(H{first}:H{row},0,G{first}:G{row},1)"
    must = check.must.result if isinstance(check.must, Formula) else check.must
    figure = with_number(LINK, check.number)
    sheet.put_row(
        {
            "B": (f"C{number:02d}", KIND),
            "C": (check.label, LABEL),
            "D": (check.value, figure),
            "E": (check.expected, figure if isinstance(check.expected, Formula) else with_number(LOCKED, check.number)),
            "F": (check.tolerance, with_number(LOCKED, "0.000")),
            "G": (check.must, NUMBER),
            "H": (Formula(check.formula(row), int(check.passes)), NUMBER_BOLD),
            "I": (_result(book, row, f"G{row}=1", check.passes, bool(must)), LABEL_BOLD),
            "J": (_advice(row, check.advice, check.notice or check.advice, check.passes, bool(must)), SMALL),
            "K": (Formula(f"IF(AND(H{row}=0,G{row}=1),{counted},0)", count), NUMBER),
        }
    )


def _put_engine_input(book: Book, sheet: Sheet, input_row: InputRow) -> None:
    row, entry, rerun = sheet.row, input_row.entry, book.words("check.rerun")
    look = replace(LINK, number=book.number_format(entry.unit, entry.value), wrap=isinstance(entry.value, str))
    sheet.put_row(
        {
            "B": ("L", KIND),
            "C": (entry.label, LABEL),
            "D": (book.link(sheet, input_row.value), look),
            "E": (book.link(sheet, input_row.exported), look),
            "F": (None, LABEL),
            "G": (1, NUMBER),
            "H": (Formula(f"1-MIN(1,{input_row.changed.seen_from(sheet.title)})", 1), NUMBER_BOLD),
            "I": (_result(book, row, f"G{row}=1", True, True), LABEL_BOLD),
            "J": (_advice(row, rerun, rerun, True, True), SMALL),
        }
    )


def _result(book: Book, row: int, must: str, passes: bool, needed: bool) -> Formula:
    """The result in a word."""
    good, bad, notice = (book.words(f"check.{key}") for key in ("passes", "fails", "notice"))
    text = f"IF(H{row}=1,{quoted_text(good)},IF({must},{quoted_text(bad)},{quoted_text(notice)}))"
    return Formula(text, good if passes else bad if needed else notice)


def _advice(row: int, advice: str, notice: str, passes: bool, must: bool) -> Formula:
    """What to do, as long as the check does not pass."""
    told = quoted_text(advice)
    if notice != advice:
        told = f"IF(G{row}=1,{told},{quoted_text(notice)})"
    return Formula(f'IF(H{row}=1,"",{told})', "" if passes else advice if must else notice)


def _colour(sheet: Sheet, first: int, last: int) -> None:
    area = f"H{first}:I{last}"
    sheet.highlight(area, f"$H{first}=1", "ok")
    sheet.highlight(area, f"AND($H{first}=0,$G{first}=1)", "bad")
    sheet.highlight(area, f"AND($H{first}=0,$G{first}=0)", "warn")
