"""The job bought in other ways and in other places, as rows of text for the tables of the comparison. No Qt here."""

from __future__ import annotations

from desktop_app.budget.elsewhere import Offer
from desktop_app.budget.purchases import PurchaseOption
from desktop_app.foundation.formatting import percent, plain
from desktop_app.foundation.quantities import format_number
from desktop_app.foundation.units import tonnes
from desktop_app.foundation.wording import Words
from desktop_app.window.data_table import Cell, Column
from desktop_app.window.form import option_words, seller_name, sentence
from desktop_app.window.price_rows import PRICE_DIGITS
from pricing.quotes import WORLDWIDE

PURCHASE_CARBON = 6
PLACE_COST, PLACE_CARBON = 2, 3


def purchase_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the ways of purchase."""
    return (
        Column(words("field.purchase"), stretch=True),
        Column(words("head.cost_usd"), right=True),
        Column(words("head.ask_usd"), right=True),
        Column(words("head.usd_per_gpu_hour"), right=True),
        Column(words("head.gpu_hours_paid"), right=True),
        Column(words("head.days"), right=True),
        Column(words("head.tco2e"), right=True),
        Column(words("head.pays_from"), right=True),
        Column(words("head.price_age")),
    )


def purchase_cells(option: PurchaseOption, words: Words) -> tuple[Cell, ...]:
    """One way of purchase; what nobody is known to sell has no price."""
    not_sold = option.usd_per_gpu_hour is None
    no_price = words("line.not_priced")
    return (
        Cell(option_words("purchase", option.purchase, words), tip=option.row_text),
        _money(option.cost.base, no_price, 0, option.complete),
        _money(option.cost.p80, no_price, 0, option.complete),
        _money(option.usd_per_gpu_hour, no_price, PRICE_DIGITS),
        _number(option.hours_paid, 0, words),
        _number(option.wall_days, 1, words),
        _tonnes(option.co2e_kg_location, words),
        _pays_from(option, words),
        _age(option.age_days, option.old, option.as_of, words, not_sold),
    )


def purchase_notes(option: PurchaseOption, words: Words) -> str:
    """What is to be said of a way of purchase, one sentence a line."""
    told = [sentence(problem, words) for problem in option.problems]
    if option.usd_per_gpu_hour is None:
        told.insert(0, words("compare.not_sold"))
    missing = words("list.comma").join(words(f"ledger.{key}") for key in option.not_priced)
    if missing:
        told.append(words("compare.leaves_out", names=missing))
    return "\n".join(told)


def _pays_from(option: PurchaseOption, words: Words) -> Cell:
    """From which share of use a contract pays, or how far apart interruptions must be for spot."""
    if option.break_even is None:
        return Cell("–", tone="text3", number=True)
    if option.purchase == "spot":
        hours = format_number(option.break_even, "hours", words)
        return Cell(words("compare.hours_apart", hours=hours), option.break_even)
    share = percent(option.break_even, 0, words.language)
    return Cell(words("compare.share_used", share=share), option.break_even)


def place_columns(words: Words) -> tuple[Column, ...]:
    """The heads of the places."""
    return (
        Column(words("field.provider")),
        Column(words("field.region"), stretch=True),
        Column(words("head.cost_usd"), right=True),
        Column(words("head.tco2e"), right=True),
        Column(words("head.usd_per_gpu_hour"), right=True),
        Column(words("head.instance"), most=150),
        Column(words("head.grid"), right=True),
        Column(words("head.pue"), right=True),
        Column(words("head.price_age")),
        Column(words("head.quality")),
    )


def place_cells(offer: Offer, words: Words) -> tuple[Cell, ...]:
    """One place; where the grid is not known the carbon is not."""
    anywhere = offer.region in WORLDWIDE
    region = words("preview.any_region") if anywhere else offer.region
    name = f"{region}{words('list.comma')}{offer.city}" if offer.city else region
    pue = "–" if offer.pue is None else plain(offer.pue, 2)
    if offer.pue_assumed:
        pue = words("compare.assumed", value=pue)
    return (
        Cell(seller_name(offer.provider)),
        Cell(name, tone="text3" if anywhere else "text"),
        _money(offer.cost_usd, words("line.not_priced"), 0),
        _tonnes(offer.co2e_kg_location, words),
        _money(offer.usd_per_gpu_hour, words("line.not_priced"), PRICE_DIGITS),
        Cell(offer.instance_type.removeprefix(f"{offer.provider}:"), tone="text2"),
        _number(offer.grid_g_per_kwh, 0, words),
        Cell(pue, offer.pue, tone="text2", number=True),
        _age(offer.age_days, offer.old, offer.as_of, words),
        Cell(words(f"quality.{offer.quality}"), tone="text2"),
    )


def place_notes(offer: Offer, words: Words) -> str:
    """What is not known of a place, and what its grid factor counts."""
    told = []
    if offer.grid_g_per_kwh is None:
        told.append(words("compare.no_grid"))
    elif offer.grid_year is not None:
        told.append(words("compare.grid", year=str(offer.grid_year), scope=offer.gas_scope or "–"))
    if offer.pue_assumed:
        told.append(words("compare.pue_assumed"))
    return "\n".join(told)


def _money(value: float | None, unknown: str, digits: int, complete: bool = True) -> Cell:
    """An amount; "> 118,416" of a sum that leaves out a part of its own, such as interruptions or electricity."""
    if value is None:
        return Cell(unknown, tone="warn", number=True)
    if not complete:
        return Cell(f"> {plain(value, digits)}", value, tone="warn", number=True)
    return Cell(plain(value, digits), value, number=True)


def _number(value: float | None, digits: int, words: Words) -> Cell:
    if value is None:
        return Cell(words("state.not_known"), tone="text3", number=True)
    return Cell(plain(value, digits), value, number=True)


def _tonnes(value_kg: float | None, words: Words) -> Cell:
    return _number(None if value_kg is None else tonnes(value_kg), 1, words)


def _age(days: int | None, old: bool, as_of: str, words: Words, not_sold: bool = False) -> Cell:
    """How old a price is, in words; the day itself is the tooltip."""
    if days is None:
        return Cell("–" if not_sold else words("tag.yours"), tone="text3", number=True)
    told = words("compare.days_old", count=days) if days else words("compare.of_today")
    return Cell(words("compare.old", age=told) if old else told, days, "warn" if old else "text2", as_of, number=True)
