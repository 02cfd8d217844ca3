"""The lines of energy and carbon: power of the node, PUE, grid, and what they come to."""

from __future__ import annotations

import re

from desktop_app.budget.constants import constants
from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line
from desktop_app.budget.lines import Head, assumed, chosen, computed, constant, stated, tabled, unknown, yours
from desktop_app.foundation.expression import Literal, largest, ref, smallest, total
from desktop_app.foundation.records import Source
from pricing.records import CloudRegion

ENERGY_IT_KWH = ref("energy_gpu_hours") * ref("it_kw_per_gpu")
ENERGY_FACILITY_KWH = ref("energy_it_kwh") * ref("pue")
CO2E_KG_LOCATION = ref("energy_facility_kwh") * ref("grid_g_per_kwh") / 1000

_GPU_KW = smallest(ref("gpu_alone_kw"), ref("node_kw_per_gpu"))  # a node that draws less than its GPUs was typed in
_KW = (
    computed("node_kw_per_gpu", "kw", "power", ref("node_power_kw") / ref("node_power_gpus")),
    computed("host_kw_per_gpu", "kw", "power", largest(ref("node_kw_per_gpu") - ref("gpu_alone_kw"), 0)),
    computed("network_kw_per_gpu", "kw", "power", ref("node_kw_per_gpu") * ref("network_power_percent") / 100),
    computed("it_kw_per_gpu", "kw", "power", ref("node_kw_per_gpu") + ref("network_kw_per_gpu")),
)
"""kW for each GPU at work: of the node, of that the host, the network beside it, and all of it."""
_DEVELOPMENT = computed(
    "development_gpu_hours", "gpu_hour", "run", (ref("development_multiplier") - 1) * ref("gpu_hours")
)
_PILOT = computed("pilot_gpu_hours", "gpu_hour", "run", ref("run_gpu_hours") * ref("pilot_percent") / 100)
_HOURS = (
    computed("evaluation_gpu_hours", "gpu_hour", "energy", ref("gpus") * ref("evaluation_hours")),
    computed(
        "energy_gpu_hours", "gpu_hour", "energy",
        ref("gpu_hours")
        + ref("evaluation_gpu_hours")
        + total(ref("development_gpu_hours"), ref("pilot_gpu_hours"), Literal(0)),
    ),
    computed("idle_gpu_hours", "gpu_hour", "energy", ref("gpus") * ref("idle_hours")),
)  # fmt: skip
"""GPU-hours that draw power: the run with its failures, evaluation, and what is stated of development and a pilot."""
_ENERGY = (
    computed("energy_gpus_kwh", "kwh", "energy", ref("energy_gpu_hours") * _GPU_KW),
    computed("energy_hosts_kwh", "kwh", "energy", ref("energy_gpu_hours") * ref("host_kw_per_gpu")),
    computed("energy_network_kwh", "kwh", "energy", ref("energy_gpu_hours") * ref("network_kw_per_gpu")),
    computed("energy_idle_kwh", "kwh", "energy", ref("idle_gpu_hours") * ref("idle_kw_per_gpu")),
    computed("energy_it_kwh", "kwh", "energy", ENERGY_IT_KWH + total(ref("energy_idle_kwh"), Literal(0))),
    computed("energy_facility_kwh", "kwh", "energy", ENERGY_FACILITY_KWH),
    computed("water_l", "litre", "energy", ref("energy_it_kwh") * ref("water_l_per_kwh")),
    computed(
        "development_energy_kwh", "kwh", "energy", ref("development_gpu_hours") * ref("it_kw_per_gpu") * ref("pue")
    ),
)  # fmt: skip
_SCI = ref("co2e_kg_location") + ref("co2e_kg_embodied")
_CARBON = (
    computed("co2e_kg_location", "kg_co2e", "carbon", CO2E_KG_LOCATION),
    computed("co2e_kg_market", "kg_co2e", "carbon", ref("energy_facility_kwh") * ref("market_g_per_kwh") / 1000),
    computed(
        "co2e_kg_embodied", "kg_co2e", "carbon",
        (ref("embodied_kg_per_gpu") + total(ref("embodied_kg_host"), Literal(0)))
        * (ref("energy_gpu_hours") + total(ref("idle_gpu_hours"), Literal(0)))
        / ref("gpu_life_hours"),
    ),
    computed("development_co2e_kg", "kg_co2e", "carbon", ref("development_energy_kwh") * ref("grid_g_per_kwh") / 1000),
    # ISO/IEC 21031: electricity x intensity + embodied, for each unit of work; certificates do not lower it.
    computed("sci_kg_per_run", "kg_co2e", "carbon", _SCI),
    computed(
        "sci_kg_per_trillion_tokens", "kg_co2e", "carbon", ref("sci_kg_per_run") / (ref("tokens") / 1e9 / 1000)
    ),
)  # fmt: skip


def project_lines(facts: Facts) -> tuple[Line, ...]:
    """What runs beside the final run, where it is stated: trial and failed runs, a pilot, hours that only wait."""
    return (
        stated("development_multiplier", "ratio", "run", facts),
        _DEVELOPMENT,
        stated("pilot_percent", "percent", "run", facts),
        _PILOT,
        stated("idle_hours", "hours", "run", facts),
    )


def energy_lines(facts: Facts) -> tuple[Line, ...]:
    """Energy follows GPU-hours, failures and evaluation included; water is that of the site, per kWh of IT."""
    return (
        *_power_lines(facts),
        _gpu_alone_line(facts),
        _network_line(facts),
        *_KW,
        _idle_line(facts),
        _pue_line(facts),
        _water_line(facts.place.cloud),
        *_HOURS,
        *_ENERGY,
    )


def carbon_lines(facts: Facts) -> tuple[Line, ...]:
    """Location-based, market-based and embodied carbon, and carbon for each unit of work."""
    return (_grid_line(facts), _market_line(facts), *_embodied_lines(facts), *_CARBON)


def _power_lines(facts: Facts) -> tuple[Line, Line]:
    """Power of one node at work, and the GPUs it has."""
    power_head: Head = ("node_power_kw", "kw", "power")
    gpus_head: Head = ("node_power_gpus", "gpu", "power")
    typed, power = facts.scenario.energy.node_power_kw, facts.power
    if typed is not None:
        gpus = facts.estimate.cluster.gpus_per_node
        return yours(*power_head, typed, facts), chosen(*gpus_head, gpus, facts, "gpus_per_node")
    if power is None:
        return unknown(*power_head, "node_power_kw"), unknown(*gpus_head)
    source = Source(power.source, power.as_of, power.quality)
    row = f"{power.node_model}, {power.basis}"
    return (
        tabled(*power_head, power.training_kw, source, row, "node_power_kw"),
        tabled(*gpus_head, power.gpu_count, source, row),
    )


def _gpu_alone_line(facts: Facts) -> Line:
    """What the GPU's own meter reads while training."""
    power = facts.gpu_power
    if power is None:
        return unknown("gpu_alone_kw", "kw", "power")
    return tabled("gpu_alone_kw", "kw", "power", power.training_kw, Source(power.source, power.as_of), power.gpu)


def _network_line(facts: Facts) -> Line:
    """Network, storage and management, in percent of the nodes; a single node has no fabric."""
    key, cluster = "network_power_percent", facts.estimate.cluster
    if facts.scenario.energy.network_power_percent is None and cluster.nodes == 1:
        return Line(key, "percent", "power", Source("source.one_node", ""), given=0.0, tag="default", field=key)
    return assumed(key, "power", facts)


def _idle_line(facts: Facts) -> Line:
    """kW for each GPU of a node that waits; few makers say."""
    key, typed, power = "idle_kw_per_gpu", facts.scenario.energy.idle_node_kw, facts.power
    if typed is not None:
        return yours(key, "kw", "power", typed / facts.estimate.cluster.gpus_per_node, facts, "idle_node_kw")
    if power is None or power.idle_kw is None:
        return unknown(key, "kw", "power", "idle_node_kw")
    source = Source(power.source, power.as_of, power.quality)
    return tabled(key, "kw", "power", power.idle_kw / power.gpu_count, source, power.node_model, "idle_node_kw")


def _pue_line(facts: Facts) -> Line:
    """PUE: typed in, of the region, or the industry average (which budget problems name)."""
    typed, cloud = facts.scenario.energy.pue, facts.place.cloud
    if typed is not None:
        return yours("pue", "ratio", "power", typed, facts)
    if cloud is not None and cloud.pue is not None:
        source = _site_source(cloud.pue_basis, cloud)
        return tabled("pue", "ratio", "power", cloud.pue, source, f"{cloud.provider} {cloud.region}", "pue")
    row = constants()["pue_default"]
    return Line("pue", "ratio", "power", row.source, given=row.value, tag="default", field="pue")


def _grid_line(facts: Facts) -> Line:
    """Carbon intensity of the grid: typed in, or of the cloud region."""
    key, unit = "grid_g_per_kwh", "g_per_kwh"
    typed, cloud = facts.scenario.energy.grid_g_per_kwh, facts.place.cloud
    if typed is not None:
        return yours(key, unit, "carbon", typed, facts)
    if cloud is not None and cloud.grid_g_co2e_per_kwh is not None:
        source = Source(cloud.source, str(cloud.intensity_year or cloud.as_of))
        row = ", ".join(filter(None, (f"{cloud.provider} {cloud.region}", cloud.intensity_method, cloud.gas_scope)))
        return tabled(key, unit, "carbon", cloud.grid_g_co2e_per_kwh, source, row, key)
    return unknown(key, unit, "carbon", key)


def _market_line(facts: Facts) -> Line:
    """Factor of the market-based figure: of the user's contract, else the residual mix of the country."""
    key, unit, residual = "market_g_per_kwh", "g_per_kwh", facts.residual
    typed = facts.scenario.energy.market_g_per_kwh
    if typed is not None:
        return yours(key, unit, "carbon", typed, facts)
    if residual is None:
        return unknown(key, unit, "carbon", key)
    source, row = Source(residual.source, str(residual.year)), f"{residual.zone_name}, {residual.gas_scope}"
    return tabled(key, unit, "carbon", residual.grid_g_co2e_per_kwh, source, row, key)


def _embodied_lines(facts: Facts) -> tuple[Line, ...]:
    """Carbon of making one GPU and its share of the server, and the hours of use it is spread over."""
    card_head: Head = ("embodied_kg_per_gpu", "kg_co2e", "carbon")
    host_head: Head = ("embodied_kg_host", "kg_co2e", "carbon")
    row = facts.physical
    if row is None or row.embodied_kg_co2e is None:
        return unknown(*card_head), unknown(*host_head), constant("gpu_life_hours", "carbon")
    card, host = row.embodied_source or row.source, row.host_embodied_source or row.source
    return (
        tabled(*card_head, row.embodied_kg_co2e, _dated(card, row.as_of, row.embodied_quality or ""), row.gpu),
        tabled(*host_head, row.host_embodied_kg_co2e, _dated(host, row.as_of, "proxy"), row.gpu),
        constant("gpu_life_hours", "carbon"),
    )


def _water_line(cloud: CloudRegion | None) -> Line:
    """Water that the site itself uses."""
    key, unit = "water_l_per_kwh", "litre_per_kwh"
    if cloud is None or cloud.wue_l_per_kwh is None:
        return unknown(key, unit, "energy")
    source = _site_source(cloud.wue_basis or cloud.source, cloud)
    return tabled(key, unit, "energy", cloud.wue_l_per_kwh, source, f"{cloud.provider} {cloud.region}")


def _site_source(basis: str, cloud: CloudRegion) -> Source:
    """The basis of a site's figure; the row's own date is the grid's."""
    return _dated(basis, cloud.as_of)


def _dated(name: str, as_of: str, quality: str = "") -> Source:
    """A source dated by the year that it names, which tells its age better than the day the table was made."""
    year = re.search(r"\b20\d\d\b", name)
    return Source(name, year.group() if year else as_of, quality)
