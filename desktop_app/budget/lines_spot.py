"""The lines of a spot run: how often all of it is interrupted, what that takes, and when it stops paying.

Interruptions stop a synchronous run as failures do, so they enter the mean time between stops that goodput is computed
from (estimation/goodput.py). What they cost is their share of the time that failures take; the waiting for new capacity
lengthens the calendar and is not billed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from desktop_app.budget.facts import Facts
from desktop_app.budget.ledger import Line, evaluated
from desktop_app.budget.lines import assumed, chosen, computed, predicted, tabled, unknown, yours
from desktop_app.estimation.goodput import never_finishes, whole_run
from desktop_app.foundation.expression import Expression, Literal, logarithm, ref, total
from desktop_app.foundation.records import Source
from desktop_app.foundation.scalar_ops import Number
from desktop_app.foundation.units import HOURS_PER_DAY

RATE = "spot_interruptions_per_hour"
MTBF_HOURS = 1 / (ref("gpus") / ref("mtbf_gpu_hours") + total(ref("spot_hazard_per_hour"), Literal(0)))
FAILURES = ref("wall_hours") * ref("gpus") / ref("mtbf_gpu_hours")
WALL_DAYS = (ref("wall_hours") + ref("evaluation_hours") + total(ref("waiting_hours"), Literal(0))) / HOURS_PER_DAY
OVERRIDES: Mapping[str, Expression] = {"mtbf_hours": MTBF_HOURS, "failures": FAILURES, "wall_days": WALL_DAYS}
"""Lines of the run that interruptions change."""

BEFORE_DAYS = (
    computed("interruptions", "interruption", "run", ref("wall_hours") * ref("spot_hazard_per_hour")),
    computed(
        "interruption_hours", "hours", "run", ref("failure_hours") * ref("spot_hazard_per_hour") * ref("mtbf_hours")
    ),
    computed("waiting_hours", "hours", "run", ref("interruptions") * ref("spot_wait_hours")),
)
"""What interruptions take: needs the hours of the run, and goes into its days."""

_HAZARD = computed("spot_hazard_per_hour", "per_hour", "run", ref(RATE) * ref("spot_share_percent") / 100)
_FROM_BAND = computed(
    RATE,
    "per_hour",
    "run",
    ref("instances") * logarithm(1 / (1 - ref("spot_reclaimed_percent") / 100)) / ref("hours_per_month"),
)
_RAREST, _MOST = 1e-7, 1e3  # interruptions an hour between which a break-even is looked for
_HALVINGS = 40  # of the logarithm of that span: to 1e-11 of it


def is_spot(facts: Facts) -> bool:
    """Whether interruptions stop the run."""
    return facts.scenario.price.purchase == "spot"


def hazard_lines(facts: Facts) -> tuple[Line, ...]:
    """How often the whole cluster is interrupted: typed in, by the seller's band for the instance, or not known."""
    if not is_spot(facts):
        return ()
    price = facts.scenario.price
    share = () if _has_share(facts) else (
        chosen("spot_share_percent", "percent", "run", price.spot_share_percent, facts),
    )  # fmt: skip
    return (*share, *_rate_lines(facts), _HAZARD, assumed("spot_wait_hours", "run", facts))


def _has_share(facts: Facts) -> bool:
    """Whether the share stands among the prices already."""
    price = facts.scenario.price
    mixed = price.spot_share_percent < 100 and price.price_usd_per_gpu_hour is None
    return mixed and facts.quote is not None


def _rate_lines(facts: Facts) -> tuple[Line, ...]:
    typed, row = facts.scenario.price.spot_interruptions_per_hour, facts.interruptions
    if typed is not None:
        return (yours(RATE, "per_hour", "run", typed, facts),)
    if row is None or row.interruption_high_pct >= 100:  # an open-ended band: no rate follows from "over 20 %"
        return (unknown(RATE, "per_hour", "run", RATE),)
    middle = (row.interruption_low_pct + row.interruption_high_pct) / 2
    band = f"{row.interruption_low_pct:g}-{row.interruption_high_pct:g} %"
    text = f"{row.provider} {row.region} {row.instance_type}, {band}"
    source = Source(row.source, row.as_of, row.quality)
    return (tabled("spot_reclaimed_percent", "percent", "run", middle, source, text, RATE), _FROM_BAND)


def hazard_per_hour(facts: Facts, priced: Mapping[str, Number | None]) -> float:
    """Interruptions an hour of the whole cluster; 0 where they are not known, and the budget says so."""
    return float(evaluated(hazard_lines(facts), priced)["spot_hazard_per_hour"] or 0.0)


def break_even_line(facts: Facts, run: Mapping[str, Number | None], price: Number | None, other: Number | None) -> Line:
    """Mean hours between interruptions under which the run costs more than on demand; None where that is not known.

    `run` are the given values of the run, `price` and `other` USD per GPU-hour as bought and on demand.
    """
    rate = most_interruptions_per_hour(run, price, other, facts.scenario.price.spot_share_percent / 100)
    return predicted("spot_break_even_hours", "hours", "run", None if not rate else 1 / rate)


def most_interruptions_per_hour(
    run: Mapping[str, Number | None], price: Number | None, other: Number | None, share: float
) -> float | None:
    """Interruptions an hour at which a spot run costs what it costs on demand; None where it never pays or always does.

    Hours of the run grow with the rate of interruptions, so the rate is found by halving its logarithm.
    """
    if price is None or other is None or share <= 0 or price >= other or price <= 0:
        return None
    longest = float(other / price) * _wall_hours(run, 0.0)
    low, high = log(_RAREST), log(_MOST)
    if _wall_hours(run, _RAREST * share) > longest or _wall_hours(run, _MOST * share) < longest:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _wall_hours(run, exp(middle) * share) > longest else (middle, high)
    return exp((low + high) / 2)


def _wall_hours(run: Mapping[str, Number | None], hazard: float) -> float:
    mtbf = MTBF_HOURS.evaluate({**run, "spot_hazard_per_hour": hazard})
    values = whole_run({**run, "mtbf_hours": mtbf})
    return float("inf") if never_finishes(values["steady_goodput"]) else float(values["wall_hours"] or 0.0)
