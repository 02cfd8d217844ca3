"""Energy, carbon, money and power of published whole runs (runs.csv) by the program's own power model and ledger.

What a source metered is compared like with like: GPUs alone with GPUs alone, whole nodes with whole nodes, PUE and
grid as it states them. Published GPU-hours are taken as given, so that power is judged apart from speed; where none
are published, our own stand in. A source that multiplied hours by TDP proves arithmetic only ("arithmetic" in the
note, against "metered").
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.scenario import EnergyChoice, ModelChoice, PriceChoice, Scenario
from desktop_app.estimation.cluster import Cluster, ClusterChoice
from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.cell_rules import FIGURE, FIGURE_OR_ZERO, Rules, like, require
from desktop_app.estimation.validation.reading import Cells, Table, value
from desktop_app.estimation.validation.rows import UnansweredError, ValidationRow
from desktop_app.estimation.validation.run_setup import setup_of_run
from desktop_app.estimation.validation.runs import RunGuess, check, predicted_run, unanswerable
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from desktop_app.foundation.units import KG_PER_TONNE, WATTS_PER_KW
from desktop_app.foundation.wording import words_of
from pricing.catalogue import load_catalogue

COLUMNS = (
    "id", "source_group", "model", "params_b", "active_params_b", "tokens_b", "seq_len", "gpu", "n_gpus", "gpu_hours",
    "wall_days", "energy_mwh", "pue", "avg_power_w_per_gpu", "grid_gco2_kwh", "co2_t", "co2_method", "cost_usd",
    "price_usd_per_gpu_h", "location", "notes", "kind", "quality", "derived_fields",
)  # fmt: skip
_TABLE = Table("runs", COLUMNS, "energy_mwh")
_QUANTITIES = ("energy_mwh", "co2_t", "cost_usd", "avg_power_w_per_gpu")
_KWH_PER_MWH = 1000  # SI
_RULES: Rules = {
    **dict.fromkeys(("energy_mwh", "avg_power_w_per_gpu", "cost_usd", "price_usd_per_gpu_h"), FIGURE),
    **dict.fromkeys(("grid_gco2_kwh", "co2_t"), FIGURE_OR_ZERO),
    "pue": like(EnergyChoice, "pue"),
}
_TODAY = date(2026, 11, 30)  # of the tables; nothing here depends on the age of a price
_SMALL_MODEL = {"model": "GPT-2 124M"}  # stands in where the hours are given: power does not depend on the model
_NOBODY = {"provider": None, "region": None, "evaluation_percent": 0, "checkpoints_kept": 0}  # sells it: hours x rate
_COUNTRIES = {"USA": "USA", "Australia": "AUS", "Finland": "FIN", "France": "FRA", "Switzerland": "CHE", "China": "CHN"}


@dataclass(frozen=True, slots=True)
class Power:
    """The power that a row is computed with: kW of one node (None: the catalogue's), its range and where it is from."""

    node_kw: float | None
    low: float  # over the central value
    high: float
    words: str


def rows(folder: Path) -> list[ValidationRow]:
    """One row for each published energy, carbon, cost and power of a run. Raises UserError."""
    return _TABLE.rows(folder, _answered)


def _answered(cells: Cells) -> list[ValidationRow]:
    asked = [name for name in _QUANTITIES if value(cells, name) and _is_result(cells, name)]
    return [_row(cells, name) for name in asked]


def _is_result(cells: Cells, quantity: str) -> bool:
    """Power is a result where it was measured, else a factor that the source used."""
    return quantity != "avg_power_w_per_gpu" or cells["kind"] == "power measurement"


def _row(cells: Cells, quantity: str) -> ValidationRow:
    kind = "arithmetic" if _circular(cells, quantity) else "metered"
    try:
        check(cells)
        require(cells, _RULES)
        predicted, span, words = _predicted(cells, quantity)
    except UnansweredError as error:
        return _TABLE.row(cells, quantity, f"{kind}; {error.reason}", error.status)
    except UserError as error:
        return _TABLE.row(cells, quantity, f"{kind}; {words_of('en').sentence(error.problems[0])}", "refused")
    except (ArithmeticError, ValueError):
        return _TABLE.row(cells, quantity, f"{kind}; its cells cannot be computed with", "refused")
    limits = None if span is None else (predicted * span[0], predicted * span[1])
    return _TABLE.row(cells, quantity, f"{kind}; {words}", "ok", predicted, limits)


def _circular(cells: Cells, quantity: str) -> bool:
    return quantity == "cost_usd" or "TDP" in cells["co2_method"]


def _predicted(cells: Cells, quantity: str) -> tuple[float, tuple[float, float] | None, str]:
    """The figure, its range over it, and what it rests on. Raises UnansweredError."""
    if cells["kind"] == "development":
        raise UnansweredError("unsupported", "development: not one training run")
    if quantity == "cost_usd":
        price = value(cells, "price_usd_per_gpu_h")
        if not price:
            raise UnansweredError("refused", "no rate published")
        money = _budget(cells, _power(cells), {"price_usd_per_gpu_hour": price})
        return _known(_values(money, cells)["cost.total"], quantity), None, f"{price:g} USD per GPU-hour, as published"
    power = _power(cells)
    budget = _budget(cells, power, {})
    if quantity == "avg_power_w_per_gpu":
        kw = _known(budget.ledger.value("it_kw_per_gpu"), quantity)
        return kw * WATTS_PER_KW, (power.low, power.high), power.words
    hours_words, guess = _hours(cells)
    values = _values(budget, cells)
    span = None if _circular(cells, quantity) else _span(power, guess)
    if quantity == "energy_mwh":
        key = "energy_it_kwh" if _before_pue(cells) else "energy_facility_kwh"
        return _known(values[key], quantity) / _KWH_PER_MWH, span, f"{power.words}; {hours_words}"
    tonnes = _known(values["co2e_kg_location"], quantity, "no grid factor and no place published") / KG_PER_TONNE
    return tonnes, span, f"{power.words}; {hours_words}; {_grid(cells)[1]}"


def _known(number: float | None, quantity: str, reason: str = "") -> float:
    if number is None:
        raise UnansweredError("refused", reason or f"{quantity}: not known for this accelerator")
    return float(number)


def _before_pue(cells: Cells) -> bool:
    """Whether the published energy is that of the devices: a PUE beside it entered the carbon alone."""
    return "before PUE" in cells["notes"] or "dynamic" in cells["co2_method"]


def _power(cells: Cells) -> Power:
    """GPUs alone, the power that the source assumed, or what the node draws."""
    gpu = gpu_named(cells["gpu"])
    per_node = gpu.typical_node_gpus
    stated = value(cells, "avg_power_w_per_gpu")
    if stated and "TDP" in cells["co2_method"]:
        return Power(stated * per_node / WATTS_PER_KW, 1.0, 1.0, f"{stated:g} W per GPU, as the source assumed")
    if "GPU power" in cells["co2_method"]:
        alone = load_catalogue().gpu_power(gpu.name)
        if alone is None:
            raise UnansweredError("refused", f"TDP of {gpu.name} not known")
        kw, words = alone.training_kw, f"GPUs alone: {alone.training_kw * WATTS_PER_KW:.0f} W each"
        return Power(kw * per_node, alone.training_kw_low / kw, alone.training_kw_high / kw, words)
    node = load_catalogue().node_power(gpu.name, per_node)
    if node is None:
        raise UnansweredError("refused", f"power of {gpu.name} not known")
    words = f"whole node: {node.training_kw / per_node * WATTS_PER_KW:.0f} W per GPU ({node.basis})"
    return Power(None, node.training_kw_low / node.training_kw, node.training_kw_high / node.training_kw, words)


def _budget(cells: Cells, power: Power, price: Mapping[str, float]) -> Budget:
    """The budget of a run as a user would state it: its energy is that of the run alone. Raises UnansweredError."""
    reason = "" if value(cells, "gpu_hours") or cells["kind"] == "power measurement" else unanswerable(cells)
    if reason:
        raise UnansweredError("unsupported", reason)
    return make_budget(_scenario(cells, power, price), load_catalogue())


def _scenario(cells: Cells, power: Power, price: Mapping[str, float]) -> Scenario:
    grid, pue = _grid(cells)[0], value(cells, "pue")
    hours = value(cells, "gpu_hours")
    gpus = int(value(cells, "n_gpus") or gpu_named(cells["gpu"]).typical_node_gpus)
    if hours or cells["kind"] == "power measurement":
        model, job = ModelChoice(**_SMALL_MODEL), TrainingJob()
    else:
        setup = setup_of_run(cells)
        model, job, gpus = ModelChoice(model=setup.model.name, custom_model=setup.model), setup.job, setup.cluster.gpus
    applied = pue if pue and "dynamic" not in cells["co2_method"] else 1.0
    energy: dict[str, Any] = {"pue": applied, "grid_g_per_kwh": grid, "node_power_kw": power.node_kw}
    energy["network_power_percent"] = 0  # what was metered is nodes or GPUs, never the network beside them
    return Scenario(
        model=model,
        job=job,
        cluster=validated(ClusterChoice, {"gpu": cells["gpu"], "gpus": gpus}),
        price=validated(PriceChoice, {**_NOBODY, **price}),
        energy=validated(EnergyChoice, energy),
        today=_TODAY,
    )


def _values(budget: Budget, cells: Cells) -> Mapping[str, Any]:
    """The ledger of a run, with its published GPU-hours in place of ours where there are some."""
    hours = value(cells, "gpu_hours")
    if not hours:
        return budget.ledger.values
    cluster: Cluster = budget.estimate.cluster
    wall = hours / cluster.gpus
    return budget.ledger.evaluate({"net_hours": wall, "wall_hours": wall})


def _hours(cells: Cells) -> tuple[str, RunGuess | None]:
    """Which GPU-hours are used, in words, and our own where none are published."""
    published = value(cells, "gpu_hours")
    if not published:
        guess = predicted_run(cells)
        return f"our own {guess.gpu_hours:,.0f} GPU-hours, none published; {guess.note}", guess
    if unanswerable(cells):
        return f"{published:,.0f} GPU-hours, as published", None
    try:
        ours = predicted_run(cells).gpu_hours
    except UserError:
        return f"{published:,.0f} GPU-hours, as published", None
    return f"{published:,.0f} GPU-hours, as published (ours: {ours / published:.2f} times as many)", None


def _span(power: Power, guess: RunGuess | None) -> tuple[float, float]:
    """P10 and P90 over the figure: power, and hours where they are ours, as independent log-normal factors."""
    ends = [(power.low, power.high), *([(guess.low, guess.high)] if guess else [])]
    low, high = (math.sqrt(sum(math.log(end[side]) ** 2 for end in ends)) for side in (0, 1))
    return math.exp(-low), math.exp(high)


def _grid(cells: Cells) -> tuple[float | None, str]:
    """Grams per kWh and where they are from: stated, implied in the method, or the average of the stated country."""
    stated, implied = value(cells, "grid_gco2_kwh"), re.search(r"implied (\d+) gCO2/kWh", cells["co2_method"])
    if cells["grid_gco2_kwh"] and stated is not None:
        return stated, f"{stated:g} g/kWh, as published"
    if implied:
        return float(implied[1]), f"{implied[1]} g/kWh, as the source implies (PUE included)"
    zone = next((code for name, code in _COUNTRIES.items() if name in cells["location"]), "")
    row = load_catalogue().grid(zone)
    if row is None:
        return None, ""
    return row.grid_g_co2e_per_kwh, f"{row.grid_g_co2e_per_kwh:g} g/kWh: {row.zone_name} {row.year}, none published"
