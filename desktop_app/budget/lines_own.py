"""The lines of hardware of one's own: a GPU-hour built from what the machines cost, and what runs beside them.

Cost per useful GPU-hour = purchase x (1 + network) x (1 - residual) / (life x hours of a year x utilisation). A rack
and the people who look after it are paid for idle hours too, so they are spread over the useful ones; electricity
follows the energy of the run. Where the rent of the rack holds the electricity, none is charged beside it.
"""

from __future__ import annotations

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import assumed, computed, stated, tabled, unknown, yours
from desktop_app.budget.scenario import OwnChoice
from desktop_app.foundation.expression import ref
from desktop_app.foundation.records import Source

_SHARED_OUT = ref("own_utilisation_percent") / 100
_PRICE = computed(
    "price_usd_per_gpu_hour",
    "usd_per_gpu_hour",
    "price",
    ref("own_capital_usd_per_gpu") / (ref("own_life_years") * ref("hours_per_year") * _SHARED_OUT),
)
_CAPITAL = computed(
    "own_capital_usd_per_gpu",
    "usd_per_gpu",
    "price",
    ref("own_server_usd_per_gpu") * (1 + ref("own_network_percent") / 100) * (1 - ref("own_residual_percent") / 100),
)
_COLOCATION = computed(
    "own_colocation_usd_per_gpu_hour",
    "usd_per_gpu_hour",
    "price",
    ref("own_rack_kw_per_gpu") * ref("own_colocation_usd_per_kw_month") / ref("hours_per_month") / _SHARED_OUT,
)
_OPERATIONS = computed(
    "own_operations_usd_per_gpu_hour",
    "usd_per_gpu_hour",
    "price",
    ref("own_operations_usd_per_gpu_year") / ref("hours_per_year") / _SHARED_OUT,
)
_DEFAULTS = ("own_network_percent", "own_residual_percent", "own_life_years", "own_utilisation_percent")


def is_built(facts: Facts) -> bool:
    """Whether the price of a GPU-hour is built from one's own hardware; a typed-in price holds all of it."""
    price = facts.scenario.price
    return price.purchase == "owned" and price.price_usd_per_gpu_hour is None


def own_price_lines(facts: Facts) -> tuple[Line, ...]:
    """The hardware, what is left of it in the end, and how long and how well it is used."""
    return (
        _server_line(facts),
        *(assumed(key, "price", facts) for key in _DEFAULTS),
        _CAPITAL,
        _PRICE,
        _rack_line(facts),
        stated("own_colocation_usd_per_kw_month", "usd_per_kw_month", "price", facts),
        _COLOCATION,
        stated("own_operations_usd_per_gpu_year", "usd_per_gpu_year", "price", facts),
        _OPERATIONS,
        _electricity_line(facts),
    )


def electricity_is_charged(own: OwnChoice) -> bool:
    """Whether electricity is a line of its own, as against a part of the rent of the rack."""
    return not own.own_colocation_has_power


def _server_line(facts: Facts) -> Line:
    """What a GPU with its share of the server costs: typed in, or the dated price that the table knows."""
    key, unit, typed = "own_server_usd_per_gpu", "usd_per_gpu", facts.scenario.own.own_server_usd_per_gpu
    if typed is not None:
        return yours(key, unit, "price", typed, facts)
    card = facts.physical
    if card is None or card.list_price_usd is None:
        return unknown(key, unit, "price", key)
    source = Source(
        card.list_price_source or card.source, card.list_price_as_of or card.as_of, card.list_price_quality or ""
    )
    return tabled(key, unit, "price", card.list_price_usd, source, card.gpu, key)


def _rack_line(facts: Facts) -> Line:
    """Power that a rack must hold ready for one GPU: the highest that such a node draws while training."""
    key, power, typed = "own_rack_kw_per_gpu", facts.power, facts.scenario.energy.node_power_kw
    if typed is not None:
        gpus = facts.estimate.cluster.gpus_per_node
        return yours(key, "kw", "price", typed / gpus, facts, "node_power_kw")
    if power is None:
        return unknown(key, "kw", "price", "node_power_kw")
    source = Source(power.source, power.as_of, power.quality)
    return tabled(key, "kw", "price", power.training_kw_high / power.gpu_count, source, power.node_model)


def _electricity_line(facts: Facts) -> Line:
    """Electricity by the kWh; nothing where the rent of the rack holds it."""
    key = "own_electricity_usd_per_kwh"
    if electricity_is_charged(facts.scenario.own):
        return stated(key, "usd_per_kwh", "price", facts)
    return Line(key, "usd_per_kwh", "price", Source("source.in_colocation", ""), given=0.0, tag="default", field=key)
