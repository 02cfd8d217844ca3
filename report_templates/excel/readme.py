"""The sheet README: what this workbook is, how to use it, what each sheet holds, and what it is not."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_app.budget.lines_price import PRICE
from desktop_app.budget.project import app_version
from report_templates.excel.book import Book, SheetKind
from report_templates.excel.cells import Content, Sheet, quoted_sheet
from report_templates.excel.look import LABEL, SMALL, Look
from report_templates.excel.summary import KEY_LOOKS
from report_templates.figures import document_title
from report_templates.fingerprint import result_mark
from report_templates.focus_items import VERSION
from report_templates.logo import size_of

_WIDTHS = {"B": 26, "C": 86, "D": 22, "E": 18}
_LINK = Look(SMALL.color, bold=True, underline=True)
_TEXT = replace(SMALL, size=11)
_STEPS = ("change", "follows", "rerun", "back", "hidden")
_LIMITS = ("estimate", "ranges", "unpriced", "law", "focus")
_LONGEST_PART = 1200  # characters of a cell: a row is 409 points high at most
_LOGO_PIXELS = (200, 84)  # width and height that a logo may take, at 96 a inch


@dataclass(frozen=True, slots=True)
class Listed:
    """One sheet of the workbook, for the list of them."""

    key: str
    kind: SheetKind
    hidden: bool


def write_readme(book: Book, sheet: Sheet, listed: Sequence[Listed]) -> None:
    """Fill the sheet; `listed` are all sheets in their order."""
    words = book.words
    sheet.widths(_WIDTHS)
    sheet.head(document_title(book.budget, words), words("readme.what"))
    for label, text in _facts(book):
        sheet.put_row({"B": (words(label), LABEL), "C": (text, _TEXT)})
    _put_logo(book, sheet)
    _put_steps(book, sheet)
    _put_key(book, sheet)
    _put_list(book, sheet, listed)
    _put_texts(book, sheet)
    sheet.page.page_setup.orientation = "portrait"
    sheet.page.print_area = f"A1:E{sheet.row}"


def _facts(book: Book) -> Iterator[tuple[str, str]]:
    """Who asks, when, with which program, at whose prices, and until when they are taken to stand."""
    dossier, budget = book.dossier, book.budget
    organisation = dossier.organisation
    if organisation.name:
        yield "readme.organisation", organisation.name
    if organisation.cost_centre:
        yield "readme.cost_centre", organisation.cost_centre
    yield "readme.purpose", book.words("readme.purpose_text")
    yield "doc.report_date", budget.scenario.today.isoformat()
    yield "head.valid_until", dossier.valid_until.isoformat()
    priced = budget.ledger.origin(PRICE)
    as_of = priced.source.as_of if priced.given is not None else ""
    yield "readme.prices", as_of or book.words("line.not_priced")
    yield "readme.program", f"{book.words('title.program')} {app_version()}"
    yield "proposal.result_mark", result_mark(budget)


def _put_logo(book: Book, sheet: Sheet) -> None:
    """The logo at the right of the facts, no larger than its place."""
    png = book.dossier.organisation.logo_png
    if not png:
        return
    from openpyxl.drawing.image import Image

    picture = Image(io.BytesIO(png))
    width, height = size_of(png)
    scale = min(_LOGO_PIXELS[0] / width, _LOGO_PIXELS[1] / height)
    picture.width, picture.height = round(width * scale), round(height * scale)
    sheet.page.add_image(picture, "D4")


def _put_steps(book: Book, sheet: Sheet) -> None:
    words = book.words
    sheet.skip()
    sheet.section(words("readme.how"))
    for number, step in enumerate(_STEPS, 1):
        sheet.put_row({"B": (f"{number}", _TEXT), "C": (words(f"readme.how.{step}"), _TEXT)})


def _put_key(book: Book, sheet: Sheet) -> None:
    """The letters beside the rows, in the look of the cells that they stand for."""
    words = book.words
    sheet.skip()
    sheet.section(words("readme.key"))
    for letter, (word, look) in KEY_LOOKS.items():
        sheet.put_row({"B": (letter, LABEL), "C": (words(word), look)})


def _put_list(book: Book, sheet: Sheet, listed: Sequence[Listed]) -> None:
    """Every sheet by its name, which leads to it."""
    from openpyxl.worksheet.hyperlink import Hyperlink

    words = book.words
    sheet.skip()
    sheet.section(words("readme.sheets"))
    heads = {"B": "readme.sheet", "C": "readme.holds", "D": "head.kind", "E": "readme.shown"}
    sheet.table_header({column: words(key) for column, key in heads.items()})
    for one in listed:
        title = book.title(one.key)
        cells: dict[str, tuple[Content, Look]] = {
            "B": (title, _LINK),
            "C": (words(f"readme.holds.{one.key}"), _TEXT),
            "D": (words(f"readme.kind.{one.kind}"), _TEXT),
            "E": (words("readme.is_hidden" if one.hidden else "readme.is_shown"), _TEXT),
        }
        address = sheet.put_row(cells)["B"].address
        link = Hyperlink(ref=address, location=f"{quoted_sheet(title)}!A1", display=title)
        sheet.page[address].hyperlink = link
        sheet.page[address].value = title


def _put_texts(book: Book, sheet: Sheet) -> None:
    """What the figures are not, what the organisation says, and the notes of the project."""
    words, dossier = book.words, book.dossier
    valid = dossier.valid_until.isoformat()
    sheet.skip()
    sheet.section(words("readme.limits"))
    for limit in _LIMITS:
        sheet.put_row({"C": (words(f"readme.limits.{limit}", date=valid, version=VERSION), _TEXT)})
    for title, text in (("readme.disclaimer", dossier.organisation.disclaimer), ("readme.notes", dossier.notes)):
        if text.strip():
            sheet.skip()
            sheet.section(words(title))
            for part in _parts(text):
                sheet.put_row({"C": (part, _TEXT)})


def _parts(text: str) -> Iterator[str]:
    """A long text in pieces that fit into a row each, broken between paragraphs or else between words."""
    for paragraph in text.splitlines():
        rest = paragraph.strip()
        while len(rest) > _LONGEST_PART:
            end = rest.rfind(" ", 1, _LONGEST_PART)
            end = end if end > _LONGEST_PART // 2 else _LONGEST_PART
            yield rest[:end].rstrip()
            rest = rest[end:].lstrip()
        if rest:
            yield rest
