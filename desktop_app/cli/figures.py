"""`estimate` without --json: the figures as a person reads them in a terminal."""

from __future__ import annotations

from desktop_app.budget.budget import Budget
from desktop_app.budget.explain import line_text, never_ends
from desktop_app.budget.host_memory import deciding_host_memory
from desktop_app.budget.remedy_words import effort_words, memory_words
from desktop_app.estimation.results import MeasuredRun, Remedy
from desktop_app.estimation.software import software_of
from desktop_app.foundation.formatting import compact, percent, plain
from desktop_app.foundation.quantities import format_span, format_value
from desktop_app.foundation.wording import Words

# the ledger line of each headline -> its words
_HEADLINES = {
    "cost.total": "figure.cost_base",
    "wall_days": "time.wall",
    "gpu_hours": "figure.gpu_hours",
    "energy_facility_kwh": "energy.facility",
    "co2e_kg_location": "figure.carbon_location",
}
_OF_THE_RUN = ("mtbf_gpu_hours", "checkpoint_interval_minutes", "checkpoint_write_s")


def figures_text(budget: Budget, words: Words) -> str:
    """Headlines with ranges, the verdict, the lines of money and what to know about them."""
    estimate, plan = budget.estimate, budget.estimate.plan
    layout = (
        f"tp {plan.tp}, pp {plan.pp}, dp {plan.dp}, cp {plan.cp}, ep {plan.ep}, {estimate.sharding}, "
        f"micro-batch {plan.micro_batch}, recompute {estimate.recompute}"
    )
    parts = [
        f"{estimate.model.name}, {compact(estimate.job.tokens, words.language)} tokens, "
        f"{estimate.cluster.gpus} x {estimate.cluster.gpu.name}",
        "",
        *(_headline(budget, words, key, label) for key, label in _HEADLINES.items()),
        _row(words("figure.ask"), _money(budget, "cost.ask", words)),
        *_committed(budget, words),
        *_memory(budget, words),
        *(_row("", _remedy(remedy, words)) for remedy in estimate.remedies),
        _row(words("card.job"), _job(budget, words)),
        _row(words("parallel.layout"), layout),
        _row(words("ledger.tokens_per_s_per_gpu"), _speed(budget, words)),
        *_basis(budget, words),
        "",
        *(_row(words(f"ledger.{line.key}"), _money(budget, line.key, words)) for line in budget.cost_lines),
        "",
        *(f"{problem.severity}: {words.sentence(problem)}" for problem in budget.problems),
    ]
    return "\n".join(parts).rstrip()


def _job(budget: Budget, words: Words) -> str:
    """Method, precision, length and batch: what decides, and may be a default."""
    job = budget.estimate.job
    return words(
        "cli.job",
        method=words(f"method.{job.method}"),
        precision=job.precision,
        length=format_value(job.sequence_length, "token", words),
        batch=plain(budget.estimate.global_batch),
    )


def _speed(budget: Budget, words: Words) -> str:
    """Tokens per second and MFU in steady state, and MFU over the whole run."""
    shares = {key: format_value(budget.ledger.value(key), "share", words) for key in ("mfu", "run_mfu")}
    return f"{line_text(budget, 'tokens_per_s_per_gpu', words)}{words('list.comma')}{words('cli.mfu', **shares)}"


def _committed(budget: Budget, words: Words) -> tuple[str, ...]:
    """What a contract binds; no row for a purchase without one."""
    if "cost.committed" not in budget.ledger:
        return ()
    return (_row(words("figure.committed"), _money(budget, "cost.committed", words)),)


def _headline(budget: Budget, words: Words, key: str, label: str) -> str:
    ranged, unit = budget.ranged(key), budget.ledger[key].unit
    if never_ends(budget, key):
        return _row(words(label), words("state.never_finishes"))
    if key == "cost.total" and ranged.base is None:
        return _row(words(label), words("line.not_priced"))
    digits = int(budget.ledger.value("money_digits") or 0) if unit == "currency" else None
    text = format_value(ranged.base, unit, words, budget.currency, digits)
    if ranged.p10 is not None and ranged.p90 is not None:
        span = format_span(ranged.p10, ranged.p90, unit, words, budget.currency, digits, measure=ranged.base)
        text += f"  (P10-P90: {span})"
    return _row(words(label), text)


def _money(budget: Budget, key: str, words: Words) -> str:
    amount = budget.ledger.value(key)
    if amount is None:
        return words("state.never_finishes" if never_ends(budget, key) else "line.not_priced")
    return format_value(amount, "currency", words, budget.currency, int(budget.ledger.value("money_digits") or 0))


def _memory(budget: Budget, words: Words) -> tuple[str, ...]:
    """The verdict with the memory it rests on: that of the host has a row of its own where it decides."""
    peak, usable = (format_value(budget.ledger.value(key), "byte", words) for key in ("memory.peak", "memory.usable"))
    verdict, host = words(f"verdict.{budget.estimate.fits}"), deciding_host_memory(budget.estimate)
    if host is None:
        return (_row(words("memory.fits"), f"{verdict}: {peak} / {usable}"),)
    return (
        _row(words("memory.fits_host"), f"{verdict}: {host.tell('cli.host_memory', words)}"),
        _row(words("ledger.memory.peak"), f"{peak} / {usable}"),
    )


def _basis(budget: Budget, words: Words) -> tuple[str, ...]:
    """What the figures rest on: price, software, the closest measured run, failures and checkpoints."""
    estimate = budget.estimate
    software = words(f"software.{estimate.software.replace('-', '_')}")
    if estimate.shape.experts:
        stack = words(f"moe_stack.{software_of(estimate.job).moe_stack}")
        software += f"{words('list.comma')}{words('field.moe_stack')}: {stack}"
    rows = [(words("ledger.price_usd_per_gpu_hour"), _price(budget, words)), (words("field.software"), software)]
    rows += [(words("explain.closest_run"), _run(run, words)) for run in estimate.closest_measured_runs[:1]]
    rows += [(words(f"ledger.{key}"), line_text(budget, key, words)) for key in _OF_THE_RUN]
    return tuple(_row(label, text) for label, text in rows)


def _price(budget: Budget, words: Words) -> str:
    """The price of a GPU-hour, and where and how it is bought."""
    choice, quote, place = budget.scenario.price, budget.quote, budget.place
    value = budget.ledger.value("price_usd_per_gpu_hour")
    price = words("line.not_priced") if value is None else format_value(value, "usd_per_gpu_hour", words)
    seller, region = (quote.provider, quote.region) if quote else (place.provider, place.region)
    where = "" if choice.purchase == "owned" else " ".join(filter(None, (seller, region)))
    how = words(f"purchase.{choice.purchase.replace('-', '_')}")
    typed = words("tag.yours") if choice.price_usd_per_gpu_hour is not None else ""
    return words("list.comma").join(filter(None, (price, typed, _discounted(budget, words), where, how)))


def _discounted(budget: Budget, words: Words) -> str:
    """What was negotiated off the list price; "" where nothing was."""
    ledger, key = budget.ledger, "discount_percent.price_usd_per_gpu_hour"
    if key not in ledger:
        return ""
    listed = format_value(ledger.value("list_price_usd_per_gpu_hour"), "usd_per_gpu_hour", words)
    return words("cli.discounted", percent=format_value(ledger.value(key), "percent", words), listed=listed)


def _run(run: MeasuredRun, words: Words) -> str:
    """A published run with what was measured of it."""
    told = [words("explain.run", name=run.name, gpus=run.gpus, gpu=run.gpu)]
    if run.mfu is not None:
        told.append(f"MFU {percent(run.mfu, 1, words.language)}")
    if run.tokens_per_s_per_gpu is not None:
        told.append(format_value(run.tokens_per_s_per_gpu, "token_per_s", words))
    return words("list.comma").join(told)


def _remedy(remedy: Remedy, words: Words) -> str:
    value = f"{remedy.value:g}" if isinstance(remedy.value, float) else remedy.value
    effect = f"{memory_words(remedy, words)}, {effort_words(remedy, words)}"
    return f"{words(f'field.{remedy.field}')} {value}: {words(f'verdict.{remedy.fits}')}, {effect}"


def _row(label: str, text: str) -> str:
    return f"{label:40} {text}"
