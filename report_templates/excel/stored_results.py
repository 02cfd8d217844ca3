"""Finishes a workbook that openpyxl saved: a result beside every formula, and the same bytes for the same input.

openpyxl writes formulas without their results, so previews, phones and pandas show empty cells; and it stamps the time
of writing into the file. Both are put right here with the standard library, in the XML of the saved file.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Mapping
from datetime import datetime
from xml.etree import ElementTree
from xml.sax.saxutils import escape

Result = float | str | bool
Results = Mapping[tuple[str, str], Result]
"""The result of each formula cell: (sheet name, address such as "E8") -> value."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"  # ECMA-376 part 1
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"  # ECMA-376 part 1
_EPOCH = (1980, 1, 1, 0, 0, 0)  # earliest date a zip entry can carry
_UNIX = 3  # "made on" field of a zip entry; fixed, so that Windows writes the same bytes
# A formula cell as openpyxl 3.1 writes it. Another form would leave results over, which is an error below.
_FORMULA_CELL = re.compile(rb'<c r="([A-Z]+[0-9]+)"((?: s="[0-9]+")?)><f>([^<]*)</f><v\s*(?:/>|></v>)</c>')


def finished_workbook(saved: bytes, results: Results, written: datetime) -> bytes:
    """The workbook `saved` by openpyxl with `results` beside its formulas and `written` as its time of writing.

    KeyError for a formula cell without a result, and ValueError for a result without a formula: both are our bugs.
    """
    source = zipfile.ZipFile(io.BytesIO(saved))
    names = sheet_names(source)
    left = dict(results)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename in names:
                data = _with_results(data, names[entry.filename], left)
            elif entry.filename == "docProps/core.xml":
                data = _with_time(data, written)
            archive.writestr(_entry(entry.filename), data)
    if left:
        raise ValueError(f"results without a formula: {sorted(left)[:5]}")
    return target.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = _UNIX
    entry.external_attr = 0o600 << 16
    return entry


def sheet_names(source: zipfile.ZipFile) -> dict[str, str]:
    """Part of the archive -> name of the sheet it holds."""
    relations = ElementTree.fromstring(source.read("xl/_rels/workbook.xml.rels"))
    part_of = {relation.get("Id"): (relation.get("Target") or "").lstrip("/") for relation in relations}
    sheets = ElementTree.fromstring(source.read("xl/workbook.xml")).find(f"{{{_MAIN}}}sheets")
    assert sheets is not None, "a workbook has sheets"
    names = {}
    for sheet in sheets:
        part = part_of[sheet.get(f"{{{_RELATION}}}id")]
        names[part if part.startswith("xl/") else f"xl/{part}"] = sheet.get("name") or ""
    return names


def _with_results(data: bytes, sheet: str, left: dict[tuple[str, str], Result]) -> bytes:
    """The sheet's XML with results; those that were used are taken out of `left`."""

    def stored(cell: re.Match[bytes]) -> bytes:
        address, style, formula = cell.groups()
        kind, text = _stored(left.pop((sheet, address.decode())))
        return b'<c r="%b"%b%b><f>%b</f><v>%b</v></c>' % (address, style, kind, formula, text)

    return _FORMULA_CELL.sub(stored, data)


def _stored(result: Result) -> tuple[bytes, bytes]:
    """The type mark of a cell and its value, as a spreadsheet program keeps them."""
    if isinstance(result, bool):
        return b' t="b"', str(int(result)).encode()
    if isinstance(result, str):
        return b' t="str"', escape(result).encode()
    if not math.isfinite(result):
        return b' t="e"', b"#NUM!"
    return b"", repr(float(result)).encode()


def _with_time(data: bytes, written: datetime) -> bytes:
    """The document properties with `written` in the place of the clock's time."""
    stamp = written.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + stamp, data)
