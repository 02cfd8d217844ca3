"""Price sheets as people make them: what each row is taken for."""

from __future__ import annotations

import pytest
from openpyxl import Workbook
from sheet_tools import preview, prices, reasons, saved, workbook

from desktop_app.estimation.gpus import gpu_names
from pricing.importers.amounts import split_count
from pricing.importers.faults import SheetError

HEAD = "Provider,Region,Instance,GPU,GPU count,Price per instance hour (USD),Purchase,Date"
P5 = "AWS,us-east-1,p5.48xlarge,H100,8,55.04,on-demand,2026-10-01"


def test_a_plain_sheet_is_read_whole():
    found = preview([HEAD, P5, "Oracle Cloud,,BM.GPU.H200.8,H200,8,80,reserved 1 year,2026-09"])
    assert (found.kind, found.sheet, found.header_row, found.rows_read) == ("price_sheet", "", 1, 2)
    first, second = (row.quote for row in found.rows)
    assert (first.provider, first.region, first.instance_type, first.gpu) == (
        "aws", "us-east-1", "p5.48xlarge", "H100-80GB-SXM",
    )  # fmt: skip
    assert (first.usd_per_instance_hour, first.usd_per_gpu_hour, first.as_of) == (55.04, 6.88, "2026-10-01")
    assert (first.origin, first.source, first.quality) == ("prices.csv:2", "prices.csv:2", "own")
    assert (second.provider, second.region, second.purchase, second.as_of) == (
        "oci", "unspecified", "reserved-1y", "2026-09",
    )  # fmt: skip
    assert found.mapping["price_per_instance_hour"] == "Price per instance hour (USD)"
    assert not found.said("dropped")


def test_columns_nobody_uses_are_named():
    found = preview([HEAD + ",vCPUs,Storage price", P5 + ",192,0.1"])
    assert found.ignored_columns == ("vCPUs", "Storage price")


def test_a_per_gpu_price_is_multiplied_by_the_count():
    found = preview(["vendor;gpu;# gpus;$/GPU/hr", "Lambda;H100 SXM;8;2.99"])
    assert prices(found) == [(2, "H100-80GB-SXM", 8, "on-demand", 23.92)]
    assert found.rows[0].quote.usd_per_gpu_hour == 2.99
    assert (None, "purchase_assumed") in reasons(found, "note")


def test_german_decimals_and_groups():
    found = preview(
        ["Anbieter;Standort;GPU;Anzahl GPUs;Preis pro GPU-Stunde (EUR)", "Mein Rechenzentrum;Köln;H100 SXM;8;2,50",
         "Mein Rechenzentrum;Köln;H200;8;1.003,5"]
    )  # fmt: skip
    quote = found.rows[0].quote
    assert (quote.provider, quote.region) == ("mein-rechenzentrum", "Köln")
    assert (quote.amount_original, quote.currency_original, quote.usd_per_original) == (20.0, "EUR", 1.25)
    assert quote.usd_per_instance_hour == 25.0
    assert reasons(found, "dropped") == [(3, "absurd_price")]  # 1,003.50 EUR, read rightly
    assert (None, "new_provider") in reasons(found, "note")


def test_chinese_headers_with_a_title_and_the_header_in_row_four():
    book = Workbook()
    sheet = book.active
    sheet.title = "报价"
    sheet.merge_cells("A1:F1")
    sheet["A1"] = "2026年GPU服务器报价单"
    sheet["A2"] = "仅供内部参考"
    for row in [[], ["供应商", "地域", "机型", "GPU型号", "数量", "单价（元/卡时）", "计费方式", "日期"],
                ["阿里云", "cn-beijing", "ecs.gn8v", "H20", 8, "¥31.20", "按量付费", "2026年10月8日"],
                ["阿里云", "cn-beijing", "ecs.gn8v", "H20", 8, 20, "包年", "2026/10/8"]]:  # fmt: skip
        sheet.append(row)
    found = preview(saved(book), file="报价.xlsx")
    assert (found.header_row, found.sheet, found.rows_read) == (4, "报价", 2)
    first, second = (row.quote for row in found.rows)
    assert (first.provider, first.gpu, first.purchase, first.as_of) == (
        "alibaba",
        "H20-96GB",
        "on-demand",
        "2026-10-08",
    )
    assert (first.amount_original, first.currency_original) == (pytest.approx(249.6), "CNY")
    assert first.usd_per_instance_hour == pytest.approx(31.2)  # 249.6 CNY at 0.125
    assert (second.purchase, second.usd_per_gpu_hour, second.origin) == ("reserved-1y", 2.5, "报价.xlsx (报价):6")


def test_several_currencies_in_one_sheet():
    found = preview(
        ["provider,gpu,gpus,price per gpu hour,currency", "aws,H100,8,6.88,USD", "ovhcloud,H100,8,2.80,EUR",
         "x,H100,8,24,cny", "x2,H100,8,2,XYZ"]
    )  # fmt: skip
    assert [(row.quote.currency_original, row.quote.usd_per_gpu_hour) for row in found.rows] == [
        ("USD", 6.88), ("EUR", 3.5), ("CNY", 3.0),
    ]  # fmt: skip
    assert found.rows[1].quote.notes == "EUR 22.4/h at 1.25 USD of 2026-10-30"
    assert reasons(found, "dropped") == [(5, "unknown_currency")]


def test_prices_per_month_are_monthly_rentals():
    found = preview(["provider,gpu,gpu count,monthly price per node (USD)", "x,H100,8,14600"])
    assert prices(found) == [(2, "H100-80GB-SXM", 8, "reserved-1mo", 20.0)]  # 730 hours
    stated = preview(["provider,gpu,gpu count,monthly price per node (USD),billing", "x,H100,8,14600,on demand"])
    assert stated.rows[0].quote.purchase == "on-demand"


def test_columns_named_after_purchase_types():
    found = preview(
        ["provider,gpu,gpu count,On-demand ($/GPU/h),Spot ($/GPU/h),1yr reserved ($/GPU/h)", "x,H100,8,3,1.5,2",
         "x,H200,8,4,,3"]
    )  # fmt: skip
    assert [(row.row, row.quote.purchase, row.quote.usd_per_gpu_hour) for row in found.rows] == [
        (2, "on-demand", 3.0), (2, "reserved-1y", 2.0), (2, "spot", 1.5), (3, "on-demand", 4.0),
        (3, "reserved-1y", 3.0),
    ]  # fmt: skip
    assert not found.said("dropped")  # an empty spot cell is no fault


def test_whether_a_price_is_per_gpu_is_asked_and_never_guessed():
    sheet = ["provider,gpu,gpu count,price ($/h)", "aws,H100,8,55.04", "aws,H100,1,6.88"]
    found = preview(sheet)
    assert prices(found) == [(3, "H100-80GB-SXM", 1, "on-demand", 6.88)]  # of one GPU both are the same
    assert reasons(found, "dropped") == [(2, "price_unit_unknown")]
    assert [(f.reason, f.values["column"]) for f in found.said("question")] == [
        ("price_unit_not_stated", "price ($/h)"),
    ]  # fmt: skip
    as_instance = preview(sheet, mapping={"price_per_instance_hour": "Price ($/h)"})
    assert [row.quote.usd_per_gpu_hour for row in as_instance.rows] == [6.88, 6.88]
    as_gpu = preview(sheet, mapping={"price_per_gpu_hour": "price ($/h)"})
    assert as_gpu.rows[0].quote.usd_per_gpu_hour == 55.04
    assert (2, "gpu_price_looks_per_node") in reasons(as_gpu, "warning")


def test_the_unit_may_be_stated_for_all_columns():
    sheet = ["cloud,gpu,gpu count,On-demand price,Spot price,currency", "gcp,H100,8,$88.49,$31.12,USD"]
    assert not preview(sheet).rows
    found = preview(sheet, price_per="instance")
    assert [(row.quote.purchase, row.quote.usd_per_instance_hour) for row in found.rows] == [
        ("on-demand", 88.49), ("spot", 31.12),
    ]  # fmt: skip


def test_the_format_of_a_number_may_show_the_currency():
    book = Workbook()
    for row in (["provider", "gpu", "gpu count", "price per GPU hour"], *[[f"x{i}", "H100", 8, 2.5] for i in range(5)]):
        book.active.append(row)
    formats = ('"$"#,##0.00', "[$€-407] #,##0.00", '#,##0.00 "CNY"', "[$-409]#,##0.00", "0.00")
    for line, shown in enumerate(formats, 2):
        book.active.cell(row=line, column=4).number_format = shown
    found = preview(saved(book))
    assert [(row.row, row.quote.currency_original) for row in found.rows] == [(2, "USD"), (3, "EUR"), (4, "CNY")]
    assert reasons(found, "dropped") == [(5, "no_currency"), (6, "no_currency")]


@pytest.mark.parametrize("name", ["RTX 4090", "RTX-4090", "RTX 3090 Ti", "MI300X", "GB200 NVL72", "TPU v5"])
def test_no_count_is_seen_in_the_name_of_a_card(name):
    assert split_count(name) == (name, None)
    assert split_count(f"8 x {name}") == split_count(f"{name} x8") == (name, 8)


def test_no_count_is_seen_in_any_name_of_the_tables():
    assert not [name for name in gpu_names() if split_count(name) != (name, None)]


def test_a_validity_known_to_the_month_lasts_to_its_end():
    head = "provider,gpu,gpu count,USD per gpu hour,valid until"
    found = preview([head, "x,H100,8,3,2026-12", "y,H100,8,3,2027", "z,H100,8,3,2027-02", "v,H100,8,3,03/04/2027"])
    assert [row.quote.valid_until for row in found.rows] == ["2026-12-31", "2027-12-31", "2027-02-28"]
    assert reasons(found, "dropped") == [(5, "date_two_readings")]


def test_the_cell_may_say_the_unit():
    found = preview(
        ["provider,gpu,gpu count,price", "x,H100,8,$3.10 / GPU / h", "y,H100,8,24.80 USD per instance hour"]
    )
    assert [row.quote.usd_per_gpu_hour for row in found.rows] == [3.1, 3.1]


@pytest.mark.parametrize(
    ("cell", "amount", "currency"),
    [
        ("$3.99/h", 3.99, "USD"),
        ("12.29 USD", 12.29, "USD"),
        ("US$ 3", 3.0, "USD"),
        ("€2,50", 2.5, "EUR"),
        ("2,50 EUR pro Stunde", 2.5, "EUR"),
        ("CN¥31.27", 31.27, "CNY"),
        ("31.27元/小时", 31.27, "CNY"),
        ("１２．５ USD", 12.5, "USD"),
        ("$0.99 per hour", 0.99, "USD"),
        ("JPY 500/hr", 500.0, "JPY"),
    ],
)
def test_amounts_as_people_write_them(cell, amount, currency):
    found = preview(["provider|gpu|gpu count|price", f"x|H100|1|{cell}"])
    quote = found.rows[0].quote
    assert (quote.amount_original, quote.currency_original) == (amount, currency)


def test_a_yen_sign_is_chinese_only_in_a_chinese_sheet():
    latin = preview(["provider,gpu,gpu count,price per gpu hour", "x,H100,8,¥31.27"])
    assert reasons(latin, "dropped") == [(2, "no_currency")]
    assert reasons(latin, "question") == [(None, "currency_not_stated")]
    stated = preview(["provider,gpu,gpu count,price per gpu hour", "x,H100,8,¥31.27"], currency="CNY")
    assert stated.rows[0].quote.currency_original == "CNY"
    chinese = preview(["供应商,显卡,数量,每卡小时价格", "某云,H100,8,￥31.27"])
    assert chinese.rows[0].quote.currency_original == "CNY"
    japanese = preview(["供应商,显卡,数量,每卡小时价格,メモ", "某云,H100,8,￥31.27,さくら"])
    assert not japanese.rows


def test_two_readings_follow_the_column_or_are_dropped():
    head = "provider;gpu;gpu count;price per month per node (USD)"
    english = preview([head, "x;H100;8;14,600", "y;H100;8;13,900.50"])
    assert [row.quote.amount_original for row in english.rows] == [14600 / 730, 13900.5 / 730]
    german = preview([head, "x;H100;8;14.600", "y;H100;8;13.900,50"])
    assert [row.quote.amount_original for row in german.rows] == [14600 / 730, 13900.5 / 730]
    unclear = preview([head, "x;H100;8;14,600"])
    (dropped,) = unclear.said("dropped")
    assert (dropped.row, dropped.reason, dropped.values["value"], dropped.values["other"]) == (
        2, "two_readings", 14600.0, 14.6,
    )  # fmt: skip
    torn = preview([head, "x;H100;8;14,600", "y;H100;8;13,900.50", "z;H100;8;12.900,50"])
    assert (2, "two_readings") in reasons(torn, "dropped")
    small = preview(["provider;gpu;gpu count;price per gpu hour (USD)", "x;P100;1;1.275", "y;P100;1;2.55"])
    assert [row.quote.amount_original for row in small.rows] == [1.275, 2.55]


def test_numbers_of_a_workbook_have_one_reading():
    found = preview(workbook(A=[["provider", "gpu", "gpu count", "USD per node hour"], ["x", "P100", 1, 1.275]]))
    assert found.rows[0].quote.usd_per_instance_hour == 1.275


def test_the_count_may_stand_in_the_name_or_be_known_from_the_instance():
    found = preview(["provider,gpu,price per node hour (USD)", "x,8x H100,24", "y,H200 x 4,16", "z,H100,3"])
    assert prices(found) == [
        (2, "H100-80GB-SXM", 8, "on-demand", 24.0),
        (3, "H200-141GB-SXM", 4, "on-demand", 16.0),
    ]
    assert found.rows[0].quote.instance_type == "8 x H100-80GB-SXM"
    assert reasons(found, "dropped") == [(4, "no_gpu_count")]
    known = preview(["provider,instance,gpu,price per instance hour (USD)", "aws,p5.48xlarge,H100,55.04"])
    assert known.rows[0].quote.gpu_count == 8


def test_an_ambiguous_gpu_is_taken_as_usual_and_said():
    found = preview(["provider,gpu,gpu count,USD per gpu hour", "x,A100,8,2"])
    assert found.rows[0].quote.gpu == "A100-80GB-SXM"
    (note,) = [finding for finding in found.said("note") if finding.reason == "gpu_ambiguous"]
    assert note.values["text"] == "A100"


def test_a_region_may_be_named_by_its_city_or_in_capitals():
    head = "provider,region,gpu,gpu count,USD per gpu hour"
    found = preview([head, "AWS,Frankfurt,H100,8,8", "AWS,US-EAST-1,H100,8,7", "AWS,Our Room,H100,8,6"])
    assert [row.quote.region for row in found.rows] == ["eu-central-1", "us-east-1", "Our Room"]


def test_two_currencies_in_one_cell_are_none():
    head = "供应商,显卡,数量,每卡小时价格"
    assert reasons(preview([head, "某云,H100,8,3 USD / 21 EUR"]), "dropped") == [(2, "not_a_number")]
    assert reasons(preview([head, "某云,H100,8,$3 EUR"]), "dropped") == [(2, "no_currency")]


def test_zones_of_one_region_become_one_price():
    found = preview(
        ["provider,region,az,instance,gpu,gpus,spot USD per instance hour", "aws,us-east-1,a,p5,H100,8,10",
         "aws,us-east-1,b,p5,H100,8,30", "aws,us-east-1,c,p5,H100,8,14"]
    )  # fmt: skip
    assert [(row.rows, row.quote.usd_per_instance_hour) for row in found.rows] == [((2, 3, 4), 14.0)]
    assert found.rows[0].quote.notes == "median of 3 zones"


def test_an_explicit_mapping_goes_before_what_names_mean():
    found = preview(
        ["provider,model,card,gpus,list price per gpu hour,our price", "x,Server A,H100,8,9,3"],
        mapping={"gpu": "card", "price_per_gpu_hour": "Our price", "instance": "model"},
        currency="usd",
    )
    quote = found.rows[0].quote
    assert (quote.gpu, quote.instance_type, quote.usd_per_gpu_hour) == ("H100-80GB-SXM", "Server A", 3.0)
    assert found.ignored_columns == ("list price per gpu hour",)


def test_dates_whose_order_is_not_clear_keep_the_year_only():
    head = "provider,gpu,gpu count,USD per gpu hour,date"
    unclear = preview([head, "x,H100,8,3,03/04/2026"])
    assert (unclear.rows[0].quote.as_of, reasons(unclear, "note")[0][0]) == ("2026", None)
    clear = preview([head, "x,H100,8,3,03/04/2026", "y,H100,8,3,25/04/2026"])
    assert [row.quote.as_of for row in clear.rows] == ["2026-04-03", "2026-04-25"]
    american = preview([head, "x,H100,8,3,03/04/2026", "y,H100,8,3,04/25/2026"])
    assert american.rows[0].quote.as_of == "2026-03-04"
    german = preview([head, "x,H100,8,3,03.04.2026"])
    assert german.rows[0].quote.as_of == "2026-04-03"
    named = preview([head.replace(",", ";"), "x;H100;8;3;Nov 5, 2026", "y;H100;8;3;October 2026"])
    assert [row.quote.as_of for row in named.rows] == ["2026-11-05", "2026-10"]


def test_rows_without_a_date_get_that_of_the_import_and_it_is_said():
    sheet = ["provider,gpu,gpu count,USD per gpu hour", "x,H100,8,3"]
    today = preview(sheet)
    assert today.rows[0].quote.as_of == "2026-11-30"
    assert (None, "no_date") in reasons(today, "note")
    assert preview(sheet, as_of="2026-05-01").rows[0].quote.as_of == "2026-05-01"


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        (["a,b,c", "1,2,3"], "no_header"),
        (["just a remark"], "no_header"),
        (["provider,gpu,region", "x,H100,y"], "no_header"),
        (["provider,region,price per gpu hour (USD)", "x,y,3"], "no_gpu_column"),
        (["provider,gpu,list price per gpu hour,net price per gpu hour", "x,H100,3,2"], "several_price_columns"),
    ],
)
def test_sheets_that_are_refused(sheet, reason):
    with pytest.raises(SheetError) as refused:
        preview(sheet)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("mapping", "reason"),
    [
        ({"price_per_gpu_hour": "No such"}, "no_such_column"),
        ({"colour": "gpu"}, "no_such_field"),
    ],
)
def test_a_mapping_to_nothing_is_refused(mapping, reason):
    with pytest.raises(SheetError) as refused:
        preview([HEAD, P5], mapping=mapping)
    assert refused.value.reason == reason


@pytest.mark.parametrize("name", ["Kaufart", "Abrechnungsart", "Typ", "Wie gekauft"])
def test_a_column_of_ways_of_purchase_is_known_by_its_name_or_by_what_it_says(name):
    sheet = (
        f"Anbieter;GPU;Anzahl;{name};Preis pro GPU und Stunde (EUR)\naws;H100;8;On-Demand;2,49\naws;H100;8;Spot;1,10\n"
    )
    rows = preview(sheet.encode()).rows
    assert {(row.quote.purchase, row.quote.amount_original) for row in rows} == {("on-demand", 19.92), ("spot", 8.8)}
