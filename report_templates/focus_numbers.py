"""The numbers of a row of a FOCUS-shaped forecast, as formulas over the lines of the ledger and of the schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from desktop_app.budget.budget import CostLine
from desktop_app.budget.cost_items import ITEMS as COST_ITEMS
from desktop_app.budget.dossier.schedule import Month
from desktop_app.budget.ledger import Ledger, Line
from desktop_app.budget.lines import computed
from desktop_app.budget.lines_price import PRICE
from desktop_app.foundation.expression import Expression, Literal, ref, rounded, when
from report_templates.focus_items import ENERGY, LOST_BESIDES, UNITS

COMMITTED = "cost.committed"
MONEY = ("ListCost", "ContractedCost", "EffectiveCost", "BilledCost")
_COVERED = ("hourly", "unused")  # kinds of lines that a contract pays
_ON_DEMAND = "on_demand_usd_per_gpu_hour"
_MIXED = ("spot_usd_per_gpu_hour", _ON_DEMAND)  # what the price of a run is the mean of that is partly on demand
_CARBON = (("x_KgCO2eLocation", "grid_g_per_kwh"), ("x_KgCO2eMarket", "market_g_per_kwh"))


class FocusNumbers:
    """Makes the numbers of the rows of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """`ledger` is that of the base."""
        self._ledger = ledger
        self.signed = COMMITTED in ledger

    def of_line(self, line: CostLine, month: Month) -> Mapping[str, Expression]:
        """Column -> formula, of a line of money in one month."""
        amount = ref(month.keys[line.key])
        return {
            **dict(self._prices(line, _quantity(line, month), amount)),
            "EffectiveCost": amount,
            "BilledCost": Literal(0) if self._is_covered(line) else amount,
        }

    def of_commitment(self) -> Mapping[str, Expression]:
        """What a contract binds: billed when it is signed, its effective cost that of the hours it covers."""
        quantity, amount = ref("paid_gpu_hours"), ref(COMMITTED)
        return {
            "PricingQuantity": quantity,
            "ListUnitPrice": _in_currency(self._listed(PRICE)),
            "ListCost": self._list_cost(PRICE, quantity, amount),
            "ContractedUnitPrice": _in_currency(ref(PRICE)),
            "ContractedCost": amount,
            "EffectiveCost": Literal(0),
            "BilledCost": amount,
        }

    def footprint(self, at: str, name: str, month: Month) -> Iterator[Line]:
        """Energy and carbon of the hours of a line; none of what draws no power. `at` begins the keys."""
        energy = ENERGY.get(name)
        if energy is None:
            return
        if name == "lost" and "cost.interruptions" in self._ledger:
            energy = LOST_BESIDES
        key = f"{at}.x_KWh"
        yield computed(key, "kwh", "schedule", energy * _part(name, month))
        for column, grid in _CARBON:
            yield computed(f"{at}.{column}", "kg_co2e", "schedule", ref(key) * ref(grid) / 1000)

    def _is_covered(self, line: CostLine) -> bool:
        return self.signed and COST_ITEMS[line.key.removeprefix("cost.")].kind in _COVERED

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
        if self._is_covered(line):
            yield from self._on_demand(quantity)
            return
        key = line.unit_price_line.key
        yield "ListUnitPrice", _in_currency(self._listed(key))
        yield "ListCost", self._list_cost(key, quantity, amount)
        yield "ContractedUnitPrice", _in_currency(ref(key))
        yield "ContractedCost", amount

    def _on_demand(self, quantity: Expression) -> Iterator[tuple[str, Expression]]:
        """Hours that a contract covers, at the price that they have without it, where that is known."""
        if _ON_DEMAND not in self._ledger:
            return
        for name, price in (("List", self._listed(_ON_DEMAND)), ("Contracted", ref(_ON_DEMAND))):
            yield f"{name}UnitPrice", _in_currency(price)
            yield f"{name}Cost", _as_printed(_in_currency(quantity * price))

    def _listed(self, key: str) -> Expression:
        """The price before a negotiated discount. Of a run that is bought on demand in part, the mean of both."""
        ledger = self._ledger
        if f"list_{key}" in ledger:
            return ref(f"list_{key}")
        if key == PRICE and ledger[PRICE].expression is not None and all(part in ledger for part in _MIXED):
            spot, other = map(self._listed, _MIXED)
            share = ref("spot_share_percent")
            return (spot * share + other * (100 - share)) / 100
        return ref(key)

    def _list_cost(self, key: str, quantity: Expression, amount: Expression) -> Expression:
        """The amount itself where nothing was negotiated, so that both are the same to the cent."""
        listed = self._listed(key)
        if not any(name.startswith("list_") for name in listed.references()):
            return amount
        return _as_printed(_in_currency(quantity * listed))


def _in_currency(usd: Expression) -> Expression:
    return usd * ref("fx_rate")


def _as_printed(amount: Expression) -> Expression:
    return rounded(amount, ref("money_digits"))


def _quantity(line: CostLine, month: Month) -> Expression | None:
    """What of the quantity of a line falls into a month; None of one that is a share of the bill."""
    if line.quantity_unit not in UNITS:
        return None
    return ref(line.quantity_line.key) * _part(line.key.removeprefix("cost."), month)


def _part(name: str, month: Month) -> Expression:
    """The share of a line that falls into a month, as the schedule shares it out."""
    share = "stored_share" if COST_ITEMS[name].moves == "stored" else "run_share"

    def done(key: str) -> Expression:
        return when(ref(key) >= 1, 1, 0) if name == "egress" else ref(key)

    now = done(month.keys[share])
    return now if month.number == 1 else now - done(f"month.{month.number - 1}.{share}")
