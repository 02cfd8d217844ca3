"""Dossiers of any kind for tests: any model on any GPU, any count, any way to pay, one scenario or several."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from desktop_app.budget.budget import make_budget
from desktop_app.budget.dossier.dossier import Dossier, make_dossier
from desktop_app.budget.scenario import Scenario
from desktop_app.estimation.gpus import gpu_names
from desktop_app.estimation.presets import preset_names
from desktop_app.foundation.problems import UserError
from desktop_app.foundation.records import validated
from pricing.catalogue import load_catalogue

TODAY = date(2026, 11, 30)
_BILLS = ("evaluation_percent", "checkpoints_kept", "development_multiplier", "discount_percent")
_COMMON = ("A100-80GB-SXM", "H100-80GB-SXM", "H200-141GB-SXM", "B200-SXM", "MI300X")


def random_dossier(random: Random) -> Dossier:
    """A dossier of one to three scenarios that can be computed."""
    catalogue, budgets = load_catalogue(), []
    wanted = random.choice([1, 1, 2, 3])
    while len(budgets) < wanted:
        try:
            budgets.append(make_budget(random_scenario(random, f"Scenario {len(budgets) + 1}"), catalogue))
        except UserError:
            continue  # a job that cannot run there
    return make_dossier(budgets, catalogue)


def random_scenario(random: Random, name: str) -> Scenario:
    """A scenario that may or may not run."""
    values: dict[str, Any] = {
        "name": name,
        "today": TODAY,
        "model": {"model": random.choice(preset_names())},
        "job": {
            "tokens": 10 ** random.uniform(6, 13),
            "sequence_length": random.choice([512, 2048, 8192]),
            "method": random.choice(["full", "lora", "qlora"]),
        },
        "cluster": {
            "gpu": random.choice([random.choice(_COMMON), random.choice(gpu_names())]),
            "gpus": random.choice([1, 2, 8, 64, 256, 1024, 16384]),
        },
        "price": _price(random),
        "beside": _beside(random),
    }
    if random.random() < 0.2:
        values["job"]["mfu"] = random.uniform(0.1, 0.6)
    if values["price"]["purchase"] == "owned" and random.random() < 0.5:
        values["own"] = {"own_server_usd_per_gpu": 30_000, "own_electricity_usd_per_kwh": 0.12}
    return validated(Scenario, values)


def _price(random: Random) -> dict[str, Any]:
    purchases = ["on-demand", "spot", "reserved-1y", "reserved-1mo", "owned", "capacity-block", "flex-start"]
    price: dict[str, Any] = {
        "provider": random.choice(["aws", "aws", *load_catalogue().providers()]),
        "purchase": random.choice(purchases),
        "currency": random.choice(["USD", "USD", "EUR", "CNY", "JPY"]),
    }
    if random.random() < 0.3:
        price["price_usd_per_gpu_hour"] = random.choice([0.0, 0.37, 2.5, 98.32])
    if random.random() < 0.2:
        price["discount_percent"] = random.uniform(0, 60)
    if random.random() < 0.2:
        price["development_multiplier"] = random.uniform(1, 4)
    if price["purchase"] == "spot" and random.random() < 0.5:
        price |= {"spot_share_percent": 60, "spot_interruptions_per_hour": random.choice([0.0, 0.001, 0.2])}
    return price


def _beside(random: Random) -> dict[str, Any]:
    stated = {
        "support_percent": 10, "tax_percent": 19, "credits_usd": 25_000, "staff_months": 3, "idle_hours": 40,
        "staff_usd_per_month": 9_000, "pilot_percent": 2, "egress_gb": 500, "kept_months": 6,
    }  # fmt: skip
    return {key: value for key, value in stated.items() if random.random() < 0.25}
