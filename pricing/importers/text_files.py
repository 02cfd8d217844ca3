"""Text with a delimiter: CSV, TSV and their like, in the encodings that spreadsheets write."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable

from pricing.importers.faults import SheetError
from pricing.importers.limits import MOST_CELL_CHARACTERS, SNIFFED_CHARACTERS
from pricing.importers.sheets import Sheet, SheetRow, check_row_count, made_row

DELIMITERS = (",", ";", "\t", "|")
_LEAST_COMMON_SHARE = 0.7  # of the Han characters of a Chinese text, level 1 of GB 2312 makes over 99 %


def read_text_file(data: bytes, score: Callable[[Sheet], int]) -> Sheet:
    """The sheet in `data`, cut by the delimiter under which the beginning has the best `score`. Raises SheetError."""
    text = decoded(data)
    start = text[:SNIFFED_CHARACTERS]
    start = start[: start.rfind("\n") + 1] if len(text) > SNIFFED_CHARACTERS and "\n" in start else start
    scores: dict[str, tuple[int, int]] = {}
    faults: list[SheetError] = []
    for delimiter in DELIMITERS:
        try:
            sheet = _cut(start, delimiter)
        except SheetError as fault:
            faults.append(fault)
            continue
        scores[delimiter] = (score(sheet), max((len(row.cells) for row in sheet.rows), default=0))
    best = max(scores, key=lambda delimiter: scores[delimiter], default=DELIMITERS[0])
    if faults and scores.get(best, (0, 0))[0] == 0:
        raise faults[0]  # under no other delimiter it is a price sheet either
    return _cut(text, best)


def decoded(data: bytes) -> str:
    """The text of `data`: UTF-8 or UTF-16 with or without a mark, GB 18030, else Windows 1252. Raises SheetError."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return _strictly(data, encoding)
    if b"\0" in data[:SNIFFED_CHARACTERS]:
        return _strictly(data, _utf16_without_mark(data[:SNIFFED_CHARACTERS]))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("gb18030")
        if _is_plausible_chinese(text):
            return text
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")  # Latin-1 as Windows writes it, with the euro sign
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _strictly(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise SheetError("not_text") from None
    if "\0" in text:
        raise SheetError("not_text")
    return text


def _utf16_without_mark(start: bytes) -> str:
    """Which UTF-16: the zero halves of Latin letters stand at odd places or at even ones. "" when it is neither."""
    odd, even = start[1::2].count(0), start[::2].count(0)
    if max(odd, even) * 5 < len(start) // 2 or min(odd, even) * 10 > max(odd, even):  # a table has a fifth of Latin
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_plausible_chinese(text: str) -> bool:
    """Whether what was read as GB 18030 is Chinese: two accented letters in a row are a rare character there."""
    foreign = [sign for sign in text if not sign.isascii()]
    return bool(foreign) and sum(map(_is_common, foreign)) >= _LEAST_COMMON_SHARE * len(foreign)


def _is_common(sign: str) -> bool:
    code = sign.encode("gb18030", "replace")
    lead = code[0]
    return (
        len(code) == 2 and code[1] >= 0xA1 and (0xA1 <= lead <= 0xA3 or 0xB0 <= lead <= 0xD7)
    )  # GB 2312: signs, level 1


def _cut(text: str, delimiter: str) -> Sheet:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[SheetRow] = []
    begins = 1
    try:
        for values in reader:
            row = made_row(begins, list(values))
            if row is not None:
                rows.append(row)
                check_row_count(len(rows))
            begins = reader.line_num + 1
    except csv.Error as error:
        if "field larger" in str(error):
            raise SheetError("cell_too_long", row=begins, limit=MOST_CELL_CHARACTERS) from None
        raise SheetError("broken_csv", row=begins) from None
    return Sheet("", tuple(rows))
