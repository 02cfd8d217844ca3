"""The proposal in five sentences: what is trained, how long, what it costs, what is uncertain, what is left out."""

from __future__ import annotations

from desktop_app.budget.budget import CostLine
from desktop_app.budget.uncertainty import tornado
from desktop_app.foundation.formatting import percent
from report_templates.figures import by_amount
from report_templates.sections.drivers import shown_inputs
from report_templates.sections.report import Report


def five_sentences(report: Report) -> tuple[str, ...]:
    """No formula, and no figure that does not stand in the tables too."""
    return tuple(filter(None, (_job(report), _time(report), _cost(report), _risk(report), _left_out(report))))


def finding(report: Report) -> str:
    """What the largest line is of the whole."""
    largest = largest_line(report)
    if largest is None or largest.share is None:
        return report.words("finding.none")
    if largest.share > 1:  # credits pay for part of it
        return report.words("finding.largest_line", item=report.name(largest.key))
    share = percent(largest.share, 0, report.language)
    return report.words("finding.largest", item=report.name(largest.key), share=share)


def largest_line(report: Report) -> CostLine | None:
    """The dearest line; None where nothing is priced."""
    first = by_amount(report.budget.cost_lines)[0]
    return first if report.priced and first.amount is not None else None


def _left_out(report: Report) -> str:
    """The lines that nobody priced, by name; "" where there is none, or no total at all."""
    names = [report.inside(report.name(key)) for key in report.budget.not_priced]
    return report.words("proposal.sum_leaves_out", items=report.counted(names)) if names and report.priced else ""


def _job(report: Report) -> str:
    full = report.budget.scenario.job.method == "full"
    return report.words(
        "proposal.sum_full" if full else "proposal.sum_tune",
        model=report.budget.estimate.model.name,
        params=report.value("params_total"),
        trainable=report.value("params_trainable"),
        tokens=report.value("tokens"),
        flop=report.value("training_flops"),
    )


def _time(report: Report) -> str:
    return report.words(
        report.in_practice("proposal.sum_time") if report.ends else "proposal.sum_never",
        speed=report.value("tokens_per_s_per_gpu"),
        mfu=report.value("mfu"),
        factor=report.value("practice_factor"),
        days=report.value("wall_days"),
        range=report.span("wall_days"),
    )


def _cost(report: Report) -> str:
    if not report.priced:
        return report.words("proposal.sum_no_cost" if report.ends else "proposal.sum_no_end")
    lines = by_amount(report.budget.cost_lines)
    others = [report.name(line.key) for line in lines[1:] if line.amount]
    if not others:
        return f"{finding(report)}。" if report.language == "zh" else f"{finding(report)}."
    named = report.counted([report.inside(name) for name in others])
    return report.words("proposal.sum_cost", finding=finding(report), others=named)


def _risk(report: Report) -> str:
    """The driver that moves the total most, at the end that costs more."""
    swings = tornado(report.budget.ledger, "cost.total")
    total = report.budget.ledger.value("cost.total")
    if not swings or total is None:
        return ""
    widest = swings[0]
    dearer = widest.figure_high >= widest.figure_low
    shown = shown_inputs(report, widest)
    values = {
        "high": shown.with_unit[2 if dearer else 0],
        "base": shown.with_unit[1],
        "figure": report.money(max(widest.figure_high, widest.figure_low)),
        "total": report.money(total),
    }
    if widest.driver == "overhead":
        return report.words("proposal.sum_risk_hours", **values)
    driver, name = report.inside(report.words(f"driver.{widest.driver}")), report.inside(shown.name)
    return report.words("proposal.sum_risk", driver=driver, input=name, **values)
