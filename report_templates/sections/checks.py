"""What a reader should check before signing: sentences about old prices, missing prices, memory and the like."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_app.foundation.formatting import percent
from desktop_app.foundation.problems import Problem
from report_templates.sections.report import Report

_NEAR = 0.8  # of a threshold: the trigger of the risk that it is crossed
_OF_MEMORY = ("problem.does_not_fit", "problem.does_not_fit_alone", "problem.likely_too_large")  # `_memory` says it


def things_to_check(report: Report) -> tuple[str, ...]:
    """One sentence for each thing, the gravest first."""
    first = [sentence for sentence in (_memory(report), _commitment(report)) if sentence]
    last = [sentence for sentence in (_validity(report), *_thresholds(report)) if sentence]
    return (*first, *(report.words.sentence(problem) for problem in _problems(report)), *last)


def _validity(report: Report) -> str:
    """An estimate that no longer stands when the run starts."""
    start, until = report.dossier.schedule.start, report.valid_until
    return (
        ""
        if start <= until
        else report.words("proposal.check_validity", start=start.isoformat(), date=until.isoformat())
    )


def _thresholds(report: Report) -> Iterator[str]:
    """Thresholds of training compute that the run comes near to."""
    for threshold in report.dossier.thresholds:
        if threshold.share is not None and _NEAR <= threshold.share < 1:
            share = percent(threshold.share, 0, report.language)
            rule = report.words(f"threshold.{threshold.key}")
            yield report.words("proposal.check_threshold", share=share, rule=rule)


def notes(report: Report) -> tuple[str, ...]:
    """What is worth knowing but needs no action."""
    problems = report.budget.problems
    return tuple(report.words.sentence(problem) for problem in problems if problem.severity == "note")


def _memory(report: Report) -> str:
    """A sentence where the job does not fit for certain."""
    estimate, words = report.budget.estimate, report.words
    memory, usable = estimate.memory, estimate.cluster.gpu.usable_memory_bytes
    values = {"peak": report.gib(memory.peak), "high": report.gib(memory.peak_high), "usable": report.gib(usable)}
    if estimate.fits == "yes":
        return ""
    if estimate.fits == "unknown":
        return words("proposal.check_unknown")
    return words("proposal.check_tight" if estimate.fits == "tight" else "proposal.check_no", **values)


def committed(report: Report) -> str:
    """The money that a contract binds beyond the run; "" without such a contract or its price."""
    ledger = report.budget.ledger
    known = "cost.committed" in ledger and ledger.value("cost.committed") is not None
    return report.value("cost.committed") if known else ""


def _commitment(report: Report) -> str:
    """What a contract binds, unless a problem of the budget says it already, with its term."""
    told = any(problem.key == "problem.reservation_commits" for problem in report.budget.problems)
    amount = committed(report)
    return report.words("proposal.check_committed", amount=amount) if amount and not told else ""


def _problems(report: Report) -> list[Problem]:
    """Errors and warnings of the budget."""
    budget = report.budget
    found = [problem for problem in budget.problems if problem.severity != "note" and problem.key not in _OF_MEMORY]
    found.sort(key=lambda problem: problem.severity != "error")
    return found
