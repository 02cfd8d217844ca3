"""Files of any shape are previewed or refused with the importer's own plain error, never with another."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheet_tools import TODAY, preview, workbook

from pricing.importers.faults import SheetError
from pricing.price_book import PriceBook, with_prices
from pricing.price_book_text import book_from_text, book_to_text

SHEET_NAMES = (
    "provider", "供应商", "region", "地域", "zone", "instance", "SKU", "机型", "GPU", "型号", "GPU count", "数量",
    "currency", "币种", "purchase type", "计费方式", "date", "日期", "valid until", "notes", "price",
    "price per GPU hour", "$/h", "单价（元/卡时）", "USD per instance hour", "monthly price", "Spot",
    "On-demand ($/GPU/hr)", "1yr reserved", "", "x",
)  # fmt: skip
SKYPILOT_NAMES = (
    "InstanceType", "AcceleratorName", "AcceleratorCount", "vCPUs", "MemoryGiB", "GpuInfo", "Price", "SpotPrice",
    "Region", "AvailabilityZone", "Arch",
)  # fmt: skip
CELLS = st.one_of(
    st.sampled_from([
        "", "aws", "my cloud", "H100", "8x H100", "A100-80GB", "RTX 4090", "nonsense", "p5.48xlarge", "us-east-1", "8",
        "8.0", "0", "-1", "1e9", "nan", "inf", "1,234", "1.234,50", "1,234.50", "$3.99/h", "¥31.27", "￥9", "€2,50",
        "12.29 USD", "31元/小时", "2.5 EUR per GPU hour", "USD", "EUR", "XYZ", "on-demand", "spot", "包年", "barter",
        "2026-10-01", "03/04/2026", "2026年10月", "31.02.2026", "99999-99-99", "46387", "=1+1", "@SUM(A1)", "-", "n/a",
        "9" * 400, "\ud7ff", "﷽", "½", "①", "Ⅷ", "٣", "１２", "e" * 300, "1e-320", "1e400", "8x", "x8",
        "{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]}", "{'gpus': [{'memoryinfo': {'sizeinmib': 81559}}]}",
        "{" * 90, "{'Gpus': None}", "[1, 2", "{1: {2: 3}}", "{'Gpus': [[]]}", "b'x'", "{'Gpus': [{'MemoryInfo': 1}]}",
    ]),
    st.text(max_size=25),
    st.decimals(allow_nan=False, min_value=-100, max_value=1000, places=4).map(str),
    st.floats().map(str),
)  # fmt: skip
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030", "latin-1"])


FITTING = {
    "provider": ["aws", "my cloud", "某云"], "region": ["us-east-1", "", "cn-beijing"],
    "instance": ["p5.48xlarge", "x"],
    "gpu": ["H100 SXM", "8x H100 SXM", "H200", "A100", "L40S"], "count": ["8", "1", "x4", "8.0"],
    "currency": ["USD", "EUR", "CNY", "¥", "XYZ"], "purchase": ["on-demand", "spot", "包年", "1 year", "barter"],
    "date": ["2026-10-01", "2026年10月8日", "03/04/2026", "30.09.2026", "2026"], "notes": ["", "=1+1", "tax included"],
    "price": ["2.49", "3,99", "24.80", "$3.10/h", "€2,50", "¥31.27", "1,234", "14.600", "20 USD", "0", "55.04"],
    "zone": ["a", "b", "c"],
}  # fmt: skip
COLUMNS = (
    ("provider", "provider"), ("供应商", "provider"), ("region", "region"), ("地域", "region"), ("zone", "zone"),
    ("instance", "instance"), ("机型", "instance"), ("GPU count", "count"), ("数量", "count"), ("currency", "currency"),
    ("计费方式", "purchase"), ("purchase type", "purchase"), ("date", "date"), ("valid until", "date"),
    ("notes", "notes"), ("vCPUs", "count"), ("Spot", "price"), ("1yr reserved ($/GPU/hr)", "price"),
)  # fmt: skip
PRICES = (
    "price", "price per GPU hour", "$/h", "单价（元/卡时）", "USD per instance hour", "monthly price per node (EUR)",
    "On-demand ($/GPU/hr)",
)  # fmt: skip
SKYPILOT = {
    "InstanceType": ["p5.48xlarge", "p4de.24xlarge", "gpu_8x_v100", "BM.GPU4.8", ""],
    "AcceleratorName": ["H100", "H200", "L40S", "H200", "L40S", "B200", ""],
    "AcceleratorCount": ["8", "8.0", "1", "0.5"],
    "Price": ["55.04", "27.447", "0", ""], "SpotPrice": ["", "20.5", "55.04", "60", "55.040000"],
    "Region": ["us-east-1", "eu-north1"], "AvailabilityZone": ["a", "b", ""], "Arch": ["x86_64"],
    "GpuInfo": ["{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]}", "{'gpus': [{'memoryinfo': {'sizeinmib': 80}}]}"],
}  # fmt: skip


def cells_like(values):
    """What fits a column, and one time in eight anything."""
    return st.integers(min_value=0, max_value=7).flatmap(lambda odd: CELLS if odd == 0 else st.sampled_from(values))


@st.composite
def sheets(draw):
    """Lines of column names and cells, most of which fit, cut and encoded in any way."""
    if draw(st.integers(min_value=0, max_value=4)) == 0:
        names = draw(st.lists(st.sampled_from(SHEET_NAMES), min_size=1, max_size=9))
        rows = draw(st.lists(st.lists(CELLS, max_size=10), max_size=6))
        return written(draw, [names, *rows])
    others = draw(st.lists(st.sampled_from(COLUMNS), max_size=7, unique=True))
    gpu, price = draw(st.sampled_from(["GPU", "型号", "accelerator"])), draw(st.sampled_from(PRICES))
    columns = draw(st.permutations([(gpu, "gpu"), (price, "price"), *others]))
    row = st.tuples(*(cells_like(FITTING[kind]) for _, kind in columns)).map(list)
    above = draw(st.lists(st.lists(CELLS, max_size=3), max_size=2))
    return written(draw, [*above, [name for name, _ in columns], *draw(st.lists(row, min_size=2, max_size=8))])


@st.composite
def skypilot_files(draw):
    """The column names of a SkyPilot catalogue in any order, one in five with some missing, above cells that fit."""
    names = draw(st.permutations(SKYPILOT_NAMES))
    if draw(st.integers(min_value=0, max_value=4)) == 0:
        names = names[: draw(st.integers(min_value=6, max_value=len(names)))]
    row = st.tuples(*(cells_like(SKYPILOT.get(name, ["96", ""])) for name in names)).map(list)
    rows = draw(st.lists(row, min_size=2, max_size=8)) + draw(st.lists(st.lists(CELLS, max_size=13), max_size=1))
    return written(draw, [list(names), *rows])


def written(draw, rows):
    stream = io.StringIO()
    csv.writer(
        stream,
        delimiter=draw(st.sampled_from(",;\t|")),
        lineterminator=draw(st.sampled_from(["\n", "\r\n", "\r"])),
        escapechar="\\",
    ).writerows(rows)
    data = stream.getvalue().encode(draw(ENCODINGS), "replace")
    if draw(st.integers(min_value=0, max_value=9)) == 0:  # and one in ten is damaged
        cut = draw(st.integers(min_value=0, max_value=len(data)))
        data = data[:cut] + draw(st.binary(max_size=8)) + data[cut + 1 :]
    return data


def read(data, **options):
    """The preview of a file, after everything that is done with one; None when it is refused in words."""
    try:
        found = preview(data, **options)
    except SheetError as refused:
        assert refused.reason
        return None
    for row in found.rows:
        quote = row.quote
        assert 0.001 <= quote.usd_per_gpu_hour <= 1000
        assert quote.usd_per_instance_hour == pytest.approx(quote.usd_per_gpu_hour * quote.gpu_count)
        assert 1 <= row.row <= found.rows_read + found.header_row + 200
    assert {finding.severity for finding in found.findings} <= {"dropped", "doubtful", "warning", "note", "question"}
    book, changes = with_prices(PriceBook(), found.quotes(with_doubtful=True))
    assert len(book.prices) == len(changes) == len(found.rows)  # no offer stands twice in a preview
    assert book_from_text(book_to_text(book.valid_on(TODAY))) == book.valid_on(TODAY)
    return found


MAPPINGS = st.dictionaries(
    st.sampled_from(["gpu", "price_per_gpu_hour", "price_per_instance_month", "colour"]),
    st.sampled_from(SHEET_NAMES),
    min_size=1,
    max_size=2,
)
STATED = st.fixed_dictionaries(
    {
        "folder": st.sampled_from(["aws"] * 5 + ["lambda", "oci", "downloads"]),
        "provider": st.sampled_from([None, "aws", "aws", "我的云", "..."]),
        "currency": st.sampled_from([None, "USD", "USD", "CNY", "XYZ"]),
        "mapping": st.integers(min_value=0, max_value=9).flatmap(lambda odd: MAPPINGS if odd == 0 else st.just({})),
    }
)


@given(sheets(), STATED)
@settings(max_examples=300, deadline=None)
def test_sheets_of_any_shape(data, stated):
    read(data, **stated)


@given(skypilot_files(), STATED)
@settings(max_examples=300, deadline=None)
def test_skypilot_files_of_any_shape(data, stated):
    read(data, **stated)


@pytest.mark.slow
@given(sheets(), STATED)
@settings(max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_five_thousand_sheets(data, stated):
    read(data, **stated)


@pytest.mark.slow
@given(skypilot_files(), STATED)
@settings(max_examples=5_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_five_thousand_skypilot_files(data, stated):
    read(data, **stated)


@given(
    st.binary(max_size=400), st.sampled_from([b"", b"PK\x03\x04", b"\xff\xfe", b"\xef\xbb\xbf", b"\xd0\xcf\x11\xe0"])
)
@settings(max_examples=200, deadline=None)
def test_bytes_of_any_kind(data, start):
    read(start + data)


WORKBOOK = workbook(
    A=[["provider", "gpu", "gpu count", "USD per gpu hour", "date"], ["x", "H100", 8, 2.5, "2026-10-01"]]
)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_workbooks(data):
    """One part is cut, changed or lost; the archive around it is whole, so that the reader of the part is reached."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as source, zipfile.ZipFile(stream, "w") as target:
        hit = data.draw(st.sampled_from(source.namelist()))
        for part in source.infolist():
            content = source.read(part)
            if part.filename == hit:
                at = data.draw(st.integers(min_value=0, max_value=len(content)))
                content = (
                    content[:at] + data.draw(st.binary(max_size=6)) + content[at + data.draw(st.integers(0, 80)) :]
                )
            target.writestr(part.filename, content)
    read(stream.getvalue())


def test_the_whole_workbook_is_read():
    assert read(WORKBOOK).rows[0].quote.usd_per_gpu_hour == 2.5
