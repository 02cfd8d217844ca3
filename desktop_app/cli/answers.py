"""What `estimate --json` answers. Its keys are a contract: more may be added, none renamed."""

from __future__ import annotations

from typing import Any

from desktop_app.budget.budget import Budget, CostLine, Ranged
from desktop_app.budget.explain import explain
from desktop_app.estimation.goodput import CHOICES
from desktop_app.estimation.parameters import count
from desktop_app.estimation.software import software_of
from desktop_app.foundation.problems import Problem
from desktop_app.foundation.quantities import format_source
from desktop_app.foundation.wording import Words

_RANGES = {
    "step_time_s": "step_time_s",
    "tokens_per_s_per_gpu": "tokens_per_s_per_gpu",
    "mfu": "mfu",
    "gpu_hours": "gpu_hours",
    "wall_days": "wall_days",
    "energy_it_kwh": "energy_it_kwh",
    "energy_facility_kwh": "energy_facility_kwh",
    "co2e_kg_location": "co2e_kg_location",
}
_FIGURES = (
    "training_flops", "practice_factor", "goodput", "run_mfu", "energy_gpus_kwh", "energy_hosts_kwh",
    "energy_network_kwh", "energy_idle_kwh", "co2e_kg_market", "co2e_kg_embodied", "sci_kg_per_run",
    "sci_kg_per_trillion_tokens", "water_l",
)  # fmt: skip
_OF_PURCHASE = (
    "on_demand_usd_per_gpu_hour", "spot_interruptions_per_hour", "spot_break_even_hours", "interruptions",
    "waiting_hours", "contract_hours", "paid_gpu_hours", "contract_used_share", "break_even_utilisation",
)  # fmt: skip
_MEMORY = (
    "weights", "gradients", "optimizer", "activations", "logits", "buffers", "live_peak",
    "allowance_low", "allowance", "allowance_high", "peak_low", "peak", "peak_high",
)  # fmt: skip
_BREAKDOWN = (
    "linear", "attention", "memory_bound", "launch_floor", "tensor_parallel", "pipeline_bubble",
    "data_parallel_exposed", "optimizer", "other",
)  # fmt: skip


def estimate_answer(budget: Budget, words: Words) -> dict[str, Any]:
    """One JSON object for one budget. A figure that is not known is None and named in `problems`; it is never 0."""
    estimate, ledger = budget.estimate, budget.ledger
    breakdown = estimate.step_breakdown
    return {
        "model": estimate.model.name,
        "params_total": count(estimate.model).whole,
        "params_active": count(estimate.model).whole_active,
        "params_trainable": estimate.params_trainable,
        "layout": _layout(budget),
        "global_batch": estimate.global_batch,
        **{key: ledger.value(key) for key in _FIGURES},
        **{key: _ranged(budget.ranged(line)) for key, line in _RANGES.items()},
        "cost_usd": _ranged(budget.cost_usd),
        "cost_committed_usd": budget.committed_usd,
        "report_currency": _currency(budget),
        "step_breakdown_s": {key: getattr(breakdown, key) for key in _BREAKDOWN} if breakdown else None,
        "memory_bytes_per_gpu": {key: getattr(estimate.memory, key) for key in _MEMORY},
        "memory_capacity_bytes": estimate.cluster.gpu.usable_memory_bytes,
        "memory_host_bytes": estimate.memory.host_bytes,
        "fits": estimate.fits,
        "remedies": [_remedy(remedy) for remedy in estimate.remedies],
        "cost_lines": [_cost_line(budget, line, words) for line in budget.cost_lines],
        "not_priced": [key.removeprefix("cost.") for key in budget.not_priced],
        "price": _price(budget, words),
        "purchase": {key: ledger.value(key) if key in ledger else None for key in _OF_PURCHASE},
        "problems": [_problem(problem, words) for problem in budget.problems],
        "defaults_used": list(budget.defaults_used),
        "basis": {
            "regime": estimate.regime,
            "software": estimate.software,
            "closest_measured_runs": [
                {
                    "name": run.name, "gpu": run.gpu, "gpus": run.gpus, "mfu": run.mfu,
                    "tokens_per_s_per_gpu": run.tokens_per_s_per_gpu, "source": run.source, "as_of": run.as_of,
                }
                for run in estimate.closest_measured_runs
            ],
        },
        "settings_used": _settings_used(budget),
    }  # fmt: skip


def _settings_used(budget: Budget) -> dict[str, Any]:
    """What choices came to that nobody need state; the stack of experts is None for a model without any."""
    estimate, value = budget.estimate, budget.ledger.value
    return {
        "moe_stack": software_of(estimate.job).moe_stack if estimate.shape.experts else None,
        "capacity_factor": estimate.job.capacity_factor if estimate.shape.experts else None,
        "even_routing": estimate.job.even_routing if estimate.shape.experts else None,
        **{key: value(key) for key in CHOICES},
        "checkpoint_write_s": value("checkpoint_write_s"),
    }


def _ranged(ranged: Ranged) -> dict[str, float | None]:
    return {name: getattr(ranged, name) for name in ("base", "p10", "p50", "p80", "p90")}


def _layout(budget: Budget) -> dict[str, Any]:
    plan, estimate = budget.estimate.plan, budget.estimate
    return {
        **{
            name: getattr(plan, name)
            for name in ("tp", "pp", "dp", "cp", "ep", "interleave", "micro_batch", "accumulation")
        },
        "sharding": estimate.sharding,
        "recompute": estimate.recompute,
        "recompute_share": plan.full_recompute,
    }


def _remedy(remedy: Any) -> dict[str, Any]:
    return {
        "field": remedy.field, "value": remedy.value, "peak_change_bytes": remedy.peak_change_bytes,
        "step_time_change": remedy.step_time_change, "gpu_hours_change": remedy.gpu_hours_change,
        "fits": remedy.fits,
    }  # fmt: skip


def _currency(budget: Budget) -> dict[str, Any]:
    """The currency that `amount` of the cost lines is in, its dated rate, and the total as it is printed."""
    rate, value = budget.ledger["fx_rate"], budget.ledger.value
    return {
        "code": budget.currency,
        "units_per_usd": rate.given,
        "as_of": rate.source.as_of,
        "total": value("cost.total"),
        "ask": value("cost.ask"),
    }


def _cost_line(budget: Budget, line: CostLine, words: Words) -> dict[str, Any]:
    return {
        "key": line.key.removeprefix("cost."),
        "label": words(f"ledger.{line.key}"),
        "amount_usd": line.amount_usd,
        "amount": line.amount,
        "formula": explain(budget, f"usd.{line.key.removeprefix('cost.')}", words).formula,
        "source": format_source(line.basis.source, words),
        "as_of": line.basis.source.as_of,
    }


def _price(budget: Budget, words: Words) -> dict[str, Any] | None:
    line = budget.ledger.origin("price_usd_per_gpu_hour")
    if line.given is None:
        return None
    price, quote, place = budget.scenario.price, budget.quote, budget.place
    return {
        "provider": quote.provider if quote else place.provider,
        "region": quote.region if quote else place.region,
        "instance_type": quote.instance_type if quote else None,
        "purchase": price.purchase,
        "usd_per_gpu_hour": budget.ledger.value("price_usd_per_gpu_hour"),
        "listed_usd_per_gpu_hour": line.given,
        "usd_per_instance_hour": budget.ledger.value("price_usd_per_instance_hour"),
        "source": format_source(line.source, words),
        "as_of": line.source.as_of,
    }


def _problem(problem: Problem, words: Words) -> dict[str, str]:
    return {"field": problem.field, "severity": problem.severity, "message": words.sentence(problem)}
