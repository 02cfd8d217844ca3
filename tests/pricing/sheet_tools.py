"""What the tests of the importers share: the program's own helpers, and sheets made of lines."""

from __future__ import annotations

import io
from datetime import date

from openpyxl import Workbook

from desktop_app.estimation.gpus import resolve_gpu
from desktop_app.foundation.number_reading import read_number
from desktop_app.foundation.problems import UserError
from pricing.catalogue import load_catalogue
from pricing.importers.context import Helpers, Options
from pricing.importers.preview import preview_of

TODAY = date(2026, 11, 30)
RATES = {"EUR": (1.25, "2026-10-30"), "CNY": (0.125, "2026-10-30"), "JPY": (0.0078125, "2026-10-30")}  # exact in binary


def _gpu(text):
    try:
        gpu, note = resolve_gpu(text)
    except UserError:
        return None
    return gpu.name, str(note.values["other"]) if note else ""


HELPERS = Helpers(read_number, _gpu, RATES.get, load_catalogue())


def preview(data, *, file="prices.csv", **options):
    """The preview of a text (as UTF-8), of bytes, or of lines that are joined."""
    if isinstance(data, list):
        data = "\n".join(data)
    return preview_of(file, data.encode() if isinstance(data, str) else data, HELPERS, Options(today=TODAY, **options))


def workbook(**sheets):
    """The bytes of a workbook: each sheet a list of rows."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    return saved(book)


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def prices(found):
    """Per row: its line, the GPU, how many, the purchase type, USD per instance hour."""
    return [
        (row.row, row.quote.gpu, row.quote.gpu_count, row.quote.purchase, row.quote.usd_per_instance_hour)
        for row in found.rows
    ]


def reasons(found, severity):
    """Line and reason code of the findings of one severity."""
    return [(finding.row, finding.reason) for finding in found.said(severity)]
