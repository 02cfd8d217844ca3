"""Choosing among price rows: the newest of each offer, and the one that fits a job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pricing.records import PriceQuote

WHOLE_NODE_GPUS = 8  # a job of eight GPUs or more rents whole servers: the size that makers and clouds build (DGX, HGX)
NO_INSTANCE = "(per chip)"  # how the price tables mark a price whose source names no instance
WORLDWIDE = ("global", "unspecified")  # "regions" of prices that hold wherever the seller has room
ANYWHERE = (*WORLDWIDE, "cn", "cn-unspecified")  # and of sellers whose prices hold all over China
_RELIANCE = {
    "own": 0,
    "good": 0,
    "volatile": 0,
    "marketplace": 1,
    "secondary": 1,
    "proxy": 1,
    "estimated": 1,
    "unverified": 2,
}

STRANGERS = "community"  # the nature of a price of machines that are not the seller's own
TIERS = ("secure", STRANGERS)  # the seller's own machines, and those of strangers
_TIER_NOTE = "tier "  # how the notes of a price name it
_HOST_APART = ("billed separately", "billed on top")  # how they say that the price is of the GPU alone

Offer = tuple[str, ...]


def offer(quote: PriceQuote) -> Offer:
    """What two quotes share when they price the same thing at different dates."""
    strangers = STRANGERS if quote.price_nature == STRANGERS else ""
    return (
        quote.provider, quote.region, quote.instance_type, quote.gpu, str(quote.gpu_count), quote.purchase, strangers,
    )  # fmt: skip


def tier(quote: PriceQuote) -> str:
    """Which of a seller's tiers a quote is of, one of TIERS; "" where it has one only."""
    notes = quote.notes or ""
    return next((name for name in TIERS if quote.price_nature == name or notes.startswith(_TIER_NOTE + name)), "")


def host_apart(quote: PriceQuote) -> bool:
    """Whether the price is of the GPU alone and the seller bills its host on top."""
    return any(mark in (quote.notes or "") for mark in _HOST_APART)


def newest(quotes: Iterable[PriceQuote]) -> tuple[PriceQuote, ...]:
    """The newest quote of each offer; suspect ones never. A date known to the year only is the oldest it can be."""
    chosen: dict[Offer, PriceQuote] = {}
    for quote in quotes:
        if quote.quality == "suspect":
            continue
        key = offer(quote)
        if key not in chosen or quote.as_of > chosen[key].as_of:
            chosen[key] = quote
    return tuple(chosen.values())


def rank(quote: PriceQuote) -> tuple[float, str, str, str, str, int, str, bool]:
    """Where a quote stands among others, cheapest first: total over the quotes that `newest` leaves."""
    return (
        quote.usd_per_gpu_hour,
        quote.provider,
        quote.region,
        quote.instance_type,
        quote.gpu,
        quote.gpu_count,
        quote.purchase,
        quote.price_nature == STRANGERS,
    )


def best(quotes: Sequence[PriceQuote], gpus_at_least: int) -> PriceQuote | None:
    """The quote that a job of that many GPUs should be priced at; None when there is none.

    In this order: a named instance before a price per chip; the seller's own machines before those of strangers; an
    instance large enough (whole nodes from eight GPUs on), the smallest such; a dependable and current source before
    a second-hand or stale one; the newest; the cheapest.
    """
    wanted = min(gpus_at_least, WHOLE_NODE_GPUS)

    def fitness(quote: PriceQuote) -> tuple[bool, bool, bool, int, int, float]:
        large_enough = quote.gpu_count >= wanted
        return (
            quote.instance_type == NO_INSTANCE,
            quote.price_nature == STRANGERS,
            not large_enough,
            quote.gpu_count if large_enough else -quote.gpu_count,
            _RELIANCE.get(quote.quality, 3),
            quote.usd_per_gpu_hour,
        )

    if not quotes:
        return None
    ranked = sorted(quotes, key=lambda quote: quote.as_of, reverse=True)
    ranked.sort(key=lambda quote: fitness(quote)[:-1])
    first = fitness(ranked[0])[:-1]
    level = [quote for quote in ranked if fitness(quote)[:-1] == first and quote.as_of == ranked[0].as_of]
    return min(level, key=lambda quote: quote.usd_per_gpu_hour)


def spread(quotes: Sequence[PriceQuote]) -> tuple[float, float] | None:
    """Low and high USD per GPU-hour over sellers, each at its cheapest region and instance.

    With one seller only, over its regions. Stale prices count only where there are no others. None with fewer than
    two prices.
    """
    current = [quote for quote in quotes if quote.quality != "stale"] or list(quotes)
    by_seller: dict[str, float] = {}
    by_region: dict[tuple[str, str], float] = {}
    for quote in current:
        price, place = quote.usd_per_gpu_hour, (quote.provider, quote.region)
        by_seller[quote.provider] = min(price, by_seller.get(quote.provider, price))
        by_region[place] = min(price, by_region.get(place, price))
    prices = list(by_seller.values()) if len(by_seller) > 1 else list(by_region.values())
    return (min(prices), max(prices)) if len(prices) > 1 else None
