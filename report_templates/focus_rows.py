"""The rows of a FOCUS-shaped forecast: one for each line of money and month, its figures as lines of a ledger.

Effective cost is what the budget charges to the month, and adds up to its total. Billed cost is what the invoices of
the month show: under a contract, all of it in the month it is signed and nothing for the hours that it covers. List
cost is the public price, contracted cost the negotiated one without the contract.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from desktop_app.budget.budget import CostLine
from desktop_app.budget.cost_items import ITEMS as COST_ITEMS
from desktop_app.budget.dossier.dossier import Dossier
from desktop_app.budget.dossier.schedule import START_DAY, Month
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import computed
from desktop_app.budget.lines_price import PRICE
from desktop_app.foundation.expression import Expression, Literal, largest, ref, rounded, rounded_up, smallest, when
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.serial_days import day_of_serial, serial_day
from desktop_app.foundation.wording import Words
from report_templates.fingerprint import result_mark
from report_templates.focus_items import (
    COLUMNS,
    COMMITMENT,
    ENERGY,
    ITEMS,
    LOST_BESIDES,
    PRICING_CATEGORIES,
    UNITS,
    FocusItem,
)

DONE_DAY = "focus.done_day"
_COVERED = ("hourly", "unused")  # kinds of lines that a contract pays
_ON_DEMAND = "on_demand_usd_per_gpu_hour"
_LAST_DAY = serial_day(date.max)  # of the calendar of spreadsheets and of Python
_INTERNAL = "Internal"  # who charges for what the organisation does itself, where it has no name
_CARBON = (("x_KgCO2eLocation", "grid_g_per_kwh"), ("x_KgCO2eMarket", "market_g_per_kwh"))
_MONEY = ("ListCost", "ContractedCost", "EffectiveCost", "BilledCost")


@dataclass(frozen=True, slots=True)
class FocusRow:
    """One charge of one month. A column that is neither in `texts` nor in `numbers` is empty, but for the periods."""

    cost_key: str  # of the ledger: "cost.run", or "cost.committed" where a contract is bought
    month: Month
    texts: Mapping[str, str]
    numbers: Mapping[str, str]  # column -> key of its line


@dataclass(frozen=True, slots=True)
class FocusForecast:
    """All rows, and the lines behind their numbers, which read those of the ledger and of the schedule."""

    rows: tuple[FocusRow, ...]
    lines: tuple[Line, ...]
    values: Mapping[str, Number | None]  # of the ledger, the schedule and these lines
    left_out: tuple[str, ...]  # keys of lines of money that have no price, or no month

    def periods(self, row: FocusRow) -> tuple[str, str, str, str]:
        """Start and end of billing and charge as ISO 8601 in UTC."""
        month, start = row.month, day_of_serial(self.values[START_DAY] or 0)
        ends = self.values[month.keys["ends"] if "ends" in month.keys else DONE_DAY] or 0
        if month.first is not None:
            begins = max(start, month.first)
        else:
            begins = day_of_serial(self.values[f"month.{month.number - 1}.ends"] or 0)
        end = iso_time(max(day_of_serial(ends), begins))
        return iso_time(begins.replace(day=1)), end, iso_time(begins), end


def iso_time(day: date) -> str:
    """The beginning of a day in UTC."""
    return f"{day.isoformat()}T00:00:00Z"


def focus_forecast(dossier: Dossier, words: Words) -> FocusForecast:
    """The forecast of the base of a dossier; months in which a line has neither money nor quantity are left out."""
    budget, schedule = dossier.base, dossier.schedule
    writer = _Writer(dossier, words)
    found = [
        writer.cost_row(line, month)
        for month in schedule.months
        for line in budget.cost_lines
        if schedule.values[month.keys[line.key]] is not None
    ]
    if budget.ledger.value("cost.committed") if "cost.committed" in budget.ledger else None:
        found.insert(0, writer.commitment_row(schedule.months[0]))
    lines = (done_line(), *(line for _, own in found for line in own))
    values = evaluated(lines, schedule.values)
    used = [(row, own) for row, own in found if _is_used(row, values)]
    kept = (done_line(), *(line for _, own in used for line in own))
    first = schedule.months[0]
    return FocusForecast(
        rows=tuple(row for row, _ in used),
        lines=kept,
        values=values,
        left_out=tuple(line.key for line in budget.cost_lines if schedule.values[first.keys[line.key]] is None),
    )


def done_line() -> Line:
    """The day on which nothing is run and nothing is stored any more."""
    days = largest(ref("wall_days"), ref("schedule.stored_days"))
    done = smallest(rounded_up(ref(START_DAY) + days), Literal(_LAST_DAY))
    return computed(DONE_DAY, "date", "schedule", done)


def _is_used(row: FocusRow, values: Mapping[str, Number | None]) -> bool:
    return any(values[row.numbers[column]] for column in ("PricingQuantity", *_MONEY) if column in row.numbers)


class _Writer:
    """Makes the rows of one budget."""

    def __init__(self, dossier: Dossier, words: Words) -> None:
        self._budget, self._ledger, self._words = dossier.base, dossier.base.ledger, words
        self._signed = "cost.committed" in self._ledger
        self._organisation = dossier.organisation
        self._common = self._common_texts(dossier)

    # ---- rows

    def cost_row(self, line: CostLine, month: Month) -> tuple[FocusRow, tuple[Line, ...]]:
        """The row of a line of money in one month, and its lines."""
        name = line.key.removeprefix("cost.")
        amount = ref(month.keys[line.key])
        numbers = dict(self._prices(line, self._quantity(line, month), amount))
        numbers["EffectiveCost"] = amount
        numbers["BilledCost"] = Literal(0) if self._is_covered(line) else amount
        at = f"focus.{month.number}.{name}"
        lines = [*_lines(at, numbers), *self._footprint(at, name, month)]
        texts = {**self._texts(ITEMS[name], line), "ChargeDescription": self._words(f"ledger.{line.key}")}
        return self._row(line.key, month, texts, at, lines)

    def commitment_row(self, month: Month) -> tuple[FocusRow, tuple[Line, ...]]:
        """What a contract binds: billed when it is signed, and spread over the hours it covers as effective cost."""
        run = next(line for line in self._budget.cost_lines if line.key == "cost.run")
        quantity, amount = ref("paid_gpu_hours"), ref("cost.committed")
        numbers: dict[str, Expression] = {
            "PricingQuantity": quantity,
            "ListUnitPrice": self._in_currency(self._listed(PRICE)),
            "ListCost": self._list_cost(PRICE, quantity, amount),
            "ContractedUnitPrice": self._in_currency(ref(PRICE)),
            "ContractedCost": amount,
            "EffectiveCost": Literal(0),
            "BilledCost": amount,
        }
        at = "focus.commitment"
        texts = {
            **self._texts(COMMITMENT, run),
            "PricingCategory": "Standard",  # FOCUS: buying a commitment is priced at the agreed rate
            "ChargeDescription": self._words("ledger.cost.committed"),
        }
        return self._row("cost.committed", month, texts, at, list(_lines(at, numbers)))

    def _row(
        self, cost_key: str, month: Month, texts: Mapping[str, str], at: str, lines: list[Line]
    ) -> tuple[FocusRow, tuple[Line, ...]]:
        keys = {line.key.removeprefix(f"{at}."): line.key for line in lines}
        return FocusRow(cost_key, month, {**self._common, **texts}, keys), tuple(lines)

    # ---- numbers

    def _quantity(self, line: CostLine, month: Month) -> Expression | None:
        """What of the quantity of a line falls into a month; None of one that is a share of the bill."""
        if line.quantity_unit not in UNITS:
            return None
        return ref(line.quantity_line.key) * _part(line.key.removeprefix("cost."), month)

    def _prices(
        self, line: CostLine, quantity: Expression | None, amount: Expression
    ) -> Iterator[tuple[str, Expression]]:
        """Quantity, unit prices and what they come to, before a contract."""
        if quantity is None or line.unit_price_line is None:
            yield from (("ListCost", amount), ("ContractedCost", amount))
            return
        yield "PricingQuantity", quantity
        if line.key != "cost.unused":
            yield "ConsumedQuantity", quantity
        key = line.unit_price_line.key
        if self._is_covered(line):
            yield from self._on_demand(quantity)
            return
        yield "ListUnitPrice", self._in_currency(self._listed(key))
        yield "ListCost", self._list_cost(key, quantity, amount)
        yield "ContractedUnitPrice", self._in_currency(ref(key))
        yield "ContractedCost", amount

    def _on_demand(self, quantity: Expression) -> Iterator[tuple[str, Expression]]:
        """Hours that a contract covers, at the price that they have without it, where that is known."""
        if _ON_DEMAND not in self._ledger:
            return
        for name, price in (("List", self._listed(_ON_DEMAND)), ("Contracted", ref(_ON_DEMAND))):
            yield f"{name}UnitPrice", self._in_currency(price)
            yield f"{name}Cost", _as_printed(quantity * price * ref("fx_rate"))

    def _listed(self, key: str) -> Expression:
        """The price before a negotiated discount. Of a run that is bought on demand in part, the mean of both."""
        if f"list_{key}" in self._ledger:
            return ref(f"list_{key}")
        parts = ("spot_usd_per_gpu_hour", _ON_DEMAND)
        if key == PRICE and self._ledger[PRICE].expression is not None and all(part in self._ledger for part in parts):
            spot, other = (self._listed(part) for part in parts)
            share = ref("spot_share_percent")
            return (spot * share + other * (100 - share)) / 100
        return ref(key)

    def _list_cost(self, key: str, quantity: Expression, amount: Expression) -> Expression:
        """The amount itself where nothing was negotiated, so that both are the same to the cent."""
        listed = self._listed(key)
        if not any(name.startswith("list_") for name in listed.references()):
            return amount
        return _as_printed(quantity * listed * ref("fx_rate"))

    @staticmethod
    def _in_currency(price: Expression) -> Expression:
        return price * ref("fx_rate")

    def _is_covered(self, line: CostLine) -> bool:
        return self._signed and COST_ITEMS[line.key.removeprefix("cost.")].kind in _COVERED

    def _footprint(self, at: str, name: str, month: Month) -> Iterator[Line]:
        """Energy and carbon of the hours of a line."""
        energy = ENERGY.get(name)
        if energy is None:
            return
        if name == "lost" and "cost.interruptions" in self._ledger:
            energy = LOST_BESIDES
        key = f"{at}.x_KWh"
        yield computed(key, "kwh", "schedule", energy * _part(name, month))
        for column, grid in _CARBON:
            yield computed(f"{at}.{column}", "kg_co2e", "schedule", ref(key) * ref(grid) / 1000)

    # ---- texts

    def _common_texts(self, dossier: Dossier) -> dict[str, str]:
        budget = self._budget
        place, scenario = budget.place, budget.scenario
        tags = {
            "model": budget.estimate.model.name,
            "method": scenario.job.method,
            "gpu": budget.estimate.cluster.gpu.name,
            "cost_centre": dossier.organisation.cost_centre,
        }
        where = ", ".join((place.cloud.city, place.cloud.country)) if place.cloud is not None else ""
        return {
            "BillingCurrency": budget.currency,
            "RegionId": place.region or "",
            "RegionName": where,
            "Tags": json.dumps({key: text for key, text in tags.items() if text}, ensure_ascii=False),
            "x_Percentile": "base",
            "x_ScenarioId": scenario.name,
            "x_EstimateId": result_mark(budget),
        }

    def _texts(self, item: FocusItem, line: CostLine) -> dict[str, str]:
        is_gpu = item.service == "GPU compute"
        seller = self._seller(item, is_gpu)
        unit = UNITS.get(line.quantity_unit, "") if line.unit_price_line is not None else ""
        quote, basis = self._budget.quote, line.price_line
        consumed = item.charge == "Usage" and line.key != "cost.unused"
        return {
            "ChargeCategory": item.charge,
            "ChargeFrequency": item.frequency,
            **dict.fromkeys(("ProviderName", "PublisherName", "InvoiceIssuerName"), seller),
            "ServiceCategory": item.category,
            "ServiceName": item.service,
            "ResourceType": self._budget.estimate.cluster.gpu.name if is_gpu else "",
            "SkuId": quote.instance_type if is_gpu and quote is not None else "",
            "SkuPriceId": basis.row_text if basis is not None else "",
            "PricingCategory": self._pricing(item, is_gpu),
            "PricingUnit": unit,
            "ConsumedUnit": unit if consumed else "",
            "CommitmentDiscountType": self._budget.scenario.price.purchase if self._signed and is_gpu else "",
            "x_PriceRetrievedAt": basis.source.as_of if basis is not None else "",
        }

    def _seller(self, item: FocusItem, is_gpu: bool) -> str:
        owned = is_gpu and self._budget.scenario.price.purchase == "owned"
        if item.inside or owned:
            return self._organisation.name or _INTERNAL
        return self._budget.place.provider or ""

    def _pricing(self, item: FocusItem, is_gpu: bool) -> str:
        if item.charge in ("Tax", "Credit"):
            return ""
        if not is_gpu:
            return "Other" if item.inside else "Standard"
        if self._signed:
            return "Committed"
        return PRICING_CATEGORIES.get(self._budget.scenario.price.purchase, "Other")


def _part(name: str, month: Month) -> Expression:
    """The share of a line that falls into a month, as the schedule shares it out."""
    share = "stored_share" if COST_ITEMS[name].moves == "stored" else "run_share"

    def done(key: str) -> Expression:
        return when(ref(key) >= 1, 1, 0) if name == "egress" else ref(key)

    now = done(month.keys[share])
    return now if month.number == 1 else now - done(f"month.{month.number - 1}.{share}")


def _as_printed(amount: Expression) -> Expression:
    return rounded(amount, ref("money_digits"))


def _lines(at: str, numbers: Mapping[str, Expression]) -> Iterator[Line]:
    for column in COLUMNS:
        if column in numbers:
            unit = "currency" if column in _MONEY else "number"
            yield computed(f"{at}.{column}", unit, "schedule", numbers[column])
