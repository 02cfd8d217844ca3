"""What a source says beside the amount in USD: the amount in the seller's currency, and what a card costs to buy."""

import pytest
from source_rows import prices, reasons, rows

from pricing.refresh.others import clean_physical, clean_storage


def test_the_amount_in_the_sellers_currency_is_kept_with_its_dated_rate():
    words = "EUR 24.3562/h converted at 0.88739 EUR per USD (ECB reference rate 2026-10-06); before tax"
    euro, yuan, dollar = prices(
        {"currency_original": "EUR", "notes": words, "instance_type": "a"},
        {"currency_original": "CNY", "notes": "CNY 194.8741/h converted at 7.1 CNY per USD", "instance_type": "b"},
        {"instance_type": "c"},
    ).rows
    kept = ("amount_original", "usd_per_original", "rate_as_of")
    assert [euro[name] for name in kept] == ["24.3562", "1.12690024", "2026-10-06"]
    assert [yuan[name] for name in kept] == ["194.8741", "0.14084507", ""]
    assert [dollar[name] for name in kept] == ["", "", ""]
    assert euro["usd_per_instance_hour"] == "27.44705"


def test_a_storage_price_keeps_its_amount_too():
    stored = {
        "provider": "alibaba", "usd": "0.018037", "kind": "object_storage", "tier": "Standard LRS",
        "source": "price page; CNY 0.12 converted at 6.6529 (ECB 2026-10-30)", "source_date": "2025",
    }  # fmt: skip
    cleaned = clean_storage(rows(stored, {}, {"usd": "0.12"}, {"source": "price page"}, file="storage_prices.csv"))
    assert reasons(cleaned) == [(3, "original_amount_differs")]
    yuan, dollar = cleaned.rows
    assert (yuan["currency_original"], yuan["amount_original"], yuan["rate_as_of"]) == ("CNY", "0.12", "2026-10-30")
    assert float(yuan["amount_original"]) * float(yuan["usd_per_original"]) == pytest.approx(0.018037, abs=5e-7)
    assert (dollar["currency_original"], dollar["amount_original"]) == ("USD", "")


def test_a_cards_list_price_has_a_date_a_source_and_a_word_for_what_it_was_of():
    card = {
        "name": "H100", "source": "sheet", "as_of": "2026", "tdp_w": "700", "list_price_usd": "31905",
        "price_date": "2025-01", "price_source": "Epoch (server share / 8)",
    }  # fmt: skip
    changes = (
        {},
        {"price_source": "Epoch chip table"},
        {"price_source": "Epoch estimate"},
        {"list_price_usd": ""},
        {"list_price_usd": "0"},
        {"price_date": ""},
        {"price_source": ""},
    )
    cleaned = clean_physical(rows(card, *changes, file="gpus.csv"), rows({"gpu": "H100"}, {}))
    assert [row["list_price_quality"] for row in cleaned.rows] == ["proxy", "secondary", "estimated", ""]
    assert (cleaned.rows[0]["list_price_usd"], cleaned.rows[0]["list_price_as_of"]) == ("31905", "2025-01")
    assert reasons(cleaned) == [(6, "not_positive"), (7, "missing_date"), (8, "missing_source")]
