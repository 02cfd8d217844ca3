"""The printed lines of money, each with its quantity, its unit price and what moves it: one list for every rendering.

What is billed by the hour of the cluster stands first, then what stands beside compute. Both are the bill of the
seller; support is a share of it, credits come off it, tax is added to what is left. Staff is no part of the bill. A
line whose quantity or price nobody stated is "not priced": it costs nothing only where 0 is stated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from desktop_app.budget.facts import Facts
from desktop_app.budget.lines_own import electricity_is_charged, is_built
from desktop_app.budget.lines_price import PRICE, contract_of
from desktop_app.budget.lines_spot import is_spot
from desktop_app.foundation.expression import Expression, ref, smallest, when

Driver = Literal["speed", "overhead", "price", "energy"]
Kind = Literal["hourly", "unused", "bill", "on_bill", "apart"]


@dataclass(frozen=True, slots=True, eq=False)  # each stands once: equal means the same
class Item:
    """One line of money: `usd.<name>` = quantity x price, unless `expression` says otherwise.

    `quantity` and `price` are keys of ledger lines ("" where there is none); `moved_by` are the drivers that the whole
    amount scales with.
    """

    name: str
    kind: Kind
    quantity: str
    price: str
    moved_by: frozenset[Driver] = frozenset()
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


def _hourly(name: str, *moved_by: Driver, applies: Callable[[Facts], bool] = lambda facts: True) -> Item:
    return Item(name, "hourly", f"billed_gpu_hours.{name}", PRICE, frozenset((*moved_by, "price")), applies=applies)


def _beside_own(name: str, price: str, *moved_by: Driver, quantity: str = "own_gpu_hours") -> Item:
    return Item(name, "bill", quantity, price, frozenset(("speed", "overhead", *moved_by)), applies=is_built)


def _electricity(facts: Facts) -> bool:
    return is_built(facts) and electricity_is_charged(facts.scenario.own)


_ITEMS = (
    _hourly("run", "speed", "overhead"),
    _hourly("lost", "speed", "overhead"),
    _hourly("interruptions", "speed", "overhead", applies=is_spot),
    Item(
        "unused", "unused", "billed_gpu_hours.unused", PRICE, frozenset(("price",)),
        applies=lambda facts: contract_of(facts) is not None,
    ),
    _hourly("evaluation", "speed"),
    _hourly("pilot", "speed"),
    _hourly("idle"),
    _hourly("development", "speed", "overhead"),
    Item(
        "electricity", "bill", "energy_facility_kwh", "own_electricity_usd_per_kwh",
        frozenset(("speed", "overhead", "energy")), applies=_electricity,
    ),
    _beside_own("colocation", "own_colocation_usd_per_gpu_hour"),
    _beside_own("operations", "own_operations_usd_per_gpu_hour"),
    Item(
        "checkpoints", "bill", "storage_gb_months", "storage_usd_per_gb_month", frozenset(("speed", "overhead"))
    ),
    Item("data", "bill", "data_gb_months", "storage_usd_per_gb_month", frozenset(("speed", "overhead"))),
    Item("egress", "bill", "egress_gb", "egress_usd_per_gb"),
    Item("cpu_hosts", "bill", "cpu_host_hours", "cpu_host_usd_per_hour"),
    Item("support", "on_bill", "support_percent", "", expression=_BILL * ref("support_percent") / 100),
    Item(
        "credits", "on_bill", "credits_usd", "",
        expression=0 - smallest(ref("credits_usd"), ref("usd.bill_with_support")),
        applies=lambda facts: facts.credits is not None,
    ),
    Item("tax", "on_bill", "tax_percent", "", expression=ref("usd.taxed") * ref("tax_percent") / 100),
    Item("staff", "apart", "staff_months", "staff_usd_per_month"),
)  # fmt: skip


def items(facts: Facts) -> tuple[Item, ...]:
    """The lines of one budget, in the order they are printed."""
    return tuple(item for item in _ITEMS if item.applies(facts))


def moved(found: tuple[Item, ...], driver: Driver) -> tuple[Item, ...]:
    """The items whose amount scales with a driver."""
    return tuple(item for item in found if driver in item.moved_by)
