"""The user's own prices, discounts and credits: kept, replaced, stored, and looked up before the tables."""

from __future__ import annotations

import dataclasses
import json
from datetime import date

import pytest
from sheet_tools import TODAY

from pricing.catalogue import load_catalogue
from pricing.price_book import (
    Credit,
    Discount,
    PriceBook,
    id_of,
    provider_slug,
    with_credit,
    with_discount,
    with_prices,
    without,
)
from pricing.price_book_text import BookError, book_from_text, book_to_text
from pricing.records import PriceQuote

H100 = "H100-80GB-SXM"
OWN = PriceQuote(
    provider="aws", region="us-east-1", instance_type="p5.48xlarge", gpu=H100, gpu_count=8, purchase="on-demand",
    usd_per_instance_hour=40.0, usd_per_gpu_hour=5.0, currency_original="EUR", source="offer.xlsx:7",
    as_of="2026-09-01", quality="own", price_nature="own", amount_original=32.0, usd_per_original=1.25,
    origin="offer.xlsx:7",
)  # fmt: skip
RULE = Discount("aws", 22.0, "contract 17", "2026-09-01")
CREDIT = Credit("aws", 50_000.0, "startup programme", "2026-09-01")
TABLES = load_catalogue()


def changed(record, **fields):
    return dataclasses.replace(record, **fields)


def catalogue(*quotes, discounts=(), credits=(), today=TODAY):
    return TABLES.with_book(PriceBook(quotes, discounts, credits), today)


# ---- keeping


def test_the_same_offer_keeps_the_newest_and_says_so():
    newer = changed(OWN, as_of="2026-10-01", usd_per_instance_hour=38.0)
    book, changes = with_prices(PriceBook(), [OWN])
    assert [change.kind for change in changes] == ["added"]
    book, changes = with_prices(book, [newer])
    assert [(c.kind, c.entry, c.before) for c in changes] == [("replaced", newer, OWN)]
    book, changes = with_prices(book, [OWN])
    assert [(c.kind, c.entry, c.before) for c in changes] == [("kept_newer", newer, OWN)]
    assert book.prices == (newer,)
    book, _ = with_prices(book, [changed(OWN, purchase="spot")])
    assert len(book.prices) == 2


def test_a_discount_or_credit_on_the_same_is_replaced_never_added_up():
    book, _ = with_discount(PriceBook(), RULE)
    book, changes = with_discount(book, changed(RULE, percent=30.0))
    assert ([rule.percent for rule in book.discounts], changes[0].kind) == ([30.0], "replaced")
    book, _ = with_discount(book, changed(RULE, gpu=H100))
    book, _ = with_credit(book, CREDIT)
    book, changes = with_credit(book, changed(CREDIT, amount_usd=20_000.0))
    assert ([credit.amount_usd for credit in book.credits], changes[0].kind) == ([20_000.0], "replaced")
    assert len(book.discounts) == 2


def test_entries_are_removed_by_their_id():
    book = PriceBook((OWN,), (RULE,), (CREDIT,))
    assert [id_of(entry)[0] for entry in (OWN, RULE, CREDIT)] == ["p", "d", "c"]
    assert without(book, id_of(RULE)) == PriceBook((OWN,), (), (CREDIT,))
    assert without(book, id_of(OWN)).prices == ()
    assert without(book, "p-000000") is None
    assert id_of(changed(OWN, as_of="2026-11-01", usd_per_instance_hour=1.0)) == id_of(OWN)


def test_names_of_sellers_become_codes():
    assert [provider_slug(name) for name in (" My Cloud ", "某云", "A/B (EU)", "...", "=1+1")] == [
        "my-cloud", "某云", "a-b-eu", "", "1-1",
    ]  # fmt: skip


# ---- storing


def test_a_book_is_stored_and_read_whole():
    book = PriceBook((OWN,), (changed(RULE, gpu=H100, valid_until="2027-01-31"),), (changed(CREDIT, provider=None),))
    text = book_to_text(book)
    assert book_from_text(text) == book
    assert json.loads(text)["format"] == "training-budget-prices"
    assert book_from_text(book_to_text(PriceBook())) == PriceBook()


def altered(**changes):
    document = json.loads(book_to_text(PriceBook((OWN,), (RULE,), (CREDIT,))))
    for way, value in changes.items():
        *path, last = way.split("__")
        place = document
        for step in path:
            place = place[int(step) if step.isdigit() else step]
        place[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("", "broken_json", ""),
        ("{", "broken_json", ""),
        ("[" * 100_000, "broken_json", ""),
        ("[]", "not_a_book", ""),
        ('{"format": "training-budget", "schema_number": 1}', "not_a_book", ""),
        (altered(schema_number=2), "newer", ""),
        (altered(schema_number=True), "not_a_book", ""),
        (altered(colour="red"), "bad_entry", "colour"),
        (altered(prices__0__gpu_count="8"), "bad_entry", "prices.0.gpu_count"),
        (altered(prices__0__gpu_count=True), "bad_entry", "prices.0.gpu_count"),
        (altered(prices__0__usd_per_instance_hour=0), "bad_entry", "prices.0.usd_per_instance_hour"),
        (altered(prices__0__as_of="yesterday"), "bad_entry", "prices.0.as_of"),
        (altered(prices__0__quality="good"), "bad_entry", "prices.0.origin"),
        (altered(discounts__0__percent=101), "bad_entry", "discounts.0.percent"),
        (altered(discounts__0__purchase="barter"), "bad_entry", "discounts.0.purchase"),
        (altered(credits__0__amount_usd=-5), "bad_entry", "credits.0.amount_usd"),
        ('{"format": "training-budget-prices", "schema_number": 1, "prices": [], "prices": []}', "broken_json", ""),
        ('{"format": "training-budget-prices", "schema_number": 1, "prices": NaN}', "broken_json", ""),
    ],
)
def test_a_book_that_is_none_is_refused(text, reason, place):
    with pytest.raises(BookError) as refused:
        book_from_text(text)
    assert (refused.value.reason, refused.value.place) == (reason, place)


# ---- looking up


def test_an_own_price_of_the_region_goes_first_even_where_the_table_is_newer():
    quote = catalogue(OWN).quote(H100, "AWS", "us-east-1", "on-demand", gpus_at_least=64)
    assert quote == OWN
    elsewhere = catalogue(OWN).quote(H100, "aws", "us-west-2", "on-demand", gpus_at_least=64)
    assert elsewhere == TABLES.quote(H100, "aws", "us-west-2", "on-demand", gpus_at_least=64)
    spot = catalogue(OWN).quote(H100, "aws", "us-east-1", "spot", gpus_at_least=64)
    assert spot == TABLES.quote(H100, "aws", "us-east-1", "spot", gpus_at_least=64)


def test_an_own_price_without_a_region_holds_in_all_but_those_with_their_own():
    anywhere = changed(OWN, region="unspecified", usd_per_instance_hour=48.0)
    mine = catalogue(anywhere, OWN)
    assert mine.quote(H100, "aws", "us-east-1", "on-demand") == OWN
    assert mine.quote(H100, "aws", "us-west-2", "on-demand") == anywhere
    assert mine.quote(H100, "aws", None, "on-demand") == anywhere


def test_a_region_may_be_named_by_its_city():
    city = TABLES.region("aws", "eu-central-1").city
    own = changed(OWN, region="eu-central-1")
    assert catalogue(own).quote(H100, "aws", city, "on-demand") == own


def test_quotes_show_the_own_row_first_and_not_the_same_offer_twice():
    rows = catalogue(OWN).quotes(gpu=H100, provider="aws", region="us-east-1", purchase="on-demand")
    assert rows[0] == OWN
    assert [row.instance_type for row in rows].count("p5.48xlarge") == 1
    listed = TABLES.quotes(gpu=H100, provider="aws", region="us-east-1", purchase="on-demand")
    assert len(rows) == len(listed)


def test_a_seller_of_the_book_alone_works_like_any_other():
    own = changed(OWN, provider="my-cloud", region="hall-3")
    mine = catalogue(own)
    assert "my-cloud" in mine.providers()
    assert mine.provider_code(" My Cloud") == "my-cloud"
    assert mine.regions("my-cloud") == ("hall-3",) == mine.regions("my-cloud", H100)
    assert mine.region_code("my-cloud", "Hall-3") == "hall-3"
    assert mine.quote(H100, "My Cloud", "Hall-3", "on-demand") == own
    assert TABLES.provider_code("my cloud") is None


def test_expired_prices_do_not_apply():
    own = changed(OWN, valid_until="2026-11-30")
    assert catalogue(own, today=date(2026, 11, 30)).quote(H100, "aws", "us-east-1", "on-demand") == own
    late = catalogue(own, today=date(2026, 12, 1))
    assert late.quote(H100, "aws", "us-east-1", "on-demand") == TABLES.quote(H100, "aws", "us-east-1", "on-demand")


def test_without_a_book_nothing_changes():
    empty = TABLES.with_book(PriceBook(), TODAY)
    assert empty.quotes() == TABLES.quotes()
    assert (empty.providers(), empty.gpus()) == (TABLES.providers(), TABLES.gpus())
    assert empty.regions("aws") == TABLES.regions("aws")
    assert empty.discount("aws", H100, "us-east-1", "on-demand", TODAY) is None
    assert empty.credits("aws", TODAY) == ()


def test_the_spread_of_the_market_does_not_hear_of_own_prices():
    cheap = changed(OWN, usd_per_gpu_hour=0.1, usd_per_instance_hour=0.8)
    assert catalogue(cheap).price_spread(H100, "on-demand", "aws") == TABLES.price_spread(H100, "on-demand", "aws")


def test_the_discount_that_names_most_applies():
    rules = (
        RULE,
        changed(RULE, gpu=H100, percent=10.0),
        changed(RULE, purchase="reserved-1y", percent=40.0),
        changed(RULE, gpu=H100, region="us-east-1", percent=15.0),
        changed(RULE, gpu=H100, region="us-east-1", purchase="spot", percent=5.0, valid_until="2026-10-31"),
    )
    mine = catalogue(discounts=rules)

    def percent(gpu, region, purchase, provider="aws"):
        rule = mine.discount(provider, gpu, region, purchase, TODAY)
        return rule.percent if rule else None

    assert percent(H100, "us-east-1", "on-demand") == 15.0
    assert percent(H100, "us-west-2", "on-demand") == 10.0
    assert percent(H100, "us-west-2", "reserved-1y") == 10.0  # the GPU is named before the purchase type
    assert percent("L40S", "us-west-2", "reserved-1y") == 40.0
    assert percent("L40S", None, "on-demand", provider="AWS") == 22.0
    assert percent(H100, "us-east-1", "spot") == 15.0  # the special rule has expired
    assert percent(H100, "us-east-1", "on-demand", provider="azure") is None
    newer = catalogue(discounts=(RULE, changed(RULE, percent=12.0, as_of="2026-11-01")))
    assert newer.discount("aws", H100, "us-east-1", "on-demand", TODAY).percent == 12.0


def test_credits_of_a_seller_and_of_any_those_that_end_first_in_front():
    anyone = changed(CREDIT, provider=None, source="grant", valid_until="2027-01-31")
    soon = changed(CREDIT, source="second", valid_until="2026-11-30")
    mine = catalogue(credits=(CREDIT, anyone, soon, changed(CREDIT, provider="azure")))
    assert mine.credits("aws", TODAY) == (soon, anyone, CREDIT)
    assert mine.credits("aws", date(2026, 12, 1)) == (anyone, CREDIT)
    assert mine.credits("gcp", TODAY) == (anyone,)


@pytest.mark.parametrize("text", ["a\x00b", "\x1b[31mred", "two\nlines", "\x9b"])
def test_a_book_with_text_that_a_terminal_would_obey_is_refused(text):
    for book in (PriceBook(credits=(changed(CREDIT, source=text),)), PriceBook(prices=(changed(OWN, region=text),))):
        with pytest.raises(BookError) as caught:
            book_from_text(book_to_text(book))
        assert caught.value.reason == "bad_entry"


def test_a_credit_beyond_all_budgets_is_refused():
    with pytest.raises(BookError):
        book_from_text(book_to_text(PriceBook(credits=(changed(CREDIT, amount_usd=1e308),))))
