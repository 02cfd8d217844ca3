"""How each line of money stands in a FOCUS-shaped forecast: its category, service and unit in the words of FOCUS.

The names and the closed lists of values follow FOCUS 1.2 (focus.finops.org); they are the same in every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.foundation.expression import Expression, Literal, ref, total

VERSION = "1.2"
"""The version of FOCUS that names and values follow."""

COLUMNS = (
    "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory",
    "ChargeDescription", "ChargeFrequency", "BillingCurrency", "ProviderName", "PublisherName", "InvoiceIssuerName",
    "BillingAccountId", "SubAccountId", "ServiceCategory", "ServiceName", "RegionId", "RegionName", "ResourceType",
    "SkuId", "SkuPriceId", "PricingCategory", "PricingQuantity", "PricingUnit", "ConsumedQuantity", "ConsumedUnit",
    "ListUnitPrice", "ListCost", "ContractedUnitPrice", "ContractedCost", "EffectiveCost", "BilledCost",
    "CommitmentDiscountType", "Tags", "x_Percentile", "x_ScenarioId", "x_EstimateId", "x_PriceRetrievedAt", "x_KWh",
    "x_KgCO2eLocation", "x_KgCO2eMarket",
)  # fmt: skip
"""The columns in their order; those that begin with x_ are our own."""

NUMBERS = (
    "PricingQuantity", "ConsumedQuantity", "ListUnitPrice", "ListCost", "ContractedUnitPrice", "ContractedCost",
    "EffectiveCost", "BilledCost", "x_KWh", "x_KgCO2eLocation", "x_KgCO2eMarket",
)  # fmt: skip
"""Those that hold numbers."""

PERIODS = ("BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd")
"""Those that hold days; ends are not part of their period."""

UNITS = {
    "gpu_hour": "GPU-Hours",
    "gb_month": "GB-Months",
    "gb": "GB",
    "hours": "Hours",
    "month": "Months",
    "kwh": "kWh",
}
"""Our units in the words of FOCUS; a line in another unit, such as a percentage, has no quantity there."""

PRICING_CATEGORIES = {"on-demand": "Standard", "spot": "Dynamic"}
"""Of what is bought by the hour without a contract; other ways are "Other", under a contract "Committed"."""


@dataclass(frozen=True, slots=True)
class FocusItem:
    """The words of FOCUS for one line of money. `inside`: the organisation's own, that no seller charges."""

    category: str
    service: str
    charge: str = "Usage"
    frequency: str = "Usage-Based"
    inside: bool = False


_GPU = FocusItem("Compute", "GPU compute")
ITEMS: Mapping[str, FocusItem] = {
    **dict.fromkeys(("run", "lost", "interruptions", "unused", "evaluation", "pilot", "idle", "development"), _GPU),
    "electricity": FocusItem("Other", "Electricity", inside=True),
    "colocation": FocusItem("Other", "Colocation", inside=True),
    "operations": FocusItem("Other", "Operations", inside=True),
    "checkpoints": FocusItem("Storage", "Object storage"),
    "data": FocusItem("Storage", "Object storage"),
    "egress": FocusItem("Networking", "Data transfer out"),
    "cpu_hosts": FocusItem("Compute", "CPU hosts"),
    "support": FocusItem("Other", "Support plan", "Purchase", "Recurring"),
    "credits": FocusItem("Other", "Credits", "Credit", "One-Time"),
    "tax": FocusItem("Other", "Tax", "Tax", "Recurring"),
    "staff": FocusItem("Other", "Staff", "Purchase", "Recurring", inside=True),
}
"""By the names of the lines of money."""

COMMITMENT = FocusItem("Compute", "GPU compute", "Purchase", "One-Time")
"""What a contract binds, bought when it is signed."""

_AT_WORK = ref("it_kw_per_gpu") * ref("pue")
_INTERRUPTED = ref("gpus") * ref("interruption_hours")
ENERGY: Mapping[str, Expression] = {
    "run": ref("run_gpu_hours") * _AT_WORK,
    "lost": ref("lost_gpu_hours") * _AT_WORK,
    "interruptions": _INTERRUPTED * _AT_WORK,
    "evaluation": ref("evaluation_gpu_hours") * _AT_WORK,
    "pilot": ref("pilot_gpu_hours") * _AT_WORK,
    "development": ref("development_gpu_hours") * _AT_WORK,
    "idle": ref("energy_idle_kwh") * ref("pue"),
}
"""kWh of a line, of the GPUs that the job uses and the building around them: together the energy of the budget."""

LOST_BESIDES = (ref("lost_gpu_hours") - ref("gpus") * total(ref("interruption_hours"), Literal(0))) * _AT_WORK
"""Of what is lost where interruptions have a line of their own."""
