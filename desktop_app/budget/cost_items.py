"""The printed lines of money, each with its quantity, its unit price and what moves it: one list for every rendering.

What is billed by the hour of the cluster stands first, then what stands beside compute. Both are the bill of the
seller; support is a share of it, credits come off it, tax is added to what is left. Staff is no part of the bill. A
line whose quantity or price nobody stated is "not priced": it costs nothing only where 0 is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from desktop_app.budget.facts import Facts
from desktop_app.budget.lines_own import electricity_is_charged, is_built
from desktop_app.budget.lines_price import PRICE, contract_of
from desktop_app.budget.lines_spot import is_spot
from desktop_app.foundation.expression import Expression, ref, smallest, when

Kind = Literal["hourly", "unused", "bill", "on_bill", "apart"]
Moves = Literal["run", "speed", "price", "hours", "energy", "stored", "none"]
"""What an amount scales with: hours of the run and price, step time and price, price alone, hours of the run, these and
power, hours of the run but for what is kept beyond it, nothing."""


@dataclass(frozen=True, slots=True, eq=False)  # each stands once: equal means the same
class Item:
    """One line of money: `usd.<name>` = quantity x price, unless `expression` says otherwise.

    `quantity` and `price` are keys of ledger lines ("" where there is none).
    """

    name: str
    kind: Kind
    moves: Moves
    quantity: str
    price: str
    expression: Expression | None = None
    applies: Callable[[Facts], bool] = lambda facts: True

    @property
    def usd(self) -> Expression:
        """The amount in USD before rounding; 0 of a quantity of 0, whatever a unit costs."""
        if self.expression is not None:
            return self.expression
        amount = ref(self.quantity) * ref(self.price)
        return amount if self.kind in ("hourly", "unused") else when(ref(self.quantity) > 0, amount, 0)


_BILL = ref("usd.bill")


def _hourly(name: str, moves: Moves, applies: Callable[[Facts], bool] = lambda facts: True) -> Item:
    return Item(name, "hourly", moves, f"billed_gpu_hours.{name}", PRICE, applies=applies)


def _electricity(facts: Facts) -> bool:
    return is_built(facts) and electricity_is_charged(facts.scenario.own)


_ITEMS = (
    _hourly("run", "run"),
    _hourly("lost", "run"),
    _hourly("interruptions", "run", is_spot),
    Item(
        "unused", "unused", "price", "billed_gpu_hours.unused", PRICE,
        applies=lambda facts: contract_of(facts) is not None,
    ),
    _hourly("evaluation", "speed"),
    _hourly("pilot", "speed"),
    _hourly("idle", "price"),
    _hourly("development", "run"),
    Item(
        "electricity", "bill", "energy", "energy_facility_kwh", "own_electricity_usd_per_kwh", applies=_electricity
    ),
    Item("colocation", "bill", "hours", "own_gpu_hours", "own_colocation_usd_per_gpu_hour", applies=is_built),
    Item("operations", "bill", "hours", "own_gpu_hours", "own_operations_usd_per_gpu_hour", applies=is_built),
    Item("checkpoints", "bill", "stored", "storage_gb_months", "storage_usd_per_gb_month"),
    Item("data", "bill", "stored", "data_gb_months", "storage_usd_per_gb_month"),
    Item("egress", "bill", "none", "egress_gb", "egress_usd_per_gb"),
    Item("cpu_hosts", "bill", "none", "cpu_host_hours", "cpu_host_usd_per_hour"),
    Item("support", "on_bill", "none", "support_percent", "", expression=_BILL * ref("support_percent") / 100),
    Item(
        "credits", "on_bill", "none", "credits_usd", "",
        expression=0 - smallest(ref("credits_usd"), ref("usd.bill_with_support")),
        applies=lambda facts: facts.credits is not None,
    ),
    Item("tax", "on_bill", "none", "tax_percent", "", expression=ref("usd.taxed") * ref("tax_percent") / 100),
    Item("staff", "apart", "none", "staff_months", "staff_usd_per_month"),
)  # fmt: skip
ITEMS: Mapping[str, Item] = {item.name: item for item in _ITEMS}
"""Every line of money there is, by its name."""


def items(facts: Facts) -> tuple[Item, ...]:
    """The lines of one budget, in the order they are printed."""
    return tuple(item for item in _ITEMS if item.applies(facts))
