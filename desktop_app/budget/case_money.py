"""The questions of cases.csv that need a budget: money, prices, energy, carbon."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from desktop_app.budget.budget import Budget, make_budget
from desktop_app.budget.scenario import BesideChoice, EnergyChoice, ModelChoice, PriceChoice, Scenario
from desktop_app.estimation.calibration import gpu_hours_range
from desktop_app.estimation.cluster import ClusterChoice
from desktop_app.estimation.gpus import gpu_named
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.estimation.validation.case_setup import gpu_of_case, setup_of_case, tokens_of_case
from desktop_app.estimation.validation.case_speed import Answer
from desktop_app.estimation.validation.reading import Cells, value
from desktop_app.estimation.validation.rows import UnansweredError
from desktop_app.foundation.records import validated
from desktop_app.foundation.units import KG_PER_TONNE, MINUTES_PER_HOUR, WATTS_PER_KW
from pricing.catalogue import load_catalogue

_TODAY = date(2026, 11, 30)  # of the tables: prices are those of that day
_STAND_IN = ModelChoice(model="GPT-2 124M")  # where the hours are given, nothing depends on the model
_NUMBER = r"([\d,]+(?:\.\d+)?)"


def answered(cells: Cells) -> Answer:
    """The answer to one question. Raises UnansweredError with the reason, UserError for what does not exist."""
    return _ANSWERS[cells["truth_quantity"]](cells)


def _number(text: str, pattern: str) -> float | None:
    found = re.search(pattern, text)
    return float(found[1].replace(",", "")) if found else None


def _scenario(
    cells: Cells, price: Mapping[str, Any] | None = None, energy: Mapping[str, Any] | None = None, **choices: Any
) -> Scenario:
    """What a user would choose for the run of a question; without `price`, the default seller's list of the day."""
    prices: dict[str, Any] = {"evaluation_percent": 0, "checkpoints_kept": 0, **(price or {})}
    return Scenario(
        model=choices.get("model", _STAND_IN),
        job=choices.get("job", TrainingJob()),
        cluster=choices["cluster"],
        price=validated(PriceChoice, prices),
        beside=BesideChoice(data_gb=0),
        energy=validated(EnergyChoice, {"network_power_percent": 0, **(energy or {})}),
        today=_TODAY,
    )


def _trained(cells: Cells, price: Mapping[str, Any] | None = None, energy: Mapping[str, Any] | None = None) -> Budget:
    """The budget of the run that a question is about. Raises UnansweredError where it says too little."""
    if tokens_of_case(cells) is None:
        raise UnansweredError("unsupported", "how many tokens were trained on is not stated")
    setup = setup_of_case(cells)
    model = ModelChoice(model=setup.model.name, custom_model=setup.model)
    scenario = _scenario(cells, price, energy, model=model, job=setup.job, cluster=setup.cluster)
    return make_budget(scenario, load_catalogue())


def _of_hours(cells: Cells, gpus: int, hours: float, line: str, **choices: Mapping[str, Any]) -> float | None:
    """A line of the ledger of a run that took so many hours on the clock."""
    cluster = validated(ClusterChoice, {"gpu": gpu_of_case(cells), "gpus": gpus})
    budget = make_budget(_scenario(cells, **choices, cluster=cluster), load_catalogue())
    return budget.ledger.evaluate({"net_hours": hours, "wall_hours": hours})[line]


def _known(figure: float | None, reason: str) -> float:
    if figure is None:
        raise UnansweredError("refused", reason)
    return float(figure)


# Money


def _cost(cells: Cells) -> Answer:
    """What a run costs: at the rate that the thread states, else at the list of the default seller today."""
    if not value(cells, "truth_value"):
        raise UnansweredError("unsupported", "nothing was obtained, so nothing was paid: capacity is not predicted")
    billed = re.search(r"(\d+) instances x ([\d.]+) h x ([\d.]+)", cells["notes"])
    gpus = value(cells, "n_gpus") or 1.0
    if billed:
        rate = float(billed[3]) * float(billed[1]) / gpus
        figure = _of_hours(cells, int(gpus), float(billed[2]), "cost.total", price=_rate(rate))
        return Answer(_known(figure, "not priced"), note=f"{rate:g} USD per GPU-hour, as stated")
    stated, words = _rate_of(cells, gpus)
    budget = _trained(cells, _rate(stated) if stated else None)
    cost = _known(budget.cost_usd.base, "not priced")
    low, high = gpu_hours_range(budget.estimate.speed_factor_80)
    return Answer(cost, cost * low, cost * high, words)


def _rate_of(cells: Cells, gpus: float) -> tuple[float | None, str]:
    text = f"{cells['notes']}; {cells['thread_notes']}"
    node, gpu = _number(text, r"\$([\d.]+)/h"), _number(text, r"\$([\d.]+)/GPU-h")
    if gpu is not None:
        return gpu, f"{gpu:g} USD per GPU-hour, as stated"
    if node is not None:
        return node / gpus, f"{node:g} USD per hour for {gpus:g} GPUs, as stated"
    return None, "no rate stated: list price of today at the default seller"


def _rate(usd_per_gpu_hour: float) -> dict[str, Any]:
    return {"provider": None, "region": None, "price_usd_per_gpu_hour": usd_per_gpu_hour}


def _price_per_hour(cells: Cells) -> Answer:
    """List price of an instance, where the seller can be told."""
    instance = re.search(r"\((NC\w+)\)", cells["gpu"])  # sizes of Azure
    if instance is None:
        raise UnansweredError("unsupported", "the seller is not named")
    name = re.sub(r"\(.*", "", cells["gpu"]).strip()
    cluster = validated(ClusterChoice, {"gpu": name, "gpus": int(value(cells, "n_gpus") or 1)})
    quote = make_budget(_scenario(cells, {"provider": "azure"}, cluster=cluster), load_catalogue()).quote
    if quote is None:
        raise UnansweredError("refused", "not priced")
    return Answer(quote.usd_per_instance_hour, note=f"{quote.instance_type}, {quote.region}, {quote.as_of}")


def _price_per_gpu_hour(cells: Cells) -> Answer:
    """What an instance of several GPUs costs per GPU."""
    instance = _number(cells["notes"], r"instance \$([\d.]+)/h")
    if instance is None:
        raise UnansweredError("unsupported", "the price of the instance is not stated")
    gpus = int(value(cells, "n_gpus") or 1)
    figure = _of_hours({**cells, "gpu": cells["gpu"] or "A100"}, gpus, 1.0, "cost.total", price=_rate(instance / gpus))
    return Answer(_known(figure, "not priced") / gpus, note="one hour of the instance over its GPUs")


def _on_demand_equivalent(cells: Cells) -> Answer:
    """Hours at the on-demand price that a spot run with failures costs as much as."""
    text = f"{cells['notes']}; {cells['thread_notes']}"
    rate, cheaper = _number(text, r"lambda ([\d.]+)/h"), _number(text, r"spot (\d+) % off")
    length = _number(cells["model"], r"([\d.]+)-h job") or _number(text, r"run ([\d.]+) h")
    if rate is None or cheaper is None or length is None:
        raise UnansweredError("unsupported", "rate of failures, discount or length not stated")
    minutes = _number(cells["notes"], r"(\d+)-min checkpoints") or length * MINUTES_PER_HOUR
    job = TrainingJob(checkpoint_interval_minutes=minutes, data_stall_share=0)  # the on-demand run stalls as often
    cluster = validated(ClusterChoice, {"gpus": 1, "mtbf_gpu_hours": 1 / rate})
    budget = make_budget(_scenario(cells, job=job, cluster=cluster), load_catalogue())
    wall = budget.ledger.evaluate({"net_hours": length})["wall_hours"]
    words = "interval between checkpoints as stated" if "-min checkpoints" in cells["notes"] else "one at the end"
    return Answer(
        _known(wall, "the run never finishes") * (1 - cheaper / 100), note=f"failures as Daly has them; {words}"
    )


# Energy and carbon


def _alone(cells: Cells) -> float:
    """kW of one GPU alone: at its TDP where a card took that, else as metered."""
    gpu = gpu_named(gpu_of_case(cells)).name
    power = load_catalogue().gpu_power(gpu)
    if power is None:
        raise UnansweredError("refused", f"TDP of {gpu} not known")
    return power.training_kw


def _energy(cells: Cells) -> Answer:
    """kWh of a run of stated length, else of the run as we predict it: GPUs alone, as these sources count."""
    text = f"{cells['unit']}; {cells['notes']}; {cells['thread_notes']}"
    gpu_hours, pue = _gpu_hours(cells, text), _number(text, r"PUE ([\d.]+)") or 1.0
    if gpu_hours is None and not cells["gpu"]:
        raise UnansweredError("unsupported", "the card is not named")
    kw, words = _power(cells, text)
    energy = {"pue": pue, "node_power_kw": kw * gpu_named(gpu_of_case(cells)).typical_node_gpus}
    if gpu_hours is None:
        return _energy_of_run(cells, energy, words)
    per_node = gpu_named(gpu_of_case(cells)).typical_node_gpus
    figure = _of_hours(cells, per_node, gpu_hours / per_node, "energy_facility_kwh", energy=energy)
    return Answer(
        _known(figure, "power not known"), note=f"{words}; {gpu_hours:,.6g} GPU-hours and PUE {pue:g}, as stated"
    )


def _energy_of_run(cells: Cells, energy: Mapping[str, Any], words: str) -> Answer:
    budget = _trained(cells, energy=energy)
    figure = _known(budget.ledger.value("energy_facility_kwh"), "power not known")
    low, high = gpu_hours_range(budget.estimate.speed_factor_80)
    hours = budget.ledger.value("gpu_hours") or 0.0
    return Answer(figure, figure * low, figure * high, f"{words}; our own {hours:,.0f} GPU-hours")


def _power(cells: Cells, text: str) -> tuple[float, str]:
    """kW per GPU: stated beside the hours, TDP where the source multiplied by it, else as GPUs alone were metered."""
    stated = _number(text, r"x ([\d.]+) kW")
    if stated is not None:
        return stated, f"{stated * WATTS_PER_KW:g} W per GPU, as stated"
    gpu = gpu_named(gpu_of_case(cells)).name
    physical = load_catalogue().physical(gpu)
    if "PUE" in text and physical is not None and physical.tdp_w is not None:
        return physical.tdp_w / WATTS_PER_KW, f"{physical.tdp_w:g} W per GPU: its TDP, as such calculators take it"
    alone = _alone(cells)
    return alone, f"GPUs alone: {alone * WATTS_PER_KW:.0f} W each"


def _gpu_hours(cells: Cells, text: str) -> float | None:
    """GPU-hours that a question states."""
    million = _number(cells["notes"], r"([\d.]+)M GPU-h")
    if million is not None:
        return million * 1e6
    stated = _number(cells["notes"], _NUMBER + r" GPU-h") or _number(cells["unit"], r"([\d.]+) are GPU-hours")
    clock = _number(cells["notes"], r"^([\d.]+) h$")
    return stated if stated is not None or clock is None else clock * (value(cells, "n_gpus") or 1)


def _carbon(cells: Cells) -> Answer:
    """Tonnes CO2e at the grid factor that the thread states."""
    text = f"{cells['notes']}; {cells['thread_notes']}"
    kilograms, grams = _number(text, r"x ([\d.]+) kg/kWh"), _number(text, r"([\d.]+) g/kWh")
    if kilograms is None and grams is None:
        raise UnansweredError("refused", "no grid factor and no place published")
    factor = kilograms * 1000 if kilograms is not None else grams or 0.0
    used = _energy(cells)
    figure = used.predicted * factor / 1000 / KG_PER_TONNE
    scale = figure / used.predicted
    low, high = (None if end is None else end * scale for end in (used.low, used.high))
    return Answer(figure, low, high, f"{used.note}; {factor:g} g/kWh, as stated")


def _energy_per_gpu_hour(cells: Cells) -> Answer:
    return Answer(_alone(cells), note="GPUs alone; the share of TDP was taken from this family of runs")


_ANSWERS: Mapping[str, Callable[[Cells], Answer]] = {
    "cost_usd": _cost,
    "price_usd_per_h": _price_per_hour,
    "price_usd_per_gpu_h": _price_per_gpu_hour,
    "cost_equiv_on_demand_hours": _on_demand_equivalent,
    "energy_kwh": _energy,
    "kwh_per_gpu_hour": _energy_per_gpu_hour,
    "co2_t": _carbon,
}
QUANTITIES = tuple(_ANSWERS)
"""What this module answers."""
