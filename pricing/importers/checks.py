"""Judging drafts against each other, against bounds and against the shipped prices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from pricing.importers.context import Lookups
from pricing.importers.drafts import Draft
from pricing.importers.faults import Finding, Severity, Value
from pricing.records import PriceQuote

LOWEST_USD_PER_GPU_HOUR = 0.05  # below it no card is offered in the 2026 tables (pricing/refresh/prices.py)
HIGHEST_USD_PER_GPU_HOUR = 40.0  # above every single-server price of the 2026 tables
HIGHEST_OF_RACKS_USD_PER_GPU_HOUR = 60.0  # dearest rack-scale system of the 2026 tables: 54.08
RACK_SCALE = ("GB200", "GB300")  # sold as parts of a rack of 72
ABSURD_USD_PER_GPU_HOUR = (0.001, 1000.0)  # a factor of 25 beyond both bounds: a wrong unit, currency or column
FAR = 3.0  # times the usual price: sellers differ up to threefold from the median (reference tables of 2026)


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A price as it would be taken. `rows` are the lines it was made of; a doubtful one needs the user's word."""

    rows: tuple[int, ...]
    quote: PriceQuote
    doubtful: bool = False

    @property
    def row(self) -> int:
        """Its first line."""
        return self.rows[0]


def judged(
    drafts: Sequence[Draft], lookups: Lookups, file: str, unit_is_sure: bool = False
) -> tuple[list[PreviewRow], list[Finding]]:
    """The prices that can be taken, in the order of the file, and what is to be said of them.

    `file` names their origin. `unit_is_sure` for a format that leaves no doubt whether a price is per instance.
    """
    findings: list[Finding] = []
    sold = _without_twins(_zones_joined(drafts, findings), findings)
    priced = [(draft, quote) for draft in sold if (quote := _quote(draft, lookups, file, findings))]
    doubtful = _doubtful(priced, findings)
    rows = []
    for draft, quote in priced:
        _warn_of_price(draft, quote, lookups, findings, unit_is_sure)
        rows.append(PreviewRow(draft.rows, quote, draft.row in doubtful and quote.purchase == "spot"))
    return sorted(rows, key=lambda row: (row.row, row.quote.purchase)), findings


def _say(findings: list[Finding], draft: Draft, reason: str, severity: Severity, **values: Value) -> None:
    findings.append(Finding(draft.row, reason, severity, values))


def _zones_joined(drafts: Iterable[Draft], findings: list[Finding]) -> list[Draft]:
    """Rows that differ in nothing but the zone as one: spot at the median, a list price at the dearest."""
    groups: dict[tuple[object, ...], list[Draft]] = defaultdict(list)
    for draft in drafts:
        zoned = bool(draft.zone)
        groups[(draft.thing, draft.purchase, draft.currency, draft.as_of, zoned or draft.row)].append(draft)
    joined = []
    for group in groups.values():
        zones = {draft.zone: draft for draft in group}
        extra = [draft for draft in group if zones[draft.zone] is not draft]  # a zone named twice: a twin, judged later
        joined += [*_one_of(list(zones.values()), findings), *extra]
    return joined


def _one_of(group: list[Draft], findings: list[Finding]) -> list[Draft]:
    first, amounts = group[0], [draft.amount for draft in group]
    if len(group) == 1:
        return group
    rows = tuple(sorted(draft.row for draft in group))
    if first.purchase == "spot":
        note = f"median of {len(group)} zones"
        notes = "; ".join(filter(None, (note, first.notes)))
        return [replace(first, row=rows[0], rows=rows, zone="", amount=median(amounts), notes=notes)]
    if max(amounts) != min(amounts):
        _say(findings, first, "zone_prices_differ", "warning", low=min(amounts), high=max(amounts))
    return [replace(first, row=rows[0], rows=rows, zone="", amount=max(amounts))]


def _without_twins(drafts: Iterable[Draft], findings: list[Finding]) -> list[Draft]:
    """One price for each offer: the newest, of one day the dearest, as the shipped tables are made."""
    groups: dict[tuple[object, ...], list[Draft]] = defaultdict(list)
    for draft in drafts:
        groups[(draft.thing, draft.purchase)].append(draft)
    kept = []
    for group in groups.values():
        best = max(group, key=lambda draft: (draft.as_of, draft.amount, -draft.row))
        kept.append(best)
        for draft in group:
            if draft is not best:
                reason = "older_duplicate" if draft.as_of < best.as_of else "duplicate_key"
                _say(findings, draft, reason, "dropped", kept=best.row)
    return kept


def _quote(draft: Draft, lookups: Lookups, file: str, findings: list[Finding]) -> PriceQuote | None:
    """The draft in USD; None when it is dropped: no rate, or a price that nothing explains."""
    rate = lookups.rate(draft.currency)
    if rate is None:
        _say(findings, draft, "unknown_currency", "dropped", currency=draft.currency)
        return None
    usd = draft.amount * rate[0]
    per_gpu = usd / draft.gpu_count
    low, high = ABSURD_USD_PER_GPU_HOUR
    if not low <= per_gpu <= high:
        _say(findings, draft, "absurd_price", "dropped", price=per_gpu)
        return None
    converted = (
        "" if draft.currency == "USD" else f"{draft.currency} {draft.amount:g}/h at {rate[0]:g} USD of {rate[1]}"
    )
    origin = f"{file}:{draft.row}"
    return PriceQuote(
        provider=draft.provider,
        region=draft.region,
        instance_type=draft.instance_type,
        gpu=draft.gpu,
        gpu_count=draft.gpu_count,
        purchase=draft.purchase,  # type: ignore[arg-type]
        usd_per_instance_hour=float(f"{usd:.12g}"),  # sums of binary fractions end in noise
        usd_per_gpu_hour=float(f"{per_gpu:.12g}"),
        currency_original=draft.currency,
        source=origin,
        as_of=draft.as_of,
        quality="own",
        price_nature="own",
        notes="; ".join(filter(None, (converted, draft.notes))) or None,
        amount_original=draft.amount,
        usd_per_original=rate[0],
        origin=origin,
        valid_until=draft.valid_until,
    )


def _doubtful(priced: Sequence[tuple[Draft, PriceQuote]], findings: list[Finding]) -> set[int]:
    """The lines of spot prices that are not below the on-demand price of the same thing."""
    on_demand = {draft.thing: quote for draft, quote in priced if draft.purchase == "on-demand"}
    rows = set()
    for draft, quote in priced:
        above = on_demand.get(draft.thing)
        if draft.purchase == "spot" and above and quote.usd_per_gpu_hour >= above.usd_per_gpu_hour:
            rows.add(draft.row)
            values = {"spot": quote.usd_per_instance_hour, "on_demand": above.usd_per_instance_hour}
            findings.append(Finding(draft.row, "spot_not_below_on_demand", "doubtful", values))
    return rows


def _warn_of_price(
    draft: Draft, quote: PriceQuote, lookups: Lookups, findings: list[Finding], unit_is_sure: bool
) -> None:
    """Say where a price is outside what cards cost, or far from what this one does."""
    price = quote.usd_per_gpu_hour
    high = HIGHEST_OF_RACKS_USD_PER_GPU_HOUR if quote.gpu in RACK_SCALE else HIGHEST_USD_PER_GPU_HOUR
    if not LOWEST_USD_PER_GPU_HOUR <= price <= high:
        _say(findings, draft, "outside_bounds", "warning", price=price, low=LOWEST_USD_PER_GPU_HOUR, high=high)
    usual = lookups.usual_usd_per_gpu_hour(quote.gpu, quote.provider, quote.purchase)
    if usual is None or _near(price, usual):
        return
    reason = "far_from_usual"
    several = quote.gpu_count > 1 and not unit_is_sure
    if several and price < usual and _near(quote.usd_per_instance_hour, usual):
        reason = "node_price_looks_per_gpu"
    elif several and price > usual and _near(price / quote.gpu_count, usual):
        reason = "gpu_price_looks_per_node"
    _say(findings, draft, reason, "warning", price=price, usual=usual, gpu=quote.gpu)


def _near(price: float, usual: float) -> bool:
    return usual / FAR <= price <= usual * FAR
